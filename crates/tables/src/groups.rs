//! Which rows belong together: those that are equal in some columns. Groups have numbers in the order in which they appear.

use crate::error::EvaluationError;
use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray, UInt32Array};
use gristmill_table_io::arrow::buffer::{Buffer, NullBuffer};
use gristmill_table_io::arrow::compute::{concat, take};
use gristmill_table_io::arrow::datatypes::DataType;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Groups that are known by now.
#[derive(Default)]
pub(crate) struct Groups {
    numbers: HashMap<Box<[u8]>, u32, BuildHasherDefault<FoldHasher>>,
    /// For each piece that brought new groups, their keys: one array for each column.
    keys: Vec<Vec<ArrayRef>>,
}

/// The groups of one piece, numbered by themselves.
pub(crate) struct Local {
    pub(crate) of_rows: Vec<u32>,
    keys: Vec<Box<[u8]>>,
    /// The first row of each.
    first_rows: Vec<u32>,
}

impl Local {
    /// Of rows that are equal in these columns.
    pub(crate) fn new(columns: &[&ArrayRef], rows: usize) -> Result<Local, EvaluationError> {
        let columns: Vec<KeyColumn> = columns.iter().map(|c| KeyColumn::new(c)).collect::<Result<_, _>>()?;
        let mut numbers: HashMap<Box<[u8]>, u32, BuildHasherDefault<FoldHasher>> = HashMap::default();
        let (mut of_rows, mut first_rows) = (Vec::with_capacity(rows), Vec::new());
        let mut key = Vec::new();
        for row in 0..rows {
            key.clear();
            columns.iter().for_each(|column| column.append(row, &mut key));
            let number = match numbers.get(key.as_slice()) {
                Some(number) => *number,
                None => {
                    let number = numbers.len() as u32;
                    numbers.insert(key.as_slice().into(), number);
                    first_rows.push(row as u32);
                    number
                }
            };
            of_rows.push(number);
        }
        let mut keys: Vec<Box<[u8]>> = vec![Box::default(); numbers.len()];
        numbers.into_iter().for_each(|(key, number)| keys[number as usize] = key);
        Ok(Local { of_rows, keys, first_rows })
    }

    /// Each row's group, given the numbers of this piece's groups.
    fn renumbered(&self, numbers: &[u32]) -> Vec<u32> {
        self.of_rows.iter().map(|local| numbers[*local as usize]).collect()
    }
}

impl Groups {
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The groups of the rows of the next piece; new ones are added.
    pub(crate) fn add(&mut self, local: &Local, columns: &[&ArrayRef]) -> Result<Vec<u32>, EvaluationError> {
        let (mut numbers, mut new_rows) = (Vec::with_capacity(local.keys.len()), Vec::new());
        for (key, row) in local.keys.iter().zip(&local.first_rows) {
            numbers.push(match self.numbers.get(key) {
                Some(number) => *number,
                None => {
                    let number = u32::try_from(self.numbers.len()).map_err(|_| EvaluationError::TooManyGroups)?;
                    self.numbers.insert(key.clone(), number);
                    new_rows.push(*row);
                    number
                }
            });
        }
        if !new_rows.is_empty() {
            let rows = UInt32Array::from(new_rows);
            let keys = columns.iter().map(|column| take(column.as_ref(), &rows, None));
            self.keys.push(keys.collect::<Result<_, _>>()?);
        }
        Ok(local.renumbered(&numbers))
    }

    /// The groups of rows that have all been seen before; `None` if one has not.
    pub(crate) fn find(&self, local: &Local) -> Option<Vec<u32>> {
        let numbers: Option<Vec<u32>> = local.keys.iter().map(|key| self.numbers.get(key).copied()).collect();
        Some(local.renumbered(&numbers?))
    }

    /// What the groups have in each column; `None` if there are none.
    pub(crate) fn keys(&self) -> Result<Option<Vec<ArrayRef>>, EvaluationError> {
        let Some(first) = self.keys.first() else { return Ok(None) };
        let column = |c: usize| concat(&self.keys.iter().map(|piece| piece[c].as_ref()).collect::<Vec<_>>());
        Ok(Some((0..first.len()).map(column).collect::<Result<_, _>>()?))
    }
}

/// A column as bytes of equal values: those of equal rows are equal.
struct KeyColumn {
    nulls: Option<NullBuffer>,
    values: KeyValues,
}

enum KeyValues {
    /// So many bytes for each; those of floats say the same of both zeros, and of all NaN.
    Fixed(Buffer, usize, bool),
    Truth(ArrayRef),
    /// Text and bytes.
    Bytes(ArrayRef),
    /// A number for each row, and what it stands for.
    Dictionary(Arc<dyn Fn(usize) -> Option<usize> + Send + Sync>, Box<KeyColumn>),
}

impl KeyColumn {
    fn new(array: &ArrayRef) -> Result<KeyColumn, EvaluationError> {
        let nulls = array.logical_nulls();
        let values = match array.data_type() {
            DataType::Boolean => KeyValues::Truth(array.clone()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => KeyValues::Bytes(array.clone()),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => KeyValues::Bytes(array.clone()),
            DataType::Null => KeyValues::Fixed(Buffer::from(Vec::<u8>::new()), 0, false),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let (keys, nulls) = (dictionary.normalized_keys(), dictionary.keys().nulls().cloned());
                let place = move |row: usize| nulls.as_ref().is_none_or(|n| n.is_valid(row)).then(|| keys[row]);
                KeyValues::Dictionary(Arc::new(place), Box::new(KeyColumn::new(dictionary.values())?))
            }
            data_type => {
                let Some(width) = data_type.primitive_width() else {
                    return Err(EvaluationError::NoGroups { found: data_type.to_string() });
                };
                let data = array.to_data();
                let buffer = data.buffers()[0].slice_with_length(data.offset() * width, data.len() * width);
                KeyValues::Fixed(buffer, width, *data_type == DataType::Float64)
            }
        };
        Ok(KeyColumn { nulls, values })
    }

    fn append(&self, row: usize, key: &mut Vec<u8>) {
        if self.nulls.as_ref().is_some_and(|n| n.is_null(row)) {
            key.push(0);
            return;
        }
        match &self.values {
            KeyValues::Dictionary(place, values) => match place(row) {
                Some(place) => values.append(place, key),
                None => key.push(0),
            },
            KeyValues::Fixed(buffer, width, is_float) => {
                key.push(1);
                let bytes = &buffer.as_slice()[row * width..(row + 1) * width];
                match <[u8; 8]>::try_from(bytes) {
                    Ok(bytes) if *is_float => {
                        let value = f64::from_ne_bytes(bytes);
                        let value = if value.is_nan() { f64::NAN } else { value + 0.0 };
                        key.extend_from_slice(&value.to_ne_bytes());
                    }
                    _ => key.extend_from_slice(bytes),
                }
            }
            KeyValues::Truth(array) => key.extend_from_slice(&[1, u8::from(array.as_boolean().value(row))]),
            KeyValues::Bytes(array) => {
                let text = bytes_of(array, row);
                key.push(1);
                key.extend_from_slice(&(text.len() as u32).to_ne_bytes());
                key.extend_from_slice(text);
            }
        }
    }
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
        _ => &[],
    }
}

/// Where the text of a column is one of some words, and where it is missing.
pub(crate) fn is_one_of(
    array: &ArrayRef,
    words: &[String],
    name: &str,
) -> Result<(Vec<f64>, Vec<bool>), EvaluationError> {
    let nulls = array.logical_nulls();
    let missing = (0..array.len()).map(|row| nulls.as_ref().is_some_and(|n| n.is_null(row)));
    let found = |text: &[u8]| f64::from(u8::from(words.iter().any(|word| word.as_bytes() == text)));
    let values: Vec<f64> = match array.data_type() {
        DataType::Dictionary(_, value) if !value.is_nested() => {
            let dictionary = array.as_any_dictionary();
            let (of_values, _) = is_one_of(dictionary.values(), words, name)?;
            if of_values.is_empty() {
                vec![0.0; array.len()]
            } else {
                dictionary.normalized_keys().iter().map(|key| of_values[*key]).collect()
            }
        }
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => (0..array.len()).map(|row| found(bytes_of(array, row))).collect(),
        DataType::Null => vec![0.0; array.len()],
        // Only whether they are missing is asked.
        _ if words.is_empty() => vec![0.0; array.len()],
        other => return Err(EvaluationError::NoText { column: name.to_string(), found: other.to_string() }),
    };
    Ok((values, missing.collect()))
}

/// A hash of eight bytes at a time: a product of 128 bits, folded. Groups are few beside rows, and the time goes here.
#[derive(Default)]
pub(crate) struct FoldHasher(u64);

impl FoldHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }
}
