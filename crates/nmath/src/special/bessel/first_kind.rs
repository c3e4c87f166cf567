//! `bessel_j` and `bessel_y`: which formula where.

use crate::special::constants::INV_PI;
use crate::special::double_double::{dd_div, dd_inverse_sqrt, dd_mul, dd_mul_d, dd_sub};
use crate::special::scaling::scale_by_power;
use crate::special::trigonometric::{cospi, sinpi};
use gristmill_kernel::kernel;

use super::airy::transition;
use super::debye::{SQRT_2_OVER_PI, above_transition, below_transition, cos_sin_turns, exponent_bound, phase_reaches};
use super::large_argument::{argument_is_large, large_argument};
use super::quadrature::hankel;
use super::recurrence::climb;
use super::series::power_series;
use super::temme::{Start, temme};

/// From this order on the Airy-type expansion serves the transition.
#[kernel]
const LARGE_ORDER: f64 = 25.0;
/// From this phase, or exponent, on Debye's expansions hold.
#[kernel]
const DEBYE_FROM: f64 = 20.0;
/// From this argument on Hankel's expansion holds for orders up to 3/2.
#[kernel]
const LARGE_ARGUMENT: f64 = 20.0;
/// Up to this argument the power series of J serves every order.
#[kernel]
const SERIES_END: f64 = 8.0;

/// The sum of a pair, times `2^k`, rounded once.
#[kernel(inline)]
fn rounded(y: (f64, f64, f64)) -> f64 {
    scale_by_power(y.0 + y.1, y.2)
}

/// J or Y of order 25 or more.
#[kernel]
fn large_order(x: f64, nu: f64, second: bool) -> f64 {
    if x < nu {
        if exponent_bound(x, nu) >= DEBYE_FROM {
            return rounded(below_transition(x, nu, second));
        }
    } else if phase_reaches(x, nu, DEBYE_FROM) {
        let (h, l) = above_transition(x, nu, second);
        return h + l;
    }
    let (h, l) = transition(x, nu, second);
    h + l
}

/// J or Y at the orders `fraction` and `fraction + 1`, `fraction` being 1/2 or -1/2: sine and cosine.
#[kernel]
fn half_orders(x: f64, fraction: f64, second: bool) -> Start {
    let (c, cl, s, sl) = cos_sin_turns(dd_mul_d(INV_PI, x));
    let a = dd_mul(dd_inverse_sqrt((x, 0.0)), SQRT_2_OVER_PI);
    let cosine = dd_mul(a, (c, cl));
    let sine = dd_mul(a, (s, sl));
    let minus = (-cosine.0, -cosine.1);
    // at -1/2 and 1/2
    let below = if second { sine } else { cosine };
    let above = if second { minus } else { sine };
    // at 3/2: above/x - below
    let next = dd_sub(dd_div(above, (x, 0.0)), below);
    let low = fraction < 0.0;
    Start { first: if low { below } else { above }, second: if low { above } else { next } }
}

/// J (for `x > nu`) or Y of half an odd integer below 25.
#[kernel]
fn half_integer(x: f64, nu: f64, second: bool) -> f64 {
    let steps = nu.round_ties_even();
    let fraction = nu - steps;
    let (h, l) = climb(half_orders(x, fraction, second), x, fraction, steps, -1.0);
    h + l
}

/// Whether an order is half an odd integer.
#[kernel(inline)]
fn is_half_integer(nu: f64) -> bool {
    (nu - nu.round_ties_even()).abs() == 0.5
}

/// J or Y of an order below 25 from the two lowest orders, for `x >= 1`.
#[kernel]
fn climbed(x: f64, nu: f64, second: bool) -> f64 {
    let steps = nu.round_ties_even();
    let fraction = nu - steps;
    let start: Start;
    if x >= LARGE_ARGUMENT {
        start = Start { first: large_argument(x, fraction, second), second: large_argument(x, fraction + 1.0, second) };
    } else {
        start = hankel(x, fraction, second);
    }
    let (h, l) = climb(start, x, fraction, steps, -1.0);
    h + l
}

/// `J` where one expansion gives it; elsewhere, and outside of `x > 0`, `nu >= 0`, both finite, NaN.
#[kernel]
fn j_expanded(x: f64, nu: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY && nu >= 0.0 && nu < f64::INFINITY) {
        return f64::NAN;
    }
    if nu >= LARGE_ORDER {
        return large_order(x, nu, false);
    }
    if x <= SERIES_END || x <= nu {
        return rounded(power_series(x, nu, -1.0, 0.0));
    }
    if x < LARGE_ARGUMENT && is_half_integer(nu) {
        return half_integer(x, nu, false);
    }
    if argument_is_large(x, nu) {
        let (h, l) = large_argument(x, nu, false);
        return h + l;
    }
    if x >= LARGE_ARGUMENT && phase_reaches(x, nu, DEBYE_FROM) {
        let (h, l) = above_transition(x, nu, false);
        return h + l;
    }
    f64::NAN
}

/// `Y` where one expansion gives it, or Temme's series; elsewhere, and outside of `x > 0`, `nu >= 0`, both finite, NaN.
#[kernel]
fn y_expanded(x: f64, nu: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY && nu >= 0.0 && nu < f64::INFINITY) {
        return f64::NAN;
    }
    if nu >= LARGE_ORDER {
        return large_order(x, nu, true);
    }
    if x < LARGE_ARGUMENT && is_half_integer(nu) {
        let y = half_integer(x, nu, true);
        return if y.is_finite() { y } else { f64::NEG_INFINITY };
    }
    if x < 1.0 {
        let steps = nu.round_ties_even();
        let fraction = nu - steps;
        let (h, l) = climb(temme(x, fraction, true, 1.0), x, fraction, steps, -1.0);
        let y = h + l;
        return if y.is_finite() { y } else { f64::NEG_INFINITY };
    }
    if argument_is_large(x, nu) {
        let (h, l) = large_argument(x, nu, true);
        return h + l;
    }
    if x >= LARGE_ARGUMENT && x > nu && phase_reaches(x, nu, DEBYE_FROM) {
        let (h, l) = above_transition(x, nu, true);
        return h + l;
    }
    f64::NAN
}

/// Whether the expansion held.
#[kernel(inline)]
fn holds(y: f64) -> bool {
    !y.is_nan()
}

/// `J` at 0, at infinity and for infinite orders, `nu >= 0`.
#[kernel]
fn j_edge(x: f64, nu: f64) -> f64 {
    if x == 0.0 {
        return if nu == 0.0 { 1.0 } else { 0.0 };
    }
    if x == f64::INFINITY && nu == f64::INFINITY {
        return f64::NAN;
    }
    0.0
}

/// `Y` at 0, at infinity and for infinite orders, `nu >= 0`.
#[kernel]
fn y_edge(x: f64, nu: f64) -> f64 {
    if x == f64::INFINITY {
        return if nu == f64::INFINITY { f64::NAN } else { 0.0 };
    }
    f64::NEG_INFINITY
}

/// `J` of `x >= 0` and `nu >= 0`.
#[kernel]
fn j_any(x: f64, nu: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY) {
        return j_edge(x, nu);
    }
    let y = j_expanded(x, nu);
    if holds(y) { y } else { climbed(x, nu, false) }
}

/// `Y` of `x >= 0` and `nu >= 0`.
#[kernel]
fn y_any(x: f64, nu: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY) {
        return y_edge(x, nu);
    }
    let y = y_expanded(x, nu);
    if holds(y) { y } else { climbed(x, nu, true) }
}

/// What [`y_reduced`] is times.
#[kernel]
const TWO_M64: f64 = 5.421010862427522e-20;
/// 2^64.
#[kernel]
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

/// `2^-64 Y` where `Y` itself overflows, `x > 0` finite: there Temme's series or Debye's expansion gives it.
#[kernel]
fn y_reduced(x: f64, nu: f64) -> f64 {
    let mut y: f64;
    if nu >= LARGE_ORDER {
        let (h, l, k) = below_transition(x, nu, true);
        y = rounded((h, l, k - 64.0));
    } else {
        let steps = nu.round_ties_even();
        let fraction = nu - steps;
        let (h, l) = climb(temme(x, fraction, true, TWO_M64), x, fraction, steps, -1.0);
        y = h + l;
    }
    if !y.is_finite() {
        y = f64::NEG_INFINITY;
    }
    y
}

/// `c J` for `nu >= 0`, finite; a factor 0 leaves 0.
#[kernel]
fn share_of_j(c: f64, x: f64, nu: f64) -> f64 {
    if c == 0.0 { 0.0 } else { c * j_any(x, nu) }
}

/// `c Y` for `nu >= 0`, finite; a factor 0 leaves 0 even if Y is infinite. The sine or cosine of a fraction of an order is 2^-54 at
/// least where it is not 0, and brings back what has overflowed by less.
#[kernel]
fn share_of_y(c: f64, x: f64, nu: f64) -> f64 {
    if c == 0.0 {
        return 0.0;
    }
    let y = y_any(x, nu);
    if y == f64::NEG_INFINITY && x > 0.0 { c * y_reduced(x, nu) * TWO_64 } else { c * y }
}

/// `J` where no expansion gives it: between them by the trapezoidal rule and the recurrence, negative orders, the ends of the domain.
#[kernel]
fn j_rest(x: f64, nu: f64) -> f64 {
    if x.is_nan() || nu.is_nan() {
        return x + nu;
    }
    if x < 0.0 || nu == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if nu < 0.0 {
        return share_of_j(cospi(nu), x, -nu) + share_of_y(sinpi(nu), x, -nu);
    }
    if x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY { climbed(x, nu, false) } else { j_edge(x, nu) }
}

/// `Y` where no expansion gives it.
#[kernel]
fn y_rest(x: f64, nu: f64) -> f64 {
    if x.is_nan() || nu.is_nan() {
        return x + nu;
    }
    if x < 0.0 || nu == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if nu < 0.0 {
        return share_of_y(cospi(nu), x, -nu) + share_of_j(-sinpi(nu), x, -nu);
    }
    if x > 0.0 && x < f64::INFINITY && nu < f64::INFINITY { climbed(x, nu, true) } else { y_edge(x, nu) }
}

/// The Bessel function of the first kind, `J` of real order.
///
/// R: `besselJ(x, nu)`, Bessel function of the first kind: `bessel_j(x, nu)`.
/// Domain: `x >= 0`, else NaN; any order, negative ones by reflection, `cos(pi nu) J - sin(pi nu) Y` of order `-nu`; NaN gives NaN.
///   At 0: 1 for order 0, 0 above, for negative orders that are no integers an infinity. At `+inf` 0; order `+inf` gives 0.
/// Method: for orders of 25 and more, Debye's expansions on both sides of the transition and the Airy-type expansion through it; for
///   smaller ones the power series in double-double up to `x = max(8, nu)`, the trapezoidal rule on the path of steepest descent with
///   the recurrence up to 20, Hankel's (orders up to the root of `x`) and Debye's expansions above. The module's map says why.
/// Paper: debye1909; olver1974; dlmf, 10.2.2, 10.19, 10.20.
/// Error: 99 % within 0.70 ulp, at most 1.10 ulp of the modulus above the transition (of the value below) on the points of dev/oracle; the tests hold it.
#[kernel(masked, ordered)]
pub fn bessel_j(x: f64, nu: f64) -> f64 {
    let y = j_expanded(x, nu);
    if holds(y) { y } else { j_rest(x, nu) }
}

/// The Bessel function of the second kind, `Y` of real order (Weber's function).
///
/// R: `besselY(x, nu)`, Bessel function of the second kind: `bessel_y(x, nu)`.
/// Domain: `x >= 0`, else NaN; any order, negative ones by reflection, `cos(pi nu) Y + sin(pi nu) J` of order `-nu`; NaN gives NaN.
///   At 0 `-inf` (negative orders: by reflection); at `+inf` 0; order `+inf` gives `-inf`.
/// Method: as [`bessel_j`] from order 25 or argument 20 on; below, Temme's series (`x < 1`) or the trapezoidal rule on the path of
///   steepest descent at the order's distance from the nearest integer, then the recurrence.
/// Paper: debye1909; olver1974; temme1976; dlmf, 10.19, 10.20.
/// Error: 99 % within 1.00 ulp, at most 1.60 ulp of the modulus above the transition (of the value below) on the points of dev/oracle; the tests hold it.
#[kernel(masked, ordered)]
pub fn bessel_y(x: f64, nu: f64) -> f64 {
    let y = y_expanded(x, nu);
    if holds(y) { y } else { y_rest(x, nu) }
}
