//! `log(sum of exp(x))` over slices: an entry point of its own, in a file of its own, so that a program that wants only
//! `logspace_add` does not carry it.

use super::double_double::{fast_two_sum, two_sum};
use super::exponential::exp_parts;
use super::logarithm::log_pair;
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// `log(sum of exp(x))` over each row of a matrix with `width` columns, one work-item for a row; an empty row gives `-inf`.
///
/// Method: the largest one is taken out; the exponentials are added as pairs in the order of the row, so the result does
/// not depend on how the work is divided. NaN gives NaN.
#[kernel(entry)]
pub fn logspace_sums(row: usize, width: usize, logs: &[f64], sums: &mut [f64]) {
    let start = row * width;
    let mut largest = f64::NEG_INFINITY;
    let mut undefined = false;
    for j in 0..width {
        let x: f64 = logs[start + j];
        undefined = undefined || x.is_nan();
        largest = if x > largest { x } else { largest };
    }
    if undefined || !largest.is_finite() {
        sums[row] = if undefined { f64::NAN } else { largest };
        return;
    }
    let mut sum: f64 = 0.0;
    let mut low: f64 = 0.0;
    for j in 0..width {
        let (d, dl) = two_sum(logs[start + j], -largest);
        if d > -745.0 {
            let (mh, ml, k) = exp_parts((d, dl));
            let scale = power_of_two(if k < -1022.0 { -1022.0 } else { k });
            let (s, e) = two_sum(sum, mh * scale);
            sum = s;
            low += e + ml * scale;
        }
    }
    // a single term: also log(1) = 0 without a detour
    let mut result = largest;
    if sum != 1.0 || low != 0.0 {
        let (lh, ll) = log_pair(fast_two_sum(sum, low));
        let (s, e) = two_sum(largest, lh);
        result = s + (e + ll);
    }
    sums[row] = result;
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
}
