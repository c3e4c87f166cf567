//! The standard normal tail and its inverse, as pairs.

use gristmill_kernel::kernel;

use super::constants::{INV_SQRT_2PI, LN_SQRT_2PI, LN2, SQRT_HALF};
use super::double_double::{dd_add_d, dd_sqrt, dd_sub, fast_two_sum, two_prod, two_sum};
use super::error_function::{
    TWO_BITS, erfc_scaled, erfc_scaled_fine, inverse_of_centre, inverse_of_far_log, inverse_of_log, of_three_bits,
    three_bits,
};
use super::exponential::{exp_near, expm1_pair};
use super::logarithm::{log, log_dd, log_loose, log_loose_of_pair, log1p};
use super::mills_tables::mills_in_cell;

/// The constant term of `(z + 4) M(z)` in `t`.
#[kernel]
const MILLS_0: (f64, f64) = (0.7552851304157515, -2.3469920302671765e-17);
/// The linear term of `(z + 4) M(z)` in `t`.
#[kernel]
const MILLS_1: (f64, f64) = (-0.6078966419718921, -2.630161559815779e-17);
/// sqrt(2).
#[kernel]
pub(crate) const SQRT_2: (f64, f64) = (std::f64::consts::SQRT_2, -9.667293313452913e-17);

polynomial! {
    /// The terms of `(z + 4) M(z)` in `t = (z - 4)/(z + 4)` from the second on, divided by `t^2`, for `z >= 0`.
    fn mills_tail =
        [1.2777487882831855e-10, 3.4045640178407837e-10, -9.187164650138496e-10, -3.731410413853782e-09]
        [1.6096065925597037e-09, 2.1429654296047564e-08, 1.4348984235588002e-08, -8.68696314767923e-08]
        [-1.562147311913124e-07, 2.7246606654241155e-07, 1.0223641773830066e-06, -6.298387423753455e-07]
        [-5.9204958140176096e-06, 7.166596353276388e-07, 3.514476659652385e-05, -1.908246600924109e-06]
        [-0.00023109494751342476, 0.000133344309457293, 0.0016308184586749847, -0.003479692367052881]
        [-0.0075401889667745655, 0.060396574890918146, -0.18652185795965648, 0.3871374007422149];
}

polynomial! {
    /// The derivative of `(z + 4) M(z)` in `t`, to 1e-4: for the low part of `t`.
    fn mills_slope =
        [0.0084687093224658, -0.019046447838392207, -0.036322257440233145]
        [0.24067563326161232, -0.5597340847434367, 0.7743884182529113, -0.6078966419718921];
}

polynomial! {
    /// `w - z(w)` on [39, 60] in `(w - 38)/22`, numerator.
    fn quantile_far_numerator =
        [4.084416136236398e-09]
        [4.368304439689568e-06, 0.00021114787076786576, 0.003431856110421642, 0.026123280506528748]
        [0.10532628672061096, 0.23167670349675126, 0.26261465337516726, 0.12003317404554077];
}

polynomial! {
    /// `w - z(w)` on [39, 60] in `(w - 38)/22`, denominator.
    fn quantile_far_denominator =
        [1.0750818994694466e-05]
        [0.0006439554653810441, 0.012545284797721294, 0.1156928923063964, 0.5842703222461841]
        [1.7110044653938994, 2.9000474496915887, 2.6407620193910986, 1.0];
}

/// `z^2/2` of a pair as a normalised pair; `(inf, 0)` where the square overflows.
#[kernel(inline)]
pub fn half_square(z: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(z.0, z.0);
    let high = 0.5 * p;
    let sum = fast_two_sum(high, z.1.mul_add(z.0, 0.5 * e));
    let fine = high < f64::INFINITY;
    (if fine { sum.0 } else { high }, if fine { sum.1 } else { 0.0 })
}

/// `M(z) = exp(z^2/2) Q(z)`, the upper normal tail freed of its exponential, for a pair `z >= 0`, as a normalised pair.
///
/// Domain: `0 <= z <= 1e300`. The caller guards.
/// Method: `(z + 4) M(z)` is a polynomial of degree 25 in `t = (z - 4)/(z + 4)` on the whole half line; its two leading
///   coefficients, `t` and the quotient are pairs, because in plain double this costs 3 ulp.
/// Paper: shepherd1981 (the map); the coefficients are interpolation at Chebyshev nodes.
/// Error: relative 2^-55.
#[kernel(inline)]
pub fn mills_dd(z: (f64, f64)) -> (f64, f64) {
    let (dh, dl) = two_sum(z.0, 4.0);
    let dl = dl + z.1;
    let r = 1.0 / dh;
    let sh = 8.0 * r;
    let sl = ((-sh).mul_add(dh, 8.0) - sh * dl) * r;
    let (t, te) = two_sum(1.0, -sh);
    let tl = te - sl;
    let (p, pe) = two_prod(t, mills_tail(t));
    let (a, ae) = two_sum(MILLS_1.0, p);
    let (b, be) = two_prod(t, a);
    let bl = t.mul_add(ae + (pe + MILLS_1.1), be);
    let (g, ge) = two_sum(MILLS_0.0, b);
    let gl = ge + (bl + MILLS_0.1) + tl * mills_slope(t);
    let m = g * r;
    let ml = ((-m).mul_add(dh, g) + (-m).mul_add(dl, gl)) * r;
    fast_two_sum(m, ml)
}

/// `2 M(z)` for a loose pair `0 <= z < 39`, as a loose pair, relative error below 2^-57: `exp(x^2) erfc(x)` at `x = z/sqrt(2)`.
#[kernel(inline)]
pub fn mills_twice(z: (f64, f64)) -> (f64, f64) {
    erfc_scaled(over_root_2(z))
}

/// `z/sqrt(2)` of a loose pair as a loose pair.
#[kernel(inline)]
fn over_root_2(z: (f64, f64)) -> (f64, f64) {
    let x = z.0 * SQRT_HALF.0;
    let e = z.0.mul_add(SQRT_HALF.0, -x);
    (x, z.1.mul_add(SQRT_HALF.0, z.0.mul_add(SQRT_HALF.1, e)))
}

/// Up to here [`mills_near`] reaches.
#[kernel]
pub(crate) const MILLS_NEAR: f64 = 27.5;

/// `M(z)` for `0 <= z <= 27.5`, within 0.6 ulp.
#[kernel(inline)]
pub(crate) fn mills_near(z: f64) -> f64 {
    let top: u64 = three_bits(z + 2.0);
    // exact, because a cell does not reach down to half of its node
    mills_in_cell(top.wrapping_sub(TWO_BITS) & 15, z - (of_three_bits(top) - 2.0))
}

/// `M(z)` for a loose pair `0 <= z <= 1e300`, as a normalised pair: [`mills_twice`] as far as it reaches, then [`mills_dd`].
#[kernel(inline)]
pub fn mills(z: (f64, f64)) -> (f64, f64) {
    if z.0 < 38.0 {
        let twice = mills_twice(z);
        return fast_two_sum(0.5 * twice.0, 0.5 * twice.1);
    }
    mills_dd(z)
}

/// [`mills`] with four bits more below 38.
#[kernel(inline)]
fn mills_fine(z: (f64, f64)) -> (f64, f64) {
    if z.0 < 38.0 {
        let twice = erfc_scaled_fine(over_root_2(z));
        return fast_two_sum(0.5 * twice.0, 0.5 * twice.1);
    }
    mills_dd(z)
}

/// `sqrt(2) x` of a loose pair as a normalised pair.
#[kernel(inline)]
fn times_root_2(x: (f64, f64)) -> (f64, f64) {
    let (z, e) = two_prod(x.0, SQRT_2.0);
    fast_two_sum(z, x.0.mul_add(SQRT_2.1, x.1.mul_add(SQRT_2.0, e)))
}

/// `|2 p - 1|` as a pair, and the smaller of `2 p` and `2 (1 - p)` to within an ulp; on the log scale, `p` between -4 and
/// 0, it is `|expm1(p + ln 2)|`, without cancellation.
#[kernel(inline)]
pub fn centre_of(p: f64, log_scale: bool) -> ((f64, f64), f64) {
    if log_scale {
        let e = expm1_pair(dd_add_d(LN2, p));
        let a = e.0.abs();
        ((a, if e.0 < 0.0 { -e.1 } else { e.1 }), 1.0 - a)
    } else {
        let y = 2.0 * (if p > 0.5 { 1.0 - p } else { p }); // exact
        (fast_two_sum(1.0, -y), y)
    }
}

/// [`centre_of`] on the log scale with a small absolute error, 2^-62, where a relative one is not needed next to 1/2.
#[kernel(inline)]
pub fn centre_of_log(p: f64) -> ((f64, f64), f64) {
    let (h, l, f) = exp_near((p, 0.0));
    let (d, e) = two_sum(2.0 * (h * f), -1.0);
    let low = e + 2.0 * (l * f);
    let a = d.abs();
    ((a, if d < 0.0 { -low } else { low }), 1.0 - a)
}

/// `z >= 0` with `2 Q(z) = 1 - a` for a pair `a` in [0, 0.936], as a normalised pair, given `y = 1 - a` to within an ulp;
/// relative error below 2^-59.
#[kernel(inline)]
pub fn quantile_of_centre(centre: ((f64, f64), f64)) -> (f64, f64) {
    times_root_2(inverse_of_centre(centre.0, centre.1))
}

/// The logarithm of the smaller of the two tails `p` and `1 - p` as a pair, for a `p` that is not next to 1/2 and not below
/// 1e-300; on the log scale for `p < -1e-280`.
#[kernel(inline)]
pub fn log_of_small_tail(p: f64, log_scale: bool) -> (f64, f64) {
    if log_scale {
        let given = p < -1.0;
        let e = expm1_pair((if given { -1.0 } else { p }, 0.0));
        let l = log_loose_of_pair((-e.0, -e.1));
        (if given { p } else { l.0 }, if given { 0.0 } else { l.1 })
    } else {
        log_loose(if p > 0.5 { 1.0 - p } else { p })
    }
}

/// `z > 0` with `log Q(z) = l` for a pair `l` in [-765, -3.4432], as a normalised pair; relative error below 2^-59.
#[kernel(inline)]
pub fn quantile_of_log(l: (f64, f64)) -> (f64, f64) {
    times_root_2(root_quantile_of_log(l))
}

/// `z/sqrt(2)` for the `z` of [`quantile_of_log`], as a loose pair.
#[kernel(inline)]
pub(crate) fn root_quantile_of_log(l: (f64, f64)) -> (f64, f64) {
    // log(2 Q)
    let (h, e) = two_sum(l.0, LN2.0);
    let twice = (h, e + (l.1 + LN2.1));
    if h > -44.0 { inverse_of_log(twice) } else { inverse_of_far_log(twice) }
}

/// `z/sqrt(2)` for the `z` of [`quantile_of_centre`], as a loose pair.
#[kernel(inline)]
pub(crate) fn root_quantile_of_centre(centre: ((f64, f64), f64)) -> (f64, f64) {
    inverse_of_centre(centre.0, centre.1)
}

/// `location` and `scale z` as a loose pair, for a loose `x = z/sqrt(2)` and `root = scale sqrt(2)`; `p` says on which side of the
/// median: of `z` for the lower tail, of `-z` for the upper one.
#[kernel(inline)]
pub(crate) fn locate_root(
    x: (f64, f64),
    root: (f64, f64),
    location: f64,
    p: f64,
    lower: bool,
    log: bool,
) -> (f64, f64) {
    // one choice between numbers: a branch on random ones costs more than the products
    let side = if p < (if log { -LN2.0 } else { 0.5 }) { -1.0 } else { 1.0 };
    let side = if lower { side } else { -side };
    let r = root.0 * side;
    let (m, e) = two_prod(x.0, r);
    let low = x.0.mul_add(root.1 * side, x.1.mul_add(r, e));
    let (y, ye) = two_sum(m, location);
    (y, ye + low)
}

/// `z > 0` with `Q(z) = exp(-w^2/2)` for a pair `w >= 39`, as a normalised pair.
///
/// `w - z` is a rational function up to 60; then the fixed point of
/// `z^2 = w^2 - log(2 pi z^2) + 2 log(1 - 1/z^2 + 3/z^4 - 15/z^6)`, which contracts by 1/z^2 < 1/3600 a step; beyond 1e10
/// its first step. Paper: dlmf, 7.12.1.
#[kernel(inline)]
fn quantile_of_far_tail(w: (f64, f64)) -> (f64, f64) {
    let x = w.0;
    let mut c = (2.0 * LN_SQRT_2PI.0 + 2.0 * log(x)) / (2.0 * x);
    if x < 60.0 {
        let v = (x - 38.0) / 22.0;
        c = quantile_far_numerator(v) / quantile_far_denominator(v);
    } else if x < 1e10 {
        let square = x * x;
        let mut d = 2.0 * LN_SQRT_2PI.0 + log(square);
        for _ in 0..3 {
            let y = square - d;
            let r = 1.0 / y;
            d = 2.0 * LN_SQRT_2PI.0 + log(y) - 2.0 * log1p(-r * (1.0 - r * (3.0 - 15.0 * r)));
        }
        c = d / (x + (square - d).sqrt());
    }
    let (s, e) = fast_two_sum(x, -c);
    fast_two_sum(s, e + w.1)
}

/// `|z|` of the standard normal quantile on the linear scale, `0 < p < 1`, as a normalised pair.
#[kernel(inline)]
fn standard_quantile_linear(p: f64) -> (f64, f64) {
    if p > 0.03196 && p < 0.96804 {
        return quantile_of_centre(centre_of(p, false));
    }
    if p < 1e-300 {
        return quantile_of_log(log_dd((p, 0.0)));
    }
    quantile_of_log(log_of_small_tail(p, false))
}

/// `|z|` of the standard normal quantile on the log scale, `p < 0` finite, as a normalised pair.
#[kernel(inline)]
fn standard_quantile_log(p: f64) -> (f64, f64) {
    if p > -3.4432 && p < -0.03248 {
        return quantile_of_centre(centre_of(p, true));
    }
    if p < -762.0 {
        let huge = p < -1e300;
        let root = dd_sqrt((if huge { -0.5 * p } else { -2.0 * p }, 0.0));
        return quantile_of_far_tail((if huge { 2.0 * root.0 } else { root.0 }, if huge { 0.0 } else { root.1 }));
    }
    if p > -1e-280 {
        return quantile_of_log(log_dd((-p, 0.0)));
    }
    quantile_of_log(log_of_small_tail(p, true))
}

/// The standard normal quantile as a normalised pair, for `p` strictly inside its range.
#[kernel]
pub fn standard_quantile(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    let z = if log_scale { standard_quantile_log(p) } else { standard_quantile_linear(p) };
    let left = p < (if log_scale { -LN2.0 } else { 0.5 });
    if left == lower { (-z.0, -z.1) } else { z }
}

/// The standard normal quantile with a smaller error in the tails: [`standard_quantile`] and one Newton step on the log of its
/// tail.
///
/// The step's residual is formed in double-double, so what remains is the error of `M` divided by `z`: absolute
/// 2^-61/z, which `exp(mu + sd z)` can bear.
#[kernel]
pub fn standard_quantile_refined(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    if log_scale && p > -3.4432 && p < -0.03248 {
        let z = quantile_of_centre(centre_of_log(p));
        return if (p < -LN2.0) == lower { (-z.0, -z.1) } else { z };
    }
    let z = standard_quantile(p, lower, log_scale);
    // which tail is small, and its log
    let below = z.0 < 0.0;
    let same = below == lower;
    let mut target = (p, 0.0);
    if log_scale {
        if !same {
            let e = expm1_pair((p, 0.0));
            let tiny = p > -1e-280;
            let l = log_loose_of_pair((if tiny { 1.0 } else { -e.0 }, if tiny { 0.0 } else { -e.1 }));
            target = fast_two_sum(l.0, l.1);
            if tiny {
                target = log_dd((-p, 0.0));
            }
        }
    } else if p < 1e-290 {
        target = log_dd((p, 0.0));
    } else {
        let other = two_sum(1.0, -p);
        let l = log_loose_of_pair((if same { p } else { other.0 }, if same { 0.0 } else { other.1 }));
        target = fast_two_sum(l.0, l.1);
    }
    let size = if below { (-z.0, -z.1) } else { z };
    if size.0 > 1e8 || size.0 < 1.85 {
        return z; // the centre's polynomial is better there
    }
    let m = mills_fine(size);
    let l = log_loose_of_pair(m);
    let tail = dd_sub(fast_two_sum(l.0, l.1), half_square(size));
    let residual = dd_sub(tail, target);
    // d log Q / dz = -1/(sqrt(2 pi) M)
    let step = (residual.0 + residual.1) * (m.0 / INV_SQRT_2PI.0);
    dd_add_d(z, if below { -step } else { step })
}
