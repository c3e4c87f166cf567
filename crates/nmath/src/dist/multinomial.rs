//! The multinomial distribution: random vectors, one for each index.

use gristmill_kernel::kernel;

use super::binomial::rbinom;

/// Between the seeds of neighbouring components: 2^64 divided by the golden ratio, whose multiples keep their distance longest.
#[kernel]
const NEXT_COMPONENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// How many of the `left` trials fall to a component of weight `weight`, where `rest` is the sum of the weights from it on.
///
/// Domain: `0 <= weight <= rest`, `left` a whole number; the callers see to it.
/// Method: binomial with probability `weight/rest`; component `k` draws under the seed `seed + k 2^64/phi`, so that the components of
///   one index are independent, and the first is [`rbinom`] of the seed itself.
#[kernel]
pub fn multinomial_count(seed: u64, stream: u32, index: u64, component: u64, left: f64, weight: f64, rest: f64) -> f64 {
    if !(weight < rest) {
        return left;
    }
    if left == 0.0 {
        return 0.0;
    }
    rbinom(seed.wrapping_add(component.wrapping_mul(NEXT_COMPONENT)), stream, index, left, weight / rest)
}

/// A random vector of `width` counts that sum to `size`, for each work-item: that of index `first + row`, in row `row` of `counts`.
///
/// Domain: `size` a whole number, `weights` (as many as `width`) not negative and finite, with a positive and finite sum, else
///   every count is NaN. They need not sum to 1.
/// Method: conditional binomial counts, the first component first; what is left of the weights is summed from the end, so that
///   nothing cancels.
/// Paper: devroye1986, ch. XI.1.4.
#[kernel(entry)]
#[allow(clippy::too_many_arguments)] // the key, the shape and the arrays
pub fn rmultinoms(
    row: usize,
    seed: u64,
    stream: u32,
    first: u64,
    size: f64,
    width: usize,
    weights: &[f64],
    counts: &mut [f64],
) {
    let start = row * width;
    let mut valid = size >= 0.0 && size < f64::INFINITY && size == size.floor();
    // the sums of the weights from each component on, where the counts will be
    let mut rest: f64 = 0.0;
    for j in 0..width {
        let k = width - 1 - j;
        let weight: f64 = weights[k];
        valid = valid && weight >= 0.0 && weight < f64::INFINITY;
        rest += weight;
        counts[start + k] = rest;
    }
    valid = valid && rest > 0.0 && rest < f64::INFINITY;
    let index = first.wrapping_add(row as u64);
    let mut left: f64 = size;
    for k in 0..width {
        if valid {
            let count = multinomial_count(seed, stream, index, k as u64, left, weights[k], counts[start + k]);
            counts[start + k] = count;
            left -= count;
        } else {
            counts[start + k] = f64::NAN;
        }
    }
}

/// A random vector of counts that sum to `size`, with probabilities in proportion to `weights`: one row of [`rmultinoms`].
///
/// ```
/// let mut counts = [0.0; 3];
/// gristmill_nmath::rmultinom(42, 0, 7, 100.0, &[0.5, 0.25, 0.25], &mut counts);
/// assert_eq!(counts.iter().sum::<f64>(), 100.0);
/// ```
///
/// # Panics
/// When there are not as many counts as weights.
pub fn rmultinom(seed: u64, stream: u32, index: u64, size: f64, weights: &[f64], counts: &mut [f64]) {
    assert_eq!(weights.len(), counts.len(), "as many counts as weights");
    rmultinoms::launch(1, seed, stream, index, size, weights.len(), weights, counts);
}
