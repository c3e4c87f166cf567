//! The distribution of Wilcoxon's signed rank statistic.

use crate::special::philox::philox_block;
use gristmill_kernel::kernel;

use crate::special::rank_counts::signed_ranks;
use crate::special::rank_masses::{
    RankTable, in_sums, masses_eval, quantiles_eval, rank_probability, rank_table, table_probability,
};

/// The largest size: a quantile of as many takes a third of a second.
#[kernel]
const LARGEST: f64 = 100_000.0;

/// The part of the functions that depends on the size only: with a table of the probabilities, or of their sums, if all of
/// them fit.
#[kernel]
fn signrank_table(n: f64, sums: bool) -> RankTable {
    let n = n.round_ties_even();
    let good = n >= 1.0 && n <= LARGEST;
    rank_table(if good { 0.0 } else { 1.0 }, signed_ranks(if good { n } else { 1.0 }), sums)
}

/// [`signrank_table`] of the probabilities.
#[kernel]
pub(crate) fn dsignrank_setup(n: f64) -> RankTable {
    signrank_table(n, false)
}

/// [`signrank_table`] of the distribution function.
#[kernel]
pub(crate) fn psignrank_setup(n: f64) -> RankTable {
    signrank_table(n, true)
}

/// Probability that Wilcoxon's signed rank statistic is `x`: the sum of the ranks, of the sizes of `n` differences, whose difference is positive.
///
/// R: `dsignrank(x, n, log = FALSE)`, probability of the signed rank statistic.
/// Domain: `n` is rounded to an integer and must be from 1 to 100,000, otherwise NaN; an `x` that is no possible value gives
/// 0 (log: `-inf`).
/// Method: by symmetry in the lower half. Exact counts of 128 bits where they fit 2304 values of the lower tail (see
/// `special::rank_counts`); elsewhere the coefficient of the generating function by the trapezoidal rule on the circle through
/// the saddle point, in double-double (see `special::rank_circle`).
/// Paper: mann1947, good1957, trefethen2014.
/// Error: 99 % within 0.50 ulp, at most 0.51 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dsignrank(x: f64, n: f64, log: bool) -> f64 {
    masses_eval(x, dsignrank_setup(n), log)
}

/// The integer that stands for `x` in the distribution function.
#[kernel(inline)]
fn signrank_place(x: f64) -> f64 {
    (x + 1e-7).round_ties_even()
}

/// Whether [`psignrank_main`] holds.
#[kernel(inline)]
fn psignrank_in_main(x: f64, s: RankTable, _lower: bool, _log: bool) -> bool {
    in_sums(signrank_place(x), s)
}

/// The distribution function from the table.
#[kernel(inline)]
fn psignrank_main(x: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    table_probability(signrank_place(x), s, lower, log)
}

/// The distribution function outside the table.
#[kernel]
fn psignrank_rest(x: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    rank_probability(signrank_place(x), s, lower, log)
}

/// Distribution function of Wilcoxon's signed rank statistic.
///
/// R: `psignrank(q, n, lower.tail = TRUE, log.p = FALSE)`, distribution function of the signed rank statistic.
/// Domain: `n` is rounded to an integer and must be from 1 to 100,000, otherwise NaN;
/// `x + 1e-7` is rounded to the nearest integer, as in R.
/// Method: that of [`dsignrank`], for the tail below 1/2, which is summed by itself: both tails keep their digits.
/// Paper: mann1947, good1957, trefethen2014.
/// Error: 99 % within 0.75 ulp, at most 1.30 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn psignrank(x: f64, n: f64, lower: bool, log: bool) -> f64 {
    let s = psignrank_setup(n);
    if psignrank_in_main(x, s, lower, log) {
        psignrank_main(x, s, lower, log)
    } else {
        psignrank_rest(x, s, lower, log)
    }
}

/// Quantile of Wilcoxon's signed rank statistic: the smallest integer `x` with `F(x) >= p`.
///
/// R: `qsignrank(p, n, lower.tail = TRUE, log.p = FALSE)`, quantile of the signed rank statistic.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), otherwise NaN; `n` is rounded to an integer and must be from 1 to 100,000, otherwise NaN.
/// Method: the smaller of `p` and `1 - p` is searched from its own end: in the table by halving, otherwise by Newton's steps on
/// the logarithm of the tail in a bracket (see `special::rank_masses`).
/// Paper: mann1947, good1957, trefethen2014.
/// Error: none on the points of dev/oracle. A probability that is a step, rounded, belongs to it.
#[kernel(split)]
pub fn qsignrank(p: f64, n: f64, lower: bool, log: bool) -> f64 {
    quantiles_eval(p, psignrank_setup(n), lower, log)
}

/// The sum of the positions, from 0 to 63, of the bits that are set.
#[kernel(inline)]
fn positions(w: u64) -> f64 {
    let ones = (w & 0xaaaa_aaaa_aaaa_aaaa).count_ones() + 2 * (w & 0xcccc_cccc_cccc_cccc).count_ones();
    let fours = (w & 0xf0f0_f0f0_f0f0_f0f0).count_ones() + 2 * (w & 0xff00_ff00_ff00_ff00).count_ones();
    let more = (w & 0xffff_0000_ffff_0000).count_ones() + 2 * (w & 0xffff_ffff_0000_0000).count_ones();
    (ones + 4 * fours + 16 * more) as f64
}

/// A word of which only the lowest `count` bits are kept.
#[kernel(inline)]
fn lowest(w: u64, count: f64) -> u64 {
    if count >= 64.0 {
        w
    } else if count > 0.0 {
        w & ((1 << count as u64) - 1)
    } else {
        0
    }
}

/// A draw of [`dsignrank`]'s distribution: element `index` of the stream.
///
/// R: `rsignrank(n)`, random number of the signed rank statistic.
/// Domain: `n` is rounded to an integer and must be from 0 to 100,000, otherwise NaN; 0 gives 0, as in R.
/// Method: one random bit for each rank, 128 to a block; the sum of the ranks whose bit is set, by counting bits. Exact.
/// Paper: wilcoxon1945.
/// Error: the numbers follow `psignrank`; the tests hold a chi-square statistic.
#[kernel]
pub fn rsignrank(seed: u64, stream: u32, index: u64, n: f64) -> f64 {
    let n = n.round_ties_even();
    if !(n >= 0.0 && n <= LARGEST) {
        return f64::NAN;
    }
    let mut sum: f64 = 0.0;
    let mut first_rank: f64 = 1.0;
    let mut block: u32 = 0;
    while first_rank <= n {
        let (a, b): (u64, u64) = philox_block(seed, stream, index, block);
        let left = n + 1.0 - first_rank;
        let a: u64 = lowest(a, left);
        let b: u64 = lowest(b, left - 64.0);
        sum += positions(a) + first_rank * a.count_ones() as f64;
        sum += positions(b) + (first_rank + 64.0) * b.count_ones() as f64;
        first_rank += 128.0;
        block += 1;
    }
    sum
}
