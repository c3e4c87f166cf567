//! Quasi families with links that no other family of their variance has: the link gives the mean, the variance the
//! quasi-likelihood of the mean. Both are chosen by codes, so that one kernel serves all pairs.
//!
//! The inputs `a` and `b` of a row are those of the family with the variance (docs/glm.md). A mean or a predictor that variance
//! or link do not allow gives the value `+inf` and the derivatives 0; a row without weight gives 0.

use super::{EXP_END, INVERSE_END, SQUARE_EXP_END};
use gristmill_kernel::kernel;
use gristmill_nmath::{dcauchy, dnorm, exp, expm1, log, pcauchy, pnorm};

/// Of a predictor that the link allows: the mean and its first two derivatives. Links are in the order of `Link::ALL`: logit,
/// probit, cloglog, cauchit, log, inverse, identity, sqrt and `1/mu^2`.
#[kernel]
fn quasi_mean(eta: f64, link: i32) -> (f64, f64, f64) {
    match link {
        0 => {
            let y = exp(-eta.abs());
            let near = 1.0 / (1.0 + y);
            let far = y * near;
            let slope = far * near;
            let turn = slope * ((1.0 - y) * near);
            (if eta < 0.0 { far } else { near }, slope, if eta < 0.0 { turn } else { -turn })
        }
        1 => {
            let density = dnorm(eta, 0.0, 1.0, false);
            let end = eta.abs() > 40.0;
            (pnorm(eta, 0.0, 1.0, true, false), density, if end { 0.0 } else { -eta * density })
        }
        2 => {
            let x = exp(if eta > EXP_END { EXP_END } else { eta });
            let slope = x * exp(-x);
            (-expm1(-x), slope, slope * (1.0 - x))
        }
        3 => {
            let density = dcauchy(eta, 0.0, 1.0, false);
            let fall = if eta.abs() > 1.0 { 2.0 / (eta + 1.0 / eta) } else { 2.0 * eta / eta.mul_add(eta, 1.0) };
            (pcauchy(eta, 0.0, 1.0, true, false), density, -fall * density)
        }
        4 => {
            let mean = exp(if eta > SQUARE_EXP_END { SQUARE_EXP_END } else { eta });
            (mean, mean, mean)
        }
        5 => {
            let mean = 1.0 / eta.abs().max(INVERSE_END).copysign(eta);
            (mean, -(mean * mean), 2.0 * mean * mean * mean)
        }
        6 => (eta, 1.0, 0.0),
        7 => {
            let root = eta.min(1.0 / INVERSE_END);
            (root * root, 2.0 * root, 2.0)
        }
        _ => {
            let mean = 1.0 / eta.max(INVERSE_END).sqrt();
            let square = mean * mean;
            (mean, -0.5 * (square * mean), 0.75 * (square * square * mean))
        }
    }
}

/// Whether the link allows the predictor and the variance the mean. Variances are in the order of `Variance::ALL`: constant,
/// `mu(1 - mu)`, `mu`, `mu^2` and `mu^3`.
#[kernel]
fn quasi_allows(eta: f64, mean: f64, variance: i32, link: i32) -> bool {
    let by_link = match link {
        5 => eta != 0.0,
        7 | 8 => eta > 0.0,
        _ => true,
    };
    // A mean may be so small that it is 0; that of a binomial variance is in an open interval, which the predictor tells.
    let by_variance = match variance {
        0 => true,
        1 => eta > 0.0 && mean >= 0.0 && mean < 1.0,
        _ => mean >= 0.0,
    };
    by_link && by_variance
}

/// Minus the quasi-likelihood of a mean that the variance allows, its derivative, the second one, and the expectation of that.
/// Below 1e-75 they stay at their values there, unless the variance is constant.
#[kernel]
fn quasi_likelihood(exact_mean: f64, a: f64, b: f64, variance: i32) -> (f64, f64, f64, f64) {
    let mean = if variance == 0 { exact_mean } else { exact_mean.max(INVERSE_END) };
    match variance {
        0 => {
            let slope = a * (mean - b);
            (0.5 * slope * (mean - b), slope, a, a)
        }
        1 => {
            let rest = 1.0 - mean;
            let (up, down) = (a / mean, b / rest);
            (-a.mul_add(log(mean), b * log(rest)), down - up, up / mean + down / rest, (a + b) / (mean * rest))
        }
        2 => (a.mul_add(mean, -(b * log(mean))), a - b / mean, b / mean / mean, a / mean),
        3 => {
            let (unit, ratio) = (a / mean, b / mean);
            (a.mul_add(log(mean), ratio), unit - ratio / mean, (2.0 * ratio / mean - unit) / mean, unit / mean)
        }
        _ => {
            let (unit, ratio) = (a / mean, b / mean / mean);
            let square = unit / mean;
            (0.5 * ratio - unit, square - ratio / mean, (3.0 * ratio / mean - 2.0 * square) / mean, square / mean)
        }
    }
}

/// The value where a row cannot be.
#[kernel]
fn quasi_outside(eta: f64, a: f64, b: f64, variance: i32) -> f64 {
    let weight = if variance == 1 { a + b } else { a };
    let value = if weight > 0.0 { f64::INFINITY } else { 0.0 };
    if eta.is_nan() { eta } else { value }
}

/// Minus the quasi-likelihood and its derivative.
#[kernel]
pub fn quasi_row(eta: f64, a: f64, b: f64, variance: i32, link: i32) -> (f64, f64) {
    let (mean, by_eta, _): (f64, f64, f64) = quasi_mean(eta, link);
    let inside: bool = quasi_allows(eta, mean, variance, link);
    if !inside {
        return (quasi_outside(eta, a, b, variance), 0.0);
    }
    let (value, slope, _, _): (f64, f64, f64, f64) = quasi_likelihood(mean, a, b, variance);
    (value, slope * by_eta)
}

/// The second derivative and its expectation, `weight mean'^2/variance`; 0 where the row cannot be.
#[kernel]
pub fn quasi_curvature(eta: f64, a: f64, b: f64, variance: i32, link: i32) -> (f64, f64) {
    let (mean, by_eta, turn): (f64, f64, f64) = quasi_mean(eta, link);
    let inside: bool = quasi_allows(eta, mean, variance, link);
    if !inside {
        return (0.0, 0.0);
    }
    let (_, slope, second, expected): (f64, f64, f64, f64) = quasi_likelihood(mean, a, b, variance);
    let square = by_eta * by_eta;
    (second.mul_add(square, slope * turn), expected * square)
}
