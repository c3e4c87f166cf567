//! Which format a file has, and what a format is.
//!
//! A format is a folder with an implementation of [`TableFormat`], and a line in the list below.

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::SchemaRef;
use crate::batch::{Batches, Origin, Stored, Survey, Time, Wanted};
use crate::compression::{Compression, Counted};
use crate::csv::types::{Kinds, Missing};
use crate::error::TableError;
use crate::read::ReadOptions;
use crate::stamp::FileStamp;
use crate::write::{Encoded, Output};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

macro_rules! formats {
    ($($(#[$about:meta])* $name:ident: $format:expr;)*) => {
        /// The formats that tables are read from and written to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format { $($(#[$about])* $name,)* }

        impl Format {
            /// All of them.
            pub const ALL: &[Format] = &[$(Format::$name),*];

            pub(crate) fn implementation(self) -> &'static dyn TableFormat {
                match self { $(Format::$name => &$format,)* }
            }
        }
    };
}

formats! {
    /// Text, fields separated by commas, with a header line.
    Csv: crate::csv::CSV;
    /// Text, fields separated by tabs, with a header line.
    Tsv: crate::csv::TSV;
    /// Apache Parquet.
    Parquet: crate::parquet::PARQUET;
    /// Apache Arrow IPC: the file format (also called Feather), and the stream format on standard streams.
    Arrow: crate::ipc::ARROW;
    /// NumPy's array: one column, the columns of a matrix, or records.
    Npy: crate::npy::NPY;
    /// NumPy's archive: an array for each column.
    Npz: crate::npy::NPZ;
    /// A JSON object for each row; written only.
    JsonLines: crate::json::JSON_LINES;
    /// An aligned table of the first and last rows, for a person; written only.
    Display: crate::display::DISPLAY;
}

/// What a format can do.
pub(crate) trait TableFormat: Sync {
    /// How the names of its files end; the first is the format's name.
    fn endings(&self) -> &'static [&'static str];

    /// What separates fields, if it is text.
    fn delimiter(&self) -> Option<u8> {
        None
    }

    /// Whether it is text.
    fn is_text(&self) -> bool {
        self.delimiter().is_some()
    }

    /// Whether columns of text files get types before they are written.
    fn is_typed(&self) -> bool {
        !self.is_text()
    }

    /// Whether a file may be compressed as a whole.
    fn can_be_compressed(&self) -> bool {
        self.is_text()
    }

    /// Whether it is read from front to back, so that it may come through a pipe.
    fn can_be_streamed(&self) -> bool {
        true
    }

    /// Reads what tells the columns.
    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError>;

    /// Starts a table.
    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError>;
}

/// What a table is read from.
pub(crate) struct Input {
    /// For messages, and to open the file again.
    pub(crate) path: PathBuf,
    /// `None` is standard input.
    pub(crate) file: Option<File>,
    /// Of the file, if it is one that can be read again.
    pub(crate) stamp: Option<FileStamp>,
    pub(crate) format: Format,
    pub(crate) options: ReadOptions,
}

/// The bytes of an input, unpacked.
pub(crate) struct Bytes {
    pub(crate) stream: Box<dyn Read + Send>,
    /// How many bytes of the file have been read so far, if that is not how many come out.
    pub(crate) consumed: Option<Arc<AtomicU64>>,
}

impl Bytes {
    /// Of a file, or, without one, of standard input. The first bytes tell whether they are compressed.
    pub(crate) fn of(path: &Path, file: Option<File>) -> Result<Bytes, TableError> {
        let cannot_read = |cause| TableError::Read { path: path.to_path_buf(), cause };
        let mut source = Input::stream(file);
        let mut start = Vec::new();
        Read::by_ref(&mut source).take(4).read_to_end(&mut start).map_err(cannot_read)?;
        let compression = Compression::of_start(&start);
        let stream: Box<dyn Read + Send> = Box::new(std::io::Cursor::new(start).chain(source));
        let Some(compression) = compression else { return Ok(Bytes { stream, consumed: None }) };
        let (counted, consumed) = Counted::new(stream);
        let stream = compression.unpack(Box::new(counted)).map_err(cannot_read)?;
        Ok(Bytes { stream, consumed: Some(consumed) })
    }
}

impl Input {
    /// Its bytes as they are, from the first on.
    pub(crate) fn stream(file: Option<File>) -> Box<dyn Read + Send> {
        match file {
            Some(file) => Box::new(file),
            None => Box::new(std::io::stdin()),
        }
    }

    /// The file of a format whose directory stands at the end.
    pub(crate) fn into_file(self) -> Result<(PathBuf, File), TableError> {
        match self.file {
            Some(file) => Ok((self.path, file)),
            None => Err(TableError::NotFromStream { format: self.format }),
        }
    }
}

/// A table whose columns are known and whose rows are not yet read.
pub(crate) trait Table: fmt::Debug + Send {
    /// The names of the columns, in order.
    fn columns(&self) -> Vec<String>;

    /// For each column what it counts, if it holds dates or times; nothing, if none does.
    fn times(&self) -> Vec<Option<Time>> {
        Vec::new()
    }

    /// Says what stands for missing values, where the format does not.
    fn set_missing(&mut self, _missing: Missing) {}

    /// What separates the fields of a text table, and whether that was guessed.
    fn delimiter(&self) -> Option<(u8, bool)> {
        None
    }

    /// The kinds of all values of each column of a text table.
    fn kinds(&mut self) -> Result<Option<Vec<Kinds>>, TableError> {
        Ok(None)
    }

    /// Says what kinds of values the columns have, because other tables belong to the same one.
    fn set_kinds(&mut self, _kinds: Vec<Kinds>) {}

    /// See [`crate::Opened::survey`].
    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError>;

    /// Starts reading.
    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError>;
}

/// A table that is to be written.
pub(crate) struct NewTable<'a> {
    /// For messages.
    pub(crate) path: PathBuf,
    pub(crate) out: Output,
    /// What the name of the output asks for.
    pub(crate) compression: Option<Compression>,
    pub(crate) schema: &'a SchemaRef,
    /// Where columns come from that are taken as they are stored; see [`crate::TableWriter::create_over`].
    pub(crate) origin: Option<(Origin, &'a [Option<usize>])>,
}

/// Turns rows into the form in which a sink writes them, on any thread.
pub(crate) trait Encode: fmt::Debug + Send + Sync {
    /// Whole rows, or results that stand behind what is stored.
    fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError>;
}

/// Rows are written as they are.
#[derive(Debug)]
pub(crate) struct AsTheyAre;

impl Encode for AsTheyAre {
    fn encode(&self, _: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        Ok(Encoded::new(batch))
    }
}

/// A table that is being written.
pub(crate) trait Sink: Send {
    /// Says what stands for a missing value, where the format has no sign for it.
    fn set_missing(&mut self, _word: &str, _of_text: &str) {}

    /// Says how many characters a line has, where that matters.
    fn set_width(&mut self, _width: usize) {}

    /// What encodes rows for it.
    fn encoder(&self) -> Arc<dyn Encode>;

    /// Adds rows that its encoder encoded.
    fn write(&mut self, rows: Encoded) -> Result<(), TableError>;

    /// Writes what is left; the output has not got its name yet.
    fn finish(self: Box<Self>) -> Result<Output, TableError>;
}

/// A format that we do not have, or a file name that does not tell.
#[derive(Debug)]
pub enum UnknownFormat {
    /// The file's name ends in nothing that we know.
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// A format was named that we do not have.
    Name {
        /// What was given.
        name: String,
    },
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        let known = names.join(", ");
        match self {
            UnknownFormat::Ending { path } => {
                write!(f, "{}: the name does not tell the format; name one of: {known}", path.display())
            }
            UnknownFormat::Name { name } => write!(f, "`{name}` is not a format of tables; the formats are: {known}"),
        }
    }
}

impl std::error::Error for UnknownFormat {}

impl Format {
    /// What the end of the file's name says.
    pub fn of_path(path: &Path) -> Result<Format, UnknownFormat> {
        let unpacked = Compression::of_path(path).and(path.file_stem()).map_or(path, Path::new);
        let ending = unpacked.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let mut all = Format::ALL.iter().copied();
        let found = all.find(|format| format.implementation().endings().contains(&ending.as_str()));
        found.ok_or_else(|| UnknownFormat::Ending { path: path.to_path_buf() })
    }

    /// Its name, which is also how its files end.
    pub fn name(self) -> &'static str {
        self.implementation().endings()[0]
    }

    /// What separates the fields of its files, if it is text.
    pub fn delimiter(self) -> Option<u8> {
        self.implementation().delimiter()
    }

    /// Whether columns of text files get types before they are written.
    pub fn is_typed(self) -> bool {
        self.implementation().is_typed()
    }

    /// Whether it can be shown on a terminal.
    pub fn is_readable(self) -> bool {
        self.is_text() || matches!(self, Format::JsonLines | Format::Display)
    }

    /// Whether it is text.
    pub fn is_text(self) -> bool {
        self.implementation().is_text()
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;
    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::of_path(Path::new(&format!("x.{name}"))).map_err(|_| UnknownFormat::Name { name: name.to_string() })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
