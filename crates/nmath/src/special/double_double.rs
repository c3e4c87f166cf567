//! Double-double arithmetic: a number as an unevaluated sum `(high, low)` of two doubles.
//!
//! Two kinds of pair, and every function says which it takes and gives:
//! - *normalised* (`dd_*`): `high` is the sum rounded to a double, so `|low| <= ulp(high)/2`;
//! - *loose* (`pair_*`): `|low|` may be larger, up to about `2^-16 |high|`. Cheaper: no renormalisation. Good for
//!   exponents and for whatever is multiplied by a normalised pair or added up next.
//!
//! None of them guards against overflow or underflow of an intermediate result: `two_prod` is exact only while the
//! product's error term, about `2^-53` of the product, is not subnormal.
//!
//! Paper: dekker1971 (sums, products), knuth1997 (4.2.2, `two_sum`), joldes2017 (error bounds).

use gristmill_kernel::kernel;

/// `a + b` exactly, as rounded sum and error; any order of magnitude (6 operations).
#[kernel(inline)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// `a + b` exactly, as rounded sum and error, if `|a| >= |b|` or `a = 0` (3 operations).
#[kernel(inline)]
pub fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// `a b` exactly, as rounded product and error.
#[kernel(inline)]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// `-a`.
#[kernel(inline)]
pub fn dd_neg(a: (f64, f64)) -> (f64, f64) {
    (-a.0, -a.1)
}

/// `a + b`, relative error below `3 * 2^-106` also under cancellation (20 operations).
#[kernel(inline)]
pub fn dd_add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (s, e) = two_sum(a.0, b.0);
    let (t, f) = two_sum(a.1, b.1);
    let (s, e) = fast_two_sum(s, e + t);
    fast_two_sum(s, e + f)
}

/// `a - b`, relative error below `3 * 2^-106` also under cancellation (20 operations).
#[kernel(inline)]
pub fn dd_sub(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    dd_add(a, (-b.0, -b.1))
}

/// `a + b`, *absolute* error below `2^-105 (|a| + |b|)`: the short form (11 operations), for terms that do not cancel.
#[kernel(inline)]
pub fn dd_add_short(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (s, e) = two_sum(a.0, b.0);
    fast_two_sum(s, e + (a.1 + b.1))
}

/// `a - b`, *absolute* error below `2^-105 (|a| + |b|)`: the short form, for terms that do not cancel.
#[kernel(inline)]
pub fn dd_sub_short(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    dd_add_short(a, (-b.0, -b.1))
}

/// `a + b` for a double `b`, relative error below `2^-105`.
#[kernel(inline)]
pub fn dd_add_d(a: (f64, f64), b: f64) -> (f64, f64) {
    let (s, e) = two_sum(a.0, b);
    fast_two_sum(s, e + a.1)
}

/// `a b`, relative error below `2^-103`.
#[kernel(inline)]
pub fn dd_mul(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(a.0, b.0);
    fast_two_sum(p, a.0.mul_add(b.1, a.1.mul_add(b.0, e)))
}

/// `a b` for a double `b`, relative error below `2^-104`.
#[kernel(inline)]
pub fn dd_mul_d(a: (f64, f64), b: f64) -> (f64, f64) {
    let (p, e) = two_prod(a.0, b);
    fast_two_sum(p, a.1.mul_add(b, e))
}

/// `a^2`, relative error below `2^-103`.
#[kernel(inline)]
pub fn dd_square(a: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(a.0, a.0);
    fast_two_sum(p, (2.0 * a.0).mul_add(a.1, e))
}

/// `a / b` with one division, relative error about `2^-102`; both pairs may be loose. `1 / b` must be a normal number.
///
/// The quotient of the leading parts is corrected by its exact residual times the reciprocal.
#[kernel(inline)]
pub fn dd_div(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let inverse = 1.0 / b.0;
    let q = a.0 * inverse;
    let r = (-q).mul_add(b.0, a.0);
    let r = (-q).mul_add(b.1, r + a.1);
    fast_two_sum(q, r * inverse)
}

/// `a / b` of two doubles: the rounded quotient and the rounded rest (0 if the quotient is not finite).
///
/// No condition on `b`: both divisions are made, so this also serves parameters near the ends of the range.
#[kernel(inline)]
pub fn dd_div_d(a: f64, b: f64) -> (f64, f64) {
    let q = a / b;
    let r = (-q).mul_add(b, a) / b;
    (q, if r.is_finite() { r } else { 0.0 })
}

/// `1 / b`, relative error about `2^-102`; `b` may be loose. `1 / b` must be a normal number.
#[kernel(inline)]
pub fn dd_inverse(b: (f64, f64)) -> (f64, f64) {
    let q = 1.0 / b.0;
    let r = (-q).mul_add(b.1, (-q).mul_add(b.0, 1.0));
    fast_two_sum(q, r * q)
}

/// `sqrt(a)`, relative error about `2^-104`; 0 gives 0, `+inf` gives `+inf`.
#[kernel(inline)]
pub fn dd_sqrt(a: (f64, f64)) -> (f64, f64) {
    let s = a.0.sqrt();
    let r = (-s).mul_add(s, a.0) + a.1;
    let low = r / (s + s);
    (s, if s > 0.0 && s < f64::INFINITY { low } else { 0.0 })
}

/// `1 / sqrt(a)`, relative error about `2^-103`, for a positive, finite pair: one division, one square root.
#[kernel(inline)]
pub fn dd_inverse_sqrt(a: (f64, f64)) -> (f64, f64) {
    let r = 1.0 / a.0.sqrt();
    let (p, e) = two_prod(a.0, r);
    let rest = (-p).mul_add(r, 1.0) - r * a.1.mul_add(r, e); // 1 - a r^2
    (r, 0.5 * r * rest)
}

/// `a + b` as a loose pair (8 operations); absolute error below `2^-105 (|a| + |b|)`.
#[kernel(inline)]
pub fn pair_add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (s, e) = two_sum(a.0, b.0);
    (s, e + (a.1 + b.1))
}

/// `a - b` as a loose pair (8 operations); absolute error below `2^-105 (|a| + |b|)`.
#[kernel(inline)]
pub fn pair_sub(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    pair_add(a, (-b.0, -b.1))
}

/// `a + b` for a double `b`, as a loose pair.
#[kernel(inline)]
pub fn pair_add_d(a: (f64, f64), b: f64) -> (f64, f64) {
    let (s, e) = two_sum(a.0, b);
    (s, e + a.1)
}

/// `a b` as a loose pair.
#[kernel(inline)]
pub fn pair_mul(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(a.0, b.0);
    (p, a.0.mul_add(b.1, a.1.mul_add(b.0, e)))
}

/// `a b` for a double `b`, as a loose pair.
#[kernel(inline)]
pub fn pair_mul_d(a: (f64, f64), b: f64) -> (f64, f64) {
    let (p, e) = two_prod(a.0, b);
    (p, a.1.mul_add(b, e))
}

/// [`dd_div`] as a loose pair, whose leading part is there 15 cycles earlier: where a call waits for it.
#[kernel(inline)]
pub fn pair_div(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let inverse = 1.0 / b.0;
    let q = a.0 * inverse;
    let r = (-q).mul_add(b.0, a.0);
    (q, (-q).mul_add(b.1, r + a.1) * inverse)
}

/// `1 / b` of a double as a loose pair, relative error about `2^-102`. `1 / b` must be a normal number.
#[kernel(inline)]
pub fn pair_inverse(b: f64) -> (f64, f64) {
    let q = 1.0 / b;
    (q, (-q).mul_add(b, 1.0) * q)
}

/// The leading part of a normalised pair: the pair, rounded.
#[kernel(inline)]
pub fn dd_high(a: (f64, f64)) -> f64 {
    a.0
}
