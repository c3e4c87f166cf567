//! The expression that the whole beta family is built on, without cancellation for tiny, ordinary and huge arguments:
//! `G(a+b+1) / (G(a+1) G(b+1)) x^a y^b`, `x + y = 1`, as `m exp(e)` with `m` and `e` in double-double.

use super::beta_tables::{
    LGAMMA1P_FIT, LGAMMA1P_FIT_LOW, LOG_FACTORIAL_HIGH, LOG_FACTORIAL_LOW, STIRLING_FIT, STIRLING_FIT_LOW,
};
use super::constants::{PI_HIGH, PI_LOW};
use super::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub_short, fast_two_sum, pair_add,
    pair_mul_d, pair_sub, two_prod, two_sum,
};
use super::exponential::exp_parts;
use super::logarithm::log_dd;
use super::scaling::{power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// `(m + ml) exp(e + el)`.
#[kernel]
pub struct Scaled {
    /// Leading part of the factor.
    pub m: f64,
    /// Rest of the factor.
    pub ml: f64,
    /// Leading part of the exponent.
    pub e: f64,
    /// Rest of the exponent.
    pub el: f64,
}

/// 0 on the chosen scale.
#[kernel(inline)]
pub(crate) fn zero_on(log: bool) -> f64 {
    if log { f64::NEG_INFINITY } else { 0.0 }
}

/// 1 on the chosen scale.
#[kernel(inline)]
pub(crate) fn one_on(log: bool) -> f64 {
    if log { 0.0 } else { 1.0 }
}

/// Whether `x` is further than 1e-7 (relative, or absolute below 1) from an integer: what R calls a non-integer count.
#[kernel(inline)]
pub(crate) fn is_fractional(x: f64) -> bool {
    let size = if x.abs() > 1.0 { x.abs() } else { 1.0 };
    (x - x.round_ties_even()).abs() > 1e-7 * size
}

/// `a / b` with two divisions: `b` may be anything but 0; a low part that is lost to overflow or underflow is 0.
#[kernel(inline)]
pub(crate) fn dd_quotient(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let q = a.0 / b.0;
    let r = (-q).mul_add(b.1, (-q).mul_add(b.0, a.0) + a.1) / b.0;
    if r.is_finite() { fast_two_sum(q, r) } else { (q, 0.0) }
}

/// `m exp(e)` rounded about once, gradual underflow included, for `m >= 0` finite and any exponent.
#[kernel(inline)]
pub(crate) fn exp_times(m: f64, e: (f64, f64)) -> f64 {
    let far_below = e.0 < -1400.0;
    let far_above = e.0 > 1400.0;
    let h = if far_below || far_above { 0.0 } else { e.0 };
    let (high, low, k) = exp_parts((h, e.1));
    let t = m * high;
    let t = t + (m.mul_add(high, -t) + m * low);
    let y = scale_by_power(t, k);
    let y = if far_above && m > 0.0 { f64::INFINITY } else { y };
    let y = if m < f64::INFINITY { y } else { m };
    if far_below { 0.0 } else { y }
}

/// `(m + ml) exp(e + el)`, rounded about once.
#[kernel(inline)]
pub(crate) fn scaled_value(s: Scaled) -> f64 {
    let fold = if s.m > 0.0 { s.ml / s.m } else { 0.0 };
    exp_times(s.m, (s.e, s.el + fold))
}

/// `log((m + ml) exp(e + el))` as a pair.
#[kernel(inline)]
pub(crate) fn scaled_log_dd(s: Scaled) -> (f64, f64) {
    dd_add_short(log_dd((s.m, s.ml)), fast_two_sum(s.e, s.el))
}

/// The value or its logarithm.
#[kernel(inline)]
pub(crate) fn scaled_result(s: Scaled, log: bool) -> f64 {
    if !log {
        return scaled_value(s);
    }
    if s.m == 0.0 {
        return f64::NEG_INFINITY;
    }
    let (h, l) = scaled_log_dd(s);
    h + l
}

/// Remainder of Stirling's formula, `log G(x) = (x-1/2) log x - x + log sqrt(2 pi) + r(x)`, `x >= 1`, as a pair.
///
/// Method:
///   x < 16    polynomials of degree 13 on quarter octaves; the leading coefficient is a pair, so that the absolute
///             error is about 2^-60
///   16 <= x   the asymptotic series, DLMF 5.11.1, with 1/(12 x) as a pair; the first term left out is below 2^-66
#[kernel(inline)]
pub(crate) fn stirling_remainder(x: f64) -> (f64, f64) {
    if x >= 16.0 {
        let r = 1.0 / x;
        let q = r * r;
        let p = q.mul_add(1.0 / 156.0, -691.0 / 360_360.0);
        let p = q.mul_add(p, 1.0 / 1188.0);
        let p = q.mul_add(p, -1.0 / 1680.0);
        let p = q.mul_add(p, 1.0 / 1260.0);
        let p = q.mul_add(p, -1.0 / 360.0);
        let u = 12.0 * x;
        if u > 1e300 {
            return (0.0, 0.0);
        }
        let twelve: f64 = 12.0;
        let ul = twelve.mul_add(x, -u);
        let h = 1.0 / u;
        let l = (-h).mul_add(u, 1.0) * h - h * h * ul;
        return fast_two_sum(h, l + p * q * r);
    }
    let i = ((x.to_bits() >> 50) - (0x3ffu64 << 2)) as usize; // 4 octave + quarter
    let octave = (i >> 2) as f64;
    let width = power_of_two(octave - 3.0); // half the width of the piece
    let middle = power_of_two(octave) * (1.0 + 0.25 * ((i & 3) as f64)) + width;
    let t = (x - middle) * power_of_two(3.0 - octave);
    let c = i * 14;
    let t2 = t * t;
    let mut odd: f64 = STIRLING_FIT[c + 13];
    let mut even: f64 = STIRLING_FIT[c + 12];
    let mut k: usize = 11;
    while k >= 3 {
        odd = odd.mul_add(t2, STIRLING_FIT[c + k]);
        even = even.mul_add(t2, STIRLING_FIT[c + k - 1]);
        k -= 2;
    }
    let first = odd.mul_add(t2, STIRLING_FIT[c + 1]);
    fast_two_sum(STIRLING_FIT[c], t.mul_add(t.mul_add(even, first), STIRLING_FIT_LOW[i]))
}

/// `log G(1+a) / a` for `0 <= a < 1` as a pair, absolute error about 2^-66.
#[kernel(inline)]
pub(crate) fn lgamma1p_ratio(a: f64) -> (f64, f64) {
    let i = (a * 8.0) as usize;
    let i = if i > 7 { 7 } else { i };
    let t = (a - (i as f64 + 0.5) * 0.125) * 16.0;
    let c = i * 13;
    let t2 = t * t;
    let mut even: f64 = LGAMMA1P_FIT[c + 12];
    let mut odd: f64 = LGAMMA1P_FIT[c + 11];
    let mut k: usize = 10;
    while k >= 4 {
        even = even.mul_add(t2, LGAMMA1P_FIT[c + k]);
        odd = odd.mul_add(t2, LGAMMA1P_FIT[c + k - 1]);
        k -= 2;
    }
    even = even.mul_add(t2, LGAMMA1P_FIT[c + 2]);
    let rest = t.mul_add(odd, even) * t2;
    let slope: (f64, f64) = two_prod(LGAMMA1P_FIT[c + 1], t);
    let s: (f64, f64) = two_sum(LGAMMA1P_FIT[c], slope.0);
    let low = LGAMMA1P_FIT_LOW[2 * i] + t * LGAMMA1P_FIT_LOW[2 * i + 1];
    fast_two_sum(s.0, s.1 + (slope.1 + low + rest))
}

/// `G(1+a) = a^a e^-a sqrt(m) exp(e)` for a pair `a >= 0`: gives `(m, ml, e, el)`.
///
/// Method:
///   1 <= a      m = 2 pi a, e = Stirling's remainder
///   0 < a < 1   m = 1, e = log G(1+a) - a log a + a, which goes to 0 with a: nothing cancels
/// This one form makes tiny, ordinary and huge parameters the same formula for the callers.
#[kernel(inline)]
pub(crate) fn factorial_parts(a: (f64, f64)) -> Scaled {
    if a.0 >= 1.0 {
        let e: (f64, f64) = stirling_remainder(a.0);
        let m: (f64, f64) = dd_mul((2.0 * PI_HIGH, 2.0 * PI_LOW), a);
        // the derivative of the remainder, for the low part, is -1/(12 a^2) and a little
        let shift = if a.1 == 0.0 { 0.0 } else { a.1 / (12.0 * a.0 * a.0) };
        return Scaled { m: m.0, ml: m.1, e: e.0, el: e.1 - shift };
    }
    if a.0 > 0.0 {
        let l: (f64, f64) = log_dd((a.0, 0.0));
        let s: (f64, f64) = dd_sub_short(dd_add_d(lgamma1p_ratio(a.0), 1.0), l);
        let e: (f64, f64) = dd_mul_d(s, a.0);
        let shift = a.1 * (1.2 * a.0 - 0.577 - l.0);
        return Scaled { m: 1.0, ml: 0.0, e: e.0, el: e.1 + shift };
    }
    Scaled { m: 1.0, ml: 0.0, e: 0.0, el: 0.0 }
}

/// `bd0 = x log(x/np) + np - x` as a pair, for `d = x - np` known as a pair; `np = n fraction`.
///
/// Method: with `s = d/(x+np)`,
///   |s| < 1/24    d s (1 + (1+s)(s/3 + s^3/5 + ...)): no cancellation, however large x and np
///   otherwise     x log(x/np) - d; the logarithm's error, 2^-66, grows by at most 2/s. Where np is so small that its
///                 low part is lost, log(x/n) - log(fraction).
/// Relative error about 2^-62. Paper: loader2000.
#[kernel(inline)]
fn bd0_of_difference(x: f64, n: f64, fraction: (f64, f64), np: (f64, f64), d: (f64, f64)) -> (f64, f64) {
    if x == 0.0 {
        return np;
    }
    let sum: (f64, f64) = dd_add_d(np, x);
    if d.0.abs() < sum.0 * (1.0 / 24.0) {
        let s: (f64, f64) = dd_div(d, sum);
        let v: (f64, f64) = dd_mul(d, s);
        let q = s.0 * s.0;
        let p = q.mul_add(1.0 / 15.0, 1.0 / 13.0);
        let p = q.mul_add(p, 1.0 / 11.0);
        let p = q.mul_add(p, 1.0 / 9.0);
        let p = q.mul_add(p, 1.0 / 7.0);
        let p = q.mul_add(p, 1.0 / 5.0);
        let t = (1.0 + s.0) * p * q * s.0 + q * (1.0 / 3.0);
        // 1 + s/3 + t, with s/3 as a pair
        let third: (f64, f64) = dd_mul(s, (1.0 / 3.0, 1.850_371_707_708_594e-17));
        let b: (f64, f64) = fast_two_sum(1.0, third.0);
        let b: (f64, f64) = fast_two_sum(b.0, b.1 + (third.1 + t));
        return dd_mul(v, b);
    }
    let l = if np.0 < 1e-280 {
        dd_sub_short(log_dd((x, 0.0)), dd_add_short(log_dd((n, 0.0)), log_dd(fraction)))
    } else {
        log_dd(dd_quotient((x, 0.0), np))
    };
    dd_sub_short(dd_mul_d(l, x), d)
}

/// `D = a log(a/(n x)) + b log(b/(n y)) >= 0`, `n = a + b`, as a pair; relative error about 2^-61.
#[kernel(inline)]
pub(crate) fn deviance(a: f64, b: f64, x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let n: (f64, f64) = two_sum(a, b);
    let nx: (f64, f64) = dd_mul(n, x);
    let ny: (f64, f64) = dd_mul(n, y);
    // the smaller of x and y gives the difference with the smaller absolute error
    let d = if x.0 <= y.0 { dd_sub_short((a, 0.0), nx) } else { dd_sub_short(ny, (b, 0.0)) };
    dd_add_short(bd0_of_difference(a, n.0, x, nx, d), bd0_of_difference(b, n.0, y, ny, dd_neg(d)))
}

/// `sqrt(top / (p q))` of pairs.
#[kernel(inline)]
fn root_ratio(top: Scaled, p: Scaled, q: Scaled) -> (f64, f64) {
    dd_sqrt(dd_quotient(dd_quotient((top.m, top.ml), (p.m, p.ml)), (q.m, q.ml)))
}

/// The part of the kernel that depends on the parameters only: `G(n+1) / (G(a+1) G(b+1)) a^a b^b / n^n`.
#[kernel]
pub(crate) fn binomial_constant(a: f64, b: f64) -> Scaled {
    let fa: Scaled = factorial_parts((a, 0.0));
    let fb: Scaled = factorial_parts((b, 0.0));
    let top: Scaled = factorial_parts(two_sum(a, b));
    let m: (f64, f64) = root_ratio(top, fa, fb);
    let e: (f64, f64) = dd_sub_short((top.e, top.el), dd_add_short((fa.e, fa.el), (fb.e, fb.el)));
    Scaled { m: m.0, ml: m.1, e: e.0, el: e.1 }
}

/// `G(a+b+1) / (G(a+1) G(b+1)) x^a y^b` for `a, b >= 0`, `x + y = 1`: a factor and an exponent that never cancel.
///
/// Method: the saddle-point form, `exp(r(n) - r(a) - r(b) - D)` times a square root, `r` Stirling's remainder and `D`
/// the deviance. Paper: loader2000; the pairs and the form for parameters below 1 are ours.
#[kernel]
pub(crate) fn binomial_kernel(a: f64, b: f64, x: (f64, f64), y: (f64, f64)) -> Scaled {
    let c: Scaled = binomial_constant(a, b);
    let e: (f64, f64) = dd_sub_short((c.e, c.el), deviance(a, b, x, y));
    Scaled { m: c.m, ml: c.ml, e: e.0, el: e.1 }
}

/// `log (n choose k)` of integers `0 <= k <= n <= 511` as a loose pair, from the table of `log k!`.
#[kernel(inline)]
pub(crate) fn log_choose_table(n: f64, k: f64) -> (f64, f64) {
    let i = n as usize;
    let j = k as usize;
    let i = if i > 511 { 511 } else { i };
    let j = if j > i { i } else { j };
    let rest = i - j;
    let below: (f64, f64) =
        pair_add((LOG_FACTORIAL_HIGH[j], LOG_FACTORIAL_LOW[j]), (LOG_FACTORIAL_HIGH[rest], LOG_FACTORIAL_LOW[rest]));
    pair_sub((LOG_FACTORIAL_HIGH[i], LOG_FACTORIAL_LOW[i]), below)
}

/// What [`dbinom_raw`] needs of the number of trials and the probability.
#[kernel]
pub struct BinomialSetup {
    /// Number of trials.
    pub n: f64,
    /// Probability of success, leading part.
    pub p: f64,
    /// Probability of success, the rest.
    pub pl: f64,
    /// Probability of failure, leading part.
    pub q: f64,
    /// Probability of failure, the rest.
    pub ql: f64,
    /// `log p`, leading part; 0 if it is not needed.
    pub log_p: f64,
    /// `log p`, the rest.
    pub log_pl: f64,
    /// `log q`, leading part; 0 if it is not needed.
    pub log_q: f64,
    /// `log q`, the rest.
    pub log_ql: f64,
    /// Whether `n` is an integer so small that the table of `log k!` serves.
    pub small: bool,
}

/// The part of the binomial density that depends on the parameters only.
#[kernel(inline)]
pub(crate) fn binomial_setup(n: f64, p: (f64, f64), q: (f64, f64)) -> BinomialSetup {
    let small = n <= 511.0 && n == n.floor() && p.0 > 0.0 && q.0 > 0.0;
    let lp = if small { log_dd(p) } else { (0.0, 0.0) };
    let lq = if small { log_dd(q) } else { (0.0, 0.0) };
    BinomialSetup { n, p: p.0, pl: p.1, q: q.0, ql: q.1, log_p: lp.0, log_pl: lp.1, log_q: lq.0, log_ql: lq.1, small }
}

/// The binomial density for `0 <= x <= n`, `0 < p < 1`; `x` and `n` need not be integers unless the setup says small.
///
/// Method:
///   n <= 511    log n! - log x! - log (n-x)! + x log p + (n-x) log q, all as pairs: absolute error below 2^-56, and
///               no logarithm per element
///   otherwise   the saddle-point form of [`binomial_kernel`]
#[kernel]
pub(crate) fn binomial_density(x: f64, s: BinomialSetup, log: bool) -> f64 {
    if s.small {
        let powers: (f64, f64) = pair_add(pair_mul_d((s.log_p, s.log_pl), x), pair_mul_d((s.log_q, s.log_ql), s.n - x));
        let e: (f64, f64) = pair_add(log_choose_table(s.n, x), powers);
        let e: (f64, f64) = fast_two_sum(e.0, e.1);
        return if log { e.0 + e.1 } else { exp_times(1.0, e) };
    }
    scaled_result(binomial_kernel(x, s.n - x, (s.p, s.pl), (s.q, s.ql)), log)
}

/// The binomial density of real `0 <= x <= n` with `q = 1 - p` given: `G(n+1)/(G(x+1) G(n-x+1)) p^x q^(n-x)`.
///
/// Domain: `x < 0` or `x > n` gives 0 (log: `-inf`); `p` or `q` 0 gives the degenerate distribution; NaN gives NaN.
/// Method: `binomial_kernel`; the same as [`crate::dbinom`] without its tests for integers.
/// Paper: loader2000.
/// Error: bound in tests/accuracy/bounds.rs, shared with `dbinom`.
#[kernel]
pub fn dbinom_raw(x: f64, n: f64, p: f64, q: f64, log: bool) -> f64 {
    if x.is_nan() || n.is_nan() || p.is_nan() || q.is_nan() {
        return x + n + p + q;
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
    scaled_result(binomial_kernel(x, n - x, (p, 0.0), (q, 0.0)), log)
}
