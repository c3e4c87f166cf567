//! Rows on their way from a file through the engine to another file.

use crate::TableError;
use crate::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, RecordBatch};
use crate::arrow::compute::{filter, filter_record_batch};
use crate::arrow::datatypes::{DataType, Float64Type, Int64Type, SchemaRef, UInt64Type};
use crate::arrow::error::ArrowError;
use crate::parquet::read::{ParquetFile, StoredRows};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What becomes of the input's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Carry {
    /// They are not delivered.
    #[default]
    Nothing,
    /// They are delivered as columns. Those of text files are what the fields say, without quotes.
    Columns,
    /// They are delivered as columns. Those of text files are the fields as they stand in the file, for a writer of text: it
    /// writes them so again.
    Fields,
    /// They are delivered as columns. Those of text files get the types that their values suggest.
    TypedColumns,
    /// They are delivered as they are stored, for a writer of the same format: the rows of text files as the lines that
    /// they were read from, those of Parquet files by their places in the file. Where that cannot be, which
    /// [`Batches::origin`] tells, as [`Carry::Columns`].
    Stored {
        /// How many columns will be written beside them: they may have to be held for many rows.
        results: usize,
    },
}

/// What a reader should deliver.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The columns to compute with, as numbers.
    pub numeric: Vec<String>,
    /// The columns to compare with text, or to make groups of, as they are.
    pub texts: Vec<String>,
    /// The columns that go on to the output.
    pub carry: Carry,
    /// Of these only some; a reader may deliver more.
    pub only: Option<Vec<String>>,
    /// Of a table in memory every part as one piece.
    pub whole: bool,
}

impl Wanted {
    /// Whether a column is used at all.
    pub(crate) fn uses(&self, name: &str) -> bool {
        let goes_on = self.carry != Carry::Nothing && self.goes_on(name);
        goes_on || self.numeric.iter().chain(&self.texts).any(|wanted| wanted == name)
    }

    /// Whether a column goes on to the output, if any does.
    pub(crate) fn goes_on(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|wanted| wanted == name))
    }
}

/// The text of some records, without their line breaks.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// Start and end of each record in `bytes`.
    pub(crate) places: Vec<(u32, u32)>,
}

impl Lines {
    /// How many.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Those from `start` on, `count` of them.
    pub fn slice(&self, start: usize, count: usize) -> impl Iterator<Item = &[u8]> {
        self.places[start..start + count].iter().map(|(from, to)| &self.bytes[*from as usize..*to as usize])
    }
}

/// Rows in the form in which they are stored in the file that they come from.
#[derive(Debug, Clone)]
pub enum Stored {
    /// Lines of a text file.
    Lines(Lines),
    /// Rows of a Parquet file.
    Rows(StoredRows),
}

/// The file that stored rows come from: what a writer has to know to take them.
#[derive(Debug, Clone)]
pub struct Origin(pub(crate) Option<Arc<ParquetFile>>);

impl Origin {
    pub(crate) fn text() -> Origin {
        Origin(None)
    }

    pub(crate) fn parquet(file: Arc<ParquetFile>) -> Origin {
        Origin(Some(file))
    }
}

/// Some rows.
#[derive(Debug, Clone)]
pub struct Batch {
    /// How many.
    pub rows: usize,
    /// The wanted numbers, in the order in which they were asked for; missing values are nulls.
    pub numeric: Vec<Float64Array>,
    /// The wanted texts, in the order in which they were asked for: of text files bytes, of others what the columns hold.
    pub texts: Vec<ArrayRef>,
    /// All columns of the input, if they are to be carried along as columns.
    pub carried: Option<RecordBatch>,
    /// The rows as they are stored, if they are to be carried along so.
    pub stored: Option<Stored>,
    /// How much of [`Batches::size()`] this was.
    pub extent: u64,
    /// What a user may want to know about the values.
    pub notes: Notes,
}

impl Batch {
    /// Only the rows where `keep` is true. Rows of Parquet files that are carried as they are stored cannot be left out.
    ///
    /// # Errors
    /// When `keep` has another length.
    pub fn filter(self, keep: &BooleanArray) -> Result<Batch, ArrowError> {
        let kept = |array: &dyn Array| filter(array, keep);
        let numeric = self.numeric.iter().map(|a| Ok(kept(a)?.as_primitive::<Float64Type>().clone()));
        let stored = match self.stored {
            Some(Stored::Lines(Lines { bytes, places })) => {
                let places = places.into_iter().zip(keep.values().iter()).filter(|(_, keep)| *keep).map(|(p, _)| p);
                Some(Stored::Lines(Lines { bytes, places: places.collect() }))
            }
            other => other,
        };
        Ok(Batch {
            rows: keep.true_count(),
            numeric: numeric.collect::<Result<_, ArrowError>>()?,
            texts: self.texts.iter().map(|a| kept(a)).collect::<Result<_, ArrowError>>()?,
            carried: self.carried.map(|batch| filter_record_batch(&batch, keep)).transpose()?,
            stored,
            ..self
        })
    }
}

/// What may surprise about a value that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// An integer beyond 2^53 that is computed with: the double that stands for it may be a neighbour.
    LargeInteger,
    /// A decimal of a text file that has more digits than the double that it became.
    LongDecimal,
    /// `NA` without quotes in a column of text, where it is text.
    KeptAsText,
}

/// Counts of notes, by column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<(Note, String), u64>);

impl Notes {
    /// Counts `count` more.
    pub(crate) fn add(&mut self, column: &str, note: Note, count: u64) {
        if count > 0 {
            *self.0.entry((note, column.to_string())).or_default() += count;
        }
    }

    /// Looks for integers beyond 2^53 in a column that is computed with.
    pub(crate) fn look_for_large_integers(&mut self, name: &str, column: &ArrayRef) {
        const LARGE: u64 = 1 << 53;
        let count = match column.data_type() {
            DataType::Int64 => {
                column.as_primitive::<Int64Type>().iter().flatten().filter(|v| v.unsigned_abs() > LARGE).count()
            }
            DataType::UInt64 => column.as_primitive::<UInt64Type>().iter().flatten().filter(|v| *v > LARGE).count(),
            _ => 0,
        };
        self.add(name, Note::LargeInteger, count as u64);
    }

    /// Adds the counts of others.
    pub fn merge(&mut self, others: Notes) {
        for ((note, column), count) in others.0 {
            *self.0.entry((note, column)).or_default() += count;
        }
    }

    /// Each note with its column and how often it holds there.
    pub fn iter(&self) -> impl Iterator<Item = (Note, &str, u64)> {
        self.0.iter().map(|((note, column), count)| (*note, column.as_str(), *count))
    }
}

/// What is known of a table's columns before its rows are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// For each column that was asked for: whether it holds truth values.
    pub truth: Vec<bool>,
    /// For each of them: whether it holds text.
    pub text: Vec<bool>,
    /// How the first missing number among the first rows is written; `None` if there is none, or the table is no text.
    pub missing: Option<String>,
}

/// What a column counts, if it holds dates or times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Days since 1970-01-01.
    Days,
    /// Seconds since then.
    Seconds,
}

/// How much a table holds, as far as that is known before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// So many rows.
    Rows(u64),
    /// So many bytes of text.
    Bytes(u64),
}

/// Rows that are taken from the file and not yet decoded: any thread can do that.
pub struct Piece {
    decode: Box<dyn FnOnce() -> Result<Batch, TableError> + Send>,
}

impl Piece {
    pub(crate) fn new(decode: impl FnOnce() -> Result<Batch, TableError> + Send + 'static) -> Piece {
        Piece { decode: Box::new(decode) }
    }

    /// The rows.
    pub fn decode(self) -> Result<Batch, TableError> {
        (self.decode)()
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piece").finish_non_exhaustive()
    }
}

/// The rows of a table, batch by batch: one after the other as an iterator, or piece by piece
/// ([`Batches::next_piece`]) for [`crate::in_order`], which decodes them on several threads.
pub struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) size: Option<Size>,
    pub(crate) origin: Option<Origin>,
    pub(crate) next: Box<dyn Iterator<Item = Result<Piece, TableError>> + Send>,
}

impl Batches {
    /// Names and types of the carried columns; without any if nothing is carried.
    pub fn carried_schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// How much there is to read.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// Where the rows are stored; `None` if they are not carried as [`Carry::Stored`].
    pub fn origin(&self) -> Option<Origin> {
        self.origin.clone()
    }

    /// The next rows, not decoded; `None` at the end and after an error.
    pub fn next_piece(&mut self) -> Option<Result<Piece, TableError>> {
        self.next.next()
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, TableError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.next_piece().map(|piece| piece.and_then(Piece::decode))
    }
}

impl std::fmt::Debug for Batches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema).field("size", &self.size).finish_non_exhaustive()
    }
}
