//! Where results go.

use crate::atomic::AtomicFile;
use crate::csv_write;
use crate::error::TableError;
use crate::format::Format;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a table. Without [`TableWriter::finish`] no file appears.
pub struct TableWriter {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Text { out: Output, delimiter: u8 },
    Parquet(Box<ArrowWriter<Output>>),
    ArrowFile(Box<FileWriter<Output>>),
    ArrowStream(Box<StreamWriter<Output>>),
}

enum Output {
    File(BufWriter<AtomicFile>),
    Stdout(BufWriter<io::Stdout>),
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(f) => f.write(data),
            Output::Stdout(f) => f.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::File(f) => f.flush(),
            Output::Stdout(f) => f.flush(),
        }
    }
}

impl Output {
    fn finish(self) -> io::Result<()> {
        match self {
            Output::File(f) => f.into_inner().map_err(io::IntoInnerError::into_error)?.commit(),
            Output::Stdout(mut f) => f.flush(),
        }
    }
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl TableWriter {
    /// Starts a table of these columns; `-` is standard output.
    pub fn create(path: &Path, format: Format, schema: &SchemaRef) -> Result<TableWriter, TableError> {
        let is_stdout = path == Path::new("-");
        let name = if is_stdout { PathBuf::from("standard output") } else { path.to_path_buf() };
        let cannot_write = |cause| TableError::Write { path: name.clone(), cause };
        let out = if is_stdout {
            Output::Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))
        } else {
            Output::File(BufWriter::with_capacity(1 << 18, AtomicFile::create(path).map_err(cannot_write)?))
        };
        let columnar =
            |e: &dyn std::error::Error| TableError::Columnar { path: name.clone(), cause: e.to_string().into() };
        let sink = match format {
            Format::Csv | Format::Tsv => {
                let mut out = out;
                let names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
                out.write_all(&csv_write::header(&names, format.delimiter())).map_err(cannot_write)?;
                Sink::Text { out, delimiter: format.delimiter() }
            }
            Format::Parquet => {
                let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
                let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(|e| columnar(&e))?;
                Sink::Parquet(Box::new(writer))
            }
            Format::Arrow if is_stdout => {
                Sink::ArrowStream(Box::new(StreamWriter::try_new(out, schema).map_err(|e| columnar(&e))?))
            }
            Format::Arrow => Sink::ArrowFile(Box::new(FileWriter::try_new(out, schema).map_err(|e| columnar(&e))?)),
        };
        Ok(TableWriter { path: name, sink })
    }

    /// Adds rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let path = &self.path;
        let cannot_write = |cause| TableError::Write { path: path.clone(), cause };
        match &mut self.sink {
            Sink::Text { out, delimiter } => {
                for piece in csv_write::rows(batch, *delimiter)? {
                    out.write_all(&piece).map_err(cannot_write)?;
                }
                Ok(())
            }
            Sink::Parquet(writer) => writer.write(batch).map_err(|e| cannot_write(io::Error::other(e))),
            Sink::ArrowFile(writer) => writer.write(batch).map_err(|e| cannot_write(io::Error::other(e))),
            Sink::ArrowStream(writer) => writer.write(batch).map_err(|e| cannot_write(io::Error::other(e))),
        }
    }

    /// Completes the table and gives it its name.
    pub fn finish(self) -> Result<(), TableError> {
        let path = self.path;
        let out = match self.sink {
            Sink::Text { out, .. } => Ok(out),
            Sink::Parquet(writer) => writer.into_inner().map_err(io::Error::other),
            Sink::ArrowFile(mut writer) => writer.finish().and_then(|()| writer.into_inner()).map_err(io::Error::other),
            Sink::ArrowStream(mut writer) => {
                writer.finish().and_then(|()| writer.into_inner()).map_err(io::Error::other)
            }
        };
        out.and_then(Output::finish).map_err(|cause| TableError::Write { path, cause })
    }
}
