//! Names by identity: equal texts of one table are one allocation, so that comparing and hashing them looks at the address.
//!
//! A preprocessor asks of every word of a program whether it is a macro, and most words are not: reading each word's letters
//! again for the answer was a quarter of the time that checking a program took.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use std::ops::Deref;
use std::rc::Rc;

/// A text that [`Names`] keeps. Names of different tables are never equal.
#[derive(Debug, Clone)]
pub(crate) struct Name(Rc<str>);

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.as_ptr().addr());
    }
}

/// By the letters, so that sorted lists do not depend on addresses.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Something for each name.
pub(crate) type NameMap<T> = HashMap<Name, T, BuildHasherDefault<AddressHasher>>;
/// A set of names, each with the number of a piece.
pub(crate) type NamesInPieces = HashSet<(Name, u32), BuildHasherDefault<AddressHasher>>;

/// Addresses are no text that somebody chose, so they need little mixing: the bits that differ go to both ends, where the
/// table looks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.wrapping_add(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// Hashes short texts, eight bytes at a time: each product of 128 bits is folded onto itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextHasher(u64);

impl TextHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for TextHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        // At most seven bytes, and in the eighth how many.
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        last[7] = rest.len() as u8;
        self.mix(u64::from_le_bytes(last));
    }

    /// What ends a `str`, so that it is not the start of another: its length has said so.
    fn write_u8(&mut self, _: u8) {}
}

/// Where a [`TextHasher`] starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seed(u64);

impl Seed {
    /// One of the process's own, so that nobody can write a file whose words collide.
    fn of_process() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

/// For sets that no file adds to.
impl Default for Seed {
    fn default() -> Self {
        Self(0x243F_6A88_85A3_08D3)
    }
}

impl BuildHasher for Seed {
    type Hasher = TextHasher;

    fn build_hasher(&self) -> TextHasher {
        TextHasher(self.0)
    }
}

/// The table of all names.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    known: HashSet<Rc<str>, Seed>,
    /// Half of a program is brackets, commas and the like.
    single: [Option<Name>; 128],
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { known: HashSet::with_hasher(Seed::of_process()), single: [const { None }; 128] }
    }

    /// The name with this text.
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        let &[byte @ 0..128] = text.as_bytes() else { return self.look_up(text) };
        if let Some(known) = &self.single[usize::from(byte)] {
            return known.clone();
        }
        let new = self.look_up(text);
        self.single[usize::from(byte)] = Some(new.clone());
        new
    }

    /// The name with this text, if there is one.
    pub(crate) fn get(&self, text: &str) -> Option<Name> {
        self.known.get(text).cloned().map(Name)
    }

    fn look_up(&mut self, text: &str) -> Name {
        if let Some(known) = self.get(text) {
            return known;
        }
        let new: Rc<str> = text.into();
        self.known.insert(new.clone());
        Name(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_name_and_others_are_not() {
        let mut names = Names::new();
        for text in ["", "x", ";", "é", "dnorm", "dnorm4", "\u{7f}"] {
            assert!(names.get(text).is_none(), "{text:?}");
            let first = names.intern(text);
            assert_eq!(&*first, text);
            assert_eq!(first, names.intern(text));
            assert_eq!(Some(first), names.get(text));
        }
        assert_ne!(names.intern("dnorm"), names.intern("dnorm4"));
        assert!(names.intern("a") < names.intern("b"), "by letters");
    }

    #[test]
    fn addresses_are_spread_over_the_table() {
        let mut names = Names::new();
        let low: HashSet<u64> = (0..1000)
            .map(|i| {
                let mut hasher = AddressHasher::default();
                names.intern(&format!("name{i}")).hash(&mut hasher);
                hasher.finish() & 0xFFF
            })
            .collect();
        // 1,000 of 4,096 places drawn at random hit 887 different ones.
        assert!(low.len() > 800, "{} places for 1,000 names", low.len());
    }
}
