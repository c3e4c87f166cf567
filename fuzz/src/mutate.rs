//! Damage, made from a number: the same number gives the same damage.

/// A generator of numbers (SplitMix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The generator for one input of a run.
    pub fn new(seed: u64, input: u64) -> Rng {
        let mut rng = Rng(seed ^ input.wrapping_mul(0xd134_2543_de82_ef95));
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// Numbers at which lengths, counts and offsets go wrong.
const NUMBERS: [i64; 26] = [
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    16,
    63,
    64,
    127,
    128,
    255,
    256,
    32_767,
    65_535,
    65_536,
    1 << 20,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    1 << 40,
    1 << 60,
    i64::MAX,
    i64::MIN,
    1_000_000_000_000_000_000,
];

/// No input is longer.
const LONGEST: usize = 1 << 16;

/// A damaged copy of one of the seeds.
pub fn damaged(seeds: &[Vec<u8>], tokens: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..1 + rng.below(4) + if rng.below(8) == 0 { rng.below(24) } else { 0 } {
        change(&mut bytes, seeds, tokens, rng);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], tokens: &[&str], rng: &mut Rng) {
    let at = rng.below(bytes.len());
    let end = at + rng.below(bytes.len() - at + 1).min(1 << rng.below(12));
    match rng.below(12) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.below(256) as u8;
            }
        }
        // A number of one to eight bytes.
        3..=5 => {
            let width = 1 << rng.below(4);
            let number = rng.pick(&NUMBERS).copied().unwrap_or_default().wrapping_add(rng.below(3) as i64 - 1);
            let mut digits = number.to_le_bytes();
            if rng.below(4) == 0 {
                digits[..width].reverse();
            }
            // Formats put their numbers at multiples of their size, most often.
            let at = if rng.below(2) == 0 { at / width * width } else { at };
            bytes.iter_mut().skip(at).take(width).zip(digits).for_each(|(byte, digit)| *byte = digit);
        }
        6 => drop(bytes.drain(at..end)),
        7 => {
            let part = bytes[at..end].to_vec();
            let to = rng.below(bytes.len());
            let _ = bytes.splice(to..to, part);
        }
        8 => {
            let other = rng.pick(seeds).map_or(&[][..], Vec::as_slice);
            let from = rng.below(other.len());
            let part = other[from..from + rng.below(other.len() - from + 1)].to_vec();
            let _ = bytes.splice(at..end, part);
        }
        9 => bytes.truncate(at),
        10 => {
            let token = rng.pick(tokens).map_or(Vec::new(), |t| t.as_bytes().to_vec());
            let count = if rng.below(16) == 0 { 1 + rng.below(500) } else { 1 };
            let _ = bytes.splice(at..if rng.below(2) == 0 { at } else { end }, token.repeat(count));
        }
        _ => {
            // A number in digits.
            let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| at + i) else { return };
            let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
            let number = rng.pick(&NUMBERS).copied().unwrap_or_default().to_string();
            let _ = bytes.splice(start..start + length, number.into_bytes());
        }
    }
}
