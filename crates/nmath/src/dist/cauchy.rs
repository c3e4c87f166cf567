//! The Cauchy distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, two_sided, words_at};
use crate::special::circular_triple::{circular_series, minus_square_of_turn, turn_triple};
use crate::special::constants::{INV_PI, LN_PI, LN2};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, fast_two_sum, pair_div,
    pair_mul_d, two_prod, two_sum,
};
use crate::special::exponential::{exp_parts, expm1_pair};
use crate::special::extra_precision::{triple_add, triple_mul};
use crate::special::location_scale::{has_no_place, locate, standardise, standardise_any};
use crate::special::logarithm::{log_dd, log_loose_of_pair};
use crate::special::poisson_mass::scaled_exp;
use crate::special::scaling::power_of_two;
use crate::special::trigonometric::tanpi;
use crate::special::trigonometric_pairs::{atan_over_pi, atan_pair, sin_cos_pi_quarter, tan_pi_pair};

/// `log(|x - location|/scale)` as a pair, where the quotient itself may leave the range.
#[kernel(inline)]
fn log_distance(x: f64, location: f64, scale: f64) -> (f64, f64) {
    let d = two_sum(0.25 * x, -(0.25 * location));
    let d = if d.0 < 0.0 { (-d.0, -d.1) } else { d };
    let l = dd_add(log_dd(d), (2.0 * LN2.0, 2.0 * LN2.1));
    dd_sub(l, log_dd((scale, 0.0)))
}

/// What the functions need of their parameters.
#[kernel]
struct Scale {
    location: f64,
    scale: f64,
    /// 1/scale; NaN where a parameter is so far from 1 that the main paths do not hold.
    inverse: f64,
}

#[kernel(inline)]
fn scale_setup(location: f64, scale: f64) -> Scale {
    let ordinary = scale > 1e-100 && scale < 1e100 && location.abs() < 1e290;
    Scale { location, scale, inverse: if ordinary { 1.0 / scale } else { f64::NAN } }
}

/// What the density needs of its parameters.
#[kernel]
struct DensityScale {
    location: f64,
    scale: f64,
    /// scale^2 as a pair.
    square: (f64, f64),
    /// scale/pi as a pair.
    factor: (f64, f64),
    /// The largest distance from the location on the main path; NaN where the scale is so far from 1 that there is none.
    reach: f64,
    log: bool,
}

#[kernel(inline)]
fn density_setup(location: f64, scale: f64, log: bool) -> DensityScale {
    let ordinary = scale > 1e-70 && scale < 1e70;
    let s = if ordinary { scale } else { 1.0 };
    let (square, square_low) = two_prod(s, s);
    let factor = pair_mul_d(INV_PI, s);
    DensityScale {
        location,
        scale,
        square: (square, square_low),
        factor,
        reach: if ordinary { 1e70 } else { f64::NAN },
        log,
    }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    (x - s.location).abs() < s.reach
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    // q = scale^2 + d^2
    let (d, dl) = two_sum(x, -s.location);
    let (p, pe) = two_prod(d, d);
    let (q, qe) = two_sum(s.square.0, p);
    let ql = qe + ((2.0 * d).mul_add(dl, pe) + s.square.1);
    let inverse = 1.0 / q;
    let y = s.factor.0 * inverse;
    let r = (-y).mul_add(ql, (-y).mul_add(q, s.factor.0) + s.factor.1);
    if s.log {
        let l = log_loose_of_pair((y, r * inverse));
        l.0 + l.1
    } else {
        r.mul_add(inverse, y)
    }
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let location = s.location;
    let scale = s.scale;
    let nothing = zero_on(log);
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if has_no_place(x, location, scale) {
        return f64::NAN;
    }
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY || scale == f64::INFINITY {
        return nothing;
    }
    let z = standardise_any(x, location, scale);
    let far = z.0.abs() > 1e100;
    let q = dd_add_d(dd_square(if far { (0.0, 0.0) } else { z }), 1.0);
    if log || far || scale < 1e-180 || scale > 1e180 {
        let mut l = log_dd(q);
        if far {
            let d = log_distance(x, location, scale);
            l = (2.0 * d.0, 2.0 * d.1);
        }
        let r = dd_add(dd_add(l, log_dd((scale, 0.0))), LN_PI);
        return if log { -r.0 } else { scaled_exp((-r.0, -r.1), (1.0, 0.0)) };
    }
    dd_high(dd_div(INV_PI, dd_mul_d(q, scale)))
}

/// The Cauchy density.
///
/// R: `dcauchy(x, location = 0, scale = 1, log = FALSE)`, Cauchy density.
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0, or NaN where it equals `location`. NaN gives NaN.
/// Method: `(scale/pi)/(scale^2 + (x - location)^2)`, all terms as pairs, with one division; on the log scale the
///   logarithm of that pair. Where `z` is beyond 1e100, or the scale far from 1, the logs of the factors are added.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dcauchy(x: f64, location: f64, scale: f64, log: bool) -> f64 {
    let s = density_setup(location, scale, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, _lower: bool, _log: bool) -> bool {
    ((x - s.location) * s.inverse).abs() < 1e70
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let z = standardise(x, s.location, s.scale, s.inverse);
    let sign = f64::copysign(1.0, z.0);
    let a = z.0.abs();
    let al = z.1 * sign;
    // the smaller tail is 1/2 - atan(a)/pi = 1/4 + atan((1-a)/(1+a))/pi = atan(1/a)/pi, up to tan(pi/8), beyond its inverse and
    // between. The three are chosen by numbers that are 0 or 1, exactly: a branch on random numbers costs more than all the rest.
    let near = if a < 0.41421356237309503 { 1.0 } else { 0.0 };
    let far = if a > 2.414213562373095 { 1.0 } else { 0.0 };
    let times = (near + near) + (far - 1.0); // of a in the numerator: 1, -1, 0
    let (n, ne) = two_sum(1.0 - near, times * a);
    let (d, de) = two_sum(1.0 - far, (1.0 - near) * a);
    let angle = atan_over_pi(pair_div((n, times.mul_add(al, ne)), (d, (1.0 - near).mul_add(al, de))));
    // 1 for the smaller tail, -1 for the other
    let side = if lower { -sign } else { sign };
    // 1/2, 1/4, 0; from 1 for the other tail
    let start = (0.25 * (near - far) - 0.25).mul_add(side, 0.5);
    let way = (1.0 - (near + near)) * side;
    let (s, e) = fast_two_sum(start, angle.0 * way);
    let low = e + angle.1 * way;
    if log {
        // where the smaller tail is below an ulp of 1 it stands in the low part, and its logarithm's is minus itself
        let l = log_loose_of_pair((s, low));
        l.0 + l.1
    } else {
        s + low
    }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let location = s.location;
    let scale = s.scale;
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if has_no_place(x, location, scale) {
        return f64::NAN;
    }
    let small = (x < location) == lower; // the smaller tail is asked for
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY {
        let nothing = zero_on(log);
        return if small { nothing } else { one_on(log) };
    }
    let mut z = (0.0, 0.0);
    if scale < f64::INFINITY {
        z = standardise_any(x, location, scale);
    }
    let a = if z.0 < 0.0 { (-z.0, -z.1) } else { z };
    if a.0 > 1e100 {
        let l = dd_add(log_distance(x, location, scale), LN_PI);
        if small {
            return if log { -l.0 } else { scaled_exp((-l.0, -l.1), (1.0, 0.0)) };
        }
        return if log { -scaled_exp((-l.0, -l.1), (1.0, 0.0)) } else { 1.0 };
    }
    let outside = a.0 > 1.0;
    let inverse = dd_inverse(if outside { a } else { (1.0, 0.0) });
    let angle = dd_mul(atan_pair(if outside { inverse } else { a }), INV_PI);
    let tail = if outside { angle } else { dd_sub((0.5, 0.0), angle) };
    let p = if small { tail } else { dd_sub((1.0, 0.0), tail) };
    if !log {
        return p.0;
    }
    if !small && tail.0 < 1e-20 { -tail.0 } else { dd_high(log_dd(p)) }
}

/// The Cauchy distribution function.
///
/// R: `pcauchy(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)`, Cauchy distribution function.
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0 or 1, or NaN where it equals `location`. NaN gives NaN.
/// Method: the smaller tail is `1/2 - atan(|z|)/pi` up to tan(pi/8), `atan(1/|z|)/pi` from its inverse on, and in between
///   `1/4 + atan((1 - |z|)/(1 + |z|))/pi`, all as pairs with one division; beyond |z| = 1e100 it is `1/(pi |z|)`, by logs.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.54 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pcauchy(x: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(location, scale);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// The share of the location below which a quantile has lost digits that pairs of ordinary precision do not have.
#[kernel]
const CANCELLED: f64 = 0.25;

/// The quantile where it is not on the log scale and nothing cancels, NaN elsewhere.
#[kernel(inline)]
fn quantile_main(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let left = p < 0.25;
    let right = p > 0.75;
    let t = if left {
        p
    } else if right {
        1.0 - p
    } else {
        p - 0.5
    }; // exact
    let (sine, sine_low, cosine, cosine_low) = sin_cos_pi_quarter((t, 0.0));
    let outer = left || right;
    let n = (if outer { cosine } else { sine }, if outer { cosine_low } else { sine_low });
    let d = (if outer { sine } else { cosine }, if outer { sine_low } else { cosine_low });
    let z = pair_div(n, d);
    let plus = lower != left;
    let y = dd_high(dd_add_d(dd_mul_d(z, if plus { s.scale } else { -s.scale }), s.location));
    let inside = !log && p > 1e-100 && p < 1.0 && s.inverse > 0.0;
    if inside && y.abs() >= CANCELLED * s.location.abs() { y } else { f64::NAN }
}

#[kernel(inline)]
fn quantile_holds(y: f64) -> bool {
    !y.is_nan()
}

/// `location + scale tan(pi t)`, or with `outer` its inverse, where the two terms cancel: in triples, `t` being exact.
#[kernel]
fn quantile_cancelled(t: f64, outer: bool, location: f64, scale: f64) -> f64 {
    let w = minus_square_of_turn(t);
    let sine = triple_mul(circular_series(w, false), turn_triple(t));
    let cosine = circular_series(w, true);
    let top = if outer { cosine } else { sine };
    let bottom = if outer { sine } else { cosine };
    let sum = triple_add(triple_mul(top, (scale, 0.0, 0.0)), triple_mul(bottom, (location, 0.0, 0.0)));
    let y = dd_div((sum.0, sum.1), (bottom.0, bottom.1));
    y.0 + y.1
}

#[kernel]
fn quantile_rest(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let location = s.location;
    let scale = s.scale;
    if p.is_nan() || location.is_nan() || scale.is_nan() {
        return p + location + scale;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || scale < 0.0 || scale == f64::INFINITY {
        return f64::NAN;
    }
    if scale == 0.0 {
        return location; // also for 0 and 1, as in R
    }
    if end < 2.0 {
        return if end == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if location.abs() == f64::INFINITY {
        return location;
    }
    // centre: t = p - 1/2; otherwise the smaller tail, `left` if it is that of p itself
    let left = if log { p < -1.386_294_361_119_890_6 } else { p < 0.25 };
    let right = if log { p > -0.287_682_072_451_780_9 } else { p > 0.75 };
    let mut t = two_sum(p, -0.5);
    if log {
        if left {
            if p < -600.0 {
                // the tail is below the range of pairs: z = -exp(-p)/pi
                let wide = scale > 1e-280;
                let e = if wide { (-p, 0.0) } else { dd_add_d(log_dd((scale, 0.0)), -p) };
                let y = scaled_exp(e, dd_mul_d(INV_PI, if wide { scale } else { 1.0 }));
                return if lower { location - y } else { location + y };
            }
            let (h, l, k) = exp_parts((p, 0.0));
            let s = power_of_two(k);
            t = (h * s, l * s);
        } else if right {
            let e = expm1_pair((p, 0.0));
            let tiny = p > -1e-290;
            t = (if tiny { -p } else { -e.0 }, if tiny { 0.0 } else { -e.1 });
        } else {
            let e = expm1_pair(dd_add_d(LN2, p));
            t = (0.5 * e.0, 0.5 * e.1);
        }
    } else if left {
        t = (p, 0.0);
    } else if right {
        t = (1.0 - p, 0.0);
    }
    let sign = if lower { 1.0 } else { -1.0 };
    if t.0.abs() < 1e-200 && (left || right) {
        // scale/(pi t), in this order because t may be subnormal; the residual puts the roundings back
        let (h, l) = two_prod(scale, INV_PI.0);
        let quotient = h / t.0;
        let residual = ((-quotient).mul_add(t.0, h) + scale.mul_add(INV_PI.1, l)) / t.0;
        let plain = if residual.abs() < f64::INFINITY { quotient + residual } else { quotient };
        let y = if scale < 1e-200 { scale / t.0 * INV_PI.0 } else { plain };
        return if left { location - sign * y } else { location + sign * y };
    }
    let tangent = tan_pi_pair(t);
    let mut z: (f64, f64) = tangent;
    if left || right {
        z = dd_inverse(tangent);
    }
    let sign = if left { -sign } else { sign };
    let y = locate((sign * z.0, sign * z.1), location, scale);
    let ordinary = scale > 1e-150 && scale < 1e150 && location.abs() < 1e150;
    if !log && ordinary && t.0.abs() > 1e-100 && y.abs() < CANCELLED * location.abs() {
        return quantile_cancelled(t.0, left || right, location, sign * scale);
    }
    y
}

/// The Cauchy quantile.
///
/// R: `qcauchy(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)`, Cauchy quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `scale >= 0` finite, else NaN; 0 and 1 give the infinities; `scale = 0` gives
///   `location`, whatever `p`. NaN gives NaN.
/// Method: p in [1/4, 3/4] tan(pi (p - 1/2)); outside, 1/tan(pi t) with t the smaller tail. The argument is exact, or, on
///   the log scale, a pair from exp or expm1, so that nothing cancels. Where the location takes away more than three quarters of it, in
///   triples of doubles (not on the log scale).
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.70 ulp, at most 0.90 ulp on the points of dev/oracle (0.80 and 0.80 on the corners); the tests hold it.
#[kernel(split)]
pub fn qcauchy(p: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(location, scale);
    let y = quantile_main(p, s, lower, log);
    if quantile_holds(y) { y } else { quantile_rest(p, s, lower, log) }
}

/// A Cauchy number.
///
/// R: `rcauchy(location = 0, scale = 1)`, Cauchy random number.
/// Domain: `0 <= scale < inf` and `location` not NaN, else NaN; `scale = 0` or an infinite `location` gives `location`.
/// Method: `location + scale w` where `|w|` is `tan(pi t)` or its inverse, `t` uniform in (0, 1/4): the tails have all
///   their digits.
/// Paper: salmon2011.
/// Error: the numbers follow `pcauchy`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rcauchy(seed: u64, stream: u32, index: u64, location: f64, scale: f64) -> f64 {
    draw(index, draws_setup(seed, stream, location, scale))
}

/// What all draws of a stream share: with a location that is NaN where the parameters are none.
#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, location: f64, scale: f64) -> Draws {
    let fine = scale >= 0.0 && scale < f64::INFINITY && !location.is_nan();
    draws(seed, stream, if fine { location } else { f64::NAN }, scale)
}

#[kernel(inline)]
fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    // two bits for the sign and the half, the rest for the angle; `two_sided` is not above, for its first bit is 0
    let (t, _): (f64, bool) = two_sided(first >> 2, second);
    let w = tanpi(t);
    let size = if first & 1 == 1 { 1.0 / w } else { w };
    s.scale.mul_add(if first & 2 == 2 { -size } else { size }, s.location)
}
