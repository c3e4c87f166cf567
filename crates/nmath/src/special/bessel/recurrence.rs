//! From orders in [-1/2, 3/2] upwards.
//!
//! Paper: dlmf, 10.6.1 and 10.29.1; amos1986 for where which direction is stable.

use crate::special::double_double::{dd_add, dd_div, dd_mul, dd_mul_d, two_sum};
use gristmill_kernel::kernel;

use super::temme::Start;

/// The value at order `nu + steps` from those at `nu` and `nu + 1`: `y(n+1) = (2 n/x) y(n) + sign y(n-1)`, in double-double.
///
/// `steps` is at most 26. What overflows on the way has overflowed at the end: the caller looks.
#[kernel]
pub(crate) fn climb(start: Start, x: f64, nu: f64, steps: f64, sign: f64) -> (f64, f64) {
    let over = dd_div((2.0, 0.0), (x, 0.0));
    let mut last = start.first;
    let mut here = start.second;
    for i in 1..27 {
        let n = i as f64;
        if n >= steps {
            break;
        }
        let c = dd_mul(over, two_sum(nu, n));
        let next = dd_add(dd_mul(c, here), dd_mul_d(last, sign));
        last = here;
        here = next;
    }
    if steps < 0.5 { start.first } else { here }
}
