//! Apache Arrow IPC: the file format, also called Feather, and the stream format.

mod check;
mod read;

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::{Schema, SchemaRef};
use crate::arrow::error::ArrowError;
use crate::arrow::ipc::writer::{FileWriter, StreamWriter};
use crate::batch::{Batches, Carry, Piece, Survey, Time, Wanted};
use crate::columnar::{check_wanted, deliver, names, survey, times};
use crate::error::TableError;
use crate::format::{AsTheyAre, Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::guard::guarded;
use crate::write::{Encoded, Output};
use read::{ArrowBatches, MAGIC};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

/// No writer aligns messages by more bytes.
const MOST_ALIGNMENT: usize = 64;

pub(crate) struct Arrow;

pub(crate) const ARROW: Arrow = Arrow;

impl TableFormat for Arrow {
    fn endings(&self) -> &'static [&'static str] {
        &["arrow", "feather", "ipc"]
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        Ok(Box::new(match input.file {
            Some(file) if input.stamp.is_some() => ArrowTable::from_file(input.path, file)?,
            file => ArrowTable::from_pipe(input.path, Input::stream(file))?,
        }))
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        let damaged = |e: ArrowError| TableError::Columnar { path: new.path.clone(), cause: e.to_string().into() };
        let writer = if new.out.is_stdout() {
            Writer::Stream(Box::new(StreamWriter::try_new(new.out, new.schema).map_err(damaged)?))
        } else {
            Writer::File(Box::new(FileWriter::try_new(new.out, new.schema).map_err(damaged)?))
        };
        Ok(Box::new(ArrowSink { path: new.path, writer }))
    }
}

struct ArrowTable {
    path: PathBuf,
    schema: SchemaRef,
    batches: ArrowBatches,
}

impl std::fmt::Debug for ArrowTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArrowTable").field("path", &self.path).field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl ArrowTable {
    /// The file format, or a stream that was stored in a file: its first bytes tell.
    fn from_file(path: PathBuf, mut file: File) -> Result<ArrowTable, TableError> {
        let mut start = Vec::new();
        let read = Read::by_ref(&mut file).take(MAGIC.len() as u64).read_to_end(&mut start);
        read.and_then(|_| file.rewind()).map_err(|cause| TableError::Read { path: path.clone(), cause })?;
        if start != MAGIC {
            return ArrowTable::from_stream(path, Box::new(file));
        }
        let batches = guarded(&path, || ArrowBatches::from_file(path.clone(), file))?;
        Ok(ArrowTable { path, schema: batches.schema(), batches })
    }

    /// A stream, or a file that somebody sends through a pipe: a stream between its first bytes and its directory.
    fn from_pipe(path: PathBuf, mut source: Box<dyn Read + Send>) -> Result<ArrowTable, TableError> {
        let mut word = || {
            let mut word = Vec::new();
            let read = Read::by_ref(&mut source).take(8).read_to_end(&mut word);
            read.map(|_| word).map_err(|cause| TableError::Read { path: path.clone(), cause })
        };
        let mut start = word()?;
        if start.starts_with(MAGIC) {
            start = word()?;
            // Writers fill up to as many bytes as they align by.
            for _ in 1..MOST_ALIGNMENT / 8 {
                if start == [0; 8] {
                    start = word()?;
                }
            }
        }
        ArrowTable::from_stream(path, Box::new(std::io::Cursor::new(start).chain(source)))
    }

    fn from_stream(path: PathBuf, source: Box<dyn Read + Send>) -> Result<ArrowTable, TableError> {
        let batches = guarded(&path, || ArrowBatches::from_stream(path.clone(), source))?;
        Ok(ArrowTable { path, schema: batches.schema(), batches })
    }
}

impl Table for ArrowTable {
    fn columns(&self) -> Vec<String> {
        names(&self.schema)
    }

    fn times(&self) -> Vec<Option<Time>> {
        times(&self.schema)
    }

    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        Ok(survey(&self.schema, columns))
    }

    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError> {
        check_wanted(&self.path, &self.schema, wanted)?;
        let schema = if wanted.carry == Carry::Nothing { Arc::new(Schema::empty()) } else { self.schema };
        let mut batches = Some(self.batches);
        let (path, wanted) = (Arc::new(self.path), Arc::new(wanted.clone()));
        let next = std::iter::from_fn(move || {
            let reader = batches.as_mut()?;
            let batch = match guarded(&path, || reader.next().transpose()) {
                Ok(batch) => batch?,
                Err(e) => {
                    batches = None;
                    return Some(Err(e));
                }
            };
            let (path, wanted) = (path.clone(), wanted.clone());
            Some(Ok(Piece::new(move || guarded(&path, || deliver(&path, batch, &wanted)))))
        });
        Ok(Batches { schema, size: None, origin: None, next: Box::new(next) })
    }
}

struct ArrowSink {
    path: PathBuf,
    writer: Writer,
}

enum Writer {
    File(Box<FileWriter<Output>>),
    Stream(Box<StreamWriter<Output>>),
}

impl Sink for ArrowSink {
    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(AsTheyAre)
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        let batch: RecordBatch = rows.of(&self.path)?;
        let written = match &mut self.writer {
            Writer::File(writer) => writer.write(&batch),
            Writer::Stream(writer) => writer.write(&batch),
        };
        written.map_err(|e| TableError::Write { path: self.path.clone(), cause: io_error(e) })
    }

    fn finish(self: Box<Self>) -> Result<Output, TableError> {
        let ArrowSink { path, writer } = *self;
        let out = match writer {
            Writer::File(mut writer) => writer.finish().and_then(|()| writer.into_inner()),
            Writer::Stream(mut writer) => writer.finish().and_then(|()| writer.into_inner()),
        };
        out.map_err(|e| TableError::Write { path, cause: io_error(e) })
    }
}

/// The error of the output itself, if that is what it was: a full disk, or a reader that has gone away.
fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, cause) => cause,
        other => io::Error::other(other),
    }
}
