//! The beta distribution with a shape above 1e260.
//!
//! Where the other shape is less than 1e-100 of it, `-log(1 - x)` times the large shape is a gamma number of the small one. Otherwise the
//! relative width is below 1e-80: a step at the mean, and on the log scale the deviance, which is proportional to the shapes.

use crate::special::binomial_kernel::{dd_quotient, deviance, exp_of};
use crate::special::constants::INV_SQRT_2PI;
use crate::special::conventions::{one_on, zero_on};
use crate::special::double_double::{dd_add, dd_div, dd_mul_d, dd_neg, dd_sub, two_sum};
use crate::special::exponential::{exp, expm1};
use crate::special::incomplete_beta::log1p_any;
use crate::special::incomplete_gamma::{gamma_quantile, gamma_shape, pgamma_beyond, tail_logs};
use crate::special::logarithm::{log as natural_log, log_dd};
use crate::special::poisson_mass::poisson_parts;
use crate::special::powers_of_two::{TWO_200, TWO_M200};
use gristmill_kernel::kernel;

/// From here on a shape is large.
#[kernel]
pub(crate) const LARGE: f64 = 1e260;
/// The share of the large shape below which the other one is small.
#[kernel]
const SMALL_SHARE: f64 = 1e-100;
/// A gamma number from which on its tail is its exponential, whatever the shape.
#[kernel]
const FAR: f64 = 1e300;

/// A point as the small shape sees it.
#[kernel]
struct Place {
    /// The small shape.
    small: f64,
    /// The large one.
    large: f64,
    /// Whether the small one is the second, so that its tails are the other ones.
    mirror: bool,
    /// Whether the gamma distribution serves.
    gamma: bool,
    /// The gamma number, as a pair.
    t: (f64, f64),
}

#[kernel]
fn place(x: f64, a: f64, b: f64) -> Place {
    let mirror = a > b;
    let small = if mirror { b } else { a };
    let large = if mirror { a } else { b };
    let l: (f64, f64);
    if mirror {
        l = dd_neg(log_dd((x, 0.0)));
    } else {
        l = dd_neg(log1p_any((-x, 0.0)));
    }
    let far = l.0 > FAR / large;
    let t = if far { (l.0 * large, 0.0) } else { dd_mul_d(l, large) };
    Place { small, large, mirror, gamma: small < SMALL_SHARE * large, t }
}

/// `a - (a+b) x` over 2^200.
#[kernel]
fn from_mean(x: f64, a: f64, b: f64) -> f64 {
    let n = two_sum(a * TWO_M200, b * TWO_M200);
    dd_sub((a * TWO_M200, 0.0), dd_mul_d(n, x)).0
}

/// Minus the deviance at `0 < x < 1`.
#[kernel]
fn log_of_step(x: f64, a: f64, b: f64) -> f64 {
    let d = deviance(a * TWO_M200, b * TWO_M200, (x, 0.0), two_sum(1.0, -x));
    -((d.0 + d.1) * TWO_200)
}

/// The density at `0 < x < 1`.
#[kernel]
pub(crate) fn density_beyond(x: f64, a: f64, b: f64, log: bool) -> f64 {
    let s = place(x, a, b);
    let t: (f64, f64) = s.t;
    if s.gamma {
        if t.0 >= FAR {
            return if log { -t.0 } else { 0.0 };
        }
        // that of the gamma number times the large shape
        let ratio = dd_sub(log_dd((s.large, 0.0)), log_dd(t));
        let mut e = dd_add(dd_sub(ratio, t), log_dd((s.small, 0.0)));
        if s.small > 1e-100 {
            let (pe, pel, c, cl) = poisson_parts(s.small, t);
            e = dd_add(dd_add(ratio, log_dd((s.small, 0.0))), dd_add((pe, pel), log_dd((c, cl))));
        }
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    if from_mean(x, a, b) == 0.0 {
        // sqrt((a+b)/(2 pi x y))
        let v = INV_SQRT_2PI.0 * (0.5 * a + 0.5 * b).sqrt() * (2.0 / (x * (1.0 - x))).sqrt();
        return if log { natural_log(v) } else { v };
    }
    if log { log_of_step(x, a, b) } else { 0.0 }
}

/// The distribution function at `0 < x < 1`.
#[kernel]
pub(crate) fn probability_beyond(x: f64, a: f64, b: f64, lower: bool, log: bool) -> f64 {
    let s = place(x, a, b);
    let t: (f64, f64) = s.t;
    if s.gamma {
        let below = lower != s.mirror;
        if t.0 >= FAR {
            return if below {
                one_on(log)
            } else if log {
                -t.0
            } else {
                0.0
            };
        }
        return pgamma_beyond(s.small, t, (0.0, 0.0), below, log);
    }
    let apart = from_mean(x, a, b);
    if apart == 0.0 {
        return if log { -std::f64::consts::LN_2 } else { 0.5 };
    }
    if (apart < 0.0) == lower {
        return one_on(log);
    }
    if log { log_of_step(x, a, b) } else { zero_on(log) }
}

/// The quantile of a probability strictly between 0 and 1.
#[kernel]
pub(crate) fn quantile_beyond(p: f64, a: f64, b: f64, lower: bool, log: bool) -> f64 {
    let s = place(0.5, a, b);
    if !s.gamma {
        return dd_quotient((0.5 * a, 0.0), two_sum(0.5 * a, 0.5 * b)).0;
    }
    let (same, same_low, other, other_low) = tail_logs(p, log);
    let below = lower != s.mirror;
    let log_lower = if below { (same, same_low) } else { (other, other_low) };
    let log_upper = if below { (other, other_low) } else { (same, same_low) };
    let (high, low, scale) = gamma_quantile(gamma_shape(s.small), log_lower, log_upper);
    if scale == 1.0 {
        let share = exp_of(dd_sub((high, low), log_dd((s.large, 0.0))));
        return if s.mirror { 1.0 } else { share };
    }
    // x = 1 - exp(-t/large)
    let rough = high / s.large;
    if s.mirror {
        return exp(-rough);
    }
    let share = dd_div((high * TWO_200, low * TWO_200), (s.large * TWO_M200, 0.0));
    let value = (share.0 * TWO_M200) * TWO_M200;
    if rough > 1e-20 { -expm1(-rough) } else { value }
}
