//! `pow`.

use super::double_double::dd_mul_d;
use super::exponential::exp_pair;
use super::logarithm::log_dd_of_double;
use gristmill_kernel::kernel;

/// `x^y`.
#[kernel(inline)]
pub fn pow(x: f64, y: f64) -> f64 {
    let ax = x.abs();
    let l: (f64, f64) = log_dd_of_double(ax);
    // Beyond +-1e4 the product may overflow on its way; exp_pair gives 0 and infinity from far less.
    let rough = l.0 * y;
    let inside = rough.abs() < 1e4;
    let (ph, pl) = dd_mul_d(l, y);
    let r = exp_pair((if inside { ph } else { rough }, if inside { pl } else { 0.0 }));
    let integral = y.floor() == y;
    let odd = integral && y.abs() < 9_007_199_254_740_992.0 && (y * 0.5).floor() * 2.0 != y;
    // The ends of the range of |x| and y, where the formula above does not hold.
    let r = if ax == 0.0 {
        if y > 0.0 { 0.0 } else { f64::INFINITY }
    } else if ax == f64::INFINITY {
        if y > 0.0 { f64::INFINITY } else { 0.0 }
    } else {
        r
    };
    let grows = (ax > 1.0) == (y > 0.0);
    let limit = if ax == 1.0 {
        1.0
    } else if grows {
        f64::INFINITY
    } else {
        0.0
    };
    let r = if y.abs() == f64::INFINITY { limit } else { r };
    let negative = x.to_bits() >> 63 == 1;
    let r = if negative && odd { -r } else { r };
    let r = if x < 0.0 && x > f64::NEG_INFINITY && !integral { f64::NAN } else { r };
    let r = if x.is_nan() || y.is_nan() { x + y } else { r };
    if x == 1.0 || y == 0.0 { 1.0 } else { r }
}
