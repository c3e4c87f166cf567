//! The incomplete gamma ratios: the smaller of the two tails as a factor times an exponential, and its inverse.

use gristmill_kernel::kernel;

use super::constants::{EULER, INV_SQRT_2PI, LN2, RECIPROCALS};
use super::deviance::{bd0, bd0_dd};
use super::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_sqrt, dd_sub, dd_sub_short,
    two_prod, two_sum,
};
use super::exponential::{exp, exp_parts, expm1, expm1_pair};
use super::gamma_function::{lgamma1p_dd, stirling_dd};
use super::logarithm::{log, log_dd, log_dd_of_normal_pair, log_pair, log1p_dd};
use super::normal_tail::{mills_dd, standard_quantile};
use super::scaling::{power_of_two, scale_by_power};
use super::stirling::stirlerr_from_one;

use crate::special::powers_of_two::{TWO_300, TWO_600};

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

/// The power of two that brings a positive normal number below 2^1022 to [1, 2).
#[kernel(inline)]
pub(crate) fn unit_of(x: f64) -> f64 {
    f64::from_bits(0x7fe0_0000_0000_0000u64.wrapping_sub(x.to_bits() & 0x7ff0_0000_0000_0000))
}

/// What the tails need of the shape.
#[kernel]
pub struct GammaShape {
    /// The shape.
    pub a: f64,
    /// Below 15: log Gamma(1 + a); else the error of Stirling's formula, as a pair.
    pub constant: (f64, f64),
    /// The factor of the Poisson mass as a pair: 1 below 15, else 1/sqrt(2 pi a).
    pub factor: (f64, f64),
    /// A power of two, about 1/a.
    pub unit: f64,
    /// Below 15: where the fraction takes over from the series, if the caller may choose.
    pub border: f64,
    /// From 15 on: 1/sqrt(a).
    pub inverse_root: f64,
    /// From 15 on: the factor of Temme's correction, 1/(sqrt(2 pi a) Gamma*).
    pub correction: f64,
    /// From 15 on: `sqrt(a/(2 pi))/Gamma*`.
    pub slope: f64,
    /// From 15 on: Temme's coefficients.
    pub table: [f64; 33],
    /// a >= 15
    pub large: bool,
}

/// What the tails need of the shape, which is in (0, 1e290).
///
/// Temme's correction is `S = sum s_n eta^n` with `eta S - S'/a = f/Gamma* - 1`, `f = eta/(lambda - 1)`; by powers of `eta`,
/// backwards: `s_(n-1) = f_n + (n+1)/a s_(n+1)` and `Gamma* = 1 + s_1/a`. Paper: temme1994; gil2012, section 2.5.
#[kernel]
pub fn gamma_shape(a: f64) -> GammaShape {
    let large = a >= 15.0;
    let border = if a > 2.0 { a } else { 2.0 };
    let mut s = GammaShape {
        a,
        constant: (0.0, 0.0),
        factor: (1.0, 0.0),
        unit: 1.0,
        border,
        inverse_root: 0.0,
        correction: 0.0,
        slope: 0.0,
        table: [0.0; 33],
        large,
    };
    if large {
        let ra = 1.0 / a;
        s.table[32] = TEMME[33];
        s.table[31] = TEMME[32];
        let mut weight: f64 = 32.0 * ra;
        for j in 0..31 {
            let n = 31 - j;
            s.table[n - 1] = weight.mul_add(s.table[n + 1], TEMME[n]);
            weight -= ra;
        }
        let gs = s.table[1].mul_add(ra, 1.0);
        let root = dd_sqrt((a, 0.0));
        let factor = dd_div(INV_SQRT_2PI, root);
        s.constant.0 = stirlerr_from_one(a);
        s.factor.0 = factor.0;
        s.factor.1 = factor.1;
        s.unit = unit_of(a);
        s.inverse_root = 1.0 / root.0;
        s.correction = factor.0 / gs;
        s.slope = root.0 * INV_SQRT_2PI.0 / gs;
    } else {
        let lg = if a < 1.0 { lgamma1p_dd(a) } else { stirling_dd(a, 0.5) };
        s.constant.0 = lg.0;
        s.constant.1 = lg.1;
    }
    s
}

/// Numerator and denominator of `1 + y/(a+4) (1 + y/(a+5) (...))` with a constant number of terms: the loop is the same for
/// all lanes. All in units of `unit`, a power of two about 1/a for large `a`, so that no product overflows.
macro_rules! series_of {
    ($name:ident, $terms:literal) => {
        #[kernel(inline)]
        fn $name(a: f64, y: f64, unit: f64) -> (f64, f64) {
            let ys = y * unit;
            let au = a * unit;
            let mut n: f64 = 1.0;
            let mut d: f64 = 1.0;
            for j in 0..($terms - 3) {
                d *= (($terms - j) as f64).mul_add(unit, au);
                n = ys.mul_add(n, d);
            }
            (n, d)
        }
    };
}
series_of!(series_30, 30);
series_of!(series_48, 48);

/// `S - 1` for `S = sum y^n/((a+1)...(a+n))`, `n >= 0`, as a pair: the lower tail is `S` times the Poisson mass.
///
/// Backwards, so that rounding errors are damped, as a quotient `n/d` of two sums, so that there is one division; the last
/// three levels as pairs, because near `y = a` each leaves half an ulp. 30 terms leave 2^-55 for `y <= a + 1`, `y <= 4.5`; 48
/// terms for `y <= a + 1` while `a <= 15`, and for `y <= 0.31 a` above. `unit` is a power of two, about 1/a for large `a`.
#[kernel(inline)]
pub(crate) fn lower_series(a: f64, y: f64, unit: f64, short: bool) -> (f64, f64) {
    let (n, d) = if short { series_30(a, y, unit) } else { series_48(a, y, unit) };
    let ys = y * unit;
    // y ((a+3) (a+2+y) d + y^2 n) / ((a+1) (a+2) (a+3) d)
    let s1 = two_sum(a, 1.0);
    let s2 = two_sum(a, 2.0);
    let s3 = two_sum(a, 3.0);
    let a1 = (s1.0 * unit, s1.1 * unit);
    let a2 = (s2.0 * unit, s2.1 * unit);
    let a3 = (s3.0 * unit, s3.1 * unit);
    let sum = dd_add_short(dd_mul_d(dd_mul(a3, dd_add_d(a2, ys)), d), dd_mul_d(two_prod(ys, ys), n));
    dd_div(dd_mul_d(sum, ys), dd_mul_d(dd_mul(a1, dd_mul(a2, a3)), d))
}

/// `f_k` of the continued fraction (see `fraction_of`), nearly: the first five terms of its expansion in powers of `1/sqrt(k)`, which
/// follow from `f_k f_(k+1) = b_k f_(k+1) + a_(k+1)`. The error of what is computed from it is `exp(-4 sqrt(k y))` times that of `f_k`; so
/// with it half as many levels are enough where `y` is small.
#[kernel(inline)]
fn fraction_tail(a: f64, y: f64, k: f64) -> f64 {
    let over = 1.0 / y;
    let d = y - a;
    let slope = 0.125f64.mul_add(d * d, 0.25f64.mul_add(y, -0.03125)) * over;
    let rise = y.sqrt() * slope.mul_add(1.0 / k.sqrt(), k.sqrt());
    let last = d.mul_add(y + a, 0.25) * (over * (0.0625 / k));
    (d.mul_add(0.5, k + 0.25) + last) + rise
}

/// Numerator and denominator of level 2 of the continued fraction, from `f` of a constant level on: the loop is the same for all
/// lanes. `f_(k-1) = b_(k-1) + a_k/f_k` with `a_k = k (a-k)`, `b_k = b + 2k`.
macro_rules! fraction_of {
    ($name:ident, $levels:literal) => {
        #[kernel(inline)]
        fn $name(a: f64, b: f64, f: f64) -> (f64, f64) {
            let mut d: f64 = 1.0;
            let mut n = f;
            for j in 0..($levels - 2) {
                let next = ((a - ($levels - j) as f64) * (($levels - j) as f64)) * d;
                d = n;
                n = (b + (2 * ($levels - 1 - j)) as f64).mul_add(n, next);
            }
            (n, d)
        }
    };
}
fraction_of!(fraction_17, 17);
fraction_of!(fraction_20, 20);
fraction_of!(fraction_36, 36);
fraction_of!(fraction_50, 50);

/// `a cf` with `Gamma(a, y) = y^a e^-y cf`, by the even part of Legendre's continued fraction, as a normalised pair.
///
/// Backwards, as a quotient of two products, so that there is one division; the last level as pairs.
/// For `y >= a` they leave 2^-56: 50 levels with [`fraction_tail`] from 1.25 on, 36 from 2, 20 from 3.6 on, and from 8 on 17 without it.
/// (Without it 90, 60 and 36 would be needed.) `least` is the least `y` for this shape, so that all lanes take the same number.
/// The fraction's numerator and denominator as two polynomials in `y` would do without its chain of dependent steps, but their coefficients
/// take a number of operations that grows with the square of the levels, in every single call.
/// Domain: `y <= 1e4` and `a < 15`, so that no product overflows. Paper: dlmf, 8.9.2; lorentzen2008, ch. 5 (the tail).
#[kernel(inline)]
fn upper_fraction(a: f64, y: f64, least: f64) -> (f64, f64) {
    let b0 = dd_add_d(two_sum(y, -a), 1.0);
    let (n, d) = if least >= 8.0 {
        fraction_17(a, b0.0, b0.0 + 34.0)
    } else if least >= 3.6 {
        fraction_20(a, b0.0, fraction_tail(a, y, 20.0))
    } else if least >= 2.0 {
        fraction_36(a, b0.0, fraction_tail(a, y, 36.0))
    } else {
        fraction_50(a, b0.0, fraction_tail(a, y, 50.0))
    };
    fraction_end(a, b0, n, d, 1.0)
}

/// The same for `y > 30` and more than `2 a`: 14 levels, in units of `y`, so that no product overflows.
#[kernel(inline)]
fn far_fraction(a: f64, y: f64) -> (f64, f64) {
    let unit = unit_of(y);
    let b0 = dd_add_d(two_sum(y, -a), 1.0);
    let b = b0.0 * unit;
    let au = a * unit;
    let mut d: f64 = 1.0;
    let mut n = 28.0f64.mul_add(unit, b);
    for j in 0..12 {
        let k = (14 - j) as f64 * unit;
        let next = (k * (au - k)) * d;
        d = n;
        n = ((26 - 2 * j) as f64).mul_add(unit, b).mul_add(n, next);
    }
    fraction_end(a, b0, n, d, unit)
}

/// From `f_2 = n/d`, in units of `unit`: `f_1 = e/n` with `e = b_1 n + a_2 d`, `f_0 = (b_0 e + a_1 n)/e`, and `a/f_0`.
#[kernel(inline)]
fn fraction_end(a: f64, b0: (f64, f64), n: f64, d: f64, unit: f64) -> (f64, f64) {
    let a1 = two_sum(a, -1.0);
    let a2 = two_sum(a, -2.0);
    let b1 = dd_add_d(b0, 2.0);
    let bu = (b0.0 * unit, b0.1 * unit);
    let e = dd_add_short(dd_mul_d((b1.0 * unit, b1.1 * unit), n), dd_mul_d((a2.0 * unit, a2.1 * unit), 2.0 * unit * d));
    let f = dd_add_short(dd_mul(bu, e), dd_mul_d((a1.0 * unit, a1.1 * unit), unit * n));
    dd_div(dd_mul_d(e, a * unit), f)
}

/// Temme's correction: the polynomial with the coefficients in the table, in four strands.
#[kernel(inline)]
fn temme_sum(eta: f64, s: GammaShape) -> f64 {
    let u = eta * eta;
    let v = u * u;
    let mut p = s.table[32];
    let mut q: f64 = 0.0;
    let mut r: f64 = 0.0;
    let mut t: f64 = 0.0;
    for j in 0..8 {
        let n = 28 - 4 * j;
        p = p.mul_add(v, s.table[n]);
        q = q.mul_add(v, s.table[n + 1]);
        r = r.mul_add(v, s.table[n + 2]);
        t = t.mul_add(v, s.table[n + 3]);
    }
    t.mul_add(eta, r).mul_add(u, q.mul_add(eta, p))
}

/// Temme's correction `S` over `Gamma*(a)`, and `Gamma*(a)`, where the shape is not the same for all (see [`gamma_shape`]).
#[kernel(inline)]
pub(crate) fn temme_correction(a: f64, eta: f64) -> (f64, f64) {
    let ra = 1.0 / a;
    let mut s2 = TEMME[33];
    let mut s1 = TEMME[32];
    let mut sum = s2.mul_add(eta, s1);
    let mut weight: f64 = 32.0 * ra;
    for j in 0..31 {
        let s0 = weight.mul_add(s2, TEMME[31 - j]);
        sum = sum.mul_add(eta, s0);
        s2 = s1;
        s1 = s0;
        weight -= ra;
    }
    let gs = s2.mul_add(ra, 1.0);
    (sum / gs, gs)
}

/// `log(y^a/Gamma(1+a))` as a pair and `T = sum (-1)^(n+1) y^n/((a+n) n!)`, `n >= 1`, as a pair, for `y < 1.25` and
/// `a < 15`: `P = exp(t) (1 - a T)`. Gives `(t, tl, T, Tl)`.
#[kernel(inline)]
fn small_parts(y: (f64, f64), s: GammaShape) -> (f64, f64, f64, f64) {
    let a = s.a;
    let t = dd_sub(dd_mul_d(log_dd_of_normal_pair(y), a), s.constant);
    let x = y.0;
    // s_n = 1/(a+n) - y/(n+1) s_(n+1) as a quotient p/q; the last two steps as pairs
    let mut p: f64 = 0.0;
    let mut q: f64 = 1.0;
    let mut n: f64 = 22.0;
    for j in 0..20 {
        let c = a + n;
        p = (-x * RECIPROCALS[22 - j]).mul_add(p * c, q);
        q *= c;
        n -= 1.0;
    }
    let s3 = p / q;
    let s2 = dd_sub(dd_inverse(two_sum(a, 2.0)), dd_div(two_prod(x, s3), (3.0, 0.0)));
    let s1 = dd_sub(dd_inverse(two_sum(a, 1.0)), dd_mul_d(s2, 0.5 * x));
    let total = dd_mul_d(s1, x);
    // d(T)/dy = (1 - exp(-y) ...)/...: to first order 1/(a+1) is enough for the low part
    (t.0, t.1, total.0, total.1 + y.1 * (s1.0 - 0.5 * x * s2.0))
}

/// One tail of the gamma distribution at a point.
#[kernel]
pub struct GammaTail {
    /// The tail is `(f + fl) exp(e + el)`.
    pub e: (f64, f64),
    /// The factor.
    pub f: (f64, f64),
    /// `y density / tail`, for Newton's steps.
    pub r: f64,
    /// It is the lower tail.
    pub lower: bool,
}

/// The smaller tail of the gamma distribution at the pair `y`; with `lower_will_do` the lower one also where it is up to
/// 0.95 or so.
///
/// Domain: a shape in (0, 1e290), `y` in [1e-290, 1e290].
/// Method: a >= 15, 0.302 a <= y <= 2.357 a (|eta| <= 1)   Temme's uniform expansion, with the argument of its error
///                          function formed from bd0 in double-double. The Taylor series of 34 terms serves |eta| <= 1,
///                          and a >= 15 its recurrence.
///   y <= a (a < 15), or y < 0.302 a   the lower series
///   y > a, y >= 1.25, or y > 2.357 a  the upper continued fraction (below 1.25 it needs too many levels)
///   y < 1.25, P > 1/2        Q = -expm1(t) + exp(t) a T, t = a log(y) - log Gamma(1+a): no cancellation for small a.
///                          For a < 1e-200 its limit a (T - log(y) - gamma), so that a Q below the range keeps its digits
/// The Poisson mass that series and fraction multiply is `exp(a log(y) - y - log Gamma(1+a))` for `a < 15`, where a
/// logarithm of 70 bits leaves 2^-60; above, Loader's saddle point form.
/// Paper: temme1994, gil2012, loader2000.
#[kernel(inline)]
pub fn gamma_tail_at(y: (f64, f64), s: GammaShape, lower_will_do: bool) -> GammaTail {
    let a = s.a;
    let x = y.0;
    let mut lower = x <= a;
    let e: (f64, f64);
    if s.large {
        let b = bd0_dd(a, y);
        if x >= 0.302 * a && x <= 2.357 * a {
            let b = if b.0 > 0.0 { b } else { (0.0, 0.0) };
            let z = dd_sqrt((2.0 * b.0, 2.0 * b.1));
            let low = (x - a) + y.1 < 0.0;
            let size = z.0 * s.inverse_root;
            let m = mills_dd(z);
            let t = temme_sum(if low { -size } else { size }, s) * s.correction;
            let f = dd_add_d(m, if low { -t } else { t });
            return GammaTail { e: (-b.0, -b.1), f, r: s.slope / f.0, lower: low };
        }
        let b = dd_add_d(b, s.constant.0);
        // beyond 1e300 an intermediate result overflowed
        e = if b.0 < 1e300 { (-b.0, -b.1) } else { (f64::NEG_INFINITY, 0.0) };
    } else {
        if lower_will_do {
            lower = x <= s.border;
        } else if x < 1.25 {
            lower = a > x;
            if x < 0.5 {
                // P < 1/2, near enough
                lower = a * (LN2.0 - log(x)) > LN2.0;
            }
            if !lower {
                if a < 1e-200 {
                    // Q = a (T - log y - gamma); 2^600 is taken out so that a subnormal Q keeps its digits
                    let (_t, _tl, th, tl) = small_parts(y, s);
                    let q = dd_sub(dd_sub((th, tl), log_dd(y)), EULER);
                    let f = dd_mul_d(q, a * TWO_600);
                    let e = dd_mul_d(LN2, -600.0);
                    return GammaTail { e, f, r: exp(-x) / q.0, lower: false };
                }
                let (t, tl, th, tlow) = small_parts(y, s);
                let em = expm1_pair((t, tl));
                let et = dd_add_d(em, 1.0);
                let q = dd_sub(dd_mul(et, dd_mul_d((th, tlow), a)), em);
                return GammaTail { e: (0.0, 0.0), f: q, r: a * et.0 * exp(-x) / q.0, lower: false };
            }
        }
        e = dd_sub_short(dd_mul_d(log_dd_of_normal_pair(y), a), dd_add_short(s.constant, y));
    }
    let low_part = y.1 / x;
    let mut f: (f64, f64);
    let r: f64;
    if lower {
        let q = lower_series(a, x, s.unit, s.border <= 4.5);
        let (sum, sum_low) = two_sum(1.0, q.0);
        // y S' = (y - a) S + a carries the low part of y
        f = (sum, (sum_low + q.1) + low_part * (q.0 * (x - a) + x));
        r = a / sum;
    } else {
        f = if s.large || x > 1e4 {
            far_fraction(a, x)
        } else {
            let least = if a > 1.25 { a } else { 1.25 };
            upper_fraction(a, x, if lower_will_do { s.border } else { least })
        };
        r = a / f.0;
        // cf' = cf (1 - a/y) - 1/y carries the low part of y
        f.1 += low_part * (f.0 * (x - a) - a);
    }
    let f = dd_mul(s.factor, f);
    GammaTail { e, f, r, lower }
}

/// The probability from one tail, `c exp(e)` of two pairs: that tail itself (`same`) or its complement, or the log of it.
///
/// Without a branch but for the scale, which is the same for all elements. Domain: `c exp(e) <= 1`, and 1e-6 < c < 1e6 or
/// the result far below the range.
#[kernel(inline)]
pub fn tail_to_probability(e: (f64, f64), c: (f64, f64), same: bool, log_scale: bool) -> f64 {
    let far = !(e.0 > -1400.0);
    let (m, ml, k) = exp_parts((if far { -1400.0 } else { e.0 }, if far { 0.0 } else { e.1 }));
    let v = dd_mul((m, ml), c);
    let t = if k > -1000.0 { power_of_two(k) } else { 0.0 };
    let (u, ul) = two_sum(1.0, -(v.0 * t));
    let rest = ul - v.1 * t;
    if !log_scale {
        let tail = scale_by_power(v.0, k);
        let tail = if tail < 1.0 { tail } else { 1.0 };
        return if same { tail } else { u + rest };
    }
    // e + log(c), or log(1 - tail)
    let l = log_pair((if same { c.0 } else { u }, if same { c.1 } else { rest }));
    let r = dd_add_short(l, (if same { e.0 } else { 0.0 }, if same { e.1 } else { 0.0 }));
    let tiny = v.0 * t < 1e-20;
    if same {
        if e.0 < -1e300 { e.0 } else { r.0 + r.1 }
    } else if tiny {
        -scale_by_power(v.0, k)
    } else {
        r.0 + r.1
    }
}

/// The gamma distribution function at the pair `y = x/scale`, also where `y` or the shape is beyond the range of
/// [`gamma_tail_at`]; `log_y` is used where `y` is below 1e-290.
#[kernel]
pub fn pgamma_beyond(a: f64, y: (f64, f64), log_y: (f64, f64), lower: bool, log_scale: bool) -> f64 {
    if y.0 < 1e-290 {
        // Only the leading term of the series is left: P = y^a/Gamma(1+a).
        if a > 1e290 {
            return if log_scale {
                if lower { a * (log_y.0 - log(a) + 1.0) } else { 0.0 }
            } else if lower {
                0.0
            } else {
                1.0
            };
        }
        let t = dd_sub(dd_mul_d(log_y, a), lgamma1p_dd(a));
        if t.0 < -0.69 {
            return tail_to_probability(t, (1.0, 0.0), lower, log_scale);
        }
        if a < 1e-200 {
            let q = dd_sub((-EULER.0, -EULER.1), log_y);
            let e = dd_mul_d(LN2, -600.0);
            return tail_to_probability(e, dd_mul_d(q, a * TWO_600), !lower, log_scale);
        }
        let em = expm1_pair(t);
        return tail_to_probability((0.0, 0.0), (-em.0, -em.1), !lower, log_scale);
    }
    if a > 1e290 || y.0 > 1e290 {
        // Relative width below 1e-145: a step at y = a; on the log scale the small tail is its deviance.
        let sure = (y.0 > a) == lower;
        if log_scale && !sure && y.0 != a {
            return -bd0(a, y.0);
        }
        let at = if y.0 == a {
            0.5
        } else if sure {
            1.0
        } else {
            0.0
        };
        return if log_scale { log(at) } else { at };
    }
    let t: GammaTail = gamma_tail_at(y, gamma_shape(a), false);
    tail_to_probability(t.e, t.f, t.lower == lower, log_scale)
}

/// The gamma quantile with shape `a` in (0, 1e290] for the logs (pairs) of both tails, as `(high, low, k)`: the value is
/// `(high + low) exp(k)`, with `k = 0` unless the closed form for tiny results applies.
///
/// Method: the unknown is `u = log y`; each step takes the smaller tail from [`gamma_tail_at`], compares on the log scale and
///   makes a Halley step, `g' = +-r`, `g''/g' = a - y - g'`. For `a <= 1.25` and `y < 1.25` the equation is
///   `t + log1p(-a T) = log P`, whose error is `a` times smaller, as is its slope.
///   Start: `(log P + log Gamma(1+a))/a` where `y` is small against `a + 1` (the answer itself below 1e-17); the fixed
///   point of the far upper tail; else Wilson and Hilferty's cube. At most 60 steps, usually 2 or 3.
/// Paper: gil2012, section 3 (the idea of the start values); wilson1931.
#[kernel]
pub fn gamma_quantile(s: GammaShape, log_lower: (f64, f64), log_upper: (f64, f64)) -> (f64, f64, f64) {
    let a = s.a;
    let mut lg1 = s.constant;
    if s.large {
        lg1 = lgamma1p_dd(a);
    }
    let up = if a < 1e-250 { TWO_300 } else { 1.0 };
    let nu = dd_add(log_lower, lg1);
    if nu.0 / a < -1500.0 {
        return (0.0, 0.0, 0.0);
    }
    let u = dd_div((nu.0 * up, nu.1 * up), (a * up, 0.0));
    if u.0 < -41.0 {
        return (u.0, u.1, 1.0);
    }
    if log_upper.0 < -1e250 {
        // So far out that t = -log Q + a (1 + log(t/a)) is all there is.
        let mut t = -log_upper.0;
        for _ in 0..30 {
            let ratio = t / a;
            let l = if ratio < f64::INFINITY { log(ratio) } else { log(t) - log(a) };
            t = -log_upper.0 + a * (1.0 + l);
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
        let z = standard_quantile(if low { log_lower.0 } else { log_upper.0 }, low, true);
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
            let (t, tl, th, tlow) = small_parts((y, 0.0), s);
            let w = dd_mul_d((th, tlow), -a);
            let l = dd_add((t, tl), log_dd(dd_add_d(w, 1.0)));
            (dd_high(dd_sub(l, log_lower)), a * exp(t - y - l.0))
        } else {
            let t = gamma_tail_at((y, 0.0), s, false);
            let l = dd_add(t.e, log_dd(t.f));
            let low = t.lower;
            (dd_high(dd_sub(l, if low { log_lower } else { log_upper })), if low { t.r } else { -t.r })
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
    let r = two_sum(y, y * last);
    (r.0, r.1, 0.0)
}

/// The logs of the requested tail `p` and of the other one, as pairs `(same, same_low, other, other_low)`.
#[kernel]
pub fn tail_logs(p: f64, log_scale: bool) -> (f64, f64, f64, f64) {
    if log_scale {
        if p < -36.0 {
            return (p, 0.0, -exp(p), 0.0);
        }
        let e = expm1_pair((p, 0.0));
        let other = if p > -1e-300 { log_dd((-p, 0.0)) } else { log_dd((-e.0, -e.1)) };
        return (p, 0.0, other.0, other.1);
    }
    let same = log_dd((p, 0.0));
    if p < 1e-16 {
        return (same.0, same.1, -p, 0.0);
    }
    let other = log1p_dd(-p);
    (same.0, same.1, other.0, other.1)
}
