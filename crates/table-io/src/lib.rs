//! Tables in files, read and written in batches, so that memory stays bounded for files larger than memory.
//!
//! [`open`] finds the format, [`Opened::columns`] tells the names, [`Opened::batches`] reads: the columns that are asked
//! for as numbers, the others carried along as they are. [`TableWriter`] writes to a temporary name and renames at the end.
#![forbid(unsafe_code)]

mod atomic;
mod batch;
mod columnar;
mod csv_read;
mod csv_write;
mod error;
mod format;
mod records;
mod write;

pub use atomic::AtomicFile;
pub use batch::{Batch, Batches, Wanted};
pub use error::TableError;
pub use format::{Format, UnknownFormat};
pub use write::TableWriter;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// A table whose column names are known and whose rows are not yet read.
#[derive(Debug)]
pub struct Opened {
    columns: Vec<String>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Text(csv_read::TextTable),
    Columnar(columnar::ColumnarTable),
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
    let file = |path: &Path| File::open(path).map_err(|cause| TableError::Open { path: path.to_path_buf(), cause });
    let opened = match format {
        Format::Csv | Format::Tsv => {
            let bytes: Box<dyn Read + Send> = if is_stdin { Box::new(std::io::stdin()) } else { Box::new(file(path)?) };
            let table = csv_read::TextTable::open(name, bytes, format.delimiter())?;
            Opened { columns: table.columns().to_vec(), source: Source::Text(table) }
        }
        Format::Arrow if is_stdin => {
            let table = columnar::ColumnarTable::from_stream(name, Box::new(std::io::stdin()))?;
            Opened { columns: table.columns(), source: Source::Columnar(table) }
        }
        Format::Arrow => {
            let table = columnar::ColumnarTable::from_arrow_file(name, BufReader::new(file(path)?))?;
            Opened { columns: table.columns(), source: Source::Columnar(table) }
        }
        Format::Parquet if is_stdin => return Err(TableError::NotFromStream { format }),
        Format::Parquet => {
            let table = columnar::ColumnarTable::from_parquet(name, file(path)?)?;
            Opened { columns: table.columns(), source: Source::Columnar(table) }
        }
    };
    Ok(opened)
}

impl Opened {
    /// The names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Starts reading.
    pub fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        match self.source {
            Source::Text(table) => table.batches(wanted),
            Source::Columnar(table) => table.batches(wanted),
        }
    }
}
