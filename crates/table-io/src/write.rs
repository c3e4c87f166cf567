//! Where results go.

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::SchemaRef;
use crate::batch::{Origin, Stored};
use crate::compression::Compression;
use crate::error::TableError;
use crate::format::{Encode, Format, NewTable, Sink};
use crate::memory::{Collected, MemorySink, NAME};
use gristmill_support::{AtomicFile, Unconfirmed};
use std::any::Any;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes a table. Without [`TableWriter::finish`] no file appears.
pub struct TableWriter {
    path: PathBuf,
    sink: Box<dyn Sink>,
}

/// What errors call it. Unlike a file it may have got a part of the table when writing fails.
pub(crate) const STANDARD_OUTPUT: &str = "standard output";

pub(crate) enum Output {
    File(BufWriter<AtomicFile>),
    Stdout(BufWriter<io::Stdout>),
    /// Nothing is written: the rows are collected.
    Memory,
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(f) => f.write(data),
            Output::Stdout(f) => f.write(data),
            Output::Memory => Ok(data.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::File(f) => f.flush(),
            Output::Stdout(f) => f.flush(),
            Output::Memory => Ok(()),
        }
    }
}

impl Output {
    /// Where the file will be, if it is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Output::File(f) => f.get_ref().folder(),
            Output::Stdout(_) | Output::Memory => None,
        }
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self, Output::Stdout(_))
    }

    fn finish(self, durably: bool) -> io::Result<()> {
        match self {
            Output::File(f) => {
                let file = f.into_inner().map_err(io::IntoInnerError::into_error)?;
                if durably { file.commit_durably() } else { file.commit() }
            }
            Output::Stdout(mut f) => f.flush(),
            Output::Memory => Ok(()),
        }
    }
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Turns rows into the form in which a [`TableWriter`] writes them; any thread can do that.
#[derive(Debug, Clone)]
pub struct Encoder(Arc<dyn Encode>);

/// Rows in the form in which they are written.
#[derive(Debug)]
pub struct Encoded(Box<dyn Any + Send>);

impl Encoded {
    pub(crate) fn new(rows: impl Any + Send) -> Encoded {
        Encoded(Box::new(rows))
    }

    /// The rows, if the writer of this file encoded them.
    pub(crate) fn of<T: Any>(self, path: &Path) -> Result<T, TableError> {
        let unfit = |_| io::Error::other("the rows were encoded for another writer");
        let rows = self.0.downcast::<T>().map_err(unfit);
        rows.map(|rows| *rows).map_err(|cause| TableError::Write { path: path.to_path_buf(), cause })
    }
}

impl Encoder {
    /// Encodes rows: whole ones, or results that stand behind what is stored.
    ///
    /// # Errors
    /// When a column is of a kind that the format does not have.
    pub fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        self.0.encode(stored, batch)
    }
}

/// The error, or, if that is the reason, that the folder is not there.
fn without_folder(path: &Path, cause: io::Error) -> io::Error {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) if cause.kind() == io::ErrorKind::NotFound => {
            io::Error::new(cause.kind(), format!("there is no folder `{}`; make it first", folder.display()))
        }
        _ => cause,
    }
}

impl TableWriter {
    /// Starts a table of these columns; `-` is standard output.
    pub fn create(path: &Path, format: Format, schema: &SchemaRef) -> Result<TableWriter, TableError> {
        TableWriter::create_over(path, format, schema, None)
    }

    /// Starts a table of these columns, some of which are taken from rows as they are stored: those of `origin`, which is of
    /// the same format. For each column of the output the number of the column that it is, `None` for results.
    pub fn create_over(
        path: &Path,
        format: Format,
        schema: &SchemaRef,
        origin: Option<(Origin, &[Option<usize>])>,
    ) -> Result<TableWriter, TableError> {
        let is_stdout = path == Path::new("-");
        let compression = Compression::of_path(path);
        if let Some(compression) = compression.filter(|_| !format.implementation().can_be_compressed()) {
            return Err(TableError::CompressedAsAWhole { path: path.to_path_buf(), format, compression });
        }
        let name = if is_stdout { PathBuf::from(STANDARD_OUTPUT) } else { path.to_path_buf() };
        let out = if is_stdout {
            Output::Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))
        } else {
            let cannot_write = |cause| TableError::Write { path: name.clone(), cause: without_folder(path, cause) };
            Output::File(BufWriter::with_capacity(1 << 18, AtomicFile::create(path).map_err(cannot_write)?))
        };
        let sink = format.implementation().create(NewTable { path: name.clone(), out, compression, schema, origin })?;
        Ok(TableWriter { path: name, sink })
    }

    /// Collects the rows instead of writing them.
    pub fn collect(into: &Collected) -> TableWriter {
        TableWriter { path: NAME.into(), sink: Box::new(MemorySink(into.clone())) }
    }

    /// Says what stands in a text file for a missing number or truth value, and what for a missing text: nothing, if this is
    /// not called. Other formats have their own sign.
    #[must_use]
    pub fn with_missing(mut self, word: &str, of_text: &str) -> TableWriter {
        self.sink.set_missing(word, of_text);
        self
    }

    /// Says how many characters fit in a line of a table for a person.
    #[must_use]
    pub fn with_width(mut self, width: usize) -> TableWriter {
        self.sink.set_width(width);
        self
    }

    /// What encodes rows for this writer.
    pub fn encoder(&self) -> Encoder {
        Encoder(self.sink.encoder())
    }

    /// Adds rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let encoded = self.encoder().encode(None, batch.clone())?;
        self.write_encoded(encoded)
    }

    /// Adds rows that this writer's encoder encoded.
    pub fn write_encoded(&mut self, rows: Encoded) -> Result<(), TableError> {
        self.sink.write(rows)
    }

    /// Completes the table and gives it its name.
    pub fn finish(self) -> Result<(), TableError> {
        self.finish_as(false)
    }

    /// Completes the table, waits until the disk has it, and gives it its name: then it is there even if the machine
    /// crashes. A large table takes longer to get to the disk than to be computed.
    pub fn finish_durably(self) -> Result<(), TableError> {
        self.finish_as(true)
    }

    fn finish_as(self, durably: bool) -> Result<(), TableError> {
        let out = self.sink.finish()?;
        out.finish(durably).map_err(|cause| match cause.downcast::<Unconfirmed>() {
            Ok(unconfirmed) => TableError::Unconfirmed { path: self.path, cause: unconfirmed.cause },
            Err(cause) => TableError::Write { path: self.path, cause },
        })
    }
}
