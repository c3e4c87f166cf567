//! The uniform distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, unit_53, words_at};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_sub, fast_two_sum, pair_mul, two_sum,
};
use crate::special::exponential::{exp_near, exp_parts, expm1_pair};
use crate::special::logarithm::{log_dd, log_loose_of_pair};
use crate::special::scaling::scale_by_power;

/// A power of two that keeps `b - a` in range: 2^-64 for huge ends, 2^200 for tiny ones.
#[kernel(inline)]
fn range_scale(a: f64, b: f64) -> f64 {
    let huge = a.abs() > 1e250 || b.abs() > 1e250;
    let tiny = a.abs() < 1e-200 && b.abs() < 1e-200;
    if huge {
        5.421_010_862_427_522e-20
    } else if tiny {
        1.606_938_044_258_990_3e60
    } else {
        1.0
    }
}

/// What the functions need of the ends.
#[kernel]
struct Scale {
    a: f64,
    b: f64,
    /// `b - a` as a pair.
    width: (f64, f64),
    /// `1/(b - a)` rounded; NaN where an end is so far from 1 that the main paths do not hold.
    inverse: f64,
}

/// What the density needs of the ends.
#[kernel]
struct DensityScale {
    a: f64,
    b: f64,
    /// The density inside; NaN where an end is so far from 1 that the main path does not hold.
    inside: f64,
    log: bool,
}

#[kernel(inline)]
fn density_setup(a: f64, b: f64, log: bool) -> DensityScale {
    let s = scale_setup(a, b);
    let fine = s.inverse > 0.0;
    let mut inside = s.inverse;
    if log {
        let l = log_loose_of_pair((if fine { s.width.0 } else { 1.0 }, if fine { s.width.1 } else { 0.0 }));
        inside = if fine { -(l.0 + l.1) } else { f64::NAN };
    }
    DensityScale { a, b, inside, log }
}

/// Whether the main paths hold for the ends of an interval of this width.
#[kernel(inline)]
fn ordinary_ends(a: f64, b: f64, width: f64) -> bool {
    a.abs() < 1e200 && b.abs() < 1e200 && width > 1e-200
}

#[kernel(inline)]
fn scale_setup(a: f64, b: f64) -> Scale {
    let (width, width_low) = two_sum(b, -a);
    let ordinary = ordinary_ends(a, b, width);
    let inverse = dd_inverse((width, width_low));
    Scale { a, b, width: (width, width_low), inverse: if ordinary { inverse.0 } else { f64::NAN } }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    s.inside == s.inside && x == x
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let nothing = if s.log { f64::NEG_INFINITY } else { 0.0 };
    if x >= s.a && x <= s.b { s.inside } else { nothing }
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let a = s.a;
    let b = s.b;
    let nothing = zero_on(log);
    if x.is_nan() || a.is_nan() || b.is_nan() {
        return x + a + b;
    }
    if b <= a {
        return f64::NAN;
    }
    if x < a || x > b || a == f64::NEG_INFINITY || b == f64::INFINITY {
        return nothing;
    }
    let f = range_scale(a, b);
    let width = two_sum(b * f, -(a * f));
    if log {
        let l = dd_sub(log_dd((f, 0.0)), log_dd(width));
        return l.0;
    }
    dd_high(dd_inverse(width)) * f
}

/// The uniform density.
///
/// R: `dunif(x, min = 0, max = 1, log = FALSE)`, uniform density.
/// Domain: `a < b`, else NaN; outside [a, b] it is 0. NaN gives NaN.
/// Method: `1/(b - a)` with the difference as a pair.
/// Paper: dekker1971.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dunif(x: f64, a: f64, b: f64, log: bool) -> f64 {
    let s = density_setup(a, b, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, _lower: bool, log: bool) -> bool {
    // the logarithm is not taken of what may be subnormal
    let fine = if log { (x - s.a) * s.inverse > 1e-200 && (s.b - x) * s.inverse > 1e-200 } else { x == x };
    fine && s.inverse > 0.0
}

/// `log((x - a)/(b - a))`, or of `(b - x)/(b - a)`, inside the ends: of the smaller quotient, or of 1 less the other.
#[kernel(inline)]
fn log_part(x: f64, s: Scale, lower: bool) -> f64 {
    let left = (x - s.a) * s.inverse < 0.5;
    let (d, e) = two_sum(if left { x } else { s.b }, if left { -s.a } else { -x });
    let q = d * s.inverse;
    let ql = ((-q).mul_add(s.width.1, (-q).mul_add(s.width.0, d)) + e) * s.inverse;
    let (r, rl) = fast_two_sum(1.0, -q);
    let same = left == lower;
    let l = log_loose_of_pair((if same { q } else { r }, if same { ql } else { rl - ql }));
    l.0 + l.1
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if log {
        return log_part(x, s, lower);
    }
    let xc = if x < s.a { s.a } else { x };
    let xc = if xc > s.b { s.b } else { xc };
    let (d, e) = two_sum(if lower { xc } else { s.b }, if lower { -s.a } else { -xc });
    let q = d * s.inverse;
    let r = (-q).mul_add(s.width.1, (-q).mul_add(s.width.0, d) + e);
    let y = r.mul_add(s.inverse, q);
    // at the ends exactly
    if lower { if x >= s.b { 1.0 } else { y } } else { if x <= s.a { 1.0 } else { y } }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let a = s.a;
    let b = s.b;
    if x.is_nan() || a.is_nan() || b.is_nan() {
        return x + a + b;
    }
    if b < a || a == f64::NEG_INFINITY || b == f64::INFINITY {
        return f64::NAN;
    }
    let one = one_on(log);
    let nothing = zero_on(log);
    if x >= b {
        return if lower { one } else { nothing };
    }
    if x <= a {
        return if lower { nothing } else { one };
    }
    let f = range_scale(a, b);
    let width = two_sum(b * f, -(a * f));
    let left = dd_div(two_sum(x * f, -(a * f)), width);
    let right = dd_div(two_sum(b * f, -(x * f)), width);
    let same = if lower { left } else { right };
    let other = if lower { right } else { left };
    if !log {
        return same.0;
    }
    if same.0 < 1e-290 {
        // the quotient has lost digits, its logarithm has not
        let (near, far) = if lower { (x * f, a * f) } else { (b * f, x * f) };
        return dd_high(dd_sub(log_dd(two_sum(near, -far)), log_dd(width)));
    }
    if same.0 < 0.5 {
        return dd_high(log_dd(same));
    }
    if other.0 < 1e-20 { -other.0 } else { dd_high(log_dd(dd_sub((1.0, 0.0), other))) }
}

/// The uniform distribution function.
///
/// R: `punif(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)`, uniform distribution function.
/// Domain: `a <= b`, both finite, else NaN. NaN gives NaN.
/// Method: `(x - a)/(b - a)` or `(b - x)/(b - a)`, the differences and the quotient as pairs; the log of the larger one is
///   taken of `1 -` the smaller, so that it keeps its digits next to the end.
/// Paper: dekker1971.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn punif(x: f64, a: f64, b: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(a, b);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// What the quantile needs of the ends.
#[kernel]
struct QuantileScale {
    a: f64,
    b: f64,
    /// `b - a` as a pair.
    width: (f64, f64),
    /// Whether the ends are so close to 1 that the main path holds.
    ordinary: bool,
}

#[kernel(inline)]
fn quantile_setup(a: f64, b: f64) -> QuantileScale {
    let (width, width_low) = two_sum(b, -a);
    QuantileScale { a, b, width: (width, width_low), ordinary: ordinary_ends(a, b, width) }
}

#[kernel(inline)]
fn quantile_in_main(p: f64, s: QuantileScale, _lower: bool, log: bool) -> bool {
    let fine = if log { p > -400.0 && p < -1e-100 } else { p >= 0.0 && p <= 1.0 };
    let ordinary = s.ordinary;
    fine && ordinary
}

/// `exp(p)`, or `1 - exp(p)` above 1/2, as a loose pair, for `p` in [-400, -1e-100].
#[kernel(inline)]
fn small_part(p: f64) -> (f64, f64) {
    let far = p > -0.69;
    let (h, l, t) = exp_near((p, 0.0));
    let mut part = (h * t, l * t);
    if far {
        let m = expm1_pair((p, 0.0));
        part = (-m.0, -m.1);
    }
    part
}

#[kernel(inline)]
fn quantile_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    // from the nearer end; 1 - p is exact above 1/2
    let rest = 1.0 - p;
    let mut part = (if rest < p { rest } else { p }, 0.0);
    if log {
        part = small_part(p);
    }
    let (t, tl) = pair_mul(s.width, part);
    // 1 from a, -1 from b: by the sign of a difference, because a branch on random numbers costs more than all the rest
    let middle = if log { -0.69 } else { 0.5 };
    let way = f64::copysign(1.0, if lower { middle - p } else { p - middle });
    // (1 - p) of 1/2 goes from b
    let way = if !lower && p == middle { -1.0 } else { way };
    let (y, ye) = two_sum(if way > 0.0 { s.a } else { s.b }, t * way);
    y + (ye + tl * way)
}

#[kernel]
fn quantile_rest(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let a = s.a;
    let b = s.b;
    if p.is_nan() || a.is_nan() || b.is_nan() {
        return p + a + b;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || b < a || a.abs() == f64::INFINITY || b.abs() == f64::INFINITY {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { a } else { b };
    }
    let f = if a.abs() > 1e250 || b.abs() > 1e250 { 5.421_010_862_427_522e-20 } else { 1.0 };
    let back = if f < 1.0 { 18_446_744_073_709_551_616.0 } else { 1.0 };
    let width = two_sum(b * f, -(a * f));
    // the distance from the near end, as a part of the width
    let mut part = (p, 0.0);
    let mut exponent = 0.0;
    let mut from_other_end = false;
    if log {
        if p > -0.69 {
            let e = expm1_pair((p, 0.0));
            part = if p > -1e-300 { (-p, 0.0) } else { (-e.0, -e.1) };
            from_other_end = true;
        } else {
            let far = p < -1400.0;
            let (h, l, k) = exp_parts((if far { -1400.0 } else { p }, 0.0));
            part = (h, l);
            exponent = k; // the width may bring the product back into the range
        }
    } else if p > 0.5 {
        part = (1.0 - p, 0.0); // exact
        from_other_end = true;
    }
    let from_a = lower != from_other_end;
    let step = dd_mul(width, part);
    let step = (scale_by_power(step.0, exponent), scale_by_power(step.1, exponent));
    let y = if from_a { dd_add_d(step, a * f) } else { dd_sub((b * f, 0.0), step) };
    y.0 * back
}

/// The uniform quantile.
///
/// R: `qunif(p, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)`, uniform quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `a <= b`, both finite, else NaN. NaN gives NaN.
/// Method: `a + p (b - a)` in double-double; on the log scale `p` is `exp` as a pair, or, above 1/2, `b + expm1(p) (b - a)`.
/// Paper: dekker1971.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qunif(p: f64, a: f64, b: f64, lower: bool, log: bool) -> f64 {
    let s = quantile_setup(a, b);
    if quantile_in_main(p, s, lower, log) { quantile_main(p, s, lower, log) } else { quantile_rest(p, s, lower, log) }
}

/// A uniform number in [a, b].
///
/// R: `runif(min = 0, max = 1)`, uniform random number.
/// Domain: finite `a <= b`, else NaN; `a = b` gives `a`. The ends appear only where `b - a` is so small against them that
///   rounding reaches them. `b - a` may overflow.
/// Method: `a + (b - a) u`, rounded once after the difference.
/// Paper: salmon2011.
/// Error: the numbers follow `punif`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn runif(seed: u64, stream: u32, index: u64, a: f64, b: f64) -> f64 {
    draw_between(index, draws_setup(seed, stream, a, b))
}

/// What all draws of a stream between the same ends share.
#[kernel]
struct DrawsBetween {
    /// With the lower end, NaN if the ends are none, and the width.
    of: Draws,
    b: f64,
}

#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, a: f64, b: f64) -> DrawsBetween {
    let fine = a <= b && a > f64::NEG_INFINITY && b < f64::INFINITY;
    let of = draws(seed, stream, if fine { a } else { f64::NAN }, b - a);
    DrawsBetween { of, b }
}

#[kernel(inline)]
fn draw_between(index: u64, s: DrawsBetween) -> f64 {
    let of: Draws = s.of;
    let (first, second): (u64, u64) = words_at(index, of);
    let u = unit_53(first, second);
    let (a, width): (f64, f64) = (of.location, of.scale);
    if width < f64::INFINITY { u.mul_add(width, a) } else { u.mul_add(s.b, (1.0 - u) * a) }
}
