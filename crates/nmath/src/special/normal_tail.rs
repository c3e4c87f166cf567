//! The standard normal tail and its inverse, as pairs.

use gristmill_kernel::kernel;

use super::constants::{INV_SQRT_2PI_HIGH, LN_SQRT_2PI_HIGH, LN2_HIGH, LN2_LOW, SQRT_2PI_HIGH, SQRT_2PI_LOW};
use super::double_double::{dd_add_d, dd_sqrt, dd_sub, fast_two_sum, two_prod, two_sum};
use super::exponential::expm1_pair;
use super::logarithm::{log, log_dd, log_loose_of_pair, log_pair, log1p};

/// The constant term of `(z + 4) M(z)` in `t`, leading part.
#[kernel]
const MILLS_0_HIGH: f64 = 0.7552851304157515;
/// The constant term of `(z + 4) M(z)` in `t`, the rest.
#[kernel]
const MILLS_0_LOW: f64 = -2.3469920302671765e-17;
/// The linear term of `(z + 4) M(z)` in `t`, leading part.
#[kernel]
const MILLS_1_HIGH: f64 = -0.6078966419718921;
/// The linear term of `(z + 4) M(z)` in `t`, the rest.
#[kernel]
const MILLS_1_LOW: f64 = -2.630161559815779e-17;
/// The constant term of `w - z(w)` in `t`, leading part.
#[kernel]
const QUANTILE_0_HIGH: f64 = 0.3798001747447748;
/// The constant term of `w - z(w)` in `t`, the rest.
#[kernel]
const QUANTILE_0_LOW: f64 = 1.0824274501611062e-17;
/// The linear term of `w - z(w)` in `t`, leading part.
#[kernel]
const QUANTILE_1_HIGH: f64 = -0.5219778505201819;
/// The linear term of `w - z(w)` in `t`, the rest.
#[kernel]
const QUANTILE_1_LOW: f64 = 1.8860060301404032e-17;

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
    /// `(z/q - sqrt(2 pi))/q^2` for `q = p - 1/2`, `|q| <= 0.39`, in `12.8 (q^2 - 0.078125)`.
    fn quantile_centre =
        [3.487338725449228e-09, 1.01237702543589e-08, 4.0158083335007175e-09, -1.5414862547399538e-09]
        [4.360926003770372e-08, 1.259430375713492e-07, 2.2769822776059237e-07, 5.018354379669978e-07]
        [1.2391558734330046e-06, 2.9515345371666214e-06, 6.968992372208788e-06, 1.6618348850504384e-05]
        [3.993579946903125e-05, 9.668444111732302e-05, 0.0002362173051775559, 0.0005835771156623709]
        [0.0014616376202305536, 0.003724836937530246, 0.009709171059860819, 0.026094534967657103]
        [0.0732675225520089, 0.22005264000656163, 0.7424391313908976, 3.2015246139275857];
}

polynomial! {
    /// The terms of `w - z(w)` in `t = (w - 8)/(w + 8)` from the second on, divided by `t^2`, `w` in [2.1, 39].
    fn quantile_tail =
        [-0.1434866756892759, 0.3065601101471014]
        [0.028538094012476208, -0.45571516576740106, 0.10346480875182869, 0.4109599844462337]
        [-0.20140455346060496, -0.16763596464283004, 0.08780888624946871, 0.09114846095611473]
        [-0.07531018567271096, 0.01658623115520525, -0.02058368419816156, 0.036957339519069564]
        [-0.039903282054936116, 0.0394944778459141, -0.04294969974540071, 0.04619284271229251]
        [-0.05097465565424271, 0.05495106763101883, -0.061667198017705364, 0.06759256802646386]
        [-0.07780642545191237, 0.08731945824482075, -0.10415056386991153, 0.12037688291088516]
        [-0.15020510259856373, 0.17898519560061926, -0.23957450379101297, 0.29773753295231675];
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

/// `z^2/2` of a pair as a normalised pair; `(z^2/2, 0)` where the square exceeds 1e300.
#[kernel(inline)]
pub fn half_square(z: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(z.0, z.0);
    let high = 0.5 * p;
    let sum: (f64, f64) = fast_two_sum(high, z.1.mul_add(z.0, 0.5 * e));
    let fine = high < 1e300;
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
    let (a, ae) = two_sum(MILLS_1_HIGH, p);
    let (b, be) = two_prod(t, a);
    let bl = t.mul_add(ae + (pe + MILLS_1_LOW), be);
    let (g, ge) = two_sum(MILLS_0_HIGH, b);
    let gl = ge + (bl + MILLS_0_LOW) + tl * mills_slope(t);
    let m = g * r;
    let ml = ((-m).mul_add(dh, g) + (-m).mul_add(dl, gl)) * r;
    fast_two_sum(m, ml)
}

/// The normal quantile for `p = 1/2 + q`, a pair with `|q| <= 0.39`, as a normalised pair; the lower tail.
///
/// `z = q (sqrt(2 pi) + q^2 R(q^2))`, the leading product as a pair.
#[kernel(inline)]
pub fn quantile_of_centre(q: (f64, f64)) -> (f64, f64) {
    let u = q.0 * q.0;
    let r = quantile_centre((u - 0.078125) * 12.8);
    let (a, e) = two_prod(q.0, SQRT_2PI_HIGH);
    let low = e + (q.0 * SQRT_2PI_LOW + q.1 * (SQRT_2PI_HIGH + 3.0 * u * r));
    let (s, se) = fast_two_sum(a, q.0 * u * r);
    fast_two_sum(s, se + low)
}

/// `z > 0` with `Q(z) = exp(-w^2/2)` for a pair `w` in [2.1, 39], as a normalised pair.
#[kernel(inline)]
pub fn quantile_of_tail(w: (f64, f64)) -> (f64, f64) {
    let (dh, dl) = two_sum(w.0, 8.0);
    quantile_of_root(w, dh, dl, 1.0 / dh)
}

/// `p - 1/2` as a pair; on the log scale, `p` between -2.2 and 0, it is `expm1(p + ln 2)/2`, without cancellation.
#[kernel(inline)]
pub fn distance_from_half(p: f64, log_scale: bool) -> (f64, f64) {
    if log_scale {
        let e: (f64, f64) = expm1_pair(dd_add_d((LN2_HIGH, LN2_LOW), p));
        (0.5 * e.0, 0.5 * e.1)
    } else {
        two_sum(p, -0.5)
    }
}

/// The logarithm of the smaller of the two tails `p` and `1 - p` as a pair, for a `p` that is not next to 1/2; on the log
/// scale for `p` in [-700, -1e-280].
#[kernel(inline)]
pub fn log_of_small_tail(p: f64, log_scale: bool) -> (f64, f64) {
    let mut tail: (f64, f64) = (p, 0.0);
    let given = log_scale && p < -1.0;
    if log_scale {
        let e: (f64, f64) = expm1_pair((if given { -1.0 } else { p }, 0.0));
        tail = (-e.0, -e.1);
    } else if p > 0.5 {
        tail = two_sum(1.0, -p);
    }
    let l: (f64, f64) = log_pair(tail);
    (if given { p } else { l.0 }, if given { 0.0 } else { l.1 })
}

/// `z > 0` with `Q(z) = p` for a positive pair `p` below 0.11, as a normalised pair.
#[kernel(inline)]
pub fn quantile_of_small(p: (f64, f64)) -> (f64, f64) {
    quantile_of_log(log_pair(p))
}

/// `z > 0` with `log Q(z) = l` for a pair `l` in [-760, -2.2], as a normalised pair.
#[kernel(inline)]
pub fn quantile_of_log(l: (f64, f64)) -> (f64, f64) {
    let w = (-2.0 * l.0).sqrt();
    let (dh, dl) = two_sum(w, 8.0);
    // one division for 1/w and 1/(w + 8)
    let inverse = 1.0 / (w * dh);
    let low = ((-w).mul_add(w, -2.0 * l.0) - 2.0 * l.1) * (0.5 * (inverse * dh));
    quantile_of_root((w, low), dh, dl, inverse * w)
}

/// [`quantile_of_tail`] with `w + 8 = dh + dl` and `r = 1/dh`, to an ulp or so.
///
/// `w - z` is a polynomial in `t = (w - 8)/(w + 8)`: smooth and below 0.9, so its error hardly shows beside `w`. The two
/// leading coefficients and `t` are pairs.
#[kernel(inline)]
fn quantile_of_root(w: (f64, f64), dh: f64, dl: f64, r: f64) -> (f64, f64) {
    let sh = 16.0 * r;
    let sl = ((-sh).mul_add(dh, 16.0) - sh * (dl + w.1)) * r;
    let (t, te) = two_sum(1.0, -sh);
    let tail = quantile_tail(t);
    let (p, pe) = two_prod(t, tail);
    let (a, ae) = two_sum(QUANTILE_1_HIGH, p);
    let (b, be) = two_prod(t, a);
    let bl = t.mul_add(ae + (pe + QUANTILE_1_LOW), be);
    let (c, ce) = two_sum(QUANTILE_0_HIGH, b);
    let cl = ce + (bl + QUANTILE_0_LOW) + (te - sl) * (QUANTILE_1_HIGH + 2.0 * t * tail);
    let (z, ze) = two_sum(w.0, -c);
    fast_two_sum(z, ze + (w.1 - cl))
}

/// `z > 0` with `Q(z) = exp(-w^2/2)` for a pair `w >= 2.1`, as a normalised pair.
///
/// Beyond 39 (log scale only) `w - z` is a rational function up to 60; then the fixed point of
/// `z^2 = w^2 - log(2 pi z^2) + 2 log(1 - 1/z^2 + 3/z^4 - 15/z^6)`, which contracts by 1/z^2 < 1/3600 a step; beyond 1e10
/// its first step. Paper: dlmf, 7.12.1.
#[kernel(inline)]
fn quantile_of_far_tail(w: (f64, f64)) -> (f64, f64) {
    let x = w.0;
    if x < 39.0 {
        return quantile_of_tail(w);
    }
    let mut c = (2.0 * LN_SQRT_2PI_HIGH + 2.0 * log(x)) / (2.0 * x);
    if x < 60.0 {
        let v = (x - 38.0) / 22.0;
        c = quantile_far_numerator(v) / quantile_far_denominator(v);
    } else if x < 1e10 {
        let square = x * x;
        let mut d = 2.0 * LN_SQRT_2PI_HIGH + log(square);
        for _ in 0..3 {
            let y = square - d;
            let r = 1.0 / y;
            d = 2.0 * LN_SQRT_2PI_HIGH + log(y) - 2.0 * log1p(-r * (1.0 - r * (3.0 - 15.0 * r)));
        }
        c = d / (x + (square - d).sqrt());
    }
    let (s, e) = fast_two_sum(x, -c);
    fast_two_sum(s, e + w.1)
}

/// The standard normal quantile on the linear scale, `0 < p < 1`, as a normalised pair.
#[kernel(inline)]
fn standard_quantile_linear(p: f64, lower: bool) -> (f64, f64) {
    let q: (f64, f64) = two_sum(p, -0.5);
    let sign = if lower { 1.0 } else { -1.0 };
    if q.0.abs() <= 0.39 {
        let z: (f64, f64) = quantile_of_centre(q);
        return (sign * z.0, sign * z.1);
    }
    let left = q.0 < 0.0;
    let other: (f64, f64) = two_sum(1.0, -p);
    let z: (f64, f64) = quantile_of_small((if left { p } else { other.0 }, if left { 0.0 } else { other.1 }));
    let sign = if left { -sign } else { sign };
    (sign * z.0, sign * z.1)
}

/// The standard normal quantile on the log scale, `p < 0` finite, as a normalised pair.
#[kernel(inline)]
fn standard_quantile_log(p: f64, lower: bool) -> (f64, f64) {
    let sign = if lower { 1.0 } else { -1.0 };
    if p > -2.2 && p < -0.1165 {
        // exp(p) in [0.11, 0.89]: p - 1/2 is expm1(p + ln 2)/2, without cancellation
        let e: (f64, f64) = expm1_pair(dd_add_d((LN2_HIGH, LN2_LOW), p));
        let z: (f64, f64) = quantile_of_centre((0.5 * e.0, 0.5 * e.1));
        return (sign * z.0, sign * z.1);
    }
    if p <= -2.2 {
        let huge = p < -1e300;
        let root: (f64, f64) = dd_sqrt((if huge { -0.5 * p } else { -2.0 * p }, 0.0));
        let z: (f64, f64) =
            quantile_of_far_tail((if huge { 2.0 * root.0 } else { root.0 }, if huge { 0.0 } else { root.1 }));
        return (-sign * z.0, -sign * z.1);
    }
    // Close to 1: the other tail is -expm1(p).
    let tiny = p > -1e-300;
    let e: (f64, f64) = expm1_pair((p, 0.0));
    let z: (f64, f64) = quantile_of_small((if tiny { -p } else { -e.0 }, if tiny { 0.0 } else { -e.1 }));
    (sign * z.0, sign * z.1)
}

/// The standard normal quantile as a normalised pair, for `p` strictly inside its range.
#[kernel]
pub fn standard_quantile(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    if log_scale { standard_quantile_log(p, lower) } else { standard_quantile_linear(p, lower) }
}

/// The standard normal quantile with 10 more bits: [`standard_quantile`] and one Newton step on the log of its tail.
///
/// The step's residual is formed in double-double, so what remains is the error of [`mills_dd`] divided by `z` in the
/// tails: absolute 2^-56/max(1, z), which `exp(mu + sd z)` can bear.
#[kernel]
pub fn standard_quantile_refined(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    let z: (f64, f64) = standard_quantile(p, lower, log_scale);
    // which tail is small, and its log
    let below = z.0 < 0.0;
    let same = below == lower;
    let mut target = (p, 0.0);
    if log_scale {
        if !same {
            let e: (f64, f64) = expm1_pair((p, 0.0));
            let tiny = p > -1e-280;
            let l: (f64, f64) = log_loose_of_pair((if tiny { 1.0 } else { -e.0 }, if tiny { 0.0 } else { -e.1 }));
            target = fast_two_sum(l.0, l.1);
            if tiny {
                target = log_dd((-p, 0.0));
            }
        }
    } else if p < 1e-290 {
        target = log_dd((p, 0.0));
    } else {
        let other: (f64, f64) = two_sum(1.0, -p);
        let l: (f64, f64) = log_loose_of_pair((if same { p } else { other.0 }, if same { 0.0 } else { other.1 }));
        target = fast_two_sum(l.0, l.1);
    }
    let size: (f64, f64) = if below { (-z.0, -z.1) } else { z };
    if size.0 > 1e8 || size.0 < 0.6 {
        return z; // the centre's polynomial is better there
    }
    let m: (f64, f64) = mills_dd(size);
    let l: (f64, f64) = log_loose_of_pair(m);
    let tail = dd_sub(fast_two_sum(l.0, l.1), half_square(size));
    let residual: (f64, f64) = dd_sub(tail, target);
    // d log Q / dz = -1/(sqrt(2 pi) M)
    let step = (residual.0 + residual.1) * (m.0 / INV_SQRT_2PI_HIGH);
    dd_add_d(z, if below { -step } else { step })
}
