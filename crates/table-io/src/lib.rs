//! Tables in files, read and written in batches, so that memory stays bounded for files larger than memory.
//!
//! [`open`] finds the format, [`Opened::columns`] tells the names, [`Opened::batches`] reads: the columns that are asked
//! for as numbers, the others carried along as they are. [`TableWriter`] writes to a temporary name and renames at the end.
#![forbid(unsafe_code)]

pub mod arrow;
mod batch;
mod columnar;
mod csv;
mod error;
mod format;
mod guard;
mod ipc;
mod limits;
pub mod npy;
mod parquet;
mod pipeline;
mod section;
mod stamp;
mod write;

pub use batch::{Batch, Batches, Carry, Lines, Note, Notes, Origin, Piece, Size, Stored, Survey, Time, Wanted};
pub use csv::types::{Missing, column_of_texts};
pub use error::TableError;
pub use format::{Format, UnknownFormat};
pub use limits::{Limit, Limits};
pub use parquet::read::StoredRows;
pub use pipeline::in_order;
pub use stamp::FileStamp;
pub use write::{Encoded, Encoder, TableWriter};

use format::{Input, Table};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A table whose column names are known and whose rows are not yet read.
#[derive(Debug)]
pub struct Opened {
    columns: Vec<String>,
    format: Format,
    table: Box<dyn Table>,
    stamp: Option<FileStamp>,
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
    let table = format.implementation().open(Input { path: name, file, stamp: stamp.clone(), format })?;
    Ok(Opened { columns: table.columns(), format, table, stamp })
}

impl Opened {
    /// The names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// For each column what it counts, if it holds dates or times.
    pub fn times(&self) -> Vec<Option<Time>> {
        self.table.times()
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
        self.table.set_missing(missing);
        self
    }

    /// Looks at some columns before the rows are read. Of a text table the first rows are looked at; where they leave open
    /// whether a column holds truth values, all of it is: a file is read once more, a stream is stored in a temporary file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        self.table.survey(columns)
    }

    /// Starts reading.
    pub fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        self.table.batches(wanted)
    }
}
