//! Density and tails of the hypergeometric distribution for valid integer arguments.

use super::binomial_kernel::{Scaled, binomial_kernel, dd_quotient, factorial_parts};
use super::double_double::{dd_add_short, dd_div, dd_mul, dd_sqrt, dd_sub_short, fast_two_sum, two_prod, two_sum};
use super::exponential::exp;
use gristmill_kernel::kernel;

/// The parameters.
#[kernel]
pub struct HyperSetup {
    /// White balls in the urn.
    pub white: f64,
    /// Black balls in the urn.
    pub black: f64,
    /// Balls drawn.
    pub drawn: f64,
}

/// One tail of the distribution.
#[kernel]
pub struct HyperTail {
    /// Whether it is `F(x)`; otherwise it is `1 - F(x)`.
    pub lower: bool,
    /// The tail is `m exp(e + el)`.
    pub m: f64,
    /// See `m`.
    pub e: f64,
    /// See `m`.
    pub el: f64,
    /// The density at `x` is `density exp(e + el)`.
    pub density: f64,
}

/// The density at a real `x` strictly inside the support's ends extended by 1, as factor and exponent, if
/// `0 < drawn < white + black`.
///
/// `b(x; r, p) b(n-x; b, p) / b(n; r+b, p)` with `p = n/(r+b)`, `b` the binomial density: the three kernels in one
/// exponent, where the third deviance is 0. Paper: loader2000.
#[kernel]
pub(crate) fn hyper_density(x: f64, s: HyperSetup) -> Scaled {
    let total: (f64, f64) = two_sum(s.white, s.black);
    let left: (f64, f64) = dd_sub_short(total, (s.drawn, 0.0));
    let p: (f64, f64) = dd_div((s.drawn, 0.0), total);
    let q: (f64, f64) = dd_div(left, total);
    let first: Scaled = binomial_kernel(x, s.white - x, p, q);
    let second: Scaled = binomial_kernel(s.drawn - x, s.black - (s.drawn - x), p, q);
    let fa: Scaled = factorial_parts((s.drawn, 0.0));
    let fb: Scaled = factorial_parts(left);
    let fc: Scaled = factorial_parts(total);
    let e: (f64, f64) = dd_add_short((first.e, first.el), (second.e, second.el));
    let e: (f64, f64) = dd_add_short(e, dd_sub_short(dd_add_short((fa.e, fa.el), (fb.e, fb.el)), (fc.e, fc.el)));
    let root: (f64, f64) = dd_sqrt(dd_mul(dd_quotient((fa.m, fa.ml), (fc.m, fc.ml)), (fb.m, fb.ml)));
    let m: (f64, f64) = dd_mul(dd_mul((first.m, first.ml), (second.m, second.ml)), root);
    Scaled { m: m.0, ml: m.1, e: e.0, el: e.1 }
}

/// `f(k+1) / f(k)`.
#[kernel(inline)]
fn ratio_up(k: f64, s: HyperSetup) -> f64 {
    ((s.white - k) / (k + 1.0)) * ((s.drawn - k) / (s.black - s.drawn + k + 1.0))
}

/// `f(k-1) / f(k)`.
#[kernel(inline)]
fn ratio_down(k: f64, s: HyperSetup) -> f64 {
    (k / (s.white - k + 1.0)) * ((s.black - s.drawn + k) / (s.drawn - k + 1.0))
}

/// The nodes in (0, 1) and weights of Gauss' rule with 16 points on [-1, 1] (DLMF 3.5.15).
#[kernel]
const GAUSS_NODE: [f64; 8] = [
    0.095_012_509_837_637_44,
    0.281_603_550_779_258_9,
    0.458_016_777_657_227_4,
    0.617_876_244_402_643_7,
    0.755_404_408_355_003,
    0.865_631_202_387_831_7,
    0.944_575_023_073_232_6,
    0.989_400_934_991_649_9,
];
#[kernel]
const GAUSS_WEIGHT: [f64; 8] = [
    0.189_450_610_455_068_5,
    0.182_603_415_044_923_58,
    0.169_156_519_395_002_54,
    0.149_595_988_816_576_73,
    0.124_628_971_255_533_88,
    0.095_158_511_682_492_78,
    0.062_253_523_938_647_894,
    0.027_152_459_411_754_094,
];

/// `f(start + direction t) / f(start)` for real `t >= 0` (0 beyond the support).
#[kernel]
fn relative_density(t: f64, start: f64, direction: f64, at_start: Scaled, s: HyperSetup) -> f64 {
    let x = start + direction * t;
    let first = if s.drawn - s.black > 0.0 { s.drawn - s.black } else { 0.0 };
    let last = if s.white < s.drawn { s.white } else { s.drawn };
    if x < first || x > last {
        return 0.0;
    }
    let d: Scaled = hyper_density(x, s);
    let e: (f64, f64) = dd_sub_short((d.e, d.el), (at_start.e, at_start.el));
    d.m / at_start.m * exp(e.0 + e.1)
}

/// `sum_{j>=0} f(start + direction j) / f(start)` for a distribution so wide that direct summation would be long: the
/// integral by Gauss' rule, and Gregory's correction from the sum to the integral by differences at `start`.
///
/// `reach`: how many terms matter; the density falls by e^-37 or more over it. Nine panels of 16 points.
#[kernel]
fn wide_sum(start: f64, direction: f64, reach: f64, at_start: Scaled, s: HyperSetup) -> f64 {
    let mut integral: f64 = 0.0;
    let panel = reach * (1.0 / 8.0);
    let half = 0.5 * panel;
    let mut i: i32 = 9;
    while i > 0 {
        i -= 1;
        let middle = (i as f64 + 0.5) * panel;
        let mut sum: f64 = 0.0;
        let mut k: usize = 8;
        while k > 0 {
            k -= 1;
            let above = relative_density(middle + half * GAUSS_NODE[k], start, direction, at_start, s);
            let below = relative_density(middle - half * GAUSS_NODE[k], start, direction, at_start, s);
            sum += GAUSS_WEIGHT[k] * (above + below);
        }
        integral += half * sum;
    }
    // Gregory: sum = integral + f0/2 - D1/12 + D2/24 - 19 D3/720 + 3 D4/160 - 863 D5/60480 + 275 D6/24192, D the forward
    // differences; f1 - f0 by ratios without cancellation
    let mut f: [f64; 7] = [1.0; 7];
    let mut j: usize = 1;
    while j < 7 {
        let k = start + direction * ((j - 1) as f64);
        f[j] = f[j - 1] * if direction > 0.0 { ratio_up(k, s) } else { ratio_down(k, s) };
        j += 1;
    }
    let mut order: usize = 1;
    let mut difference: [f64; 7] = [0.0; 7];
    while order < 7 {
        let mut j: usize = 6;
        while j >= order {
            f[j] -= f[j - 1];
            j -= 1;
        }
        difference[order] = f[order];
        order += 1;
    }
    integral
        + (0.5 - difference[1] / 12.0 + difference[2] / 24.0 - difference[3] * (19.0 / 720.0)
            + difference[4] * (3.0 / 160.0)
            - difference[5] * (863.0 / 60_480.0)
            + difference[6] * (275.0 / 24_192.0))
}

/// `sum_{j>=0} f(start + direction j) / f(start)`, `start` at or beyond the mode in this direction (or a little before).
///
/// Method:
///   fewer than 3000 terms matter   the sum itself, by ratios; all terms positive
///   otherwise                      an integral and its difference to the sum, see [`wide_sum`]
/// The number of terms is 9 sd in the middle, and 37/slope in the tails.
#[kernel]
fn one_sided_sum(start: f64, direction: f64, at_start: Scaled, s: HyperSetup) -> f64 {
    let total = s.white + s.black;
    let share = s.drawn / total;
    let variance = s.white * share * (s.black / total) * ((total - s.drawn) / total);
    let sd = variance.sqrt();
    let mean = s.white * share;
    let z = direction * (start - mean) / sd;
    let z = if z > 0.0 { z } else { 0.0 };
    // the density falls by e^-37 after t sd with t z + t^2/2 = 37
    let reach = sd * 74.0 / (z + (z * z + 74.0).sqrt());
    if reach > 3000.0 {
        return wide_sum(start, direction, 1.3 * reach, at_start, s);
    }
    let first = if s.drawn - s.black > 0.0 { s.drawn - s.black } else { 0.0 };
    let last = if s.white < s.drawn { s.white } else { s.drawn };
    let room = if direction > 0.0 { last - start } else { start - first };
    let room = if room < 40_000.0 { room } else { 40_000.0 };
    let gap = s.black - s.drawn;
    let mut term: f64 = 1.0;
    let mut term_low: f64 = 0.0;
    let mut sum: f64 = 1.0;
    let mut sum_low: f64 = 0.0;
    let mut j: f64 = 0.0;
    while j < room {
        // the ratio of neighbours as a pair: hundreds of plain products would add up their roundings
        let k = start + direction * j;
        let up = direction > 0.0;
        let top: (f64, f64) = if up { two_prod(s.white - k, s.drawn - k) } else { two_prod(k, gap + k) };
        let bottom: (f64, f64) =
            if up { two_prod(k + 1.0, gap + k + 1.0) } else { two_prod(s.white - k + 1.0, s.drawn - k + 1.0) };
        let inverse = 1.0 / bottom.0;
        let r = top.0 * inverse;
        let rest = ((-r).mul_add(bottom.0, top.0) + (top.1 - r * bottom.1)) * inverse;
        let product = term * r;
        term_low = term.mul_add(r, -product) + (term * rest + term_low * r);
        term = product;
        let total = sum + term;
        sum_low += (sum - total) + term + term_low; // sum >= term: exact
        sum = total;
        if term < 1e-18 * sum {
            break;
        }
        j += 1.0;
    }
    sum + sum_low
}

/// The smaller tail at an integer `first <= x < last`, if `0 < drawn < white + black`.
///
/// `F(x) = f(x) (1 + f(x-1)/f(x) + ...)`, `1 - F(x) = f(x+1) (1 + f(x+2)/f(x+1) + ...)`: the side away from the mean; if
/// that is above 0.6 (strong skewness), the other.
#[kernel]
pub(crate) fn hyper_tail(x: f64, s: HyperSetup) -> HyperTail {
    let mean = s.drawn * (s.white / (s.white + s.black));
    let at_x: Scaled = hyper_density(x, s);
    let mut lower = x < mean;
    let mut tries: i32 = 0;
    let mut t = HyperTail { lower, m: 0.0, e: 0.0, el: 0.0, density: 0.0 };
    while tries < 2 {
        let up = ratio_up(x, s);
        // f(x+1) = f(x) up: exact enough, and the exponent stays that of x
        let sum = if lower {
            one_sided_sum(x, -1.0, at_x, s)
        } else {
            one_sided_sum(x + 1.0, 1.0, hyper_density(x + 1.0, s), s) * up
        };
        let m = at_x.m * sum;
        let e: (f64, f64) = fast_two_sum(at_x.e, at_x.el + at_x.ml / at_x.m);
        t = HyperTail { lower, m, e: e.0, el: e.1, density: at_x.m };
        tries += 1;
        if e.0 > -30.0 && m * exp(e.0) > 0.6 {
            lower = !lower;
        } else {
            tries = 2;
        }
    }
    t
}
