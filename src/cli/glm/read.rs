//! The columns of a table that a formula uses: numbers, truth values or texts, by the rules that all commands share
//! (docs/expressions.md).

use super::progress::Progress;
use crate::cli::Result;
use crate::cli::output::count_with_separators;
use gristmill::glm::formula::{Column, Table};
use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray};
use gristmill_table_io::arrow::datatypes::{
    DataType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use gristmill_table_io::{Carry, Note, Notes, Opened, Size, TableError, Wanted, in_order};
use std::collections::HashMap;
use std::path::Path;

/// Some rows of one column.
enum Part {
    /// A missing one is NaN.
    Numbers(Vec<f64>),
    Truth(Vec<Option<bool>>),
    /// Each text once, and for each row the number of its text. The texts of a categorical column are in the order that it gives
    /// them, others in that of appearance.
    Texts {
        texts: Vec<String>,
        codes: Vec<Option<u32>>,
        is_categorical: bool,
    },
    /// All missing, of no known type.
    Missing(usize),
}

/// Why there is no table.
enum ReadError {
    Table(TableError),
    /// The number of a column, and its type.
    Type(usize, DataType),
}

impl From<TableError> for ReadError {
    fn from(error: TableError) -> ReadError {
        ReadError::Table(error)
    }
}

/// Reads the named columns on all threads; names that the table does not have are passed over, for the formula to report.
pub fn table(opened: Opened, names: &[String], path: &Path, quiet: bool) -> Result<Table> {
    let columns = opened.columns().to_vec();
    let places: Vec<usize> = (0..columns.len()).filter(|c| names.contains(&columns[*c])).collect();
    let mut batches = opened.batches(&Wanted { carry: Carry::TypedColumns, ..Wanted::default() })?;
    let mut progress = match batches.size() {
        Some(Size::Bytes(bytes)) => Progress::reading(quiet, bytes, "bytes"),
        Some(Size::Rows(rows)) => Progress::reading(quiet, rows, "rows"),
        None => Progress::reading(quiet, 0, "bytes"),
    };
    let mut values: Vec<Vec<Part>> = places.iter().map(|_| Vec::new()).collect();
    let (mut rows, mut done, mut notes) = (0, 0, Notes::default());
    let read = in_order(
        rayon::current_num_threads(),
        || batches.next_piece().map(|piece| piece.map_err(ReadError::from)),
        |piece| {
            let batch = piece.decode()?;
            let carried = batch.carried.as_ref();
            let part = |place: &usize| match carried {
                Some(carried) => part(carried.column(*place)).map_err(|ty| ReadError::Type(*place, ty)),
                None => Ok(Part::Missing(batch.rows)),
            };
            let parts = places.iter().map(part).collect::<std::result::Result<Vec<Part>, ReadError>>()?;
            Ok((parts, batch.rows, batch.extent, batch.notes))
        },
        |(parts, count, extent, more)| {
            values.iter_mut().zip(parts).for_each(|(all, part)| all.push(part));
            rows += count;
            done += extent;
            notes.merge(more);
            progress.show(done);
            Ok(())
        },
    );
    progress.clear();
    read.map_err(|error| -> Box<dyn std::error::Error> {
        match error {
            ReadError::Table(error) => error.into(),
            ReadError::Type(place, ty) => format!(
                "{}: column `{}` holds {ty}, but a model takes numbers, truth values and texts",
                path.display(),
                columns[place]
            )
            .into(),
        }
    })?;
    if !quiet {
        for (note, column, count) in notes.iter().filter(|(_, column, _)| names.iter().any(|n| n == column)) {
            if note == Note::KeptAsText {
                say!(
                    "warning: {}: `NA` is a level of the text column `{column}`, in {} of its rows; --na NA makes it missing",
                    path.display(),
                    count_with_separators(count)
                );
            }
        }
    }
    let mut table = Table::new(rows);
    for (place, parts) in places.iter().zip(values) {
        let name = &columns[*place];
        let column = join(parts, rows);
        if !quiet {
            warn_of_slips(&column, path, name);
        }
        table = table.with(name, column);
    }
    Ok(table.knowing(columns))
}

/// The values of a column; its type, if a model has no use for it.
fn part(column: &ArrayRef) -> std::result::Result<Part, DataType> {
    let rows = 0..column.len();
    macro_rules! numbers {
        ($($type:ty)*) => {
            $(if let Some(values) = column.as_primitive_opt::<$type>() {
                let value = |row: usize| if values.is_valid(row) { values.value(row) as f64 } else { f64::NAN };
                return Ok(Part::Numbers(rows.map(value).collect()));
            })*
        };
    }
    if let Some(values) = column.as_primitive_opt::<Float64Type>() {
        let mut numbers = values.values().to_vec();
        if values.null_count() > 0 {
            numbers.iter_mut().enumerate().filter(|(row, _)| values.is_null(*row)).for_each(|(_, v)| *v = f64::NAN);
        }
        return Ok(Part::Numbers(numbers));
    }
    numbers!(Float32Type Int64Type Int32Type Int16Type Int8Type UInt64Type UInt32Type UInt16Type UInt8Type);
    match column.data_type() {
        DataType::Null => Ok(Part::Missing(column.len())),
        DataType::Boolean => {
            let truth = column.as_boolean();
            Ok(Part::Truth(rows.map(|row| truth.is_valid(row).then(|| truth.value(row))).collect()))
        }
        DataType::Utf8 => {
            let texts = column.as_string::<i32>();
            Ok(coded(rows.map(|row| texts.is_valid(row).then(|| texts.value(row)))))
        }
        DataType::LargeUtf8 => {
            let texts = column.as_string::<i64>();
            Ok(coded(rows.map(|row| texts.is_valid(row).then(|| texts.value(row)))))
        }
        DataType::Utf8View => {
            let texts = column.as_string_view();
            Ok(coded(rows.map(|row| texts.is_valid(row).then(|| texts.value(row)))))
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            let key = |row: usize| column.is_valid(row).then(|| keys[row]);
            Ok(match part(dictionary.values())? {
                Part::Numbers(values) => Part::Numbers(rows.map(|r| key(r).map_or(f64::NAN, |k| values[k])).collect()),
                Part::Truth(values) => Part::Truth(rows.map(|r| key(r).and_then(|k| values[k])).collect()),
                Part::Texts { texts, codes, .. } => {
                    let codes = rows.map(|r| key(r).and_then(|k| codes[k])).collect();
                    Part::Texts { texts, codes, is_categorical: true }
                }
                Part::Missing(_) => Part::Missing(column.len()),
            })
        }
        other => Err(other.clone()),
    }
}

fn coded<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Part {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut different: Vec<String> = Vec::new();
    let codes = texts
        .map(|text| {
            text.map(|text| {
                *numbers.entry(text).or_insert_with(|| {
                    different.push(text.to_string());
                    different.len() as u32 - 1
                })
            })
        })
        .collect();
    Part::Texts { texts: different, codes, is_categorical: false }
}

/// Whether the parts are those of one categorical column: its order of the levels is what its owner wants.
fn have_one_order(parts: &[Part]) -> bool {
    let mut lists = parts.iter().filter_map(|part| match part {
        Part::Texts { texts, is_categorical, .. } => Some((texts, *is_categorical)),
        _ => None,
    });
    lists.next().is_some_and(|(first, is_categorical)| is_categorical && lists.all(|other| other == (first, true)))
}

/// One column of its parts, which have one type but for those that are missing altogether.
fn join(parts: Vec<Part>, rows: usize) -> Column {
    if parts.iter().any(|p| matches!(p, Part::Truth(_))) {
        let each = |part: Part| match part {
            Part::Truth(values) => values,
            other => vec![None; other.len()],
        };
        return Column::from_truth(parts.into_iter().flat_map(each));
    }
    if !parts.iter().any(|p| matches!(p, Part::Texts { .. })) {
        let mut all = Vec::with_capacity(rows);
        for part in parts {
            match part {
                Part::Numbers(values) => all.extend_from_slice(&values),
                other => all.resize(all.len() + other.len(), f64::NAN),
            }
        }
        return Column::Numbers(all);
    }
    let has_order = have_one_order(&parts);
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut codes: Vec<Option<u32>> = Vec::with_capacity(rows);
    for part in parts {
        match part {
            Part::Texts { texts, codes: some, .. } => {
                let global: Vec<u32> = texts
                    .into_iter()
                    .map(|text| {
                        let next = numbers.len() as u32;
                        *numbers.entry(text).or_insert(next)
                    })
                    .collect();
                codes.extend(some.into_iter().map(|code| code.map(|c| global[c as usize])));
            }
            other => codes.resize(codes.len() + other.len(), None),
        }
    }
    // The levels are in the order of their characters' code points, or in their own.
    let mut sorted: Vec<(String, u32)> = numbers.into_iter().collect();
    if has_order {
        sorted.sort_unstable_by_key(|(_, number)| *number);
    } else {
        sorted.sort_unstable();
    }
    let mut place = vec![0; sorted.len()];
    for (i, (_, code)) in sorted.iter().enumerate() {
        place[*code as usize] = i as u32;
    }
    codes.iter_mut().for_each(|code| *code = code.map(|c| place[c as usize]));
    Column::Factor { levels: sorted.into_iter().map(|(text, _)| text).collect(), codes }
}

impl Part {
    fn len(&self) -> usize {
        match self {
            Part::Numbers(values) => values.len(),
            Part::Truth(values) => values.len(),
            Part::Texts { codes, .. } => codes.len(),
            Part::Missing(count) => *count,
        }
    }
}

/// Mostly numbers: a slip is likely, and where it is costs nothing to say.
fn warn_of_slips(column: &Column, path: &Path, name: &str) {
    let Column::Factor { levels, codes } = column else { return };
    let is_number: Vec<bool> = levels.iter().map(|text| text.trim().parse::<f64>().is_ok()).collect();
    let known = codes.iter().flatten();
    let (numbers, others): (Vec<&u32>, Vec<&u32>) = known.partition(|code| is_number[**code as usize]);
    if others.is_empty() || others.len() >= numbers.len() {
        return;
    }
    if let Some(row) = codes.iter().position(|code| code.is_some_and(|c| !is_number[c as usize])) {
        let text = codes[row].map_or("", |c| &levels[c as usize]);
        say!("warning: {}: column `{name}` is taken as text, because row {} holds `{text}`", path.display(), row + 1);
    }
}
