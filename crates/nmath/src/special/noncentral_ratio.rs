//! The tails and the density of the noncentral beta distribution at a point given as pairs `x + y = 1`: what the noncentral beta
//! and F distributions share.
//!
//! With `p_j = e^-l l^j/j!` and `T_j = x^(a+j) y^b/((a+j) B(a+j, b))` the distribution function is `sum p_j sum_(i>=j) T_i`, and
//! `T_(j+1)/T_j = x (a+b+j)/(a+j+1)`. Where at most 300 terms matter they are summed from their end (`mixture_levels`), the levels before the
//! largest term as pairs; all are positive. The density has a shorter sum, by Kummer's transformation. Beyond, the tails are integrals `1/(2 pi i) integral w^-a exp(l/w - l) (y/(1 - x w))^b dw/(1 - w)`
//! through the saddle point, on the parabola `w = rho exp(i t + c t^2)` that touches the path of steepest descent, by the
//! trapezoidal rule. In `k = l/rho` and `n = b x rho/(1 - x rho)` the exponent is minus the deviance of `k` from `l` and that of `n` and `b` from
//! their means.

use crate::special::beta_constant::inverse_beta;
use crate::special::binomial_kernel::{Scaled, binomial_constant, binomial_kernel, deviance, scaled_log_dd};
use crate::special::constants::{INV_PI, LN2, THIRD};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_square, dd_sub, fast_two_sum,
    pair_add, pair_mul, pair_mul_d, pair_sub, two_sum,
};
use crate::special::exponential::{exp, exp_parts, expm1};
use crate::special::fine_logarithms::{log_fine, log_inverse_beta_fine};
use crate::special::incomplete_beta::{beta_setup, beta_tail, log_tail};
use crate::special::inverse_trigonometric::atan2;
use crate::special::logarithm::{atanh_tail, log, log_dd, log_loose_of_pair};
use crate::special::mixture_levels::{
    Inner, Shapes, Sum, density_levels, kummer_levels, lower_levels, rising_sum, scaled_shapes, upper_levels,
    whole_groups,
};
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::contour::{pole_at, sine_and_cosine};

/// Up to how many terms the mixture is summed.
#[kernel]
const MOST_TERMS: f64 = 300.0;
/// ... and where the logarithm of the density is next to 0, which is rare.
#[kernel]
const MOST_FINE_TERMS: f64 = 2000.0;
/// As many Poisson numbers as the upper tail is summed over, at most.
#[kernel]
const MOST_MEAN: f64 = 1e4;
/// Levels of an inner sum that cost less than an incomplete beta ratio.
#[kernel]
const MOST_LEVELS: f64 = 200.0;
/// Terms of an inner sum below `exp(-DEPTH)` of the first are nothing.
#[kernel]
const DEPTH: f64 = 43.0;
/// Terms of an inner sum below `exp(-FINE_DEPTH)` of the first need no pairs.
#[kernel]
const FINE_DEPTH: f64 = 5.0;
/// The share of `log(1/z)` in the slope of `levels_of` from which one step serves.
#[kernel]
const NEARLY: f64 = 0.5;
/// Noncentralities whose first Poisson mass is far from the end of the range.
#[kernel]
const FIRST_MASS: f64 = 300.0;
/// Second shapes below this are slight: see `along_parabola`.
#[kernel]
const SLIGHT: f64 = 1.0;
/// Up to where Kummer's transformation serves: `l x` over the square of `sqrt(b + 1) + sqrt(a + b)`, beyond which the terms with
/// alternating signs no longer halve,
#[kernel]
const KUMMER_SHARE: f64 = 0.4;
/// ... and `l x` itself.
#[kernel]
const KUMMER_TO: f64 = 40.0;
/// A pole whose share of the sum is below `exp(-UNSEEN)` is not seen.
#[kernel]
const UNSEEN: f64 = 60.0;
/// What the modulus may fall to before the nodes end.
#[kernel]
const CUT: f64 = 43.0;
/// Up to this `|x - m|/(x + m)` deviances and logarithms of quotients are series.
#[kernel]
const NEAR_RATIO: f64 = 0.17;
/// From this `l`, or such shapes, on the saddle point is a pair.
#[kernel]
const FAR_LEVELS: f64 = 5e15;
/// The nodes are bounded, whatever the parameters: at most 17 + 69/sqrt(max(b, 1)) are needed.
#[kernel]
const MOST_NODES: f64 = 150.0;

/// A tail at a point: `(f + fl) exp(e + el)`; `slope` is `x y density/tail`, where it is asked for.
#[kernel]
pub(crate) struct MixtureTail {
    /// Exponent.
    pub(crate) e: (f64, f64),
    /// Factor.
    pub(crate) f: (f64, f64),
    /// See above.
    pub(crate) slope: f64,
    /// It is the lower tail.
    pub(crate) lower: bool,
}

/// What tails and density need of the parameters.
#[kernel]
pub(crate) struct Mixture {
    /// First shape.
    pub(crate) a: f64,
    /// Second shape.
    pub(crate) b: f64,
    /// Half the noncentrality.
    pub(crate) l: f64,
    /// `a + b` as a pair.
    n: (f64, f64),
    /// A power of two that scales the levels of `a`.
    unit: f64,
    /// Whether `1/B(a, b) = (scale + scalel) exp(c + cl)`, otherwise the same with `a^a b^b/(n^n B)`, for the saddle-point form.
    pub(crate) direct: bool,
    /// See `direct`.
    pub(crate) scale: (f64, f64),
    /// See `direct`.
    pub(crate) c: (f64, f64),
}

/// Up to this sum of the shapes the logarithms of `x` and `y` times them are exact enough.
#[kernel]
const DIRECT_TO: f64 = 256.0;

/// The part that depends on the parameters only, for shapes and `l` up to 1e100.
#[kernel]
pub(crate) fn mixture_setup(a: f64, b: f64, l: f64) -> Mixture {
    let n = two_sum(a, b);
    let smaller = if a < b { a } else { b };
    let single = (a == 1.0 || b == 1.0) && smaller >= 0.01;
    let direct = (n.0 <= DIRECT_TO && smaller >= 0.01) || single;
    let mut k = Scaled { m: (if a == 1.0 { b } else { a }, 0.0), e: (0.0, 0.0) };
    if !direct {
        k = binomial_constant(a, b);
        // times a b/n
        let m = dd_mul(k.m, dd_mul_d(dd_div((b, 0.0), n), a));
        k = Scaled { m, e: k.e };
    } else if !single {
        k = inverse_beta(a, b);
    }
    let shapes = scaled_shapes(a, n);
    Mixture { a, b, l, n, unit: shapes.unit, direct, scale: k.m, c: k.e }
}

/// The shapes for levels of `a`.
#[kernel(inline)]
fn shapes_of(s: Mixture) -> Shapes {
    Shapes { a: s.a * s.unit, n: (s.n.0 * s.unit, s.n.1 * s.unit), unit: s.unit }
}

/// The logarithm of a share as a pair: exact to 2^-68, or, where the shapes may be large, to 2^-70 of itself.
#[kernel(inline)]
fn log_of_share(x: (f64, f64), s: Mixture) -> (f64, f64) {
    if s.n.0 <= DIRECT_TO && x.0 > 1e-290 {
        let l = log_loose_of_pair(x);
        return fast_two_sum(l.0, l.1);
    }
    log_dd(x)
}

/// The exponent of `x^p y^q exp(c - fall)` as a pair; `direct` only.
#[kernel(inline)]
pub(crate) fn direct_exponent(
    x: (f64, f64),
    y: (f64, f64),
    s: Mixture,
    p: (f64, f64),
    q: (f64, f64),
    fall: (f64, f64),
) -> (f64, f64) {
    let powers = pair_add(pair_mul(log_of_share(x, s), p), pair_mul(log_of_share(y, s), q));
    let e = pair_add(powers, pair_sub(s.c, fall));
    fast_two_sum(e.0, e.1)
}

/// `a T_0 exp(-fall)` as a factor and an exponent.
#[kernel(inline)]
fn first_term(x: (f64, f64), y: (f64, f64), s: Mixture, fall: (f64, f64)) -> Scaled {
    let e: (f64, f64);
    if s.direct {
        e = direct_exponent(x, y, s, (s.a, 0.0), (s.b, 0.0), fall);
    } else {
        e = dd_sub(dd_sub(s.c, deviance(s.a, s.b, x, y)), fall);
    }
    Scaled { m: s.scale, e }
}

/// `p_0 T_0` as a factor and an exponent.
#[kernel(inline)]
fn first_share(x: (f64, f64), y: (f64, f64), s: Mixture) -> Scaled {
    let k = first_term(x, y, s, (s.l, 0.0));
    let m = dd_div(k.m, (s.a, 0.0));
    Scaled { m, e: k.e }
}

/// How many terms of the mixture matter, and where the largest is: `(terms, largest)`.
#[kernel(inline)]
fn terms_of(z: f64, a: f64, b: f64) -> (f64, f64) {
    let q = 0.5 * (z - a - 1.0);
    let root = (q.mul_add(q, z * (a + b))).sqrt();
    let peak = if q > 0.0 { q + root } else { z * (a + b) / (root - q) };
    let curvature = 1.0 / (peak + 1.0) + 1.0 / (a + peak + 1.0) - 1.0 / (a + b + peak + 1.0);
    ((peak + 9.5 / curvature.sqrt() + 12.0).floor(), peak)
}

/// `sum_(i>=j) T_i/T_j` for shape `a`: by the incomplete beta ratio.
#[kernel]
fn remaining(x: (f64, f64), y: (f64, f64), a: f64, b: f64) -> (f64, f64) {
    let t = beta_tail(x, y, beta_setup(a, b));
    let (l, ll, _s) = log_tail(t, true, false);
    let k = binomial_kernel(a, b, x, y);
    let term = dd_add(scaled_log_dd(k), log_dd(dd_div((b, 0.0), two_sum(a, b))));
    let d = dd_sub((l, ll), term);
    let (m, ml, p) = exp_parts(d);
    let unit = power_of_two(p);
    (m * unit, ml * unit)
}

/// How many terms of `sum_i prod_(k<i) z (d + more + k)/(d + k)`, at most, are above `exp(-depth)` of the first, `0 < z < 1`; infinite or
/// NaN where they begin by growing.
///
/// Method: one or two of Newton's steps for `m log(1/z) = depth + more log(1 + m/d)`, of which the right side is above the logarithm of the
/// product of the rest; the first step leads beyond the solution, as the function is convex, the more so with a bound for the logarithm, and the
/// second stays there. Where the slope is at least half that of the left side, the first comes near enough.
#[kernel(inline)]
fn levels_of(fall: f64, d: f64, more: f64, depth: f64) -> f64 {
    let grows = if more > 0.0 { more } else { 0.0 };
    let start = depth / fall;
    let slope = fall - grows / (d + start);
    // log(1 + u) < u (6 + u)/(6 + 4 u) at u = start/d
    let more_than_log = start * 6.0f64.mul_add(d, start);
    let first = start + grows * more_than_log / (d * 6.0f64.mul_add(d, 4.0 * start) * slope);
    if slope > NEARLY * fall {
        return first.ceil();
    }
    let gap = first * fall - depth - grows * log(1.0 + first / d);
    let levels = (first - gap / (fall - grows / (d + first))).ceil();
    if slope > 0.0 { levels } else { f64::INFINITY }
}

/// `W` with `P = p_0 T_0 W`.
#[kernel]
fn lower_sum(x: (f64, f64), y: (f64, f64), s: Mixture, terms: f64, pairs: f64) -> Sum {
    let shapes = shapes_of(s);
    let a = s.a;
    let b = s.b;
    // The inner sum: its levels beyond those of the mixture, or their sum by the incomplete beta ratio. What is left out is nothing at the
    // level `pairs`, up to which nearly all of the mixture lies; it is a pair as far as it counts next to the largest term, and where x is
    // near 1 and it is hardly damped, at every level.
    let fall = -log(x.0);
    let inner = pairs + levels_of(fall, a + (pairs + 1.0), b - 1.0, DEPTH);
    let short = inner - terms <= MOST_LEVELS;
    let g: (f64, f64);
    let mut anew = (0.0, 0.0);
    let mut first: f64 = terms + 10.0;
    let mut fine: f64 = first;
    let mut middle: f64 = -1.0;
    if short {
        let peak = pairs - 5.0;
        fine = peak + levels_of(fall, a + (peak + 1.0), b - 1.0, FINE_DEPTH);
        fine = if fine > pairs { fine } else { pairs };
        let both = if fine < terms { fine } else { terms };
        first = whole_groups(terms, both, 4.0);
        g = rising_sum(x, shapes, inner, fine, first);
        fine = both;
    } else {
        g = remaining(x, y, a + (first + 1.0), b);
        if b < 0.01 {
            // its error, that of a tail which is nearly 0, has grown: begin anew
            middle = pairs;
            anew = remaining(x, y, a + (pairs + 1.0), b);
        }
    }
    let start = Inner { g, terms: first, pairs: fine, middle, anew };
    lower_levels(x, shapes, s.l, start)
}

/// An exponent with the lifts of a sum added.
#[kernel(inline)]
fn lifted(e: (f64, f64), lifts: f64) -> (f64, f64) {
    dd_add(e, dd_mul_d(LN2, 600.0 * lifts))
}

#[kernel(inline)]
fn pair_levels(peak: f64) -> f64 {
    (1.15 * peak + 5.0).floor()
}

/// `exp(e)` of the difference of two lifts and exponents, for slopes.
#[kernel(inline)]
fn quotient_of(top: Sum, bottom: Sum) -> f64 {
    let lifts = top.lifts - bottom.lifts;
    top.high / bottom.high * exp(lifts * (600.0 * std::f64::consts::LN_2))
}

/// `a 1F1(a+b; a; l x)` in doubles, for slopes.
#[kernel]
fn slope_sum(z: (f64, f64), s: Mixture, terms: f64) -> Sum {
    density_levels(z, s.a, s.n, shapes_of(s), terms, -1.0)
}

/// The lower tail by the sum.
#[kernel]
fn sum_lower(x: (f64, f64), y: (f64, f64), s: Mixture, terms: f64, peak: f64, sloped: bool) -> MixtureTail {
    let first = first_share(x, y, s);
    let w = lower_sum(x, y, s, terms, pair_levels(peak));
    let mut slope: f64 = 0.0;
    if sloped {
        let top = slope_sum(dd_mul_d(x, s.l), s, terms);
        slope = quotient_of(top, w);
    }
    let f = dd_mul(first.m, (w.high, w.low));
    let e = lifted(first.e, w.lifts);
    MixtureTail { e, f, slope, lower: true }
}

/// The upper tail by the sum.
#[kernel]
fn sum_upper(x: (f64, f64), y: (f64, f64), s: Mixture, terms: f64, peak: f64, sloped: bool) -> MixtureTail {
    let a = s.a;
    let b = s.b;
    let l = s.l;
    let first = first_share(x, y, s);
    let most = (l + 9.5 * l.sqrt() + 12.0).floor();
    let terms = if terms > most { terms } else { most };
    let v = upper_levels(x, shapes_of(s), l, terms, pair_levels(if peak > l { peak } else { l }));
    let mut quotient: f64 = 0.0;
    if sloped {
        let top = slope_sum(dd_mul_d(x, l), s, terms);
        quotient = quotient_of(top, v);
    }
    // Q_0 = T_0 (a/b) sum, where its terms are few
    let fall = -log(y.0);
    let levels = levels_of(fall, b + 1.0, a - 1.0, DEPTH);
    if levels <= MOST_LEVELS && l < FIRST_MASS && v.lifts == 0.0 {
        let fine = levels_of(fall, b + 1.0, a - 1.0, FINE_DEPTH);
        let other = scaled_shapes(b, s.n);
        let h = dd_div(dd_mul_d(rising_sum(y, other, levels, fine, -1.0), a), (b, 0.0));
        let (m, ml, k) = exp_parts((-l, 0.0));
        let unit = power_of_two(k);
        let more = dd_mul((v.high, v.low), (m * unit, ml * unit));
        let all = dd_add(h, more);
        let f = dd_mul(first.m, all);
        let e = dd_add_d(first.e, l);
        return MixtureTail { e, f, slope: quotient * (more.0 / all.0), lower: false };
    }
    let t = beta_tail(x, y, beta_setup(a, b));
    let (lq, lql, _s) = log_tail(t, false, false);
    // in units of the first tail: 1 + p_0 T_0 V/Q_0
    let e = lifted(first.e, v.lifts);
    let share = dd_sub(e, (lq, lql));
    if share.0 > 300.0 {
        let f = dd_mul(first.m, (v.high, v.low));
        return MixtureTail { e, f, slope: quotient, lower: false };
    }
    let mut f = (1.0, 0.0);
    let mut slope: f64 = 0.0;
    if share.0 > -690.0 {
        let (m, ml, k) = exp_parts(share);
        let unit = power_of_two(k);
        let s = dd_mul(first.m, (m * unit, ml * unit));
        f = dd_add_d(dd_mul(s, (v.high, v.low)), 1.0);
        slope = s.0 * v.high / f.0 * quotient;
    }
    MixtureTail { e: (lq, lql), f, slope, lower: false }
}

/// `exp(z) - 1 - z` of a complex number given with its `exp(z) - 1`.
#[kernel(inline)]
fn exp_rest(z: (f64, f64), less_one: (f64, f64)) -> (f64, f64) {
    if z.0 * z.0 + z.1 * z.1 > 0.25 {
        return (less_one.0 - z.0, less_one.1 - z.1);
    }
    // Taylor's series from its end: sum z^j/(j+2)!
    let mut re: f64 = 1.0;
    let mut im: f64 = 0.0;
    let mut j: f64 = 16.0;
    while j > 2.0 {
        let s = 1.0 / j;
        let next = (z.0 * re - z.1 * im) * s + 1.0;
        im = (z.0 * im + z.1 * re) * s;
        re = next;
        j -= 1.0;
    }
    let sr = 0.5 * (z.0 * z.0 - z.1 * z.1);
    let si = z.0 * z.1;
    (sr * re - si * im, sr * im + si * re)
}

/// `-log(1 - z) - z` of a complex number.
#[kernel(inline)]
fn log_rest(z: (f64, f64)) -> (f64, f64) {
    let square = z.0 * z.0 + z.1 * z.1;
    if square > 0.09 {
        let re = 1.0 - z.0;
        return (-0.5 * log(re * re + z.1 * z.1) - z.0, -atan2(-z.1, re) - z.1);
    }
    // 2 atanh(q) - z, q = z/(2 - z): z q + 2 q^3 (1/3 + q^2/5 + ...)
    let dr = 2.0 - z.0;
    let bottom = dr * dr + z.1 * z.1;
    let qr = (z.0 * dr - z.1 * z.1) / bottom;
    let qi = (z.1 * dr + z.0 * z.1) / bottom;
    let ur = qr * qr - qi * qi;
    let ui = 2.0 * qr * qi;
    let mut re: f64 = 1.0 / 27.0;
    let mut im: f64 = 0.0;
    let mut j: f64 = 25.0;
    while j > 2.0 {
        let next = ur * re - ui * im + 1.0 / j;
        im = ur * im + ui * re;
        re = next;
        j -= 2.0;
    }
    let cr = qr * ur - qi * ui;
    let ci = qr * ui + qi * ur;
    let tr = 2.0 * (cr * re - ci * im);
    let ti = 2.0 * (cr * im + ci * re);
    (z.0 * qr - z.1 * qi + tr, z.0 * qi + z.1 * qr + ti)
}

/// What the integral along the parabola gives.
#[kernel]
struct Along {
    e: (f64, f64),
    /// The tail over `exp(e)`.
    f: (f64, f64),
    /// `x y` times the density, over `exp(e)`.
    mass: (f64, f64),
    lower: bool,
}

/// `x log(x/m) + m - x` of positive pairs with the difference `d = x - m`, as a pair; relative error about 2^-65, however near they are.
#[kernel(inline)]
fn deviance_of(d: (f64, f64), x: (f64, f64), m: (f64, f64)) -> (f64, f64) {
    let v = dd_div(d, dd_add_short(x, m));
    if v.0.abs() < NEAR_RATIO {
        let u = dd_square(v);
        let g = dd_add_short(THIRD, (u.0 * atanh_tail(u.0), 0.0));
        let h = dd_mul(x, dd_mul(u, g));
        return dd_mul(v, dd_add((2.0 * h.0, 2.0 * h.1), d));
    }
    dd_sub(dd_mul(x, log_dd(dd_div(x, m))), d)
}

/// `log(x/m)` of positive pairs with the difference `d = x - m`, as a pair; relative error about 2^-65, however near they are.
#[kernel(inline)]
fn log_quotient(d: (f64, f64), x: (f64, f64), m: (f64, f64)) -> (f64, f64) {
    let v = dd_div(d, dd_add_short(x, m));
    if v.0.abs() < NEAR_RATIO {
        let u = dd_square(v);
        let g = dd_add_short(THIRD, (u.0 * atanh_tail(u.0), 0.0));
        let h = dd_mul(v, dd_add_d(dd_mul(u, g), 1.0));
        return (2.0 * h.0, 2.0 * h.1);
    }
    log_dd(dd_div(x, m))
}

/// The saddle point `rho = l/k` of the integrals.
#[kernel]
struct MixtureSaddle {
    /// `k` as a pair.
    k: (f64, f64),
    /// `k - l` as a pair.
    beyond: (f64, f64),
    /// `x rho/(1 - x rho)` as a pair.
    r: (f64, f64),
    /// `b` times it as a pair.
    n: (f64, f64),
    /// `n - k - a + 1` as a pair: what is left of the slope.
    drift: (f64, f64),
    /// `log(rho)` as a pair.
    log_rho: (f64, f64),
    /// `log((1 - x rho)/y)` as a pair.
    log_rest: (f64, f64),
    /// The exponent there as a pair.
    e: (f64, f64),
}

/// The saddle point beyond [`FAR_LEVELS`], where a double cannot hold `k`: it may lie nearer to `l` than the next one.
///
/// With `z = l x` and `c` that shape `(k - z) (k + v) = c z`, `v = a - 1`. `k - z`, `k - l` and `k` have roots of their own, none of
/// which cancels, so that all are pairs with their digits however large the parameters are. Then with `n = c r` the exponent is
/// `-D(k, l) - D(n, (n + c) x) - D(c, (n + c) y)`, `D` the deviance, whose differences are known: `k - l` and `-(k - l) c x/(k - z)`.
#[kernel]
fn far_saddle(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> MixtureSaddle {
    let v = two_sum(a, -1.0);
    let shape = if b > 1.0 { b } else { 1.0 };
    let z = dd_mul_d(x, l);
    let sum = dd_add(z, v);
    let share = dd_mul_d(z, shape);
    let root = dd_sqrt(dd_add_short(dd_square(sum), (4.0 * share.0, 4.0 * share.1)));
    let doubled = if sum.0 > 0.0 {
        let q = dd_div(share, dd_add_short(sum, root));
        (4.0 * q.0, 4.0 * q.1)
    } else {
        dd_sub(root, sum)
    };
    // k - z
    let m: (f64, f64) = (0.5 * doubled.0, 0.5 * doubled.1);
    let k = dd_add_short(m, z);
    let level = dd_add_d(v, l);
    let side = dd_add(level, dd_mul_d(y, l));
    let beyond = if side.0 > 0.0 {
        let excess = dd_sub(dd_mul_d(x, shape), dd_mul(y, level));
        let q = dd_div(dd_mul_d(excess, l), dd_add_short(side, root));
        (2.0 * q.0, 2.0 * q.1)
    } else {
        let q = dd_sub(root, side);
        (0.5 * q.0, 0.5 * q.1)
    };
    let r = dd_div(z, m);
    let moved = dd_mul(beyond, x);
    let scale = dd_div((shape, 0.0), m);
    let d = dd_mul(moved, scale);
    let all = dd_mul(k, scale);
    let first = deviance_of(beyond, k, (l, 0.0));
    let second = deviance_of(dd_neg(d), dd_mul_d(r, shape), dd_mul(all, x));
    let third = deviance_of(d, (shape, 0.0), dd_mul(all, y));
    let log_rest = log_quotient(moved, m, dd_mul(k, y));
    let e = dd_sub(dd_mul(log_rest, two_sum(shape, -b)), dd_add_short(first, dd_add_short(second, third)));
    let log_rho = log_quotient(dd_neg(beyond), (l, 0.0), k);
    let n = pair_mul_d(r, b);
    let drift = pair_mul(r, two_sum(b, -shape));
    MixtureSaddle { k, beyond, r, n, drift, log_rho, log_rest, e }
}

/// The saddle point up to [`FAR_LEVELS`], for the second shape `b` or 1 if that is larger: below it the integrand of the density has its peak
/// elsewhere. Its `k` is rounded; what that leaves of the slope is `n - k - v`.
#[kernel]
fn near_saddle(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> MixtureSaddle {
    let v = two_sum(a, -1.0);
    let bend_shape = if b > 1.0 { b } else { 1.0 };
    let z = l * x.0;
    let q = 0.5 * (z - v.0);
    let root = (q.mul_add(q, (v.0 + bend_shape) * z)).sqrt();
    let k = if q > 0.0 { q + root } else { (v.0 + bend_shape) * z / (root - q) };
    // g = x rho, r = g/(1 - g), from 1 - g = (k - l + l y)/k where g is near 1
    let g = dd_div(dd_mul_d(x, l), (k, 0.0));
    let rest = dd_div(dd_add(two_sum(k, -l), dd_mul_d(y, l)), (k, 0.0));
    let rp = dd_div(g, rest);
    let exact = dd_mul_d(rp, b);
    let n = exact.0;
    let log_rho = log_dd(dd_div((l, 0.0), (k, 0.0)));
    // n - k - v: what is left of the slope; exactly 0 at the saddle point
    let short = dd_sub(dd_sub((n, 0.0), (k, 0.0)), v);
    let drift = short.0 + exact.1;
    let e = dd_neg(dd_add(bd0_dd(k, (l, 0.0)), deviance(n, b, x, y)));
    let e = dd_add(e, dd_mul(short, log_rho));
    let beyond = two_sum(k, -l);
    let log_rest = dd_sub(log_dd(rest), log_dd(y));
    MixtureSaddle { k: (k, 0.0), beyond, r: rp, n: (n, 0.0), drift: (drift, 0.0), log_rho, log_rest, e }
}

/// Tail and density by the integral, for `l > 0`.
#[kernel]
fn along_parabola(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> Along {
    let far = l > FAR_LEVELS || a > FAR_LEVELS || b > FAR_LEVELS;
    let p = if far { far_saddle(x, y, a, b, l) } else { near_saddle(x, y, a, b, l) };
    let rp: (f64, f64) = p.r;
    let np: (f64, f64) = p.n;
    let drift_pair: (f64, f64) = p.drift;
    let e: (f64, f64) = p.e;
    let k = p.k.0;
    let r = rp.0;
    let n = np.0;
    let drift = drift_pair.0;
    let bend_shape = if b > 1.0 { b } else { 1.0 };
    let second = bend_shape * r * (1.0 + r);
    let size = k + second;
    let third = if r < 1e60 { (second * (1.0 + 2.0 * r) - k) / (6.0 * size) } else { r / 3.0 };
    let bend = if third > 0.0 { third } else { 0.0 };
    let turn = (86.0 * size).sqrt() + 14.0 + 38.0 * r;
    let step = std::f64::consts::TAU / turn;
    let lower = p.beyond.0 < 0.0;
    let larger = if lower { l } else { k };
    let ratio = (if lower { k } else { l }) / larger;
    let gap = p.beyond.0.abs() / larger;
    // the pole: where the parabola, continued, meets w = 1
    let inside: (f64, f64) = dd_add_d(dd_mul_d(p.log_rho, 4.0 * bend), 1.0);
    let root: (f64, f64) = dd_sqrt(if inside.0 > 0.0 { inside } else { (1.0, 0.0) });
    let away: (f64, f64) = dd_div((2.0 * p.log_rho.0, 2.0 * p.log_rho.1), dd_add_d(root, 1.0));
    let distance = turn * away.0.abs();
    let mut sum = (0.0, 0.0);
    let mut mass = (0.0, 0.0);
    // A small second shape makes the lower tail small: without it the integral is 0 and has no pole, so 1 is taken from its factor.
    let slight = b < SLIGHT;
    let mut without = (0.0, 0.0);
    // Where the sum does not see the pole, any constant will do: the value at the saddle point cancels least.
    let log_factor = -b * p.log_rest.0;
    let unseen = lower && inside.0 > 0.0 && -e.0 - distance < -UNSEEN && log_factor.abs() < 1.0;
    let log_factor = if unseen { 0.0 } else { log_factor };
    let mut i: f64 = 0.5;
    let mut going = true;
    while going {
        let t = i * step;
        let u = bend * t * t;
        let (sh, ch) = sine_and_cosine(0.5 * t);
        let sine = 2.0 * sh * ch;
        let fall = 2.0 * sh * sh;
        let cosine = 1.0 - fall;
        let up = expm1(u);
        let down = -up / (1.0 + up);
        let plus = (up * cosine - fall, (1.0 + up) * sine);
        let minus = (down * cosine - fall, -(1.0 + down) * sine);
        let er = exp_rest((u, t), plus);
        let em = exp_rest((-u, -t), minus);
        let lr = log_rest((r * plus.0, r * plus.1));
        let dr = 1.0 - r * plus.0;
        let di = -r * plus.1;
        let apart = dr * dr + di * di;
        let mut re: f64 = k * em.0 + n * er.0 + b * lr.0 + drift * u;
        let mut im: f64 = k * em.1 + n * er.1 + b * lr.1 + drift * t;
        if far {
            // what the rounded k, n and r lack: that of r times the derivative, plus^2 r/(1 - r plus)
            let gr = (plus.0 * dr + plus.1 * di) / apart;
            let gi = plus.1 / apart;
            let more = b * r * rp.1;
            re += p.k.1 * em.0 + np.1 * er.0 + more * (plus.0 * gr - plus.1 * gi) + drift_pair.1 * u;
            im += p.k.1 * em.1 + np.1 * er.1 + more * (plus.0 * gi + plus.1 * gr) + drift_pair.1 * t;
        }
        let weight = exp(re);
        let (ps, pc) = sine_and_cosine(im);
        // times the path's direction, 1 - 2 i bend t
        let turned = 2.0 * bend * t;
        let wr = weight * (pc + turned * ps);
        let wi = weight * (ps - turned * pc);
        // over 1 - w, or w - 1
        let br = if lower { gap + plus.0 } else { gap - ratio * plus.0 };
        let bi = if lower { plus.1 } else { -ratio * plus.1 };
        let (total, low) = two_sum(sum.0, (wr * br + wi * bi) / (br * br + bi * bi));
        sum = (total, sum.1 + low);
        if slight {
            // 1 - exp(-c), c the log of the factor
            let cr = log_factor + b * (lr.0 + r * plus.0);
            let ci = b * (lr.1 + r * plus.1);
            let (hs, hc) = sine_and_cosine(0.5 * ci);
            let m = expm1(-cr);
            let fr = 2.0 * hs * hs * (1.0 + m) - m;
            let fi = (1.0 + m) * (2.0 * hs * hc);
            let vr = wr * fr - wi * fi;
            let vi = wr * fi + wi * fr;
            let (total, low) = two_sum(without.0, (vr * br + vi * bi) / (br * br + bi * bi));
            without = (total, without.1 + low);
        }
        let (total, low) = two_sum(mass.0, (wr * dr + wi * di) / apart);
        mass = (total, mass.1 + low);
        i += 1.0;
        going = re > -CUT && i * step < std::f64::consts::PI && i < MOST_NODES;
    }
    let over_pi = dd_mul_d(INV_PI, step);
    let share = if lower { dd_div(p.k, (l, 0.0)) } else { (1.0, 0.0) };
    let mut f = dd_mul(dd_mul(over_pi, share), fast_two_sum(sum.0, sum.1));
    if inside.0 > 0.0 && (-e.0 < 0.5 * distance || distance < 1.0) {
        f = dd_add(f, pole_at(e, away, step));
    }
    let mut below = lower;
    if slight {
        let side = if lower { 1.0 } else { -1.0 };
        let p = dd_mul(dd_mul(over_pi, share), fast_two_sum(side * without.0, side * without.1));
        if lower || e.0 + log(p.0) < -0.6 {
            f = p;
            below = true;
        }
    }
    let m = dd_mul(over_pi, fast_two_sum(mass.0, mass.1));
    let m = dd_mul(m, dd_mul(dd_mul_d(x, b), dd_add_d(rp, 1.0)));
    Along { e, f, mass: m, lower: below }
}

/// `1F1(-b; a; -l x)` by Kummer's transformation, and whether it serves.
#[kernel]
pub(crate) struct Kummer {
    /// The sum.
    pub(crate) high: f64,
    /// Its rest.
    pub(crate) low: f64,
    /// Where not, the sum is NaN.
    pub(crate) serves: bool,
}

/// The density is `x^(a-1) y^(b-1)/B(a, b) exp(-l y) 1F1(-b; a; -l x)`. The terms up to `b` are positive; beyond, where their signs
/// alternate, they fall at once if `l x` is below the border, and the sum is never below 1.
#[kernel]
pub(crate) fn kummer_at(x: (f64, f64), s: Mixture) -> Kummer {
    let z = dd_mul_d(x, s.l);
    let near = (s.b + 1.0).sqrt() + s.n.0.sqrt();
    // the largest term: z (b - j) = (a + j) (j + 1)
    let half = 0.5 * (s.a + 1.0 + z.0);
    let more = z.0.mul_add(s.b, -s.a);
    let peak = if more > 0.0 { more / (half + half.mul_add(half, more).sqrt()) } else { 0.0 };
    let terms = (2.0 * peak + 0.5 * z.0 + 27.0).floor();
    let serves = z.0 < KUMMER_SHARE * near * near && z.0 < KUMMER_TO && terms < MOST_TERMS && s.a > 1e-5;
    if !serves {
        return Kummer { high: f64::NAN, low: 0.0, serves };
    }
    let h = kummer_levels(z, s.b, shapes_of(s), terms, (1.2 * peak + 5.0).floor());
    Kummer { high: h.0, low: h.1, serves }
}

/// `x y` times the density, as a factor and an exponent, for `0 < x < 1`.
#[kernel]
pub(crate) fn mixture_density(x: (f64, f64), y: (f64, f64), s: Mixture) -> Scaled {
    let z = dd_mul_d(x, s.l);
    let k = kummer_at(x, s);
    if k.serves {
        let first = first_term(x, y, s, dd_mul_d(y, s.l));
        let m = dd_mul(first.m, (k.high, k.low));
        return Scaled { m, e: first.e };
    }
    let (terms, peak) = terms_of(z.0, s.a, s.b);
    if terms < MOST_TERMS {
        let first = first_share(x, y, s);
        let pairs = (1.2 * peak + 8.0).floor();
        let top = density_levels(z, s.a, s.n, shapes_of(s), terms, pairs);
        let m = dd_mul(first.m, (top.high, top.low));
        let e = lifted(first.e, top.lifts);
        return Scaled { m, e };
    }
    let t = along_parabola(x, y, s.a, s.b, s.l);
    Scaled { m: t.mass, e: t.e }
}

/// A logarithm of the density below this is made anew by [`fine_log_density`].
#[kernel]
pub(crate) const NEXT_TO_ONE: f64 = 1.0 / 64.0;

/// The logarithm of `x^p y^q/B(a, b) exp(-l) 1F1(a+b; a; l x)` as a pair, where it is next to 0 and its parts, each of which has an absolute error
/// of 2^-59 elsewhere, cancel: here all are sums of pairs only. `direct` only; NaN where the mixture is not summed.
#[kernel]
pub(crate) fn fine_log_density(x: (f64, f64), y: (f64, f64), s: Mixture, p: (f64, f64), q: (f64, f64)) -> (f64, f64) {
    let z = dd_mul_d(x, s.l);
    let (levels, _peak) = terms_of(z.0, s.a, s.b);
    if !(levels < MOST_FINE_TERMS) {
        return (f64::NAN, 0.0);
    }
    // what leaves 2^-57 leaves 2^-105 with as many levels again, nearly
    let terms = (1.5 * levels + 30.0).floor();
    let sum = density_levels(z, s.a, s.n, shapes_of(s), terms, terms);
    let series = log_fine(dd_div((sum.high, sum.low), (s.a, 0.0)));
    let grown: (f64, f64) = dd_add_d(lifted(series, sum.lifts), -s.l);
    let powers: (f64, f64) = dd_add(dd_mul(log_fine(x), p), dd_mul(log_fine(y), q));
    dd_add(dd_add(powers, log_inverse_beta_fine(s.a, s.b)), grown)
}

/// Whether `x` is below the mean, near enough: the side whose tail is computed first.
#[kernel(inline)]
pub(crate) fn below_mean(x: f64, y: f64, s: Mixture) -> bool {
    x * s.b <= y * (s.a + s.l)
}

/// A tail for `0 < x < 1`: the smaller one, or one that is accurate by itself if `any` of the two (the lower) serves. `sloped`: with its
/// slope.
#[kernel]
pub(crate) fn mixture_tail(x: (f64, f64), y: (f64, f64), s: Mixture, any: bool, sloped: bool) -> MixtureTail {
    let (terms, peak) = terms_of(x.0 * s.l, s.a, s.b);
    // the upper tail's sum goes through the masses of the Poisson numbers, as many as their mean
    if terms >= MOST_TERMS || s.l > MOST_MEAN {
        let t = along_parabola(x, y, s.a, s.b, s.l);
        let lower: bool = t.lower;
        return MixtureTail { e: t.e, f: t.f, slope: t.mass.0 / t.f.0, lower };
    }
    if below_mean(x.0, y.0, s) {
        let t = sum_lower(x, y, s, terms, peak, sloped);
        if any || t.e.0 + log(t.f.0) < -0.6 {
            return t;
        }
        return sum_upper(x, y, s, terms, peak, sloped);
    }
    let t = sum_upper(x, y, s, terms, peak, sloped);
    if t.e.0 + log(t.f.0) < -0.6 {
        return t;
    }
    sum_lower(x, y, s, terms, peak, sloped)
}
