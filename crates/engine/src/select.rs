//! Quantiles over all rows: exact, in bounded memory.
//!
//! A value's place in the order is a 64-bit key. Up to [`HELD`] values are kept. When there are more, keys are counted in
//! 65,536 buckets instead, and of the values only those are kept that lie where the first ones let expect the quantile: with
//! rows in random order it is among them, and one pass over the table is enough. If not, the next pass looks into its
//! bucket alone. A bucket of a bucket of a bucket holds 65,536 keys: four passes are always enough.

use crate::reduce::Reduced;
use std::collections::BTreeMap;

/// Values that are kept at once: 8 MiB.
const HELD: usize = 1 << 20;
/// Bits of a key that one pass decides.
const BITS: u32 = 16;

/// Quantiles of one column under way.
#[derive(Debug)]
pub(crate) struct Selection {
    /// The probabilities.
    wanted: Vec<f64>,
    skip_missing: bool,
    has_missing: bool,
    has_nan: bool,
    /// Values that count; known after the first pass.
    count: u64,
    first_pass: bool,
    ranges: Vec<Range>,
    guesses: Vec<Guess>,
    /// Keys at ranks that are known by now.
    known: BTreeMap<u64, u64>,
    held: usize,
}

/// What a pass left.
pub(crate) enum Selected {
    /// A result for each probability.
    Done(Vec<Reduced>),
    /// The rows have to be added once more.
    Again(Selection),
}

/// The keys from `first` on that differ from it in the lowest `shift + BITS` bits.
#[derive(Debug)]
struct Range {
    first: u64,
    /// A bucket has `2^shift` keys.
    shift: u32,
    /// Values below all of these.
    below: u64,
    keys: Vec<u64>,
    /// How many are in each bucket, once there are too many to keep.
    counts: Vec<u64>,
}

/// Where a quantile is expected.
#[derive(Debug)]
struct Guess {
    first: u64,
    last: u64,
    below: u64,
    keys: Vec<u64>,
}

/// Keys are in the order of the numbers. Both zeros are one.
#[inline]
fn key(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

impl Range {
    const ALL: Range = Range { first: 0, shift: 64 - BITS, below: 0, keys: Vec::new(), counts: Vec::new() };

    fn contains(&self, key: u64) -> bool {
        key >= self.first && ((key - self.first) >> self.shift) >> BITS == 0
    }

    fn bucket(&self, key: u64) -> usize {
        ((key - self.first) >> self.shift) as usize
    }

    /// Counts the keys from now on.
    fn count_keys(&mut self) {
        let mut counts = vec![0; 1 << BITS];
        self.keys.iter().for_each(|key| counts[self.bucket(*key)] += 1);
        (self.keys, self.counts) = (Vec::new(), counts);
    }

    /// The key at a rank of all values, or the bucket that it is in; `None` if it is not among these.
    fn at(&mut self, rank: u64) -> Option<Result<u64, Range>> {
        let mut rank = rank.checked_sub(self.below)?;
        if self.counts.is_empty() {
            let place = usize::try_from(rank).ok().filter(|place| *place < self.keys.len())?;
            return Some(Ok(*self.keys.select_nth_unstable(place).1));
        }
        let mut below = self.below;
        for (bucket, count) in self.counts.iter().enumerate() {
            if rank < *count {
                let first = self.first + ((bucket as u64) << self.shift);
                return Some(match self.shift.checked_sub(BITS) {
                    Some(shift) => Err(Range { first, shift, below, ..Range::ALL }),
                    None => Ok(first),
                });
            }
            (rank, below) = (rank - count, below + count);
        }
        None
    }
}

impl Guess {
    /// About the quantile of the first values, a hundredth of them to each side.
    fn new(sample: &mut [u64], probability: f64) -> Guess {
        let (middle, width) = (probability * (sample.len() - 1) as f64, sample.len() as f64 / 100.0);
        let (from, to) = ((middle - width).ceil(), (middle + width).floor());
        let first = if from <= 0.0 { 0 } else { *sample.select_nth_unstable(from as usize).1 };
        let ends = to >= (sample.len() - 1) as f64;
        let last = if ends { u64::MAX } else { *sample.select_nth_unstable(to as usize).1 };
        let mut guess = Guess { first, last, below: 0, keys: Vec::new() };
        sample.iter().for_each(|key| guess.add(*key));
        guess
    }

    #[inline]
    fn add(&mut self, key: u64) {
        if key < self.first {
            self.below += 1;
        } else if key <= self.last {
            self.keys.push(key);
        }
    }

    fn at(&mut self, rank: u64) -> Option<u64> {
        let place = usize::try_from(rank.checked_sub(self.below)?).ok().filter(|place| *place < self.keys.len())?;
        Some(*self.keys.select_nth_unstable(place).1)
    }
}

impl Selection {
    pub(crate) fn new(wanted: Vec<f64>, skip_missing: bool) -> Selection {
        Selection {
            wanted,
            skip_missing,
            has_missing: false,
            has_nan: false,
            count: 0,
            first_pass: true,
            ranges: vec![Range::ALL],
            guesses: Vec::new(),
            known: BTreeMap::new(),
            held: HELD,
        }
    }

    pub(crate) fn push(&mut self, values: &[f64], missing: Option<&[bool]>) {
        for (i, x) in values.iter().enumerate() {
            if missing.is_some_and(|m| m[i]) {
                self.has_missing = true;
            } else if x.is_nan() {
                self.has_nan = true;
            } else {
                self.add(key(*x));
            }
        }
    }

    #[inline]
    fn add(&mut self, key: u64) {
        self.count += u64::from(self.first_pass);
        let held = self.held;
        let mut fresh_guesses = None;
        let mut ranges = self.ranges.iter_mut();
        if let Some(range) = ranges.find(|range| range.contains(key)) {
            if !range.counts.is_empty() {
                let bucket = range.bucket(key);
                range.counts[bucket] += 1;
            } else if range.keys.len() < held {
                range.keys.push(key);
                return;
            } else {
                if self.first_pass {
                    let sample = &mut range.keys;
                    fresh_guesses = Some(self.wanted.iter().map(|p| Guess::new(sample, *p)).collect());
                }
                range.count_keys();
                let bucket = range.bucket(key);
                range.counts[bucket] += 1;
            }
        }
        if let Some(guesses) = fresh_guesses {
            self.guesses = guesses;
        }
        self.guesses.iter_mut().for_each(|guess| guess.add(key));
        self.guesses.retain(|guess| guess.keys.len() <= held);
    }

    fn ranks(&self, probability: f64) -> (u64, u64, f64) {
        ranks(self.count, probability)
    }

    pub(crate) fn finish(mut self) -> Selected {
        let unknown = Reduced { value: 0.0, missing: true };
        if (self.has_missing && !self.skip_missing) || (self.count == 0 && !self.has_nan) {
            return Selected::Done(vec![unknown; self.wanted.len()]);
        }
        if self.has_nan && !self.skip_missing {
            return Selected::Done(vec![Reduced { value: f64::NAN, missing: false }; self.wanted.len()]);
        }
        if self.count == 0 {
            return Selected::Done(vec![unknown; self.wanted.len()]);
        }
        let mut next: BTreeMap<u64, Range> = BTreeMap::new();
        let ranks: Vec<u64> = self.wanted.iter().flat_map(|p| [self.ranks(*p).0, self.ranks(*p).1]).collect();
        for rank in ranks {
            if self.known.contains_key(&rank) {
                continue;
            }
            let guessed = self.guesses.iter_mut().find_map(|guess| guess.at(rank));
            let found = match guessed {
                Some(key) => Some(Ok(key)),
                None => self.ranges.iter_mut().find_map(|range| range.at(rank)),
            };
            match found {
                Some(Ok(key)) => {
                    self.known.insert(rank, key);
                }
                Some(Err(range)) => {
                    next.insert(range.first, range);
                }
                // Other rows than in the pass before; whoever reads the table finds out.
                None => {
                    self.known.insert(rank, 0);
                }
            }
        }
        if !next.is_empty() {
            (self.ranges, self.guesses, self.first_pass) = (next.into_values().collect(), Vec::new(), false);
            return Selected::Again(self);
        }
        let at = |rank: u64| self.known.get(&rank).map_or(f64::NAN, |key| value(*key));
        let quantile = |p: &f64| {
            let (low, high, part) = self.ranks(*p);
            between(at(low), at(high), part)
        };
        Selected::Done(self.wanted.iter().map(|p| Reduced { value: quantile(p), missing: false }).collect())
    }
}

/// The two ranks between which a quantile lies, from 0, and how far it is from the first to the second: R's type 7, counted
/// from 1 as R counts, so that the part rounds alike.
fn ranks(count: u64, probability: f64) -> (u64, u64, f64) {
    let index = 1.0 + count.saturating_sub(1) as f64 * probability;
    (index.floor() as u64 - 1, index.ceil() as u64 - 1, index - index.floor())
}

/// The number a part of the way from one to another. Equal ones give themselves: infinite ones have no difference.
fn between(low: f64, high: f64, part: f64) -> f64 {
    if part == 0.0 || low == high { low } else { (1.0 - part) * low + part * high }
}

/// The quantile of values that are all there and all numbers; `None` of none.
pub(crate) fn quantile_of(values: &mut [f64], probability: f64) -> Option<f64> {
    let (low, _, part) = ranks(values.len() as u64, probability);
    let low = usize::try_from(low).ok().filter(|low| *low < values.len())?;
    let (_, low, above) = values.select_nth_unstable_by(low, f64::total_cmp);
    let (low, high) = (*low, above.iter().copied().min_by(f64::total_cmp));
    // The zero that a key would have given.
    Some(between(low, high.unwrap_or(low), part) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many passes with little memory.
    fn select(values: &[f64], wanted: &[f64], held: usize) -> (Vec<f64>, usize) {
        let mut selection = Selection { held, ..Selection::new(wanted.to_vec(), false) };
        for passes in 1.. {
            values.chunks(77).for_each(|chunk| selection.push(chunk, None));
            match selection.finish() {
                Selected::Done(results) => return (results.iter().map(|r| r.value).collect(), passes),
                Selected::Again(next) => selection = next,
            }
        }
        unreachable!()
    }

    fn sorted(values: &[f64], p: f64) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let index = 1.0 + (sorted.len() - 1) as f64 * p;
        between(sorted[index.floor() as usize - 1], sorted[index.ceil() as usize - 1], index - index.floor())
    }

    /// Values as they come, sorted both ways, few different ones, and from the smallest to the largest double.
    #[test]
    fn every_quantile_is_that_of_the_sorted_values_however_little_is_held() {
        let noise = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1_u64 << 53) as f64;
        let random: Vec<f64> = (0..20_000).map(noise).collect();
        let mut rising = random.clone();
        rising.sort_by(f64::total_cmp);
        let falling: Vec<f64> = rising.iter().rev().copied().collect();
        let few: Vec<f64> = random.iter().map(|x| (x * 3.0).floor() - 1.0).collect();
        let wide: Vec<f64> = random
            .iter()
            .map(|x| f64::from_bits((x * 1e19) as u64))
            .map(|x| if x.is_nan() { f64::INFINITY } else { x })
            .collect();
        let near: Vec<f64> = random.iter().map(|x| f64::from_bits(1.0_f64.to_bits() + (x * 5000.0) as u64)).collect();
        let wanted = [0.0, 0.001, 0.25, 0.5, 0.77, 0.999, 1.0];
        for (name, values) in [
            ("random", &random),
            ("rising", &rising),
            ("falling", &falling),
            ("few", &few),
            ("wide", &wide),
            ("near", &near),
        ] {
            for held in [10, 500, 3000, 100_000] {
                let (found, passes) = select(values, &wanted, held);
                for (p, found) in wanted.iter().zip(found) {
                    let expected = sorted(values, *p);
                    assert_eq!(found.to_bits(), (expected + 0.0).to_bits(), "{name}, {p}, {held} held");
                    let mut copy = values.clone();
                    assert_eq!(quantile_of(&mut copy, *p).map(f64::to_bits), Some(found.to_bits()), "{name}, {p}");
                }
                assert!(passes <= 4, "{name}: {passes} passes");
            }
        }
        // In random order the guess holds.
        assert_eq!(select(&random, &[0.25, 0.5], 3000).1, 1);
    }

    #[test]
    fn missing_values_and_nan_follow_r() {
        let finish = |values: &[f64], missing: Option<&[bool]>, skip| {
            let mut selection = Selection::new(vec![0.5], skip);
            selection.push(values, missing);
            match selection.finish() {
                Selected::Done(results) => results[0],
                Selected::Again(_) => panic!("few values take one pass"),
            }
        };
        let known = |value| Reduced { value, missing: false };
        assert!(finish(&[], None, false).missing && finish(&[], None, true).missing);
        assert!(finish(&[f64::NAN], None, false).value.is_nan());
        assert!(finish(&[f64::NAN], None, true).missing);
        assert!(finish(&[1.0, 2.0], Some(&[false, true]), false).missing);
        assert_eq!(finish(&[1.0, 2.0], Some(&[false, true]), true), known(1.0));
        assert_eq!(finish(&[1.0, f64::NAN, 4.0], None, true), known(2.5));
        assert_eq!(finish(&[f64::INFINITY; 2], None, false), known(f64::INFINITY));
    }
}
