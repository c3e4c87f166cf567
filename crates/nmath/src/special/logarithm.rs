//! `log`, `log1p`, `log2`, `log10`, `log1pmx`, and the logarithm with more digits in and out.

use super::double_double::{dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, fast_two_sum, two_prod, two_sum};
use super::exponential::{LN2_A, LN2_B};
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

use crate::special::powers_of_two::TWO_54;

/// The bits of sqrt(1/2), rounded up.
#[kernel]
const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
/// 2^52 + 1023
#[kernel]
const OFFSET: f64 = 4_503_599_627_370_496.0 + 1023.0;
/// The same for a number that was lifted by 2^54.
#[kernel]
const OFFSET_LIFTED: f64 = OFFSET + 54.0;
/// 2/3.
#[kernel]
const TWO_THIRDS: (f64, f64) = (0.6666666666666666, 3.700743415417188e-17);
/// 2/5.
#[kernel]
const TWO_FIFTHS: (f64, f64) = (0.4, -2.220446049250313e-17);
/// 1/ln(2).
#[kernel]
const LOG2_E: (f64, f64) = (std::f64::consts::LOG2_E, 2.0355273740931033e-17);
/// 1/ln(10).
#[kernel]
const LOG10_E: (f64, f64) = (std::f64::consts::LOG10_E, 1.098319650216765e-17);
/// log10(2) = LOG10_2_A + LOG10_2_B; LOG10_2_A has 32 bits, so that its product with an exponent is exact.
#[kernel]
const LOG10_2_A: f64 = 0.3010299955494702;
#[kernel]
const LOG10_2_B: f64 = 1.1451100898021838e-10;

/// 2^-28
#[kernel]
const TWO_TERMS_END: f64 = 3.725290298461914e-09;

polynomial! {
    /// `(atanh(s)/s - 1 - s^2/3) / s^4` as a polynomial in `s^2`, for `|s| <= 3 - 2 sqrt(2) = 0.1716`; error 5.6e-17.
    pub(crate) fn atanh_tail =
        [0.05381278717867527]
        [0.05228156295197831, 0.05883406888079717, 0.06666648259643623, 0.0769230788068149]
        [0.090909090898278, 0.11111111111114218, 0.14285714285714282, 0.2];
}

polynomial! {
    /// `2 (atanh(s)/s - 1 - s^2/3 - s^4/5) / s^6` as a polynomial in `s^2`, for `|s| <= 3 - 2 sqrt(2)`; error 5.55e-17.
    fn atanh_rest =
        [0.1061726096944523, 0.10472884260628228, 0.11766050701460716, 0.1333331466491488]
        [0.1538461552502006, 0.18181818181300352, 0.22222222222222948, 0.2857142857142857];
}

polynomial! {
    /// `2 (atanh(s)/s - 1) / s^2` as a polynomial in `s^2`, for `|s| <= 3 - 2 sqrt(2)`; error 5.5e-17.
    fn log_tail =
        [0.13086907887965027, 0.13268746195596595, 0.15386240708969665, 0.18181795621632782]
        [0.22222222391887064, 0.2857142857080285, 0.4000000000000088, 0.6666666666666666];
}

/// The bits of 45/64, where the first of sixteen cells begins; each is 2^48 units in the last place wide, and 1 lies in the
/// tenth.
#[kernel]
const CELLS_BITS: u64 = 0x3fe6_8000_0000_0000;
/// About the inverse of the middle of each cell, in 21 bits; 1 in the tenth.
#[kernel]
const CELL_INVERSES: [f64; 16] = [
    1.3913040161132812,
    1.3333330154418945,
    1.2799997329711914,
    1.230769157409668,
    1.185185432434082,
    1.142857551574707,
    1.1034479141235352,
    1.066666603088379,
    1.0322580337524414,
    1.0,
    0.9411764144897461,
    0.8888893127441406,
    0.8421049118041992,
    0.8000001907348633,
    0.7619047164916992,
    0.7272729873657227,
];
/// Minus its logarithm: multiples of 2^-42, so that an exponent's share added to it is exact.
#[kernel]
const CELL_LOGS_HIGH: [f64; 16] = [
    -0.33024144845194314,
    -0.28768183403326475,
    -0.24685986931535808,
    -0.20763930517364315,
    -0.16989924541167056,
    -0.13353175025235942,
    -0.09843974498767238,
    -0.06453846153294762,
    -0.03174866851236402,
    0.0,
    0.060624681421131754,
    0.1177825588192718,
    0.17185067415925914,
    0.22314331289567235,
    0.2719337750882005,
    0.3184533734906836,
];
/// The rest of it.
#[kernel]
const CELL_LOGS_LOW: [f64; 16] = [
    -2.619043054200635e-14,
    9.134528783799581e-14,
    1.1075888787463612e-13,
    4.5201779505228896e-14,
    3.813664467037291e-14,
    3.208909462274172e-14,
    1.9863565106377933e-14,
    2.300196495479633e-14,
    1.0655061657091419e-13,
    0.0,
    -5.035984948137871e-14,
    6.713950410557209e-14,
    5.491132695242188e-16,
    -1.327626093237619e-14,
    8.781942463807367e-14,
    4.6323399659647394e-14,
];

/// Splits a positive normal number as `2^k m`: gives `(k, m)` with `m` in [sqrt(1/2), sqrt(2)).
///
/// `offset` is 2^52 + 1023, what the bits of the exponent stand for when they are read as a double; more for a number
/// that was lifted by a power of two.
#[kernel(inline)]
fn split_bits(x: f64, offset: f64) -> (f64, f64) {
    let shifted = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - SQRT_HALF_BITS);
    let k = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - offset;
    (k, f64::from_bits((shifted & 0x000f_ffff_ffff_ffff).wrapping_add(SQRT_HALF_BITS)))
}

/// Splits a positive number, subnormal or not, as `2^k m`: gives `(k, m)` with `m` in [sqrt(1/2), sqrt(2)).
#[kernel(inline)]
pub fn split_double(x: f64) -> (f64, f64) {
    let tiny = x < f64::MIN_POSITIVE;
    split_bits(if tiny { x * TWO_54 } else { x }, if tiny { OFFSET_LIFTED } else { OFFSET })
}

/// Splits a positive pair as `2^k (m + ml)`: gives `(k, m, ml)` with `m` in [sqrt(1/2), sqrt(2)). May be subnormal.
#[kernel(inline)]
pub fn split_exponent(a: (f64, f64)) -> (f64, f64, f64) {
    let tiny = a.0 < f64::MIN_POSITIVE;
    let l = if tiny { a.1 * TWO_54 } else { a.1 };
    let (k, m) = split_bits(if tiny { a.0 * TWO_54 } else { a.0 }, OFFSET);
    let kc = if k > 1022.0 { 1022.0 } else { k };
    (if tiny { k - 54.0 } else { k }, m, l * power_of_two(-kc))
}

/// `log(m)` for `m` in [sqrt(1/2), sqrt(2)) as a loose pair, and `s = (m-1)/(m+1)`; relative error below 2^-58.
///
/// With `f = m - 1` (exact) and `R = 2 (s^2/3 + s^4/5 + ...)`: `log(1+f) = f - f^2/2 + s (f^2/2 + R)`, which follows from
/// `f = 2s + f s`. The two large terms are exact pairs, the last one is below 0.03 of the result next to 1 and rounded.
#[kernel(inline)]
fn log_mantissa(m: f64) -> (f64, f64, f64) {
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let u = s * s;
    let (q, qe) = two_prod(0.5 * f, f);
    let w = s * u.mul_add(log_tail(u), q);
    let (high, e) = fast_two_sum(f, -q);
    (high, e + (w - qe), s)
}

/// `1/m - 1` from `s = (m-1)/(m+1)`, absolute error `s^4`: for the low part of an argument, which is small against `m - 1`
/// unless `s` is small.
#[kernel(inline)]
fn inverse_less_one(s: f64) -> f64 {
    s * s.mul_add(s.mul_add(-2.0, 2.0), -2.0)
}

/// `log(a)` of a positive pair as a normalised pair, relative error about 2^-70, also next to 1.
///
/// Domain: `high` positive and finite, subnormal included. Anything else gives nonsense: the caller guards.
/// Method: `a = 2^k m`, `s = (m-1)/(m+1)`; `2 s + (2/3) s^3 + (2/5) s^5` in double-double, the higher terms in double.
/// For `pow`, Stirling's formula, `x log(y)`; where relative 2^-57 is enough, [`log_pair`] costs half.
#[kernel(inline)]
pub fn log_dd(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let (fh, fl) = two_sum(m - 1.0, ml);
    let (dh, dl) = fast_two_sum(2.0, fh);
    let (sh, sl) = dd_div((fh, fl), (dh, dl + fl));
    log_from_ratio(k, sh, sl)
}

/// `k ln 2 + log(m + ml)` as a loose pair, `m` and `i` from the cells.
///
/// With `c` the cell's inverse and `r = m c - 1`, `|r| < 1/32`: `log(m) = -log(c) + r - r^2/2 + r^3 P(r)`; only the last term
/// is rounded in double, and it is below 2^-16. `P` leaves 2^-70; its two halves are added one by one to what is there, as soon as
/// they are: a call waits for the longest chain, not for the number of operations.
#[kernel(inline)]
fn log_in_cell(k: f64, m: f64, ml: f64, i: u64) -> (f64, f64) {
    let c = CELL_INVERSES[i as usize];
    let (p, pe) = two_prod(m, c);
    let r = p - 1.0; // exact
    let rl = ml.mul_add(c, pe);
    let e = k.mul_add(LN2_A, CELL_LOGS_HIGH[i as usize]); // exact
    let el = k.mul_add(LN2_B, CELL_LOGS_LOW[i as usize]);
    let square = r * r;
    let cube = square * r;
    let fourth = square * square;
    let (s, se) = fast_two_sum(e, r);
    // s - r^2/2: outside the cell of 1, where e is not 0, |s| > 1/70, so that s - t is exact
    let half = -0.5 * r;
    let t = half.mul_add(r, s);
    let te = half.mul_add(r, s - t);
    // 1/(1 + r)
    let slope = (-r).mul_add(1.0 - r, 1.0);
    let near: f64 = r.mul_add(-0.16666666669598207, 0.20000000000008059);
    let near = near.mul_add(square, r.mul_add(-0.249999999999998, 0.3333333333333333));
    let far: f64 = r.mul_add(-0.10016988015217695, 0.11111210212652341);
    let far = far.mul_add(square, r.mul_add(-0.12499988424181, 0.1428571423451217));
    let far = fourth.mul_add(0.09038061524468471, far);
    let terms = (cube * fourth).mul_add(far, cube.mul_add(near, el));
    (t, terms + (te + rl.mul_add(slope, se)))
}

/// `log(x)` of a positive normal number as a loose pair: absolute error below 2^-68, next to 1 relative 2^-64; `low` up to
/// 2^-11 of `high`: for callers that are linear in both. Where that is enough it costs half of [`log_dd_of_normal`]: no division, a short chain.
///
/// Paper: tang1990 (the table of cells).
#[kernel(inline)]
pub fn log_loose(x: f64) -> (f64, f64) {
    let shifted = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - CELLS_BITS);
    let k = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - OFFSET;
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff).wrapping_add(CELLS_BITS));
    log_in_cell(k, m, 0.0, (shifted >> 48) & 15)
}

/// The same of a pair in [1e-290, 1e290], whose low part is below 2^-45 of the other.
#[kernel(inline)]
pub fn log_loose_of_pair(a: (f64, f64)) -> (f64, f64) {
    let shifted = a.0.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - CELLS_BITS);
    let k = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - OFFSET;
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff).wrapping_add(CELLS_BITS));
    // 2^-k, from the same bits
    let back = f64::from_bits(2046u64.wrapping_sub(shifted >> 52) << 52);
    log_in_cell(k, m, a.1 * back, (shifted >> 48) & 15)
}

/// [`log_dd`] of a normalised pair in [1e-290, 1e290], for less.
#[kernel(inline)]
pub fn log_dd_of_normal_pair(a: (f64, f64)) -> (f64, f64) {
    let (k, m) = split_bits(a.0, OFFSET);
    let (fh, fl) = fast_two_sum(m - 1.0, a.1 * power_of_two(-k));
    let (dh, dl) = fast_two_sum(2.0, fh);
    let inverse = 1.0 / dh;
    let q = fh * inverse;
    let r = (-q).mul_add(dh, fh) + (-q).mul_add(dl + fl, fl);
    log_from_ratio(k, q, r * inverse)
}

/// `s = f/(2 + f)` as a loose pair.
#[kernel(inline)]
fn ratio_of_double(f: f64) -> (f64, f64) {
    let (dh, dl) = fast_two_sum(2.0, f);
    let inverse = 1.0 / dh;
    let q = f * inverse;
    (q, (-q).mul_add(dl, (-q).mul_add(dh, f)) * inverse)
}

/// [`log_dd`] of a plain double, for less: `log(x)` as a normalised pair, relative error about 2^-70.
#[kernel(inline)]
pub fn log_dd_of_double(x: f64) -> (f64, f64) {
    let (k, m) = split_double(x);
    let (sh, sl) = ratio_of_double(m - 1.0);
    log_from_ratio(k, sh, sl)
}

/// The same for a positive normal number.
#[kernel(inline)]
pub fn log_dd_of_normal(x: f64) -> (f64, f64) {
    let (k, m) = split_bits(x, OFFSET);
    let (sh, sl) = ratio_of_double(m - 1.0);
    log_from_ratio(k, sh, sl)
}

/// `k ln 2 + 2 atanh(s)` as a normalised pair.
#[kernel(inline)]
fn log_from_ratio(k: f64, sh: f64, sl: f64) -> (f64, f64) {
    let (uh, ue) = two_prod(sh, sh);
    let ul = (2.0 * sh).mul_add(sl, ue);
    let (ch, ce) = two_prod(sh, uh);
    let cl = sh.mul_add(ul, sl.mul_add(uh, ce));
    let (th, te) = two_prod(ch, TWO_THIRDS.0);
    let tl = ch.mul_add(TWO_THIRDS.1, cl.mul_add(TWO_THIRDS.0, te));
    let (fh, fe) = two_prod(ch, uh);
    let fl = ch.mul_add(ul, cl.mul_add(uh, fe));
    let (vh, ve) = two_prod(fh, TWO_FIFTHS.0);
    let vl = fh.mul_add(TWO_FIFTHS.1, fl.mul_add(TWO_FIFTHS.0, ve));
    let w = fh * (uh * atanh_rest(uh));
    // k ln 2 + 2 s + (2/3) s^3 + (2/5) s^5 + w, largest first
    let (t, te) = fast_two_sum(th, vh);
    let (b, be) = fast_two_sum(2.0 * sh, t);
    let (b, bl) = fast_two_sum(b, be + (2.0 * sl + (te + (tl + (vl + w)))));
    // k LN2_B is rounded at 2^-86 of k ln 2, and LN2_C is 2^-89 of it
    let (z, ze) = fast_two_sum(k * LN2_A, b);
    let (z, z2) = fast_two_sum(z, k * LN2_B);
    fast_two_sum(z, z2 + (ze + bl))
}

/// `log(a)` of a positive pair as a normalised pair, relative error about 2^-57: half the cost of [`log_dd`].
///
/// Domain: `high` positive and finite, subnormal included. Anything else gives nonsense: the caller guards.
/// Method: that of [`log`]; the low part of the argument enters through the derivative.
#[kernel(inline)]
pub fn log_pair(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let (b, low, s) = log_mantissa(m);
    let (z, ze) = fast_two_sum(k * LN2_A, b);
    fast_two_sum(z, ze + k.mul_add(LN2_B, low + ml.mul_add(inverse_less_one(s), ml)))
}

/// The natural logarithm.
///
/// Domain: `x >= 0`, subnormal included; 0 gives `-inf`, negative and NaN give NaN, `+inf` gives `+inf`.
/// Method: `x = 2^k m`, `log(m)` as a pair from `s = (m-1)/(m+1)` (degree 7 in `s^2`), plus `k ln 2` in two parts,
///   summed with its rounding errors. No branch, no table, one division.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn log(x: f64) -> f64 {
    let (k, m) = split_double(x);
    let (b, low, _) = log_mantissa(m);
    let z = k.mul_add(LN2_A, b);
    let ze = k.mul_add(LN2_A, -z) + b;
    let y = z + (ze + k.mul_add(LN2_B, low));
    let y = if x < f64::INFINITY { y } else { x };
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x <= 0.0 { edge } else { y }
}

/// The logarithm to base 2; exact for powers of two.
///
/// R: `log2(x)`, logarithm of base 2.
/// Domain: as [`log`].
/// Method: `x = 2^k m`; `log(m)` as a pair, times `1/ln 2` as a pair, plus `k`.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn log2(x: f64) -> f64 {
    let (k, m) = split_double(x);
    let (b, low, _) = log_mantissa(m);
    let (b, low) = fast_two_sum(b, low);
    let (p, pe) = two_prod(b, LOG2_E.0);
    let (z, ze) = fast_two_sum(k, p);
    let y = z + (ze + (pe + b.mul_add(LOG2_E.1, low * LOG2_E.0)));
    let y = if x < f64::INFINITY { y } else { x };
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x <= 0.0 { edge } else { y }
}

/// The logarithm to base 10; exact for the powers of ten that are doubles.
///
/// R: `log10(x)`, logarithm of base 10.
/// Domain: as [`log`].
/// Method: `x = 2^k m`; `log(m)` as a pair, times `1/ln 10` as a pair, plus `k log10(2)` in two parts.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn log10(x: f64) -> f64 {
    let (k, m) = split_double(x);
    let (b, low, _) = log_mantissa(m);
    let (b, low) = fast_two_sum(b, low);
    let (p, pe) = two_prod(b, LOG10_E.0);
    let (z, ze) = fast_two_sum(k * LOG10_2_A, p);
    let y = z + (ze + (k.mul_add(LOG10_2_B, pe) + b.mul_add(LOG10_E.1, low * LOG10_E.0)));
    let y = if x < f64::INFINITY { y } else { x };
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x <= 0.0 { edge } else { y }
}

/// `log(1 + x)` as a normalised pair for finite `x > -1`, relative error about 2^-66 while `|x| > 1e-290`.
#[kernel(inline)]
pub fn log1p_dd(x: f64) -> (f64, f64) {
    log_dd(two_sum(1.0, x))
}

/// `log(1 + x)`, with full relative accuracy next to 0.
///
/// R: `log1p(x)`, log(1 + x).
/// Domain: `x >= -1`; -1 gives `-inf`, below it and NaN give NaN, `+inf` gives `+inf`; keeps the sign of zero.
/// Method: `1 + x` as an exact pair, then as [`log`]; the low part of the pair enters through the derivative, which
///   is exact enough because it is small against `x` unless `x` is small. Below 2^-28 `x - x^2/2`: the low part of
///   `1 + x` would no longer be small, and the next term, `x^2/3` of the result, is below 2^-57.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle (0.51 and 0.55 on the sweep);
///   the tests hold it.
#[kernel(inline)]
pub fn log1p(x: f64) -> f64 {
    let (h, l) = two_sum(1.0, x);
    let (k, m) = split_bits(h, OFFSET);
    let kc = if k > 1022.0 { 1022.0 } else { k };
    let ml = l * power_of_two(-kc);
    let (b, low, s) = log_mantissa(m);
    let (z, ze) = fast_two_sum(k * LN2_A, b);
    let y = z + (ze + k.mul_add(LN2_B, low + ml.mul_add(inverse_less_one(s), ml)));
    let y = if x < f64::INFINITY { y } else { x };
    let y = if x.abs() < TWO_TERMS_END { (-0.5 * x).mul_add(x, x) } else { y };
    let edge = if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x <= -1.0 { edge } else { y }
}

/// [`log1pmx_dd`] inside (-0.29, 0.41).
#[kernel(inline)]
fn log1pmx_near(x: f64) -> (f64, f64) {
    let s = dd_div((x, 0.0), two_sum(2.0, x));
    let u = dd_mul(s, s);
    let c = dd_mul(s, u);
    let t = dd_mul(c, TWO_THIRDS);
    let w = (2.0 * c.0) * (u.0 * atanh_tail(u.0));
    dd_add_d(dd_add(dd_mul_d(s, -x), t), w)
}

/// `log(1 + x) - x` as a normalised pair for finite `x > -1`.
///
/// With `s = x/(2+x)`, `x = 2s + s x`, so `log(1+x) - x = 2 atanh(s) - x = -s x + 2 (s^3/3 + ...)`: the first order
/// cancels on paper. Outside (-0.29, 0.41), where the series in `s` ends, the logarithm minus `x`.
#[kernel(inline)]
pub fn log1pmx_dd(x: f64) -> (f64, f64) {
    if x > -0.29 && x < 0.41 { log1pmx_near(x) } else { dd_add_d(log1p_dd(x), -x) }
}

/// `log(1 + x) - x`, with full relative accuracy next to 0.
///
/// R: `log1pmx(x)`, log(1 + x) - x.
/// Domain: `x >= -1`, else NaN; `-inf` at -1 and at `+inf`; NaN gives NaN.
/// Method: inside (-0.29, 0.41) the pair of `log1pmx_dd`, rounded once; outside, where nothing cancels, the logarithm by a table.
/// Paper: dlmf, 4.6.1; tang1990 (the table of cells); loader2000 for its use.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn log1pmx(x: f64) -> f64 {
    if x > -0.29 && x < 0.41 {
        let (h, l) = log1pmx_near(x);
        return if x.abs() < 1e-160 { -0.5 * x * x } else { h + l };
    }
    if x > -1.0 && x < 1e20 {
        let (h, l) = log_loose_of_pair(two_sum(1.0, x));
        let (y, e) = two_sum(h, -x);
        return y + (e + l);
    }
    if x == -1.0 {
        f64::NEG_INFINITY
    } else if x < -1.0 {
        f64::NAN
    } else {
        -x // beside it the logarithm is nothing; also +inf and NaN
    }
}
