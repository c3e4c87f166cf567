//! Equal values of a column as equal small numbers, in the order in which the values appear: what groups of rows are made of.

use crate::error::EvaluationError;
use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray};
use gristmill_table_io::arrow::buffer::{Buffer, NullBuffer, ScalarBuffer};
use gristmill_table_io::arrow::datatypes::DataType;
use gristmill_table_io::numbers;
use std::sync::Arc;

/// For each row the number of its value, from 0, and for each value the first row that has it. Missing values are one value,
/// both zeros are one, and all NaN are one.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Codes {
    pub(crate) of_rows: Vec<u32>,
    pub(crate) first_rows: Vec<u32>,
}

impl Codes {
    /// Of the first rows of a column.
    pub(crate) fn of(values: &KeyValues, rows: usize) -> Codes {
        match values {
            KeyValues::Words { words, are_floats: false, nulls } => of_words(&words[..rows], |w| w, nulls.as_ref()),
            KeyValues::Words { words, nulls, .. } => of_words(&words[..rows], one_zero_one_nan, nulls.as_ref()),
            KeyValues::Bytes(texts, nulls) => match texts.data_type() {
                DataType::Utf8 => {
                    let texts = texts.as_string::<i32>();
                    of_texts(|row| texts.value(row).as_bytes(), rows, nulls.as_ref())
                }
                DataType::Binary => {
                    let texts = texts.as_binary::<i32>();
                    of_texts(|row| texts.value(row), rows, nulls.as_ref())
                }
                _ => of_texts(|row| bytes_of(texts, row), rows, nulls.as_ref()),
            },
            KeyValues::Behind(places, values) => of_places(&places[..rows], values),
        }
    }

    /// Of rows that are equal in two columns.
    pub(crate) fn and(&self, other: &Codes) -> Codes {
        let mut numbering = Numbering::default();
        let count = other.first_rows.len() as u64;
        let pairs = self.of_rows.iter().zip(&other.of_rows).enumerate();
        let code = |(row, (a, b)): (usize, (&u32, &u32))| {
            numbering.number(u64::from(*a) * count + u64::from(*b), row, |_| true)
        };
        let of_rows = pairs.map(code).collect();
        Codes { of_rows, first_rows: numbering.first_places }
    }
}

/// A column as what tells its values apart.
pub(crate) enum KeyValues {
    /// Values of at most eight bytes.
    Words { words: ScalarBuffer<u64>, are_floats: bool, nulls: Option<NullBuffer> },
    /// Texts, and other values of any number of bytes.
    Bytes(ArrayRef, Option<NullBuffer>),
    /// For each row the place of its value among others; `None` where it is missing.
    Behind(Vec<Option<u32>>, Box<KeyValues>),
}

impl KeyValues {
    pub(crate) fn of(array: &ArrayRef) -> Result<KeyValues, EvaluationError> {
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        let words = |words: Vec<u64>| KeyValues::Words { words: words.into(), are_floats: false, nulls: nulls.clone() };
        let data_type = array.data_type();
        Ok(match data_type {
            DataType::Boolean => words(array.as_boolean().values().iter().map(u64::from).collect()),
            DataType::Null => words(vec![0; array.len()]),
            DataType::Float16 | DataType::Float32 => {
                let doubles = numbers(array)?;
                words_of(doubles.values().inner(), 0, array.len(), true, nulls)
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let nulls = dictionary.keys().nulls();
                let place =
                    |(row, place): (usize, usize)| nulls.is_none_or(|n| n.is_valid(row)).then_some(place as u32);
                let places = dictionary.normalized_keys().into_iter().enumerate().map(place).collect();
                KeyValues::Behind(places, Box::new(KeyValues::of(dictionary.values())?))
            }
            _ if is_bytes(data_type) => KeyValues::Bytes(array.clone(), nulls),
            _ => {
                let data = array.to_data();
                let (start, count) = (data.offset(), data.len());
                match (data_type.primitive_width(), data.buffers()) {
                    (Some(8), [buffer]) => words_of(buffer, start, count, *data_type == DataType::Float64, nulls),
                    (Some(width @ (1 | 2 | 4)), [buffer]) => {
                        let bytes = &buffer.as_slice()[start * width..(start + count) * width];
                        words(bytes.chunks_exact(width).map(word_of).collect())
                    }
                    (Some(width), [buffer]) => {
                        let bytes = buffer.slice_with_length(start * width, count * width);
                        let wide = FixedSizeBinaryArray::try_new(width as i32, bytes, None)?;
                        KeyValues::Bytes(Arc::new(wide), nulls)
                    }
                    _ => return Err(EvaluationError::NoGroups { found: data_type.to_string() }),
                }
            }
        })
    }

    /// Appends bytes that are equal where the values at two places are, and different where they are not: also behind or
    /// before those of other columns.
    pub(crate) fn append(&self, place: usize, key: &mut Vec<u8>) {
        match self {
            KeyValues::Words { nulls: Some(nulls), .. } | KeyValues::Bytes(_, Some(nulls)) if nulls.is_null(place) => {
                key.push(0);
            }
            KeyValues::Words { words, are_floats, .. } => {
                let word = if *are_floats { one_zero_one_nan(words[place]) } else { words[place] };
                key.push(1);
                key.extend_from_slice(&word.to_ne_bytes());
            }
            KeyValues::Bytes(array, _) => {
                let text = bytes_of(array, place);
                key.push(1);
                key.extend_from_slice(&(text.len() as u64).to_ne_bytes());
                key.extend_from_slice(text);
            }
            KeyValues::Behind(places, values) => match places[place] {
                Some(place) => values.append(place as usize, key),
                None => key.push(0),
            },
        }
    }

    /// The number of the value at a place.
    fn number(&self, place: usize, numbering: &mut Numbering) -> u32 {
        match self {
            KeyValues::Words { nulls: Some(nulls), .. } | KeyValues::Bytes(_, Some(nulls)) if nulls.is_null(place) => {
                numbering.of_missing(place)
            }
            KeyValues::Words { words, are_floats, .. } => {
                let word = if *are_floats { one_zero_one_nan(words[place]) } else { words[place] };
                numbering.number(word, place, |_| true)
            }
            KeyValues::Bytes(array, _) => {
                let text = bytes_of(array, place);
                numbering.number(word_of(text), place, |first| bytes_of(array, first) == text)
            }
            KeyValues::Behind(places, values) => match places[place] {
                Some(place) => values.number(place as usize, numbering),
                None => numbering.of_missing(place),
            },
        }
    }
}

fn words_of(buffer: &Buffer, start: usize, count: usize, are_floats: bool, nulls: Option<NullBuffer>) -> KeyValues {
    KeyValues::Words { words: ScalarBuffer::new(buffer.clone(), start, count), are_floats, nulls }
}

/// The bits of a double, the same for both zeros and for all NaN.
#[inline]
fn one_zero_one_nan(bits: u64) -> u64 {
    match bits << 1 {
        0 => 0,
        without_sign if without_sign > f64::INFINITY.to_bits() << 1 => f64::NAN.to_bits(),
        _ => bits,
    }
}

fn is_bytes(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
    )
}

/// The bytes of a value of an array of text or bytes; none of another array.
pub(crate) fn bytes_of(array: &ArrayRef, row: usize) -> &[u8] {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
        DataType::Utf8View => array.as_string_view().value(row).as_bytes(),
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row),
        _ => &[],
    }
}

fn of_words(words: &[u64], same: impl Fn(u64) -> u64, nulls: Option<&NullBuffer>) -> Codes {
    let mut numbering = Numbering::default();
    let of_rows = match nulls {
        None => {
            // Many tables are sorted by their groups, at least in stretches.
            let mut last = None;
            let code = |(row, word): (usize, &u64)| match last {
                Some((before, code)) if before == *word => code,
                _ => {
                    let code = numbering.number(same(*word), row, |_| true);
                    last = Some((*word, code));
                    code
                }
            };
            words.iter().enumerate().map(code).collect()
        }
        Some(nulls) => {
            let code = |(row, word): (usize, &u64)| match nulls.is_null(row) {
                true => numbering.of_missing(row),
                false => numbering.number(same(*word), row, |_| true),
            };
            words.iter().enumerate().map(code).collect()
        }
    };
    Codes { of_rows, first_rows: numbering.first_places }
}

fn of_texts<'a>(text: impl Fn(usize) -> &'a [u8], rows: usize, nulls: Option<&NullBuffer>) -> Codes {
    let mut numbering = Numbering::default();
    let code = |row| match nulls.is_some_and(|nulls| nulls.is_null(row)) {
        true => numbering.of_missing(row),
        false => {
            let here = text(row);
            numbering.number(word_of(here), row, |first| here.len() < LONG || text(first) == here)
        }
    };
    let of_rows = (0..rows).map(code).collect();
    Codes { of_rows, first_rows: numbering.first_places }
}

fn of_places(places: &[Option<u32>], values: &KeyValues) -> Codes {
    const UNKNOWN: u32 = u32::MAX;
    let most = places.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut codes = vec![UNKNOWN; most];
    // Only of values that are used, of which several may be equal.
    let mut numbering = Numbering::default();
    let (mut of_rows, mut first_rows) = (Vec::with_capacity(places.len()), Vec::new());
    for (row, place) in places.iter().enumerate() {
        let code = match place {
            None => numbering.of_missing(0),
            Some(place) => {
                let known = &mut codes[*place as usize];
                if *known == UNKNOWN {
                    *known = values.number(*place as usize, &mut numbering);
                }
                *known
            }
        };
        if code as usize == first_rows.len() {
            first_rows.push(row as u32);
        }
        of_rows.push(code);
    }
    Codes { of_rows, first_rows }
}

/// Texts of at least so many bytes are not told apart by their words alone.
const LONG: usize = 8;

/// A short text as a word, which says how long it is; a hash of a long one, which is none of those.
#[inline]
fn word_of(text: &[u8]) -> u64 {
    if text.len() < LONG {
        text.iter().fold(text.len() as u64, |word, byte| word << 8 | u64::from(*byte))
    } else {
        hash_of(text) | 0xff << 56
    }
}

/// A hash of eight bytes at a time.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| mixed(hash ^ u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mixed(hash ^ u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56)
}

/// A product of 128 bits, folded.
#[inline]
fn mixed(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ ((product >> 64) as u64)
}

/// Numbers of values in the order in which they appear: a hash table whose entries are the numbers.
#[derive(Default)]
pub(crate) struct Numbering {
    /// A number and one, or zero; at most half of them are taken.
    slots: Vec<u32>,
    /// For each number.
    words: Vec<u64>,
    first_places: Vec<u32>,
    /// The number of what is missing.
    missing: Option<u32>,
}

impl Numbering {
    /// The number of a value that has this word and stands at this place; `is_same` says whether the value that first stood at
    /// another place, with the same word, is this one.
    #[inline]
    pub(crate) fn number(&mut self, word: u64, place: usize, is_same: impl Fn(usize) -> bool) -> u32 {
        if self.slots.len() < 2 * (self.words.len() + 1) {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = mixed(word) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.slots[slot] = self.words.len() as u32 + 1;
                    return self.add(word, place);
                }
                taken => {
                    let number = taken as usize - 1;
                    if self.words[number] == word && is_same(self.first_places[number] as usize) {
                        return number as u32;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a value that may have none.
    pub(crate) fn find(&self, word: u64, is_same: impl Fn(usize) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = mixed(word) as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            let place = number as usize;
            if self.words[place] == word && is_same(self.first_places[place] as usize) {
                return Some(number);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    fn of_missing(&mut self, place: usize) -> u32 {
        match self.missing {
            Some(number) => number,
            None => {
                let number = self.add(0, place);
                self.missing = Some(number);
                number
            }
        }
    }

    fn add(&mut self, word: u64, place: usize) -> u32 {
        self.words.push(word);
        self.first_places.push(place as u32);
        self.words.len() as u32 - 1
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; (2 * self.slots.len()).max(256)];
        let mask = self.slots.len() - 1;
        for (number, word) in self.words.iter().enumerate().filter(|(number, _)| self.missing != Some(*number as u32)) {
            let mut slot = mixed(*word) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_table_io::arrow::array::{
        BooleanArray, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int8Array, Int64Array, StringArray,
        StringViewArray,
    };

    fn codes(array: ArrayRef) -> Vec<u32> {
        let rows = array.len();
        let values = KeyValues::of(&array).expect("a column that makes groups");
        let codes = Codes::of(&values, rows);
        // Every row has the bytes of the first row of its group, and of no other.
        let bytes = |row: usize| {
            let mut bytes = Vec::new();
            values.append(row, &mut bytes);
            bytes
        };
        for (row, code) in codes.of_rows.iter().enumerate() {
            for (other, first) in codes.first_rows.iter().enumerate() {
                assert_eq!(bytes(row) == bytes(*first as usize), *code as usize == other, "row {row}, group {other}");
            }
        }
        codes.of_rows
    }

    #[test]
    fn equal_values_of_every_type_have_equal_numbers_in_the_order_of_their_appearance() {
        let nan = f64::from_bits(0x7ff8_0000_0000_0001);
        let floats =
            vec![Some(1.0), Some(0.0), None, Some(-0.0), Some(f64::NAN), Some(-nan), Some(nan), Some(1.0), None];
        let expected = [0, 1, 2, 1, 3, 3, 3, 0, 2];
        assert_eq!(codes(Arc::new(Float64Array::from(floats.clone()))), expected);
        let singles: Float32Array = floats.iter().map(|x| x.map(|x| x as f32)).collect();
        assert_eq!(codes(Arc::new(singles)), expected);
        assert_eq!(codes(Arc::new(Float64Array::from(vec![2.0, 2.0, -0.0, 0.0, 2.0]))), [0, 0, 1, 1, 0]);
        assert_eq!(codes(Arc::new(Int64Array::from(vec![7, -1, 7, 0]).slice(1, 3))), [0, 1, 2]);
        assert_eq!(codes(Arc::new(Int8Array::from(vec![Some(-1), None, Some(1), Some(-1)]))), [0, 1, 2, 0]);
        assert_eq!(codes(Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]))), [0, 1, 2, 0]);
        assert_eq!(codes(Arc::new(Decimal128Array::from(vec![1 << 70, 5, 1 << 70]).slice(0, 3))), [0, 1, 0]);
        let long = "a text of more than eight bytes";
        let texts =
            vec![Some(""), None, Some("a"), Some(long), Some("\u{0}"), Some(""), Some(long), Some("a\u{0}"), None];
        let expected = [0, 1, 2, 3, 4, 0, 3, 5, 1];
        assert_eq!(codes(Arc::new(StringArray::from(texts.clone()))), expected);
        assert_eq!(codes(Arc::new(StringViewArray::from(texts))), expected);
    }

    #[test]
    fn values_behind_keys_are_told_apart_by_what_they_are() {
        let values: ArrayRef = Arc::new(StringArray::from(vec![Some("b"), Some("a"), None, Some("a")]));
        let keys = Int8Array::from(vec![Some(3), Some(2), Some(1), None, Some(0), Some(3)]);
        assert_eq!(codes(Arc::new(DictionaryArray::new(keys, values))), [0, 1, 0, 1, 2, 0]);
    }

    #[test]
    fn more_values_than_there_is_room_for_at_first_keep_their_numbers() {
        let values: Vec<Option<i64>> = (0..1000).map(|i| (i % 500 != 77).then_some(i % 500 * 1_000_003)).collect();
        let expected: Vec<u32> = (0..1000).map(|i| i % 500).collect();
        assert_eq!(codes(Arc::new(Int64Array::from(values))), expected);
    }

    #[test]
    fn rows_are_equal_in_two_columns_where_they_are_equal_in_both() {
        let of = |values: &[i64]| {
            let array: ArrayRef = Arc::new(Int64Array::from(values.to_vec()));
            Codes::of(&KeyValues::of(&array).expect("integers"), values.len())
        };
        let both = of(&[1, 1, 2, 2, 1]).and(&of(&[3, 4, 3, 4, 3]));
        assert_eq!(both, Codes { of_rows: vec![0, 1, 2, 3, 0], first_rows: vec![0, 1, 2, 3] });
    }
}
