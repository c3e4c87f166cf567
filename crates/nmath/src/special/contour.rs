//! Tails as integrals over a circle through the saddle point, by the trapezoidal rule: the parts that all of them share.
//!
//! A tail of a distribution with moment generating function `M` is `1/(2 pi i) integral M(t) exp(-t x) dt/t` along a line that
//! passes 0 on the side of the tail. In the variable in which `M` has its singularity at 0, `w = rho exp(i theta)`, the
//! modulus falls like `exp(-2 S sin(theta/2)^2)` from the saddle point `rho`, and the trapezoidal rule converges geometrically:
//! its error is the integrand on a circle moved by `d`, times `exp(-2 pi d/h)`, minimised over `d`. The pole at `w = 1` may lie
//! in between; its part is known in closed form. Both tails keep all their digits however small they are, and the number of nodes
//! does not grow with the parameters.
//!
//! Paper: temme1993, gil2014 (the integral); trefethen2014 (the rule); goodwin1949, hunter1964 (the pole).

use crate::special::constants::PI;
use crate::special::double_double::{dd_add_d, dd_div, dd_mul, dd_neg, dd_sub, fast_two_sum, two_prod};
use crate::special::exponential::exp_parts;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

/// pi/2 in three parts of 33, 36 and 53 bits.
#[kernel]
const HALF_PI_A: f64 = 1.5707963267341256;
#[kernel]
const HALF_PI_B: f64 = 6.077100506473373e-11;
#[kernel]
const HALF_PI_C: f64 = 3.2820035428735005e-22;

/// What the modulus may fall to before the nodes end: `exp(-41) = 2^-59`.
#[kernel]
pub(crate) const CUT: f64 = 41.0;

polynomial! {
    /// `(sin(x)/x - 1)/x^2` in `x^2`, `|x| <= pi/4`: Taylor's series.
    fn sine_tail =
        [2.8114572543455206e-15, -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-08]
        [2.7557319223985893e-06, -0.0001984126984126984, 0.008333333333333333, -0.16666666666666666];
}

polynomial! {
    /// `(cos(x) - 1)/x^2` in `x^2`, `|x| <= pi/4`: Taylor's series.
    fn cosine_tail =
        [-1.5619206968586225e-16]
        [4.779477332387385e-14, -1.1470745597729725e-11, 2.08767569878681e-09, -2.755731922398589e-07]
        [2.48015873015873e-05, -0.001388888888888889, 0.041666666666666664, -0.5];
}

polynomial! {
    /// `(sin(x) - x)/x^3` in `x^2`, `|x| <= pi`: Taylor's series.
    fn sine_less_tail =
        [-1.216125041553518e-34, 1.1309962886447716e-31, -9.183689863795546e-29]
        [6.446950284384474e-26, -3.868170170630684e-23, 1.9572941063391263e-20, -8.22063524662433e-18]
        [2.8114572543455206e-15, -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-08]
        [2.7557319223985893e-06, -0.0001984126984126984, 0.008333333333333333, -0.16666666666666666];
}

/// `(sin(x), cos(x))` for `|x| <= 1e6`, absolute error below 2^-52.
#[kernel(inline)]
pub(crate) fn sine_and_cosine(x: f64) -> (f64, f64) {
    let k = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    let r = (-k).mul_add(HALF_PI_C, (-k).mul_add(HALF_PI_B, (-k).mul_add(HALF_PI_A, x)));
    let u = r * r;
    let s = (r * u).mul_add(sine_tail(u), r);
    let c = u.mul_add(cosine_tail(u), 1.0);
    let quarter = k - 4.0 * (k * 0.25).floor();
    let odd = quarter == 1.0 || quarter == 3.0;
    let sine = if odd { c } else { s };
    let cosine = if odd { s } else { c };
    (if quarter >= 2.0 { -sine } else { sine }, if quarter == 1.0 || quarter == 2.0 { -cosine } else { cosine })
}

/// `(sin(x), 1 - cos(x))` for `|x| <= 1e6`; for `|x| <= pi/4` the relative error of both is below 2^-51, and beyond the absolute one below 2^-52.
#[kernel(inline)]
pub(crate) fn sine_and_versine(x: f64) -> (f64, f64) {
    let (sine, cosine) = sine_and_cosine(x);
    let u = x * x;
    let near = -u * cosine_tail(if u < 1.0 { u } else { 1.0 });
    (sine, if u < 0.6 { near } else { 1.0 - cosine })
}

/// A step for a saddle point of curvature `S >= 25`, so small that the rule's error is below `2^-58`: with `H = 2 pi/step` the minimum
/// over `d` of `S (exp(d) - 1 - d) - H d`, the most skewed case, is below -41.
///
/// It has 36 bits, so that its multiples by halves are exact, and their squares are pairs.
#[kernel(inline)]
pub(crate) fn exact_step(s: f64) -> f64 {
    let step = std::f64::consts::TAU / ((82.0 * s).sqrt() + 14.0);
    f64::from_bits(step.to_bits() & 0xffff_ffff_fffe_0000)
}

polynomial! {
    /// `(2 sin(x/2)^2 - x^2/2)/x^4` in `x^2`, `|x| <= pi`: Taylor's series of `1 - cos(x)`.
    fn fall_tail =
        [3.7699876288159054e-33, -3.279889237069838e-30]
        [2.4795962632247976e-27, -1.6117375710961184e-24, 8.896791392450574e-22, -4.110317623312165e-19]
        [1.5619206968586225e-16, -4.779477332387385e-14, 1.1470745597729725e-11, -2.08767569878681e-09]
        [2.755731922398589e-07, -2.48015873015873e-05, 0.001388888888888889, -0.041666666666666664];
}

/// A point of the circle.
#[kernel]
pub(crate) struct Turned {
    /// `1 - cos(t)` as a pair.
    pub(crate) fall: (f64, f64),
    /// `sin(t)`
    pub(crate) sine: f64,
    /// `sin(t) - t`, without cancellation.
    pub(crate) less: f64,
}

/// The point at an angle `|t| <= pi`. What rounding leaves of the fall is 2^-52 of its part beyond `t^2/2`: times `S`, the logarithm of the
/// modulus, that is below 2^-56 where the modulus still counts.
#[kernel(inline)]
pub(crate) fn turned_by(t: f64) -> Turned {
    let (u, low) = two_prod(t, t);
    let fall = fast_two_sum(0.5 * u, 0.5f64.mul_add(low, u * u * fall_tail(u)));
    let less = (t * u) * sine_less_tail(u);
    Turned { fall, sine: t + less, less }
}

/// `exp(-e - d)/(1 + exp(-d))`, `d = 2 pi |away|/step`, as a pair: what a pole at the distance `away` of the path adds to the rule with nodes
/// at odd multiples of half a step, in units of `exp(e)`. 0 where it does not count.
#[kernel(inline)]
pub(crate) fn pole_at(e: (f64, f64), away: (f64, f64), step: f64) -> (f64, f64) {
    let turns = dd_div(dd_mul(away, (2.0 * PI.0, 2.0 * PI.1)), (step, 0.0));
    let d = if turns.0 < 0.0 { turns } else { dd_neg(turns) };
    let size = dd_sub(d, e);
    if !(size.0 > -80.0) {
        return (0.0, 0.0);
    }
    let (m, ml, k) = exp_parts(size);
    let up = power_of_two(k);
    let (r, rl, j) = exp_parts(if d.0 > -80.0 { d } else { (-80.0, 0.0) });
    let down = power_of_two(j);
    dd_div((m * up, ml * up), dd_add_d((r * down, rl * down), 1.0))
}
