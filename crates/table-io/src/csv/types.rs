//! What the values of a text column are: what stands for missing ones, and the type that holds all others without loss.
//!
//! | all values of the column | type |
//! |---|---|
//! | `TRUE`, `FALSE`, also `true`, `True` and so on | truth values; `T` and `F` alone are text, because they are also initials |
//! | integers | 64 bits with sign, or without if one needs it |
//! | decimals, `1e5`, `Inf`, `NaN`, and integers that a double holds exactly | double |
//! | all else: `007`, `+5`, integers beyond 64 bits, `1e999`, dates | text, to the letter |
//!
//! Blanks around a number and quotes do not count. What would come back as another number or name is text.

use crate::arrow::array::{ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, StringArray, UInt64Array};
use crate::csv::records::{Block, Field, for_each_record};
use std::sync::Arc;

/// What stands for a missing value in a text table. Empty fields always do; in a column of text, those without quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Missing {
    /// `NA` without quotes too, in columns that otherwise hold nothing but numbers or truth values.
    #[default]
    Usual,
    /// These words too, in every column; in a column of text, without quotes.
    Words(Vec<String>),
}

impl Missing {
    /// Whether a field of a column of numbers or truth values is missing.
    pub(crate) fn in_numbers(&self, field: Field<'_>) -> bool {
        let text = field.text.trim_ascii();
        text.is_empty()
            || match self {
                Missing::Usual => !field.quoted && text == b"NA",
                Missing::Words(words) => words.iter().any(|word| word.as_bytes() == text),
            }
    }

    /// Whether a field of a column of text is missing.
    pub(crate) fn in_text(&self, field: Field<'_>) -> bool {
        let is_word = || match self {
            Missing::Usual => false,
            Missing::Words(words) => words.iter().any(|word| word.as_bytes() == field.text),
        };
        !field.quoted && (field.text.is_empty() || is_word())
    }

    /// Whether a number can stand for a missing value.
    pub(crate) fn has_numbers(&self) -> bool {
        matches!(self, Missing::Words(words) if words.iter().any(|word| number(word.as_bytes()).is_some()))
    }

    /// Whether a field would be missing if its column were of another type.
    pub(crate) fn is_kept_as_text(&self, field: Field<'_>) -> bool {
        *self == Missing::Usual && !field.quoted && field.text == b"NA"
    }
}

/// A number as R's `read.csv` takes it, truth values as 1 and 0.
pub(crate) fn number(text: &[u8]) -> Option<f64> {
    match fast_float2::parse(text) {
        Ok(value) => Some(value),
        Err(_) => match text {
            b"T" => Some(1.0),
            b"F" => Some(0.0),
            _ => truth(text).map(|truth| f64::from(u8::from(truth))),
        },
    }
}

/// A truth value.
pub(crate) fn truth(text: &[u8]) -> Option<bool> {
    match text {
        b"TRUE" | b"true" | b"True" => Some(true),
        b"FALSE" | b"false" | b"False" => Some(false),
        _ => None,
    }
}

/// From here on, doubles skip integers.
const LARGE: u64 = 1 << 53;

/// Whether a double may be another number than the integer that this text is.
pub(crate) fn is_large_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && as_u64(digits).is_none_or(|value| value > LARGE)
}

/// Whether a decimal has more digits than a double can tell apart.
pub(crate) fn is_long_decimal(text: &[u8]) -> bool {
    let mantissa = text.split(|b| matches!(b, b'e' | b'E')).next().unwrap_or_default();
    let mut digits = mantissa.iter().filter(|b| b.is_ascii_digit()).skip_while(|b| **b == b'0');
    let count = digits.by_ref().take(17).count();
    // Zeros at the end tell nothing.
    count == 17 && digits.any(|b| *b != b'0') && mantissa.contains(&b'.')
}

fn as_u64(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextType {
    /// All values are missing.
    Missing,
    Truth,
    Integer,
    Unsigned,
    Double,
    Text,
}

/// The kinds of values that a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds(u16);

impl Kinds {
    const INTEGER: Kinds = Kinds(1);
    const NEGATIVE: Kinds = Kinds(2);
    /// Needs all 64 bits for its size.
    const UNSIGNED: Kinds = Kinds(4);
    const BEYOND_64_BITS: Kinds = Kinds(8);
    /// A double is another number.
    const INEXACT: Kinds = Kinds(16);
    const DECIMAL: Kinds = Kinds(32);
    const TRUTH: Kinds = Kinds(64);
    /// Empty, in quotes: missing among numbers, an empty text among texts.
    const EMPTY: Kinds = Kinds(128);
    const TEXT: Kinds = Kinds(256);

    fn has(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether one of these values is text.
    pub(crate) fn has_text(self) -> bool {
        self.has(Kinds::TEXT)
    }

    /// Whether these values can be those of a column of truth values.
    pub(crate) fn may_be_truth(self) -> bool {
        !self.has(Kinds::INTEGER.and(Kinds::DECIMAL).and(Kinds::TEXT))
    }

    /// The kind of a value that is not missing.
    fn of(text: &[u8]) -> Kinds {
        let (negative, digits) = match text.strip_prefix(b"-") {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
            return Kinds::of_digits(negative, digits);
        }
        let unsigned = text.strip_prefix(b"+").unwrap_or(digits);
        let leading_zero = unsigned.len() > 1 && unsigned[0] == b'0' && unsigned[1].is_ascii_digit();
        // A telephone number has a plus sign too.
        let with_plus = unsigned.len() < text.len() && !negative && unsigned.iter().all(u8::is_ascii_digit);
        if leading_zero || with_plus {
            return Kinds::TEXT;
        }
        match fast_float2::parse::<f64, _>(text) {
            // Neither overflows to infinity nor underflows to zero.
            Ok(value) if value.is_normal() || is_special(unsigned, value) => Kinds::DECIMAL,
            Ok(_) => Kinds::TEXT,
            Err(_) if truth(text).is_some() => Kinds::TRUTH,
            Err(_) => Kinds::TEXT,
        }
    }

    fn of_digits(negative: bool, digits: &[u8]) -> Kinds {
        if digits == b"0" {
            // Only a double has a zero with a sign.
            return if negative { Kinds::DECIMAL } else { Kinds::INTEGER };
        }
        if digits[0] == b'0' {
            return Kinds::TEXT;
        }
        let mut kinds = Kinds::INTEGER;
        if negative {
            kinds = kinds.and(Kinds::NEGATIVE);
        }
        let Some(size) = as_u64(digits) else {
            let exact = fast_float2::parse::<f64, _>(digits).is_ok_and(|v| format!("{v:.0}").as_bytes() == digits);
            return kinds.and(Kinds::BEYOND_64_BITS).and(if exact { kinds } else { Kinds::INEXACT });
        };
        if size > LARGE && u128::from(size) != (size as f64) as u128 {
            kinds = kinds.and(Kinds::INEXACT);
        }
        match (negative, i64::MAX.unsigned_abs()) {
            (true, most) if size > most + 1 => kinds.and(Kinds::BEYOND_64_BITS),
            (false, most) if size > most => kinds.and(Kinds::UNSIGNED),
            _ => kinds,
        }
    }

    /// Adds the kinds of a block's values to those of its columns.
    pub(crate) fn of_block(kinds: &mut [Kinds], block: &Block, delimiter: u8, missing: &Missing) {
        // The closure never fails: rows that are too short or too long are reported when they are parsed.
        let _ = for_each_record(block, delimiter, |record| {
            for (kinds, field) in kinds.iter_mut().zip(record.fields) {
                if !kinds.has(Kinds::TEXT) {
                    *kinds = kinds.and(Kinds::of_field(field, missing));
                }
            }
            Ok::<(), ()>(())
        });
    }

    pub(crate) fn of_field(field: Field<'_>, missing: &Missing) -> Kinds {
        if !missing.in_numbers(field) {
            Kinds::of(field.text.trim_ascii())
        } else if missing.in_text(field) || !field.text.is_empty() {
            Kinds::default()
        } else {
            Kinds::EMPTY
        }
    }

    /// The type that holds all values as they are.
    pub(crate) fn column_type(self) -> TextType {
        let numbers = Kinds::INTEGER.and(Kinds::DECIMAL);
        if self == Kinds::default() {
            TextType::Missing
        } else if self.has(Kinds::TEXT) || (self.has(Kinds::TRUTH) && self.has(numbers)) {
            TextType::Text
        } else if self.has(Kinds::TRUTH) {
            TextType::Truth
        } else if self.has(Kinds::DECIMAL) {
            if self.has(Kinds::INEXACT) { TextType::Text } else { TextType::Double }
        } else if self.has(Kinds::BEYOND_64_BITS) || (self.has(Kinds::UNSIGNED) && self.has(Kinds::NEGATIVE)) {
            TextType::Text
        } else if self.has(Kinds::UNSIGNED) {
            TextType::Unsigned
        } else if self.has(Kinds::INTEGER) {
            TextType::Integer
        } else {
            TextType::Text
        }
    }
}

/// The type of some texts as a column, `NA` missing where the others are numbers or truth values, and the column: typed, or
/// with the texts as they are.
pub fn column_of_texts(texts: &BinaryArray, missing: &Missing, typed: bool) -> ArrayRef {
    let is_missing = |text: &[u8]| missing.in_numbers(Field::plain(text));
    let kinds = texts.iter().flatten().filter(|text| !is_missing(text)).map(|text| Kinds::of(text.trim_ascii()));
    let column_type = kinds.fold(Kinds::default(), Kinds::and).column_type();
    let is_text = matches!(column_type, TextType::Text);
    let kept: Vec<Option<&[u8]>> = texts.iter().map(|text| text.filter(|text| is_text || !is_missing(text))).collect();
    if !typed {
        return Arc::new(BinaryArray::from(kept));
    }
    let parsed = kept.iter().map(|text| text.map(|text| text.trim_ascii()));
    let integer = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    let unsigned = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    match column_type {
        TextType::Truth => Arc::new(BooleanArray::from_iter(parsed.map(|text| text.and_then(truth)))),
        TextType::Integer => Arc::new(Int64Array::from_iter(parsed.map(|text| text.and_then(integer)))),
        TextType::Unsigned => Arc::new(UInt64Array::from_iter(parsed.map(|text| text.and_then(unsigned)))),
        TextType::Double => Arc::new(Float64Array::from_iter(parsed.map(|text| text.and_then(number)))),
        TextType::Text | TextType::Missing => {
            Arc::new(StringArray::from_iter(kept.iter().map(|text| text.map(String::from_utf8_lossy))))
        }
    }
}

/// A double that is no normal number and yet what the text says: zero, subnormal, infinite or NaN.
fn is_special(text: &[u8], value: f64) -> bool {
    let has_digits = text.iter().any(u8::is_ascii_digit);
    if !value.is_finite() {
        return !has_digits;
    }
    let mantissa = text.split(|b| matches!(b, b'e' | b'E')).next().unwrap_or_default();
    value != 0.0 || mantissa.iter().all(|b| matches!(b, b'0' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_of(values: &[&str]) -> TextType {
        let text: String = values.iter().map(|v| format!("{v},x\n")).collect();
        let mut kinds = [Kinds::default()];
        Kinds::of_block(&mut kinds, &Block { bytes: text.into_bytes(), first_line: 1 }, b',', &Missing::Usual);
        kinds[0].column_type()
    }

    #[test]
    fn a_column_has_the_type_that_holds_all_its_values_as_they_are() {
        use TextType::{Double, Integer, Missing, Text, Truth, Unsigned};
        for (values, expected) in [
            (&["1", "-2", " 3 ", "", "NA", "\"4\"", "\"\""][..], Integer),
            (&["9223372036854775807", "-9223372036854775808", "9007199254740993"], Integer),
            (&["18446744073709551615", "0"], Unsigned),
            (&["18446744073709551615", "-1"], Text),
            (&["18446744073709551616"], Text),
            (&["-9223372036854775809"], Text),
            (&["12345678901234567890123"], Text),
            (&["1", "2.5"], Double),
            (&["-0", "1"], Double),
            (&["1e5", "Inf", "-inf", "NaN", "1", "0.0", "5e-324"], Double),
            // In a double column such an integer would be another one.
            (&["9007199254740993", "0.5"], Text),
            (&["9007199254740992", "100000000000000000000", "0.5"], Double),
            (&["1e999"], Text),
            (&["1e-999"], Text),
            (&["007"], Text),
            (&["-01"], Text),
            (&["00.5"], Text),
            (&["+5"], Text),
            (&["+5.5"], Double),
            (&["0x10"], Text),
            (&["\"1,000\""], Text),
            (&["2020-01-01"], Text),
            (&["TRUE", "false", "True", "NA", ""], Truth),
            (&["TRUE", "1"], Text),
            (&["T", "F"], Text),
            (&["\"NA\"", "1"], Text),
            (&["NA", "DE"], Text),
            (&["NA", ""], Missing),
            (&["\"\"", "\"\""], Text),
        ] {
            assert_eq!(type_of(values), expected, "{values:?}");
        }
    }

    #[test]
    fn long_numbers_are_found_by_their_digits() {
        for (text, large, long) in [
            ("9007199254740992", false, false),
            ("9007199254740993", true, false),
            ("-9007199254740993", true, false),
            ("99999999999999999999999", true, false),
            ("0.12345678901234567", false, false),
            ("-0.123456789012345678", false, true),
            ("1.50000000000000000000", false, false),
            ("1234567890123456.78e10", false, true),
            ("1e300", false, false),
            ("inf", false, false),
        ] {
            assert_eq!((is_large_integer(text.as_bytes()), is_long_decimal(text.as_bytes())), (large, long), "{text}");
        }
    }
}
