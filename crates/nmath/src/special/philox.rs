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

/// All ten rounds. Written out, so that a loop over counters vectorises. The low halves of the results are the block.
#[kernel(inline)]
fn philox_rounds(c0: u64, c1: u64, c2: u64, c3: u64, k0: u64, k1: u64) -> (u64, u64, u64, u64) {
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(c0, c1, c2, c3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    let (x0, x1, x2, x3): (u64, u64, u64, u64) = philox_round(x0, x1, x2, x3, k0, k1);
    let (k0, k1) = (k0.wrapping_add(WEYL_0), k1.wrapping_add(WEYL_1));
    philox_round(x0, x1, x2, x3, k0, k1)
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
        philox_rounds(c0 as u64, c1 as u64, c2 as u64, c3 as u64, k0 as u64, k1 as u64);
    (x0 as u32, x1 as u32, x2 as u32, x3 as u32)
}

/// Block `block` of element `index` of a stream, as two words of 64 bits.
///
/// The key is the seed (low word, high word), the counter (index low, index high, block, stream). The first word of the
/// result holds the block's words 0 (low) and 1 (high), the second its words 2 and 3.
/// Paper: salmon2011.
#[kernel(inline)]
pub fn philox_block(seed: u64, stream: u32, index: u64, block: u32) -> (u64, u64) {
    let (x0, x1, x2, x3): (u64, u64, u64, u64) =
        philox_rounds(index, index >> 32, block as u64, stream as u64, seed, seed >> 32);
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
    }
}
