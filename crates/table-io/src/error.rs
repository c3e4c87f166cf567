//! What can be wrong with a table.

use crate::compression::Compression;
use crate::limits::Limit;
use crate::write::STANDARD_OUTPUT;
use crate::{Format, UnknownFormat};
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// The format is not known: name it.
    Format(UnknownFormat),
    /// The format is known, but was left out of this build.
    LeftOut {
        /// The file.
        path: PathBuf,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// The file cannot be opened.
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Reading stopped half-way.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Writing failed; no output is left behind.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The table is there under its name, but the disk did not confirm it. Whoever asked to wait for the disk has to look at it.
    Unconfirmed {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A text file without even a header line.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Two columns have one name.
    DuplicateColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
        /// Their numbers, from 1.
        numbers: (usize, usize),
    },
    /// A row has more or fewer fields than the header.
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Fields of this row.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// Text where a number should be.
    NotANumber {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// A text file that is not one, or not in UTF-8.
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is instead, and what to do.
        what: &'static str,
    },
    /// A quote that is open where the file ends.
    UnclosedQuote {
        /// The file.
        path: PathBuf,
        /// The line on which its record starts, from 1.
        line: u64,
    },
    /// Text that is not UTF-8 in a column that becomes one of text.
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What stands there, as far as it can be shown.
        text: String,
    },
    /// `NA` in quotes, which is text, where a number should be.
    QuotedMissing {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What stands there.
        text: String,
    },
    /// The file was cut or overwritten while it was read, or changed at all while it was read more than once. Whoever does that has
    /// to stop.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A stream cannot be stored to look at all of it before it is read.
    Spool {
        /// Where temporary files go.
        folder: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// One record is too long to be one: most often a quote that is not closed.
    RecordTooLong {
        /// The file.
        path: PathBuf,
        /// The line on which it starts, from 1.
        line: u64,
        /// The longest record that is read.
        limit: usize,
    },
    /// A column that should be computed with holds something else.
    NotNumeric {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A column that is not there.
    NoSuchColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// A column is of a kind that NumPy files do not hold. The caller has to leave it out.
    NotForNumPy {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A value is missing where NumPy has no way to say so: only floats have NaN.
    MissingForNumPy {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// The column's type.
        found: String,
    },
    /// The Parquet, Arrow or NumPy data is damaged, or of a kind that we cannot read or write.
    Columnar {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: Box<dyn Error + Send + Sync>,
    },
    /// The file claims more of something than it could hold. Who trusts it raises the limit.
    Limit {
        /// The file.
        path: PathBuf,
        /// Of what.
        limit: Limit,
        /// How many it claims.
        count: u64,
        /// How many are read.
        most: u64,
    },
    /// A limit is set to something that is not a number.
    Setting {
        /// The environment variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// A column is of a type that the format does not have. The caller has to leave it out, or write another format.
    NotForFormat {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// Its type.
        found: String,
        /// The format.
        format: Format,
        /// The part of the type that the format does not have, and the way out.
        why: &'static str,
    },
    /// A file is compressed as a whole, and its format is one that only parts of a file can be read of.
    CompressedAsAWhole {
        /// The file.
        path: PathBuf,
        /// The format.
        format: Format,
        /// How.
        compression: Compression,
    },
    /// The format is one that is written and not read.
    WrittenOnly {
        /// The file.
        path: PathBuf,
        /// The format.
        format: Format,
    },
    /// Files that should be one table have other columns.
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// The first one.
        first: PathBuf,
    },
    /// The format cannot be read from a stream.
    NotFromStream {
        /// The format.
        format: Format,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Format(_) => write!(f, "the format of a table is not known"),
            TableError::Open { path, .. } => write!(f, "{}: cannot be opened", path.display()),
            TableError::Read { path, .. } => write!(f, "{}: cannot be read", path.display()),
            TableError::Write { path, .. } if path == Path::new(STANDARD_OUTPUT) => {
                write!(f, "{STANDARD_OUTPUT}: cannot be written; what was written before is not the whole table")
            }
            TableError::Write { path, .. } => write!(f, "{}: cannot be written; no output was made", path.display()),
            TableError::Unconfirmed { path, .. } => write!(
                f,
                "{}: was written, but the disk does not confirm that a crash of the machine would leave it",
                path.display()
            ),
            TableError::Empty { path } => write!(f, "{}: is empty, but must start with a header line", path.display()),
            TableError::DuplicateColumn { path, column, numbers: (a, b) } => {
                write!(f, "{}: `{column}` is the name of two columns, {a} and {b}; rename one", path.display())
            }
            TableError::Ragged { path, line, found, expected } => {
                let s = if *found == 1 { "" } else { "s" };
                write!(f, "{}:{line}: the row has {found} field{s}, but the header has {expected}", path.display())
            }
            TableError::NotANumber { path, line, column, text } => {
                let text = text.escape_debug();
                write!(
                    f,
                    "{}:{line}: column `{column}` holds `{text}`, which is neither a number nor NA",
                    path.display()
                )
            }
            TableError::NotText { path, what } => write!(f, "{}: {what}", path.display()),
            TableError::UnclosedQuote { path, line } => {
                write!(f, "{}:{line}: a quote is opened in this record and closed nowhere", path.display())
            }
            TableError::NotUtf8 { path, line, column, text } => write!(
                f,
                "{}:{line}: column `{column}` holds `{text}`, which is not UTF-8; convert the file, or write text, which is \
                 carried as it is",
                path.display()
            ),
            TableError::QuotedMissing { path, line, column, text } => write!(
                f,
                "{}:{line}: column `{column}` holds `{text}` in quotes, which is text and no number; `--na {text}` makes it \
                 missing",
                path.display()
            ),
            TableError::Changed { path } => write!(
                f,
                "{}: was changed while it was read; no file was written, and what went to a pipe or a terminal is not all of it; run \
                 again when nobody writes to it",
                path.display()
            ),
            TableError::Spool { folder, .. } => write!(
                f,
                "the stream cannot be stored in {}, where all of it is looked at to find the types of its columns; give a \
                 file, or name another folder in TMPDIR",
                folder.display()
            ),
            TableError::RecordTooLong { path, line, limit } => write!(
                f,
                "{}:{line}: the record that starts here is longer than {limit} bytes; is a quote not closed? If it is no \
                 mistake, set {} to more",
                path.display(),
                Limit::RecordBytes.variable()
            ),
            TableError::NotNumeric { path, column, found } => {
                write!(f, "{}: column `{column}` holds {found}, but an expression needs numbers", path.display())
            }
            TableError::NotForNumPy { path, column, found } => write!(
                f,
                "{}: column `{column}` holds {found}, but a NumPy file holds numbers and truth values only; leave it out",
                path.display()
            ),
            TableError::MissingForNumPy { path, column, found } => write!(
                f,
                "{}: column `{column}` has a missing value, for which NumPy's {found} has no sign; make it a number \
                 (`+ 0.0`), where NaN says so, or write another format",
                path.display()
            ),
            TableError::NoSuchColumn { path, column } => write!(f, "{}: has no column `{column}`", path.display()),
            TableError::Columnar { path, .. } => write!(f, "{}: cannot be read or written as a table", path.display()),
            TableError::Limit { path, limit, count, most } => write!(
                f,
                "{}: claims {count} {}, but at most {most} are read; if it is no mistake, set {}={count}",
                path.display(),
                limit.counted(),
                limit.variable()
            ),
            TableError::Setting { variable, value } => {
                write!(f, "{variable} is `{}`, but must be a whole number", value.escape_debug())
            }
            TableError::NotForFormat { path, column, found, format, why } => {
                write!(f, "{}: column `{column}` holds {found}, which {format} does not: {why}", path.display())
            }
            TableError::CompressedAsAWhole { path, format, compression } => write!(
                f,
                "{}: a {format} file is not compressed by {} as a whole, because its parts are read apart; it compresses its \
                 columns itself",
                path.display(),
                compression.name()
            ),
            TableError::LeftOut { path, feature } => write!(
                f,
                "{}: gristmill was built without its feature `{feature}`, so it neither reads nor writes this format",
                path.display()
            ),
            TableError::WrittenOnly { path, format } => {
                write!(f, "{}: {format} is written only; give csv, tsv, parquet, arrow, npy or npz", path.display())
            }
            TableError::OtherColumns { path, first } => write!(
                f,
                "{}: has other columns, or of other types, than {}; files that are read as one table have the same",
                path.display(),
                first.display()
            ),
            TableError::NotFromStream { format } => {
                write!(f, "{format} cannot be read from a stream: its directory stands at the end; give a file")
            }
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TableError::Format(cause) => Some(cause),
            TableError::Open { cause, .. }
            | TableError::Read { cause, .. }
            | TableError::Write { cause, .. }
            | TableError::Unconfirmed { cause, .. } => Some(cause),
            TableError::Spool { cause, .. } => Some(cause),
            TableError::Columnar { cause, .. } => Some(cause.as_ref()),
            _ => None,
        }
    }
}

impl From<UnknownFormat> for TableError {
    fn from(cause: UnknownFormat) -> TableError {
        TableError::Format(cause)
    }
}
