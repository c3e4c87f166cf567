//! The incomplete gamma ratios: the smaller of the two tails as a factor times an exponential, and its inverse.

use gristmill_kernel::kernel;

use super::constants::{EULER_HIGH, EULER_LOW, INV_SQRT_2PI_HIGH, LN2_HIGH, LN2_LOW};
use super::deviance::bd0_dd;
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_sqrt, dd_sub, fast_two_sum, two_prod, two_sum,
};
use super::exponential::{exp, expm1, expm1_pair};
use super::gamma_function::lgamma1p_dd;
use super::logarithm::{log, log_dd, log1p_dd};
use super::normal_tail::{mills_dd, standard_quantile};
use super::poisson_mass::{complement, log_scaled_exp, poisson_parts, scaled_exp};

/// Taylor coefficients of `eta/(lambda - 1)` in `eta`, where `eta^2/2 = lambda - 1 - log(lambda)`.
#[kernel]
pub(crate) const TEMME: [f64; 34] = [
    1.0,
    -0.3333333333333333,
    0.08333333333333333,
    -0.014814814814814815,
    0.0011574074074074073,
    0.0003527336860670194,
    -0.0001787551440329218,
    3.919263178522438e-05,
    -2.185448510679992e-06,
    -1.85406221071516e-06,
    8.296711340953087e-07,
    -1.7665952736826078e-07,
    6.707853543401498e-09,
    1.0261809784240309e-08,
    -4.382036018453353e-09,
    9.14769958223679e-10,
    -2.5514193994946248e-11,
    -5.830772132550426e-11,
    2.4361948020667415e-11,
    -5.0276692801141755e-12,
    1.1004392031956135e-13,
    3.371763262400985e-13,
    -1.392388722418162e-13,
    2.8534893807047445e-14,
    -5.139111834242572e-16,
    -1.9752288294349442e-15,
    8.099521156704561e-16,
    -1.6522531216398162e-16,
    2.5305430097478883e-18,
    1.1686939738559576e-17,
    -4.770037049820485e-18,
    9.699126059056237e-19,
    -1.2932565538038175e-20,
    -6.969230253185693e-20,
];

/// 2^600
#[kernel]
const TWO_600: f64 = 4.149_515_568_880_993e180;
/// 2^300
#[kernel]
const TWO_300: f64 = 2.037_035_976_334_486e90;

/// `S - 1` for `S = sum y^n/((a+1)...(a+n))`, `n >= 0`: the lower tail is `S` times the Poisson mass.
///
/// Backwards, so that rounding errors are damped. The number of terms serves `y <= a + 1` while `a < 24`, and
/// `y <= 0.31 a` above, to 2^-55.
#[kernel]
fn lower_series(a: f64, y: f64) -> f64 {
    let n = if y < 0.05 {
        11.0
    } else if y < 1.0 {
        19.0
    } else if y < 24.0 {
        (22.0 + 1.75 * y).floor()
    } else {
        36.0
    };
    let mut s: f64 = 1.0;
    let mut k: f64 = n;
    while k > 1.0 {
        s = (y / (a + k)).mul_add(s, 1.0);
        k -= 1.0;
    }
    y / (a + 1.0) * s
}

/// `cf` with `Gamma(a, y) = y^a e^-y cf`, by the even part of Legendre's continued fraction, as a normalised pair.
///
/// Backwards, two levels to a division; the last level as a pair. `106/y + 5 + min(0.3 a, 5)` levels leave 2^-55 for
/// `y >= 1.25` and `y > a`. Paper: dlmf, 8.9.2.
#[kernel]
fn upper_fraction(a: f64, y: f64) -> (f64, f64) {
    let b0: (f64, f64) = dd_add_d(two_sum(y, -a), 1.0);
    if y > 1e100 {
        return dd_inverse(b0);
    }
    let more = if a < 16.0 { 0.3 * a } else { 5.0 };
    let mut k: f64 = 2.0 * (0.5 * (106.0 / y + 5.0 + more)).ceil();
    let mut f = 2.0f64.mul_add(k, b0.0);
    while k > 3.0 {
        // f_(k-2) = b_(k-2) + a_(k-1) f_k / (b_(k-1) f_k + a_k),  a_k = k (a-k), b_k = b_0 + 2k
        let j = k - 1.0;
        let d = 2.0f64.mul_add(j, b0.0).mul_add(f, k * (a - k));
        f = 2.0f64.mul_add(k - 2.0, b0.0) + j * (a - j) * f / d;
        k -= 2.0;
    }
    let d = dd_add(dd_mul_d(dd_add_d(b0, 2.0), f), dd_mul_d(two_sum(a, -2.0), 2.0));
    let n = dd_mul_d(two_sum(a, -1.0), f);
    dd_inverse(dd_add(b0, dd_div(n, d)))
}

/// Temme's correction: `Q = erfc(eta sqrt(a/2))/2 + exp(-a eta^2/2)/sqrt(2 pi a) S(eta)`; gives `S` and `Gamma*(a)`.
///
/// `eta S - S'/a = f/Gamma* - 1` with `f = eta/(lambda - 1)`; by powers of `eta`, backwards:
/// `s_(n-1) = f_n + (n+1)/a s_(n+1)` and `Gamma* = 1 + s_1/a`. Paper: temme1994; gil2012, section 2.5.
#[kernel]
fn temme_correction(a: f64, eta: f64) -> (f64, f64) {
    let ra = 1.0 / a;
    let mut s2 = TEMME[33];
    let mut s1 = TEMME[32];
    let mut sum = s2.mul_add(eta, s1);
    let mut weight: f64 = 32.0;
    for j in 0..31 {
        let s0 = (weight * ra).mul_add(s2, TEMME[31 - j]);
        sum = sum.mul_add(eta, s0);
        s2 = s1;
        s1 = s0;
        weight -= 1.0;
    }
    let gs = s2.mul_add(ra, 1.0);
    (sum / gs, gs)
}

/// `log(y^a/Gamma(1+a))` as a pair and `T = sum (-1)^(n+1) y^n/((a+n) n!)`, `n >= 1`, as a pair, for `y < 1.25`:
/// `P = exp(t) (1 - a T)`. Gives `(t, tl, T, Tl)`.
#[kernel]
fn small_parts(a: f64, y: (f64, f64)) -> (f64, f64, f64, f64) {
    let t: (f64, f64) = dd_sub(dd_mul_d(log_dd(y), a), lgamma1p_dd(a));
    let x = y.0;
    // s_n = 1/(a+n) - y/(n+1) s_(n+1); the last two steps as pairs
    let mut s: f64 = 0.0;
    let mut n: f64 = if x < 0.05 { 10.0 } else { 22.0 };
    while n > 2.0 {
        s = (-x / (n + 1.0)).mul_add(s, 1.0 / (a + n));
        n -= 1.0;
    }
    let s2 = dd_sub(dd_inverse(two_sum(a, 2.0)), dd_div(two_prod(x, s), (3.0, 0.0)));
    let s1 = dd_sub(dd_inverse(two_sum(a, 1.0)), dd_mul_d(s2, 0.5 * x));
    let total: (f64, f64) = dd_mul_d(s1, x);
    // d(T)/dy = (1 - exp(-y) ...)/...: to first order 1/(a+1) is enough for the low part
    (t.0, t.1, total.0, total.1 + y.1 * (1.0 / (a + 1.0) - x / (a + 2.0)))
}

/// The smaller tail of the gamma distribution with shape `a` at the pair `y`, as `(f + fl) exp(e + el)`.
///
/// Gives `(e, el, f, fl, lower, r)`: whether it is the lower tail, and `r = y density / tail` for Newton steps.
/// Domain: `a` in (0, 1e290), `y` in [1e-290, 1e290].
/// Method: a >= 15, 0.302 a <= y <= 2.357 a (|eta| <= 1)   Temme's uniform expansion, with the argument of its error
///                          function formed from bd0 in double-double. The Taylor series of 34 terms serves |eta| <= 1,
///                          and a >= 15 its recurrence.
///   y <= a (a < 15), or y < 0.302 a   the lower series
///   y > a, y >= 1.25, or y > 2.357 a  the upper continued fraction (below 1.25 it needs too many levels)
///   y < 1.25, P > 1/2        Q = -expm1(t) + exp(t) a T, t = a log(y) - log Gamma(1+a): no cancellation for small a.
///                          For a < 1e-200 its limit a (T - log(y) - gamma), so that a Q below the range keeps its digits
/// Paper: temme1994, gil2012.
#[kernel]
pub fn gamma_tail(a: f64, y: (f64, f64)) -> (f64, f64, f64, f64, bool, f64) {
    let x = y.0;
    if a >= 15.0 && x >= 0.302 * a && x <= 2.357 * a {
        let b: (f64, f64) = bd0_dd(a, y);
        let b: (f64, f64) = if b.0 > 0.0 { b } else { (0.0, 0.0) };
        let z: (f64, f64) = dd_sqrt((2.0 * b.0, 2.0 * b.1));
        let low = (x - a) + y.1 < 0.0;
        let root = a.sqrt();
        let eta = if low { -z.0 / root } else { z.0 / root };
        let m = mills_dd(z);
        let (s, gs) = temme_correction(a, eta);
        let t = s * INV_SQRT_2PI_HIGH / root;
        let f: (f64, f64) = dd_add_d(m, if low { -t } else { t });
        return (-b.0, -b.1, f.0, f.1, low, root * INV_SQRT_2PI_HIGH / (gs * f.0));
    }
    let lower = if a >= 15.0 {
        x < a
    } else if x >= 1.25 {
        x <= a
    } else if x >= 0.5 {
        a > x
    } else {
        // P < 1/2, near enough
        a * (LN2_HIGH - log(x)) > LN2_HIGH
    };
    if lower {
        let (e, el, c, cl) = poisson_parts(a, y);
        let s = lower_series(a, x);
        // y S' = (y - a) S + a carries the low part of y
        let sum = fast_two_sum(1.0 + s, (s - ((1.0 + s) - 1.0)) + y.1 * (((x - a) * (1.0 + s) + a) / x));
        let f: (f64, f64) = dd_mul((c, cl), sum);
        return (e, el, f.0, f.1, true, a / (1.0 + s));
    }
    if x < 1.25 {
        if a < 1e-200 {
            // Q = a (T - log y - gamma); 2^600 is taken out so that a subnormal Q keeps its digits
            let (_t, _tl, th, tl) = small_parts(a, y);
            let q: (f64, f64) = dd_sub(dd_sub((th, tl), log_dd(y)), (EULER_HIGH, EULER_LOW));
            let f: (f64, f64) = dd_mul_d(q, a * TWO_600);
            let e: (f64, f64) = dd_mul_d((LN2_HIGH, LN2_LOW), -600.0);
            return (e.0, e.1, f.0, f.1, false, exp(-x) / q.0);
        }
        let (t, tl, th, tlow) = small_parts(a, y);
        let em = expm1_pair((t, tl));
        let et: (f64, f64) = dd_add_d(em, 1.0);
        let q: (f64, f64) = dd_sub(dd_mul(et, dd_mul_d((th, tlow), a)), em);
        return (0.0, 0.0, q.0, q.1, false, a * et.0 * exp(-x) / q.0);
    }
    let (e, el, c, cl) = poisson_parts(a, y);
    let cf: (f64, f64) = upper_fraction(a, x);
    // cf' = cf (1 - a/y) - 1/y carries the low part of y
    let cf: (f64, f64) = dd_add_d(cf, y.1 * ((cf.0 * (x - a) - 1.0) / x));
    let f: (f64, f64) = dd_mul(dd_mul_d((c, cl), a), cf);
    (e, el, f.0, f.1, false, 1.0 / cf.0)
}

/// Probability from the tail `c exp(e)`, which is the lower one if `is_lower`.
#[kernel(inline)]
pub fn tail_to_probability(e: (f64, f64), c: (f64, f64), is_lower: bool, lower: bool, log_scale: bool) -> f64 {
    if is_lower != lower {
        return complement(e, c, log_scale);
    }
    if log_scale { log_scaled_exp(e, c) } else { scaled_exp(e, c) }
}

/// The gamma distribution function with shape `a` at the pair `y = x/scale`; `log_y` is used where `y` is below 1e-290.
#[kernel]
pub fn pgamma_at(a: f64, y: (f64, f64), log_y: (f64, f64), lower: bool, log_scale: bool) -> f64 {
    if y.0 < 1e-290 {
        // Only the leading term of the series is left: P = y^a/Gamma(1+a).
        if a > 1e290 {
            return if log_scale {
                if lower { f64::NEG_INFINITY } else { 0.0 }
            } else if lower {
                0.0
            } else {
                1.0
            };
        }
        let t: (f64, f64) = dd_sub(dd_mul_d(log_y, a), lgamma1p_dd(a));
        if t.0 < -0.69 {
            return tail_to_probability(t, (1.0, 0.0), true, lower, log_scale);
        }
        if a < 1e-200 {
            let q = dd_sub((-EULER_HIGH, -EULER_LOW), log_y);
            let e = dd_mul_d((LN2_HIGH, LN2_LOW), -600.0);
            return tail_to_probability(e, dd_mul_d(q, a * TWO_600), false, lower, log_scale);
        }
        let em: (f64, f64) = expm1_pair(t);
        return tail_to_probability((0.0, 0.0), (-em.0, -em.1), false, lower, log_scale);
    }
    if a > 1e290 || y.0 > 1e290 {
        // Relative width below 1e-145: a step at y = a.
        let sure = (y.0 > a) == lower;
        let at = if y.0 == a {
            0.5
        } else if sure {
            1.0
        } else {
            0.0
        };
        return if log_scale { log(at) } else { at };
    }
    let (e, el, f, fl, is_lower, _r): (f64, f64, f64, f64, bool, f64) = gamma_tail(a, y);
    tail_to_probability((e, el), (f, fl), is_lower, lower, log_scale)
}

/// The gamma quantile with shape `a` in (0, 1e290] for the logs (pairs) of both tails, as `(high, low, k)`: the value is
/// `(high + low) exp(k)`, with `k = 0` unless the closed form for tiny results applies.
///
/// Method: the unknown is `u = log y`; each step takes the smaller tail from [`gamma_tail`], compares on the log scale and
///   makes a Halley step, `g' = +-r`, `g''/g' = a - y - g'`. For `a <= 1.25` and `y < 1.25` the equation is
///   `t + log1p(-a T) = log P`, whose error is `a` times smaller, as is its slope.
///   Start: `(log P + log Gamma(1+a))/a` where `y` is small against `a + 1` (the answer itself below 1e-17); the fixed
///   point of the far upper tail; else Wilson and Hilferty's cube. At most 60 steps, usually 2 or 3.
/// Paper: gil2012, section 3 (the idea of the start values); wilson1931.
#[kernel]
pub fn gamma_quantile(a: f64, log_lower: (f64, f64), log_upper: (f64, f64)) -> (f64, f64, f64) {
    let lg1: (f64, f64) = lgamma1p_dd(a);
    let up = if a < 1e-250 { TWO_300 } else { 1.0 };
    let nu: (f64, f64) = dd_add(log_lower, lg1);
    if nu.0 / a < -1500.0 {
        return (0.0, 0.0, 0.0);
    }
    let u: (f64, f64) = dd_div((nu.0 * up, nu.1 * up), (a * up, 0.0));
    if u.0 < -41.0 {
        return (u.0, u.1, 1.0);
    }
    if log_upper.0 < -1e250 {
        // So far out that t = -log Q + a (1 + log(t/a)) is all there is.
        let mut t = -log_upper.0;
        for _ in 0..30 {
            t = -log_upper.0 + a * (1.0 + log(t / a));
        }
        return (t, 0.0, 0.0);
    }
    let start = exp(if u.0 < 700.0 { u.0 } else { 700.0 });
    let mut y = if start < 0.25 * (a + 1.0) {
        start * exp(start / (a + 1.0))
    } else if log_upper.0 < -2.0 * a - 10.0 || a < 0.3 {
        let g = lg1.0 - log(a);
        let mut t = if log_upper.0 < -1.0 { -log_upper.0 } else { 1.0 };
        for _ in 0..3 {
            t = -log_upper.0 + (a - 1.0) * log(t) - g;
            t = if t > 0.5 { t } else { 0.5 };
        }
        t
    } else {
        let low = log_lower.0 < log_upper.0;
        let z: (f64, f64) = standard_quantile(if low { log_lower.0 } else { log_upper.0 }, low, true);
        let s = 1.0 / (9.0 * a);
        let w = 1.0 - s + z.0 * s.sqrt();
        let half = 0.5 * a;
        if w > 0.15 {
            a * w * w * w
        } else if start < half {
            start
        } else {
            half
        }
    };
    let mut last: f64 = 0.0;
    let mut steps: i32 = 0;
    while steps < 60 {
        let (gap, slope) = if a <= 1.25 && y < 1.25 {
            let (t, tl, th, tlow) = small_parts(a, (y, 0.0));
            let w = dd_mul_d((th, tlow), -a);
            let l: (f64, f64) = dd_add((t, tl), log_dd(dd_add_d(w, 1.0)));
            (dd_high(dd_sub(l, log_lower)), a * exp(t - y - l.0))
        } else {
            let (e, el, f, fl, low, r): (f64, f64, f64, f64, bool, f64) = gamma_tail(a, (y, 0.0));
            let l: (f64, f64) = dd_add((e, el), log_dd((f, fl)));
            (dd_high(dd_sub(l, if low { log_lower } else { log_upper })), if low { r } else { -r })
        };
        let k = a - y - slope;
        let du = -gap / slope;
        let c = 1.0 + 0.5 * du * k;
        let c = if c > 0.5 { if c < 2.0 { c } else { 2.0 } } else { 0.5 };
        let du = du / c;
        let du = if du > 1.5 {
            1.5
        } else if du < -1.5 {
            -1.5
        } else {
            du
        };
        last = expm1(du);
        steps += 1;
        if du.abs() * (1.0 + k.abs() + slope.abs()) < 1e-6 {
            break;
        }
        y = last.mul_add(y, y);
        last = 0.0;
    }
    let r: (f64, f64) = two_sum(y, y * last);
    (r.0, r.1, 0.0)
}

/// The logs of the requested tail `p` and of the other one, as pairs `(same, same_low, other, other_low)`.
#[kernel]
pub fn tail_logs(p: f64, log_scale: bool) -> (f64, f64, f64, f64) {
    if log_scale {
        if p < -36.0 {
            return (p, 0.0, -exp(p), 0.0);
        }
        let e: (f64, f64) = expm1_pair((p, 0.0));
        let other: (f64, f64) = if p > -1e-300 { log_dd((-p, 0.0)) } else { log_dd((-e.0, -e.1)) };
        return (p, 0.0, other.0, other.1);
    }
    let same: (f64, f64) = log_dd((p, 0.0));
    if p < 1e-16 {
        return (same.0, same.1, -p, 0.0);
    }
    let other: (f64, f64) = log1p_dd(-p);
    (same.0, same.1, other.0, other.1)
}
