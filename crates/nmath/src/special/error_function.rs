//! `erf`, `erfc` and their inverses.

use super::double_double::{dd_add, dd_div, dd_mul, dd_mul_d, fast_two_sum, two_prod, two_sum};
use super::exponential::{exp, exp_parts};
use super::logarithm::log;
use super::scaling::scale_by_power;
use gristmill_kernel::kernel;

/// 2/sqrt(pi) = SLOPE_HIGH + SLOPE_LOW, the slope of `erf` at 0
#[kernel]
const SLOPE_HIGH: f64 = std::f64::consts::FRAC_2_SQRT_PI;
#[kernel]
const SLOPE_LOW: f64 = 1.533545961316588e-17;
/// sqrt(pi)/2 = HALF_SQRT_PI_HIGH + HALF_SQRT_PI_LOW
#[kernel]
const HALF_SQRT_PI_HIGH: f64 = 0.886226925452758;
#[kernel]
const HALF_SQRT_PI_LOW: f64 = -3.8332932499128993e-17;
/// -2/(3 sqrt(pi)) = THIRD_HIGH + THIRD_LOW, the next coefficient
#[kernel]
const THIRD_HIGH: f64 = -0.37612638903183754;
#[kernel]
const THIRD_LOW: f64 = 1.3391897206030649e-17;
/// The first four coefficients of `(x + 3) exp(x^2) erfc(x)` in `(x - 3)/(x + 3)`, as pairs.
#[kernel]
const SCALED_0_HIGH: f64 = 1.0740069070883398;
#[kernel]
const SCALED_0_LOW: f64 = -8.936274612968784e-17;
#[kernel]
const SCALED_1_HIGH: f64 = -0.8833944531698837;
#[kernel]
const SCALED_1_LOW: f64 = 3.698955656445653e-17;
#[kernel]
const SCALED_2_HIGH: f64 = 0.5902283571041022;
#[kernel]
const SCALED_2_LOW: f64 = -5.444974543027416e-17;
#[kernel]
const SCALED_3_HIGH: f64 = -0.31046726190055657;
#[kernel]
const SCALED_3_LOW: f64 = -1.6428054904403588e-17;

polynomial! {
    /// `(erf(x)/x - 2/sqrt(pi) + 2 x^2/(3 sqrt(pi))) / x^4` as a polynomial in `x^2`, for `|x| <= 1`; error 4.2e-17.
    fn erf_tail =
        [-1.8525950731292425e-14, 4.1928148870469593e-13]
        [-6.6633998316419024e-12, 9.417111716715166e-11, -1.2290095326677293e-09, 1.4807166417992315e-08]
        [-1.636584362134304e-07, 1.6462114335621854e-06, -1.4925650357824393e-05, 0.00012055332981782412]
        [-0.0008548327023450799, 0.005223977625442188, -0.026866170645131252, 0.11283791670955126];
}

polynomial! {
    /// Coefficients 4 to 23 of `(x + 3) exp(x^2) erfc(x)` in `t = (x - 3)/(x + 3)`, for `x >= 1/2`.
    fn scaled_tail =
        [6.814689969810742e-10, 8.340027190088795e-10, -9.773756907525496e-09, -5.2089137399501025e-09]
        [5.506034705769292e-08, 5.067318460433339e-08, -2.3917958992096213e-07, -4.108128891142273e-07]
        [1.0028693185096746e-06, 2.766462456036792e-06, -4.7509360595594205e-06, -1.7470821473761522e-05]
        [3.0398627780190638e-05, 0.00010756152633433528, -0.00027677792512453776, -0.0005483096959687547]
        [0.0030340620091790275, -0.0012124166268987335, -0.026827234624918084, 0.11952776128727642];
}

polynomial! {
    /// `erfinv(p)/p` as a polynomial in `p^2`, for `|p| <= 3/4`: error 5e-11, the start of an iteration.
    fn inverse_center =
        [1.658590449729946]
        [-4.297892195345936, 5.238600419009361, -3.6674334330896277, 1.715385699335285]
        [-0.4746424532366729, 0.14691016015691546, 0.037737053651328345, 0.06615399713550053]
        [0.08649201069152254, 0.12755773547371876, 0.23201365073542832, 0.8862269254790972];
}

polynomial! {
    /// `erfcinv(q)/w` with `w = sqrt(-log q)`, in `(w - 3)/(w + 3)`, for `5e-324 <= q <= 1/2`: error 4e-9, a start.
    fn inverse_tail =
        [-0.025855434234296065, 0.07264481102350884, -0.06104260320899521]
        [-0.01577815125891838, 0.0739255137937332, -0.09206899987442325, 0.09523692881963586]
        [-0.0768007217803151, 0.0205466649660842, 0.06936118308372773, -0.17850629933998466]
        [0.27866390986366607, -0.3389688078121547, 0.2736645137687503, 0.9049203307027759];
}

/// `erf(x)` for `|x| <= 1` as a loose pair, relative error below 2^-57: the power series, its first two terms as pairs.
#[kernel(inline)]
fn erf_center(x: f64) -> (f64, f64) {
    let (u, ue) = two_prod(x, x);
    let (s, e) = fast_two_sum(THIRD_HIGH, u * erf_tail(u));
    let (p, pe) = two_prod(u, s);
    let p_low = u.mul_add(e + THIRD_LOW, ue.mul_add(s, pe));
    let (v, ve) = fast_two_sum(SLOPE_HIGH, p);
    let (y, ye) = two_prod(x, v);
    (y, x.mul_add(ve + (p_low + SLOPE_LOW), ye))
}

/// `exp(x^2) erfc(x)` for `1/2 <= x <= 30` as a normalised pair, relative error below 2^-56.
#[kernel(inline)]
fn erfc_scaled(x: f64) -> (f64, f64) {
    let d: (f64, f64) = two_sum(x, 3.0);
    let t: (f64, f64) = dd_div(two_sum(x, -3.0), d);
    let p = dd_add((SCALED_3_HIGH, SCALED_3_LOW), dd_mul_d(t, scaled_tail(t.0)));
    let p = dd_add((SCALED_2_HIGH, SCALED_2_LOW), dd_mul(t, p));
    let p = dd_add((SCALED_1_HIGH, SCALED_1_LOW), dd_mul(t, p));
    let p = dd_add((SCALED_0_HIGH, SCALED_0_LOW), dd_mul(t, p));
    dd_div(p, d)
}

/// `erfc(x)` for `1/2 <= x <= 30` as `(high, low, k)`, the value being `(high + low) 2^k`.
#[kernel(inline)]
fn erfc_tail(x: f64) -> (f64, f64, f64) {
    let (square, square_low) = two_prod(x, x);
    let (mh, ml, k) = exp_parts((-square, -square_low));
    let y: (f64, f64) = dd_mul(erfc_scaled(x), (mh, ml));
    (y.0, y.1, k)
}

/// The error function, `2/sqrt(pi)` times the integral of `exp(-t^2)` from 0 to `x`.
///
/// Domain: every `f64`; infinities give +-1, NaN gives NaN; keeps the sign of zero.
/// Method: |x| <= 1: the power series, the first two terms as pairs; above: 1 - erfc(|x|), 1 from 6 on.
/// Paper: DLMF 7.6.1; shepherd1981 (the map of the argument of `erfc`).
/// Error: 99 % within 0.55 ulp, at most 0.65 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a <= 1.0 {
        if x == 0.0 {
            return x;
        }
        if a < 1e-150 {
            // the pairs would underflow; the next term is below 1e-300 of the result
            return SLOPE_HIGH.mul_add(x, SLOPE_LOW * x);
        }
        let (h, l) = erf_center(x);
        return h + l;
    }
    if x.is_nan() {
        return x;
    }
    if a >= 6.0 {
        return 1.0f64.copysign(x);
    }
    let (h, l, k) = erfc_tail(a);
    let y = 1.0 - scale_by_power(h + l, k);
    y.copysign(x)
}

/// The complementary error function, `1 - erf(x)`, relatively accurate in its tail.
///
/// Domain: every `f64`; `+inf` gives 0, `-inf` gives 2, NaN gives NaN; 0 above 27.23.
/// Method: |x| <= 1/2: 1 - erf(x) as pairs; x > 1/2: exp(-x^2) P(t)/(x + 3), t = (x - 3)/(x + 3), the exponent as an exact
///   pair and the first four terms of the polynomial in double-double; x < -1/2: 2 minus that.
/// Paper: shepherd1981; DLMF 7.12.1 (the tail).
/// Error: 99 % within 0.55 ulp, at most 0.65 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let a = x.abs();
    if a <= 0.5 {
        let (h, l) = erf_center(x);
        let (s, e) = fast_two_sum(1.0, -h);
        return s + (e - l);
    }
    let (h, l, k) = erfc_tail(if a > 28.0 { 28.0 } else { a });
    let tail = scale_by_power(h + l, k);
    if x > 0.0 { tail } else { 2.0 - tail }
}

/// The solution of `erf(x) = ph + pl`, `|ph| <= 0.76`: a polynomial and one step of Halley's iteration.
#[kernel(inline)]
fn erfinv_center(ph: f64, pl: f64) -> f64 {
    let x = ph * inverse_center(ph * ph);
    let (h, l) = erf_center(x);
    let step = ((h - ph) + (l - pl)) / (SLOPE_HIGH * exp(-x * x));
    x - step / x.mul_add(step, 1.0)
}

/// The solution of `erfc(x) = q` for `0 < q <= 1/2`: a polynomial and one step of Halley's iteration.
#[kernel(inline)]
fn erfcinv_tail(q: f64) -> f64 {
    let w = (-log(q)).sqrt();
    let x = w * inverse_tail((w - 3.0) / (w + 3.0));
    // erfc(x) - q over the slope -2/sqrt(pi) exp(-x^2): the exponential cancels against that of erfc(x)
    let scaled: (f64, f64) = erfc_scaled(x);
    let (h, l, k) = erfc_tail(x);
    let target = scale_by_power(q, -k);
    let step = scaled.0 * (((h - target) + l) / h) / SLOPE_HIGH;
    x + step / (-x).mul_add(step, 1.0)
}

/// The inverse of [`erf`].
///
/// Domain: |p| <= 1; +-1 give infinities, outside and NaN give NaN; keeps the sign of zero.
/// Method: |p| <= 3/4: a polynomial in p^2 and one step of Halley's iteration on `erf`, whose residual is formed from a
///   pair; above: the inverse of `erfc` at `1 - |p|`, which is exact.
/// Paper: giles2012 (the two ranges).
/// Error: 99 % within 0.52 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn erfinv(p: f64) -> f64 {
    let a = p.abs();
    if a <= 0.75 {
        if p == 0.0 {
            return p;
        }
        if a < 1e-150 {
            return HALF_SQRT_PI_HIGH.mul_add(p, HALF_SQRT_PI_LOW * p); // the pairs would underflow
        }
        return erfinv_center(p, 0.0);
    }
    if a < 1.0 {
        return erfcinv_tail(1.0 - a).copysign(p);
    }
    if a == 1.0 { f64::INFINITY.copysign(p) } else { f64::NAN }
}

/// The inverse of [`erfc`].
///
/// Domain: 0 <= q <= 2; 0 gives `+inf`, 2 gives `-inf`, outside and NaN give NaN.
/// Method: 1/4 <= q <= 7/4: that of [`erfinv`] at `1 - q` as a pair; outside: a polynomial in sqrt(-log q) and one step of
///   Halley's iteration on `erfc`, whose residual is relative.
/// Paper: giles2012 (the two ranges).
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn erfcinv(q: f64) -> f64 {
    if q >= 0.25 && q <= 1.75 {
        let (h, l) = two_sum(1.0, -q);
        return erfinv_center(h, l);
    }
    if q > 0.0 && q < 0.25 {
        return erfcinv_tail(q);
    }
    if q > 1.75 && q < 2.0 {
        return -erfcinv_tail(2.0 - q);
    }
    if q == 0.0 {
        return f64::INFINITY;
    }
    if q == 2.0 { f64::NEG_INFINITY } else { f64::NAN }
}
