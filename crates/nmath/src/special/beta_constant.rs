//! `1/B(a, b)` as a factor and an exponent in double-double, for shapes whose sum is at most some thousands: what the
//! densities and distribution functions of the beta family need of their parameters, for as few operations as possible.

use super::beta_tables::fourth_terms;
use super::binomial_kernel::{STIRLING_FROM, Scaled, stirling_of_inverse};
use super::constants::INV_PI;
use super::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_sqrt, dd_sub_short, fast_two_sum, pair_add, pair_mul,
    pair_mul_d, pair_sub, two_prod, two_sum,
};
use super::logarithm::log_dd_of_normal_pair;
use super::stirling::stirlerr_pair;
use gristmill_kernel::kernel;

/// Up to this both shapes are taken to the neighbourhood of 2 by the recurrence of the gamma function.
#[kernel]
const RECURRENCE_TO: f64 = 2.5;

/// The double below 1/2. `(x + this).floor()` is the integer next to `x`, a half going up, for every `x` from 0 to 5: with 1/2
/// itself the sum of the double below 1/2 rounds up to 1.
#[kernel]
const NEARLY_HALF: f64 = 0.49999999999999994;

/// 1 - Euler's constant.
#[kernel]
const FIRST: (f64, f64) = (0.42278433509846713, 4.942915152430645e-18);
/// `(zeta(2) - 1)/2`.
#[kernel]
const SECOND: (f64, f64) = (0.3224670334241132, 1.5319938208471884e-17);
/// `(1 - zeta(3))/3`.
#[kernel]
const THIRD: (f64, f64) = (-0.0673523010531981, 6.87667631175899e-18);

polynomial! {
    /// The digamma function at `2 + t`, `|t| <= 1/2`, within 3e-4.
    fn digamma_near_two =
        [0.017343061984449, -0.03692775514337, 0.082323233711138, -0.202056903159594, 0.644934066848226, 0.422784335098467];
}

/// `log G(2 + t)` for `|t| <= 1/2` as a loose pair, absolute error 2^-61, and that of `t^4` next to 0.
///
/// Its first three coefficients are pairs, the others below 2^-8 of the sum and rounded. Paper: DLMF 5.7.3.
#[kernel(inline)]
fn log_gamma_near_two(t: f64) -> (f64, f64) {
    let w = fourth_terms(t);
    let a = t.mul_add(w, THIRD.0);
    let al = t.mul_add(w, THIRD.0 - a) + THIRD.1;
    let (u, ue) = two_prod(t, a);
    let (c, ce) = fast_two_sum(SECOND.0, u);
    let cl = ce + (t.mul_add(al, ue) + SECOND.1);
    let (v, ve) = two_prod(t, c);
    let (s, se) = fast_two_sum(FIRST.0, v);
    let sl = se + (t.mul_add(cl, ve) + FIRST.1);
    let (r, re) = two_prod(t, s);
    (r, t.mul_add(sl, re))
}

/// `f` with `G(z) = G(2+t)/f`, `t` in [-1/2, 1/2], for a pair `0 < z < 5/2`: `z (z+1)`, `z` or 1.
#[kernel(inline)]
fn steps_below(z: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(z.0, z.0);
    let (h, l) = fast_two_sum(z.0, p);
    let low = l + (2.0 * z.0).mul_add(z.1, e + z.1);
    let near = z.0 < 1.5;
    let far = z.0 < 0.5;
    let one = if near { z.0 } else { 1.0 };
    let onel = if near { z.1 } else { 0.0 };
    (if far { h } else { one }, if far { low } else { onel })
}

/// [`inverse_beta`] for shapes up to 5/2: `G` of both and of their sum by that of `2 + t`, `|t| <= 1/2`, and the recurrence. No logarithm.
#[kernel(inline)]
fn inverse_beta_by_recurrence(smaller: f64, larger: f64) -> Scaled {
    let n = two_sum(smaller, larger);
    let t = n.0 - (n.0 + NEARLY_HALF).floor();
    let gs = log_gamma_near_two(smaller - (smaller + NEARLY_HALF).floor());
    let gl = log_gamma_near_two(larger - (larger + NEARLY_HALF).floor());
    let gn = log_gamma_near_two(t);
    let gn = (gn.0, n.1.mul_add(digamma_near_two(t), gn.1));
    let e = pair_sub(gn, pair_add(gs, gl));
    // (n-1) (n-2) (n-3), as far as the recurrence goes; the differences are exact
    let first = n.0 >= 2.5;
    let second = n.0 >= 3.5;
    let third = n.0 >= 4.5;
    let p = (if first { n.0 - 1.0 } else { 1.0 }, if first { n.1 } else { 0.0 });
    let q = (if second { n.0 - 2.0 } else { 1.0 }, if second { n.1 } else { 0.0 });
    let r = (if third { n.0 - 3.0 } else { 1.0 }, if third { n.1 } else { 0.0 });
    let up = pair_mul(pair_mul(p, q), r);
    let m = dd_div(pair_mul(steps_below((larger, 0.0)), up), steps_below(n));
    let m = dd_mul(steps_below((smaller, 0.0)), m);
    Scaled { m, e }
}

/// `r(n) - r(a) - r(b)` as a pair, `r` Stirling's remainder, for shapes of at least 1 up to 1e100 and their sum `n`.
#[kernel(inline)]
fn remainders(a: f64, b: f64, n: (f64, f64)) -> (f64, f64) {
    if a >= STIRLING_FROM && b >= STIRLING_FROM {
        let inverse = 1.0 / ((a * b) * n.0);
        let both = stirling_of_inverse((b * n.0) * inverse) + stirling_of_inverse((a * n.0) * inverse);
        return (stirling_of_inverse((a * b) * inverse) - both, 0.0);
    }
    dd_sub_short(remainder_of_sum(n), dd_add_short(stirlerr_pair(a), stirlerr_pair(b)))
}

/// Stirling's remainder of a sum `n >= 1`, that of its low part included.
#[kernel(inline)]
fn remainder_of_sum(n: (f64, f64)) -> (f64, f64) {
    let r = stirlerr_pair(n.0);
    // the derivative of r, about 1/(12 n), is minus itself over n
    (r.0, r.1 - n.1 * (r.0 / n.0))
}

/// `sqrt(a b/(2 pi n)) exp(r(n) - r(a) - r(b))`, which is `a^a b^b/(n^n B(a, b))`, for shapes from 1 to 1e100 and `size = a b/n`.
#[kernel(inline)]
pub(crate) fn saddle_constant(a: f64, b: f64, n: (f64, f64), size: (f64, f64)) -> Scaled {
    let m = dd_sqrt(dd_mul(size, (0.5 * INV_PI.0, 0.5 * INV_PI.1)));
    let e = remainders(a, b, n);
    Scaled { m, e }
}

/// `log(1 + t)` of a pair `0 < t < 1e290` as a pair, absolute error 2^-69 of it and 2^-105.
#[kernel(inline)]
fn log1p_of_share(t: (f64, f64)) -> (f64, f64) {
    let u = two_sum(1.0, t.0);
    let l = log_dd_of_normal_pair(fast_two_sum(u.0, u.1 + t.1));
    let tiny = t.0 < 1e-30;
    (if tiny { t.0 } else { l.0 }, if tiny { t.1 } else { l.1 })
}

/// `log G(1+s)` and a factor for `0 < s < 1`: `(e, el, m, ml)` with `s/G(1+s) = m exp(-e)`.
#[kernel(inline)]
fn small_gamma(s: f64) -> Scaled {
    let g = log_gamma_near_two(if s < 0.5 { s } else { s - 1.0 });
    let m = steps_below((s, 0.0));
    Scaled { m, e: g }
}

/// [`inverse_beta`] for a smaller shape below 1 and a larger one from 5/2 on.
///
/// `s/G(1+s) exp(r(n) - r(l) - s + s log n + (l - 1/2) log(n/l))`, `s` and `l` the shapes.
#[kernel(inline)]
fn inverse_beta_of_small(smaller: f64, larger: f64) -> Scaled {
    let n = two_sum(smaller, larger);
    let g = small_gamma(smaller);
    let r = dd_sub_short(remainder_of_sum(n), stirlerr_pair(larger));
    let l = dd_add_d(log_dd_of_normal_pair(n), -1.0);
    let grown = log1p_of_share(dd_div((smaller, 0.0), (larger, 0.0)));
    let powers = pair_add(pair_mul_d(l, smaller), pair_mul(grown, two_sum(larger, -0.5)));
    let e = pair_add(pair_sub(r, g.e), powers);
    Scaled { m: g.m, e }
}

/// [`inverse_beta`] for shapes of at least 1: [`saddle_constant`] and `n log(1 + r) - s log r`, `r = s/l`.
#[kernel(inline)]
fn inverse_beta_of_large(smaller: f64, larger: f64) -> Scaled {
    let n = two_sum(smaller, larger);
    let ratio = dd_div((smaller, 0.0), (larger, 0.0));
    let up = dd_add_d(ratio, 1.0);
    let c = saddle_constant(smaller, larger, n, dd_div((smaller, 0.0), up));
    let first = pair_mul(log_dd_of_normal_pair(up), n);
    let second = pair_mul_d(log_dd_of_normal_pair(ratio), smaller);
    let e = pair_add(c.e, pair_sub(first, second));
    Scaled { m: c.m, e }
}

/// `1/B(a, b)` as factor and (loose) exponent, for positive normal shapes with `a + b <= 4096`. Absolute error of the exponent 2^-59 or so.
///
/// Method:
///   both up to 5/2      the recurrence of the gamma function and its logarithm next to 2: no logarithm
///   the smaller below 1 its gamma function as above, Stirling's formula for the two others
///   otherwise           Stirling's formula for all
#[kernel]
pub(crate) fn inverse_beta(a: f64, b: f64) -> Scaled {
    let smaller = if a < b { a } else { b };
    let larger = if a < b { b } else { a };
    let r: Scaled;
    if larger < RECURRENCE_TO {
        r = inverse_beta_by_recurrence(smaller, larger);
    } else if smaller < 1.0 {
        r = inverse_beta_of_small(smaller, larger);
    } else {
        r = inverse_beta_of_large(smaller, larger);
    }
    r
}

/// `(a/b)^a/B(a, b)` as factor and (loose) exponent, for `a + b <= 4096`, shapes above 1e-100, `share = a/b`: what the F distribution's density needs.
///
/// With `s` and `l` the smaller and the larger shape, what [`inverse_beta`] gives times that power, the logarithms taken together:
/// `r(n) - r(a) - r(b) + n log(1 + a/b)`, or `s/G(1+s) sqrt(l/n)` and `r(n) - r(l) - s + s log s + n log(1 + a/b)`.
#[kernel]
pub(crate) fn odds_constant(a: f64, b: f64, share: (f64, f64)) -> Scaled {
    let n = two_sum(a, b);
    let smaller = if a < b { a } else { b };
    let larger = if a < b { b } else { a };
    let c: Scaled;
    let more: (f64, f64);
    if larger < RECURRENCE_TO {
        c = inverse_beta_by_recurrence(smaller, larger);
        more = pair_mul_d(log_dd_of_normal_pair(share), a);
    } else {
        let grown = pair_mul(log1p_of_share(share), n);
        let part = dd_div((larger, 0.0), n);
        if smaller < 1.0 {
            let g = small_gamma(smaller);
            let m = dd_mul(g.m, dd_sqrt(part));
            let r = dd_sub_short(remainder_of_sum(n), stirlerr_pair(larger));
            let l = dd_add_d(log_dd_of_normal_pair((smaller, 0.0)), -1.0);
            let e = pair_add(pair_sub(r, g.e), pair_mul_d(l, smaller));
            c = Scaled { m, e };
        } else {
            c = saddle_constant(a, b, n, dd_mul_d(part, smaller));
        }
        more = grown;
    }
    let e = pair_add(c.e, more);
    Scaled { m: c.m, e }
}
