//! The noncentral t distribution where sums over the density of `s` do not serve: noncentralities large against the root of the degrees of
//! freedom, and very many degrees of freedom.
//!
//! With a normal number `z` and `s = sqrt(chi-squared/n)`, `T > t` where `z + d > t s`. The exponent of the joint density is
//! `z^2/2 + n (s^2 - 1 - log(s^2))/2`; on the border `z + d = t s` it is least at one point, which a quadratic equation gives. What is small
//! there, `z` and `s - 1`, is computed without cancellation, whatever the sizes of `t` and `d`.
//!
//! - Where `d^2` is large against `n`, a tail is the average over `z` of that of chi-squared at `n ((d + z)/t)^2`, which is smooth on
//!   the scale of `z`: the trapezoidal rule about that point, 20 to 30 nodes.
//! - Above 1e24 degrees of freedom a tail is that of the normal distribution at the root of twice the least exponent, and the first
//!   correction; the next is below `1600/n`.
//! - The density is Laplace's integral along the border: what it leaves out is of the order `1/d^2` or `1/n`.
//!
//! Paper: temme1982 (the method for tails), trefethen2014 (the rule).

use super::constants::INV_SQRT_2PI;
use super::deviance::bd0_dd;
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_square, dd_sub, fast_two_sum, two_prod, two_sum,
};
use super::exponential::{exp_sum, expm1_pair};
use super::f_ratio::product_ratio;
use super::gamma_function::lgamma1p_dd;
use super::incomplete_gamma::{gamma_shape, gamma_tail_at, unit_of};
use super::logarithm::log_dd;
use super::noncentral_t_series::exp_of_pair;
use super::normal_tail::{SQRT_2, half_square, mills};
use super::poisson_mass::poisson_parts;
use crate::special::powers_of_two::{TWO_512, TWO_M512};
use gristmill_kernel::kernel;

/// One tail at a point: `(f + fl) exp(e + el)`, and `slope`, the density over the tail.
#[kernel]
pub(crate) struct Tail {
    /// The exponent as a pair.
    pub(crate) e: (f64, f64),
    /// The factor as a pair.
    pub(crate) f: (f64, f64),
    /// The density over the tail.
    pub(crate) slope: f64,
    /// It is the lower tail.
    pub(crate) lower: bool,
}

/// Above this exponent nothing else counts, not even on the log scale.
#[kernel]
const EXPONENT_ONLY: f64 = 1e20;
/// Arguments of the incomplete gamma function below this are lifted to `LIFTED`.
#[kernel]
const LEAST_GAMMA: f64 = 1e-280;
/// See [`LEAST_GAMMA`]: here its lower tail is still a power.
#[kernel]
const LIFTED: f64 = 1e-200;
/// Nearer to 1, `s^2 - 1 - log(s^2)` is a series.
#[kernel]
const NEAR_ONE: f64 = 1e-4;
/// The logarithm is taken apart where `s` is beyond this or below its inverse.
#[kernel]
const FAR_FROM_ONE: f64 = 1e100;
/// As far as the correction of the normal tail counts: beyond, it is less than 2^-53 of the exponent.
#[kernel]
const CORRECTED: f64 = 1e5;

/// The point of the border with the least exponent.
#[kernel]
pub(crate) struct Nearest {
    /// `s` as a pair.
    s: (f64, f64),
    /// `t s` as a pair.
    reach: (f64, f64),
    /// `z = t s - d` as a pair.
    pub(crate) z: (f64, f64),
    /// The exponent as a pair.
    pub(crate) e: (f64, f64),
    /// `sqrt(n/(n + t^2))` as a pair.
    cosine: (f64, f64),
    /// `sqrt(n t^2/(n + t^2))/(t s)` as a pair.
    side: (f64, f64),
}

/// `n (s^2 - 1 - log(s^2))/2` for `s = 1 + rise`, both pairs.
#[kernel]
fn chi_exponent(n: f64, s: (f64, f64), rise: (f64, f64)) -> (f64, f64) {
    let r = rise.0;
    if r.abs() < NEAR_ONE {
        // rise^2 (1 - rise/3 + rise^2/4 - ...)
        let (p, pe) = two_prod(-1.0 / 3.0, r);
        // the double next to -1/3 lacks 2^-54/3 of 1
        let rest = (-r).mul_add(1.850371707708594e-17, (-1.0 / 3.0f64).mul_add(rise.1, pe));
        let more = (r * r) * r.mul_add(r.mul_add(1.0 / 6.0, -0.2), 0.25);
        let (h, l) = fast_two_sum(1.0, p);
        return dd_mul(dd_mul(dd_mul_d(rise, n), rise), fast_two_sum(h, l + (rest + more)));
    }
    if s.0 > FAR_FROM_ONE || s.0 < 1.0 / FAR_FROM_ONE {
        let high = 0.5 * n * s.0 * s.0;
        let logs = dd_add_d(log_dd(s), 0.5);
        let low = n * logs.0;
        if high < 1e300 && low.abs() < 1e300 {
            return dd_sub(dd_mul(dd_mul_d(s, 0.5 * n), s), dd_mul_d(logs, n));
        }
        return (if high < f64::INFINITY { high - low } else { high }, 0.0);
    }
    let down = if n > 1e150 { TWO_M512 } else { 1.0 };
    let a = 0.5 * n * down;
    let b = bd0_dd(a, dd_mul_d(dd_square(s), a));
    let up = if n > 1e150 { TWO_512 } else { 1.0 };
    let e = b.0 * up;
    if e < f64::INFINITY { (e, b.1 * up) } else { (f64::INFINITY, 0.0) }
}

/// The point of the border for `1e-290 <= t`, `n`, and `d` of any size and sign.
///
/// With `x = t^2/(n + t^2)`, `y = 1 - x` and `X = t s` the equation is `X^2 - d x X - n x = 0`, whose solution has no cancellation; then
/// `z = 2 y (t - d)(t + d)/(d (1 + y) + sqrt((d x)^2 + 4 n x))` for `d > 0`, and `n (1 - s^2) = z t s` gives `s - 1`.
#[kernel]
pub(crate) fn nearest(t: f64, n: f64, d: f64) -> Nearest {
    let r = product_ratio(t, t, n);
    let wide = r.x.0 >= 0.5;
    let root_x = dd_sqrt(r.x);
    let w = dd_mul_d(r.x, d);
    // sqrt(n x) = t sqrt(y): whichever share is not small
    let root_n = dd_sqrt((n, 0.0));
    let b = if wide { dd_mul(root_n, root_x) } else { dd_mul_d(dd_sqrt(r.y), t) };
    let cosine = if wide { dd_div(b, (t, 0.0)) } else { dd_sqrt(r.y) };
    let largest = if w.0.abs() > b.0 { w.0.abs() } else { b.0 };
    let unit = 0.25 * unit_of(0.25 * largest);
    let wu = (w.0 * unit, w.1 * unit);
    let bu = (b.0 * unit, b.1 * unit);
    let square = dd_square(bu);
    let root = dd_sqrt(dd_add(dd_square(wu), (4.0 * square.0, 4.0 * square.1)));
    let same = d > 0.0;
    let twice = dd_add(root, if same { wu } else { dd_neg(wu) });
    let half = (0.5 * twice.0, 0.5 * twice.1);
    let reach_unit = if same { half } else { dd_div(square, half) };
    let back = 1.0 / unit;
    let reach = (reach_unit.0 * back, reach_unit.1 * back);
    let s = dd_div(reach, (t, 0.0));
    let side = dd_div(bu, reach_unit);
    let gap = two_sum(t, -d);
    let mut z = dd_add_d(reach, -d);
    if same {
        let turned = if wide {
            dd_mul_d(dd_mul(dd_mul(cosine, b), dd_add_d(dd_div((d, 0.0), (t, 0.0)), 1.0)), 0.25)
        } else {
            dd_mul(r.y, two_sum(0.25 * d, 0.25 * t))
        };
        let quarter = 0.25 * back;
        let below = dd_add(dd_mul_d(dd_add_d(r.y, 1.0), 0.25 * d), (root.0 * quarter, root.1 * quarter));
        let share = dd_div(turned, below);
        z = dd_mul((2.0 * share.0, 2.0 * share.1), gap);
    }
    let mut rise = dd_div(dd_sub(z, gap), (t, 0.0));
    if !same || z.0.abs() > 0.7 * gap.0.abs() {
        let over = dd_mul(z, dd_div(reach, (n, 0.0)));
        rise = dd_neg(dd_div(over, dd_add_d(s, 1.0)));
    }
    let h = half_square(z);
    let c = chi_exponent(n, s, rise);
    let sum = dd_add(h, c);
    let e = if h.0 + c.0 < 1e300 { sum } else { (h.0 + c.0, 0.0) };
    Nearest { s, reach, z, e, cosine, side }
}

/// The density over `exp(-e)` by Laplace's method for many degrees of freedom: `sqrt(y/(pi (1 + n x/(t s)^2)))`.
#[kernel(inline)]
pub(crate) fn laplace_factor(p: Nearest) -> (f64, f64) {
    let c = dd_mul(dd_mul(INV_SQRT_2PI, SQRT_2), p.cosine);
    if !(p.side.0 < 1e140) {
        return (1.0, 0.0); // far on the other side of 0: nothing beside the exponent
    }
    dd_div(c, dd_sqrt(dd_add_d(dd_square(p.side), 1.0)))
}

/// A tail for `t > 0` and many degrees of freedom, 1e24 or more: the smaller one, nearly.
///
/// With `r^2/2` the exponent, `P(T > t) = Q(r) + phi(r) R`, `R = R_0 + O(r/n)`; `R_0`, its value at `t = d`, follows from Laplace's integral:
/// `(c + 2 c^3/3)/(sqrt(2 n) (c^2 + 2)^(3/2))` with `c = d/sqrt(n)`.
#[kernel]
pub(crate) fn nearly_normal_tail(t: f64, n: f64, d: f64) -> Tail {
    let p = nearest(t, n, d);
    let lower = t < d;
    let far = !(p.e.0 < 1e300);
    let e = if far { (1e300, 0.0) } else { p.e };
    let r = dd_sqrt((2.0 * e.0, 2.0 * e.1));
    let mut f = mills(r);
    if r.0 < CORRECTED {
        let root = n.sqrt();
        let c = d / root;
        let c = if c < 1e30 { c } else { 1e30 };
        let q = c.mul_add(c, 2.0);
        let bend = c * (2.0 / 3.0f64).mul_add(c * c, 1.0) / (q * q.sqrt()) * (std::f64::consts::FRAC_1_SQRT_2 / root);
        f = dd_add_d(f, if lower { -bend } else { bend });
    }
    let slope = laplace_factor(p);
    Tail { e: dd_neg(p.e), f, slope: slope.0 / f.0, lower }
}

/// A tail for `t > 0`, `d > 0`, where `d^2` is at least `60 max(n, 4)` and `t^2 >= n`: the smaller one, nearly.
///
/// The distance of the nodes is 0.68 over the root of the second derivative of the density's exponent, with which the rule's error is below
/// 2^-60; the tail's is not larger. Those on which `d + z` is small do not count.
#[kernel]
pub(crate) fn averaged_tail(t: f64, n: f64, d: f64) -> Tail {
    let a = 0.5 * n;
    let p: Nearest = nearest(t, n, d);
    if !(p.e.0 < EXPONENT_ONLY) {
        return Tail { e: dd_neg(p.e), f: (1.0, 0.0), slope: p.s.0 * p.z.0.abs(), lower: t < d };
    }
    let shape = gamma_shape(a);
    let least = p.s.0 < 1e-150 || a * p.s.0 * p.s.0 < LEAST_GAMMA;
    let y0 = if least { (LIFTED, 0.0) } else { dd_mul(dd_mul_d(p.s, a), p.s) };
    let bend = 1.0 + (p.side.0 * p.side.0 + (p.side.0 * p.s.0) * (p.side.0 * p.s.0)) / (1.0 - p.cosine.0 * p.cosine.0);
    // 20 bits, so that its multiples and their squares are exact
    let step = f64::from_bits((0.68 / bend.sqrt()).to_bits() & 0xffff_ffff_0000_0000);
    let width = dd_div((step, 0.0), p.reach);
    let z: (f64, f64) = p.z;
    let mut e0: (f64, f64) = (0.0, 0.0);
    let mut lower: bool = true;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    let mut mass: f64 = 0.0;
    for side in 0..2 {
        for i in side..32 {
            let k = (if side == 0 { i } else { -i }) as f64;
            let v = k * step;
            let q = dd_add_d(dd_mul_d(width, k), 1.0);
            if q.0 < 0.01 {
                break;
            }
            let g = gamma_tail_at(dd_mul(y0, dd_square(q)), shape, least);
            let below: bool = g.lower;
            let mut e: (f64, f64) = g.e;
            let mut f: (f64, f64) = g.f;
            if side == 0 && i == 0 {
                e0 = e;
                lower = below;
            }
            let mut rate = g.r * f.0;
            if below != lower {
                // the other tail, which is not small here
                let small = exp_of_pair((if e.0 > -680.0 { e.0 } else { -680.0 }, e.1), f);
                rate = g.r * small.0;
                f = dd_sub((1.0, 0.0), small);
                e = (0.0, 0.0);
            }
            let x = dd_sub(dd_sub(e, e0), dd_add_d(dd_mul_d(z, v), 0.5 * v * v));
            let inside = x.0 > -680.0;
            let (h, l, scale) = exp_sum((if inside { x.0 } else { -680.0 }, if inside { x.1 } else { 0.0 }));
            let (c, ce) = two_prod(f.0, h);
            let term = c * scale;
            let (u, low) = two_sum(sum, term);
            sum = u;
            rest += low + f.0.mul_add(l, f.1.mul_add(h, ce)) * scale;
            mass = rate.mul_add((h + l) * scale, mass);
            if term < 1e-19 * sum && i > 3 {
                break;
            }
        }
    }
    let total = fast_two_sum(sum, rest);
    let hz = half_square(z);
    let mut e = dd_sub(e0, hz);
    let mut f = dd_mul(dd_mul_d(total, step), INV_SQRT_2PI);
    let mut slope = 2.0 / t * (mass / total.0);
    if least {
        // the power of the lifted argument
        let twice = dd_sub(log_dd(p.reach), log_dd((t, 0.0)));
        let log_y = dd_add(log_dd((a, 0.0)), (2.0 * twice.0, 2.0 * twice.1));
        e = dd_add(e, dd_mul_d(dd_sub(log_y, log_dd((LIFTED, 0.0))), a));
        if e.0 > -0.3 {
            // Few degrees of freedom, a share below 1/1000: the average of the power is that of its logarithm, as `z/d` is small.
            let q = 1.0 / d / d;
            let mean = q.mul_add(q.mul_add(q.mul_add(-13.125, -2.5), -0.75), -0.5) * q;
            let other = expm1_pair(dd_add_d(e, n * mean));
            slope *= (1.0 + other.0) / -other.0;
            f = dd_neg(other);
            e = (0.0, 0.0);
            lower = false;
        }
    }
    Tail { e, f, slope, lower: !lower }
}

/// The density as `f exp(e)` for `d > 1e13`, `t^2 >= n`, `n <= 1e24`, by Laplace's method: `n/t` times the Poisson mass of `n/2` at
/// `n s^2/2` and `exp(-z^2/2)`, over the root of the second derivative.
#[kernel]
pub(crate) fn far_density(t: f64, n: f64, d: f64) -> Tail {
    let a = 0.5 * n;
    let p = nearest(t, n, d);
    if !(p.e.0 < EXPONENT_ONLY) {
        return Tail { e: dd_neg(p.e), f: (1.0, 0.0), slope: 0.0, lower: false };
    }
    let hz = half_square(p.z);
    let mut e: (f64, f64);
    let mut c: (f64, f64) = (1.0, 0.0);
    if p.s.0 < 1e-150 || a * p.s.0 * p.s.0 < LEAST_GAMMA {
        let twice = dd_sub(log_dd(p.reach), log_dd((t, 0.0)));
        let log_y = dd_add(log_dd((a, 0.0)), (2.0 * twice.0, 2.0 * twice.1));
        e = dd_sub(dd_mul_d(log_y, a), lgamma1p_dd(a));
    } else {
        let (pe, pel, pc, pcl) = poisson_parts(a, dd_mul(dd_mul_d(p.s, a), p.s));
        e = (pe, pel);
        c = (pc, pcl);
    }
    e = dd_sub(e, hz);
    let more = dd_add(dd_square(p.side), dd_square(dd_mul(p.side, p.s)));
    let x = dd_sub((1.0, 0.0), dd_square(p.cosine));
    let bend = dd_sqrt(dd_add_d(dd_div(more, x), 1.0));
    e = dd_add(e, dd_sub(log_dd((n, 0.0)), log_dd((t, 0.0))));
    Tail { e, f: dd_div(c, bend), slope: 0.0, lower: false }
}
