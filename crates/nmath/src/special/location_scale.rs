//! `(x - mu)/sigma` and `mu + sigma z` without loss: what every location-scale family starts and ends with.

use gristmill_kernel::kernel;

use super::double_double::{dd_add_d, dd_div_d, dd_mul_d, fast_two_sum, two_sum};

use crate::special::powers_of_two::{TWO_64, TWO_200, TWO_M64};

/// Whether `mu` and `sigma` are so far from the ends of the range that no intermediate result leaves it.
#[kernel(inline)]
pub fn ordinary_scale(mu: f64, sigma: f64) -> bool {
    sigma > 1e-250 && sigma < 1e250 && mu.abs() < 1e290
}

/// Whether `(x - mu)/sigma` has no meaning, for numbers that are not NaN: the scale is not positive, or it is infinity less or over
/// infinity.
#[kernel(inline)]
pub(crate) fn has_no_place(x: f64, mu: f64, sigma: f64) -> bool {
    sigma <= 0.0 || (x.abs() == f64::INFINITY && (x == mu || sigma == f64::INFINITY))
}

/// `(x - mu)/sigma` as a loose pair, given `1/sigma`: the difference is exact, the quotient has its residual.
///
/// Domain: [`ordinary_scale`], `|x| < 1e290` and a quotient below 1e290.
#[kernel(inline)]
pub fn standardise(x: f64, mu: f64, sigma: f64, inverse: f64) -> (f64, f64) {
    let (d, e) = two_sum(x, -mu);
    let q = d * inverse;
    (q, ((-q).mul_add(sigma, d) + e) * inverse)
}

/// `(x - mu) unit` as a loose pair: where the inverse of a scale, perhaps with a constant factor, is at hand as a pair.
///
/// Domain: as [`standardise`].
#[kernel(inline)]
pub fn standardise_by(x: f64, mu: f64, unit: (f64, f64)) -> (f64, f64) {
    let (d, e) = two_sum(x, -mu);
    let q = d * unit.0;
    (q, e.mul_add(unit.0, d.mul_add(unit.1, d.mul_add(unit.0, -q))))
}

/// `(x - mu)/sigma` as a normalised pair for any finite arguments, `sigma > 0`; infinite where the quotient overflows.
#[kernel(inline)]
pub fn standardise_any(x: f64, mu: f64, sigma: f64) -> (f64, f64) {
    let big = x.abs() > 1e290 || mu.abs() > 1e290 || sigma > 1e250;
    let small = sigma < 1e-250 && x.abs() < 1e200 && mu.abs() < 1e200;
    let f = if big {
        TWO_M64
    } else if small {
        TWO_200
    } else {
        1.0
    };
    let (d, e) = two_sum(x * f, -(mu * f));
    let s = sigma * f;
    let q = if d == 0.0 { 0.0 } else { d / s }; // s may have become 0
    let r = ((-q).mul_add(s, d) + e) / s;
    let fine = q.abs() < 1e300 && r.abs() < 1e300;
    let n = fast_two_sum(q, r);
    (if fine { n.0 } else { q }, if fine { n.1 } else { 0.0 })
}

/// `x/scale` of positive doubles as a pair, also where they are subnormal: the residual of the division, some 2^-53 of `x`, is not.
#[kernel(inline)]
pub fn ratio_any(x: f64, scale: f64) -> (f64, f64) {
    // with a larger scale the quotient is 0
    let small = x < 1e-290 && scale < 1e200;
    let f = if small { TWO_200 } else { 1.0 };
    dd_div_d(x * f, scale * f)
}

/// `mu + sigma z` of a pair `z`, rounded once; also where the product overflows.
#[kernel(inline)]
pub fn locate(z: (f64, f64), mu: f64, sigma: f64) -> f64 {
    let y = dd_add_d(dd_mul_d(z, sigma), mu);
    // next to the end of the range a low part overflows: the same, scaled
    let t = dd_add_d(dd_mul_d(z, sigma * TWO_M64), mu * TWO_M64);
    let rough = z.0.mul_add(sigma, mu);
    let far = if t.0.abs() < 1e300 { t.0 * TWO_64 } else { rough };
    if y.0.abs() < 1e300 { y.0 } else { far }
}
