//! `exp` and `expm1`, and their forms with more digits in and out.

use super::double_double::{fast_two_sum, two_prod, two_sum};
use super::scaling::{SHIFT, scale_by_power};
use gristmill_kernel::kernel;

/// ln 2 = LN2_A + LN2_B + LN2_C. LN2_A has 33 bits, so that `k LN2_A` is exact for every exponent `k`.
#[kernel]
pub const LN2_A: f64 = 0.6931471804855391;
/// The next 53 bits of ln 2.
#[kernel]
pub const LN2_B: f64 = 7.440617110012397e-11;
/// The rest of ln 2.
#[kernel]
pub const LN2_C: f64 = -1.3124698417785255e-27;

polynomial! {
    /// `(exp(r) - 1 - r) / r^2` for `|r| <= ln(2)/2`, relative error 7.6e-18.
    pub(crate) fn exp_tail =
        [1.608662795678037e-10, 2.0918137737642736e-09, 2.505207109429355e-08, 2.75572632790885e-07]
        [2.755731924721873e-06, 2.4801587336442236e-05, 0.00019841269841263298, 0.0013888888888879073]
        [0.008333333333333333, 0.04166666666666668, 0.16666666666666666, 0.5];
}

/// 16/ln(2)
#[kernel]
const SIXTEENTHS: f64 = 23.083120654223414;
/// 1.5 * 2^52 + 8 + 16 * 1023: a number of sixteenths added to it is rounded to an integer; the low 4 bits then say which
/// entry of the table is nearest, and those above are the exponent with its bias.
#[kernel]
const SIXTEENTHS_SHIFT: f64 = 6_755_399_441_055_744.0 + 8.0 + 16.0 * 1023.0;
/// `2^((i - 8)/16)`, leading parts.
#[kernel]
const ROOTS_HIGH: [f64; 16] = [
    0.7071067811865476,
    0.7384130729697497,
    0.7711054127039704,
    0.8052451659746271,
    0.8408964152537145,
    0.8781260801866497,
    0.9170040432046712,
    0.9576032806985737,
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
];
/// `2^((i - 8)/16)`, the rest.
#[kernel]
const ROOTS_LOW: [f64; 16] = [
    -4.833646656726457e-17,
    -1.741997278446398e-17,
    3.9749174048488104e-17,
    1.2353596284898944e-17,
    4.099505010290748e-17,
    1.4800703477244367e-17,
    1.6415536121228136e-17,
    -5.3099730280979813e-17,
    0.0,
    8.551889705537965e-17,
    -3.046782079812471e-17,
    8.912812676025408e-17,
    3.982015231465646e-17,
    4.658027591836937e-17,
    2.5382502794888315e-17,
    7.70094837980299e-17,
];

/// `exp(r) - 1` for `|r| <= ln(2)/32`; the polynomial leaves 2^-64, rounding 2^-58.
///
/// Two terms at a time and the first two added early: what waits for `r` waits for three multiplications and no more.
#[kernel(inline)]
fn expm1_sixteenth(r: f64) -> f64 {
    let square = r * r;
    let first = square.mul_add(r.mul_add(0.16666666666666669, 0.5000000000000001), r);
    let third: f64 = r.mul_add(0.00019841463826261545, 0.001388906347556763);
    let second = third.mul_add(square, r.mul_add(0.008333333332991954, 0.04166666666359425));
    second.mul_add(square * square, first)
}

polynomial! {
    /// `(exp(r) - 1 - r) / r^2` for `|r| <= ln(2)/32`; it leaves 2^-72 in `exp(r)`.
    fn exp_sixteenth_fine =
        [2.4801813798401996e-05, 0.0001984149633828601, 0.0013888888888357004]
        [0.008333333332801448, 0.04166666666666667, 0.16666666666666669, 0.5];
}

/// `x = k ln 2 + high + low` with an integral `k`: gives `(k, high, low)`, `|high| <= ln(2)/2`, for `|x| <= 1100`.
///
/// `x - k LN2_A` is exact, and the product `k LN2_B < 8e-8` is rounded at 2^-77: nothing to be seen in the result.
#[kernel(inline)]
fn reduce(x: f64) -> (f64, f64, f64) {
    let k = x.mul_add(std::f64::consts::LOG2_E, SHIFT) - SHIFT;
    let exact = (-k).mul_add(LN2_A, x);
    let high = (-k).mul_add(LN2_B, exact);
    (k, high, (-k).mul_add(LN2_B, exact - high))
}

/// `exp(a)` of a pair, `|a| <= 1100`, as a loose pair `(high, low, k)`: the value is `(high + low) 2^k`, relative error below
/// 2^-63; `low` up to 2^-11.
#[kernel(inline)]
pub fn exp_mantissa(a: (f64, f64)) -> (f64, f64, f64) {
    let (t, m, rest, n, _bits): (f64, f64, f64, f64, u64) = exp_fine(a);
    let (high, low) = fast_two_sum(t, m);
    (high, low + rest, exponent_of(n))
}

/// `exp(a)` of a pair, rounded once.
///
/// Domain: every pair with `|low| <= ulp(high)`; overflow gives `+inf`, underflow 0, NaN gives NaN.
/// Method: the table of [`exp_mantissa`], with ten bits to spare: callers amplify errors enough themselves.
/// Error: below 0.51 ulp as far as the pair is exact; see `pow` in docs/accuracy.md.
#[kernel(inline)]
pub fn exp_pair(a: (f64, f64)) -> f64 {
    let h = if a.0 < -746.0 { -746.0 } else { a.0 };
    let h = if h > 710.0 { 710.0 } else { h };
    let l = if h == a.0 { a.1 } else { 0.0 };
    let (high, low, k) = exp_mantissa((h, l));
    scale_by_power(high + low, k)
}

/// `e^x`.
///
/// R: `exp(x)`, exponential.
/// Domain: every `f64`; above 709.78 `+inf`, below -745.13 0, NaN gives NaN. Subnormal results are rounded once.
/// Method: `x = k ln 2 + r` with `r` as a pair, `e^r = 1 + (r + r^2 P(r))` with `P` of degree 11 and the sum taken from
///   its large end with its rounding errors, then `2^k` by bit operations in two factors. No branch, no table.
/// Paper: muller2016, ch. 11 (reduction with a split constant).
/// Error: 99 % within 0.51 ulp, at most 0.56 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn exp(x: f64) -> f64 {
    let h = if x < -746.0 { -746.0 } else { x };
    let h = if h > 710.0 { 710.0 } else { h };
    let (k, rh, rl) = reduce(h);
    let (s, e) = fast_two_sum(1.0, rh);
    scale_by_power(s + (e + (rh * rh).mul_add(exp_tail(rh), rl.mul_add(rh, rl))), k)
}

/// `exp(a)` of a pair, `|a| <= 700`, as `(t, low, p, scale)`: the value is `(t + (t p + low)) scale`, `t + low` being the table's
/// `2^((i - 8)/16)`, `|p| < 0.022`, and `scale` a power of two that is a normal number.
///
/// `a - n ln(2)/16` is exact up to the last addition, which is rounded at 2^-59 because the rest is below 1/46; so is
/// `p`: the relative error is below 2^-57.
/// Paper: tang1989.
#[kernel(inline)]
fn exp_by_table(a: (f64, f64)) -> (f64, f64, f64, f64) {
    let shifted = a.0.mul_add(SIXTEENTHS, SIXTEENTHS_SHIFT);
    let n = shifted - SIXTEENTHS_SHIFT;
    let bits = shifted.to_bits();
    let exact = (-n).mul_add(LN2_A / 16.0, a.0);
    let r = exact + (-n).mul_add(LN2_B / 16.0, a.1);
    let i = (bits & 15) as usize;
    (ROOTS_HIGH[i], ROOTS_LOW[i], expm1_sixteenth(r), f64::from_bits((bits >> 4) << 52))
}

/// `exp(a)` of a pair, `|a| <= 700`, as `(high, low, scale)`: the value is `(high + low) scale`, and `scale` a power of two
/// that is a normal number. `low` is not small, up to 0.033: for callers that use both parts linearly. Relative error below
/// 2^-57.
#[kernel(inline)]
pub fn exp_sum(a: (f64, f64)) -> (f64, f64, f64) {
    let (t, low, p, scale) = exp_by_table(a);
    (t, t.mul_add(p, low), scale)
}

/// `c exp(a)` of two pairs, `|a| <= 700`, rounded once unless it is subnormal; both may be loose.
///
/// All that does not depend on `p`, which comes last, is formed before it: with `q = t c`, `q + (q p + rest)`. That `q` is rounded
/// costs 2^-53 of `q p`, below 2^-58 of the result.
#[kernel(inline)]
pub fn exp_times(a: (f64, f64), c: (f64, f64)) -> f64 {
    let (t, low, p, scale) = exp_by_table(a);
    let (q, e) = two_prod(t, c.0);
    let rest = low.mul_add(c.0, t.mul_add(c.1, e));
    (q + q.mul_add(p, rest)) * scale
}

/// `exp(a)` of a pair, `|a| <= 1100`, as `(t, m, rest, n, bits)`: `t + m + rest` is the mantissa, and `t` the
/// table's `2^((i - 8)/16)` with `n = 16 k + i - 8`; the low four bits of `bits` are `i`, those above `k + 1023`; `|m| < 0.031` is `t r` rounded, and `|rest| < 2^-11` all the rest, so the relative error is
/// below 2^-63.
#[kernel(inline)]
fn exp_fine(a: (f64, f64)) -> (f64, f64, f64, f64, u64) {
    let shifted = a.0.mul_add(SIXTEENTHS, SIXTEENTHS_SHIFT);
    let n = shifted - SIXTEENTHS_SHIFT;
    let bits = shifted.to_bits();
    let exact = (-n).mul_add(LN2_A / 16.0, a.0);
    let (r, rl) = fast_two_sum(exact, (-n).mul_add(LN2_B / 16.0, a.1));
    let curved = (r * r).mul_add(exp_sixteenth_fine(r), rl);
    let t = ROOTS_HIGH[(bits & 15) as usize];
    let low = ROOTS_LOW[(bits & 15) as usize];
    let (m, e) = two_prod(t, r);
    (t, m, t.mul_add(curved, e + low.mul_add(r, low)), n, bits)
}

/// The exponent `k` of `n = 16 k + i - 8`.
#[kernel(inline)]
fn exponent_of(n: f64) -> f64 {
    n.mul_add(0.0625, 0.5).floor()
}

/// `exp(a)` of a pair, `|a| <= 700`, as `(high, low, scale)`: the value is `(high + low) scale`, the pair normalised and in
/// [0.69, 1.42], and `scale` a power of two that is a normal number. Relative error below 2^-63.
#[kernel(inline)]
pub fn exp_near(a: (f64, f64)) -> (f64, f64, f64) {
    let (t, m, rest, _n, bits) = exp_fine(a);
    let (s, e) = fast_two_sum(t, m);
    let (high, low) = fast_two_sum(s, e + rest);
    (high, low, f64::from_bits((bits >> 4) << 52))
}

/// The same as a loose pair, `low` up to 2^-11: for callers that use both parts linearly. Up to 709.7, where `scale` is 2^1023.
#[kernel(inline)]
pub fn exp_loose(a: (f64, f64)) -> (f64, f64, f64) {
    let (t, m, rest, _n, bits) = exp_fine(a);
    let (s, e) = fast_two_sum(t, m);
    (s, e + rest, f64::from_bits((bits >> 4) << 52))
}

/// `exp(a)` of a pair, `|a| <= 700`, rounded once.
#[kernel(inline)]
pub fn exp_of_normal(a: (f64, f64)) -> f64 {
    let (high, low, scale) = exp_loose(a);
    (high + low) * scale
}

/// `exp(a)` of a pair as `(high, low, k)`: the value is `(high + low) 2^k`, the pair normalised and in [0.69, 1.42].
///
/// For callers that multiply on before they round: `|a| <= 1100`, relative error below 2^-63.
#[kernel(inline)]
pub fn exp_parts(a: (f64, f64)) -> (f64, f64, f64) {
    let (s, e, k) = exp_mantissa(a);
    let (high, low) = fast_two_sum(s, e);
    (high, low, k)
}

/// A quarter of `exp(a) - 1` as a normalised pair, for `-60 <= a <= 710.6`; a quarter, so that nothing overflows.
///
/// The 1 is taken off `2^k t` without rounding; with the table's entries next to 1 the difference is larger than `2^k m`, and
/// 0 for 1 itself, where `m + rest` is the result. So the relative error stays below 2^-59 everywhere.
#[kernel(inline)]
pub fn expm1_quarter(a: (f64, f64)) -> (f64, f64) {
    let (t, m, rest, _n, bits): (f64, f64, f64, f64, u64) = exp_fine(a);
    let s = f64::from_bits((bits >> 4).wrapping_sub(2) << 52);
    let (b, be) = two_sum(s * t, -0.25);
    let (c, ce) = fast_two_sum(b, s * m);
    fast_two_sum(c, ce + (be + s * rest))
}

/// `exp(a) - 1` as a normalised pair, for `-60 <= a <= 700`; four times [`expm1_quarter`], bit for bit, for less.
#[kernel(inline)]
pub fn expm1_near(a: (f64, f64)) -> (f64, f64) {
    let (t, m, rest, _n, bits) = exp_fine(a);
    let s = f64::from_bits((bits >> 4) << 52);
    let (b, be) = two_sum(s * t, -1.0);
    let (c, ce) = fast_two_sum(b, s * m);
    fast_two_sum(c, ce + (be + s * rest))
}

/// `exp(a) - 1` of a pair as a normalised pair, relative error below 2^-58.
///
/// Domain: every pair with `|low| <= ulp(high)`; overflow gives `(inf, 0)`, NaN gives NaN.
#[kernel(inline)]
pub fn expm1_pair(a: (f64, f64)) -> (f64, f64) {
    let h = if a.0 < -60.0 { -60.0 } else { a.0 };
    let h = if h > 710.0 { 710.0 } else { h };
    let (yh, yl) = expm1_quarter((h, if h == a.0 { a.1 } else { 0.0 }));
    (4.0 * yh, if h < 710.0 { 4.0 * yl } else { 0.0 })
}

/// `e^x - 1`, with full relative accuracy next to 0.
///
/// R: `expm1(x)`, exp(x) - 1.
/// Domain: every `f64`; keeps the sign of zero; above 709.78 `+inf`, `-inf` gives -1, NaN gives NaN.
/// Method: `x = k ln 2 + (i - 8) ln(2)/16 + r` with a table of `t = 2^((i - 8)/16)`; `2^k t - 1`, `2^k t r` and the rest are summed
///   with their rounding errors. `|x| < 2^-54` is its own result.
/// Paper: tang1989.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn expm1(x: f64) -> f64 {
    let h = if x < -60.0 { -60.0 } else { x };
    let h = if h > 710.0 { 710.0 } else { h };
    let (yh, yl) = expm1_quarter((h, 0.0));
    let y = 4.0 * (yh + yl);
    if x.abs() < 5.551115123125783e-17 { x } else { y }
}
