//! The sine and the cosine of `pi t` as triples of doubles, for results of which only the last digits are left.

use super::constants::PI;
use super::extra_precision::{triple_add, triple_mul, triple_over};
use gristmill_kernel::kernel;

/// What `PI` leaves of pi.
#[kernel]
const PI_REST: f64 = -2.9947698097183397e-33;

/// `pi t`.
#[kernel(inline)]
pub(crate) fn turn_triple(t: f64) -> (f64, f64, f64) {
    triple_mul((PI.0, PI.1, PI_REST), (t, 0.0, 0.0))
}

/// `-(pi t)^2`.
#[kernel(inline)]
pub(crate) fn minus_square_of_turn(t: f64) -> (f64, f64, f64) {
    let turn = turn_triple(t);
    triple_mul(turn, (-turn.0, -turn.1, -turn.2))
}

/// `sin(pi t)/(pi t)`, or, if `even`, `cos(pi t)`, as a triple for `|t| <= 1/2`, given `w = -(pi t)^2`: Taylor's series from the end.
#[kernel]
pub(crate) fn circular_series(w: (f64, f64, f64), even: bool) -> (f64, f64, f64) {
    let one: (f64, f64, f64) = (1.0, 0.0, 0.0);
    let mut s: (f64, f64, f64) = one;
    // 36 terms of either parity: the next is below 2^-150
    let mut k = if even { 35.0 } else { 36.0 };
    while k > 0.0 {
        s = triple_add(one, triple_over(triple_mul(w, s), k * (k + 1.0)));
        k -= 2.0;
    }
    s
}
