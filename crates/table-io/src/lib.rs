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
mod write;
mod zip;

pub use batch::{Batch, Batches, Carry, Lines, Origin, Piece, Size, Stored, Wanted};
pub use error::TableError;
pub use format::{Format, UnknownFormat};
pub use limits::{Limit, Limits};
pub use parquet_read::StoredRows;
pub use pipeline::in_order;
pub use write::{Encoded, Encoder, TableWriter};

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A table whose column names are known and whose rows are not yet read.
#[derive(Debug)]
pub struct Opened {
    columns: Vec<String>,
    format: Format,
    source: Source,
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
    let file = |path: &Path| File::open(path).map_err(|cause| TableError::Open { path: path.to_path_buf(), cause });
    let opened = match format {
        Format::Csv | Format::Tsv => {
            let (bytes, size): (Box<dyn Read + Send>, _) = if is_stdin {
                (Box::new(std::io::stdin()), None)
            } else {
                let file = file(path)?;
                // Of a pipe or a device the length says nothing.
                let size = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
                (Box::new(file), size)
            };
            let table = csv_read::TextTable::open(name, bytes, format.delimiter(), size)?;
            Opened { columns: table.columns().to_vec(), format, source: Source::Text(table) }
        }
        Format::Arrow if is_stdin => {
            let table = columnar::ColumnarTable::from_stream(name, Box::new(std::io::stdin()))?;
            Opened { columns: table.columns(), format, source: Source::Columnar(table) }
        }
        Format::Arrow => {
            let table = columnar::ColumnarTable::from_arrow_file(name, file(path)?)?;
            Opened { columns: table.columns(), format, source: Source::Columnar(table) }
        }
        Format::Npy => {
            let table = if is_stdin {
                npy_table::NpyTable::from_stream(name, Box::new(std::io::stdin()))?
            } else {
                npy_table::NpyTable::from_file(name, file(path)?)?
            };
            Opened { columns: table.columns(), format, source: Source::Npy(table) }
        }
        Format::Parquet | Format::Npz if is_stdin => return Err(TableError::NotFromStream { format }),
        Format::Npz => {
            let table = npy_table::NpyTable::from_archive(name, file(path)?)?;
            Opened { columns: table.columns(), format, source: Source::Npy(table) }
        }
        Format::Parquet => {
            let table = columnar::ColumnarTable::from_parquet(name, file(path)?)?;
            Opened { columns: table.columns(), format, source: Source::Columnar(table) }
        }
    };
    Ok(opened)
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

    /// Starts reading.
    pub fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        match self.source {
            Source::Text(table) => table.batches(wanted),
            Source::Columnar(table) => table.batches(wanted),
            Source::Npy(table) => table.batches(wanted),
        }
    }
}
