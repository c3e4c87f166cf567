//! The expression that the whole beta family is built on, without cancellation for tiny, ordinary and huge arguments:
//! `G(a+b+1) / (G(a+1) G(b+1)) x^a y^b`, `x + y = 1`, as `m exp(e)` with `m` and `e` in double-double.

use super::beta_tables::{LOG_FACTORIAL_HIGH, LOG_FACTORIAL_LOW};
use super::constants::{INV_PI, LN_SQRT_2PI, PI, THIRD};
use super::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_inverse_sqrt, dd_mul, dd_mul_d, dd_neg, dd_sub_short, fast_two_sum, pair_add,
    pair_add_d, pair_mul, pair_mul_d, pair_sub, two_prod, two_sum,
};
use super::exponential::{LN2_A, LN2_B, exp_parts};
use super::gamma_function::lgamma2p_dd;
use super::logarithm::{log as natural_log, log_dd, log_loose_of_pair, log_pair, log1p_dd};
use super::scaling::{power_of_two, scale_by_power};
use super::stirling::{stirlerr_from_one, stirlerr_pair};
use crate::special::conventions::{one_on, zero_on};
use gristmill_kernel::kernel;

/// `m exp(e)` of two pairs.
#[kernel]
pub struct Scaled {
    /// The factor.
    pub m: (f64, f64),
    /// The exponent.
    pub e: (f64, f64),
}

/// `a / b` with two divisions: `b` may be anything but 0; a low part that is lost to overflow or underflow is 0.
#[kernel(inline)]
pub(crate) fn dd_quotient(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let q = a.0 / b.0;
    let r = (-q).mul_add(b.1, (-q).mul_add(b.0, a.0) + a.1) / b.0;
    if r.is_finite() { fast_two_sum(q, r) } else { (q, 0.0) }
}

/// `m exp(e)` of a pair `m >= 0` rounded about once, gradual underflow included, for finite `m` and any exponent.
#[kernel(inline)]
pub(crate) fn pair_times_exp(m: (f64, f64), e: (f64, f64)) -> f64 {
    // beyond 1400 every factor underflows or overflows
    let h = if e.0 < -1400.0 { -1400.0 } else { e.0 };
    let h = if h > 1400.0 { 1400.0 } else { h };
    let (high, low, k) = exp_parts((h, if h == e.0 { e.1 } else { 0.0 }));
    let t = m.0 * high;
    let t = t + (m.0.mul_add(high, -t) + m.0.mul_add(low, m.1 * high));
    let y = scale_by_power(t, k);
    if m.0 < f64::INFINITY { y } else { m.0 }
}

/// `exp(e)` of a normalised pair, rounded about once, gradual underflow included.
#[kernel(inline)]
pub(crate) fn exp_of(e: (f64, f64)) -> f64 {
    let h = if e.0 < -1400.0 { -1400.0 } else { e.0 };
    let h = if h > 1400.0 { 1400.0 } else { h };
    let (high, low, k) = exp_parts((h, if h == e.0 { e.1 } else { 0.0 }));
    scale_by_power(high + low, k)
}

/// `m exp(e)` rounded about once, gradual underflow included, for `m >= 0` finite and any exponent.
#[kernel(inline)]
pub(crate) fn times_exp(m: f64, e: (f64, f64)) -> f64 {
    pair_times_exp((m, 0.0), e)
}

/// `m exp(e)`, rounded about once.
#[kernel(inline)]
pub(crate) fn scaled_value(s: Scaled) -> f64 {
    pair_times_exp(s.m, s.e)
}

/// `log(m exp(e))` as a pair.
#[kernel(inline)]
pub(crate) fn scaled_log_dd(s: Scaled) -> (f64, f64) {
    dd_add_short(log_dd(s.m), fast_two_sum(s.e.0, s.e.1))
}

/// The value or its logarithm.
#[kernel(inline)]
pub(crate) fn scaled_result(s: Scaled, log: bool) -> f64 {
    if !log {
        return scaled_value(s);
    }
    if s.m.0 == 0.0 {
        return f64::NEG_INFINITY;
    }
    let (h, l) = scaled_log_dd(s);
    h + l
}

/// `m exp(e)` of pairs or its logarithm, for a factor within [1e-290, 1e290].
#[kernel(inline)]
pub(crate) fn ordinary_result(m: (f64, f64), e: (f64, f64), log: bool) -> f64 {
    if !log {
        return pair_times_exp(m, e);
    }
    let l = log_loose_of_pair(m);
    let (h, low) = two_sum(l.0, e.0);
    h + (low + (l.1 + e.1))
}

polynomial! {
    /// `(atanh(s)/s - 1 - s^2/3) / s^4` as a polynomial in `s^2`, for `|s| <= 0.201`, relative error 6e-17.
    fn atanh_wide =
        [0.061050239823301176, 0.05825472450803743, 0.06668638356879059, 0.07692270056508492]
        [0.09090909479806833, 0.11111111109141505, 0.14285714285718082, 0.19999999999999998];
}

/// `G(1+a) = a^a e^-a sqrt(m) exp(e)` for a pair `a >= 0`: gives `(m, ml, e, el)`.
///
/// Method:
///   1 <= a      m = 2 pi a, e = Stirling's remainder
///   0 < a < 1   m = 1, e = log G(1+a) - a log a + a, which goes to 0 with a: nothing cancels
/// This one form makes tiny, ordinary and huge parameters the same formula for the callers.
/// Error: absolute 2^-60 of the exponent, and 2^-56 a if a is small.
#[kernel(inline)]
pub(crate) fn factorial_parts(a: (f64, f64)) -> Scaled {
    if a.0 >= 1.0 {
        let m = dd_mul((2.0 * PI.0, 2.0 * PI.1), a);
        let e = stirlerr_pair(a.0);
        return Scaled { m, e };
    }
    if a.0 > 0.0 {
        let l = log_dd((a.0, 0.0));
        // one polynomial for both halves: lanes that differ take both arms of a branch
        let half = a.0 < 0.5;
        let mut g = lgamma2p_dd(if half { a.0 } else { a.0 - 1.0 });
        if half {
            g = dd_sub_short(g, log1p_dd(a.0));
        }
        let s = dd_mul_d(dd_sub_short((1.0, 0.0), l), a.0);
        let e = dd_add_short(s, g);
        let shift = a.1 * (1.2 * a.0 - 0.577 - l.0);
        return Scaled { m: (1.0, 0.0), e: (e.0, e.1 + shift) };
    }
    Scaled { m: (1.0, 0.0), e: (0.0, 0.0) }
}

/// [`factorial_parts`] of a sum: the exponent follows the low part of `a` too.
#[kernel(inline)]
pub(crate) fn factorial_parts_of_sum(a: (f64, f64)) -> Scaled {
    let f = factorial_parts(a);
    // the derivative of Stirling's remainder, about 1/(12 a), is minus itself over a
    let shift = if a.0 >= 1.0 { a.1 * (f.e.0 / a.0) } else { 0.0 };
    Scaled { m: f.m, e: (f.e.0, f.e.1 - shift) }
}

/// `2 x (v^3/3 + v^5/5 + ...)` for a pair `|v| <= 0.201`, as a loose pair.
#[kernel(inline)]
fn cubic_tail(x: f64, v: (f64, f64)) -> (f64, f64) {
    let (u, ue) = two_prod(v.0, v.0);
    let ul = (2.0 * v.0).mul_add(v.1, ue);
    let (c, ce) = two_prod(v.0, u);
    let cl = v.0.mul_add(ul, v.1.mul_add(u, ce));
    let (q, qe) = two_prod(c, THIRD.0);
    let ql = c.mul_add(THIRD.1, cl.mul_add(THIRD.0, qe)) + c * (u * atanh_wide(u));
    pair_mul_d((q, ql), 2.0 * x)
}

/// [`bd0_of_difference`] where `x` and `m` are not close: `x = 2^k x'` with `x'/m` in [2/3, 3/2], `v = (x' - m)/(x' + m)`, so
/// `log(x/m) = k ln 2 + 2 atanh(v)`. Where `x/m` is beyond 1e280, or `m` so small that its low part is lost,
/// `log x - log n - log fraction`.
#[kernel(inline)]
fn bd0_far(x: f64, n: f64, fraction: (f64, f64), m: (f64, f64), d: (f64, f64)) -> (f64, f64) {
    // round(log2(x/m)), read from the bits of both (the error, 0.086, is why v reaches 0.2)
    let biased = x.to_bits().wrapping_sub(m.0.to_bits()).wrapping_add((2048u64 << 52) + (1u64 << 51)) >> 52;
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 2048.0);
    let xs = x * power_of_two(-k);
    let (s, se) = two_sum(xs, m.0);
    let (t, te) = two_sum(xs, -m.0);
    let v = dd_div((t, te - m.1), (s, se + m.1));
    let close = pair_add(pair_mul_d(v, 2.0 * x), cubic_tail(x, v));
    let (o, oe) = two_prod(x, k * LN2_A);
    let sum = pair_sub(pair_add(close, (o, x.mul_add(k * LN2_B, oe))), d);
    if x < m.0 * 1e-290 {
        return m;
    }
    if m.0 < 1e-290 || m.0 < x * 1e-280 {
        let l = dd_sub_short(log_dd((x, 0.0)), dd_add_short(log_dd((n, 0.0)), log_dd(fraction)));
        return dd_sub_short(dd_mul_d(l, x), d);
    }
    sum
}

/// `bd0 = x log(x/m) + m - x` as a loose pair, for pairs `m > 0` and `d = x - m`; `m = n fraction`. Relative error 2^-64.
///
/// Method: with `v = d/(x + m)`
///   |v| <= 0.14  d v + 2 x (v^3/3 + v^5/5 + ...): the leading term does not cancel, however large x and m are
///   otherwise    [`bd0_far`]
/// Two terms as pairs, the rest in double.
/// Paper: loader2000 (the rearrangement); the octave reduction is ours.
#[kernel(inline)]
fn bd0_of_difference(x: f64, n: f64, fraction: (f64, f64), m: (f64, f64), d: (f64, f64)) -> (f64, f64) {
    let (s, se) = two_sum(x, m.0);
    let v = dd_div(d, (s, se + m.1));
    let mut sum = pair_add(pair_mul(d, v), cubic_tail(x, v));
    if !(d.0.abs() < 0.14 * s) {
        sum = bd0_far(x, n, fraction, m, d);
    }
    sum
}

/// How far a count may lie from its mean, `|a - m| <= 0.2 (a + m)`, for [`near_deviance`]: the reach of `atanh_wide`.
#[kernel]
const NEAR: f64 = 0.2;
/// ... and how large `(a - m)^2/(a + m)`, about half of the deviance, may be: its terms of the fifth order, at most 0.002 of it, are
/// rounded, and that must not be seen in the exponent.
#[kernel]
const NEAR_DEVIANCE: f64 = 32.0;

/// Whether [`near_deviance`] holds for two counts and the distance `d` of the first from its mean.
#[kernel(inline)]
pub(crate) fn is_near(a: f64, b: f64, d: f64) -> bool {
    let product = a * b;
    is_near_ordinary(a, b, d) && product > 1e-250 && product < 1e250
}

/// The same for counts whose product is within [1e-250, 1e250].
#[kernel(inline)]
pub(crate) fn is_near_ordinary(a: f64, b: f64, d: f64) -> bool {
    let size = d.abs();
    let sa = 2.0 * a - d;
    let sb = 2.0 * b + d;
    let least = if sa < sb { sa } else { sb };
    size <= NEAR * least && size * size <= NEAR_DEVIANCE * least
}

/// `D = a log(a/(a-d)) + b log(b/(b+d))` as a loose pair, for a normalised `d`, where both counts are near their means `a - d` and `b + d`. Relative
/// error 2^-64.
///
/// The two sums of [`bd0_of_difference`] at once: one division gives `v = d/(2a-d)` and `w = d/(2b+d)`, and
/// `D = d (v + w) + 2 a (v^3/3 + ..) - 2 b (w^3/3 + ..)`.
#[kernel(inline)]
pub(crate) fn near_deviance(a: f64, b: f64, d: (f64, f64)) -> (f64, f64) {
    let (sa, sae) = two_sum(2.0 * a, -d.0);
    let (sb, sbe) = two_sum(2.0 * b, d.0);
    let inverse = 1.0 / (sa * sb);
    let ia = sb * inverse;
    let ib = sa * inverse;
    let v = d.0 * ia;
    let vl = (-v).mul_add(sae - d.1, (-v).mul_add(sa, d.0) + d.1) * ia;
    let w = d.0 * ib;
    let wl = (-w).mul_add(sbe + d.1, (-w).mul_add(sb, d.0) + d.1) * ib;
    let (sum, sume) = two_sum(v, w);
    let lead = pair_mul((sum, sume + (vl + wl)), d);
    pair_add(pair_add(lead, cubic_tail(a, (v, vl))), cubic_tail(-b, (w, wl)))
}

/// `D = a log(a/(n x)) + b log(b/(n y)) >= 0`, `n = a + b`, as a pair; relative error about 2^-63.
#[kernel(inline)]
pub(crate) fn deviance(a: f64, b: f64, x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let n = two_sum(a, b);
    let nx = dd_mul(n, x);
    let ny = dd_mul(n, y);
    // the smaller of x and y gives the difference with the smaller absolute error
    let left = dd_sub_short((a, 0.0), nx);
    let right = dd_sub_short(ny, (b, 0.0));
    let small = x.0 <= y.0;
    let d = (if small { left.0 } else { right.0 }, if small { left.1 } else { right.1 });
    dd_add_short(bd0_of_difference(a, n.0, x, nx, d), bd0_of_difference(b, n.0, y, ny, dd_neg(d)))
}

/// [`deviance`] of `a` of `n` trials, where `n - a` is not a double: the difference from the mean is that of `n` itself.
#[kernel]
pub(crate) fn deviance_of_trials(a: f64, n: f64, x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let rest = two_sum(n, -a);
    let left = dd_sub_short((a, 0.0), dd_mul_d(x, n));
    let right = dd_sub_short(dd_mul_d(y, n), rest);
    let small = x.0 <= y.0;
    let d = (if small { left.0 } else { right.0 }, if small { left.1 } else { right.1 });
    deviance_of_difference(a, rest.0, n, x, y, d)
}

/// [`deviance`] of `a` and `b` of `n` trials, given the distance `d` of `a` from its mean: the counts themselves may be rounded.
#[kernel]
pub(crate) fn deviance_of_difference(
    a: f64,
    b: f64,
    n: f64,
    x: (f64, f64),
    y: (f64, f64),
    d: (f64, f64),
) -> (f64, f64) {
    let first = bd0_of_difference(a, n, x, dd_mul_d(x, n), d);
    dd_add_short(first, bd0_of_difference(b, n, y, dd_mul_d(y, n), dd_neg(d)))
}

/// From here on Stirling's remainder is the series [`stirling_terms`].
#[kernel]
pub(crate) const STIRLING_FROM: f64 = 16.0;

polynomial! {
    /// `x stirlerr(x)` in `1/x^2` for `x >= 16` (DLMF 5.11.1), seven terms: the next is 3e-20.
    fn stirling_terms =
        [1.0 / 156.0, -691.0 / 360_360.0, 1.0 / 1188.0]
        [-1.0 / 1680.0, 1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0];
}

/// Stirling's remainder of `x >= 16`, given `1/x`; absolute error 2^-61.
#[kernel(inline)]
pub(crate) fn stirling_of_inverse(inverse: f64) -> f64 {
    inverse * stirling_terms(inverse * inverse)
}

/// `sqrt(c/p) exp(e)` or its logarithm, for pairs; `inverse` is `1/p.0` and `back` is `1/c.0`, both rounded. Ordinary sizes.
///
/// What rounding takes off the quotient and the root goes into the exponent. On the log scale nothing cancels as long as the
/// value is a density well below 1: the plain logarithm of a pair serves.
#[kernel(inline)]
pub(crate) fn root_result(c: (f64, f64), back: f64, p: (f64, f64), inverse: f64, e: (f64, f64), log: bool) -> f64 {
    let w = c.0 * inverse;
    let wl = (-w).mul_add(p.1, (-w).mul_add(p.0, c.0) + c.1) * inverse;
    if log {
        let l = log_pair(fast_two_sum(w, wl));
        let (h, low) = two_sum(0.5 * l.0, e.0);
        return h + (low + (0.5 * l.1 + e.1));
    }
    let root = w.sqrt();
    let fold = (0.5 * ((-root).mul_add(root, w) + wl)) * (p.0 * back);
    times_exp(root, fast_two_sum(e.0, e.1 + fold))
}

/// The part of the kernel that depends on the parameters only, `G(n+1) / (G(a+1) G(b+1)) a^a b^b / n^n`, given the parts of
/// `G(n+1)`.
#[kernel(inline)]
pub(crate) fn binomial_constant_of(a: f64, b: f64, top: Scaled) -> Scaled {
    let fs = factorial_parts((if a < b { a } else { b }, 0.0));
    let fl = factorial_parts((if a < b { b } else { a }, 0.0));
    // sqrt(top / (p q)): the quotient of the two large ones first, so that nothing overflows
    let w = dd_mul(fs.m, dd_div(fl.m, top.m));
    let m = dd_inverse_sqrt(w);
    let e = dd_sub_short(top.e, dd_add_short(fs.e, fl.e));
    // exactly 1 at the ends: the logarithm of what is left may be as small as the smallest probability
    let end = a == 0.0 || b == 0.0;
    Scaled { m: if end { (1.0, 0.0) } else { m }, e: if end { (0.0, 0.0) } else { e } }
}

/// The part of the kernel that depends on the parameters only: `G(n+1) / (G(a+1) G(b+1)) a^a b^b / n^n`.
#[kernel(inline)]
pub(crate) fn binomial_constant(a: f64, b: f64) -> Scaled {
    let top = factorial_parts_of_sum(two_sum(a, b));
    binomial_constant_of(a, b, top)
}

/// `G(a+b+1) / (G(a+1) G(b+1)) x^a y^b` for `a, b >= 0`, `x + y = 1`: a factor and an exponent that never cancel. `top`: the
/// parts of `G(a+b+1)`.
///
/// Method: the saddle-point form, `exp(r(n) - r(a) - r(b) - D)` times a square root, `r` Stirling's remainder and `D`
/// the deviance. Paper: loader2000; the pairs and the form for parameters below 1 are ours.
#[kernel(inline)]
pub(crate) fn binomial_kernel_of(a: f64, b: f64, x: (f64, f64), y: (f64, f64), top: Scaled) -> Scaled {
    let c = binomial_constant_of(a, b, top);
    let e = dd_sub_short(c.e, deviance(a, b, x, y));
    Scaled { m: c.m, e }
}

/// [`binomial_kernel_of`] with its own `G(a+b+1)`.
#[kernel(inline)]
pub(crate) fn binomial_kernel(a: f64, b: f64, x: (f64, f64), y: (f64, f64)) -> Scaled {
    let top = factorial_parts_of_sum(two_sum(a, b));
    binomial_kernel_of(a, b, x, y, top)
}

/// `log k!` of an integer `0 <= k <= 511` as a pair.
#[kernel(inline)]
pub(crate) fn log_factorial_table(k: f64) -> (f64, f64) {
    let i = k as usize;
    let i = if i > 511 { 511 } else { i };
    (LOG_FACTORIAL_HIGH[i], LOG_FACTORIAL_LOW[i])
}

/// `log G(z)` of a pair `1 <= z <= 1e6` or so, as a loose pair: absolute error 2^-57 and 2^-70 of `z log z`.
#[kernel(inline)]
pub(crate) fn log_gamma_of_pair(z: (f64, f64)) -> (f64, f64) {
    // (z - 1/2) (log z - 1) + log sqrt(2 pi) - 1/2 + r(z)
    let l = dd_add_d(log_loose_of_pair(z), -1.0);
    let p = pair_mul(l, pair_add_d(z, -0.5));
    let (s, e) = two_sum(p.0, LN_SQRT_2PI.0 - 0.5);
    let (s, f) = two_sum(s, stirlerr_from_one(z.0));
    (s, f + (e + (p.1 + LN_SQRT_2PI.1)))
}

/// `log (n choose k)` of integers `0 <= k <= n <= 511` as a loose pair, from the table of `log k!`.
#[kernel(inline)]
pub(crate) fn log_choose_table(n: f64, k: f64) -> (f64, f64) {
    let below = pair_add(log_factorial_table(k), log_factorial_table(n - k));
    pair_sub(log_factorial_table(n), below)
}

/// What the binomial density needs of the number of trials and the probability.
#[kernel]
pub struct BinomialSetup {
    /// Number of trials.
    pub n: f64,
    /// Probability of success, as a pair.
    pub p: (f64, f64),
    /// Probability of failure, as a pair.
    pub q: (f64, f64),
    /// `log p`, as a pair; 0 if it is not needed.
    pub log_p: (f64, f64),
    /// `log q`, as a pair; 0 if it is not needed.
    pub log_q: (f64, f64),
    /// `log n!` if small, otherwise the exponent of `n!` as the kernel takes it apart, as a pair.
    pub top: (f64, f64),
    /// Whether `n` is an integer so small that the table of `log k!` serves.
    pub small: bool,
    /// `n p`, as a pair.
    pub mean: (f64, f64),
    /// `n/(2 pi)`, as a pair.
    pub share: (f64, f64),
    /// `2 pi/n`.
    pub back: f64,
}

/// The part of the binomial density that depends on the parameters only.
#[kernel(inline)]
pub(crate) fn binomial_setup(n: f64, p: (f64, f64), q: (f64, f64)) -> BinomialSetup {
    let small = n <= 511.0 && n == n.floor() && p.0 > 0.0 && q.0 > 0.0;
    let lp = if small { log_dd(p) } else { (0.0, 0.0) };
    let lq = if small { log_dd(q) } else { (0.0, 0.0) };
    let parts = factorial_parts((n, 0.0));
    let table = log_factorial_table(if small { n } else { 0.0 });
    let top = if small { table } else { parts.e };
    let mean = dd_mul_d(p, n);
    let share = dd_mul_d((0.5 * INV_PI.0, 0.5 * INV_PI.1), n);
    BinomialSetup { n, p, q, log_p: lp, log_q: lq, top, small, mean, share, back: 1.0 / share.0 }
}

/// The logarithm of the binomial density as a pair, from the table: for a setup that says small and an integer `x`.
#[kernel(inline)]
pub(crate) fn small_binomial_exponent(x: f64, s: BinomialSetup) -> (f64, f64) {
    let rest = s.n - x;
    let powers = pair_add(pair_mul_d(s.log_p, x), pair_mul_d(s.log_q, rest));
    let below = pair_add(log_factorial_table(x), log_factorial_table(rest));
    let e = pair_add(pair_sub(s.top, below), powers);
    fast_two_sum(e.0, e.1)
}

/// `x - mean` as a pair.
#[kernel(inline)]
pub(crate) fn from_mean(x: f64, mean: (f64, f64)) -> (f64, f64) {
    let (d, e) = two_sum(x, -mean.0);
    fast_two_sum(d, e - mean.1)
}

/// Whether [`near_binomial_density`] holds: many trials, `x` near the mean, not near the ends.
#[kernel(inline)]
pub(crate) fn near_binomial(x: f64, s: BinomialSetup) -> bool {
    !s.small && x >= STIRLING_FROM && s.n - x >= STIRLING_FROM && is_near(x, s.n - x, x - s.mean.0)
}

/// The binomial density in its saddle-point form, for [`near_binomial`] arguments: one division, one square root.
#[kernel(inline)]
pub(crate) fn near_binomial_density(x: f64, s: BinomialSetup, log: bool) -> f64 {
    let rest = s.n - x;
    let p = two_prod(x, rest);
    let inverse = 1.0 / p.0;
    let errors = s.top.0 - (stirling_of_inverse(rest * inverse) + stirling_of_inverse(x * inverse));
    let e = pair_sub((errors, 0.0), near_deviance(x, rest, from_mean(x, s.mean)));
    root_result(s.share, s.back, p, inverse, e, log)
}

/// The binomial density for `0 <= x <= n`, `0 < p < 1`; `x` and `n` need not be integers unless the setup says small.
///
/// Method:
///   n <= 511    log n! - log x! - log (n-x)! + x log p + (n-x) log q, all as pairs: absolute error below 2^-56, and
///               no logarithm per element
///   otherwise   the saddle-point form of [`binomial_kernel`]
#[kernel(inline)]
pub(crate) fn binomial_density(x: f64, s: BinomialSetup, log: bool) -> f64 {
    if s.small {
        let e = small_binomial_exponent(x, s);
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    // n >= 512 here: its factor is 2 pi n
    let m = dd_mul_d((2.0 * PI.0, 2.0 * PI.1), s.n);
    let top = Scaled { m, e: s.top };
    scaled_result(binomial_kernel_of(x, s.n - x, s.p, s.q, top), log)
}

/// What [`dbinom_raw`] needs of its parameters.
#[kernel]
pub struct RawSetup {
    /// Whether `p + q = 1` as far as doubles can say: one is 1 minus the other, rounded. Then that one is taken unrounded.
    pub whole: bool,
    /// Whether the density is formed from the logarithms of gamma functions.
    pub direct: bool,
    /// The parameters' part of the density; if direct with `log p`, `log q` and `log G(n+1)` as `top`.
    pub density: BinomialSetup,
}

/// `log G(z)` of a pair `1 <= z <= 1e4` or so as a loose pair: absolute error 2^-61 and 2^-68 of `z`.
#[kernel(inline)]
fn log_gamma_tight(z: (f64, f64)) -> (f64, f64) {
    let l = dd_add_d(log_loose_of_pair(z), -1.0);
    let p = pair_mul(l, pair_add_d(z, -0.5));
    let r = stirlerr_pair(z.0);
    let (s, e) = two_sum(p.0, LN_SQRT_2PI.0 - 0.5);
    let (s, f) = two_sum(s, r.0);
    (s, f + (e + (p.1 + (LN_SQRT_2PI.1 + r.1))))
}

/// The part of [`dbinom_raw`] that depends on `n`, `p` and `q` only.
#[kernel]
pub fn raw_setup(n: f64, p: f64, q: f64) -> RawSetup {
    let first = p <= q;
    let (rest, rest_low) = two_sum(1.0, -(if first { p } else { q }));
    let whole = rest == (if first { q } else { p });
    let pp = (p, if whole && !first { rest_low } else { 0.0 });
    let qq = (q, if whole && first { rest_low } else { 0.0 });
    let direct = n >= 1.0 && n <= RAW_DIRECT_TO && p > 1e-290 && q > 1e-290 && p < 1e290 && q < 1e290;
    let mut d = binomial_setup(n, pp, qq);
    if direct {
        let lp = log_dd(pp);
        let lq = log_dd(qq);
        let top = log_gamma_tight(two_sum(n, 1.0));
        d.log_p.0 = lp.0;
        d.log_p.1 = lp.1;
        d.log_q.0 = lq.0;
        d.log_q.1 = lq.1;
        d.top.0 = top.0;
        d.top.1 = top.1;
    }
    RawSetup { whole, direct, density: d }
}

/// Up to here [`dbinom_raw`] is formed from the logarithms of gamma functions.
#[kernel]
const RAW_DIRECT_TO: f64 = 1024.0;

/// Whether [`raw_main`] holds. From 1/2 on no density is near 1, whose logarithm would need more digits.
#[kernel(inline)]
fn raw_in_main(x: f64, s: RawSetup, _log: bool) -> bool {
    let d: BinomialSetup = s.density;
    let direct = s.direct;
    let whole = s.whole;
    let (rest, low) = two_sum(d.n, -x);
    let far = x >= STIRLING_FROM && rest >= STIRLING_FROM && low == 0.0 && is_near(x, rest, x - d.mean.0);
    (direct && x >= 0.5 && rest >= 0.5) || (!direct && whole && d.n > RAW_DIRECT_TO && far)
}

/// The density of up to 1024 trials from the logarithms of gamma functions, all as pairs; of more near the mean.
#[kernel(inline)]
fn raw_main(x: f64, s: RawSetup, log: bool) -> f64 {
    let d: BinomialSetup = s.density;
    if s.direct {
        let rest = two_sum(d.n, -x);
        let below = pair_add(log_gamma_tight(two_sum(x, 1.0)), log_gamma_tight(dd_add_d(rest, 1.0)));
        let powers = pair_add(pair_mul_d(d.log_p, x), pair_mul(d.log_q, rest));
        let e = pair_add(pair_sub(d.top, below), powers);
        let e = fast_two_sum(e.0, e.1);
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    near_binomial_density(x, d, log)
}

/// The density elsewhere.
#[kernel]
fn raw_rest(x: f64, s: RawSetup, log: bool) -> f64 {
    let d: BinomialSetup = s.density;
    let n = d.n;
    let p = d.p.0;
    let q = d.q.0;
    if x.is_nan() || n.is_nan() || p.is_nan() || q.is_nan() {
        return x + n + p + q;
    }
    if p < 0.0 || q < 0.0 {
        return f64::NAN;
    }
    if p == 0.0 {
        return if x == 0.0 { one_on(log) } else { zero_on(log) };
    }
    if q == 0.0 {
        return if x == n { one_on(log) } else { zero_on(log) };
    }
    if x < 0.0 || x > n {
        return zero_on(log);
    }
    if n == 0.0 {
        return one_on(log);
    }
    if n == f64::INFINITY {
        return zero_on(log);
    }
    let (rest, low) = two_sum(n, -x);
    let c = binomial_constant(x, rest);
    let mut powers = (0.0, 0.0);
    if s.whole {
        powers = dd_neg(deviance(x, rest, (p, d.p.1), (q, d.q.1)));
    } else {
        // p^x q^(n-x) as it stands
        if x > 0.0 {
            powers = dd_mul_d(dd_sub_short(log_dd((p, 0.0)), log_dd(dd_quotient((x, 0.0), (n, 0.0)))), x);
        }
        if rest > 0.0 {
            let l = dd_sub_short(log_dd((q, 0.0)), log_dd(dd_quotient((rest, low), (n, 0.0))));
            powers = dd_add_short(powers, dd_mul_d(l, rest));
        }
    }
    // the digits of n - x that a double does not hold enter through the derivative
    let slope = if low == 0.0 { 0.0 } else { low * natural_log(((n + 0.5) / (rest + 0.5)) * q) };
    let e = dd_add_short(c.e, powers);
    scaled_result(Scaled { m: c.m, e: (e.0, e.1 + slope) }, log)
}

/// The binomial density of real `0 <= x <= n` with `q = 1 - p` given: `G(n+1)/(G(x+1) G(n-x+1)) p^x q^(n-x)`.
///
/// R: `dbinom_raw(x, n, p, q, log = FALSE)`, binomial density for real x and n, with q = 1 - p.
/// Domain: `x < 0` or `x > n` gives 0 (log: `-inf`); `p` or `q` 0 gives the degenerate distribution, a negative one NaN; NaN
/// gives NaN. Where the larger of `p` and `q` is 1 minus the other, rounded, it is taken unrounded, so that
/// `dbinom_raw(x, n, p, 1 - p)` is [`crate::dbinom`]; any other `p` and `q` are taken as they stand.
/// Method:
///   n <= 1024, x and n-x from 1/2   the logarithms of the three gamma functions and the powers, all as pairs
///   otherwise                       the saddle-point form with its exponent in double-double, as [`crate::dbinom`]
/// Paper: loader2000.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dbinom_raw(x: f64, n: f64, p: f64, q: f64, log: bool) -> f64 {
    let s = raw_setup(n, p, q);
    if raw_in_main(x, s, log) { raw_main(x, s, log) } else { raw_rest(x, s, log) }
}
