//! Tables in files, read and written in batches, so that memory stays bounded for files larger than memory.
//!
//! [`open`] finds the format, [`Opened::columns`] tells the names, [`Opened::batches`] reads: the columns that are asked
//! for as numbers, the others carried along as they are. [`TableWriter`] writes to a temporary name and renames at the end.
#![forbid(unsafe_code)]

pub mod arrow;
mod batch;
mod columnar;
mod csv_read;
mod csv_write;
mod error;
mod format;
mod guard;
mod ipc_check;
mod ipc_read;
mod limits;
pub mod npy;
mod npy_table;
mod parquet_plain;
mod parquet_read;
mod parquet_types;
mod parquet_write;
mod pipeline;
mod records;
mod section;
mod spool;
mod stamp;
mod text_columns;
mod text_types;
mod to_numbers;
mod to_text;
mod write;
mod zip;

pub use batch::{Batch, Batches, Carry, Lines, Note, Notes, Origin, Piece, Size, Stored, Survey, Wanted};
pub use error::TableError;
pub use format::{Format, UnknownFormat};
pub use limits::{Limit, Limits};
pub use parquet_read::StoredRows;
pub use pipeline::in_order;
pub use stamp::FileStamp;
pub use text_types::Missing;
pub use to_numbers::{numbers, texts};
pub use to_text::Texts;
pub use write::{Encoded, Encoder, TableWriter};

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A table whose column names are known and whose rows are not yet read.
#[derive(Debug)]
pub struct Opened {
    columns: Vec<String>,
    format: Format,
    source: Source,
    stamp: Option<FileStamp>,
}

#[derive(Debug)]
enum Source {
    Text(csv_read::TextTable),
    Columnar(columnar::ColumnarTable),
    Npy(npy_table::NpyTable),
}

/// Opens a table; `-` is standard input, for which the format has to be given.
pub fn open(path: &Path, format: Option<Format>) -> Result<Opened, TableError> {
    let is_stdin = path == Path::new("-");
    let format = match format {
        Some(format) => format,
        None if is_stdin => Format::Csv,
        None => Format::of_path(path)?,
    };
    let name = if is_stdin { PathBuf::from("standard input") } else { path.to_path_buf() };
    let file = if is_stdin {
        None
    } else {
        Some(File::open(path).map_err(|cause| TableError::Open { path: path.to_path_buf(), cause })?)
    };
    let stamp = file.as_ref().and_then(FileStamp::of_file);
    let stream = |file: Option<File>| -> Box<dyn Read + Send> {
        match file {
            Some(file) => Box::new(file),
            None => Box::new(std::io::stdin()),
        }
    };
    let source = match (format, file) {
        (Format::Csv | Format::Tsv, file) => {
            Source::Text(csv_read::TextTable::open(name, stream(file), format.delimiter(), stamp.clone())?)
        }
        (Format::Arrow, Some(file)) => Source::Columnar(columnar::ColumnarTable::from_arrow_file(name, file)?),
        (Format::Arrow, None) => Source::Columnar(columnar::ColumnarTable::from_stream(name, stream(None))?),
        (Format::Npy, Some(file)) => Source::Npy(npy_table::NpyTable::from_file(name, file)?),
        (Format::Npy, None) => Source::Npy(npy_table::NpyTable::from_stream(name, stream(None))?),
        (Format::Npz, Some(file)) => Source::Npy(npy_table::NpyTable::from_archive(name, file)?),
        (Format::Parquet, Some(file)) => Source::Columnar(columnar::ColumnarTable::from_parquet(name, file)?),
        (Format::Parquet | Format::Npz, None) => return Err(TableError::NotFromStream { format }),
    };
    let columns = match &source {
        Source::Text(table) => table.columns().to_vec(),
        Source::Columnar(table) => table.columns(),
        Source::Npy(table) => table.columns(),
    };
    Ok(Opened { columns, format, source, stamp })
}

impl Opened {
    /// The names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The format that it is read in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What the file was when it was opened; `None` for a stream.
    pub fn stamp(&self) -> Option<&FileStamp> {
        self.stamp.as_ref()
    }

    /// Says what stands for missing values in a text table; other formats say so themselves.
    #[must_use]
    pub fn with_missing(mut self, missing: Missing) -> Opened {
        if let Source::Text(table) = &mut self.source {
            table.set_missing(missing);
        }
        self
    }

    /// Looks at some columns before the rows are read. Of a text table the first rows are looked at; where they leave open
    /// whether a column holds truth values, all of it is: a file is read once more, a stream is stored in a temporary file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        let by = |truth: HashSet<&str>| Survey {
            truth: columns.iter().map(|name| truth.contains(name.as_str())).collect(),
            missing: None,
        };
        match &mut self.source {
            Source::Text(table) => table.survey(columns),
            Source::Columnar(table) => Ok(by(table.truth_columns())),
            Source::Npy(table) => Ok(by(table.truth_columns())),
        }
    }

    /// Starts reading.
    pub fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        match self.source {
            Source::Text(table) => table.batches(wanted),
            Source::Columnar(table) => table.batches(wanted),
            Source::Npy(table) => table.batches(wanted),
        }
    }
}
