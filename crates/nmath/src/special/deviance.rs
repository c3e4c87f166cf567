//! The deviance part of the saddle-point densities.

use gristmill_kernel::kernel;

use super::constants::{LN2, THIRD};
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, dd_sub, fast_two_sum, pair_mul, pair_mul_d, two_prod, two_sum,
};
use super::logarithm::{atanh_tail, log_dd};
use super::scaling::power_of_two;

use crate::special::powers_of_two::{TWO_512, TWO_M512};

/// The bits of sqrt(1/2), rounded up.
#[kernel]
const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;

/// `x log(x/m) + m - x` for a double `x` and a pair `m`, both positive, as a normalised pair.
///
/// Domain: `x` and `m` normal numbers, `x/m` in [1e-290, 1e290]; `m` normalised. The caller guards.
/// Method: with `d = x - m` and `v = d/(x + m)`
///   x log(x/m) + m - x = v (d + 2 x (v^2/3 + v^4/5 + ...)),
/// whose leading term does not cancel: it and the cubic term in double-double, the rest in double. This holds for `x/m` in
/// [0.7, 1.42], where `d` is exact. Beyond, `x = 2^k x'` with `x'/m` inside; the form for `x'` is scaled by 2^k, and
/// `m (1 - 2^k) + x k ln 2` is added.
/// Paper: loader2000 (the rearrangement); the octave reduction is ours.
/// Error: relative 2^-64 or so; what rests on it, [`bd0`] for one, has a bound of its own.
#[kernel(inline)]
pub fn bd0_dd(x: f64, m: (f64, f64)) -> (f64, f64) {
    let near = x > 0.7071067811865476 * m.0 && x < 1.414213562373095 * m.0;
    let mut k: f64 = 0.0;
    let mut xs = x;
    if !near {
        // 1024 is added to the exponent so that it stays positive, and the double below is made from its bits.
        let ratio = x / m.0;
        let biased = ratio.to_bits().wrapping_sub(SQRT_HALF_BITS).wrapping_add(1024u64 << 52) >> 52;
        k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1024.0);
        xs = x * power_of_two(-k);
    }
    let exact = xs - m.0;
    let d = fast_two_sum(exact, -m.1);
    let (sum, sum_low) = fast_two_sum(2.0 * m.0, exact);
    let v = dd_div(d, (sum, sum_low + m.1));
    let (u, ue) = two_prod(v.0, v.0);
    let ul = (2.0 * v.0).mul_add(v.1, ue);
    let (g, ge) = fast_two_sum(THIRD.0, u * atanh_tail(u));
    let h = pair_mul_d(pair_mul((u, ul), (g, ge + THIRD.1)), 2.0 * xs);
    let (b, be) = fast_two_sum(d.0, h.0);
    let r = dd_mul((b, be + (d.1 + h.1)), v);
    if near {
        return r;
    }
    let scale = power_of_two(k);
    let shift = dd_mul(m, two_sum(1.0, -scale));
    let octaves = dd_mul_d(dd_mul_d(LN2, k), x);
    dd_add((r.0 * scale, r.1 * scale), dd_add(shift, octaves))
}

/// The deviance of [`bd0`] as `(high + low) scale`, by its regions.
#[kernel]
fn bd0_scaled(x: f64, m: f64) -> (f64, f64, f64) {
    if x.is_nan() || m.is_nan() {
        return (x + m, 0.0, 1.0);
    }
    if x < 0.0 || m < 0.0 {
        return (f64::NAN, 0.0, 1.0);
    }
    if x == 0.0 {
        return (m, 0.0, 1.0);
    }
    if m == 0.0 || x == f64::INFINITY || m == f64::INFINITY {
        return (f64::INFINITY, 0.0, 1.0);
    }
    let ratio = x / m;
    if ratio > 1e-280 && ratio < 1e280 && x > 1e-280 && x < 1e290 && m > 1e-280 && m < 1e290 {
        let d = bd0_dd(x, (m, 0.0));
        return (d.0, d.1, 1.0);
    }
    if ratio > 1e-130 && ratio < 1e130 {
        // Scaled by a power of two into the middle of the range, exactly, and back.
        let up = x < 1.0;
        let there = if up { TWO_512 } else { TWO_M512 };
        let back = if up { TWO_M512 } else { TWO_512 };
        let d = bd0_dd(x * there, (m * there, 0.0));
        return (d.0, d.1, back);
    }
    let log_x = log_dd((x, 0.0));
    let log_m = log_dd((m, 0.0));
    let l = dd_add_d(dd_sub(log_x, log_m), -1.0);
    let p = x * l.0;
    let rest = x.mul_add(l.1, x.mul_add(l.0, -p)) + m;
    (p, if p.abs() < f64::INFINITY { rest } else { 0.0 }, 1.0)
}

/// `x log(x/m) + m - x`, the deviance of one Poisson observation `x` with mean `m`, halved.
///
/// R: `bd0(x, np)`, deviance x log(x/np) + np - x.
/// Domain: `x >= 0`, `m >= 0`; `x = 0` gives `m`, `m = 0 < x` and infinite arguments give `+inf`; negative gives NaN.
/// Method: `bd0_dd`; where its scaling would leave the range of doubles (`x/m` or its inverse beyond 1e280, or
///   subnormal arguments) the three terms are added up as they stand, because there they do not cancel.
/// Paper: loader2000.
/// Error: 99 % within 0.52 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn bd0(x: f64, m: f64) -> f64 {
    let (high, low, scale) = bd0_scaled(x, m);
    (high + low) * scale
}

/// [`bd0`] as the sum of two numbers, for exponents in which the bits behind the first 53 count.
///
/// Domain: that of [`bd0`]; the second number is 0 where the first is not finite.
/// Method: that of [`bd0`], whose pair is not rounded.
/// Paper: loader2000.
/// Error: the sum is that of [`bd0`] before it is rounded; a test holds its relative error below 2^-60.
#[kernel]
pub fn ebd0(x: f64, m: f64) -> (f64, f64) {
    let (high, low, scale) = bd0_scaled(x, m);
    let (h, l) = two_sum(high * scale, low * scale);
    (h, if h.is_finite() { l } else { 0.0 })
}
