//! Rows to text: shortest digits that read back as the same number, `NA` for missing, quotes only where they are needed.

use crate::arrow::array::{Array, AsArray, RecordBatch};
use crate::arrow::buffer::NullBuffer;
use crate::arrow::datatypes::{DataType, Float64Type, Int64Type};
use crate::arrow::util::display::{ArrayFormatter, FormatOptions};
use crate::batch::Lines;
use crate::error::TableError;

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
    /// With what is missing: columns of nothing, of runs and of dictionaries say it elsewhere than in a buffer of their own.
    Other(Option<NullBuffer>, ArrayFormatter<'a>),
}

/// The rows of a batch as text; each begins with its line, if there are lines.
pub(crate) fn rows(lines: Option<&Lines>, batch: &RecordBatch, delimiter: u8) -> Result<Vec<u8>, TableError> {
    let options = FormatOptions::new();
    let mut printers = Vec::new();
    for column in batch.columns() {
        printers.push(match column.data_type() {
            DataType::Float64 => Printer::Float(column.as_primitive::<Float64Type>()),
            DataType::Int64 => Printer::Integer(column.as_primitive::<Int64Type>()),
            DataType::Boolean => Printer::Bool(column.as_boolean()),
            DataType::Binary => Printer::Bytes(column.as_binary::<i32>()),
            _ => Printer::Other(
                column.logical_nulls(),
                ArrayFormatter::try_new(column, &options)
                    .map_err(|e| TableError::Columnar { path: "the output".into(), cause: Box::new(e) })?,
            ),
        });
    }
    let (rows, text) = (batch.num_rows(), lines.map_or(0, |l| l.bytes.len()));
    let mut out = Vec::with_capacity(text + rows * printers.len() * 20);
    let (mut buffer, mut digits) = (zmij::Buffer::new(), itoa::Buffer::new());
    let mut lines = lines.map(|l| l.slice(0, rows));
    for row in 0..rows {
        let line = lines.as_mut().and_then(Iterator::next);
        out.extend_from_slice(line.unwrap_or_default());
        for (i, printer) in printers.iter().enumerate() {
            if i > 0 || line.is_some() {
                out.push(delimiter);
            }
            match printer {
                Printer::Float(a) if a.is_valid(row) => float(&mut out, &mut buffer, a.value(row)),
                Printer::Integer(a) if a.is_valid(row) => out.extend_from_slice(digits.format(a.value(row)).as_bytes()),
                Printer::Bool(a) if a.is_valid(row) => {
                    out.extend_from_slice(if a.value(row) { b"TRUE" } else { b"FALSE" });
                }
                Printer::Bytes(a) if a.is_valid(row) => text_field(&mut out, a.value(row), delimiter),
                Printer::Other(nulls, formatter) if nulls.as_ref().is_none_or(|n| n.is_valid(row)) => {
                    text_field(&mut out, formatter.value(row).to_string().as_bytes(), delimiter);
                }
                _ => out.extend_from_slice(b"NA"),
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

fn float(out: &mut Vec<u8>, buffer: &mut zmij::Buffer, value: f64) {
    if value.is_finite() {
        let text = buffer.format_finite(value);
        // `1.0` is written `1`, as R does.
        out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    } else if value.is_nan() {
        out.extend_from_slice(b"NaN");
    } else {
        out.extend_from_slice(if value > 0.0 { b"Inf" } else { b"-Inf" });
    }
}

fn text_field(out: &mut Vec<u8>, text: &[u8], delimiter: u8) {
    let special = |b: &u8| *b == delimiter || matches!(b, b'"' | b'\n' | b'\r');
    if !text.iter().any(special) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}
