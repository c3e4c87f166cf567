//! The Cauchy distribution.

use gristmill_kernel::kernel;

use crate::special::constants::{INV_PI_HIGH, INV_PI_LOW, LN_PI_HIGH, LN_PI_LOW, LN2_HIGH, LN2_LOW, PI_HIGH};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, two_sum,
};
use crate::special::exponential::{exp_parts, expm1_pair};
use crate::special::location_scale::{locate, standardise_any};
use crate::special::logarithm::log_dd;
use crate::special::poisson_mass::scaled_exp;
use crate::special::scaling::power_of_two;
use crate::special::trigonometry::{atan_pair, tan_pi_pair};

/// `log(|x - location|/scale)` as a pair, where the quotient itself may leave the range.
#[kernel(inline)]
fn log_distance(x: f64, location: f64, scale: f64) -> (f64, f64) {
    let d: (f64, f64) = two_sum(0.25 * x, -(0.25 * location));
    let d: (f64, f64) = if d.0 < 0.0 { (-d.0, -d.1) } else { d };
    let l = dd_add(log_dd(d), (2.0 * LN2_HIGH, 2.0 * LN2_LOW));
    dd_sub(l, log_dd((scale, 0.0)))
}

/// The Cauchy density.
///
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0, or NaN where it equals `location`. NaN gives NaN.
/// Method: `1/(pi scale (1 + z^2))` with the square as a pair; beyond |z| = 1e100 the 1 is nothing, and the logs of the
///   factors are added.
/// Error: see `dcauchy` in the table of bounds.
#[kernel]
pub fn dcauchy(x: f64, location: f64, scale: f64, log: bool) -> f64 {
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if scale <= 0.0 || (x.abs() == f64::INFINITY && (x == location || scale == f64::INFINITY)) {
        return f64::NAN;
    }
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY || scale == f64::INFINITY {
        return nothing;
    }
    let z: (f64, f64) = standardise_any(x, location, scale);
    let far = z.0.abs() > 1e100;
    let q = dd_add_d(dd_square(if far { (0.0, 0.0) } else { z }), 1.0);
    if log || far || scale < 1e-180 || scale > 1e180 {
        let mut l = log_dd(q);
        if far {
            let d: (f64, f64) = log_distance(x, location, scale);
            l = (2.0 * d.0, 2.0 * d.1);
        }
        let r: (f64, f64) = dd_add(dd_add(l, log_dd((scale, 0.0))), (LN_PI_HIGH, LN_PI_LOW));
        return if log { -r.0 } else { scaled_exp((-r.0, -r.1), (1.0, 0.0)) };
    }
    dd_high(dd_div((INV_PI_HIGH, INV_PI_LOW), dd_mul_d(q, scale)))
}

/// The Cauchy distribution function.
///
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0 or 1, or NaN where it equals `location`. NaN gives NaN.
/// Method: the smaller tail is `atan(1/|z|)/pi` for |z| > 1, else `1/2 - atan(|z|)/pi`, all as pairs; beyond |z| = 1e100 it
///   is `1/(pi |z|)`, by logs.
/// Error: see `pcauchy` in the table of bounds.
#[kernel]
pub fn pcauchy(x: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if scale <= 0.0 || (x.abs() == f64::INFINITY && (x == location || scale == f64::INFINITY)) {
        return f64::NAN;
    }
    let small = (x < location) == lower; // the smaller tail is asked for
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY {
        let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
        return if small {
            nothing
        } else if log {
            0.0
        } else {
            1.0
        };
    }
    let mut z: (f64, f64) = (0.0, 0.0);
    if scale < f64::INFINITY {
        z = standardise_any(x, location, scale);
    }
    let a: (f64, f64) = if z.0 < 0.0 { (-z.0, -z.1) } else { z };
    if a.0 > 1e100 {
        let l: (f64, f64) = dd_add(log_distance(x, location, scale), (LN_PI_HIGH, LN_PI_LOW));
        if small {
            return if log { -l.0 } else { scaled_exp((-l.0, -l.1), (1.0, 0.0)) };
        }
        return if log { -scaled_exp((-l.0, -l.1), (1.0, 0.0)) } else { 1.0 };
    }
    let outside = a.0 > 1.0;
    let inverse = dd_inverse(if outside { a } else { (1.0, 0.0) });
    let angle = dd_mul(atan_pair(if outside { inverse } else { a }), (INV_PI_HIGH, INV_PI_LOW));
    let tail: (f64, f64) = if outside { angle } else { dd_sub((0.5, 0.0), angle) };
    let p: (f64, f64) = if small { tail } else { dd_sub((1.0, 0.0), tail) };
    if !log {
        return p.0;
    }
    if !small && tail.0 < 1e-20 { -tail.0 } else { dd_high(log_dd(p)) }
}

/// The Cauchy quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `scale >= 0` finite, else NaN; 0 and 1 give the infinities; `scale = 0` gives
///   `location`. NaN gives NaN.
/// Method: p in [1/4, 3/4] tan(pi (p - 1/2)); outside, 1/tan(pi t) with t the smaller tail. The argument is exact, or, on
///   the log scale, a pair from exp or expm1, so that nothing cancels.
/// Error: see `qcauchy` in the table of bounds.
#[kernel]
pub fn qcauchy(p: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() || location.is_nan() || scale.is_nan() {
        return p + location + scale;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || scale < 0.0 || scale == f64::INFINITY {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if scale == 0.0 || location.abs() == f64::INFINITY {
        return location;
    }
    // centre: t = p - 1/2; otherwise the smaller tail, `left` if it is that of p itself
    let left = if log { p < -1.386_294_361_119_890_6 } else { p < 0.25 };
    let right = if log { p > -0.287_682_072_451_780_9 } else { p > 0.75 };
    let mut t: (f64, f64) = two_sum(p, -0.5);
    if log {
        if left {
            if p < -600.0 {
                // the tail is below the range of pairs: z = -exp(-p)/pi
                let y = scaled_exp((-p, 0.0), dd_mul_d((INV_PI_HIGH, INV_PI_LOW), scale));
                return if lower { location - y } else { location + y };
            }
            let (h, l, k) = exp_parts((p, 0.0));
            let s = power_of_two(k);
            t = (h * s, l * s);
        } else if right {
            let e: (f64, f64) = expm1_pair((p, 0.0));
            t = (-e.0, -e.1);
        } else {
            let e: (f64, f64) = expm1_pair(dd_add_d((LN2_HIGH, LN2_LOW), p));
            t = (0.5 * e.0, 0.5 * e.1);
        }
    } else if left {
        t = (p, 0.0);
    } else if right {
        t = (1.0 - p, 0.0);
    }
    let sign = if lower { 1.0 } else { -1.0 };
    if t.0.abs() < 1e-200 && (left || right) {
        let y = scale / (PI_HIGH * t.0);
        return if left { location - sign * y } else { location + sign * y };
    }
    let tangent = tan_pi_pair(t);
    let mut z: (f64, f64) = tangent;
    if left || right {
        z = dd_inverse(tangent);
    }
    let sign = if left { -sign } else { sign };
    locate((sign * z.0, sign * z.1), location, scale)
}
