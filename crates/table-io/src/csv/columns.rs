//! The fields of a text column on their way into arrays.

use crate::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanArray, Float64Array, Int64Array, StringBuilder, UInt64Array, new_null_array,
};
use crate::arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use crate::arrow::datatypes::DataType;
use crate::csv::records::Field;
use crate::csv::types::{Missing, TextType, is_large_integer, is_long_decimal, number, truth};
use std::sync::Arc;

/// How a column is carried along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    /// What its fields say, byte for byte, without quotes.
    Bytes,
    /// Its fields as they stand in the file.
    AsItStands,
    /// As values of a type.
    Typed(TextType),
}

/// Values of which few are missing.
#[derive(Debug, Default)]
pub(crate) struct Values<T> {
    values: Vec<T>,
    missing: Vec<usize>,
}

impl<T> Values<T> {
    fn with_capacity(rows: usize) -> Values<T> {
        Values { values: Vec::with_capacity(rows), missing: Vec::new() }
    }

    /// Takes a value, or, if it is missing, something in its place; `None` if it is there and is none.
    fn take(
        &mut self,
        field: Field<'_>,
        missing: &Missing,
        stand_in: T,
        value: impl Fn(&[u8]) -> Option<T>,
    ) -> Option<()> {
        if missing.in_numbers(field) {
            self.missing.push(self.values.len());
            self.values.push(stand_in);
        } else {
            self.values.push(value(field.text.trim_ascii())?);
        }
        Some(())
    }

    fn nulls(&self) -> Option<NullBuffer> {
        if self.missing.is_empty() {
            return None;
        }
        let mut known = vec![true; self.values.len()];
        self.missing.iter().for_each(|row| known[*row] = false);
        Some(NullBuffer::new(BooleanBuffer::from(known)))
    }
}

/// Doubles, and how many of them say less than the text did.
#[derive(Debug)]
pub(crate) struct Numbers {
    values: Values<f64>,
    /// The doubles take the place of the text.
    carried: bool,
    large_integers: u64,
    long_decimals: u64,
}

impl Numbers {
    fn with_capacity(rows: usize, carried: bool) -> Numbers {
        Numbers { values: Values::with_capacity(rows), carried, large_integers: 0, long_decimals: 0 }
    }

    /// Adds a number, and looks at its text if that may say more.
    #[inline]
    pub(crate) fn push(&mut self, value: f64, text: &[u8]) {
        self.look_at(value, text);
        self.values.values.push(value);
    }

    #[inline]
    fn look_at(&mut self, value: f64, text: &[u8]) {
        // Up to 2^53 doubles are exact.
        if value.abs() >= 9007199254740992.0 {
            self.large_integers += u64::from(is_large_integer(text));
        }
        // No decimal of 18 characters has more than 17 digits.
        if self.carried && text.len() > 18 {
            self.long_decimals += u64::from(is_long_decimal(text));
        }
    }

    fn take(&mut self, field: Field<'_>, missing: &Missing) -> Option<()> {
        self.values.take(field, missing, f64::NAN, number)?;
        if let Some(value) = self.values.values.last().copied() {
            self.look_at(value, field.text.trim_ascii());
        }
        Some(())
    }

    fn array(self) -> Float64Array {
        let nulls = self.values.nulls();
        Float64Array::new(ScalarBuffer::from(self.values.values), nulls)
    }
}

/// What becomes of the fields of one column.
pub(crate) enum Sink {
    Skip,
    /// To compute with, to carry along, or both.
    Number(Numbers),
    Integer(Values<i64>),
    Unsigned(Values<u64>),
    Truth(Values<bool>),
    Bytes(BinaryBuilder),
    AsItStands(BinaryBuilder),
    Text {
        builder: StringBuilder,
        /// What would be missing in a column of another type.
        kept: u64,
    },
    /// So many missing values.
    Missing(usize),
    /// To compute with, and to carry along in another form.
    Both(Numbers, Box<Sink>),
    /// What the fields say, where they are not missing, and something else besides.
    AndText(BinaryBuilder, Box<Sink>),
}

/// What a column became.
#[derive(Default)]
pub(crate) struct Done {
    /// The numbers to compute with.
    pub(crate) numbers: Option<Float64Array>,
    pub(crate) carried: Option<ArrayRef>,
    /// What the fields say.
    pub(crate) text: Option<ArrayRef>,
    pub(crate) large_integers: u64,
    pub(crate) long_decimals: u64,
    pub(crate) kept_as_text: u64,
}

impl Sink {
    pub(crate) fn new(computed_with: bool, carried: Option<Carried>, rows: usize) -> Sink {
        let sink = match carried {
            None => Sink::Skip,
            Some(Carried::Bytes) => Sink::Bytes(BinaryBuilder::with_capacity(rows, rows * 8)),
            Some(Carried::AsItStands) => Sink::AsItStands(BinaryBuilder::with_capacity(rows, rows * 8)),
            Some(Carried::Typed(TextType::Text)) => {
                Sink::Text { builder: StringBuilder::with_capacity(rows, rows * 8), kept: 0 }
            }
            Some(Carried::Typed(TextType::Missing)) => Sink::Missing(0),
            Some(Carried::Typed(TextType::Truth)) => Sink::Truth(Values::with_capacity(rows)),
            Some(Carried::Typed(TextType::Integer)) => Sink::Integer(Values::with_capacity(rows)),
            Some(Carried::Typed(TextType::Unsigned)) => Sink::Unsigned(Values::with_capacity(rows)),
            Some(Carried::Typed(TextType::Double)) => Sink::Number(Numbers::with_capacity(rows, true)),
        };
        match sink {
            sink @ Sink::Number(_) => sink,
            sink if !computed_with => sink,
            Sink::Skip => Sink::Number(Numbers::with_capacity(rows, false)),
            sink => Sink::Both(Numbers::with_capacity(rows, false), Box::new(sink)),
        }
    }

    /// Also what the fields say.
    pub(crate) fn and_text(self, rows: usize) -> Sink {
        Sink::AndText(BinaryBuilder::with_capacity(rows, rows * 8), Box::new(self))
    }

    /// Takes the number that the text starts with, if it ends where the field does: how long it is. `None` if there is no
    /// short way; nothing is taken then.
    #[inline]
    pub(crate) fn take_start(&mut self, text: &[u8], delimiter: u8) -> Option<usize> {
        let ends = |length: usize| text.get(length).is_none_or(|byte| *byte == delimiter);
        match self {
            Sink::Number(numbers) => {
                let (value, length) = fast_float2::parse_partial::<f64, _>(text).ok().filter(|found| ends(found.1))?;
                numbers.push(value, &text[..length]);
                Some(length)
            }
            Sink::Integer(values) => {
                let (value, length) = short_integer(text).filter(|found| ends(found.1))?;
                values.values.push(value);
                Some(length)
            }
            Sink::Both(numbers, other) => {
                let Sink::Integer(values) = other.as_mut() else { return None };
                let (value, length) = short_integer(text).filter(|found| ends(found.1))?;
                values.values.push(value);
                numbers.push(value as f64, &text[..length]);
                Some(length)
            }
            _ => None,
        }
    }

    /// Takes a field; `None` if it is of the wrong kind.
    pub(crate) fn take(&mut self, field: Field<'_>, missing: &Missing) -> Option<()> {
        match self {
            Sink::Skip => {}
            Sink::Bytes(builder) => builder.append_value(field.text),
            Sink::AsItStands(builder) => builder.append_value(field.raw),
            Sink::Number(numbers) => numbers.take(field, missing)?,
            Sink::Integer(values) => values.take(field, missing, 0, parsed)?,
            Sink::Unsigned(values) => values.take(field, missing, 0, parsed)?,
            Sink::Truth(values) => values.take(field, missing, false, truth)?,
            Sink::Text { builder, .. } if missing.in_text(field) => builder.append_null(),
            Sink::Text { builder, kept } => {
                *kept += u64::from(missing.is_kept_as_text(field));
                builder.append_value(std::str::from_utf8(field.text).ok()?);
            }
            Sink::Missing(count) if missing.in_numbers(field) => *count += 1,
            Sink::Missing(_) => return None,
            Sink::Both(numbers, other) => {
                numbers.take(field, missing)?;
                other.take(field, missing)?;
            }
            Sink::AndText(builder, other) => {
                builder.append_option((!missing.in_text(field)).then_some(field.text));
                other.take(field, missing)?;
            }
        }
        Some(())
    }

    pub(crate) fn finish(self) -> Done {
        let carried = |array: ArrayRef| Done { carried: Some(array), ..Done::default() };
        match self {
            Sink::Skip => Done::default(),
            Sink::Number(numbers) => {
                let (large_integers, long_decimals) = (numbers.large_integers, numbers.long_decimals);
                let array = numbers.array();
                let numbers = Some(array.clone());
                let carried = Some(Arc::new(array) as ArrayRef);
                Done { numbers, carried, text: None, large_integers, long_decimals, kept_as_text: 0 }
            }
            Sink::Integer(values) => {
                let nulls = values.nulls();
                carried(Arc::new(Int64Array::new(ScalarBuffer::from(values.values), nulls)))
            }
            Sink::Unsigned(values) => {
                let nulls = values.nulls();
                carried(Arc::new(UInt64Array::new(ScalarBuffer::from(values.values), nulls)))
            }
            Sink::Truth(values) => {
                let nulls = values.nulls();
                carried(Arc::new(BooleanArray::new(BooleanBuffer::from(values.values), nulls)))
            }
            Sink::Bytes(mut builder) | Sink::AsItStands(mut builder) => carried(Arc::new(builder.finish())),
            Sink::Text { mut builder, kept } => Done { kept_as_text: kept, ..carried(Arc::new(builder.finish())) },
            Sink::Missing(count) => carried(new_null_array(&DataType::Utf8, count)),
            Sink::Both(numbers, other) => {
                let large_integers = numbers.large_integers;
                Done { numbers: Some(numbers.array()), large_integers, ..other.finish() }
            }
            Sink::AndText(mut builder, other) => Done { text: Some(Arc::new(builder.finish())), ..other.finish() },
        }
    }
}

/// The integer of at most 18 digits that the text starts with, and its length.
#[inline]
fn short_integer(text: &[u8]) -> Option<(i64, usize)> {
    let start = usize::from(text.first() == Some(&b'-'));
    let mut value: i64 = 0;
    let mut at = start;
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        if at - start == 18 {
            return None;
        }
        value = value * 10 + i64::from(digit);
        at += 1;
    }
    (at > start).then_some((if start == 1 { -value } else { value }, at))
}

/// An integer.
fn parsed<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
