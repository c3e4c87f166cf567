//! An aligned table of the first and the last rows, for a person at a terminal. It is written only.

use crate::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use crate::arrow::datatypes::{DataType, Float64Type};
use crate::arrow::error::ArrowError;
use crate::batch::Stored;
use crate::error::TableError;
use crate::format::{Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::to_text::Texts;
use crate::write::{Encoded, Output};
use gristmill_support::{align_left, align_right};
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// So many rows are shown from the start, and so many from the end.
const ENDS: usize = 10;
/// A wider cell is cropped.
const WIDEST: usize = 40;
/// The width of a terminal that does not tell.
const WIDTH: usize = 80;

pub(crate) struct Display;

pub(crate) const DISPLAY: Display = Display;

impl TableFormat for Display {
    fn endings(&self) -> &'static [&'static str] {
        &["table"]
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        Err(TableError::WrittenOnly { path: input.path, format: input.format })
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        let names = new.schema.fields().iter().map(|f| f.name().clone()).collect();
        let (first, last) = (Vec::new(), VecDeque::new());
        Ok(Box::new(DisplaySink { path: new.path, out: new.out, names, first, last, rows: 0, width: WIDTH }))
    }
}

struct DisplaySink {
    path: PathBuf,
    out: Output,
    names: Vec<String>,
    first: Vec<Vec<Cell>>,
    last: VecDeque<Vec<Cell>>,
    rows: u64,
    width: usize,
}

/// What stands in a cell, and whether it is a number.
#[derive(Debug, Clone)]
struct Cell {
    text: String,
    is_number: bool,
}

#[derive(Debug)]
struct AsTheyAre;

impl Encode for AsTheyAre {
    fn encode(&self, _: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        Ok(Encoded::new(batch))
    }
}

impl Sink for DisplaySink {
    fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(AsTheyAre)
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        let batch: RecordBatch = rows.of(&self.path)?;
        let count = batch.num_rows();
        self.rows += count as u64;
        let from_start = (ENDS - self.first.len()).min(count);
        // Only rows that may be among the last ones are looked at.
        let from_end = (count - from_start).min(ENDS);
        for row in (0..from_start).chain(count - from_end..count) {
            let cells = batch.columns().iter().map(|column| cell(column, row));
            let cells = cells.collect::<Result<Vec<_>, ArrowError>>();
            let cells = cells.map_err(|e| TableError::Columnar { path: self.path.clone(), cause: Box::new(e) })?;
            if row < from_start {
                self.first.push(cells);
            } else {
                self.last.push_back(cells);
            }
        }
        while self.last.len() > ENDS {
            self.last.pop_front();
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Output, TableError> {
        let text = self.text();
        self.out.write_all(text.as_bytes()).map_err(|cause| TableError::Write { path: self.path.clone(), cause })?;
        Ok(self.out)
    }
}

fn cell(column: &ArrayRef, row: usize) -> Result<Cell, ArrowError> {
    if column.logical_nulls().is_some_and(|n| n.is_null(row)) {
        return Ok(Cell { text: "NA".into(), is_number: true });
    }
    Ok(match column.data_type() {
        DataType::Float64 => {
            let value = column.as_primitive::<Float64Type>().value(row);
            Cell { text: short(value), is_number: true }
        }
        DataType::Boolean => {
            Cell { text: if column.as_boolean().value(row) { "TRUE" } else { "FALSE" }.into(), is_number: false }
        }
        // A field of a text file.
        DataType::Binary => {
            let text = String::from_utf8_lossy(column.as_binary::<i32>().value(row)).into_owned();
            let is_number = text.is_empty() || text == "NA" || fast_float2::parse::<f64, _>(text.trim()).is_ok();
            Cell { text, is_number }
        }
        other => {
            let mut text = Vec::new();
            Texts::of(column.as_ref())?.write(&mut text, row);
            Cell { text: String::from_utf8_lossy(&text).into_owned(), is_number: other.is_numeric() }
        }
    })
}

/// A number with six digits that count, as R shows it.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "Inf"
        } else {
            "-Inf"
        }
        .to_string();
    }
    if value == value.trunc() && value.abs() < 1e15 {
        return format!("{value}");
    }
    let scientific = format!("{value:.5e}");
    let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    let trimmed = |digits: &str| digits.trim_end_matches('0').trim_end_matches('.').to_string();
    if (-5..15).contains(&exponent) {
        trimmed(&format!("{value:.*}", usize::try_from(5 - exponent).unwrap_or(0).max(1)))
    } else {
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        format!("{}e{exponent}", trimmed(digits))
    }
}

/// Text in one line of at most so many characters.
fn cropped(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { '␣' } else { c }).take(WIDEST + 1).collect();
    if line.chars().count() > WIDEST {
        line = line.chars().take(WIDEST - 1).chain(['…']).collect();
    }
    line
}

/// The name of a column, its cells, its width, and whether it stands to the right.
type Column = (String, Vec<String>, usize, bool);

impl DisplaySink {
    fn text(&self) -> String {
        let rows: Vec<&Vec<Cell>> = self.first.iter().chain(&self.last).collect();
        let gap = self.rows > rows.len() as u64;
        let column = |c: usize| {
            let right = rows.iter().all(|row| row[c].is_number) && !rows.is_empty();
            let cells: Vec<String> = rows.iter().map(|row| cropped(&row[c].text)).collect();
            let name = cropped(&self.names[c]);
            let width = cells.iter().chain([&name]).map(|t| t.chars().count()).max().unwrap_or(0);
            (name, cells, width, right)
        };
        let columns: Vec<Column> = (0..self.names.len()).map(column).collect();
        // As many columns as fit; at least one.
        let mut used = 0;
        let fit = columns.iter().take_while(|(_, _, width, _)| {
            used += width + 2;
            used <= self.width + 2
        });
        let shown = fit.count().clamp(1.min(columns.len()), columns.len());
        let aligned = |text: &str, width: usize, right: bool| {
            if right { align_right(text, width) } else { align_left(text, width) }
        };
        let line = |cell: &dyn Fn(&Column) -> String| {
            let cells: Vec<String> = columns[..shown].iter().map(|c| aligned(&cell(c), c.2, c.3)).collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        let mut text = line(&|column| column.0.clone());
        text.push_str(&line(&|column| "─".repeat(column.2)));
        for row in 0..rows.len() {
            if gap && row == self.first.len() {
                text.push_str(&line(&|_| "⋮".to_string()));
            }
            text.push_str(&line(&|column| column.1[row].clone()));
        }
        if shown < columns.len() {
            let names: Vec<&str> = columns[shown..].iter().take(6).map(|c| c.0.as_str()).collect();
            let more = if columns.len() - shown > 6 { ", …" } else { "" };
            text.push_str(&format!("and {} more columns: {}{more}\n", columns.len() - shown, names.join(", ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_that_count() {
        for (value, text) in [
            (1.0, "1"),
            (-0.5, "-0.5"),
            (1.0 / 3.0, "0.333333"),
            (123456.789, "123456.8"),
            (1234567.8, "1234567.8"),
            (1.23456789e-5, "0.0000123457"),
            (1.23456789e-7, "1.23457e-7"),
            (1e300, "1e300"),
            (2.5e20, "2.5e20"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Inf"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(cropped("a\nb"), "a␣b");
        assert_eq!(cropped(&"x".repeat(50)).chars().count(), WIDEST);
    }
}
