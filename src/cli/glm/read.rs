//! The columns of a table that a formula uses: numbers, truth values or texts, whichever all of a column's values are.

use crate::cli::Result;
use gristmill::glm::formula::{Column, Table};
use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray};
use gristmill_table_io::arrow::datatypes::DataType;
use gristmill_table_io::{Carry, Opened, Wanted, numbers, texts};
use std::path::Path;

/// One column on its way in.
enum Values {
    Numbers(Vec<f64>),
    Truth(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    /// Of a text file, whose columns have no types: decided when all of it is known.
    Open {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
}

/// Reads the named columns; names that the table does not have are passed over, for the formula to report.
pub(super) fn table(opened: Opened, names: &[String], path: &Path, quiet: bool) -> Result<Table> {
    let columns = opened.columns().to_vec();
    let places: Vec<usize> = (0..columns.len()).filter(|c| names.contains(&columns[*c])).collect();
    let mut values: Vec<Option<Values>> = places.iter().map(|_| None).collect();
    let mut rows = 0;
    for batch in opened.batches(&Wanted { numeric: Vec::new(), carry: Carry::Columns, ..Wanted::default() })? {
        let batch = batch?;
        let carried = batch.carried.as_ref().ok_or("a batch does not carry its columns")?;
        for (place, value) in places.iter().zip(&mut values) {
            append(value, carried.column(*place), path, &columns[*place])?;
        }
        rows += batch.rows;
    }
    let mut table = Table::new(rows);
    for (place, value) in places.iter().zip(values) {
        let name = &columns[*place];
        let column = match value {
            None => Column::Numbers(Vec::new()),
            Some(value) => decide(value, path, name, quiet),
        };
        table = table.with(name, column);
    }
    Ok(table.knowing(columns))
}

fn append(values: &mut Option<Values>, column: &ArrayRef, path: &Path, name: &str) -> Result<()> {
    let wrong = |found: &DataType| {
        format!("{}: column `{name}` holds {found}, but a model takes numbers, truth values and texts", path.display())
    };
    let kind = match column.data_type() {
        DataType::Binary => DataType::Binary,
        DataType::Boolean => DataType::Boolean,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        DataType::Dictionary(_, value) if !value.is_numeric() => DataType::Utf8,
        other if other.is_numeric() || matches!(other, DataType::Dictionary(..) | DataType::Null) => DataType::Float64,
        other => return Err(wrong(other).into()),
    };
    let rows = 0..column.len();
    match kind {
        DataType::Binary => {
            let texts = column.as_binary::<i32>();
            let new = || Values::Open { bytes: Vec::new(), ends: Vec::new() };
            if let Values::Open { bytes, ends } = values.get_or_insert_with(new) {
                for row in rows {
                    bytes.extend_from_slice(texts.value(row));
                    ends.push(bytes.len());
                }
            }
        }
        DataType::Boolean => {
            if let Values::Truth(all) = values.get_or_insert_with(|| Values::Truth(Vec::new())) {
                all.extend(column.as_boolean());
            }
        }
        DataType::Utf8 => {
            if let Values::Texts(all) = values.get_or_insert_with(|| Values::Texts(Vec::new())) {
                all.extend(texts(column)?);
            }
        }
        _ => {
            if let Values::Numbers(all) = values.get_or_insert_with(|| Values::Numbers(Vec::new())) {
                all.extend(numbers(column)?.iter().map(|value| value.unwrap_or(f64::NAN)));
            }
        }
    }
    Ok(())
}

/// The column that the values make, as R's `read.csv` decides it: numbers if all are, truth values if all are, else texts.
fn decide(values: Values, path: &Path, name: &str, quiet: bool) -> Column {
    let (bytes, ends) = match values {
        Values::Numbers(numbers) => return Column::Numbers(numbers),
        Values::Truth(truth) => return Column::from_truth(truth),
        Values::Texts(texts) => return Column::from_texts(texts.iter().map(Option::as_deref)),
        Values::Open { bytes, ends } => (bytes, ends),
    };
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let texts: Vec<Option<&[u8]>> = starts
        .zip(&ends)
        .map(|(start, end)| &bytes[start..*end])
        .map(|text| (!matches!(text.trim_ascii(), b"" | b"NA")).then_some(text))
        .collect();
    let number = |text: &[u8]| std::str::from_utf8(text.trim_ascii()).ok().and_then(|t| t.parse::<f64>().ok());
    let numbers: Vec<Option<f64>> = texts.iter().map(|t| t.map_or(Some(f64::NAN), number)).collect();
    if numbers.iter().all(Option::is_some) {
        return Column::Numbers(numbers.into_iter().flatten().collect());
    }
    let truth = |text: &[u8]| match text.trim_ascii() {
        b"TRUE" | b"T" | b"true" | b"True" => Some(true),
        b"FALSE" | b"F" | b"false" | b"False" => Some(false),
        _ => None,
    };
    if texts.iter().flatten().all(|t| truth(t).is_some()) {
        return Column::from_truth(texts.iter().map(|t| t.and_then(truth)));
    }
    // Mostly numbers: a slip is likely, and where it is costs nothing to say.
    let known = texts.iter().filter(|t| t.is_some()).count();
    let strange = texts.iter().zip(&numbers).filter(|(_, n)| n.is_none()).count();
    if !quiet
        && 2 * strange < known
        && let Some(row) = numbers.iter().position(Option::is_none)
    {
        let text = texts[row].map_or_else(String::new, |t| String::from_utf8_lossy(t).into_owned());
        say!("warning: {}: column `{name}` is taken as text, because row {} holds `{text}`", path.display(), row + 1);
    }
    let texts: Vec<Option<String>> = texts.iter().map(|t| t.map(|t| String::from_utf8_lossy(t).into_owned())).collect();
    Column::from_texts(texts.iter().map(Option::as_deref))
}
