//! CSV and TSV.

pub(crate) mod columns;
pub(crate) mod read;
pub(crate) mod records;
pub(crate) mod types;
mod write;

use crate::arrow::array::RecordBatch;
use crate::batch::{Batches, Stored, Survey, Wanted};
use crate::compression::{Compression, packed};
use crate::error::TableError;
use crate::format::{Bytes, Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::write::{Encoded, Output};
use read::{FieldRules, TextTable};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use types::{Kinds, Missing};
use write::Style;

/// Text whose fields are separated by a character.
pub(crate) struct Text {
    endings: &'static [&'static str],
    delimiter: u8,
}

pub(crate) const CSV: Text = Text { endings: &["csv", "txt"], delimiter: b',' };
pub(crate) const TSV: Text = Text { endings: &["tsv", "tab"], delimiter: b'\t' };

impl TableFormat for Text {
    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn delimiter(&self) -> Option<u8> {
        Some(self.delimiter)
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        let Input { path, file, stamp, options, .. } = input;
        let bytes = Bytes::of(&path, file)?;
        let fields = FieldRules {
            usual: self.delimiter,
            given: options.delimiter,
            // Tabs say what they are.
            guess: self.delimiter == CSV.delimiter,
            no_header: options.no_header,
        };
        Ok(Box::new(TextTable::open(path, bytes, fields, stamp)?))
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        let names: Vec<String> = new.schema.fields().iter().map(|f| f.name().clone()).collect();
        let header = Some(write::header(&names, self.delimiter));
        let style = Style::new(self.delimiter, names.len());
        Ok(Box::new(TextSink { path: new.path, out: new.out, compression: new.compression, style, header }))
    }
}

impl Table for TextTable {
    fn columns(&self) -> Vec<String> {
        TextTable::columns(self).to_vec()
    }

    fn set_missing(&mut self, missing: Missing) {
        TextTable::set_missing(self, missing);
    }

    fn delimiter(&self) -> Option<(u8, bool)> {
        Some(TextTable::delimiter(self))
    }

    fn kinds(&mut self) -> Result<Option<Vec<Kinds>>, TableError> {
        Ok(Some(self.all_kinds()?.to_vec()))
    }

    fn set_kinds(&mut self, kinds: Vec<Kinds>) {
        TextTable::set_kinds(self, kinds);
    }

    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        TextTable::survey(self, columns)
    }

    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError> {
        TextTable::batches(*self, wanted)
    }
}

struct TextSink {
    path: PathBuf,
    out: Output,
    compression: Option<Compression>,
    style: Style,
    /// The header waits for the first rows, so that nothing is printed when they cannot be computed.
    header: Option<Vec<u8>>,
}

/// Rows as text.
struct TextRows(Vec<u8>);

#[derive(Debug)]
struct TextEncoder {
    path: PathBuf,
    compression: Option<Compression>,
    style: Style,
}

impl Encode for TextEncoder {
    fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        let lines = match stored {
            Some(Stored::Lines(lines)) => Some(lines),
            _ => None,
        };
        let text = write::rows(lines, &batch, &self.style)?;
        Ok(Encoded::new(TextRows(packed(self.compression, text, &self.path)?)))
    }
}

impl TextSink {
    fn write_header(&mut self) -> Result<(), TableError> {
        let header = packed(self.compression, self.header.take().unwrap_or_default(), &self.path)?;
        self.out.write_all(&header).map_err(|cause| TableError::Write { path: self.path.clone(), cause })
    }
}

impl Sink for TextSink {
    fn set_missing(&mut self, word: &str, of_text: &str) {
        self.style.set_missing(word, of_text);
    }

    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(TextEncoder { path: self.path.clone(), compression: self.compression, style: self.style.clone() })
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        let TextRows(text) = rows.of(&self.path)?;
        self.write_header()?;
        self.out.write_all(&text).map_err(|cause| TableError::Write { path: self.path.clone(), cause })
    }

    fn finish(mut self: Box<Self>) -> Result<Output, TableError> {
        self.write_header()?;
        Ok(self.out)
    }
}
