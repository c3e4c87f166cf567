//! Probabilities of rank statistics from their generating function: the trapezoidal rule on a circle.
//!
//! With `G(z)` the generating function of the counts, the count at `j` is the mean of `G(z) z^-j` over a circle about 0, and
//! the sum of the counts up to `j` that of `G(z) z^-j / (1 - z)` over one inside the unit circle. On the circle through the
//! saddle point the integrand is a peak of the width of one over a standard deviation, so the rule with a step of
//! that order is exact but for a share that falls like a Gaussian, and the few points under the peak are enough.
//!
//! Paper: good1957 (saddle point), trefethen2014 (the rule converges geometrically).

use crate::special::double_double::{dd_add, dd_add_d};
use crate::special::exponential::exp;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::complex_pair::{ComplexPair, complex, complex_div, complex_mul, complex_one, complex_power, root_of_unity};
use super::rank_counts::{Masses, Ranks};
use super::scaled_pair::{ScaledPair, exponent_of, scaled, scaled_div, scaled_mul, scaled_power};

/// How far inside the unit circle the points lie at least, in units of one over the standard deviation: there the sum's
/// aliases, which do not fall by themselves, fall by `exp(-TILT ALIAS) = exp(-50)`.
#[kernel]
const TILT: f64 = 3.6;
/// The number of points on the whole circle, in standard deviations of the tilted distribution.
#[kernel]
const ALIAS: f64 = 14.0;
/// Next to the end the tilted distribution is skewed, at worst a gamma distribution of the shape `a = t j`, whose upper tail
/// is `exp(-42)` at about `SYMMETRIC + SKEWED / sqrt(a)` standard deviations.
#[kernel]
const SYMMETRIC: f64 = 10.5;
#[kernel]
const SKEWED: f64 = 30.0;
/// Where the sum's aliases lie beyond the mean, they are 1 times `exp(-t N)`, which has to be `exp(-FALL)` of the sum.
#[kernel]
const FALL: f64 = 45.0;
/// log 2
#[kernel]
const LN_2: f64 = std::f64::consts::LN_2;
/// Factors closer to 1 than `exp(-76) < 2^-109` are 1.
#[kernel]
const FACTOR_END: f64 = 76.0;
/// 2^-66: a point that adds less adds nothing.
#[kernel]
const NOTHING: f64 = 1.355_252_715_606_881e-20;
/// `128 log 2`: below this logarithm of the sum of the counts, the function has other peaks than the one at 1 (about the other
/// roots of unity, of the relative height `2^-64` at -1).
#[kernel]
const PEAKS_END: f64 = 88.7;
/// Peaks about roots of unity of a higher order are nothing where not every point is something.
#[kernel]
const ORDERS: f64 = 16.0;
/// So many points that add nothing in a row end a peak.
#[kernel]
const QUIET: f64 = 6.0;

/// Mean and variance of the distribution tilted by `exp(-t k)`, to about 1e-6.
#[kernel]
fn tilted(t: f64, r: Ranks) -> (f64, f64) {
    let step = exp(-t);
    let far = exp(-t * r.n);
    let mut mean: f64 = 0.0;
    let mut variance: f64 = 0.0;
    let mut w: f64 = step;
    let mut i: f64 = 1.0;
    let size = if r.signed { r.n } else { r.m };
    let end = FACTOR_END / t;
    let size = if size < end { size } else { end };
    while i <= size {
        if r.signed {
            let h = i / (1.0 + w);
            mean += h * w;
            variance += h * h * w;
        } else {
            let v = w * far;
            let h = i / (1.0 - w);
            let g = (r.n + i) / (1.0 - v);
            mean += h * w - g * v;
            variance += h * h * w - g * g * v;
        }
        w *= step;
        i += 1.0;
    }
    (mean, variance)
}

/// Where the circle lies: `(t, standard deviation)` for the radius `exp(-t)`.
///
/// Newton's method for the tilt whose mean is `j`, on `mean^(-1/2)`, which is nearly linear in `t` at both ends; the first value
/// is below the solution. A tenth of a standard deviation is close enough.
#[kernel]
fn saddle(j: f64, r: Ranks) -> (f64, f64) {
    let away = (0.5 * r.last - j) / r.sd;
    let mut t = (if away > TILT { away } else { TILT }) / r.sd;
    let (mut mean, mut variance): (f64, f64) = tilted(t, r);
    let mut steps: f64 = 0.0;
    while steps < 40.0 && (mean - j).abs() > 0.1 * variance.sqrt() && (away > TILT || mean > j) {
        let slope = 0.5 * variance / mean;
        t += ((mean / j).sqrt() - 1.0) / slope;
        (mean, variance) = tilted(t, r);
        steps += 1.0;
    }
    (t, variance.sqrt())
}

/// `a 2^k`.
#[kernel(inline)]
fn complex_scale(a: ComplexPair, k: f64) -> ComplexPair {
    let unit = power_of_two(k);
    ComplexPair { re: (a.re.0 * unit, a.re.1 * unit), im: (a.im.0 * unit, a.im.1 * unit) }
}

/// The exponent of two of a complex number.
#[kernel(inline)]
fn complex_exponent(a: ComplexPair) -> f64 {
    exponent_of(a.re.0.abs() + a.im.0.abs())
}

/// `1 + sign w`.
#[kernel(inline)]
fn one_and(sign: f64, w: ComplexPair) -> ComplexPair {
    complex(dd_add_d((sign * w.re.0, sign * w.re.1), 1.0), (sign * w.im.0, sign * w.im.1))
}

/// A value of the generating function and its exponent of two.
#[kernel]
struct Value {
    value: ComplexPair,
    exponent: f64,
}

/// The generating function at `z`, `|z| = exp(-t)`.
#[kernel]
fn generating(z: ComplexPair, t: f64, r: Ranks) -> Value {
    let one = complex_one();
    let end = FACTOR_END / t;
    let size = if r.signed { r.n } else { r.m };
    let size = if size < end { size } else { end };
    let upper = !r.signed && r.n < end; // otherwise the factors of the numerator are 1
    let mut top = one;
    let mut bottom = one;
    let mut exponent: f64 = 0.0;
    let mut w = z;
    let mut far = complex_mul(complex_power(z, if upper { r.n } else { 0.0 }), z);
    let mut i: f64 = 1.0;
    let mut since: f64 = 0.0;
    while i <= size {
        if r.signed {
            top = complex_mul(top, one_and(1.0, w));
        } else {
            bottom = complex_mul(bottom, one_and(-1.0, w));
            if upper {
                top = complex_mul(top, one_and(-1.0, far));
                far = complex_mul(far, z);
            }
        }
        w = complex_mul(w, z);
        i += 1.0;
        since += 1.0;
        // factors are between 2^-60 and 2
        if since == 8.0 {
            since = 0.0;
            let up = complex_exponent(top);
            let down = complex_exponent(bottom);
            top = complex_scale(top, -up);
            bottom = complex_scale(bottom, -down);
            exponent += up - down;
        }
    }
    Value { value: complex_div(top, bottom), exponent }
}

/// The first fraction above `x` with a denominator of at most `largest`.
#[kernel]
fn next_fraction(x: f64, largest: f64) -> f64 {
    let mut next: f64 = 1.0;
    let mut q: f64 = 2.0;
    while q <= largest {
        let fraction = ((x * q).floor() + 1.0) / q;
        next = if fraction < next { fraction } else { next };
        q += 1.0;
    }
    next
}

/// `exp(2 pi i a b / count)` for integers with `|a b| < 2^50`.
#[kernel]
fn turned(a: f64, b: f64, count: f64) -> ComplexPair {
    let product = a * b;
    let rest = product - (product / count).floor() * count;
    let rest = if rest < 0.0 { rest + count } else { rest };
    root_of_unity(if rest >= count { rest - count } else { rest }, count)
}

/// Probability and distribution function at `j`, below or next to the mean.
///
/// Where there are other peaks than the one at 1, they are about the roots of unity of small order, and no wider than the first
/// one: what lies between, once it is nothing, is left out.
#[kernel]
pub(crate) fn circle_masses(j: f64, r: Ranks) -> Masses {
    let (t, sd): (f64, f64) = saddle(j, r);
    let radius = exp(-t);
    let all: ScaledPair = r.all;
    let mut z = ComplexPair { re: (radius, 0.0), im: (0.0, 0.0) };
    let top: Value = generating(z, t, r);
    // the logarithm of the distribution function, nearly (Chernoff's bound)
    let states = j * t + LN_2 * top.exponent; // of the sum of the counts
    let depth = states - LN_2 * all.exponent;
    let fall = (FALL - (if depth < 0.0 { depth } else { 0.0 })) / t;
    let skewed = SYMMETRIC + SKEWED / (t * j).sqrt();
    let wide = sd * (if skewed > ALIAS { skewed } else { ALIAS });
    let half = (0.5 * (if wide < fall && j + wide > 0.5 * r.last { fall } else { wide })).ceil();
    let count = 2.0 * half + 1.0;
    let turn: ComplexPair = root_of_unity(1.0, count);
    let residue = j - (j / count).floor() * count;
    let back_step = if residue > 0.0 { count - residue } else { 0.0 };
    let back: ComplexPair = root_of_unity(back_step, count);
    let peaks = !r.signed && states < PEAKS_END;
    let orders = if r.m < ORDERS { r.m } else { ORDERS };
    let mut phase: ComplexPair = complex_one();
    let mut mass = (0.0, 0.0);
    let mut sum = (0.0, 0.0);
    let first = top.exponent;
    let mut quiet: f64 = 0.0;
    let mut node: f64 = 0.0;
    let mut peak: f64 = 0.0; // the root of unity, as a part of the turn
    let mut width: f64 = 0.0; // of the first peak, in points
    while node <= half {
        let g: Value = if node == 0.0 { top } else { generating(z, t, r) };
        let below = g.exponent - first;
        quiet += 1.0;
        if below > -200.0 {
            let value: ComplexPair = g.value;
            let v: ComplexPair = complex_mul(complex_scale(value, below), phase);
            let u: ComplexPair = complex_div(v, one_and(-1.0, z));
            let weight = if node == 0.0 { 1.0 } else { 2.0 };
            mass = dd_add(mass, (weight * v.re.0, weight * v.re.1));
            sum = dd_add(sum, (weight * u.re.0, weight * u.re.1));
            let size = v.re.0.abs() + v.im.0.abs();
            quiet = if size < NOTHING * mass.0.abs() { quiet } else { 0.0 };
        }
        let mut next = node + 1.0;
        if quiet >= QUIET && node > peak * count {
            width = if width == 0.0 { node } else { width };
            peak = if peaks { next_fraction(node / count, orders) } else { 1.0 };
            let start = (peak * count - width).floor();
            next = if start > next { start } else { next };
            quiet = 0.0;
        }
        if next > node + 1.0 {
            if next <= half {
                z = turned(next, 1.0, count);
                z = complex_mul(z, ComplexPair { re: (radius, 0.0), im: (0.0, 0.0) });
                phase = turned(next, back_step, count);
            }
        } else {
            z = complex_mul(z, turn);
            phase = complex_mul(phase, back);
        }
        node = next;
    }
    let power = scaled_power(radius, j);
    let unit = scaled_mul(scaled_mul(power, scaled((count, 0.0), 0.0)), all);
    let mass = scaled_div(scaled(mass, first), unit);
    let sum = scaled_div(scaled(sum, first), unit);
    Masses { mass, sum }
}
