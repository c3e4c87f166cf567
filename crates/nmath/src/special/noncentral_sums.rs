//! Sums over the Poisson mixture of the noncentral chi-squared distribution, where few terms matter.
//!
//! With `T_j = y^(a+j) e^-y/Gamma(a+j+1)` and `p_j = e^-l l^j/j!` the distribution function is `sum p_j sum_(i>=j) T_i`. All terms
//! are positive. The sums are evaluated from their end, so that rounding errors are damped, as quotients, so that there is one
//! division; the levels before the largest term, where nothing is damped, as pairs.

use crate::special::double_double::{dd_add_short, dd_div, dd_mul, dd_mul_d, two_sum};
use gristmill_kernel::kernel;

/// Up to which level pairs are used: past the largest term, which is near `sqrt(z)`.
#[kernel(inline)]
fn levels_of_pairs(root: f64, y: f64) -> f64 {
    (4.0 + 1.2 * root + 0.5 * y.sqrt()).floor()
}

/// How many terms of the exponential series leave 2^-57 for `y < 28`.
#[kernel(inline)]
fn terms_of_exponential(y: f64) -> f64 {
    let near = 18.0 + 3.7 * y;
    let far = 31.0 + 2.5 * y;
    if near < far { near } else { far }
}

#[kernel(inline)]
fn at_least_24(terms: f64) -> f64 {
    if terms > 24.0 { terms.floor() } else { 24.0 }
}

/// `H = sum z^j/((j+1)! (a+1)_j)` as a pair: `0F1(; a; z) = 1 + (z/a) H`.
///
/// Domain: `a >= 0`, `0 <= z < 157`: 12 + 2.6 sqrt(z) terms leave 2^-57.
#[kernel]
pub(crate) fn bessel_sum(z: (f64, f64), a: f64, tight: bool) -> (f64, f64) {
    let root = z.0.sqrt();
    let mut j = (12.0 + 2.6 * root).floor();
    let pairs = if tight { levels_of_pairs(root, 0.0) } else { -1.0 };
    let mut n: f64 = 1.0;
    let mut d: f64 = 1.0;
    while j > pairs {
        d *= (j + 2.0) * (a + (j + 1.0));
        n = z.0.mul_add(n, d);
        j -= 1.0;
    }
    let mut num = (n, 0.0);
    let mut den = (d, 0.0);
    while j >= 0.0 {
        den = dd_mul(den, dd_mul_d(two_sum(a, j + 1.0), j + 2.0));
        num = dd_add_short(dd_mul(z, num), den);
        j -= 1.0;
    }
    dd_div(num, den)
}

/// `W` with `P = p_0 T_0 W` as a pair: `W_j = g_j + z/((j+1)(a+j+1)) W_(j+1)`, `g_j = 1 + y/(a+j+1) g_(j+1)`.
///
/// Domain: `y` at most the mean, `S < 25`, so that `y < 28`.
#[kernel]
pub(crate) fn lower_mixture(z: (f64, f64), y: f64, a: f64) -> (f64, f64) {
    let root = z.0.sqrt();
    let terms = 12.0 + 2.6 * root;
    let inner = terms_of_exponential(y) - 0.9 * a;
    let mut j = at_least_24(if terms > inner { terms } else { inner });
    let pairs = levels_of_pairs(root, y);
    let mut shapes: f64 = 1.0;
    let mut counts: f64 = 1.0;
    let mut g: f64 = 1.0;
    let mut w: f64 = 1.0;
    while j > pairs {
        shapes *= a + (j + 1.0);
        counts *= j + 1.0;
        g = y.mul_add(g, shapes);
        w = z.0.mul_add(w, g * counts);
        j -= 1.0;
    }
    let mut shapes2 = (shapes, 0.0);
    let mut counts2 = (counts, 0.0);
    let mut g2 = (g, 0.0);
    let mut w2 = (w, 0.0);
    while j >= 0.0 {
        shapes2 = dd_mul(shapes2, two_sum(a, j + 1.0));
        counts2 = dd_mul_d(counts2, j + 1.0);
        g2 = dd_add_short(dd_mul_d(g2, y), shapes2);
        w2 = dd_add_short(dd_mul(z, w2), dd_mul(g2, counts2));
        j -= 1.0;
    }
    dd_div(w2, dd_mul(shapes2, counts2))
}

/// `V` with `Q = Q(a, y) + p_0 T_0 V` as a pair: `V_j = h_j + z/((j+1)(a+j+1)) V_(j+1)`, `h_j = l/(j+1) (1 + h_(j+1))`.
///
/// Domain: `y` at least the mean or the lower tail above 1/2, `S < 25`, so that `l < 28`.
#[kernel]
pub(crate) fn upper_mixture(z: (f64, f64), l: f64, a: f64) -> (f64, f64) {
    let root = z.0.sqrt();
    let terms = 12.0 + 2.6 * root;
    let inner = terms_of_exponential(l);
    let mut j = at_least_24(if terms > inner { terms } else { inner });
    let pairs = levels_of_pairs(root, l);
    let mut shapes: f64 = 1.0;
    let mut counts: f64 = 1.0;
    let mut h: f64 = 0.0;
    let mut v: f64 = 0.0;
    while j > pairs {
        shapes *= a + (j + 1.0);
        h = l * (counts + h);
        counts *= j + 1.0;
        v = z.0.mul_add(v, h * shapes);
        j -= 1.0;
    }
    let mut shapes2 = (shapes, 0.0);
    let mut counts2 = (counts, 0.0);
    let mut h2 = (h, 0.0);
    let mut v2 = (v, 0.0);
    while j >= 0.0 {
        shapes2 = dd_mul(shapes2, two_sum(a, j + 1.0));
        h2 = dd_mul_d(dd_add_short(counts2, h2), l);
        counts2 = dd_mul_d(counts2, j + 1.0);
        v2 = dd_add_short(dd_mul(z, v2), dd_mul(h2, shapes2));
        j -= 1.0;
    }
    dd_div(v2, dd_mul(shapes2, counts2))
}
