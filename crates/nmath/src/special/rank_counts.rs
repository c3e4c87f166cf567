//! How many arrangements give a rank statistic: exact counts of 128 bits, from the low end up to [`COUNTS`] values.

use crate::special::double_double::{dd_add_short, two_sum};
use crate::special::logarithm::log;
use crate::special::powers_of_two::TWO_32;
use gristmill_kernel::kernel;

use super::scaled_pair::{Scaled, scaled, scaled_choose, scaled_div};

/// Counts up to here fit a kernel's arrays.
#[kernel]
pub(crate) const COUNTS: f64 = 2304.0;
/// Sums of the counts of signed ranks up to here are below 2^128 for every n.
#[kernel]
const SIGNED_COUNTS: f64 = 2304.0;
/// Sums of the counts of rank sums up to here are below 2^128 for all m and n.
#[kernel]
const SUM_COUNTS: f64 = 1358.0;
/// e^2
#[kernel]
const E_SQUARED: f64 = 7.389_056_098_930_65;
/// 127 log 2
#[kernel]
const BITS_127: f64 = 88.029_691_931_113_05;
/// 2^63: while all counts together are fewer, one word holds each.
#[kernel]
const ONE_WORD: f64 = 9_223_372_036_854_775_808.0;
/// The low half of a word.
#[kernel]
const LOW: u64 = 0xFFFF_FFFF;

/// One of the two distributions: integers from 0 to `last`, symmetric about their mean.
#[kernel]
pub(crate) struct Ranks {
    /// Signed ranks of `n`, otherwise rank sums of `m <= n`.
    pub(crate) signed: bool,
    /// The smaller size.
    pub(crate) m: f64,
    /// The larger, or only, size.
    pub(crate) n: f64,
    /// The largest value.
    pub(crate) last: f64,
    /// Standard deviation.
    pub(crate) sd: f64,
    /// The number of arrangements.
    pub(crate) all: Scaled,
}

/// Probability and distribution function at one value.
#[kernel]
pub(crate) struct Masses {
    /// `P(X = j)`.
    pub(crate) mass: Scaled,
    /// `P(X <= j)`.
    pub(crate) sum: Scaled,
}

/// The signed ranks of `n`, an integer from 1 on.
#[kernel]
pub(crate) fn signed_ranks(n: f64) -> Ranks {
    let last = 0.5 * n * (n + 1.0);
    let sd = (last * (2.0 * n + 1.0) / 12.0).sqrt();
    Ranks { signed: true, m: 0.0, n, last, sd, all: Scaled { high: 1.0, low: 0.0, exponent: n } }
}

/// The rank sums of `m` among `m + n`, integers from 1 on.
#[kernel]
pub(crate) fn rank_sums(m: f64, n: f64) -> Ranks {
    let few = if m < n { m } else { n };
    let many = if m < n { n } else { m };
    let last = m * n;
    let sd = (last * (m + n + 1.0) / 12.0).sqrt();
    Ranks { signed: false, m: few, n: many, last, sd, all: scaled_choose(few, many) }
}

/// Whether the counts from 0 to `j` fit.
///
/// Method: beyond what fits for all sizes, the sum of the counts of at most `m` parts is at most
/// `(j + m (m+1)/2)^m / m!^2`, and `m! > (m/e)^m`.
#[kernel]
pub(crate) fn counts_fit(j: f64, r: Ranks) -> bool {
    let all: Scaled = r.all;
    let half = 0.5 * (r.m + 1.0);
    let few = r.m * log((half * r.m + j) * (E_SQUARED / (r.m * r.m))) < BITS_127;
    j < (if r.signed { SIGNED_COUNTS } else { SUM_COUNTS }) || (j < COUNTS && (all.exponent < 127.0 || few))
}

/// A count of two words as a pair.
#[kernel(inline)]
pub(crate) fn count_pair(low: u64, high: u64) -> (f64, f64) {
    let (a, b) = two_sum((high >> 32) as f64 * TWO_32, (high & LOW) as f64);
    let (c, d) = two_sum((low >> 32) as f64 * TWO_32, (low & LOW) as f64);
    let two_64 = TWO_32 * TWO_32;
    dd_add_short((a * two_64, b * two_64), (c, d))
}

/// A count of two words over the number of arrangements.
#[kernel]
pub(crate) fn share(low: u64, high: u64, r: Ranks) -> Scaled {
    let all: Scaled = r.all;
    scaled_div(scaled(count_pair(low, high), 0.0), all)
}

/// The numbers of arrangements that give 0 to `j`, as two words each; for [`counts_fit`].
///
/// Method: the coefficients of `prod (1 + z^i)`, or of `prod (1 - z^(n+i)) / (1 - z^i)`, factor by factor, modulo 2^128: so
/// nothing is lost where the factors cancel.
#[kernel]
pub(crate) fn fill_counts(j: f64, r: Ranks, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    for k in 0..=j as usize {
        (*low)[k] = 0;
        (*high)[k] = 0;
    }
    (*low)[0] = 1;
    let size = if r.signed { r.n } else { r.m };
    let parts = if size < j { size } else { j };
    let mut i: f64 = 1.0;
    let mut degree: f64 = 0.0; // of the product so far
    let mut sum: f64 = 1.0; // of its coefficients, nearly
    while i <= parts {
        degree += if r.signed { i } else { r.n };
        sum *= if r.signed { 2.0 } else { (r.n + i) / i };
        let top = (if degree < j { degree } else { j }) as usize;
        let step = i as usize;
        let far = (r.n + i) as usize;
        if sum < ONE_WORD {
            if r.signed {
                for k in (step..=top).rev() {
                    (*low)[k] = (*low)[k] + (*low)[k - step];
                }
            } else {
                for k in step..=top {
                    (*low)[k] = (*low)[k] + (*low)[k - step];
                }
                for k in (far..=top).rev() {
                    (*low)[k] = (*low)[k] - (*low)[k - far];
                }
            }
        } else if r.signed {
            for k in (step..=top).rev() {
                let sum = (*low)[k] + (*low)[k - step];
                (*high)[k] = (*high)[k] + (*high)[k - step] + (if sum < (*low)[k] { 1 } else { 0 });
                (*low)[k] = sum;
            }
        } else {
            for k in step..=top {
                let sum = (*low)[k] + (*low)[k - step];
                (*high)[k] = (*high)[k] + (*high)[k - step] + (if sum < (*low)[k] { 1 } else { 0 });
                (*low)[k] = sum;
            }
            for k in (far..=top).rev() {
                let rest = (*low)[k] - (*low)[k - far];
                (*high)[k] = (*high)[k] - (*high)[k - far] - (if rest > (*low)[k] { 1 } else { 0 });
                (*low)[k] = rest;
            }
        }
        i += 1.0;
    }
}
