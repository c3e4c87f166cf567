//! Which format a file has, and what a format is.
//!
//! A format is a folder with an implementation of [`TableFormat`], and a line in the list below.

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::SchemaRef;
use crate::batch::{Batches, Origin, Stored, Survey, Time, Wanted};
use crate::csv::types::Missing;
use crate::error::TableError;
use crate::stamp::FileStamp;
use crate::write::{Encoded, Output};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

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
}

/// What a format can do.
pub(crate) trait TableFormat: Sync {
    /// How the names of its files end; the first is the format's name.
    fn endings(&self) -> &'static [&'static str];

    /// Whether it is text.
    fn is_text(&self) -> bool {
        false
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
}

impl Input {
    /// Its bytes, from the first on.
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
    pub(crate) schema: &'a SchemaRef,
    /// Where columns come from that are taken as they are stored; see [`crate::TableWriter::create_over`].
    pub(crate) origin: Option<(Origin, &'a [Option<usize>])>,
}

/// Turns rows into the form in which a sink writes them, on any thread.
pub(crate) trait Encode: fmt::Debug + Send + Sync {
    /// Whole rows, or results that stand behind what is stored.
    fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError>;
}

/// A table that is being written.
pub(crate) trait Sink: Send {
    /// Says what stands for a missing value, where the format has no sign for it.
    fn set_missing(&mut self, _word: &str) {}

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
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let mut all = Format::ALL.iter().copied();
        let found = all.find(|format| format.implementation().endings().contains(&ending.as_str()));
        found.ok_or_else(|| UnknownFormat::Ending { path: path.to_path_buf() })
    }

    /// Its name, which is also how its files end.
    pub fn name(self) -> &'static str {
        self.implementation().endings()[0]
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
