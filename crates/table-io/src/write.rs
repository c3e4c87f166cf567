//! Where results go.

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::SchemaRef;
use crate::arrow::error::ArrowError;
use crate::arrow::ipc::writer::{FileWriter, StreamWriter};
use crate::batch::{Origin, Stored};
use crate::csv_write;
use crate::error::TableError;
use crate::format::Format;
use crate::npy_table::{NpyEncoder, NpyRows, NpySink};
use crate::parquet_write::{Copied, ParquetEncoder, ParquetGroup, ParquetResults, ParquetSink};
use gristmill_support::AtomicFile;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a table. Without [`TableWriter::finish`] no file appears.
pub struct TableWriter {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    /// The header waits for the first rows, so that nothing is printed when they cannot be computed.
    Text {
        out: Output,
        style: csv_write::Style,
        header: Option<Vec<u8>>,
    },
    Parquet(Box<ParquetSink<Output>>),
    ArrowFile(Box<FileWriter<Output>>),
    ArrowStream(Box<StreamWriter<Output>>),
    Npy(Box<NpySink<Output>>),
}

pub(crate) enum Output {
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
    /// Where the file will be, if it is one.
    fn folder(&self) -> Option<&Path> {
        match self {
            Output::File(f) => f.get_ref().folder(),
            Output::Stdout(_) => None,
        }
    }

    fn finish(self, durably: bool) -> io::Result<()> {
        match self {
            Output::File(f) => {
                let file = f.into_inner().map_err(io::IntoInnerError::into_error)?;
                if durably { file.commit_durably() } else { file.commit() }
            }
            Output::Stdout(mut f) => f.flush(),
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
pub struct Encoder(Form);

#[derive(Debug, Clone)]
enum Form {
    Text {
        style: csv_write::Style,
    },
    Parquet(ParquetEncoder),
    Npy(NpyEncoder),
    /// They are written as they are.
    Rows,
}

/// Rows in the form in which they are written.
#[derive(Debug)]
pub struct Encoded(Encoding);

#[derive(Debug)]
enum Encoding {
    Text(Vec<u8>),
    Group(ParquetGroup),
    Results(ParquetResults),
    Npy(NpyRows),
    Rows(RecordBatch),
}

impl Encoder {
    /// Encodes rows: whole ones, or results that stand behind what is stored.
    ///
    /// # Errors
    /// When a column is of a kind that the format does not have.
    pub fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        Ok(Encoded(match (&self.0, stored) {
            (Form::Text { style }, Some(Stored::Lines(lines))) => {
                Encoding::Text(csv_write::rows(Some(lines), &batch, style)?)
            }
            (Form::Text { style }, _) => Encoding::Text(csv_write::rows(None, &batch, style)?),
            (Form::Parquet(encoder), Some(Stored::Rows(rows))) => {
                Encoding::Results(encoder.encode_results(*rows, &batch)?)
            }
            (Form::Parquet(encoder), _) if encoder.is_group(&batch) => Encoding::Group(encoder.encode(&[batch])?),
            (Form::Npy(encoder), _) => Encoding::Npy(encoder.encode(&batch)?),
            (Form::Parquet(_) | Form::Rows, _) => Encoding::Rows(batch),
        }))
    }
}

/// The error of the output itself, if that is what it was: a full disk, or a reader that has gone away.
fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, cause) => cause,
        other => io::Error::other(other),
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
        let name = if is_stdout { PathBuf::from("standard output") } else { path.to_path_buf() };
        let cannot_write = |cause| TableError::Write { path: name.clone(), cause };
        let out = if is_stdout {
            Output::Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))
        } else {
            let file = AtomicFile::create(path).map_err(|cause| cannot_write(without_folder(path, cause)))?;
            Output::File(BufWriter::with_capacity(1 << 18, file))
        };
        let columnar =
            |e: &dyn std::error::Error| TableError::Columnar { path: name.clone(), cause: e.to_string().into() };
        let sink = match format {
            Format::Csv | Format::Tsv => {
                let names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
                let header = Some(csv_write::header(&names, format.delimiter()));
                Sink::Text { out, style: csv_write::Style::new(format.delimiter(), names.len()), header }
            }
            Format::Parquet => {
                let copied = origin.and_then(|(origin, columns)| Some(Copied { file: origin.0?, columns }));
                Sink::Parquet(Box::new(ParquetSink::new(name.clone(), out, schema, copied)?))
            }
            Format::Arrow if is_stdout => {
                Sink::ArrowStream(Box::new(StreamWriter::try_new(out, schema).map_err(|e| columnar(&e))?))
            }
            Format::Npy | Format::Npz => {
                // Beside the output, where there is room for it, unless that is a device or a pipe.
                let folder = out.folder().map(Path::to_path_buf);
                Sink::Npy(Box::new(NpySink::new(name.clone(), folder.as_deref(), out, schema, format == Format::Npz)?))
            }
            Format::Arrow => Sink::ArrowFile(Box::new(FileWriter::try_new(out, schema).map_err(|e| columnar(&e))?)),
        };
        Ok(TableWriter { path: name, sink })
    }

    /// Says what stands for a missing value in text: nothing, if this is not called. Other formats have their own sign.
    #[must_use]
    pub fn with_missing(mut self, word: &str) -> TableWriter {
        if let Sink::Text { style, .. } = &mut self.sink {
            style.set_missing(word);
        }
        self
    }

    /// What encodes rows for this writer.
    pub fn encoder(&self) -> Encoder {
        Encoder(match &self.sink {
            Sink::Text { style, .. } => Form::Text { style: style.clone() },
            Sink::Parquet(sink) => Form::Parquet(sink.encoder()),
            Sink::Npy(sink) => Form::Npy(sink.encoder()),
            Sink::ArrowFile(_) | Sink::ArrowStream(_) => Form::Rows,
        })
    }

    /// Adds rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let encoded = self.encoder().encode(None, batch.clone())?;
        self.write_encoded(encoded)
    }

    /// Adds rows that this writer's encoder encoded.
    pub fn write_encoded(&mut self, rows: Encoded) -> Result<(), TableError> {
        let path = &self.path;
        let cannot_write = |cause| TableError::Write { path: path.clone(), cause };
        let unfit = || cannot_write(io::Error::other("the rows were encoded for another writer"));
        match (&mut self.sink, rows.0) {
            (Sink::Text { out, header, .. }, Encoding::Text(text)) => {
                let header = header.take().unwrap_or_default();
                out.write_all(&header).and_then(|()| out.write_all(&text)).map_err(cannot_write)
            }
            (Sink::Parquet(sink), Encoding::Group(group)) => sink.write_group(group),
            (Sink::Parquet(sink), Encoding::Results(results)) => sink.write_results(results),
            (Sink::Parquet(sink), Encoding::Rows(batch)) => sink.write_rows(batch),
            (Sink::ArrowFile(writer), Encoding::Rows(batch)) => {
                writer.write(&batch).map_err(|e| cannot_write(io_error(e)))
            }
            (Sink::ArrowStream(writer), Encoding::Rows(batch)) => {
                writer.write(&batch).map_err(|e| cannot_write(io_error(e)))
            }
            (Sink::Npy(sink), Encoding::Npy(rows)) => sink.write(rows).map_err(cannot_write),
            _ => Err(unfit()),
        }
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
        let path = self.path;
        let out = match self.sink {
            Sink::Text { mut out, header, .. } => out.write_all(&header.unwrap_or_default()).map(|()| out),
            Sink::Parquet(sink) => Ok(sink.finish()?),
            Sink::Npy(sink) => sink.finish(),
            Sink::ArrowFile(mut writer) => writer.finish().and_then(|()| writer.into_inner()).map_err(io_error),
            Sink::ArrowStream(mut writer) => writer.finish().and_then(|()| writer.into_inner()).map_err(io_error),
        };
        out.and_then(|out| out.finish(durably)).map_err(|cause| TableError::Write { path, cause })
    }
}
