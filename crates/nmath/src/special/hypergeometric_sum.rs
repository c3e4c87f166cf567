//! Density and tails of the hypergeometric distribution for valid integer arguments.

use super::binomial_kernel::{
    STIRLING_FROM, Scaled, binomial_constant, dd_quotient, deviance, deviance_of_difference, exp_of, factorial_parts,
    from_mean, is_near, log_factorial_table, near_deviance, root_result, stirling_of_inverse,
};
use super::constants::INV_PI;
use super::double_double::{
    dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub_short, fast_two_sum, pair_add, pair_sub, two_prod,
    two_sum,
};
use super::exponential::exp;
use super::incomplete_beta::BetaTail;
use super::logarithm::log_dd;
use super::powers_of_two::TWO_53;
use gristmill_kernel::kernel;

/// The parameters, valid, and what depends on them only.
#[kernel]
pub struct HyperSetup {
    /// White balls in the urn.
    pub white: f64,
    /// Black balls in the urn.
    pub black: f64,
    /// Balls drawn.
    pub drawn: f64,
    /// The smallest possible number of white balls drawn.
    pub first: f64,
    /// The largest possible number.
    pub last: f64,
    /// Whether the urn has at most 511 balls: the table of `log k!` serves.
    pub small: bool,
    /// The factor of the density that depends on the parameters only; 1 if small.
    pub m: (f64, f64),
    /// The exponent of the density that depends on the parameters only.
    pub e: (f64, f64),
    /// `drawn/total`, as a pair.
    pub p: (f64, f64),
    /// `1 - drawn/total`, as a pair.
    pub q: (f64, f64),
    /// `white drawn/total`, as a pair.
    pub mean: (f64, f64),
    /// `white black drawn left/(2 pi total)`, as a pair; 1 if small or beyond 1e60.
    pub share: (f64, f64),
    /// The inverse of `share`.
    pub back: f64,
    /// The exponent that goes with `share`, Stirling's remainders.
    pub error: f64,
    /// Whether `near_density` serves near the mean.
    pub wide: bool,
}

/// What depends on valid parameters with `0 < drawn < white + black` only.
///
///   at most 511 balls   log white! + log black! + log drawn! + log left! - log total!
///   otherwise           the parts of drawn!, left! and total!, and those of white! and black!
#[kernel(inline)]
pub(crate) fn hyper_parameters(white: f64, black: f64, drawn: f64) -> HyperSetup {
    let first = if drawn - black > 0.0 { drawn - black } else { 0.0 };
    let last = if white < drawn { white } else { drawn };
    let total = two_sum(white, black);
    let small = total.0 <= 511.0;
    let left = dd_sub_short(total, (drawn, 0.0));
    let p = dd_div((drawn, 0.0), total);
    let q = dd_div(left, total);
    let mut m = (1.0, 0.0);
    let e: (f64, f64);
    if small {
        let urn = pair_add(log_factorial_table(white), log_factorial_table(black));
        let sample = pair_add(log_factorial_table(drawn), log_factorial_table(left.0));
        e = pair_sub(pair_add(urn, sample), log_factorial_table(total.0));
    } else {
        let fa = factorial_parts((drawn, 0.0));
        let fb = factorial_parts(left);
        let fc = factorial_parts(total);
        e = dd_sub_short(dd_add_short(fa.e, fb.e), fc.e);
        m = dd_sqrt(dd_mul(dd_quotient(fa.m, fc.m), fb.m));
    }
    let mean = dd_mul_d(p, white);
    let wide = !small && white >= 32.0 && black >= 32.0 && total.0 < 1e60;
    let mut share = (1.0, 0.0);
    let mut error: f64 = 0.0;
    if wide {
        let urn = dd_mul_d(two_prod(white, black), INV_PI.0 * 0.5);
        let urn = (urn.0, (white * black).mul_add(INV_PI.1 * 0.5, urn.1));
        share = dd_mul(dd_mul_d(urn, drawn), q);
        error = e.0 + stirling_of_inverse(1.0 / white) + stirling_of_inverse(1.0 / black);
    }
    HyperSetup { white, black, drawn, first, last, small, mean, share, back: 1.0 / share.0, error, wide, m, e, p, q }
}

/// The logarithm of the density at an integer in the support, for a small urn, as a pair.
#[kernel(inline)]
fn small_exponent(x: f64, s: HyperSetup) -> (f64, f64) {
    let white = pair_add(log_factorial_table(x), log_factorial_table(s.white - x));
    let rest = s.drawn - x;
    let black = pair_add(log_factorial_table(rest), log_factorial_table(s.black - rest));
    let e = pair_sub(s.e, pair_add(white, black));
    fast_two_sum(e.0, e.1)
}

/// The density at an integer `x` of the support, as factor and exponent, if `0 < drawn < white + black` and the urn is not small.
///
/// `b(x; r, p) b(n-x; b, p) / b(n; r+b, p)` with `p = n/(r+b)`, `b` the binomial density: the three kernels in one
/// exponent, where the third deviance is 0. Paper: loader2000.
#[kernel]
fn general_density(x: f64, s: HyperSetup) -> Scaled {
    let p: (f64, f64) = s.p;
    let q: (f64, f64) = s.q;
    let rest = s.drawn - x;
    let first = binomial_constant(x, s.white - x);
    let second = binomial_constant(rest, s.black - rest);
    let mut white = deviance(x, s.white - x, p, q);
    let mut black = deviance(rest, s.black - rest, p, q);
    if s.white + s.black > TWO_53 {
        // a difference of two counts may be no double, but one from the mean is known: both colours have it, with opposite signs
        let d = dd_sub_short((x, 0.0), s.mean);
        white = deviance_of_difference(x, s.white - x, s.white, p, q, d);
        black = deviance_of_difference(rest, s.black - rest, s.black, p, q, dd_neg(d));
    }
    let e = dd_sub_short(first.e, white);
    let e = dd_add_short(e, dd_sub_short(second.e, black));
    let e = dd_add_short(e, s.e);
    let m = dd_mul(dd_mul(first.m, second.m), s.m);
    Scaled { m, e }
}

/// Whether [`near_density`] holds: a large urn, all four counts at least 16 and near their means.
#[kernel(inline)]
pub(crate) fn hyper_is_near(x: f64, s: HyperSetup) -> bool {
    let wide = s.wide;
    let left = s.white - x;
    let black = s.drawn - x;
    let rest = s.black - black;
    let (d, _low) = from_mean(x, s.mean);
    let large = x >= STIRLING_FROM && left >= STIRLING_FROM && black >= STIRLING_FROM && rest >= STIRLING_FROM;
    wide && large && is_near(x, left, d) && is_near(black, rest, -d)
}

/// The density or its logarithm at an integer `x`, for [`hyper_is_near`] arguments: [`general_density`] with one division for
/// the four counts and their Stirling remainders, and one square root.
#[kernel(inline)]
pub(crate) fn near_density(x: f64, s: HyperSetup, log: bool) -> f64 {
    let left = s.white - x;
    let black = s.drawn - x;
    let rest = s.black - black;
    let d = from_mean(x, s.mean);
    let u = two_prod(x, left);
    let v = two_prod(black, rest);
    let p = dd_mul(u, v);
    let inverse = 1.0 / p.0;
    let iu = v.0 * inverse;
    let iv = u.0 * inverse;
    let white_errors = stirling_of_inverse(left * iu) + stirling_of_inverse(x * iu);
    let black_errors = stirling_of_inverse(rest * iv) + stirling_of_inverse(black * iv);
    let errors = s.error - (white_errors + black_errors);
    let both = pair_add(near_deviance(x, left, d), near_deviance(black, rest, (-d.0, -d.1)));
    root_result(s.share, s.back, p, inverse, pair_sub((errors, 0.0), both), log)
}

/// The logarithm of the density of a small urn, or the density.
#[kernel(inline)]
pub(crate) fn small_density(x: f64, s: HyperSetup, log: bool) -> f64 {
    let e = small_exponent(x, s);
    if log { e.0 + e.1 } else { exp_of(e) }
}

/// The density at an integer in the support, as factor and exponent, if `0 < drawn < white + black`.
#[kernel]
pub(crate) fn hyper_density(x: f64, s: HyperSetup) -> Scaled {
    if s.small {
        let e = small_exponent(x, s);
        return Scaled { m: (1.0, 0.0), e };
    }
    general_density(x, s)
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

polynomial! {
    /// `((1 + v) log(1 + v) - v - v^2/2) / v^3` for `|v| < 0.04`, by Taylor's series.
    fn beyond_square =
        [1.0 / 90.0, -1.0 / 72.0, 1.0 / 56.0, -1.0 / 42.0]
        [1.0 / 30.0, -1.0 / 20.0, 1.0 / 12.0, -1.0 / 6.0];
}

/// What [`relative_density`] needs of the place where it starts.
#[kernel]
struct WideStart {
    /// By how much the log density, but for Stirling's roots, falls in the first step.
    slope: (f64, f64),
    /// Half the sum of the inverse counts.
    half: (f64, f64),
    /// The inverses of the two counts that rise and of the two that fall, the latter negative.
    inverse: [f64; 4],
}

/// The counts of the table at `start`, white and black balls drawn and left, as the sums they are: beyond 2^53 a difference of two
/// is no double.
#[kernel]
fn wide_start(start: f64, direction: f64, s: HyperSetup) -> WideStart {
    let white_left = two_sum(s.white, -start);
    let black_drawn = two_sum(s.drawn, -start);
    let black_left = dd_add_short(two_sum(s.black, -s.drawn), (start, 0.0));
    let one = (1.0, 0.0);
    let a = dd_div(one, (start, 0.0));
    let b = dd_div(one, black_left);
    let c = dd_div(one, white_left);
    let d = dd_div(one, black_drawn);
    let sum = dd_add_short(dd_add_short(a, b), dd_add_short(c, d));
    // of numbers of like size first, so that nothing leaves the range
    let step = log_dd(dd_mul(dd_mul_d(d, start), dd_mul(black_left, c)));
    WideStart {
        slope: (direction * step.0, direction * step.1),
        half: (0.5 * sum.0, 0.5 * sum.1),
        inverse: [direction * a.0, direction * b.0, -direction * c.0, -direction * d.0],
    }
}

/// `f(start + direction t) / f(start)` for real `0 <= t < 0.04 c`, `c` each of the four counts, all above 10^5.
///
/// By Stirling's formula for each count, `log (c+u)!/c! = u log c + c phi(u/c) + log(1 + u/c)/2 + r(c+u) - r(c)`, `phi(v) = (1+v) log(1+v) - v`
/// and `u = t` or `-t`. The first terms add up to the slope, all `c phi` are positive: nothing cancels, and no count of
/// many digits gets a fraction.
#[kernel]
fn relative_density(t: f64, at: WideStart) -> f64 {
    let mut beyond: f64 = 0.0;
    let mut stirling: f64 = 0.0;
    let mut product: f64 = 1.0;
    for i in 0..4usize {
        let inverse = at.inverse[i];
        let v = t * inverse;
        let size = inverse.abs();
        beyond += size * (v * beyond_square(v));
        stirling += size * (v / (1.0 + v));
        product *= 1.0 + v;
    }
    let square = two_prod(t, t);
    let e = dd_add_short(dd_mul_d(at.slope, t), dd_mul(square, at.half));
    exp(-(e.0 + (e.1 + (square.0 * beyond - stirling * (1.0 / 12.0))))) / product.sqrt()
}

/// `sum_{j>=0} f(start + direction j) / f(start)` for a distribution so wide that direct summation would be long: the
/// integral by Gauss' rule, and Gregory's correction from the sum to the integral by differences at `start`.
///
/// `reach`: how many terms matter; the density falls by e^-37 or more over it. Nine panels of 16 points.
#[kernel]
fn wide_sum(start: f64, direction: f64, reach: f64, s: HyperSetup) -> f64 {
    let at = wide_start(start, direction, s);
    let mut integral: f64 = 0.0;
    let panel = reach * (1.0 / 8.0);
    let half = 0.5 * panel;
    for i in 0..9 {
        let middle = (8.5 - i as f64) * panel;
        let mut sum: f64 = 0.0;
        for j in 0..8 {
            let k: usize = 7 - j;
            let above = relative_density(middle + half * GAUSS_NODE[k], at);
            let below = relative_density(middle - half * GAUSS_NODE[k], at);
            sum += GAUSS_WEIGHT[k] * (above + below);
        }
        integral += half * sum;
    }
    // Gregory: sum = integral + f0/2 - D1/12 + D2/24 - 19 D3/720 + 3 D4/160 - 863 D5/60480 + 275 D6/24192, D the forward
    // differences; f1 - f0 by ratios without cancellation
    let mut f: [f64; 7] = [1.0; 7];
    for i in 0..6 {
        let j: usize = i + 1;
        let k = start + direction * (i as f64);
        f[j] = f[j - 1] * if direction > 0.0 { ratio_up(k, s) } else { ratio_down(k, s) };
    }
    let mut difference: [f64; 7] = [0.0; 7];
    for i in 0..6 {
        let order: usize = i + 1;
        for n in 0..6 {
            let j: usize = 6 - n;
            if j >= order {
                f[j] -= f[j - 1];
            }
        }
        difference[order] = f[order];
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
fn one_sided_sum(start: f64, direction: f64, s: HyperSetup) -> (f64, f64) {
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
        return (wide_sum(start, direction, 1.3 * reach, s), 0.0);
    }
    let room = if direction > 0.0 { s.last - start } else { start - s.first };
    let room = if room < 40_000.0 { room } else { 40_000.0 };
    let gap = s.black - s.drawn;
    let up = direction > 0.0;
    // upwards f(k+1)/f(k) = (white-k)(drawn-k)/((k+1)(gap+k+1)), downwards f(k-1)/f(k) = k (gap+k)/((white-k+1)(drawn-k+1)):
    // two numbers that fall by 1 in each step over two that rise by 1
    let mut falling = if up { s.white - start } else { start };
    let mut falling_2 = if up { s.drawn - start } else { gap + start };
    let mut rising = if up { start + 1.0 } else { s.white - start + 1.0 };
    let mut rising_2 = if up { gap + start + 1.0 } else { s.drawn - start + 1.0 };
    let mut term: f64 = 1.0;
    let mut term_low: f64 = 0.0;
    let mut sum: f64 = 1.0;
    let mut sum_low: f64 = 0.0;
    let mut j: f64 = 0.0;
    while j < room {
        // eight terms in each round, so that lanes wait for the test only once; beyond the end of the support they are 0
        for _ in 0..8 {
            // the ratio of neighbours as a pair: hundreds of plain products would add up their roundings
            let top = two_prod(falling, falling_2);
            let bottom = two_prod(rising, rising_2);
            falling -= 1.0;
            falling_2 -= 1.0;
            rising += 1.0;
            rising_2 += 1.0;
            let inverse = 1.0 / bottom.0;
            let r = top.0 * inverse;
            let rest = ((-r).mul_add(bottom.0, top.0) + (top.1 - r * bottom.1)) * inverse;
            let product = term * r;
            term_low = term.mul_add(r, -product) + (term * rest + term_low * r);
            term = product;
            let total = sum + term;
            sum_low += (sum - total) + term + term_low; // sum >= term: exact
            sum = total;
        }
        if term < 1e-18 * sum {
            break;
        }
        j += 8.0;
    }
    (sum, sum_low)
}

/// One tail at an integer `first <= x < last`, if `0 < drawn < white + black`: the one away from the mean, which is at most
/// about 0.6.
///
/// The tail's `slope` stands for the density at `x`. `F(x) = f(x) (1 + f(x-1)/f(x) + ...)`, `1 - F(x) = f(x+1) (1 + f(x+2)/f(x+1) + ...)`.
#[kernel]
pub(crate) fn hyper_tail(x: f64, s: HyperSetup) -> BetaTail {
    let mean = s.drawn * (s.white / (s.white + s.black));
    let lower = x + 0.5 < mean;
    let at_x: Scaled = hyper_density(x, s);
    let (sum, sum_low) = one_sided_sum(if lower { x } else { x + 1.0 }, if lower { -1.0 } else { 1.0 }, s);
    // f(x+1) = f(x) (white-x)(drawn-x)/((x+1)(gap+x+1))
    let top = two_prod(s.white - x, s.drawn - x);
    let bottom = two_prod(x + 1.0, s.black - s.drawn + x + 1.0);
    let up = dd_div(top, bottom);
    let factor = (if lower { 1.0 } else { up.0 }, if lower { 0.0 } else { up.1 });
    let m = dd_mul(dd_mul(at_x.m, factor), fast_two_sum(sum, sum_low));
    BetaTail { lower, m, e: at_x.e, other: (-1.0, 0.0), slope: at_x.m.0 }
}
