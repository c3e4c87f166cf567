//! From random words to uniform, normal and exponential numbers: what every other file of this folder draws.

use gristmill_kernel::kernel;

use crate::special::double_double::fast_two_sum;
use crate::special::logarithm::{log, log_loose_of_pair};
use crate::special::philox::{RoundKeys, first_block, philox_block, stream_keys};
use crate::special::powers_of_two::{TWO_52, TWO_M43, TWO_M53, TWO_M64, TWO_M116};
use crate::special::trigonometric::{cospi_quarter, sinpi, sinpi_quarter};

/// The bits of a word that are the signs of two normal numbers.
#[kernel]
const SIGN_X: u64 = 1 << 62;
#[kernel]
const SIGN_Y: u64 = 1 << 61;
/// 2^-28: below it two terms give `-log(1 - t)`.
#[kernel]
const TWO_TERMS_END: f64 = 1.0 / 268_435_456.0;

/// An integer below 2^52 as a double, exactly; in SIMD there is no instruction for it.
#[kernel(inline)]
fn whole(k: u64) -> f64 {
    f64::from_bits(0x4330_0000_0000_0000 | k) - TWO_52
}

/// A uniform number from one word: the odd multiples of 2^-53 between 0 and 1, symmetric about 1/2. For decisions.
#[kernel(inline)]
pub(crate) fn unit(w: u64) -> f64 {
    f64::from_bits(0x3ff0_0000_0000_0000 | (w >> 12)) - (1.0 - TWO_M53)
}

/// The multiple of 2^-53 that [`unif_rand`] gives for the words of a block.
#[kernel(inline)]
pub(crate) fn unit_53(first: u64, second: u64) -> f64 {
    let k = first >> 11;
    let k = if k == 0 { second >> 11 } else { k };
    let k = if k == 0 { 1 } else { k };
    k as f64 * TWO_M53
}

/// `(t, above)`: a uniform number `u` from 128 bits that keeps its digits next to both 0 and 1. `t` in [2^-117, 1/2] is
/// `u` itself, or `1 - u` if `above`.
#[kernel(inline)]
pub(crate) fn two_sided(first: u64, second: u64) -> (f64, bool) {
    let above = first >> 63 == 1;
    let flip = if above { u64::MAX } else { 0 };
    let t = (first ^ flip) as f64 * TWO_M64;
    ((whole((second ^ flip) >> 12) + 0.5).mul_add(TWO_M116, t), above)
}

/// Main paths give NaN where they leave an element to the other path.
#[kernel(inline)]
pub(crate) fn accepted(y: f64) -> bool {
    !y.is_nan()
}

/// `-log(u)` of the uniform number of [`two_sided`], next to 0 and next to 1 alike.
#[kernel(inline)]
pub(crate) fn minus_log(t: f64, above: bool) -> f64 {
    let (h, l) = fast_two_sum(1.0, -t);
    let y = log_loose_of_pair((if above { h } else { t }, if above { l } else { 0.0 }));
    let e = -(y.0 + y.1);
    if above && t < TWO_TERMS_END { (0.5 * t).mul_add(t, t) } else { e }
}

/// What the draws of a stream from one distribution share: a loop over indices makes it once.
#[kernel]
pub(crate) struct Draws {
    keys: RoundKeys,
    /// The distribution's location, or what stands for its first parameter.
    pub(crate) location: f64,
    /// Its scale, or what stands for its second parameter.
    pub(crate) scale: f64,
}

/// The draws of a stream with these parameters.
#[kernel(inline)]
pub(crate) fn draws(seed: u64, stream: u32, location: f64, scale: f64) -> Draws {
    let keys: RoundKeys = stream_keys(seed, stream);
    Draws { keys, location, scale }
}

/// The words of an element's block 0.
#[kernel(inline)]
pub(crate) fn words_at(index: u64, s: Draws) -> (u64, u64) {
    let keys: RoundKeys = s.keys;
    first_block(index, keys)
}

/// An exponential number from a block.
#[kernel(inline)]
pub(crate) fn exponential_at(seed: u64, stream: u32, index: u64, block: u32) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
    exponential_from(first, second)
}

/// An exponential number from the words of a block.
#[kernel(inline)]
pub(crate) fn exponential_from(first: u64, second: u64) -> f64 {
    let (t, above): (f64, bool) = two_sided(first, second);
    minus_log(t, above)
}

/// A normal number from a block: see [`norm_rand`].
#[kernel(inline)]
pub(crate) fn normal_at(seed: u64, stream: u32, index: u64, block: u32) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
    normal_from(first, second)
}

/// A normal number from the words of a block.
#[kernel(inline)]
pub(crate) fn normal_from(first: u64, second: u64) -> f64 {
    let squared = -2.0 * log((first as f64 + 0.5) * TWO_M64);
    let quarter = ((second & 0x7fff_ffff_ffff_ffff) as f64 + 0.5) * TWO_M64;
    let size = squared.sqrt() * sinpi(quarter);
    if second >> 63 == 1 { -size } else { size }
}

/// `-log(u)` of a uniform number of 64 bits, next to 0 and next to 1 alike: for two exponential numbers from one block.
#[kernel(inline)]
pub(crate) fn exponential_of(word: u64) -> f64 {
    let above = word >> 63 == 1;
    let flip = if above { u64::MAX } else { 0 };
    minus_log(((word ^ flip) as f64 + 0.5) * TWO_M64, above)
}

/// Two independent normal numbers from the words of a block, whose last 20 bits they leave: see [`spare_bits`].
///
/// Method: Box and Muller's with 64 bits for the radius; two bits for the signs, one for which is the larger, 41 for the angle
///   in the first eighth of a turn. For numbers that are added to others: next to 0 they have fewer digits than
///   [`norm_rand`].
/// Paper: box1958.
#[kernel(inline)]
pub(crate) fn normal_pair(first: u64, second: u64) -> (f64, f64) {
    let radius = (-2.0 * log((first as f64 + 0.5) * TWO_M64)).sqrt();
    let t = (whole((second >> 20) & 0x1ff_ffff_ffff) + 0.5) * TWO_M43;
    let (sh, sl) = sinpi_quarter(t);
    let (ch, cl) = cospi_quarter(t);
    let (s, c) = (radius * (sh + sl), radius * (ch + cl));
    let swapped = second >> 63 == 1;
    let (x, y) = (if swapped { c } else { s }, if swapped { s } else { c });
    (if second & SIGN_X == 0 { x } else { -x }, if second & SIGN_Y == 0 { y } else { -y })
}

/// The last 20 bits of the second word of a block: the first ones of a uniform number that most often need no more.
#[kernel(inline)]
pub(crate) fn spare_bits(second: u64) -> f64 {
    whole(second & 0xf_ffff)
}

/// The last 20 bits of the second word of a block as the first ten bits of two uniform numbers.
#[kernel(inline)]
pub(crate) fn spare_halves(second: u64) -> (f64, f64) {
    (whole((second >> 10) & 0x3ff), whole(second & 0x3ff))
}

/// A uniform number: `k/2^53` with every whole `k` from 1 to 2^53 - 1 equally likely. Never 0, never 1.
///
/// Domain: every seed, stream and index. The number is a function of the three alone.
/// Method: the first 53 bits of the element's block 0. If they are all 0 the 53 bits of its second half serve, and 1 if
///   those are 0 too, which has probability 2^-106.
/// Paper: salmon2011.
/// Error: none; the numbers follow `punif` (tests/it/random.rs).
#[kernel(inline)]
pub fn unif_rand(seed: u64, stream: u32, index: u64) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    unit_53(first, second)
}

/// A standard normal number.
///
/// Domain: every seed, stream and index. The size is below 9.5, because it comes from 64 bits.
/// Method: Box and Muller's: radius `sqrt(-2 log u)` times the sine of a uniform angle in the first quadrant, with a random
///   sign; 64 bits for `u`, 63 for the angle, both with all their digits next to 0, where the tails and the smallest values
///   come from. No branch and no rejection: a loop vectorises, and one block is enough.
/// Paper: box1958, salmon2011.
/// Error: the numbers follow `pnorm`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn norm_rand(seed: u64, stream: u32, index: u64) -> f64 {
    normal_at(seed, stream, index, 0)
}

/// A standard exponential number.
///
/// Domain: every seed, stream and index; values from 2^-117 to 81.
/// Method: `-log(u)` of a uniform `u` of 128 bits, from `u` or from `1 - u`, whichever is below 1/2: the smallest values
///   have as many digits as the largest.
/// Paper: salmon2011.
/// Error: that of [`log`](crate::log); the numbers follow `pexp` (tests/it/random.rs).
#[kernel(inline)]
pub fn exp_rand(seed: u64, stream: u32, index: u64) -> f64 {
    exponential_at(seed, stream, index, 0)
}

/// A uniform random index: a whole number from 0 to `dn - 1` (to `ceil(dn) - 1` if `dn` is not whole).
///
/// R: `r_unif_index(dn)`, whole random number below dn.
/// Domain: `dn <= 0` gives 0, as in R; infinite and NaN give NaN. Above 2^53, where not every whole number is a double,
///   `floor(dn u)` with the `u` of [`unif_rand`].
/// Method: the remainder of a 64-bit word modulo `dn`; words below `2^64 mod dn` are refused, so that all remainders are
///   equally likely. A word is refused with probability at most 2^-11; after 20 words (2^-220) `floor(dn u)` takes over.
/// Paper: lemire2019.
/// Error: none up to 2^53; chi-square statistics in tests/it/random.rs.
#[kernel]
pub fn r_unif_index(seed: u64, stream: u32, index: u64, dn: f64) -> f64 {
    if dn.is_nan() || dn == f64::INFINITY {
        return f64::NAN;
    }
    if dn <= 0.0 {
        return 0.0;
    }
    let size = dn.ceil();
    if size <= 9_007_199_254_740_992.0 {
        let n = size as u64;
        let refused = 0u64.wrapping_sub(n) % n;
        let mut block: u32 = 0;
        while block < 10 {
            let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
            if first >= refused {
                return (first % n) as f64;
            }
            if second >= refused {
                return (second % n) as f64;
            }
            block += 1;
        }
    }
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 10);
    (unit_53(first, second) * size).floor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pchisq, pexp, pnorm};

    const DRAWS: u64 = 20_000;

    /// The largest distance of sorted probabilities from the uniform distribution; 2.5/sqrt(n) is passed once in 130000 times.
    fn assert_uniform(what: &str, mut p: Vec<f64>) {
        p.sort_by(f64::total_cmp);
        let n = p.len() as f64;
        let rank = |(i, p): (usize, &f64)| (p - i as f64 / n).abs().max(((i + 1) as f64 / n - p).abs());
        let distance = p.iter().enumerate().map(rank).fold(0.0, f64::max);
        assert!(distance < 2.5 / n.sqrt(), "{what}: {distance}");
    }

    #[test]
    fn the_numbers_of_a_pair_are_normal_and_independent_and_so_are_the_bits_they_leave() {
        let all: Vec<_> = (0..DRAWS)
            .map(|i| {
                let (first, second) = philox_block(17, 3, i, 0);
                let ((x, y), (u, v)) = (normal_pair(first, second), spare_halves(second));
                assert_eq!(spare_bits(second), 1024.0 * u + v);
                (
                    pnorm(x, 0.0, 1.0, true, false),
                    pnorm(y, 0.0, 1.0, true, false),
                    (u + 0.5) / 1024.0,
                    (v + 0.5) / 1024.0,
                )
            })
            .collect();
        assert_uniform("the first", all.iter().map(|a| a.0).collect());
        assert_uniform("the second", all.iter().map(|a| a.1).collect());
        type Draw = (f64, f64, f64, f64);
        type Pair = fn(&Draw) -> (f64, f64);
        let pairs: [(&str, Pair); 4] = [
            ("the two", |a| (a.0, a.1)),
            ("the first and its bits", |a| (a.0, a.2)),
            ("the second and its bits", |a| (a.1, a.3)),
            ("the bits", |a| (a.2, a.3)),
        ];
        for (what, pair) in pairs {
            let mut counts = [0.0; 64];
            for a in &all {
                let (p, q) = pair(a);
                counts[(8.0 * p) as usize * 8 + (8.0 * q) as usize] += 1.0;
            }
            let expected = DRAWS as f64 / 64.0;
            let chi: f64 = counts.iter().map(|c| (c - expected) * (c - expected) / expected).sum();
            assert!(pchisq(chi, 63.0, false, false) > 1e-5, "{what}: {counts:?}");
        }
    }

    #[test]
    fn exponential_numbers_of_one_word_have_digits_at_both_ends() {
        let draw = |i| exponential_of(philox_block(23, 1, i, 0).0);
        assert_uniform("exponential_of", (0..DRAWS).map(|i| pexp(draw(i), 1.0, true, false)).collect());
        assert_eq!(exponential_of(u64::MAX), 0.5 * TWO_M64);
        assert!((exponential_of(0) - 65.0 * std::f64::consts::LN_2).abs() < 1e-14);
    }
}
