//! The geometric distribution: the number of failures before the first success.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, exponential_from, words_at};
use crate::special::conventions::{is_fractional, one_on, quantile_end, whole_count, zero_on};
use crate::special::double_double::{dd_add, dd_div, dd_high, dd_mul_d, fast_two_sum, pair_mul_d, two_sum};
use crate::special::exponential::{exp, exp_pair, exp_parts, expm1_pair};
use crate::special::exponential_tail::{exponential_probability, exponential_quantile, log_of_lower_tail};
use crate::special::logarithm::log1p;
use crate::special::logarithm::{log_dd, log_dd_of_normal_pair, log_loose, log_loose_of_pair, log1p_dd};
use crate::special::poisson_mass::scaled_exp;
use crate::special::powers_of_two::TWO_M49;
use crate::special::scaling::scale_by_power;

/// `-log(1 - prob)` as a pair, for `prob` in (0, 1).
#[kernel(inline)]
fn hazard(prob: f64) -> (f64, f64) {
    let l = log1p_dd(-prob);
    if prob < 1e-290 { (prob, 0.0) } else { (-l.0, -l.1) }
}

/// `n h` of a pair `h`, also where it overflows.
#[kernel(inline)]
fn times(h: (f64, f64), n: f64) -> (f64, f64) {
    let t = dd_mul_d(h, n);
    if t.0 < 1e300 { t } else { (h.0 * n, 0.0) }
}

/// What the functions need of the probability.
#[kernel]
struct Scale {
    prob: f64,
    /// `-log(1 - prob)` as a pair; NaN where the main paths do not hold.
    hazard: (f64, f64),
}

#[kernel(inline)]
fn scale_setup(prob: f64) -> Scale {
    let ordinary = prob > 1e-200 && prob < 1.0;
    let h = log_dd_of_normal_pair(fast_two_sum(1.0, if ordinary { -prob } else { -0.5 }));
    Scale { prob, hazard: (if ordinary { -h.0 } else { f64::NAN }, -h.1) }
}

/// `-log(1 - prob)` as a loose pair for `prob` in [1e-200, 1): relative error about 2^-63, for less than that of
/// [`Scale`].
#[kernel(inline)]
fn loose_hazard(prob: f64) -> (f64, f64) {
    // next to 1 the square of the low part of 1 - prob would be missed
    let small = prob < 1e-10;
    let l = log_loose_of_pair(fast_two_sum(1.0, -prob));
    (if small { prob } else { -l.0 }, if small { 0.5 * prob * prob } else { -l.1 })
}

/// What the mass needs of the probability.
#[kernel]
struct DensityScale {
    prob: f64,
    /// `-log(1 - prob)` as a pair; NaN where the main path does not hold.
    hazard: (f64, f64),
    /// `log(prob)` as a loose pair, on the log scale.
    level: (f64, f64),
    /// The largest `x * hazard` on the main path.
    reach: f64,
    log: bool,
}

#[kernel(inline)]
fn density_setup(prob: f64, log: bool) -> DensityScale {
    if log {
        let ordinary = prob > 1e-200 && prob < 1.0;
        let inside = if ordinary { prob } else { 0.5 };
        let h = loose_hazard(inside);
        let l = log_loose(inside);
        let hazard = if ordinary { h.0 } else { f64::NAN };
        return DensityScale { prob, hazard: (hazard, h.1), level: l, reach: 1e290, log };
    }
    let s = scale_setup(prob);
    DensityScale { prob, hazard: s.hazard, level: (0.0, 0.0), reach: 700.0, log }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    x >= 0.0 && x == x.floor() && x * s.hazard.0 < s.reach
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let e = pair_mul_d(s.hazard, x);
    if s.log {
        // both terms are negative
        let (y, ye) = two_sum(s.level.0, -e.0);
        return y + (ye + (s.level.1 - e.1));
    }
    let (m, ml, k) = exp_parts((-e.0, -e.1));
    let t = m * s.prob;
    scale_by_power(t + ml.mul_add(s.prob, m.mul_add(s.prob, -t)), k)
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let prob = s.prob;
    let nothing = zero_on(log);
    if x.is_nan() || prob.is_nan() {
        return x + prob;
    }
    if prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY || is_fractional(x) {
        return nothing;
    }
    let whole = x.round_ties_even();
    if prob == 1.0 {
        return if whole == 0.0 { one_on(log) } else { nothing };
    }
    let e = times(hazard(prob), whole);
    if log {
        return if e.0 < 1e300 { dd_high(dd_add(log_dd((prob, 0.0)), (-e.0, -e.1))) } else { -e.0 };
    }
    scaled_exp((-e.0, -e.1), (prob, 0.0))
}

/// The geometric mass.
///
/// R: `dgeom(x, prob, log = FALSE)`, geometric probability.
/// Domain: `prob` in (0, 1], else NaN; negative, infinite and non-integer `x` give 0 (within 1e-7 relative of an integer
///   it counts as that integer, as in R). NaN gives NaN.
/// Method: `prob exp(x log1p(-prob))`, the exponent in double-double.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.53 ulp, at most 0.57 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dgeom(x: f64, prob: f64, log: bool) -> f64 {
    let s = density_setup(prob, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, lower: bool, log: bool) -> bool {
    // log_of_lower_tail ends at 700, and the hazard is below 37
    x >= 0.0 && x < 1e290 && x * s.hazard.0 < (if lower && log { 660.0 } else { 1e290 })
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let u = dd_mul_d(s.hazard, whole_count(x) + 1.0);
    if log {
        return if lower { log_of_lower_tail(u) } else { -u.0 };
    }
    if lower { -dd_high(expm1_pair((-u.0, -u.1))) } else { exp_pair((-u.0, -u.1)) }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let prob = s.prob;
    if x.is_nan() || prob.is_nan() {
        return x + prob;
    }
    if prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    if x < 0.0 {
        return exponential_probability((0.0, 0.0), lower, log);
    }
    if x == f64::INFINITY || prob == 1.0 {
        return exponential_probability((f64::INFINITY, 0.0), lower, log);
    }
    exponential_probability(times(hazard(prob), whole_count(x) + 1.0), lower, log)
}

/// The geometric distribution function.
///
/// R: `pgeom(q, prob, lower.tail = TRUE, log.p = FALSE)`, geometric distribution function.
/// Domain: `prob` in (0, 1], else NaN; `x` is rounded down after adding 1e-7, as in R; negative `x` gives 0. NaN gives NaN.
/// Method: the upper tail is `(1 - prob)^(x+1)`: a unit exponential at `-(x+1) log1p(-prob)`, in double-double.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pgeom(x: f64, prob: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(prob);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// What the quantile needs of the probability.
#[kernel]
struct QuantileScale {
    prob: f64,
    /// `-1/log(1 - prob)`; NaN where the main path does not hold.
    inverse: f64,
}

#[kernel(inline)]
fn quantile_setup(prob: f64) -> QuantileScale {
    let ordinary = prob > 1e-200 && prob < 1.0;
    let h = loose_hazard(if ordinary { prob } else { 0.5 });
    QuantileScale { prob, inverse: if ordinary { 1.0 / (h.0 + h.1) } else { f64::NAN } }
}

/// The unit exponential quantile over the hazard, rounded up, less 1; NaN where that ratio is so near a whole number that
/// its error, or that of [`pgeom`], could matter: 2^-50 of the exponential quantile and 2^-50 over the upper tail, for
/// that is what the rounding of a lower tail makes of it.
#[kernel(inline)]
fn quantile_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let inside = if log { p < 0.0 } else { p > 1e-290 && p < 1.0 };
    let mut e = -p;
    let mut tail = 1.0;
    if lower || !log {
        let mut given = p;
        if log {
            given = exp(p);
        }
        let upper = if lower { 1.0 - given } else { given };
        let l = log_loose(upper);
        e = -(l.0 + l.1);
        tail = if lower { upper } else { 1.0 };
    }
    let ratio = e * s.inverse;
    let distance = (ratio - ratio.round_ties_even()).abs();
    let certain = inside && distance * tail > TWO_M49 * (ratio + s.inverse);
    if certain { ratio.ceil() - 1.0 } else { f64::NAN }
}

#[kernel(inline)]
fn quantile_holds(x: f64) -> bool {
    !x.is_nan()
}

#[kernel]
fn quantile_rest(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let prob = s.prob;
    if p.is_nan() || prob.is_nan() {
        return p + prob;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    if prob == 1.0 {
        return 0.0;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let e = exponential_quantile(p, lower, log);
    if !log && !lower && p < f64::MIN_POSITIVE {
        // pgeom has few bits there, and could not confirm it
        let h = hazard(prob);
        let plain = e.0 / h.0;
        if plain > 1e300 {
            return plain; // whole as every double there, or beyond the range
        }
        let ratio = dd_div(e, h);
        let x = if ratio.0 == ratio.0.floor() && ratio.1 > 0.0 { ratio.0 } else { ratio.0.ceil() - 1.0 };
        return if x > 0.0 { x } else { 0.0 };
    }
    let x = (e.0 / dd_high(hazard(prob))).ceil() - 1.0;
    if x == f64::INFINITY {
        return x;
    }
    let start = if x > 0.0 { x } else { 0.0 };
    // a step or two decide, but for probabilities next to 1, or scales next to 2^53: there many counts share a value of F
    let mut step = 1.0 + (start * f64::EPSILON).floor(); // an ulp at least
    let mut low: f64 = -1.0; // not reached there
    let mut high = start; // reached there
    if reaches(start, p, prob, lower, log) {
        let mut at = start - step;
        while at >= 0.0 && reaches(at, p, prob, lower, log) {
            high = at;
            step *= 2.0;
            at -= step;
        }
        low = if at > low { at } else { low };
    } else {
        low = start;
        high = start + step;
        while !reaches(high, p, prob, lower, log) {
            low = high;
            step *= 2.0;
            high += step;
        }
    }
    while high - low > 1.0 {
        let middle = (0.5 * low + 0.5 * high).floor();
        if middle <= low || middle >= high {
            break;
        }
        if reaches(middle, p, prob, lower, log) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Whether the distribution function reaches `p` at `x`.
#[kernel]
fn reaches(x: f64, p: f64, prob: f64, lower: bool, log: bool) -> bool {
    let f: f64 = pgeom(x, prob, lower, log);
    if lower { f >= p } else { f <= p }
}

/// The geometric quantile: the smallest whole `x` with `F(x) >= p`.
///
/// R: `qgeom(p, prob, lower.tail = TRUE, log.p = FALSE)`, geometric quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `prob` in (0, 1], else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: the unit exponential quantile over `-log1p(-prob)`, rounded up, less 1; next to a whole
///   number steps either way, each twice the last, then halving, until [`pgeom`] itself, in the tail and on the scale of `p`, confirms it,
///   so that `qgeom(pgeom(x))` is `x`, or the first of those with its value; for a subnormal upper tail, of which [`pgeom`] has few bits,
///   the quotient of pairs decides.
/// Paper: muller2016, ch. 5 and 6.
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qgeom(p: f64, prob: f64, lower: bool, log: bool) -> f64 {
    let s = quantile_setup(prob);
    let x = quantile_main(p, s, lower, log);
    if quantile_holds(x) { x } else { quantile_rest(p, s, lower, log) }
}

/// A geometric number: how many failures before the first success.
///
/// R: `rgeom(prob)`, geometric random number.
/// Domain: `0 < p <= 1`, else NaN; `p = 1` gives 0.
/// Method: `floor(e / -log(1 - p))` with the `e` of [`exp_rand`](crate::exp_rand): small results are exact for the
///   smallest `p`, because `e` has all its digits there.
/// Paper: salmon2011.
/// Error: the numbers follow `pgeom`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rgeom(seed: u64, stream: u32, index: u64, p: f64) -> f64 {
    draw(index, draws_setup(seed, stream, p))
}

/// What all draws of a stream share: as the scale the rate, NaN where the parameter is none.
#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, p: f64) -> Draws {
    let fine = p > 0.0 && p <= 1.0;
    let rate = -log1p(if fine { -p } else { -0.5 });
    draws(seed, stream, 0.0, if fine { rate } else { f64::NAN })
}

#[kernel(inline)]
fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    (exponential_from(first, second) / s.scale).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest whole number at which the upper tail is at most `p`, by a logarithm of 60 digits.
    #[test]
    fn the_quantile_of_a_subnormal_upper_tail_is_exact() {
        for (p, prob, x) in [
            (5e-324, 1e-5, 74_443_634.0),
            (5e-324, 2.0520532357100675e-8, 36_277_814_402.0),
            (1.5e-323, 0.3, 2084.0),
            (3e-310, 1e-3, 712346.0),
        ] {
            assert_eq!(qgeom(p, prob, false, false), x, "qgeom({p:e}, {prob:e})");
        }
    }

    /// Probabilities next to those of whole numbers, where the two paths could part.
    #[test]
    fn the_main_path_of_the_quantile_holds_only_where_the_other_path_agrees() {
        let mut held = 0;
        for prob in [0.999, 0.9, 0.5, 0.15, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 1e-40] {
            let scale = quantile_setup(prob);
            for k in 0..400 {
                let x = (f64::from(k) * f64::from(k) * 0.003 / prob).floor();
                for (lower, log) in [(true, false), (false, false), (true, true), (false, true)] {
                    let p = pgeom(x, prob, lower, log);
                    for step in [0.0, 1e-16, 2e-16, 1e-15, 4e-15, 1e-14, 1e-13, 1e-12, 1e-9, 1e-6, 1e-3] {
                        for p in [p * (1.0 + step), p * (1.0 - step)] {
                            let main = quantile_main(p, scale, lower, log);
                            if quantile_holds(main) {
                                held += 1;
                                let rest = quantile_rest(p, scale, lower, log);
                                assert_eq!(main, rest, "qgeom({p:e}, {prob:e}, {lower}, {log})");
                            }
                        }
                    }
                }
            }
        }
        assert!(held > 40_000, "the main path held for {held} probabilities only");
    }
}
