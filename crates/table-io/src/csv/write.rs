//! Rows to text: shortest digits that read back as the same number, quotes only where they are needed.
//!
//! A missing value is a word without quotes (nothing, if not told otherwise); text that is empty, says that word, or says
//! `NA` is quoted, so that the two are never one. Missing text has a word of its own: `NA` among numbers is missing to a
//! reader, among text it is a text. In a table of one column nothing would be an empty line, over which readers pass;
//! there it is a pair of quotes.

use crate::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use crate::arrow::datatypes::{DataType, Float64Type, Int64Type};
use crate::batch::Lines;
use crate::csv::read::AS_IT_STANDS;
use crate::error::TableError;
use crate::to_text::{Texts, float};

/// How rows are written.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    delimiter: u8,
    columns: usize,
    /// What stands for a missing value.
    missing: Vec<u8>,
    /// How that is written, and how a missing text is.
    missing_field: Vec<u8>,
    missing_text_field: Vec<u8>,
}

impl Style {
    pub(crate) fn new(delimiter: u8, columns: usize) -> Style {
        let (missing, missing_field, missing_text_field) = (Vec::new(), Vec::new(), Vec::new());
        let mut style = Style { delimiter, columns, missing, missing_field, missing_text_field };
        style.set_missing("", "");
        style
    }

    pub(crate) fn set_missing(&mut self, word: &str, of_text: &str) {
        let field = |word: &str| if word.is_empty() && self.columns == 1 { "\"\"" } else { word }.into();
        (self.missing_field, self.missing_text_field) = (field(word), field(of_text));
        self.missing = word.into();
    }

    /// Text that is not missing.
    fn text(&self, out: &mut Vec<u8>, text: &[u8]) {
        if text.is_empty() || text == b"NA" || text == self.missing {
            quoted(out, text);
        } else {
            text_field(out, text, self.delimiter);
        }
    }

    /// A field as it stands in a file of text with this delimiter.
    fn field(&self, out: &mut Vec<u8>, raw: &[u8], delimiter: u8) {
        if delimiter == self.delimiter {
            out.extend_from_slice(raw);
        } else if raw.first() == Some(&b'"') {
            // Its quotes may have hidden only the other delimiter, and may have said that this is text.
            quoted(out, &unquoted(raw));
        } else {
            text_field(out, raw, self.delimiter);
        }
    }
}

pub(crate) fn header(names: &[String], delimiter: u8) -> Vec<u8> {
    let mut line = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if i > 0 {
            line.push(delimiter);
        }
        text_field(&mut line, name.as_bytes(), delimiter);
    }
    line.push(b'\n');
    line
}

/// One column, ready to print any of its rows.
enum Printer<'a> {
    Float(&'a crate::arrow::array::Float64Array),
    Integer(&'a crate::arrow::array::Int64Array),
    Bool(&'a crate::arrow::array::BooleanArray),
    Bytes(&'a crate::arrow::array::BinaryArray),
    /// Fields of a text file with this delimiter.
    Fields(&'a crate::arrow::array::BinaryArray, u8),
    Other(Texts<'a>),
}

impl<'a> Printer<'a> {
    fn new(column: &'a ArrayRef, stands: Option<u8>) -> Result<Printer<'a>, TableError> {
        Ok(match (column.data_type(), stands) {
            (DataType::Float64, _) => Printer::Float(column.as_primitive::<Float64Type>()),
            (DataType::Int64, _) => Printer::Integer(column.as_primitive::<Int64Type>()),
            (DataType::Boolean, _) => Printer::Bool(column.as_boolean()),
            (DataType::Binary, Some(delimiter)) => Printer::Fields(column.as_binary::<i32>(), delimiter),
            (DataType::Binary, None) => Printer::Bytes(column.as_binary::<i32>()),
            _ => Printer::Other(
                Texts::of(column)
                    .map_err(|e| TableError::Columnar { path: "the output".into(), cause: Box::new(e) })?,
            ),
        })
    }
}

/// The rows of a batch as text; each begins with its line, if there are lines.
pub(crate) fn rows(lines: Option<&Lines>, batch: &RecordBatch, style: &Style) -> Result<Vec<u8>, TableError> {
    let schema = batch.schema_ref();
    let stands = |column: usize| schema.field(column).metadata().get(AS_IT_STANDS).and_then(|d| d.bytes().next());
    let columns = batch.columns().iter().enumerate();
    let printers: Vec<Printer<'_>> =
        columns.map(|(i, column)| Printer::new(column, stands(i))).collect::<Result<_, _>>()?;
    let (rows, length) = (batch.num_rows(), lines.map_or(0, |l| l.bytes.len()));
    let mut out = Vec::with_capacity(length + rows * printers.len() * 20);
    let (mut text, mut digits) = (Vec::new(), itoa::Buffer::new());
    let mut lines = lines.map(|l| l.slice(0, rows));
    for row in 0..rows {
        let line = lines.as_mut().and_then(Iterator::next);
        out.extend_from_slice(line.unwrap_or_default());
        for (i, printer) in printers.iter().enumerate() {
            if i > 0 || line.is_some() {
                out.push(style.delimiter);
            }
            match printer {
                Printer::Float(a) if a.is_valid(row) => float(&mut out, a.value(row)),
                Printer::Integer(a) if a.is_valid(row) => out.extend_from_slice(digits.format(a.value(row)).as_bytes()),
                Printer::Bool(a) if a.is_valid(row) => {
                    out.extend_from_slice(if a.value(row) { b"TRUE" } else { b"FALSE" });
                }
                Printer::Bytes(a) if a.is_valid(row) => style.text(&mut out, a.value(row)),
                Printer::Fields(a, delimiter) => style.field(&mut out, a.value(row), *delimiter),
                Printer::Other(texts) if !texts.is_missing(row) => {
                    text.clear();
                    texts.write(&mut text, row);
                    style.text(&mut out, &text);
                }
                Printer::Bytes(_) | Printer::Other(_) => out.extend_from_slice(&style.missing_text_field),
                _ => out.extend_from_slice(&style.missing_field),
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

fn text_field(out: &mut Vec<u8>, text: &[u8], delimiter: u8) {
    let special = |b: &u8| *b == delimiter || matches!(b, b'"' | b'\n' | b'\r');
    if text.iter().any(special) { quoted(out, text) } else { out.extend_from_slice(text) }
}

fn quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// What a field that starts with a quote says.
fn unquoted(raw: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut inside = true;
    let mut i = 1;
    while i < raw.len() {
        match raw[i] {
            b'"' if inside && raw.get(i + 1) == Some(&b'"') => {
                text.push(b'"');
                i += 1;
            }
            b'"' if inside => inside = false,
            byte => text.push(byte),
        }
        i += 1;
    }
    text
}
