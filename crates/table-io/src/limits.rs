//! What a file may claim before it is believed.
//!
//! A length in a file is first compared with the file's size. Some things cost next to no bytes there and much here: columns
//! of an array without rows, rows of a column that is all missing, what compression hides. For those there are limits, far
//! above what tables have; who has a larger one raises them.

use crate::error::TableError;
use std::path::Path;

/// How much a file may ask for that it does not hold byte by byte.
///
/// | field | default | raised by |
/// |---|---|---|
/// | `columns` | 1,000,000 | `GRISTMILL_MAX_COLUMNS` |
/// | `members` | 65,536 | `GRISTMILL_MAX_MEMBERS` |
/// | `header_bytes` | 16 MiB | `GRISTMILL_MAX_HEADER_BYTES` |
/// | `rows` | 2^32 | `GRISTMILL_MAX_ROWS` |
/// | `unpacked_bytes` | 1 GiB | `GRISTMILL_MAX_UNPACKED_BYTES` |
/// | `record_bytes` | 64 MiB | `GRISTMILL_MAX_RECORD_BYTES` |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Columns of a table.
    pub columns: u64,
    /// Members of a `.npz` archive.
    pub members: u64,
    /// Bytes of the header of a NumPy array. (NumPy itself stops at 10,000, which records of some hundred columns exceed.)
    pub header_bytes: u64,
    /// Rows of a table, where the file has fewer bits than rows.
    pub rows: u64,
    /// Bytes that a compressed part of an Arrow file unpacks to, where that is more than a hundred times the part itself.
    pub unpacked_bytes: u64,
    /// Bytes of one record of a text table. A quote that is not closed would take all of the file into one.
    pub record_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            columns: 1_000_000,
            members: 65_536,
            header_bytes: 16 << 20,
            rows: 1 << 32,
            unpacked_bytes: 1 << 30,
            record_bytes: 64 << 20,
        }
    }
}

/// One of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the field of its name")]
#[non_exhaustive]
pub enum Limit {
    Columns,
    Members,
    HeaderBytes,
    Rows,
    UnpackedBytes,
    RecordBytes,
}

impl Limit {
    const ALL: [Limit; 6] =
        [Limit::Columns, Limit::Members, Limit::HeaderBytes, Limit::Rows, Limit::UnpackedBytes, Limit::RecordBytes];

    /// The environment variable that sets it.
    pub fn variable(self) -> &'static str {
        match self {
            Limit::Columns => "GRISTMILL_MAX_COLUMNS",
            Limit::Members => "GRISTMILL_MAX_MEMBERS",
            Limit::HeaderBytes => "GRISTMILL_MAX_HEADER_BYTES",
            Limit::Rows => "GRISTMILL_MAX_ROWS",
            Limit::UnpackedBytes => "GRISTMILL_MAX_UNPACKED_BYTES",
            Limit::RecordBytes => "GRISTMILL_MAX_RECORD_BYTES",
        }
    }

    /// What is counted.
    pub(crate) fn counted(self) -> &'static str {
        match self {
            Limit::Columns => "columns",
            Limit::Members => "members",
            Limit::HeaderBytes => "bytes of header",
            Limit::Rows => "rows",
            Limit::UnpackedBytes => "bytes unpacked",
            Limit::RecordBytes => "bytes of record",
        }
    }
}

impl Limits {
    /// The defaults, with what the environment says instead.
    ///
    /// # Errors
    /// [`TableError::Setting`] for a value that is not a whole number.
    pub fn from_environment() -> Result<Limits, TableError> {
        let mut limits = Limits::default();
        for limit in Limit::ALL {
            let Some(value) = std::env::var_os(limit.variable()).filter(|v| !v.is_empty()) else { continue };
            let value = value.to_string_lossy();
            let number = value.trim().parse();
            *limits.field(limit) =
                number.map_err(|_| TableError::Setting { variable: limit.variable(), value: value.into_owned() })?;
        }
        Ok(limits)
    }

    fn field(&mut self, limit: Limit) -> &mut u64 {
        match limit {
            Limit::Columns => &mut self.columns,
            Limit::Members => &mut self.members,
            Limit::HeaderBytes => &mut self.header_bytes,
            Limit::Rows => &mut self.rows,
            Limit::UnpackedBytes => &mut self.unpacked_bytes,
            Limit::RecordBytes => &mut self.record_bytes,
        }
    }

    /// The value of a limit.
    pub fn of(mut self, limit: Limit) -> u64 {
        *self.field(limit)
    }

    /// Whether so many are too many.
    pub(crate) fn exceeded(self, limit: Limit, count: u64) -> Result<(), Exceeded> {
        if count <= self.of(limit) { Ok(()) } else { Err(Exceeded { limit, count, most: self.of(limit) }) }
    }

    /// Rows: as many as the limit says, or as the file has bits, if that is more.
    pub(crate) fn rows_beside(self, rows: u64, bytes: u64) -> Result<(), Exceeded> {
        if rows <= bytes.saturating_mul(8) { Ok(()) } else { self.exceeded(Limit::Rows, rows) }
    }
}

/// A file claims more than a limit allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) limit: Limit,
    pub(crate) count: u64,
    pub(crate) most: u64,
}

impl Exceeded {
    pub(crate) fn of(self, path: &Path) -> TableError {
        TableError::Limit { path: path.to_path_buf(), limit: self.limit, count: self.count, most: self.most }
    }
}
