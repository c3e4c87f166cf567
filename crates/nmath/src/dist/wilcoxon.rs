//! The distribution of Wilcoxon's rank sum statistic (Mann-Whitney's U).

use crate::special::philox::philox_block;
use gristmill_kernel::kernel;

use crate::special::conventions::whole_count;
use crate::special::rank_counts::rank_sums;
use crate::special::rank_masses::{
    RankTable, in_sums, masses_eval, quantiles_eval, rank_probability, rank_table, table_probability,
};

/// The largest size: quantiles of samples of 3 to 5 against as many take two seconds.
#[kernel]
const LARGEST: f64 = 100_000.0;

/// The part of the functions that depends on the sizes only: with a table of the probabilities, or of their sums, if all of
/// them fit.
#[kernel]
fn wilcox_table(m: f64, n: f64, sums: bool) -> RankTable {
    let m = m.round_ties_even();
    let n = n.round_ties_even();
    let good = m >= 1.0 && n >= 1.0 && m <= LARGEST && n <= LARGEST;
    rank_table(if good { 0.0 } else { 1.0 }, rank_sums(if good { m } else { 1.0 }, if good { n } else { 1.0 }), sums)
}

/// [`wilcox_table`] of the probabilities.
#[kernel]
pub(crate) fn dwilcox_setup(m: f64, n: f64) -> RankTable {
    wilcox_table(m, n, false)
}

/// [`wilcox_table`] of the distribution function.
#[kernel]
pub(crate) fn pwilcox_setup(m: f64, n: f64) -> RankTable {
    wilcox_table(m, n, true)
}

/// Probability that Wilcoxon's rank sum statistic is `x`: the pairs of an element of a first sample of `m` and one of a second of `n` of which the first is the larger.
///
/// R: `dwilcox(x, m, n, log = FALSE)`, probability of the rank sum statistic.
/// Domain: `m` and `n` are rounded to integers and must be from 1 to 100,000, otherwise NaN; an `x` that is no possible value gives
/// 0 (log: `-inf`).
/// Method: by symmetry in the lower half. Exact counts of 128 bits where they fit 2304 values of the lower tail (see
/// `special::rank_counts`); elsewhere the coefficient of the generating function by the trapezoidal rule on the circle through
/// the saddle point, in double-double (see `special::rank_circle`).
/// Paper: mann1947, good1957, trefethen2014.
/// Error: 99 % within 0.65 ulp, at most 0.70 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dwilcox(x: f64, m: f64, n: f64, log: bool) -> f64 {
    masses_eval(x, dwilcox_setup(m, n), log)
}

/// The integer that stands for `x` in the distribution function.
#[kernel(inline)]
fn wilcox_place(x: f64) -> f64 {
    whole_count(x)
}

/// Whether [`pwilcox_main`] holds.
#[kernel(inline)]
fn pwilcox_in_main(x: f64, s: RankTable, _lower: bool, _log: bool) -> bool {
    in_sums(wilcox_place(x), s)
}

/// The distribution function from the table.
#[kernel(inline)]
fn pwilcox_main(x: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    table_probability(wilcox_place(x), s, lower, log)
}

/// The distribution function outside the table.
#[kernel]
fn pwilcox_rest(x: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    rank_probability(wilcox_place(x), s, lower, log)
}

/// Distribution function of Wilcoxon's rank sum statistic.
///
/// R: `pwilcox(q, m, n, lower.tail = TRUE, log.p = FALSE)`, distribution function of the rank sum statistic.
/// Domain: `m` and `n` are rounded to integers and must be from 1 to 100,000, otherwise NaN;
/// `x + 1e-7` is rounded down.
/// Method: that of [`dwilcox`], for the tail below 1/2, which is summed by itself: both tails keep their digits.
/// Paper: mann1947, good1957, trefethen2014.
/// Error: 99 % within 0.90 ulp, at most 1.30 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pwilcox(x: f64, m: f64, n: f64, lower: bool, log: bool) -> f64 {
    let s = pwilcox_setup(m, n);
    if pwilcox_in_main(x, s, lower, log) { pwilcox_main(x, s, lower, log) } else { pwilcox_rest(x, s, lower, log) }
}

/// Quantile of Wilcoxon's rank sum statistic: the smallest integer `x` with `F(x) >= p`.
///
/// R: `qwilcox(p, m, n, lower.tail = TRUE, log.p = FALSE)`, quantile of the rank sum statistic.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), otherwise NaN; `m` and `n` are rounded to integers and must be from 1 to 100,000, otherwise NaN.
/// Method: the smaller of `p` and `1 - p` is searched from its own end: in the table by halving, otherwise by Newton's steps on
/// the logarithm of the tail in a bracket (see `special::rank_masses`).
/// Paper: mann1947, good1957, trefethen2014.
/// Error: none on the points of dev/oracle. A probability that is a step, rounded, belongs to it.
#[kernel(split)]
pub fn qwilcox(p: f64, m: f64, n: f64, lower: bool, log: bool) -> f64 {
    quantiles_eval(p, pwilcox_setup(m, n), lower, log)
}

/// 2^-52
#[kernel]
const UNIT: f64 = f64::EPSILON;

/// A draw of [`dwilcox`]'s distribution: element `index` of the stream.
///
/// R: `rwilcox(m, n)`, random number of the rank sum statistic.
/// Domain: `m` and `n` are rounded to integers and must be from 0 to 100,000, otherwise NaN; a sample of 0 gives 0, as in R.
/// Method: a random subset of the `m + n` ranks, as large as the smaller sample, by sequential selection: each rank is taken with
/// the share of those still wanted among those left. Exact but for the 52 bits of a decision; at most `m + n` of them, two
/// for each block of random bits.
/// Paper: fan1962.
/// Error: the numbers follow `pwilcox`; the tests hold a chi-square statistic.
#[kernel]
pub fn rwilcox(seed: u64, stream: u32, index: u64, m: f64, n: f64) -> f64 {
    let m = m.round_ties_even();
    let n = n.round_ties_even();
    if !(m >= 0.0 && n >= 0.0 && m <= LARGEST && n <= LARGEST) {
        return f64::NAN;
    }
    let mut wanted = if m < n { m } else { n };
    let mut left = m + n;
    let mut sum: f64 = 0.0;
    let mut block: u32 = 0;
    // the elements of the larger sample that are passed: each chosen one is above them
    let mut passed: f64 = 0.0;
    while wanted > 0.0 {
        let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
        block += 1;
        let taken = (first >> 12) as f64 * UNIT * left < wanted;
        sum += if taken { passed } else { 0.0 };
        passed += if taken { 0.0 } else { 1.0 };
        wanted -= if taken { 1.0 } else { 0.0 };
        left -= 1.0;
        // with nothing wanted any more, nothing is taken
        let taken = (second >> 12) as f64 * UNIT * left < wanted;
        sum += if taken { passed } else { 0.0 };
        passed += if taken { 0.0 } else { 1.0 };
        wanted -= if taken { 1.0 } else { 0.0 };
        left -= 1.0;
    }
    sum
}
