//! JSON lines: an object for each row. They are written only.
//!
//! Numbers have the fewest digits that read back as the same number; what is missing, and NaN and infinities, for which JSON
//! has no number, are `null`.

use crate::arrow::array::{Array, AsArray, RecordBatch};
use crate::arrow::datatypes::{DataType, Float32Type, Float64Type};
use crate::batch::Stored;
use crate::compression::{Compression, packed};
use crate::error::TableError;
use crate::format::{Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::to_text::Texts;
use crate::write::{Encoded, Output};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) struct JsonLines;

pub(crate) const JSON_LINES: JsonLines = JsonLines;

impl TableFormat for JsonLines {
    fn endings(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn can_be_compressed(&self) -> bool {
        true
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        Err(TableError::WrittenOnly { path: input.path, format: input.format })
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        Ok(Box::new(JsonSink { path: new.path, out: new.out, compression: new.compression }))
    }
}

struct JsonSink {
    path: PathBuf,
    out: Output,
    compression: Option<Compression>,
}

#[derive(Debug)]
struct JsonEncoder {
    path: PathBuf,
    compression: Option<Compression>,
}

/// Rows as text.
struct JsonRows(Vec<u8>);

impl Encode for JsonEncoder {
    fn encode(&self, _: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        let text = rows(&batch).map_err(|e| TableError::Columnar { path: self.path.clone(), cause: Box::new(e) })?;
        Ok(Encoded::new(JsonRows(packed(self.compression, text, &self.path)?)))
    }
}

impl Sink for JsonSink {
    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(JsonEncoder { path: self.path.clone(), compression: self.compression })
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        let JsonRows(text) = rows.of(&self.path)?;
        self.out.write_all(&text).map_err(|cause| TableError::Write { path: self.path.clone(), cause })
    }

    fn finish(self: Box<Self>) -> Result<Output, TableError> {
        Ok(self.out)
    }
}

/// One column, ready to print any of its rows.
enum Printer<'a> {
    Double(&'a crate::arrow::array::Float64Array),
    Float(&'a crate::arrow::array::Float32Array),
    Truth(&'a crate::arrow::array::BooleanArray),
    /// As text, in quotes or, of numbers, without.
    Text(Texts<'a>, bool),
}

fn rows(batch: &RecordBatch) -> Result<Vec<u8>, crate::arrow::error::ArrowError> {
    let mut printers = Vec::with_capacity(batch.num_columns());
    for column in batch.columns() {
        printers.push(match column.data_type() {
            DataType::Float64 => Printer::Double(column.as_primitive::<Float64Type>()),
            DataType::Float32 => Printer::Float(column.as_primitive::<Float32Type>()),
            DataType::Boolean => Printer::Truth(column.as_boolean()),
            other => Printer::Text(Texts::of(column.as_ref())?, !is_number(other)),
        });
    }
    let names: Vec<Vec<u8>> = batch.schema_ref().fields().iter().map(|field| quoted(field.name())).collect();
    let mut out = Vec::with_capacity(batch.num_rows() * names.iter().map(|name| name.len() + 20).sum::<usize>());
    let mut digits = zmij::Buffer::new();
    for row in 0..batch.num_rows() {
        out.push(b'{');
        for (i, (name, printer)) in names.iter().zip(&printers).enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.extend_from_slice(name);
            out.push(b':');
            match printer {
                Printer::Double(a) if a.is_valid(row) && a.value(row).is_finite() => {
                    let text = digits.format_finite(a.value(row));
                    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
                }
                Printer::Float(a) if a.is_valid(row) && a.value(row).is_finite() => {
                    let text = digits.format_finite(a.value(row));
                    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
                }
                Printer::Truth(a) if a.is_valid(row) => {
                    out.extend_from_slice(if a.value(row) { b"true" } else { b"false" });
                }
                Printer::Text(texts, false) if !texts.is_missing(row) => {
                    let start = out.len();
                    texts.write(&mut out, row);
                    // Of half floats and dictionaries of floats.
                    if matches!(&out[start..], b"NaN" | b"Inf" | b"-Inf") {
                        out.truncate(start);
                        out.extend_from_slice(b"null");
                    }
                }
                Printer::Text(texts, true) if !texts.is_missing(row) => {
                    let mut text = Vec::new();
                    texts.write(&mut text, row);
                    out.extend_from_slice(&quoted(&String::from_utf8_lossy(&text)));
                }
                _ => out.extend_from_slice(b"null"),
            }
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
}

/// What is a number in JSON too.
fn is_number(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_number(values),
        other => other.is_numeric(),
    }
}

/// Text as JSON writes it.
fn quoted(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            c if c < ' ' => out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes()),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
    use crate::arrow::datatypes::{Field, Schema};

    #[test]
    fn every_value_is_json() {
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("x", Arc::new(Float64Array::from(vec![Some(1.0), Some(f64::NAN), None, Some(-1e-300)]))),
            ("id", Arc::new(Int64Array::from(vec![Some(9007199254740993), None, Some(-1), Some(0)]))),
            ("a \"b\"", Arc::new(StringArray::from(vec![Some("ü\n"), Some(""), None, Some("\u{1}\\")]))),
            ("t", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None]))),
        ];
        let fields: Vec<Field> = columns.iter().map(|(n, a)| Field::new(*n, a.data_type().clone(), true)).collect();
        let arrays = columns.into_iter().map(|c| c.1).collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
        assert_eq!(
            String::from_utf8(rows(&batch).unwrap()).unwrap(),
            "{\"x\":1,\"id\":9007199254740993,\"a \\\"b\\\"\":\"ü\\n\",\"t\":true}\n\
             {\"x\":null,\"id\":null,\"a \\\"b\\\"\":\"\",\"t\":false}\n\
             {\"x\":null,\"id\":-1,\"a \\\"b\\\"\":null,\"t\":null}\n\
             {\"x\":-1e-300,\"id\":0,\"a \\\"b\\\"\":\"\\u0001\\\\\",\"t\":null}\n"
        );
    }
}
