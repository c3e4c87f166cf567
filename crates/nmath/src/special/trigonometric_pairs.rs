//! Sines and tangents of multiples of pi, and the arc tangent, as pairs.

use gristmill_kernel::kernel;

use super::constants::{INV_PI, PI, QUARTER_PI};
use super::double_double::{dd_add, dd_div, dd_mul, dd_square, dd_sub, fast_two_sum, two_prod, two_sum};

/// tan(pi/8) = sqrt(2) - 1
#[kernel]
const TAN_PI_8: f64 = 0.414_213_562_373_095_03;
/// -pi^2/2
#[kernel]
const COS_SECOND: f64 = -4.934_802_200_544_679;

polynomial! {
    /// `(sin(pi x)/x - pi)/x^2` in `x^2`, `|x| <= 1/4`.
    fn sin_pi_tail =
        [7.894791443748967e-07, -2.1914771611939552e-05, 0.0004663027749653344, -0.0073704309448107816]
        [0.08214588661111383, -0.599264529320792, 2.5501640398773455, -5.16771278004997];
}

polynomial! {
    /// `(cos(pi x) - 1)/x^2` in `x^2`, `|x| <= 1/4`.
    fn cos_pi_tail =
        [4.268450557771556e-06, -0.00010463458776443173, 0.0019295741232170458, -0.025806891384552545]
        [0.2353306303588062, -1.3352627688545888, 4.0587121264167685, -4.934802200544679];
}

polynomial! {
    /// `(atan(x)/x - 1)/x^2` in `x^2`, `|x| <= tan(pi/8)`.
    fn atan_tail =
        [0.011957677795907005, -0.02727278893746431]
        [0.03723338850490796, -0.042942426944188594, 0.04754616690273572, -0.05262453421192873]
        [0.05882304593227384, -0.06666664342253605, 0.07692307616176365, -0.09090909089289226]
        [0.1111111111109042, -0.1428571428571415, 0.19999999999999998, -0.3333333333333333];
}

/// `sin(pi t)` of a pair `|t| <= 1/4` as a normalised pair, relative error about 2^-56.
#[kernel(inline)]
fn sin_pi_quarter(t: (f64, f64)) -> (f64, f64) {
    let u = t.0 * t.0;
    let (a, e) = two_prod(t.0, PI.0);
    let tail = t.0 * u * sin_pi_tail(u);
    // the derivative, pi cos(pi t) = pi + 3 t^2 tail' ..., to 1e-3 is enough for the low part of t
    let slope = PI.0 + 3.0 * u * sin_pi_tail(u);
    fast_two_sum(a, t.0.mul_add(PI.1, e) + tail + t.1 * slope)
}

/// `cos(pi t)` of a pair `|t| <= 1/4` as a normalised pair, relative error about 2^-56.
#[kernel(inline)]
fn cos_pi_quarter(t: (f64, f64)) -> (f64, f64) {
    let u = t.0 * t.0;
    let ue = t.0.mul_add(t.0, -u);
    let c = u * cos_pi_tail(u);
    let low = (ue + 2.0 * t.0 * t.1) * COS_SECOND;
    fast_two_sum(1.0, c + low)
}

/// `sin(pi t)` and `cos(pi t)` of a pair `|t| <= 1/4`: `(sine, its low part, cosine, its low part)`, relative 2^-56.
#[kernel(inline)]
pub fn sin_cos_pi_quarter(t: (f64, f64)) -> (f64, f64, f64, f64) {
    let (s, sl) = sin_pi_quarter(t);
    let (c, cl) = cos_pi_quarter(t);
    (s, sl, c, cl)
}

/// `sin(pi x)` as a normalised pair for any finite `x`, relative error about 2^-56: the reduction is exact.
#[kernel(inline)]
pub fn sin_pi_pair(x: f64) -> (f64, f64) {
    let r = x - 2.0 * (x * 0.5).round_ties_even(); // [-1, 1], exact
    let n = (2.0 * r).round_ties_even(); // quadrant -2..2
    let t = (-0.5f64).mul_add(n, r); // exact, |t| <= 1/4
    let s = sin_pi_quarter((t, 0.0));
    // 1 - 2 sin(pi t/2)^2: two bits more than the polynomial of the cosine has
    let h = dd_square(sin_pi_quarter((0.5 * t, 0.0)));
    let c = dd_sub((1.0, 0.0), (2.0 * h.0, 2.0 * h.1));
    let q = if n < 0.0 { n + 4.0 } else { n };
    let odd = q == 1.0 || q == 3.0;
    let sign = if q == 2.0 || q == 3.0 { -1.0 } else { 1.0 };
    (sign * (if odd { c.0 } else { s.0 }), sign * (if odd { c.1 } else { s.1 }))
}

/// `tan(pi t)` of a pair `|t| <= 1/4` as a normalised pair, relative error about 2^-55.
#[kernel(inline)]
pub fn tan_pi_pair(t: (f64, f64)) -> (f64, f64) {
    dd_div(sin_pi_quarter(t), cos_pi_quarter(t))
}

/// `atan(y)/pi` of a pair, `|y| <= tan(pi/8)`, as a normalised pair, relative error about 2^-56.
#[kernel(inline)]
pub fn atan_over_pi(y: (f64, f64)) -> (f64, f64) {
    let u = y.0 * y.0;
    // the low part times the slope 1/(1 + u), of which 8 bits are enough
    let slope = u.mul_add(u - 1.0, 1.0);
    let a = fast_two_sum(y.0, (y.0 * u).mul_add(atan_tail(u), y.1 * slope));
    dd_mul(a, INV_PI)
}

/// `atan(x)` of a pair in [0, 1] as a normalised pair, relative error about 2^-56.
///
/// Above tan(pi/8), `atan(x) = pi/4 - atan((1-x)/(1+x))` brings the argument below it.
#[kernel(inline)]
pub fn atan_pair(x: (f64, f64)) -> (f64, f64) {
    let turned = dd_div(dd_sub((1.0, 0.0), x), dd_add((1.0, 0.0), x));
    let turn = x.0 > TAN_PI_8;
    let yh = if turn { turned.0 } else { x.0 };
    let yl = if turn { turned.1 } else { x.1 };
    let u = yh * yh;
    let tail = yh * u * atan_tail(u);
    let slope = 1.0 / (1.0 + u);
    let a = fast_two_sum(yh, yl * slope + tail);
    let (b, be) = two_sum(QUARTER_PI.0, -a.0);
    let (b, be) = fast_two_sum(b, be + (QUARTER_PI.1 - a.1));
    (if turn { b } else { a.0 }, if turn { be } else { a.1 })
}
