//! How many arrangements give a rank statistic: exact counts of 128 bits, from the low end up to [`COUNTS`] values.

use crate::special::double_double::{dd_add_short, two_sum};
use crate::special::logarithm::log;
use crate::special::powers_of_two::{TWO_32, TWO_52};
use gristmill_kernel::kernel;

use super::scaled_pair::{ScaledPair, scaled, scaled_choose, scaled_div};

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
    pub(crate) all: ScaledPair,
}

/// Probability and distribution function at one value.
#[kernel]
pub(crate) struct Masses {
    /// `P(X = j)`.
    pub(crate) mass: ScaledPair,
    /// `P(X <= j)`.
    pub(crate) sum: ScaledPair,
}

/// The signed ranks of `n`, an integer from 1 on.
#[kernel]
pub(crate) fn signed_ranks(n: f64) -> Ranks {
    let last = 0.5 * n * (n + 1.0);
    let sd = (last * (2.0 * n + 1.0) / 12.0).sqrt();
    Ranks { signed: true, m: 0.0, n, last, sd, all: ScaledPair { high: 1.0, low: 0.0, exponent: n } }
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
    let all: ScaledPair = r.all;
    let half = 0.5 * (r.m + 1.0);
    let few = r.m * log((half * r.m + j) * (E_SQUARED / (r.m * r.m))) < BITS_127;
    j < (if r.signed { SIGNED_COUNTS } else { SUM_COUNTS }) || (j < COUNTS && (all.exponent < 127.0 || few))
}

/// A word below 2^32 as a double: in a form that AVX2 has for four at once.
#[kernel(inline)]
fn half_word(w: u64) -> f64 {
    f64::from_bits(w | 0x4330_0000_0000_0000) - TWO_52
}

/// A count of one word as a pair.
#[kernel(inline)]
pub(crate) fn word(w: u64) -> (f64, f64) {
    two_sum(half_word(w >> 32) * TWO_32, half_word(w & LOW))
}

/// A count of two words as a pair.
#[kernel(inline)]
pub(crate) fn count_pair(low: u64, high: u64) -> (f64, f64) {
    let (a, b) = word(high);
    let (c, d) = word(low);
    let two_64 = TWO_32 * TWO_32;
    dd_add_short((a * two_64, b * two_64), (c, d))
}

/// A count of two words over the number of arrangements.
#[kernel]
pub(crate) fn share(low: u64, high: u64, r: Ranks) -> ScaledPair {
    let all: ScaledPair = r.all;
    scaled_div(scaled(count_pair(low, high), 0.0), all)
}

/// The last place at which four neighbours begin.
#[kernel]
const LAST_FOUR: usize = 2300;

/// `c[k] += c[k - step]` for `k` from `step` to `top`, upwards: the product with `1/(1 - z^step)`, for counts of one word.
///
/// That is a running sum in each of `step` columns. Four neighbouring columns go together, and the compiler makes a vector of
/// them; what it needs to know for that, that no place is outside the array, the loops' conditions say once more. Going down the
/// columns, no sum is read back from memory while it is still on its way there.
#[kernel]
fn divide_words(step: usize, top: usize, low: &mut [u64; 2304]) {
    let mut column: usize = 0;
    while column + 4 <= step {
        let mut a: u64 = 0;
        let mut b: u64 = 0;
        let mut c: u64 = 0;
        let mut d: u64 = 0;
        let mut k = column;
        while k + 3 <= top && k <= LAST_FOUR {
            a += (*low)[k];
            b += (*low)[k + 1];
            c += (*low)[k + 2];
            d += (*low)[k + 3];
            (*low)[k] = a;
            (*low)[k + 1] = b;
            (*low)[k + 2] = c;
            (*low)[k + 3] = d;
            k += step;
        }
        // a row that ends within the four
        if k <= top {
            (*low)[k] = (*low)[k] + a;
        }
        if k + 1 <= top {
            (*low)[k + 1] = (*low)[k + 1] + b;
        }
        if k + 2 <= top {
            (*low)[k + 2] = (*low)[k + 2] + c;
        }
        column += 4;
    }
    while column < step {
        let mut sum: u64 = 0;
        let mut k = column;
        while k <= top {
            sum += (*low)[k];
            (*low)[k] = sum;
            k += step;
        }
        column += 1;
    }
}

/// Adds a count of two words to that at `k`.
#[kernel]
fn add_pair(k: usize, more: u64, more_high: u64, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    let sum = (*low)[k] + more;
    (*high)[k] = (*high)[k] + more_high + (if sum < more { 1 } else { 0 });
    (*low)[k] = sum;
}

/// [`divide_words`] for counts of two words.
#[kernel]
fn divide_pairs(step: usize, top: usize, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    let mut column: usize = 0;
    while column + 4 <= step {
        let mut a: u64 = 0;
        let mut b: u64 = 0;
        let mut c: u64 = 0;
        let mut d: u64 = 0;
        let mut high_a: u64 = 0;
        let mut high_b: u64 = 0;
        let mut high_c: u64 = 0;
        let mut high_d: u64 = 0;
        let mut k = column;
        while k + 3 <= top && k <= LAST_FOUR {
            let new_a = a + (*low)[k];
            let new_b = b + (*low)[k + 1];
            let new_c = c + (*low)[k + 2];
            let new_d = d + (*low)[k + 3];
            high_a += (*high)[k] + (if new_a < a { 1 } else { 0 });
            high_b += (*high)[k + 1] + (if new_b < b { 1 } else { 0 });
            high_c += (*high)[k + 2] + (if new_c < c { 1 } else { 0 });
            high_d += (*high)[k + 3] + (if new_d < d { 1 } else { 0 });
            a = new_a;
            b = new_b;
            c = new_c;
            d = new_d;
            (*low)[k] = a;
            (*low)[k + 1] = b;
            (*low)[k + 2] = c;
            (*low)[k + 3] = d;
            (*high)[k] = high_a;
            (*high)[k + 1] = high_b;
            (*high)[k + 2] = high_c;
            (*high)[k + 3] = high_d;
            k += step;
        }
        if k <= top {
            add_pair(k, a, high_a, low, high);
        }
        if k + 1 <= top {
            add_pair(k + 1, b, high_b, low, high);
        }
        if k + 2 <= top {
            add_pair(k + 2, c, high_c, low, high);
        }
        column += 4;
    }
    while column < step {
        let mut sum: u64 = 0;
        let mut over: u64 = 0;
        let mut k = column;
        while k <= top {
            let next = sum + (*low)[k];
            over += (*high)[k] + (if next < sum { 1 } else { 0 });
            sum = next;
            (*low)[k] = sum;
            (*high)[k] = over;
            k += step;
        }
        column += 1;
    }
}

/// `c[k] += c[k - step]`, or `-=`, for `k` from `top` down to `step`: the product with `1 + z^step`, or `1 - z^step`, for counts of
/// one word. As [`divide_words`].
#[kernel]
fn multiply_words(minus: bool, step: usize, top: usize, low: &mut [u64; 2304]) {
    let sign = if minus { u64::MAX } else { 1 };
    let mut end = top + 1; // what lies from here on is done
    while end >= step + 4 && end <= LAST_FOUR + 4 {
        let to = end - 4;
        let from = to - step;
        if from > LAST_FOUR || to > LAST_FOUR {
            break;
        }
        let a = if minus { (*low)[to] - (*low)[from] } else { (*low)[to] + (*low)[from] };
        let b = if minus { (*low)[to + 1] - (*low)[from + 1] } else { (*low)[to + 1] + (*low)[from + 1] };
        let c = if minus { (*low)[to + 2] - (*low)[from + 2] } else { (*low)[to + 2] + (*low)[from + 2] };
        let d = if minus { (*low)[to + 3] - (*low)[from + 3] } else { (*low)[to + 3] + (*low)[from + 3] };
        (*low)[to] = a;
        (*low)[to + 1] = b;
        (*low)[to + 2] = c;
        (*low)[to + 3] = d;
        end = to;
    }
    while end > step {
        end -= 1;
        (*low)[end] = (*low)[end] + sign * (*low)[end - step];
    }
}

/// [`multiply_words`] for counts of two words.
#[kernel]
fn multiply_pairs(minus: bool, step: usize, top: usize, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    let flip = if minus { u64::MAX } else { 0 };
    let mut end = top + 1;
    while end >= step + 4 && end <= LAST_FOUR + 4 {
        let to = end - 4;
        let from = to - step;
        if from > LAST_FOUR || to > LAST_FOUR {
            break;
        }
        // c - d is not(not(c) + d): the carry is then the same for both
        let old_a = (*low)[to] ^ flip;
        let old_b = (*low)[to + 1] ^ flip;
        let old_c = (*low)[to + 2] ^ flip;
        let old_d = (*low)[to + 3] ^ flip;
        let a = old_a + (*low)[from];
        let b = old_b + (*low)[from + 1];
        let c = old_c + (*low)[from + 2];
        let d = old_d + (*low)[from + 3];
        let over_a = if a < old_a { 1 } else { 0 };
        let over_b = if b < old_b { 1 } else { 0 };
        let over_c = if c < old_c { 1 } else { 0 };
        let over_d = if d < old_d { 1 } else { 0 };
        let high_a = ((*high)[to] ^ flip) + (*high)[from] + over_a;
        let high_b = ((*high)[to + 1] ^ flip) + (*high)[from + 1] + over_b;
        let high_c = ((*high)[to + 2] ^ flip) + (*high)[from + 2] + over_c;
        let high_d = ((*high)[to + 3] ^ flip) + (*high)[from + 3] + over_d;
        (*low)[to] = a ^ flip;
        (*low)[to + 1] = b ^ flip;
        (*low)[to + 2] = c ^ flip;
        (*low)[to + 3] = d ^ flip;
        (*high)[to] = high_a ^ flip;
        (*high)[to + 1] = high_b ^ flip;
        (*high)[to + 2] = high_c ^ flip;
        (*high)[to + 3] = high_d ^ flip;
        end = to;
    }
    while end > step {
        end -= 1;
        let old = (*low)[end] ^ flip;
        let sum = old + (*low)[end - step];
        let over = if sum < old { 1 } else { 0 };
        (*high)[end] = (((*high)[end] ^ flip) + (*high)[end - step] + over) ^ flip;
        (*low)[end] = sum ^ flip;
    }
}

/// Mirrors the coefficients `0..=known` of a symmetric product of that degree to those behind, up to `top`.
#[kernel]
fn mirror(known: usize, degree: usize, top: usize, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    let mut k = known + 1;
    while k <= top && k <= degree {
        (*low)[k] = (*low)[degree - k];
        (*high)[k] = (*high)[degree - k];
        k += 1;
    }
}

/// The numbers of arrangements that give 0 to `j`, as two words each; for [`counts_fit`]. The arrays hold zeros.
///
/// Method: the coefficients of `prod (1 + z^i)`, or of `prod (1 - z^(n+i)) / (1 - z^i)`, factor by factor, modulo 2^128: so
/// nothing is lost where the factors cancel. Every product on the way counts a smaller problem, and is symmetric: only its lower half
/// is computed, and mirrored as far as the next factor needs it.
#[kernel]
pub(crate) fn fill_counts(j: f64, r: Ranks, low: &mut [u64; 2304], high: &mut [u64; 2304]) {
    (*low)[0] = 1;
    let size = if r.signed { r.n } else { r.m };
    let parts = if size < j { size } else { j };
    let last = j as usize;
    let mut i: f64 = 1.0;
    let mut degree: usize = 0; // of the product so far
    let mut known: usize = 0; // as far as its coefficients are there
    let mut sum: f64 = 1.0; // of its coefficients, nearly
    while i <= parts {
        let next = degree + (if r.signed { i } else { r.n }) as usize;
        let half = next >> 1;
        let top = if half < last { half } else { last };
        mirror(known, degree, top, low, high);
        degree = next;
        known = top;
        sum *= if r.signed { 2.0 } else { (r.n + i) / i };
        let step = i as usize;
        let far = (r.n + i) as usize;
        if sum < ONE_WORD {
            if r.signed {
                multiply_words(false, step, top, low);
            } else {
                divide_words(step, top, low);
                multiply_words(true, far, top, low);
            }
        } else if r.signed {
            multiply_pairs(false, step, top, low, high);
        } else {
            divide_pairs(step, top, low, high);
            multiply_pairs(true, far, top, low, high);
        }
        i += 1.0;
    }
    // of few factors, because `j` is small, half may end before it
    mirror(known, degree, last, low, high);
}
