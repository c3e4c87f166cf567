//! Philox4x32-10: random bits as a function of a key and a counter, without a state.

use gristmill_kernel::kernel;

/// The multiplier of the words 0.
#[kernel]
const MULTIPLIER_0: u64 = 0xD251_1F53;
/// The multiplier of the words 2.
#[kernel]
const MULTIPLIER_1: u64 = 0xCD9E_8D57;
/// What the first key word grows by from round to round: the golden ratio less 1, times 2^32.
#[kernel]
const WEYL_0: u64 = 0x9E37_79B9;
/// What the second key word grows by: sqrt(3) - 1, times 2^32.
#[kernel]
const WEYL_1: u64 = 0xBB67_AE85;
/// The low half of a u64.
#[kernel]
const LOW: u64 = 0xFFFF_FFFF;

/// One round. Of the words and of the key only the low halves count: as `u64` they stay in the lanes in which SIMD multiplies
/// 32 by 32 bits, and what is above is cut off there, which costs nothing.
#[kernel(inline)]
fn philox_round(x0: u64, x1: u64, x2: u64, x3: u64, k0: u64, k1: u64) -> (u64, u64, u64, u64) {
    let a = (x0 & LOW).wrapping_mul(MULTIPLIER_0);
    let b = (x2 & LOW).wrapping_mul(MULTIPLIER_1);
    ((b >> 32) ^ (x1 ^ k0), b, (a >> 32) ^ (x3 ^ k1), a)
}

/// The two words of the key in each of the ten rounds.
#[kernel]
pub(crate) struct RoundKeys {
    low: [u64; 10],
    high: [u64; 10],
}

/// The keys of the rounds: a loop over counters needs them once.
#[kernel(inline)]
pub(crate) fn round_keys(seed: u64) -> RoundKeys {
    let a0 = seed;
    let a1 = a0.wrapping_add(WEYL_0);
    let a2 = a1.wrapping_add(WEYL_0);
    let a3 = a2.wrapping_add(WEYL_0);
    let a4 = a3.wrapping_add(WEYL_0);
    let a5 = a4.wrapping_add(WEYL_0);
    let a6 = a5.wrapping_add(WEYL_0);
    let a7 = a6.wrapping_add(WEYL_0);
    let a8 = a7.wrapping_add(WEYL_0);
    let a9 = a8.wrapping_add(WEYL_0);
    let b0 = seed >> 32;
    let b1 = b0.wrapping_add(WEYL_1);
    let b2 = b1.wrapping_add(WEYL_1);
    let b3 = b2.wrapping_add(WEYL_1);
    let b4 = b3.wrapping_add(WEYL_1);
    let b5 = b4.wrapping_add(WEYL_1);
    let b6 = b5.wrapping_add(WEYL_1);
    let b7 = b6.wrapping_add(WEYL_1);
    let b8 = b7.wrapping_add(WEYL_1);
    let b9 = b8.wrapping_add(WEYL_1);
    RoundKeys { low: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9], high: [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] }
}

/// All ten rounds. Written out, so that a loop over counters vectorises. The low halves of the results are the block.
#[kernel(inline)]
fn philox_rounds(c0: u64, c1: u64, c2: u64, c3: u64, k: RoundKeys) -> (u64, u64, u64, u64) {
    let low: [u64; 10] = k.low;
    let high: [u64; 10] = k.high;
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(c0, c1, c2, c3, low[0], high[0]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[1], high[1]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[2], high[2]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[3], high[3]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[4], high[4]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[5], high[5]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[6], high[6]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[7], high[7]);
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, low[8], high[8]);
    philox_round(x0, x1, x2, x3, low[9], high[9])
}

/// Philox4x32-10: the block of four words that belongs to a counter of four words and a key of two.
///
/// Domain: every value. For one key it is a bijection of the counters.
/// Method: ten rounds of two multiplications 32 x 32 -> 64 bits, the key growing by a Weyl sequence.
/// Paper: salmon2011.
/// Error: none; a test compares it with the published vectors.
#[kernel(inline)]
pub fn philox4x32(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> (u32, u32, u32, u32) {
    let (x0, x1, x2, x3): (u64, u64, u64, u64) =
        philox_rounds(c0 as u64, c1 as u64, c2 as u64, c3 as u64, round_keys((k1 as u64) << 32 | k0 as u64));
    (x0 as u32, x1 as u32, x2 as u32, x3 as u32)
}

/// Block `block` of element `index` of a stream, as two words of 64 bits.
///
/// The key is the seed (low word, high word), the counter (index low, index high, block, stream). The first word of the
/// result holds the block's words 0 (low) and 1 (high), the second its words 2 and 3.
/// Paper: salmon2011.
#[kernel(inline)]
pub fn philox_block(seed: u64, stream: u32, index: u64, block: u32) -> (u64, u64) {
    philox_block_of(stream, index, block, round_keys(seed))
}

/// [`round_keys`] for the first blocks of a stream: its number, a word of the counter, meets the first key and nothing else.
#[kernel(inline)]
pub(crate) fn stream_keys(seed: u64, stream: u32) -> RoundKeys {
    let mut keys: RoundKeys = round_keys(seed);
    keys.high[0] = keys.high[0] ^ stream as u64;
    keys
}

/// Block 0 of an element of the stream whose [`stream_keys`] these are: [`philox_block`].
#[kernel(inline)]
pub(crate) fn first_block(index: u64, keys: RoundKeys) -> (u64, u64) {
    philox_block_of(0, index, 0, keys)
}

/// [`philox_block`] of the seed whose keys these are.
#[kernel(inline)]
fn philox_block_of(stream: u32, index: u64, block: u32, keys: RoundKeys) -> (u64, u64) {
    let (x0, x1, x2, x3) = philox_rounds(index, index >> 32, block as u64, stream as u64, keys);
    ((x0 & LOW) | (x1 << 32), (x2 & LOW) | (x3 << 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_the_published_vectors() {
        // Known answers of the authors' library, Random123: counter and key all 0, all 1, and the digits of pi.
        let all = u32::MAX;
        assert_eq!(philox4x32(0, 0, 0, 0, 0, 0), (0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8));
        assert_eq!(philox4x32(all, all, all, all, all, all), (0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd));
        assert_eq!(
            philox4x32(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344, 0xa409_3822, 0x299f_31d0),
            (0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1)
        );
    }

    #[test]
    fn a_block_is_the_vector_of_its_counter_and_key() {
        let block = philox_block(0x299f_31d0_a409_3822, 0x0370_7344, 0x85a3_08d3_243f_6a88, 0x1319_8a2e);
        assert_eq!(block, (0x94fd_cceb_d16c_fe09, 0x2412_6ea1_5001_e420));
        let (seed, stream, index) = (0x299f_31d0_a409_3822, 0x0370_7344, 0x85a3_08d3_243f_6a88);
        assert_eq!(first_block(index, stream_keys(seed, stream)), philox_block(seed, stream, index, 0));
    }
}
