//! `asin`, `acos`, `atan`, `atan2`.

use super::constants::{PI, QUARTER_PI};
use super::double_double::{dd_sqrt, fast_two_sum, two_sum};
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

use crate::special::powers_of_two::TWO_256;

/// pi/2.
#[kernel]
const HALF_PI: (f64, f64) = (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
/// tan(pi/8) = sqrt(2) - 1
#[kernel]
const TAN_EIGHTH_PI: f64 = 0.41421356237309503;
/// 1/tan(pi/8) = sqrt(2) + 1
#[kernel]
const COT_EIGHTH_PI: f64 = 2.414213562373095;

polynomial! {
    /// `(atan(t)/t - 1) / t^2` as a polynomial in `t^2`, for `|t| <= tan(pi/8)`; error 1.4e-16.
    fn atan_tail =
        [-0.01917392228554793, 0.03922923713835943, -0.05085365922344248]
        [0.05858132894427922, -0.06664509603255386, 0.07692183059894114, -0.09090904572487347]
        [0.11111111015117626, -0.1428571428466482, 0.19999999999995513, -0.3333333333333333];
}

polynomial! {
    /// `(asin(s)/s - 1) / s^2` as a polynomial in `s^2`, for `|s| <= 1/2`; error 5.5e-17.
    fn asin_tail =
        [0.02961201126495512, -0.01924167174674304]
        [0.019554513336123378, 0.0030448799094556773, 0.009319560794767446, 0.009621842970100282]
        [0.011566459612121669, 0.01396378001220357, 0.017352816540325496, 0.02237215744350722]
        [0.03038194447553234, 0.044642857142551895, 0.07500000000000118, 0.16666666666666666];
}

/// The angle of the point `(b, a)`, `a >= 0`, `b >= 0`, not both 0, as a loose pair.
///
/// The three ranges of `a/b` keep the argument of the polynomial below tan(pi/8): the quotient itself; its distance from
/// 1, `(a-b)/(a+b)`, and pi/4; minus its inverse, and pi/2. One division, corrected by its residual.
#[kernel(inline)]
fn first_quadrant(a: f64, b: f64) -> (f64, f64) {
    let middle = a > TAN_EIGHTH_PI * b;
    let steep = a > COT_EIGHTH_PI * b;
    let (difference, difference_low) = two_sum(a, -b);
    let (sum, sum_low) = two_sum(a, b);
    let nh = if steep {
        -b
    } else if middle {
        difference
    } else {
        a
    };
    let dh = if steep {
        a
    } else if middle {
        sum
    } else {
        b
    };
    let between = middle && !steep;
    let nl = if between { difference_low } else { 0.0 };
    let dl = if between { sum_low } else { 0.0 };
    let base = if steep {
        HALF_PI.0
    } else if middle {
        QUARTER_PI.0
    } else {
        0.0
    };
    let base_low = if steep {
        HALF_PI.1
    } else if middle {
        QUARTER_PI.1
    } else {
        0.0
    };
    let t = nh / dh;
    let residual = (-t).mul_add(dl, (-t).mul_add(dh, nh) + nl);
    let tl = residual / dh;
    let u = t * t;
    let (high, e) = fast_two_sum(base, t);
    (high, e + (base_low + (t * u).mul_add(atan_tail(u), tl)))
}

/// The arc tangent.
///
/// R: `atan(x)`, arc tangent.
/// Domain: every `f64`; infinities give +-pi/2, NaN gives NaN; keeps the sign of zero.
/// Method: |x| <= tan(pi/8): the polynomial; up to cot(pi/8): pi/4 + atan((|x|-1)/(|x|+1)); above: pi/2 - atan(1/|x|);
///   the quotient and pi as pairs. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn atan(x: f64) -> f64 {
    let a = x.abs();
    let a = if a > 1e18 { 1e18 } else { a }; // from there on pi/2, rounded
    let (h, l) = first_quadrant(a, 1.0);
    let y = (h + l).copysign(x);
    let y = if x.is_nan() { x } else { y };
    if a < 7.450580596923828e-09 { x } else { y }
}

/// The angle of the point `(x, y)`: the arc tangent of `y/x`, in the quadrant that the signs say.
///
/// R: `atan2(y, x)`, angle of the point (x, y).
/// Domain: every pair of `f64`, zeros and infinities by C99 Annex F; NaN gives NaN.
/// Method: both scaled by one power of two, exactly, so that the larger is about 1; then as [`atan`], with `pi - angle`
///   for negative `x`.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it. Subnormal results may
///   be 1 ulp off.
#[kernel(inline)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (ay, ax) = (y.abs(), x.abs());
    let vertical = ay == f64::INFINITY;
    let horizontal = ax == f64::INFINITY;
    let origin = ay == 0.0 && ax == 0.0;
    // A point at infinity is replaced by its direction, the origin by a point on the x axis.
    let a = if vertical {
        1.0
    } else if horizontal {
        0.0
    } else {
        ay
    };
    let b = if horizontal || origin {
        1.0
    } else if vertical {
        0.0
    } else {
        ax
    };
    let larger = if a > b { a } else { b };
    // 2^256 lifts the smallest ones, so that the scale below is a normal number; the larger one comes into [2, 4).
    let lift = if larger < 1e-290 { TWO_256 } else { 1.0 };
    let biased = f64::from_bits(((larger * lift).to_bits() >> 52) | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    let scale = power_of_two(1024.0 - biased);
    let (h, l) = first_quadrant(a * lift * scale, b * lift * scale);
    // pi - angle for the left half plane
    let (ph, pe) = fast_two_sum(PI.0, -h);
    let left = x.to_bits() >> 63 == 1;
    let angle = if left { ph + (pe + (PI.1 - l)) } else { h + l };
    let signed = angle.copysign(y);
    if x.is_nan() || y.is_nan() { f64::NAN } else { signed }
}

/// `asin(s)` of a pair `|s| <= 1/2`, the part beyond `s` itself.
#[kernel(inline)]
fn asin_rest(sh: f64, sl: f64) -> f64 {
    let u = sh * sh;
    // d asin = ds / sqrt(1 - s^2): 1 + u/2 is enough for the low part
    (sh * u).mul_add(asin_tail(u), (0.5 * u).mul_add(sl, sl))
}

/// The arc sine.
///
/// R: `asin(x)`, arc sine.
/// Domain: |x| <= 1; outside and NaN give NaN; keeps the sign of zero.
/// Method: |x| <= 1/2: the polynomial; above: pi/2 - 2 asin(sqrt((1-|x|)/2)), the root and pi as pairs. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn asin(x: f64) -> f64 {
    let a = x.abs();
    let outer = a > 0.5;
    let root = dd_sqrt((0.5 - 0.5 * a, 0.0)); // exact for a >= 1/2
    let sh = if outer { root.0 } else { a };
    let sl = if outer { root.1 } else { 0.0 };
    let rest = asin_rest(sh, sl);
    let (h, e) = fast_two_sum(HALF_PI.0, -2.0 * sh);
    let y = if outer { h + (e + (HALF_PI.1 - 2.0 * rest)) } else { sh + rest };
    let y = if a <= 1.0 { y } else { f64::NAN };
    if a < 7.450580596923828e-09 { x } else { y.copysign(x) }
}

/// The arc cosine.
///
/// R: `acos(x)`, arc cosine.
/// Domain: |x| <= 1; outside and NaN give NaN.
/// Method: |x| <= 1/2: pi/2 - asin(x); x > 1/2: 2 asin(sqrt((1-x)/2)); x < -1/2: pi - 2 asin(sqrt((1+x)/2)). No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn acos(x: f64) -> f64 {
    let a = x.abs();
    let outer = a > 0.5;
    let root = dd_sqrt((0.5 - 0.5 * a, 0.0));
    let sh = if outer { root.0 } else { x };
    let sl = if outer { root.1 } else { 0.0 };
    let rest = asin_rest(sh, sl);
    let base = if outer { PI.0 } else { HALF_PI.0 };
    let base_low = if outer { PI.1 } else { HALF_PI.1 };
    let sh2 = if outer { 2.0 * sh } else { sh };
    let rest2 = if outer { 2.0 * rest } else { rest };
    let (h, e) = fast_two_sum(base, -sh2);
    let y = if x > 0.5 { sh2 + rest2 } else { h + (e + (base_low - rest2)) };
    if a <= 1.0 { y } else { f64::NAN }
}
