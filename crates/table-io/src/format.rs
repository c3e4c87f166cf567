//! Which format a file has.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The formats that tables are read from and written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text, fields separated by commas, with a header line.
    Csv,
    /// Text, fields separated by tabs, with a header line.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC: the file format (also called Feather), and the stream format on standard streams.
    Arrow,
    /// NumPy's array: one column, the columns of a matrix, or records.
    Npy,
    /// NumPy's archive: an array for each column.
    Npz,
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

const KNOWN: &str = "csv, tsv, parquet, arrow, npy, npz";

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownFormat::Ending { path } => {
                write!(f, "{}: the name does not tell the format; name one of: {KNOWN}", path.display())
            }
            UnknownFormat::Name { name } => write!(f, "`{name}` is not a format of tables; the formats are: {KNOWN}"),
        }
    }
}

impl std::error::Error for UnknownFormat {}

impl Format {
    /// What the end of the file's name says.
    pub fn of_path(path: &Path) -> Result<Format, UnknownFormat> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let by_ending = match ending.to_ascii_lowercase().as_str() {
            "csv" | "txt" => Some(Format::Csv),
            "tsv" | "tab" => Some(Format::Tsv),
            "parquet" | "pq" => Some(Format::Parquet),
            "arrow" | "feather" | "ipc" => Some(Format::Arrow),
            "npy" => Some(Format::Npy),
            "npz" => Some(Format::Npz),
            _ => None,
        };
        by_ending.ok_or_else(|| UnknownFormat::Ending { path: path.to_path_buf() })
    }

    /// Whether it is text.
    pub fn is_text(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv)
    }

    pub(crate) fn delimiter(self) -> u8 {
        if self == Format::Tsv { b'\t' } else { b',' }
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
        f.write_str(match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Npy => "npy",
            Format::Npz => "npz",
        })
    }
}
