//! Quantiles of the binomial, negative binomial and hypergeometric distributions: the smallest integer that reaches a
//! probability, exactly.

use super::beta_quantile::normal_start;
use super::binomial_kernel::BinomialSetup;
use super::double_double::dd_sub_short;
use super::exponential::{exp, expm1};
use super::hypergeometric_sum::{HyperSetup, hyper_tail};
use super::incomplete_beta::{binomial_tail, log_tail, log1mexp_dd, log1p_any};
use super::logarithm::{log_dd, log1p};
use super::negative_binomial_kernel::{NegativeBinomial, negative_binomial_tail};
use crate::special::conventions::quantile_end;
use gristmill_kernel::kernel;

/// Where the mass of a distribution on the integers from `first` to `last` lies.
#[kernel]
pub struct Location {
    /// The smallest possible value.
    pub first: f64,
    /// The largest possible value.
    pub last: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Skewness.
    pub skew: f64,
}

/// `log` of the wanted tail at `k` as a pair (lower: `F(k)`, otherwise `1 - F(k)`), and `f(k)` divided by it.
#[kernel]
fn binomial_log_tail(k: f64, s: BinomialSetup, lower: bool) -> (f64, f64, f64) {
    let t = binomial_tail(k, s);
    let (l, ll, rho) = log_tail(t, lower, false);
    (l, ll, rho / ((s.n - k) * s.p.0)) // f(k) = P/((n-k) p)
}

/// `f(k+1) / f(k)`.
#[kernel(inline)]
fn binomial_ratio(k: f64, s: BinomialSetup) -> f64 {
    (s.n - k) / (k + 1.0) * (s.p.0 / s.q.0)
}

/// As [`binomial_log_tail`].
#[kernel]
fn negative_binomial_log_tail(k: f64, s: NegativeBinomial, lower: bool) -> (f64, f64, f64) {
    let t = negative_binomial_tail(k, s);
    let (l, ll, rho) = log_tail(t, lower, false);
    (l, ll, rho / ((s.size + k) * s.q.0)) // f(k) = P/((size+k) q)
}

/// `f(k+1) / f(k)`.
#[kernel(inline)]
fn negative_binomial_ratio(k: f64, s: NegativeBinomial) -> f64 {
    (s.size + k) / (k + 1.0) * s.q.0
}

/// As [`binomial_log_tail`].
#[kernel]
fn hyper_log_tail(k: f64, s: HyperSetup, lower: bool) -> (f64, f64, f64) {
    let t = hyper_tail(k, s);
    log_tail(t, lower, false) // its slope is the density
}

/// `f(k+1) / f(k)`.
#[kernel(inline)]
fn hyper_ratio(k: f64, s: HyperSetup) -> f64 {
    ((s.white - k) / (k + 1.0)) * ((s.drawn - k) / (s.black - s.drawn + k + 1.0))
}

/// 2^-50: how far below a step, relative to it, a probability still counts as reached.
#[kernel]
const STEP: f64 = 8.881_784_197_001_252e-16;
/// 0.9 ulp of a probability above 1/2: a step is rounded to within half an ulp of it, its complement to within a quarter, and a
/// probability one ulp above a step that is a double is still above it.
#[kernel]
const NEARLY_ULP: f64 = 1e-16;
/// How much the density may be off, relative to itself: a walk that comes as close to where the step begins, relative to how far it went,
/// does not decide.
#[kernel]
const UNSURE: f64 = 1e-12;
/// How much the errors of two tails may differ, relative to them. A walk that comes so close does not decide either: the probability may be
/// the value of the distribution function there.
#[kernel]
const NOISE: f64 = 1e-15;
/// Half an ulp at most: densities below this share of the tail are lost in its rounding.
#[kernel]
const LOST: f64 = 1e-16;

/// log 2^-1022.
#[kernel]
const LOG_LEAST_NORMAL: f64 = -708.396_418_532_264_1;
/// log 2^-1060.
#[kernel]
const LOG_FEW_BITS: f64 = -734.736_011_393_54;
/// A bit more than log 2^-1075.
#[kernel]
const LOG_HALF_LEAST: f64 = -745.133_219;

/// How much the logarithm of the followed tail may miss `target`, so that a probability on a step belongs to that step although
/// both are rounded: `2^-50` of the probability (or of its logarithm); where the other tail is followed, 0.9 ulp, and where the probability is
/// subnormal, half an ulp. `above`: the followed tail may be larger by that, otherwise smaller.
#[kernel(inline)]
pub(crate) fn step_tolerance(log_p: f64, target: f64, small: bool, above: bool, log_scale: bool) -> f64 {
    // below the normal numbers half an ulp, 2^-1075, is more than that; with less than 15 bits a probability is taken as it is
    let coarse = if log_p < LOG_LEAST_NORMAL && log_p > LOG_FEW_BITS { exp(LOG_HALF_LEAST - log_p) } else { 0.0 };
    let same = if log_scale { -STEP * log_p } else { STEP + coarse };
    // p/(1 - p) times that of log p
    let odds = exp(if log_p - target < 700.0 { log_p - target } else { 700.0 });
    let share = NEARLY_ULP * exp(-target);
    let less = if share < 0.5 { -share } else { -0.5 };
    let other = if !log_scale {
        log1p(if above { share } else { less }).abs()
    } else if log_p > -1e-10 {
        STEP
    } else {
        same * odds
    };
    let tolerance = if small { same } else { other };
    if tolerance < 0.7 { tolerance } else { 0.7 }
}

/// Makes the search for one distribution.
macro_rules! search {
    ($search:ident, $setup:ident, $tail:ident, $ratio:ident) => {
        /// The smallest integer `k` with `F(k) >= p`, for a probability strictly between 0 and 1.
        ///
        /// Method: the smaller of `p` and `1 - p` decides which tail is followed, so both ends are exact. Cornish-Fisher start;
        /// Newton's steps on the logarithm of the tail, which is concave, with the slope `-log(1 - f/F)` of the discrete
        /// function; a bracket keeps the steps in, and every fourth step halves it, or its exponent. When the target is within 12 integers, a walk by the exact ratios of
        /// neighbouring probabilities, which stops and evaluates anew where its own rounding errors, or those of the tails,
        /// could decide. A probability that is a step, rounded, belongs to it: see `step_tolerance`.
        /// Bound: 200 evaluations, of which the halving leaves at most 50 or so; each walk has at most 60 steps.
        #[allow(dead_code)] // called through its kernel type
        #[kernel]
        pub(crate) fn $search(prob: f64, lower: bool, log_scale: bool, d: $setup, s: Location) -> f64 {
            let lp = if log_scale { (prob, 0.0) } else { log_dd((prob, 0.0)) };
            let small = lp.0 <= -std::f64::consts::LN_2;
            let follow_lower = small == lower;
            let target = if small {
                lp
            } else if log_scale {
                log1mexp_dd((prob, 0.0))
            } else {
                log1p_any((-prob, 0.0))
            };
            let tolerance = step_tolerance(lp.0, target.0, small, !follow_lower, log_scale);
            let top = s.last - 1.0; // F(last) = 1 is never evaluated
            if s.last <= s.first {
                return s.first;
            }
            let z = if follow_lower { normal_start(target.0) } else { -normal_start(target.0) };
            let mut k = (s.mean + s.sd * (z + s.skew * (z * z - 1.0) / 6.0)).round_ties_even();
            if k.is_nan() || k < s.first {
                k = s.first;
            }
            if k > top {
                k = top;
            }
            let mut below = s.first - 1.0; // not reached there
            let mut reached = f64::INFINITY; // reached there
            for i in 0..200 {
                let (l, ll, rho) = $tail(k, d, follow_lower);
                let diff = dd_sub_short((l, ll), target);
                let diff = diff.0 + diff.1;
                let ok = if follow_lower { diff >= -tolerance } else { diff <= tolerance };
                if ok {
                    if k < reached {
                        reached = k;
                    }
                } else if k > below {
                    below = k;
                }
                if !ok && k >= top {
                    return s.last;
                }
                // beyond 2^53 not every integer is a double, and as close as the tail is known is close enough
                if k > 9_007_199_254_740_992.0 && diff.abs() <= STEP {
                    return k;
                }
                // neighbours, or neighbouring doubles
                let middle = 0.5 * below + 0.5 * reached;
                if reached - below <= 1.0 || (reached < f64::INFINITY && (middle <= below || middle >= reached)) {
                    return reached;
                }
                let ratio = if diff.abs() < 600.0 { exp(diff) } else { 0.0 };
                // F(k-1)/F(k) = 1 - f(k)/F(k), S(k+1)/S(k) = 1 - f(k+1)/S(k)
                let h = if follow_lower { rho } else { rho * $ratio(k, d) };
                let slope = if h < 0.999_999 { -log1p(-h) } else { 14.0 };
                if diff.abs() < 12.0 * slope && ratio > 0.0 {
                    // the tail less the least (lower) or largest (upper) one that counts as reached, and the density, in units
                    // of the target: a difference, so that walks of small steps do not lose them
                    let mut over = expm1(diff) - expm1(if follow_lower { -tolerance } else { tolerance });
                    let mut f = rho * ratio;
                    // beyond 2^53 a step may lead nowhere
                    let doubt = if k > 9_007_199_254_740_992.0 { 0.0 } else { UNSURE * over.abs() + NOISE };
                    let mut steps: f64 = 0.0;
                    let mut walking = true;
                    while walking && steps < 60.0 {
                        steps += 1.0;
                        if ok {
                            if k <= s.first {
                                return s.first;
                            }
                            // F(k-1) = F(k) - f(k), S(k-1) = S(k) + f(k)
                            let before = if follow_lower { over - f } else { over + f };
                            if f > LOST && before.abs() < doubt {
                                walking = false; // and evaluate there
                                k -= 1.0;
                            } else if (follow_lower && before < 0.0) || (!follow_lower && before > 0.0) {
                                return k;
                            } else {
                                over = before;
                                f /= $ratio(k - 1.0, d);
                                k -= 1.0;
                            }
                        } else {
                            if k >= top {
                                return s.last;
                            }
                            f *= $ratio(k, d);
                            k += 1.0;
                            over = if follow_lower { over + f } else { over - f };
                            if f > LOST && over.abs() < doubt {
                                walking = false; // and evaluate there
                            } else if (follow_lower && over >= 0.0) || (!follow_lower && over <= 0.0) {
                                return k;
                            }
                        }
                    }
                } else {
                    let mut step = if follow_lower { -diff / slope } else { diff / slope };
                    step = step.round_ties_even();
                    if step == 0.0 {
                        step = if ok { -1.0 } else { 1.0 };
                    }
                    let mut next = k + step;
                    if step.abs() > 0.5 * k && k > 16.0 {
                        // far out the tails are powers of k: the same step in log k
                        let factor = step / k;
                        next = (k * exp(if factor < -700.0 {
                            -700.0
                        } else if factor > 700.0 {
                            700.0
                        } else {
                            factor
                        }))
                        .round_ties_even();
                    }
                    if next.is_nan() || next <= below || next >= reached || i % 4 == 3 {
                        // the middle of the bracket, by its exponent while the ends are far apart
                        let end = if reached < f64::INFINITY { reached } else { s.last };
                        let near = below - s.first + 2.0;
                        let far = end - s.first + 2.0;
                        next = if far > 16.0 * near {
                            (s.first - 2.0 + near.sqrt() * far.sqrt()).floor()
                        } else {
                            (0.5 * (below + end)).floor()
                        };
                        if next <= below {
                            next = below + 1.0;
                        }
                    }
                    if next > top {
                        next = top;
                    }
                    if next < s.first {
                        next = s.first;
                    }
                    if next == k {
                        return if ok { k } else { k + 1.0 };
                    }
                    k = next;
                }
            }
            if reached < f64::INFINITY { reached } else { k }
        }
    };
}

search!(binomial_search, BinomialSetup, binomial_log_tail, binomial_ratio);
search!(negative_binomial_search, NegativeBinomial, negative_binomial_log_tail, negative_binomial_ratio);
search!(hyper_search, HyperSetup, hyper_log_tail, hyper_ratio);

/// The smallest integer at which a negative binomial distribution reaches the probability.
#[kernel]
pub(crate) fn negative_binomial_quantile(p: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == 1.0 {
        return f64::NAN;
    }
    if end == 0.0 || s.kind == 2.0 {
        return 0.0;
    }
    if end == 1.0 || s.kind == 3.0 {
        return f64::INFINITY;
    }
    let sd = (s.mean / s.p.0).sqrt();
    let place = Location { first: 0.0, last: 1e300, mean: s.mean, sd, skew: (1.0 + s.q.0) / (sd * s.p.0) };
    negative_binomial_search(p, lower, log, s, place)
}
