//! `digamma` next to its negative zeros, of which there is one between any two poles.
//!
//! The zeros are no doubles. At the double next to one the value is some `2^-53`, or less where a zero happens to lie close to a
//! double, and what it is the difference of is of ordinary size: pairs do not hold it, so everything is done with triples.

use super::circular_triple::{circular_series, minus_square_of_turn};
use super::constants::TWELFTH;
use super::double_double::{dd_add, dd_add_d, dd_add_short, dd_div, dd_inverse, dd_mul, dd_square, two_sum};
use super::extra_precision::{inverse_triple, log_triple, triple_add, triple_mul};
use gristmill_kernel::kernel;

/// From here on the asymptotic series holds to 2^-114.
#[kernel]
const SERIES_FROM: f64 = 32.0;

polynomial! {
    /// The asymptotic series from the term in `a^-10` on, divided by it, in `1/a^2`: the coefficients `-B_2j/(2j)`.
    fn series_rest =
        [-54827.583333333336]
        [3607.5105463980462, -281.46014492753625, 26.456212121212122, -3.0539543302701198]
        [0.4432598039215686, -0.08333333333333333, 0.021092796092796094, -0.007575757575757576];
}

/// `digamma(a)` of a pair `1 <= a < 1e17` as a triple, absolute error about 2^-112.
///
/// Raised to 32 or more by `digamma(a) = digamma(a + 1) - 1/a`; there the asymptotic series (DLMF 5.11.2).
#[kernel]
fn digamma_triple(a: (f64, f64)) -> (f64, f64, f64) {
    let mut sum: (f64, f64, f64) = (0.0, 0.0, 0.0);
    let mut b: (f64, f64) = a;
    while b.0 < SERIES_FROM {
        let i = inverse_triple(b);
        sum = triple_add(sum, (-i.0, -i.1, -i.2));
        b = dd_add_d(b, 1.0);
    }
    let inverse = dd_inverse(b);
    let u = dd_square(inverse);
    // -1/12, 1/120, -1/252, 1/240, each in two parts
    let s = dd_add_d((0.004166666666666667, 5.782411586589357e-20), u.0 * series_rest(u.0));
    let s = dd_add((-0.003968253968253968, -2.20282346155785e-19), dd_mul(u, s));
    let s = dd_add((0.008333333333333333, 1.1564823173178714e-19), dd_mul(u, s));
    let s = dd_add((-TWELFTH.0, -TWELFTH.1), dd_mul(u, s));
    let rest = dd_add_short(dd_mul(u, s), (-0.5 * inverse.0, -0.5 * inverse.1));
    triple_add(triple_add(log_triple(b), (rest.0, rest.1, 0.0)), sum)
}

/// `digamma(x)` for `-2^52 < x < 0` that is no integer, absolute error about 2^-112.
///
/// Method: `digamma(1 - x) - pi cot(pi x)` with `t` the distance of `x` from the nearest integer, as
///   `(t S digamma(1 - x) - C)/(t S)`, `S = sin(pi t)/(pi t)` and `C = cos(pi t)`: the numerator is what cancels.
/// Paper: DLMF 5.5.4, 5.11.2.
#[kernel]
pub(crate) fn digamma_next_to_zero(x: f64) -> f64 {
    let t = x - x.round_ties_even(); // exact
    let up = digamma_triple(two_sum(1.0, -x));
    let w = minus_square_of_turn(t);
    let sine = triple_mul(circular_series(w, false), (t, 0.0, 0.0));
    let cosine = circular_series(w, true);
    let top = triple_add(triple_mul(up, sine), (-cosine.0, -cosine.1, -cosine.2));
    let value = dd_div((top.0, top.1), (sine.0, sine.1));
    value.0 + value.1
}
