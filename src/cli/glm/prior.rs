//! `--prior-mean` and `--prior-precision`.

use super::{Args, raw};
use crate::cli::Result;
use gristmill::engine::expr::nearest;
use gristmill_table_io::arrow::array::Array;
use gristmill_table_io::{Carry, Format, Wanted, open};
use std::path::Path;

/// The prior's mean, and its precision, row-major.
pub(super) fn prior(args: &Args, names: &[String]) -> Result<(Vec<f64>, Vec<f64>)> {
    let n = names.len();
    let mean = match &args.prior_mean {
        None => vec![0.0; n],
        Some(text) if raw_file(args, text) => raw::numbers(text, (n, 1), "--prior-mean")?,
        Some(text) => match table_path(text) {
            Some(path) => {
                let rows = matrix(path, names, "--prior-mean")?;
                match <[Vec<f64>; 1]>::try_from(rows.rows) {
                    Ok([row]) => row,
                    Err(rows) => {
                        return Err(format!("{text}: has {} rows, but the prior's mean is one row", rows.len()).into());
                    }
                }
            }
            None => numbers(text, names, "--prior-mean")?,
        },
    };
    let mut precision = vec![0.0; n * n];
    match &args.prior_precision {
        None => {}
        Some(text) if raw_file(args, text) => precision = raw::numbers(text, (n, n), "--prior-precision")?,
        Some(text) => match table_path(text) {
            Some(path) => {
                let found = matrix(path, names, "--prior-precision")?;
                if found.rows.len() != n || found.columns != n {
                    return Err(format!(
                        "{text}: has {} rows and {} columns, but the prior's precision has {n} of each, one for each \
                         coefficient",
                        found.rows.len(),
                        found.columns
                    )
                    .into());
                }
                // Rows of the file are in the order of its columns.
                for (i, place) in found.places.iter().enumerate() {
                    precision[i * n..(i + 1) * n].copy_from_slice(&found.rows[*place]);
                }
            }
            None => {
                for (j, value) in numbers(text, names, "--prior-precision")?.into_iter().enumerate() {
                    precision[j * n + j] = value;
                }
            }
        },
    }
    Ok((mean, precision))
}

/// Beside raw matrices, an .npy file is one too.
fn raw_file(args: &Args, text: &str) -> bool {
    args.x.is_some() && Path::new(text).extension().is_some_and(|e| e == "npy")
}

/// A file is what ends like one.
fn table_path(text: &str) -> Option<&Path> {
    let path = Path::new(text);
    // A number may have what looks like an ending: `0.5`.
    Format::of_path(path).is_ok().then_some(path)
}

struct Found {
    /// Rows of the file, each with a number for each coefficient, in the order of the coefficients.
    rows: Vec<Vec<f64>>,
    /// How many columns the file has.
    columns: usize,
    /// Where in the file each coefficient's column is.
    places: Vec<usize>,
}

fn matrix(path: &Path, names: &[String], option: &str) -> Result<Found> {
    let opened = open(path, None)?;
    let columns = opened.columns().to_vec();
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        places.push(column_of(&columns, name, path)?);
    }
    let mut rows = Vec::new();
    for batch in opened.batches(&Wanted { numeric: names.to_vec(), carry: Carry::Nothing, ..Wanted::default() })? {
        let batch = batch?;
        for i in 0..batch.rows {
            let mut row = Vec::with_capacity(names.len());
            for (column, name) in batch.numeric.iter().zip(names) {
                if column.is_null(i) {
                    return Err(format!(
                        "{}: `{name}` is missing in row {}, but {option} needs every number",
                        path.display(),
                        rows.len() + 1
                    )
                    .into());
                }
                row.push(column.value(i));
            }
            rows.push(row);
        }
    }
    Ok(Found { rows, columns: columns.len(), places })
}

/// Where a table has the column of a coefficient.
pub(super) fn column_of(columns: &[String], name: &str, path: &Path) -> Result<usize> {
    columns.iter().position(|c| c == name).ok_or_else(|| {
        let near = nearest(name, columns.iter().map(String::as_str))
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        format!("{}: has no column for the coefficient `{name}`{near}", path.display()).into()
    })
}

/// `1`, `1,2,3`, `x=1,z=2`
fn numbers(text: &str, names: &[String], option: &str) -> Result<Vec<f64>> {
    let number = |text: &str| -> Result<f64> {
        text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| {
            format!("{option}: `{}` is not a number, nor the name of a table (.csv, .parquet, …)", text.trim()).into()
        })
    };
    let parts = split_at_commas(text);
    if parts.iter().any(|p| p.contains('=')) {
        let mut values = vec![0.0; names.len()];
        for part in parts {
            let (name, value) =
                part.rsplit_once('=').ok_or_else(|| format!("{option}: `{part}` is not `name=number`"))?;
            let name = name.trim();
            let place = names.iter().position(|n| n == name).ok_or_else(|| {
                let near =
                    nearest(name, names.iter().map(String::as_str)).map_or_else(|| names.join("`, `"), str::to_string);
                format!("{option}: no coefficient is called `{name}`; there is `{near}`")
            })?;
            values[place] = number(value)?;
        }
        return Ok(values);
    }
    let values = parts.into_iter().map(number).collect::<Result<Vec<f64>>>()?;
    match values.as_slice() {
        [one] => Ok(vec![*one; names.len()]),
        _ if values.len() == names.len() => Ok(values),
        _ => Err(format!(
            "{option} has {} numbers, but there are {} coefficients: `{}`",
            values.len(),
            names.len(),
            names.join("`, `")
        )
        .into()),
    }
}

/// Commas inside of brackets belong to a coefficient's name.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
