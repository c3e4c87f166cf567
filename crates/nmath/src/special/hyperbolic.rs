//! `sinh`, `cosh`, `tanh`.

use super::double_double::{dd_add_d, dd_div, dd_inverse, fast_two_sum, two_sum};
use super::exponential::{exp_parts, expm1_quarter};
use super::scaling::{power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// 2^-28: closer to 0 the hyperbolic sine and tangent are the argument, to less than 0.13 ulp.
#[kernel]
const IDENTITY_END: f64 = 3.725290298461914e-09;

/// The hyperbolic sine.
///
/// R: `sinh(x)`, hyperbolic sine.
/// Domain: every `f64`; beyond +-710.48 infinite, NaN gives NaN; keeps the sign of zero.
/// Method: with `E = exp(|x|) - 1` as a pair, `(E + E/(E+1)) / 2`: both terms are positive, nothing cancels. `E` is
///   carried as a quarter, so that it does not overflow before the result does. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn sinh(x: f64) -> f64 {
    let a = x.abs();
    let a = if a > 710.6 { 710.6 } else { a };
    let (eh, el) = expm1_quarter((a, 0.0));
    // E/(E+1)/2, which is 1/2 long before the bound here is reached
    let large = eh > 1e20;
    let qh = if large { 1e20 } else { eh };
    let ql = if large { 0.0 } else { el };
    let (rh, rl) = dd_div((2.0 * qh, 2.0 * ql), dd_add_d((4.0 * qh, 4.0 * ql), 1.0));
    // by half, so that the largest results do not overflow in between
    let (s, se) = fast_two_sum(eh, 0.5 * rh);
    let y = 2.0 * (s + (se + 0.5f64.mul_add(rl, el)));
    let y = if x.abs() < IDENTITY_END { x } else { y.copysign(x) };
    if x.is_nan() { x } else { y }
}

/// The hyperbolic cosine.
///
/// R: `cosh(x)`, hyperbolic cosine.
/// Domain: every `f64`; beyond +-710.48 `+inf`, NaN gives NaN.
/// Method: `(e + 1/e) / 2` with `e = exp(|x|)` and its inverse as pairs. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn cosh(x: f64) -> f64 {
    let a = x.abs();
    let a = if a > 711.0 { 711.0 } else { a };
    let (mh, ml, k) = exp_parts((a, 0.0));
    let (ih, il) = dd_inverse((mh, ml));
    let down = power_of_two(if k > 500.0 { -1000.0 } else { -2.0 * k });
    let (s, e) = two_sum(mh, ih * down);
    scale_by_power(s + (e + il.mul_add(down, ml)), k - 1.0)
}

/// The hyperbolic tangent.
///
/// R: `tanh(x)`, hyperbolic tangent.
/// Domain: every `f64`; infinities give +-1, NaN gives NaN; keeps the sign of zero.
/// Method: `E/(E+2)` with `E = exp(2|x|) - 1` as a pair; 1 beyond 22, where the rest is below a quarter of an ulp. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn tanh(x: f64) -> f64 {
    let a = x.abs();
    let a = if a > 22.0 { 22.0 } else { a };
    let (eh, el) = expm1_quarter((2.0 * a, 0.0));
    let (h, l) = dd_div((eh, el), dd_add_d((eh, el), 0.5));
    let y = if x.abs() < IDENTITY_END { x } else { (h + l).copysign(x) };
    if x.is_nan() { x } else { y }
}
