//! `log`, `log1p`, `log1pmx`, and the logarithm with more digits in and out.

use super::double_double::{dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, fast_two_sum, two_prod, two_sum};
use super::exponential::{LN2_A, LN2_B, LN2_C};
use super::scaling::power_of_two;

/// 2^54: lifts a subnormal number into the normal range, exactly.
const TWO_54: f64 = 18_014_398_509_481_984.0;
/// The bits of sqrt(1/2), rounded up.
const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
/// 2/3 = TWO_THIRDS_HIGH + TWO_THIRDS_LOW
const TWO_THIRDS_HIGH: f64 = 0.666_666_666_666_666_6;
const TWO_THIRDS_LOW: f64 = 3.700_743_415_417_188e-17;

polynomial! {
    /// `(atanh(s)/s - 1 - s^2/3) / s^4` as a polynomial in `s^2`, for `|s| <= 3 - 2 sqrt(2) = 0.1716`.
    pub(crate) fn atanh_tail =
        [0.053824759023972976]
        [0.05228024053656378, 0.058834127956018716, 0.06666648122939192, 0.07692307882423421]
        [0.09090909089815832, 0.11111111111114257, 0.14285714285714282, 0.2];
}

/// Splits `a > 0` as `2^k (m + ml)`: gives `(k, m, ml)` with `m` in [sqrt(1/2), sqrt(2)). Subnormal `a` is fine.
#[inline(always)]
pub(crate) fn split_exponent(a: (f64, f64)) -> (f64, f64, f64) {
    let tiny = a.0 < f64::MIN_POSITIVE;
    let h = if tiny { a.0 * TWO_54 } else { a.0 };
    let l = if tiny { a.1 * TWO_54 } else { a.1 };
    let bits = h.to_bits();
    // 1024 is added to the exponent so that it stays positive, and the double below is made from its bits.
    let biased = bits.wrapping_sub(SQRT_HALF_BITS).wrapping_add(1024u64 << 52) >> 52;
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1024.0);
    let m = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1024) << 52));
    let kc = if k > 1022.0 { 1022.0 } else { k };
    let ml = l * power_of_two(-kc);
    (if tiny { k - 54.0 } else { k }, m, ml)
}

/// `log(a)` of a positive pair as a normalised pair, relative error about 2^-66, also next to 1.
///
/// Domain: `high` positive and finite, subnormal included. Anything else gives nonsense: the caller guards.
/// Method: `a = 2^k m`, `s = (m-1)/(m+1)` and `2 s + (2/3) s^3` in double-double, the higher terms in double.
/// For `pow`, Stirling's formula, `x log(y)`; where relative 2^-57 is enough, [`log_pair`] costs half.
#[inline(always)]
pub fn log_dd(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let (fh, fl) = two_sum(m - 1.0, ml);
    let (dh, dl) = two_sum(2.0, fh);
    let (sh, sl) = dd_div((fh, fl), (dh, dl + fl));
    let (uh, ue) = two_prod(sh, sh);
    let ul = (2.0 * sh).mul_add(sl, ue);
    let (ch, ce) = two_prod(sh, uh);
    let cl = sh.mul_add(ul, sl.mul_add(uh, ce));
    let (th, te) = two_prod(ch, TWO_THIRDS_HIGH);
    let tl = ch.mul_add(TWO_THIRDS_LOW, cl.mul_add(TWO_THIRDS_HIGH, te));
    let w = (2.0 * ch) * (uh * atanh_tail(uh));
    // k ln 2 + 2 s + (2/3) s^3 + w, largest first
    let (b, be) = fast_two_sum(2.0 * sh, th);
    let (b, bl) = fast_two_sum(b, 2.0 * sl + tl + w + be);
    let (z, ze) = two_sum(k * LN2_A, b);
    let (kb, kbe) = two_prod(k, LN2_B);
    let (z, z2) = two_sum(z, kb);
    fast_two_sum(z, z2 + (ze + (bl + (kbe + k * LN2_C))))
}

/// `log(a)` of a positive pair as a normalised pair, relative error about 2^-57: half the cost of [`log_dd`].
///
/// Domain: `high` positive and finite, subnormal included. Anything else gives nonsense: the caller guards.
/// Method: `log(1+f) = f - f^2/2 + s (f^2/2 + R)` with `s = f/(2+f)` and `R = 2 (s^2/3 + s^4/5 + ...)`.
#[inline(always)]
pub fn log_pair(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let f = m - 1.0; // exact
    let s = f / (2.0 + f);
    let u = s * s;
    let r = u * u.mul_add(2.0 * atanh_tail(u), TWO_THIRDS_HIGH);
    let (q, qe) = two_prod(0.5 * f, f);
    let w = s * (q + r);
    let inverse = (1.0 - s) * (1.0 - s) * (1.0 + u); // 1/(1+f) to 1e-3: enough for the low part
    let (b, be) = fast_two_sum(f, -q);
    let low = be + (w - qe + ml * inverse);
    let (z, ze) = two_sum(k * LN2_A, b);
    fast_two_sum(z, ze + k.mul_add(LN2_B, low))
}

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (h, l) = log_pair((x, 0.0));
    let special = if x == 0.0 {
        f64::NEG_INFINITY
    } else if x < 0.0 {
        f64::NAN
    } else {
        x // +inf and NaN
    };
    if x > 0.0 && x < f64::INFINITY { h + l } else { special }
}

/// `log(1 + x)` as a normalised pair for finite `x > -1`, relative error about 2^-66 while `|x| > 1e-290`.
#[inline(always)]
pub fn log1p_dd(x: f64) -> (f64, f64) {
    log_dd(two_sum(1.0, x))
}

/// `log(1 + x)`, with full relative accuracy next to 0.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let (h, l) = log1p_dd(x);
    let y = if x.abs() < 1e-30 { x } else { h + l };
    let special = if x == -1.0 {
        f64::NEG_INFINITY
    } else if x < -1.0 {
        f64::NAN
    } else {
        x // +inf and NaN
    };
    if x > -1.0 && x < f64::INFINITY { y } else { special }
}

/// `log(1 + x) - x` as a normalised pair for finite `x > -1`.
///
/// With `s = x/(2+x)`, `x = 2s + s x`, so `log(1+x) - x = 2 atanh(s) - x = -s x + 2 (s^3/3 + ...)`: the first order
/// cancels on paper. Outside (-0.29, 0.41), where the series in `s` ends, the logarithm minus `x`.
#[inline(always)]
pub fn log1pmx_dd(x: f64) -> (f64, f64) {
    let s = dd_div((x, 0.0), two_sum(2.0, x));
    let u = dd_mul(s, s);
    let c = dd_mul(s, u);
    let t = dd_mul(c, (TWO_THIRDS_HIGH, TWO_THIRDS_LOW));
    let w = (2.0 * c.0) * (u.0 * atanh_tail(u.0));
    let near = dd_add_d(dd_add(dd_mul_d(s, -x), t), w);
    let far = dd_add_d(log1p_dd(x), -x);
    let inside = x > -0.29 && x < 0.41;
    (if inside { near.0 } else { far.0 }, if inside { near.1 } else { far.1 })
}

/// `log(1 + x) - x`, with full relative accuracy next to 0.
#[inline(always)]
pub fn log1pmx(x: f64) -> f64 {
    let (h, l) = log1pmx_dd(x);
    let y = if x.abs() < 1e-160 { -0.5 * x * x } else { h + l };
    let special = if x == -1.0 {
        f64::NEG_INFINITY
    } else if x < -1.0 {
        f64::NAN
    } else {
        -x // +inf and NaN
    };
    if x > -1.0 && x < f64::INFINITY { y } else { special }
}
