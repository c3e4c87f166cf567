//! Which rows belong together: those that are equal in some columns. Groups have numbers in the order in which they appear.

use crate::codes::{Codes, KeyValues, Numbering, bytes_of, hash_of};
use crate::error::EvaluationError;
use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray, UInt32Array};
use gristmill_table_io::arrow::compute::{concat, take};
use gristmill_table_io::arrow::datatypes::DataType;

/// Groups that are known by now.
#[derive(Default)]
pub(crate) struct Groups {
    numbering: Numbering,
    known: Keys,
    /// For each piece that brought new groups, their keys: one array for each column.
    keys: Vec<Vec<ArrayRef>>,
}

/// The groups of one piece, numbered by themselves.
pub(crate) struct Local {
    pub(crate) of_rows: Vec<u32>,
    keys: Keys,
    hashes: Vec<u64>,
    /// The first row of each.
    first_rows: Vec<u32>,
}

/// What groups are equal in, as bytes, one behind the other.
#[derive(Default)]
struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// Ends the key whose bytes have been appended.
    fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

impl Local {
    /// Of rows that are equal in these columns.
    pub(crate) fn new(columns: &[&ArrayRef], rows: usize) -> Result<Local, EvaluationError> {
        let columns: Vec<KeyValues> = columns.iter().map(|c| KeyValues::of(c)).collect::<Result<_, _>>()?;
        let codes = columns.iter().map(|column| Codes::of(column, rows)).reduce(|all, one| all.and(&one));
        let all_equal = || Codes { of_rows: vec![0; rows], first_rows: (0..rows.min(1) as u32).collect() };
        let Codes { of_rows, first_rows } = codes.unwrap_or_else(all_equal);
        let mut keys = Keys::default();
        for row in &first_rows {
            columns.iter().for_each(|column| column.append(*row as usize, &mut keys.bytes));
            keys.end();
        }
        // Threads do this side by side; what follows they do in turns.
        let hashes = (0..first_rows.len()).map(|group| hash_of(keys.get(group))).collect();
        Ok(Local { of_rows, keys, hashes, first_rows })
    }

    /// Each row's group, given the numbers of this piece's groups.
    fn renumbered(&self, numbers: &[u32]) -> Vec<u32> {
        self.of_rows.iter().map(|local| numbers[*local as usize]).collect()
    }
}

impl Groups {
    pub(crate) fn count(&self) -> usize {
        self.known.ends.len()
    }

    /// The groups of the rows of the next piece; new ones are added.
    pub(crate) fn add(&mut self, local: &Local, columns: &[&ArrayRef]) -> Result<Vec<u32>, EvaluationError> {
        let (mut numbers, mut new_rows) = (Vec::with_capacity(local.first_rows.len()), Vec::new());
        for (group, row) in local.first_rows.iter().enumerate() {
            let (key, hash, next) = (local.keys.get(group), local.hashes[group], self.count());
            if u32::try_from(next + 1).is_err() {
                return Err(EvaluationError::TooManyGroups);
            }
            let known = &self.known;
            let number = self.numbering.number(hash, next, |number| known.get(number) == key);
            if number as usize == next {
                self.known.bytes.extend_from_slice(key);
                self.known.end();
                new_rows.push(*row);
            }
            numbers.push(number);
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
        let find = |group: usize| {
            let key = local.keys.get(group);
            self.numbering.find(local.hashes[group], |number| self.known.get(number) == key)
        };
        let numbers: Option<Vec<u32>> = (0..local.first_rows.len()).map(find).collect();
        Some(local.renumbered(&numbers?))
    }

    /// What the groups have in each column; `None` if there are none.
    pub(crate) fn keys(&self) -> Result<Option<Vec<ArrayRef>>, EvaluationError> {
        let Some(first) = self.keys.first() else { return Ok(None) };
        let column = |c: usize| concat(&self.keys.iter().map(|piece| piece[c].as_ref()).collect::<Vec<_>>());
        Ok(Some((0..first.len()).map(column).collect::<Result<_, _>>()?))
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
