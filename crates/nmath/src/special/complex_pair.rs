//! Complex numbers whose parts are double-double pairs, and the roots of unity.

use crate::special::constants::PI;
use crate::special::double_double::{dd_add, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_square, dd_sub_short};
use gristmill_kernel::kernel;

/// `re + i im`, normalised pairs; errors are relative to the modulus.
#[kernel]
pub(crate) struct ComplexPair {
    /// Real part.
    pub(crate) re: (f64, f64),
    /// Imaginary part.
    pub(crate) im: (f64, f64),
}

/// The number with these parts.
#[kernel(inline)]
pub(crate) fn complex(re: (f64, f64), im: (f64, f64)) -> ComplexPair {
    ComplexPair { re, im }
}

/// 1.
#[kernel(inline)]
pub(crate) fn complex_one() -> ComplexPair {
    ComplexPair { re: (1.0, 0.0), im: (0.0, 0.0) }
}

/// `a b`.
#[kernel(inline)]
pub(crate) fn complex_mul(a: ComplexPair, b: ComplexPair) -> ComplexPair {
    let re = dd_sub_short(dd_mul(a.re, b.re), dd_mul(a.im, b.im));
    complex(re, dd_add_short(dd_mul(a.re, b.im), dd_mul(a.im, b.re)))
}

/// `a / b`.
#[kernel]
pub(crate) fn complex_div(a: ComplexPair, b: ComplexPair) -> ComplexPair {
    let size = dd_add_short(dd_square(b.re), dd_square(b.im));
    let over = complex_mul(a, complex(b.re, dd_neg(b.im)));
    complex(dd_div(over.re, size), dd_div(over.im, size))
}

/// `a^k` for an integer `k >= 0`.
#[kernel]
pub(crate) fn complex_power(a: ComplexPair, k: f64) -> ComplexPair {
    let mut power = complex_one();
    let mut square = a;
    let mut left = k as u64;
    while left > 0 {
        if left & 1 == 1 {
            power = complex_mul(power, square);
        }
        square = complex_mul(square, square);
        left >>= 1;
    }
    power
}

/// `exp(2 pi i a / count)` for integers `0 <= a < count <= 2^50`, error about 2^-100.
///
/// Method: the nearest quarter turn is taken off exactly, in integers; both series of what is left, at most pi/4.
#[kernel]
pub(crate) fn root_of_unity(a: f64, count: f64) -> ComplexPair {
    let quarter = (4.0 * a / count).round_ties_even();
    let rest = (-quarter).mul_add(count, 4.0 * a); // exact: both products are integers below 2^53
    let turn = dd_div((rest, 0.0), (2.0 * count, 0.0));
    let y = dd_mul(turn, PI);
    let y2 = dd_neg(dd_square(y));
    let mut cosine = (1.0, 0.0);
    let mut sine: (f64, f64) = y;
    let mut even = (1.0, 0.0);
    let mut odd: (f64, f64) = y;
    let mut k: f64 = 1.0;
    while k < 28.0 {
        even = dd_div(dd_mul(even, y2), (k * (k + 1.0), 0.0));
        odd = dd_div(dd_mul(odd, y2), ((k + 1.0) * (k + 2.0), 0.0));
        cosine = dd_add(cosine, even);
        sine = dd_add(sine, odd);
        k += 2.0;
    }
    let quadrant = quarter as i64 & 3;
    let re = if quadrant & 1 == 0 { cosine } else { sine };
    let im = if quadrant & 1 == 0 { sine } else { cosine };
    let re_sign = if quadrant == 1 || quadrant == 2 { -1.0 } else { 1.0 };
    let im_sign = if quadrant >= 2 { -1.0 } else { 1.0 };
    complex(dd_mul_d(re, re_sign), dd_mul_d(im, im_sign))
}
