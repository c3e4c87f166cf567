//! `erf`, `erfc` and their inverses.

use super::double_double::{fast_two_sum, two_prod};
use super::error_tables::{
    erf_in_cell, inverse_in_cell, inverse_of_far_log_in_cell, inverse_of_log_in_cell, scaled_in_cell,
    scaled_in_cell_fine,
};
use super::exponential::{exp_near, exp_parts};
use super::logarithm::{log_dd_of_double, log_loose};
use super::scaling::{SHIFT, scale_by_power};
use gristmill_kernel::kernel;

/// Half of what a number's bits grow by from one number of three bits to the next.
#[kernel]
const HALF_STEP: u64 = 1 << 49;
/// The top bits of 1, of 2, of 3 and of 48: what those of a node are counted from.
#[kernel]
const ONE_BITS: u64 = 0x3ff0_0000_0000_0000 >> 50;
#[kernel]
pub(crate) const TWO_BITS: u64 = 0x4000_0000_0000_0000 >> 50;
#[kernel]
const THREE_BITS: u64 = 0x4008_0000_0000_0000 >> 50;
#[kernel]
const FORTY_EIGHT_BITS: u64 = 0x4048_0000_0000_0000 >> 50;

/// The top bits of a positive number, rounded: a leading one and two bits after it.
#[kernel(inline)]
pub(crate) fn three_bits(x: f64) -> u64 {
    x.to_bits().wrapping_add(HALF_STEP) >> 50
}

/// The number with these top bits. (The index that they give is taken modulo 16: a NaN must not lead outside a table.)
#[kernel(inline)]
pub(crate) fn of_three_bits(top: u64) -> f64 {
    f64::from_bits(top << 50)
}

/// The error function, `2/sqrt(pi)` times the integral of `exp(-t^2)` from 0 to `x`.
///
/// R: `erf(x)`, error function.
/// Domain: every `f64`; infinities give +-1, NaN gives NaN; keeps the sign of zero.
/// Method: `x` times a polynomial for `erf(x)/x` in one of sixteen cells on [0, 6], its first two terms as pairs: so the
///   relative error holds next to 0, too; 1 from 6 on. No branch, no exponential.
/// Paper: tang1990 (the table of cells).
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn erf(x: f64) -> f64 {
    let a = x.abs();
    let shifted = a.mul_add(2.56, SHIFT);
    let d = (shifted - SHIFT).mul_add(-0.390625, a); // exact
    let (r, low) = erf_in_cell(shifted.to_bits() & 15, d);
    let (y, e) = two_prod(a, r);
    let y = y + a.mul_add(low, e);
    let y = if a >= 6.0 { 1.0 } else { y };
    y.copysign(x)
}

/// `exp(x^2) erfc(x)` of a loose pair, `0 <= x < 28`, as a loose pair, relative error below 2^-57.
#[kernel(inline)]
pub fn erfc_scaled(x: (f64, f64)) -> (f64, f64) {
    let top: u64 = three_bits(x.0 + 2.0);
    // exact, because a cell does not reach down to half of its node
    let d = x.0 - (of_three_bits(top) - 2.0);
    scaled_in_cell(top.wrapping_sub(TWO_BITS) & 15, d, x.1)
}

/// The same with a relative error below 2^-61.
#[kernel(inline)]
pub(crate) fn erfc_scaled_fine(x: (f64, f64)) -> (f64, f64) {
    let top: u64 = three_bits(x.0 + 2.0);
    let d = x.0 - (of_three_bits(top) - 2.0);
    scaled_in_cell_fine(top.wrapping_sub(TWO_BITS) & 15, d, x.1)
}

/// The product of a normalised pair and a loose one, as a loose pair.
#[kernel(inline)]
pub fn times_loose(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(a.0, b.0);
    (p, a.0.mul_add(b.1, a.1.mul_add(b.0 + b.1, e)))
}

#[kernel(inline)]
fn erfc_in_main(x: f64) -> bool {
    // exp(-x^2) is a normal number
    x.abs() < 26.4
}

#[kernel(inline)]
fn erfc_main(x: f64) -> f64 {
    let a = x.abs();
    let (square, square_low) = two_prod(a, a);
    let (mh, ml, scale) = exp_near((-square, -square_low));
    let (h, l) = times_loose((mh, ml), erfc_scaled((a, 0.0)));
    let (u, v) = fast_two_sum(2.0, -h * scale);
    if x < 0.0 { u + (v - l * scale) } else { (h + l) * scale }
}

#[kernel]
fn erfc_rest(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0;
    }
    if x > 27.5 {
        return 0.0;
    }
    let (square, square_low) = two_prod(x, x);
    let (mh, ml, k) = exp_parts((-square, -square_low));
    let (h, l) = times_loose((mh, ml), erfc_scaled((x, 0.0)));
    scale_by_power(h + l, k) // NaN gives NaN
}

/// The complementary error function, `1 - erf(x)`, relatively accurate in its tail.
///
/// R: `erfc(x)`, complementary error function.
/// Domain: every `f64`; `+inf` gives 0, `-inf` gives 2, NaN gives NaN; 0 above 27.23.
/// Method: `exp(-x^2)`, the exponent as an exact pair, times a polynomial for `exp(x^2) erfc(x)` in one of sixteen cells on
///   [0, 28), its first two terms as pairs; for `x < 0` 2 minus that of `-x`.
/// Paper: tang1990 (the table of cells).
/// Error: 99 % within 0.52 ulp, at most 0.62 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn erfc(x: f64) -> f64 {
    if erfc_in_main(x) { erfc_main(x) } else { erfc_rest(x) }
}

/// The solution of `erf(x) = p` for a pair `p` in [0, 0.9361], given `y = 1 - p` to within an ulp, as a loose pair;
/// relative error below 2^-59.
#[kernel(inline)]
pub fn inverse_of_centre(p: (f64, f64), y: f64) -> (f64, f64) {
    // the last cell is a little wider than the others
    let top = three_bits(if y > 0.0704 { y } else { 0.0704 });
    // exact but for the low part
    let d = (p.0 - (1.0 - of_three_bits(top))) + p.1;
    let one: u64 = ONE_BITS;
    let (r, low) = inverse_in_cell(one.wrapping_sub(top) & 15, d);
    let (x, e) = two_prod(p.0, r);
    (x, p.0.mul_add(low, p.1.mul_add(r + low, e)))
}

/// The solution of `log erfc(x) = l` for a pair `l` in [-44, -2.75], as a loose pair; relative error below 2^-59.
#[kernel(inline)]
pub fn inverse_of_log(l: (f64, f64)) -> (f64, f64) {
    let (h, low) = fast_two_sum(-l.0, -l.1);
    let top: u64 = three_bits(h);
    inverse_of_log_in_cell(top.wrapping_sub(THREE_BITS) & 15, h - of_three_bits(top), low)
}

/// The same for a pair in [-765, -43.9].
#[kernel(inline)]
pub fn inverse_of_far_log(l: (f64, f64)) -> (f64, f64) {
    let (h, low) = fast_two_sum(-l.0, -l.1);
    // the last cell is wider, and the first a little: exp(-44) is 7.7811e-20
    let inside = if h < 640.0 { h } else { 640.0 };
    let top: u64 = three_bits(if inside > 45.0 { inside } else { 45.0 });
    inverse_of_far_log_in_cell(top.wrapping_sub(FORTY_EIGHT_BITS) & 15, h - of_three_bits(top), low)
}

#[kernel(inline)]
fn erfinv_in_main(p: f64) -> bool {
    p.abs() < 0.9361
}

#[kernel(inline)]
fn erfinv_main(p: f64) -> f64 {
    let a = p.abs();
    let (x, low) = inverse_of_centre((a, 0.0), 1.0 - a);
    (x + low).copysign(p)
}

#[kernel]
fn erfinv_rest(p: f64) -> f64 {
    let a = p.abs();
    let inside = a < 1.0;
    let (x, low) = inverse_of_log(log_loose(if inside { 1.0 - a } else { 0.01 }));
    let edge = if a == 1.0 { f64::INFINITY } else { f64::NAN };
    let x = if inside { x + low } else { edge };
    x.copysign(p)
}

/// The inverse of [`erf`].
///
/// R: `erfinv(x)`, inverse of the error function.
/// Domain: |p| <= 1; +-1 give infinities, outside and NaN give NaN; keeps the sign of zero.
/// Method: |p| < 0.9361  `p` times a polynomial for `erfinv(p)/p` in one of sixteen cells, which narrow toward 1 as `1 - |p|` does
///   above         a polynomial in `log(1 - |p|)`, as a pair, in one of sixteen cells; `1 - |p|` is exact
/// Paper: giles2012 (the two ranges); tang1990 (the table of cells).
/// Error: 99 % within 0.51 ulp, at most 0.54 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn erfinv(p: f64) -> f64 {
    if erfinv_in_main(p) { erfinv_main(p) } else { erfinv_rest(p) }
}

#[kernel(inline)]
fn erfcinv_in_main(q: f64) -> bool {
    q > 0.0639 && q < 1.9361
}

#[kernel(inline)]
fn erfcinv_main(q: f64) -> f64 {
    let y = if q > 1.0 { 2.0 - q } else { q }; // exact
    let (x, low) = inverse_of_centre(fast_two_sum(1.0, -y), y);
    (x + low).copysign(1.0 - q)
}

#[kernel]
fn erfcinv_rest(q: f64) -> f64 {
    let y = if q > 1.0 { 2.0 - q } else { q };
    if y > 7.8e-20 && y < 0.5 {
        let (x, low) = inverse_of_log(log_loose(y));
        return if q > 1.0 { -(x + low) } else { x + low };
    }
    if y > 0.0 && y < 0.5 {
        let (x, low) = inverse_of_far_log(log_dd_of_double(y));
        return x + low;
    }
    if q == 0.0 {
        return f64::INFINITY;
    }
    if q == 2.0 { f64::NEG_INFINITY } else { f64::NAN }
}

/// The inverse of [`erfc`].
///
/// R: `erfcinv(x)`, inverse of the complementary error function.
/// Domain: 0 <= q <= 2; 0 gives `+inf`, 2 gives `-inf`, outside and NaN give NaN.
/// Method: 0.0639 < q < 1.9361  that of [`erfinv`] at `1 - q` as a pair
///   outside              polynomials in `log(q)` or `log(2 - q)`, as a pair, in one of sixteen cells down to `q = 7.8e-20`, and of
///                        sixteen more below
/// Paper: giles2012 (the two ranges); tang1990 (the table of cells).
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn erfcinv(q: f64) -> f64 {
    if erfcinv_in_main(q) { erfcinv_main(q) } else { erfcinv_rest(q) }
}
