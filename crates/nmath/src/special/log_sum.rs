//! `log(sum of exp(x))` over many numbers, with one result however they are cut up: a file of its own, so that a program that wants
//! only `logspace_add` does not carry it.
//!
//! The numbers are taken in blocks of [`LOG_SUM_BLOCK`]: each knows its largest number before it adds, so that nothing is scaled twice.
//! The blocks' sums are merged by a binary tree that depends on their number only, as those of the reductions over rows
//! (crates/engine) are: the same steps, the same bits.

use super::double_double::{fast_two_sum, pair_mul, two_sum};
use super::exponential::exp_parts;
use super::logarithm::log_pair;
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// Numbers of one block: added one after the other.
#[kernel]
pub const LOG_SUM_BLOCK: usize = 4096;

/// A sum of exponentials under way: `(sum + low) exp(largest)`. That of nothing has `-inf` as its largest, and 0.
#[kernel]
pub struct LogSum {
    /// The largest of the numbers; NaN if one is.
    pub largest: f64,
    /// The sum of `exp(x - largest)`, leading part.
    pub sum: f64,
    /// The rest of it.
    pub low: f64,
}

/// The larger one of what was the largest and one more number; NaN stays.
#[kernel(inline)]
pub fn log_sum_larger(largest: f64, x: f64) -> f64 {
    if x > largest || x.is_nan() && !largest.is_nan() { x } else { largest }
}

/// `exp(d)` of a pair `-745 < d <= 0`, as `(high, low, scale)` with a power of two.
#[kernel(inline)]
fn exp_below_one(d: (f64, f64)) -> (f64, f64, f64) {
    let (high, low, k) = exp_parts(d);
    (high, low, power_of_two(if k < -1022.0 { -1022.0 } else { k }))
}

/// The sum with one more number, none above `largest`.
#[kernel(inline)]
pub fn log_sum_plus(s: LogSum, x: f64) -> LogSum {
    let (d, dl) = two_sum(x, -s.largest);
    // false for what adds nothing, and where the largest is not finite
    if d > -745.0 {
        let (high, low, scale) = exp_below_one((d, dl));
        let (sum, e) = two_sum(s.sum, high * scale);
        return LogSum { largest: s.largest, sum, low: s.low + (e + low * scale) };
    }
    s
}

/// Two sums as one: the smaller one is scaled to the larger one's largest number, by a pair of 63 bits.
#[kernel]
pub fn log_sum_merge(a: LogSum, b: LogSum) -> LogSum {
    if a.largest.is_nan() || b.largest.is_nan() {
        return LogSum { largest: f64::NAN, sum: 0.0, low: 0.0 };
    }
    let swapped = b.largest > a.largest;
    let large = if swapped { b } else { a };
    let small = if swapped { a } else { b };
    let (d, dl) = two_sum(small.largest, -large.largest);
    if d > -745.0 {
        let (high, low, scale) = exp_below_one((d, dl));
        let (t, tl) = pair_mul((small.sum, small.low), (high, low));
        let (sum, e) = two_sum(large.sum, t * scale);
        return LogSum { largest: large.largest, sum, low: large.low + (e + tl * scale) };
    }
    large
}

/// The logarithm of the sum.
#[kernel]
pub fn log_sum_value(s: LogSum) -> f64 {
    // nothing, an infinity or NaN; a single number, also log(1) = 0 without a detour
    if !s.largest.is_finite() || s.sum == 1.0 && s.low == 0.0 {
        return s.largest;
    }
    let (lh, ll) = log_pair(fast_two_sum(s.sum, s.low));
    let (h, e) = two_sum(s.largest, lh);
    h + (e + ll)
}

/// `log(sum of exp(x))` over each row of a matrix with `width` columns, one work-item for a row; an empty row gives `-inf`.
///
/// Domain: every `f64`; `-inf` stands for 0, `+inf` gives `+inf`, a NaN gives NaN.
/// Method: the largest number of a block is taken out; the exponentials are added as pairs in the order of the row, blocks merged
///   by a binary tree, so the result does not depend on how the work is divided.
#[kernel(entry)]
pub fn logspace_sums(row: usize, width: usize, logs: &[f64], sums: &mut [f64]) {
    let start = row * width;
    // a binary counter: digit k holds 2^k blocks
    let mut largests: [f64; 52] = [0.0; 52];
    let mut highs: [f64; 52] = [0.0; 52];
    let mut lows: [f64; 52] = [0.0; 52];
    let mut blocks: u64 = 0;
    let mut begin: usize = 0;
    while begin < width {
        let end = if width - begin < LOG_SUM_BLOCK { width } else { begin + LOG_SUM_BLOCK };
        let mut largest = f64::NEG_INFINITY;
        for j in begin..end {
            largest = log_sum_larger(largest, logs[start + j]);
        }
        let mut s = LogSum { largest, sum: 0.0, low: 0.0 };
        for j in begin..end {
            s = log_sum_plus(s, logs[start + j]);
        }
        let mut digit: usize = 0;
        let mut carry = blocks;
        while carry & 1 == 1 {
            s = log_sum_merge(LogSum { largest: largests[digit], sum: highs[digit], low: lows[digit] }, s);
            digit += 1;
            carry >>= 1;
        }
        largests[digit] = s.largest;
        highs[digit] = s.sum;
        lows[digit] = s.low;
        blocks += 1;
        begin = end;
    }
    let mut total = LogSum { largest: f64::NEG_INFINITY, sum: 0.0, low: 0.0 };
    let mut digit: usize = 0;
    let mut rest = blocks;
    while rest > 0 {
        if rest & 1 == 1 {
            total = log_sum_merge(LogSum { largest: largests[digit], sum: highs[digit], low: lows[digit] }, total);
        }
        digit += 1;
        rest >>= 1;
    }
    sums[row] = log_sum_value(total);
}

/// `log(sum of exp(x))` over a slice; the empty sum gives `-inf`: one row of `logspace_sums`.
pub fn logspace_sum(logs: &[f64]) -> f64 {
    let mut sums = [f64::NEG_INFINITY];
    logspace_sums::launch(1, logs.len(), logs, &mut sums);
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::super::logarithm::log;
    use super::*;

    #[test]
    fn a_sum_of_equal_terms_is_their_number() {
        let n = 1000;
        let sum = logspace_sum(&vec![-745.5; n]);
        assert_eq!(sum, -745.5 + log(n as f64));
        assert_eq!(logspace_sum(&[]), f64::NEG_INFINITY);
        assert_eq!(logspace_sum(&[f64::NEG_INFINITY, 3.25]), 3.25);
        assert!(logspace_sum(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn rows_are_summed_by_themselves() {
        let logs = [1.0, 2.0, 3.0, -1e300, 700.0, f64::NEG_INFINITY, f64::INFINITY, 0.0, 5.0];
        let mut sums = [0.0; 3];
        logspace_sums::launch(3, 3, &logs, &mut sums);
        for (row, sum) in logs.chunks(3).zip(sums) {
            assert_eq!(sum, logspace_sum(row));
        }
        assert_eq!(sums[1], 700.0);
        assert_eq!(sums[2], f64::INFINITY);
    }

    /// The sum by another way: in order of size from the smallest, so that nothing is lost, and without a tree.
    fn sorted(logs: &[f64]) -> f64 {
        let mut logs = logs.to_vec();
        logs.sort_by(f64::total_cmp);
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + logs.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
    }

    #[test]
    fn many_blocks_are_merged() {
        for count in [4095, 4096, 4097, 8192, 12_289, 50_000] {
            let logs: Vec<f64> = (0..count).map(|i| (f64::from(i) * 0.7).sin() * 40.0 - f64::from(i % 977)).collect();
            let (sum, other) = (logspace_sum(&logs), sorted(&logs));
            assert!((sum - other).abs() <= 4e-16 * other.abs().max(1.0) * 8.0, "{count}: {sum} or {other}");
        }
        // a million and one equal numbers: exactly their number
        let logs = vec![-3e5; 1_000_001];
        assert_eq!(logspace_sum(&logs), -3e5 + log(1_000_001.0));
    }

    #[test]
    fn infinities_and_nan_go_through_the_tree() {
        let mut logs = vec![f64::NEG_INFINITY; 10_000];
        assert_eq!(logspace_sum(&logs), f64::NEG_INFINITY);
        logs[9_999] = -2.5;
        assert_eq!(logspace_sum(&logs), -2.5);
        logs[3] = f64::INFINITY;
        assert_eq!(logspace_sum(&logs), f64::INFINITY);
        logs[5_000] = f64::NAN;
        assert!(logspace_sum(&logs).is_nan());
    }
}
