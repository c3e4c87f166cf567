//! Debye's expansions: one asymptotic series in `1/w` for all four functions, with their exponents and phases.
//!
//! With `w = sqrt|x^2 +- nu^2|` and the polynomials `u_k` of dlmf 10.41.9 (`U_k(p) = p^k u_k(p^2)`), the terms are
//! `u_k(V)/w^k`, where `V` is `nu^2/w^2` (I, K; J, Y below the transition) or `-nu^2/w^2` (J, Y above it). For order 0 this is
//! Hankel's expansion. Truncated after `n` terms the error is about `n!/(2 pi (2 s)^(n+1))`, where `2 s` is the distance of the
//! saddle points: `s` is the phase, the exponent, or `sqrt(x^2 + nu^2)`. With 24 terms it is below 2^-56 from `s = 20` on.
//!
//! Paper: debye1909; olver1974, ch. 10; dlmf, 10.19 and 10.41.

use crate::special::constants::INV_PI;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_inverse_sqrt, dd_mul, dd_mul_d, dd_sqrt, dd_square, dd_sub,
    fast_two_sum, pair_mul, two_prod, two_sum,
};
use crate::special::exponential::exp_parts;
use crate::special::extra_precision::log_extra;
use crate::special::logarithm::log_dd;
use crate::special::trigonometric::reduce_huge;
use crate::special::trigonometric_pairs::sin_cos_pi_quarter;
use gristmill_kernel::kernel;

use super::tables::{ATAN_OVER_PI_HIGH, ATAN_OVER_PI_LOW, debye_long, debye_short};

/// From here on 9 terms are enough: `9!/(2 pi 240^10)` is 2^-65.
#[kernel]
const SHORT_FROM: f64 = 120.0;
/// sqrt(2/pi).
#[kernel]
pub(crate) const SQRT_2_OVER_PI: (f64, f64) = (0.7978845608028654, -4.984654569281181e-17);
/// Below this ratio of argument and order every result has over- or underflowed.
#[kernel]
const LEAST_RATIO: f64 = 1e-100;
/// Above it the phase is reduced by the bits of 2/pi that matter.
#[kernel]
const HUGE: f64 = 1e9;

/// Coefficients of `atanh(p) - p = p^3 (1/3 + p^2/5 + ...)` from `p^11/11` on.
#[kernel]
const ODD_RECIPROCALS: [f64; 11] = [
    1.0 / 31.0,
    1.0 / 29.0,
    1.0 / 27.0,
    1.0 / 25.0,
    1.0 / 23.0,
    1.0 / 21.0,
    1.0 / 19.0,
    1.0 / 17.0,
    1.0 / 15.0,
    1.0 / 13.0,
    1.0 / 11.0,
];
/// 1/3, 1/5, 1/7, 1/9, leading parts.
#[kernel]
const ODD_HIGH: [f64; 4] = [0.3333333333333333, 0.2, 0.14285714285714285, 0.1111111111111111];
/// 1/3, 1/5, 1/7, 1/9, the rests.
#[kernel]
const ODD_LOW: [f64; 4] =
    [1.850371707708594e-17, -1.1102230246251566e-17, 7.93016446160826e-18, 6.1679056923619804e-18];

/// Debye's sum less its leading 1: even and odd part. `inverse = 1/w`, `slope = |V|/w`, `sigma` is the sign in `w^2 = +-(..)`:
/// 1 where the terms are real, -1 where the odd part is imaginary. `short` says that 9 terms are enough.
#[kernel]
fn debye_sums(inverse: f64, slope: f64, sigma: f64, short: bool) -> (f64, f64) {
    let sums: (f64, f64);
    if short {
        sums = debye_short(inverse, slope, sigma);
    } else {
        sums = debye_long(inverse, slope, sigma);
    }
    sums
}

/// `c exp(e) (1 + s)` as `(high, low, k)`: the value is `(high + low) 2^k`. Exponents beyond 1090 are cut off there: no amplitude brings them back.
#[kernel(inline)]
fn assembled(e: (f64, f64), c: (f64, f64), s: f64) -> (f64, f64, f64) {
    let inside = e.0.abs() < 1090.0;
    let cut: f64 = 1090.0;
    let h = if inside { e.0 } else { cut.copysign(e.0) };
    let l = if inside { e.1 } else { 0.0 };
    let (m, ml, k) = exp_parts((h, l));
    let y = dd_mul(dd_mul((m, ml), c), fast_two_sum(1.0, s));
    (y.0, y.1, k)
}

/// What I and K have in common for large `sqrt(x^2 + nu^2)`.
#[kernel]
pub(crate) struct Modified {
    /// `sqrt(x^2 + nu^2) - x - nu asinh(nu/x)`.
    pub(crate) exponent: (f64, f64),
    /// `1/sqrt(w)`.
    pub(crate) amplitude: (f64, f64),
    /// The even part of Debye's sum less 1.
    pub(crate) even: f64,
    /// The odd part.
    pub(crate) odd: f64,
}

/// Exponent, amplitude and sums of I and K, for `x > 0`, `nu >= 0` and `sqrt(x^2 + nu^2) >= 20`.
///
/// The exponent is `nu g(nu/x)` with `g(r) = r/(1 + sqrt(1 + r^2)) - asinh(r)`, in which nothing cancels; written with the ratio
/// that is below 1, nothing overflows.
#[kernel]
pub(crate) fn modified(x: f64, nu: f64) -> Modified {
    let below = nu <= x;
    let larger = if below { x } else { nu };
    let q0 = dd_div((if below { nu } else { x }, 0.0), (larger, 0.0));
    let q = if q0.0 > LEAST_RATIO || below { q0 } else { (LEAST_RATIO, 0.0) };
    let s = dd_sqrt(dd_add_d(dd_square(q), 1.0));
    let s1 = dd_add_d(s, 1.0);
    let sq = dd_add(s, q);
    // below: q/(1 + s) - log(q + s), else 1/(q + s) - log((1 + s)/q)
    let one = (1.0, 0.0);
    let a = dd_div(if below { q } else { one }, if below { s1 } else { sq });
    let argument = dd_div(if below { sq } else { s1 }, if below { one } else { q });
    let l: (f64, f64);
    if nu > 2000.0 {
        l = log_extra(argument);
    } else {
        l = log_dd(argument);
    }
    let g = dd_sub(a, l);
    let exponent = dd_mul_d(g, nu);
    // next to the largest double w would overflow: 2^-20 w, and 2^-10 of the root
    let huge = larger > 1e300;
    let w = dd_mul_d(s, if huge { larger * 9.5367431640625e-7 } else { larger });
    let root = dd_mul_d(dd_inverse_sqrt(w), if huge { 0.0009765625 } else { 1.0 });
    let inverse = root.0 * root.0;
    let p = nu * inverse;
    let (even, odd) = debye_sums(inverse, p * p * inverse, 1.0, w.0 >= SHORT_FROM);
    Modified { exponent, amplitude: root, even, odd }
}

/// Whether the phase `w - nu acos(nu/x)`, `w^2 = x^2 - nu^2`, is `limit` or more, for `x >= nu`: by a rational bound of the phase that is
/// at most 11 % low, 2 % high.
#[kernel(inline)]
pub(crate) fn phase_reaches(x: f64, nu: f64, limit: f64) -> bool {
    let r = nu / x;
    let t2 = ((x - nu) / x) * (1.0 + r);
    let t = t2.sqrt();
    x * t * t2 >= limit * (3.0 * r * r + 1.2 * r * t + t2)
}

/// A lower bound of the exponent `nu atanh(p) - nu p`, `p^2 = 1 - x^2/nu^2`, for `x <= nu`: at most 7 % low below `0.95 nu`.
#[kernel(inline)]
pub(crate) fn exponent_bound(x: f64, nu: f64) -> f64 {
    let u = ((nu - x) / nu) * ((nu + x) / nu);
    let u2 = u * u;
    let u4 = u2 * u2;
    nu * u * u.sqrt() / (3.0 - 1.8 * u - 0.206 * u2 - 0.4 * u4 * u4)
}

/// `J` (`second = false`) or `Y` below the transition, as `(high, low, k)`: for `nu >= 25` and an exponent of 20 or more.
#[kernel]
pub(crate) fn below_transition(x: f64, nu: f64, second: bool) -> (f64, f64, f64) {
    let z0 = dd_div((x, 0.0), (nu, 0.0));
    let z = if z0.0 > LEAST_RATIO { z0 } else { (LEAST_RATIO, 0.0) };
    let u = dd_mul(dd_div(two_sum(nu, -x), (nu, 0.0)), dd_add_d(z, 1.0));
    let p = dd_sqrt(u);
    let eta: (f64, f64);
    if p.0 > 0.25 {
        // (1 + p)/z = sqrt((1 + p)/(1 - p)): no digit of p is lost, and 1 + p and z are exact enough
        eta = dd_sub(log_extra(dd_div(dd_add_d(p, 1.0), z)), p);
    } else {
        let mut t: f64 = ODD_RECIPROCALS[0];
        for i in 1..11 {
            t = t.mul_add(u.0, ODD_RECIPROCALS[i]);
        }
        let mut s = (t * u.0, 0.0);
        for i in 0..4 {
            s = dd_add((ODD_HIGH[3 - i], ODD_LOW[3 - i]), s);
            if i < 3 {
                s = dd_mul(s, u);
            }
        }
        eta = dd_mul(dd_mul(s, u), p);
    }
    let e = dd_mul_d(eta, nu);
    let w = dd_mul_d(p, nu);
    let inverse = 1.0 / w.0;
    let (even, odd) = debye_sums(inverse, inverse / u.0, 1.0, e.0 >= SHORT_FROM);
    let c = dd_mul(dd_inverse_sqrt(w), SQRT_2_OVER_PI);
    if second {
        assembled(e, (-c.0, -c.1), even - odd)
    } else {
        assembled((-e.0, -e.1), (0.5 * c.0, 0.5 * c.1), even + odd)
    }
}

/// A leading pair and a small loose one, as a loose pair.
#[kernel(inline)]
fn lead(high: f64, low: f64, rest: (f64, f64)) -> (f64, f64) {
    let (s, e) = fast_two_sum(high, rest.0);
    (s, e + (low + rest.1))
}

/// `atan(m)/pi` of a pair in [0, 1], absolute error about 2^-98.
///
/// `atan(m) = atan(j/16) + atan(r)`, `|r| <= 1/32`; four terms of the series of `atan(r)` in double-double.
#[kernel]
fn atan_turns(m: (f64, f64)) -> (f64, f64) {
    let j = (16.0 * m.0).round_ties_even();
    let c = j * 0.0625;
    let r = dd_div(dd_add_d(m, -c), dd_add_d(dd_mul_d(m, c), 1.0));
    let u = dd_square(r);
    let v = -u.0;
    let tail = v.mul_add(v.mul_add(v.mul_add(v.mul_add(1.0 / 19.0, 1.0 / 17.0), 1.0 / 15.0), 1.0 / 13.0), 1.0 / 11.0);
    let minus = (-u.0, -u.1);
    let s = lead(ODD_HIGH[3], ODD_LOW[3], two_prod(v, tail));
    let s = lead(ODD_HIGH[2], ODD_LOW[2], pair_mul(minus, s));
    let s = lead(ODD_HIGH[1], ODD_LOW[1], pair_mul(minus, s));
    let s = lead(ODD_HIGH[0], ODD_LOW[0], pair_mul(minus, s));
    let s = lead(1.0, 0.0, pair_mul(minus, s));
    let turns = dd_mul(dd_mul(r, s), INV_PI);
    let i = j as i64;
    dd_add((ATAN_OVER_PI_HIGH[i as usize], ATAN_OVER_PI_LOW[i as usize]), turns)
}

/// `cos(pi t)` and `sin(pi t)` of a pair as `(cosine, its low part, sine, its low part)`, error 2^-56 absolute.
#[kernel(inline)]
pub(crate) fn cos_sin_turns(t: (f64, f64)) -> (f64, f64, f64, f64) {
    let whole = 2.0 * (0.5 * t.0).round_ties_even();
    let r = dd_add_d(t, -whole);
    let n = (2.0 * r.0).round_ties_even();
    let (s, sl, c, cl) = sin_cos_pi_quarter(dd_add_d(r, -0.5 * n));
    let odd = n == 1.0 || n == -1.0;
    let cosine_sign = if n == 1.0 || n.abs() == 2.0 { -1.0 } else { 1.0 };
    let sine_sign = if n == -1.0 || n.abs() == 2.0 { -1.0 } else { 1.0 };
    (
        cosine_sign * (if odd { s } else { c }),
        cosine_sign * (if odd { sl } else { cl }),
        sine_sign * (if odd { c } else { s }),
        sine_sign * (if odd { cl } else { sl }),
    )
}

/// `(w - nu acos(nu/x))/pi - 1/4` modulo 2 from `r = nu/x` and `t = w/x`; error about `nu 2^-98 + x 2^-103`.
#[kernel]
fn phase_turns(x: f64, nu: f64, r: (f64, f64), t: (f64, f64)) -> (f64, f64) {
    let w = dd_mul_d(t, x);
    let shallow = r.0 > t.0;
    let m = dd_div(if shallow { t } else { r }, if shallow { r } else { t });
    let angle = dd_mul_d(atan_turns(m), nu);
    // nu acos(nu/x): nu atan(w/nu), or nu pi/2 - nu atan(nu/w); nu/2 modulo 2 is exact
    let order = 0.5 * (nu - 4.0 * (0.25 * nu).round_ties_even());
    let turned = dd_add_d(angle, -order);
    let turned = if shallow { (-angle.0, -angle.1) } else { turned };
    let path: (f64, f64);
    if x <= HUGE {
        path = dd_mul(w, INV_PI);
    } else {
        let (k, rh, rl) = reduce_huge(x);
        let rest = dd_mul_d(dd_div(r, dd_add_d(t, 1.0)), nu); // x - w
        let less = dd_sub((rh, rl), rest);
        path = dd_add_d(dd_mul(less, INV_PI), 0.5 * k);
    }
    dd_add_d(dd_add(path, turned), -0.25)
}

/// The same for `nu <= x/16` and `nu <= 1000`, for less: `w - nu acos(nu/x) = x - nu pi/2 + x (r^2/2 + r^4/24 + ...)`, the integral of
/// the arc sine.
#[kernel]
fn phase_far(x: f64, nu: f64, r: (f64, f64)) -> (f64, f64) {
    let u = r.0 * r.0;
    let c: f64 = 143.0 / 163_840.0;
    let c = c.mul_add(u, 33.0 / 26_624.0);
    let c = c.mul_add(u, 21.0 / 11_264.0);
    let c = c.mul_add(u, 7.0 / 2_304.0);
    let c = c.mul_add(u, 5.0 / 896.0);
    let c = c.mul_add(u, 1.0 / 80.0);
    let c = c.mul_add(u, 1.0 / 24.0);
    let rise = dd_mul(dd_mul_d(r, nu), fast_two_sum(0.5, u * c));
    let path: (f64, f64);
    if x <= HUGE {
        path = dd_mul(dd_add_short((x, 0.0), rise), INV_PI);
    } else {
        let (k, rh, rl) = reduce_huge(x);
        path = dd_add_d(dd_mul(dd_add((rh, rl), rise), INV_PI), 0.5 * k);
    }
    let (o, oe) = two_sum(0.5 * (nu - 4.0 * (0.25 * nu).round_ties_even()), 0.25);
    dd_sub(path, (o, oe))
}

/// `J` (`second = false`) or `Y` above the transition as a normalised pair: for a phase of 20 or more.
///
/// `H = J + iY = sqrt(2/(pi w)) exp(i (w - nu acos(nu/x) - pi/4)) (1 + E + iO)`. The phase is formed in half turns; its error
/// is about `nu 2^-98 + x 2^-103`, so it shows from orders of 1e12 on.
#[kernel]
pub(crate) fn above_transition(x: f64, nu: f64, second: bool) -> (f64, f64) {
    let r = dd_div((nu, 0.0), (x, 0.0));
    let u = dd_mul(dd_div(two_sum(x, -nu), (x, 0.0)), dd_add_d(r, 1.0));
    let t = dd_sqrt(u); // w/x
    let w = dd_mul_d(t, x);
    let phase: (f64, f64);
    if 16.0 * nu <= x && nu <= 1000.0 {
        phase = phase_far(x, nu, r);
    } else {
        phase = phase_turns(x, nu, r, t);
    }
    let (c, cl, s, sl) = cos_sin_turns(phase);
    let root = dd_inverse_sqrt(w);
    let inverse = root.0 * root.0;
    let ratio = nu * inverse;
    let (even, odd) = debye_sums(inverse, ratio * ratio * inverse, -1.0, phase_reaches(x, nu, SHORT_FROM));
    let h = if second { s } else { c };
    let l = if second { sl } else { cl };
    let other = if second { c } else { -s };
    let sum = two_sum(h, l + h.mul_add(even, other * odd));
    dd_mul(dd_mul(root, SQRT_2_OVER_PI), sum)
}
