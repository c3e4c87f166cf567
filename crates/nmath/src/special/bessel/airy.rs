//! The Airy-type expansion of J and Y, uniform through the transition `x = nu`.
//!
//! Paper: olver1974, ch. 11; dlmf, 10.20.

use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, dd_sqrt, dd_square, fast_two_sum, two_prod, two_sum,
};
use crate::special::roots::cbrt;
use gristmill_kernel::kernel;

use super::tables::{
    AI_HIGH, AI_LOW, AI_SLOPE_HIGH, AI_SLOPE_LOW, AIRY_CENTRE, BI_HIGH, BI_LOW, BI_SLOPE_HIGH, BI_SLOPE_LOW, ZETA_HIGH,
    ZETA_LOW, airy_a, airy_b,
};

/// `1/((n + 1)(n + 2))`, n = 0, 1, ...
#[kernel]
const STEPS: [f64; 15] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 12.0,
    1.0 / 20.0,
    1.0 / 30.0,
    1.0 / 42.0,
    1.0 / 56.0,
    1.0 / 72.0,
    1.0 / 90.0,
    1.0 / 110.0,
    1.0 / 132.0,
    1.0 / 156.0,
    1.0 / 182.0,
    1.0 / 210.0,
    1.0 / 240.0,
];

/// A solution of `y'' = z y` at `z = i/4 + d`, `|z| <= 11.8`, from its value and slope at `i/4`, `|d| <= 1/8`: the value as a
/// pair, and its slope. Taylor's series; only its first two terms are pairs, the others are below a fifth of the modulus.
#[kernel(inline)]
fn airy_near(centre: f64, d: (f64, f64), y: (f64, f64), slope: (f64, f64)) -> (f64, f64, f64) {
    let mut before = y.0; // a(n)
    let mut last = slope.0; // a(n+1)
    let mut next = centre * y.0 * STEPS[0]; // a(n+2)
    let mut power = d.0;
    let mut value = next;
    let mut rate = 2.0 * next * d.0;
    for n in 1..15 {
        let a = centre.mul_add(last, before) * STEPS[n];
        before = last;
        last = next;
        next = a;
        value = a.mul_add(power, value);
        rate = (a * (n as f64 + 2.0)).mul_add(power * d.0, rate);
        power *= d.0;
    }
    let slope_there = slope.0 + rate;
    let (p, e) = two_prod(d.0, slope.0);
    let (s, se) = two_sum(y.0, p);
    let low = (d.0 * d.0).mul_add(value, d.1.mul_add(slope_there, d.0.mul_add(slope.1, e))) + (se + y.1);
    let (high, rest) = two_sum(s, low);
    (high, rest, slope_there)
}

/// `J` (`second = false`) or `Y` as a normalised pair: for `nu >= 25` where neither phase nor exponent is above 22.
///
/// With `y = (nu - x)/(nu + x)` everything but Airy's functions is a polynomial in `y`: `zeta/y` (36 terms, the first of them pairs:
/// an error of the argument is amplified by 3.4), `A_1` to `A_5` and `B_0` to `B_4`. Terms that are left out are below 2^-57 for order 25.
#[kernel]
pub(crate) fn transition(x: f64, nu: f64, second: bool) -> (f64, f64) {
    let y = dd_div(two_sum(nu, -x), two_sum(nu, x));
    let t = dd_add_d(y, -AIRY_CENTRE);
    let v = t.0;
    let mut z: f64 = 0.0;
    for i in 0..27 {
        z = z.mul_add(v, ZETA_HIGH[35 - i]);
    }
    let mut zeta = (z, 0.0);
    for i in 0..9 {
        let j = 8 - i;
        zeta = dd_add((ZETA_HIGH[j], ZETA_LOW[j]), dd_mul(zeta, t));
    }
    // nu^(1/3) as a pair
    let c = cbrt(nu);
    let cube = dd_mul_d(two_prod(c, c), c);
    let rest = ((nu - cube.0) - cube.1) / (3.0 * c * c);
    let root = fast_two_sum(c, rest);
    let argument = dd_mul(dd_mul(dd_square(root), y), zeta);
    let i0 = (4.0 * argument.0).round_ties_even();
    let i1 = if i0 > 47.0 { 47.0 } else { i0 };
    let i2 = if i1 < -47.0 { -47.0 } else { i1 };
    let index = (i2 + 47.0) as i64;
    let d = dd_add_d(argument, -0.25 * i2);
    let value: (f64, f64);
    let slope: (f64, f64);
    if second {
        value = (BI_HIGH[index as usize], BI_LOW[index as usize]);
        slope = (BI_SLOPE_HIGH[index as usize], BI_SLOPE_LOW[index as usize]);
    } else {
        value = (AI_HIGH[index as usize], AI_LOW[index as usize]);
        slope = (AI_SLOPE_HIGH[index as usize], AI_SLOPE_LOW[index as usize]);
    }
    let (f, fl, df) = airy_near(0.25 * i2, d, value, slope);
    let inverse = 1.0 / (nu * nu);
    let a = inverse * airy_a(v, inverse);
    let b = airy_b(v, inverse);
    let sum = fast_two_sum(f, fl + f.mul_add(a, df * (b / (nu * c))));
    // (4 zeta/(1 - z^2))^(1/4) = sqrt(sqrt(zeta/y) (1 + y))
    let shape = dd_sqrt(dd_mul(dd_sqrt(zeta), dd_add_d(y, 1.0)));
    let result = dd_mul(dd_div(shape, root), sum);
    if second { (-result.0, -result.1) } else { result }
}
