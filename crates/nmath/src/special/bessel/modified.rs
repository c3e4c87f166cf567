//! `bessel_i` and `bessel_k`: which formula where.

use crate::special::constants::SQRT_2PI;
use crate::special::double_double::{dd_add, dd_add_d, dd_div, dd_inverse_sqrt, dd_mul, fast_two_sum};
use crate::special::exponential::exp_parts;
use crate::special::scaling::scale_by_power;
use crate::special::trigonometric::sinpi;
use gristmill_kernel::kernel;

use super::debye::{Modified, modified};
use super::large_argument::{argument_is_large, real_sum};
use super::quadrature::scaled_k;
use super::recurrence::climb;
use super::series::power_series;
use super::temme::{Start, temme};

/// From this `sqrt(x^2 + nu^2)` on Debye's expansions hold; its square.
#[kernel]
const DEBYE_FROM_SQUARED: f64 = 400.0;
/// 1/sqrt(2 pi).
#[kernel]
const INV_SQRT_2PI: (f64, f64) = (0.3989422804014327, -2.4923272022777433e-17);
/// sqrt(pi/2).
#[kernel]
const SQRT_HALF_PI: (f64, f64) = (0.5 * SQRT_2PI.0, -9.164289990229583e-17);

/// What [`k_reduced`] is times.
#[kernel]
const TWO_M64: f64 = 5.421010862427522e-20;
/// 2^64.
#[kernel]
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

/// Whether the scaled function is wanted. R's level adds its flag to 1, and any flag but 0 is TRUE there.
#[kernel(inline)]
fn is_scaled(expo: f64) -> bool {
    expo != 1.0
}

/// `c exp(e)` of a pair and an exponent, rounded once.
#[kernel(inline)]
fn times_exp(c: (f64, f64), e: (f64, f64)) -> f64 {
    times_exp_of_two(c, e, 0.0)
}

/// `c exp(e) 2^p`, rounded once.
#[kernel(inline)]
fn times_exp_of_two(c: (f64, f64), e: (f64, f64), p: f64) -> f64 {
    let inside = e.0.abs() < 1090.0;
    let cut: f64 = 1090.0;
    let h = if inside { e.0 } else { cut.copysign(e.0) };
    let (m, ml, k) = exp_parts((h, if inside { e.1 } else { 0.0 }));
    let y = dd_mul((m, ml), c);
    scale_by_power(y.0 + y.1, k + p)
}

/// Whether Debye's expansions hold.
#[kernel(inline)]
fn far(x: f64, nu: f64) -> bool {
    x * x + nu * nu >= DEBYE_FROM_SQUARED
}

/// Whether an expansion held.
#[kernel(inline)]
fn holds(y: f64) -> bool {
    !y.is_nan()
}

/// `I`, or `exp(-x) I`, by Debye's expansion; where that does not hold, and outside of `x > 0`, `nu >= 0`, both finite, NaN.
#[kernel]
fn i_expanded(x: f64, nu: f64, expo: f64) -> f64 {
    let scaled = is_scaled(expo);
    if x > 0.0 && x < f64::INFINITY && nu >= 0.0 && nu < f64::INFINITY && far(x, nu) {
        let m: Modified = modified(x, nu);
        let amplitude: (f64, f64) = m.amplitude;
        let exponent: (f64, f64) = m.exponent;
        let c = dd_mul(amplitude, INV_SQRT_2PI);
        let c = dd_mul(c, fast_two_sum(1.0, m.even + m.odd));
        return times_exp(c, dd_add_d(exponent, if scaled { 0.0 } else { x }));
    }
    f64::NAN
}

/// `I`, or `exp(-x) I`, by its power series.
#[kernel]
fn i_series(x: f64, nu: f64, expo: f64) -> f64 {
    let (h, l, k) = power_series(x, nu, 1.0, if is_scaled(expo) { -x } else { 0.0 });
    scale_by_power(h + l, k)
}

/// `K`, or `exp(x) K`, by Hankel's or Debye's expansion or Temme's series; elsewhere, and outside of `x > 0`, finite orders, NaN.
#[kernel]
fn k_expanded(x: f64, order: f64, expo: f64) -> f64 {
    let nu = order.abs();
    let scaled = is_scaled(expo);
    if !(x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY) {
        return f64::NAN;
    }
    if argument_is_large(x, nu) {
        let c: (f64, f64) = dd_mul(dd_inverse_sqrt((x, 0.0)), SQRT_HALF_PI);
        return times_exp(dd_mul(c, real_sum(x, nu)), (if scaled { 0.0 } else { -x }, 0.0));
    }
    if far(x, nu) {
        let m: Modified = modified(x, nu);
        let amplitude: (f64, f64) = m.amplitude;
        let exponent: (f64, f64) = m.exponent;
        let c = dd_mul(amplitude, SQRT_HALF_PI);
        let c = dd_mul(c, fast_two_sum(1.0, m.even - m.odd));
        let e = dd_add_d((-exponent.0, -exponent.1), if scaled { 0.0 } else { -x });
        return times_exp(c, e);
    }
    if x < 1.0 {
        let steps = nu.round_ties_even();
        let fraction = nu - steps;
        let c = climb(temme(x, fraction, false, 1.0), x, fraction, steps, 1.0);
        if !c.0.is_finite() {
            return f64::INFINITY;
        }
        return if scaled { times_exp(c, (x, 0.0)) } else { c.0 + c.1 };
    }
    f64::NAN
}

/// `K`, or `exp(x) K`, by the trapezoidal rule and the recurrence, for `1 <= x <= 20`, `nu <= 20`.
#[kernel]
fn k_climbed(x: f64, nu: f64, expo: f64) -> f64 {
    let steps = nu.round_ties_even();
    let fraction = nu - steps;
    let start: Start;
    if fraction.abs() == 0.5 {
        // exp(x) K of order 1/2 or -1/2 is sqrt(pi/(2 x)), and of order 3/2 1 + 1/x times that
        let half = dd_mul(dd_inverse_sqrt((x, 0.0)), SQRT_HALF_PI);
        let next = dd_add(half, dd_div(half, (x, 0.0)));
        start = Start { first: half, second: if fraction < 0.0 { half } else { next } };
    } else {
        start = scaled_k(x, fraction);
    }
    let c = climb(start, x, fraction, steps, 1.0);
    if is_scaled(expo) { c.0 + c.1 } else { times_exp(c, (-x, 0.0)) }
}

/// `I` for `nu >= 0` and every `x >= 0`.
#[kernel]
fn i_any(x: f64, nu: f64, expo: f64) -> f64 {
    if x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY {
        let y = i_expanded(x, nu, expo);
        return if holds(y) { y } else { i_series(x, nu, expo) };
    }
    if x == 0.0 {
        return if nu == 0.0 { 1.0 } else { 0.0 };
    }
    if x < f64::INFINITY {
        return 0.0; // infinite order
    }
    if nu == f64::INFINITY {
        return f64::NAN;
    }
    if is_scaled(expo) { 0.0 } else { f64::INFINITY }
}

/// `K` for `nu >= 0` and every `x >= 0`.
#[kernel]
fn k_any(x: f64, nu: f64, expo: f64) -> f64 {
    if x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY {
        let y = k_expanded(x, nu, expo);
        return if holds(y) { y } else { k_climbed(x, nu, expo) };
    }
    if x < f64::INFINITY {
        return f64::INFINITY; // at 0, and of infinite order
    }
    if nu == f64::INFINITY { f64::NAN } else { 0.0 }
}

/// `2^-64 K`, or `2^-64 exp(-x) K`, where `K` itself or `exp(x) K` overflows, `x > 0` finite: there Temme's series or Debye's expansion gives it.
#[kernel]
fn k_reduced(x: f64, nu: f64, expo: f64) -> f64 {
    let mut y: f64;
    if far(x, nu) {
        let m: Modified = modified(x, nu);
        let amplitude: (f64, f64) = m.amplitude;
        let exponent: (f64, f64) = m.exponent;
        let c = dd_mul(amplitude, SQRT_HALF_PI);
        let c = dd_mul(c, fast_two_sum(1.0, m.even - m.odd));
        let e = dd_add_d((-exponent.0, -exponent.1), if is_scaled(expo) { -2.0 * x } else { -x });
        y = times_exp_of_two(c, e, -64.0);
    } else {
        let steps = nu.round_ties_even();
        let fraction = nu - steps;
        let c = climb(temme(x, fraction, false, TWO_M64), x, fraction, steps, 1.0);
        y = if is_scaled(expo) { times_exp(c, (-x, 0.0)) } else { c.0 + c.1 };
    }
    if !y.is_finite() {
        y = f64::INFINITY;
    }
    y
}

/// `I` by its power series, of negative orders, and at the ends of the domain.
#[kernel]
fn i_rest(x: f64, nu: f64, expo: f64) -> f64 {
    if x.is_nan() || nu.is_nan() {
        return x + nu;
    }
    if x < 0.0 || nu == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if nu >= 0.0 {
        return if x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY {
            i_series(x, nu, expo)
        } else {
            i_any(x, nu, expo)
        };
    }
    let sine = sinpi(-nu);
    let first = i_any(x, -nu, expo);
    if sine == 0.0 {
        return first;
    }
    let k = k_any(x, -nu, expo);
    let share = sine * std::f64::consts::FRAC_2_PI;
    if !k.is_finite() {
        // the sine of a fraction of an order is 2^-54 at least, and exp(-2 x) any: they bring back what has overflowed
        return first + (if x > 0.0 { share * k_reduced(x, -nu, expo) * TWO_64 } else { share * k });
    }
    // exp(-x) K from exp(x) K
    let second = if is_scaled(expo) { times_exp((k, 0.0), (-2.0 * x, 0.0)) } else { k };
    first + share * second
}

/// `K` by the trapezoidal rule, and at the ends of the domain.
#[kernel]
fn k_rest(x: f64, nu: f64, expo: f64) -> f64 {
    if x.is_nan() || nu.is_nan() {
        return x + nu;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    let order = nu.abs();
    if x > 0.0 && x < f64::INFINITY && order < f64::INFINITY {
        k_climbed(x, order, expo)
    } else {
        k_any(x, order, expo)
    }
}

/// The modified Bessel function of the first kind, `I` of real order; with `expo = 2`, `exp(-x) I`.
///
/// R: `besselI(x, nu, expon.scaled = FALSE)`, modified Bessel function of the first kind: `bessel_i(x, nu, 1 + expon.scaled)`.
/// Domain: `x >= 0`, else NaN; any order, negative ones by reflection, `I + (2/pi) sin(pi nu) K` of order `-nu`; NaN gives NaN.
///   At 0: 1 for order 0, 0 above. At `+inf`: `+inf`, scaled 0. Plain for `expo = 1`, scaled for every other value.
/// Method: `x^2 + nu^2 < 400` the power series in double-double; above, Debye's expansion, with its exponent in double-double.
/// Paper: debye1909; olver1974; dlmf, 10.25.2 and 10.41.
/// Error: 99 % within 1.00 ulp, at most 1.50 ulp on the points of dev/oracle; the tests hold it.
///   Of order below 0 where the two terms cancel, absolute.
#[kernel(masked, ordered)]
pub fn bessel_i(x: f64, nu: f64, expo: f64) -> f64 {
    let y = i_expanded(x, nu, expo);
    if holds(y) { y } else { i_rest(x, nu, expo) }
}

/// The modified Bessel function of the second kind, `K` of real order (Macdonald's function); with `expo = 2`, `exp(x) K`.
///
/// R: `besselK(x, nu, expon.scaled = FALSE)`, modified Bessel function of the second kind: `bessel_k(x, nu, 1 + expon.scaled)`.
/// Domain: `x >= 0`, else NaN; any order, `K` is even in it; NaN gives NaN. At 0 `+inf`, at `+inf` 0. Plain for `expo = 1`, scaled for
///   every other value.
/// Method: at the order's distance from the nearest integer Temme's series (`x < 1`) or the trapezoidal rule, then the recurrence, while
///   `x^2 + nu^2 < 400`; above, Debye's expansion, with its exponent in double-double, or Hankel's where `nu^2 <= x`.
/// Paper: temme1975; trefethen2014; debye1909; olver1974; dlmf, 10.32.9 and 10.41.
/// Error: 99 % within 0.80 ulp, at most 1.50 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked, ordered)]
pub fn bessel_k(x: f64, nu: f64, expo: f64) -> f64 {
    let y = k_expanded(x, nu, expo);
    if holds(y) { y } else { k_rest(x, nu, expo) }
}
