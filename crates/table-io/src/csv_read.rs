//! CSV and TSV: blocks of whole records, each parsed by itself.

use crate::arrow::array::{
    ArrayRef, BinaryBuilder, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, StringBuilder,
};
use crate::arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use crate::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use crate::batch::{Batch, Batches, Carry, Lines, Origin, Piece, Size, Stored, Wanted};
use crate::error::TableError;
use crate::pipeline::in_order;
use crate::records::{Block, BlockError, Blocks, Record, for_each_record};
use memchr::memchr_iter;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes per block: large enough that the cost per block vanishes, small enough that a few per thread are little memory.
const BLOCK: usize = 1 << 20;
/// The longest record that is read.
const LONGEST_RECORD: usize = 64 << 20;

/// A text table whose header has been read.
pub(crate) struct TextTable {
    path: PathBuf,
    delimiter: u8,
    columns: Vec<String>,
    blocks: Blocks,
    /// Bytes of the whole file.
    size: Option<u64>,
}

impl std::fmt::Debug for TextTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextTable").field("path", &self.path).field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// The type of a carried column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carried {
    /// As text, to the letter.
    Text,
    /// As text that is known to be UTF-8 and may be missing.
    Utf8,
    Integer,
    Number,
}

#[derive(Debug)]
struct Plan {
    path: PathBuf,
    delimiter: u8,
    columns: Vec<String>,
    /// For each column: where among the wanted numbers it goes.
    numeric: Vec<Option<usize>>,
    numeric_count: usize,
    carried: Option<Vec<Carried>>,
    lines: bool,
    schema: SchemaRef,
}

impl TextTable {
    pub(crate) fn open(
        path: PathBuf,
        source: Box<dyn Read + Send>,
        delimiter: u8,
        size: Option<u64>,
    ) -> Result<TextTable, TableError> {
        let mut blocks = Blocks::new(source, delimiter, BLOCK, LONGEST_RECORD);
        let header = blocks.header().map_err(|e| block_error(&path, e))?;
        let mut columns: Vec<String> = Vec::new();
        if let Some(header) = &header {
            if let Some(what) = no_text(&header.bytes) {
                return Err(TableError::NotText { path, what });
            }
            for_each_record(header, delimiter, |record| {
                if record.unclosed {
                    return Err(TableError::UnclosedQuote { path: path.clone(), line: record.line });
                }
                columns = record.fields.map(|f| String::from_utf8_lossy(f).trim().to_string()).collect();
                Ok(())
            })?;
        }
        if columns.is_empty() {
            return Err(TableError::Empty { path });
        }
        for (j, column) in columns.iter().enumerate() {
            if let Some(i) = columns[..j].iter().position(|c| c == column) {
                return Err(TableError::DuplicateColumn { path, column: column.clone(), numbers: (i + 1, j + 1) });
            }
        }
        Ok(TextTable { path, delimiter, columns, blocks, size })
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    pub(crate) fn batches(mut self, wanted: &Wanted) -> Result<Batches, TableError> {
        let mut numeric = vec![None; self.columns.len()];
        for (place, name) in wanted.numeric.iter().enumerate() {
            match self.columns.iter().position(|c| c == name) {
                Some(column) => numeric[column] = Some(place),
                None => return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() }),
            }
        }
        let mut first = None;
        let delimiter = self.delimiter;
        let carried = match wanted.carry {
            Carry::Nothing => None,
            Carry::Columns | Carry::Stored { .. } => Some(vec![Carried::Text; self.columns.len()]),
            Carry::TypedColumns => {
                first = self.blocks.next_block().map_err(|e| block_error(&self.path, e))?;
                let mut kinds = vec![Kind::Unknown; self.columns.len()];
                if self.size.is_none() || self.blocks.is_done() {
                    // All there is, or all that a stream shows beforehand; a later value that does not fit is an error
                    // that says where.
                    first.iter().for_each(|block| Kind::of_block(&mut kinds, block, delimiter));
                } else {
                    kinds = self.kinds_of_file()?;
                }
                Some(kinds.into_iter().zip(&numeric).map(|(kind, numeric)| kind.carried(numeric.is_some())).collect())
            }
        };
        let fields: Vec<Field> = match &carried {
            None => Vec::new(),
            Some(kinds) => self
                .columns
                .iter()
                .zip(kinds)
                .map(|(name, kind)| {
                    let data_type = match kind {
                        Carried::Text => DataType::Binary,
                        Carried::Utf8 => DataType::Utf8,
                        Carried::Integer => DataType::Int64,
                        Carried::Number => DataType::Float64,
                    };
                    Field::new(name, data_type, true)
                })
                .collect(),
        };
        let lines = matches!(wanted.carry, Carry::Stored { .. });
        let schema = Arc::new(Schema::new(fields));
        let plan = Plan {
            path: self.path,
            delimiter: self.delimiter,
            columns: self.columns,
            numeric,
            numeric_count: wanted.numeric.len(),
            carried: carried.filter(|_| !lines),
            lines,
            schema: schema.clone(),
        };
        let next = TextPieces { plan: Arc::new(plan), blocks: self.blocks, first, failed: false };
        let origin = lines.then(Origin::text);
        Ok(Batches { schema, size: self.size.map(Size::Bytes), origin, next: Box::new(next) })
    }
}

impl TextTable {
    /// The kinds of all values of the file, in a pass of its own.
    fn kinds_of_file(&self) -> Result<Vec<Kind>, TableError> {
        let file = File::open(&self.path).map_err(|cause| TableError::Open { path: self.path.clone(), cause })?;
        let mut blocks = Blocks::new(Box::new(file), self.delimiter, BLOCK, LONGEST_RECORD);
        blocks.header().map_err(|e| block_error(&self.path, e))?;
        let (path, delimiter, unknown) = (&self.path, self.delimiter, vec![Kind::Unknown; self.columns.len()]);
        let mut kinds = unknown.clone();
        in_order(
            rayon::current_num_threads(),
            || blocks.next_block().map_err(|e| block_error(path, e)).transpose(),
            |block| {
                let mut kinds = unknown.clone();
                Kind::of_block(&mut kinds, &block, delimiter);
                Ok(kinds)
            },
            |found| {
                kinds.iter_mut().zip(found).for_each(|(kind, found)| *kind = (*kind).max(found));
                Ok(())
            },
        )?;
        Ok(kinds)
    }
}

/// What a header that is no text is instead.
fn no_text(header: &[u8]) -> Option<&'static str> {
    let bare_return = |i: usize, byte: &u8| *byte == b'\r' && !matches!(header.get(i + 1), None | Some(b'\n'));
    match header {
        [0x1f, 0x8b, ..] => Some("is compressed: unpack it first, or `zcat FILE | gristmill eval … -`"),
        [b'P', b'A', b'R', b'1', ..] => Some("is a Parquet file: name it .parquet, or say `--input-format parquet`"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Some("is UTF-16, but must be UTF-8: `iconv -f UTF-16 -t UTF-8` converts it")
        }
        _ if std::str::from_utf8(header).is_err() => {
            Some("has a header that is not UTF-8: `iconv -f LATIN1 -t UTF-8`, for one, converts it")
        }
        _ if !header.contains(&b'"') && header.iter().enumerate().any(|(i, byte)| bare_return(i, byte)) => {
            Some("has lines that end in a carriage return alone: `tr '\\r' '\\n'` converts them")
        }
        _ => None,
    }
}

fn block_error(path: &Path, error: BlockError) -> TableError {
    let path = path.to_path_buf();
    match error {
        BlockError::Io(cause) => TableError::Read { path, cause },
        BlockError::TooLong { line, limit } => TableError::RecordTooLong { path, line, limit },
    }
}

struct TextPieces {
    plan: Arc<Plan>,
    blocks: Blocks,
    /// The block that was read to find the types.
    first: Option<Block>,
    failed: bool,
}

impl Iterator for TextPieces {
    type Item = Result<Piece, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let block = match self.first.take() {
            Some(block) => block,
            None => match self.blocks.next_block() {
                Ok(block) => block?,
                Err(e) => {
                    self.failed = true;
                    return Some(Err(block_error(&self.plan.path, e)));
                }
            },
        };
        let plan = self.plan.clone();
        Some(Ok(Piece::new(move || plan.parse(block))))
    }
}

/// Values that stand for "not known".
fn is_missing(field: &[u8]) -> bool {
    field.is_empty() || field == b"NA"
}

/// A number as R's `read.csv` takes it, `TRUE` and `FALSE` as 1 and 0.
fn number(field: &[u8]) -> Option<f64> {
    match fast_float2::parse(field) {
        Ok(value) => Some(value),
        Err(_) => match field {
            b"TRUE" | b"T" | b"true" | b"True" => Some(1.0),
            b"FALSE" | b"F" | b"false" | b"False" => Some(0.0),
            _ => None,
        },
    }
}

/// The kinds of values that a column holds, each wider than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// All that were seen are missing.
    Unknown,
    Integer,
    Number,
    Text,
}

impl Kind {
    fn of(field: &[u8]) -> Kind {
        if integer(field).is_some() {
            Kind::Integer
        } else if field.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+')) {
            // `007` and what is too large for an integer are names: as numbers they would lose digits.
            Kind::Text
        } else if fast_float2::parse::<f64, _>(field).is_ok() {
            Kind::Number
        } else {
            // `TRUE` too: it should come out as it went in.
            Kind::Text
        }
    }

    /// Widens the kinds to those of a block's values.
    fn of_block(kinds: &mut [Kind], block: &Block, delimiter: u8) {
        // The closure never fails: rows that are too short or too long are reported when they are parsed.
        let _ = for_each_record(block, delimiter, |record| {
            for (kind, field) in kinds.iter_mut().zip(record.fields) {
                let field = field.trim_ascii();
                if *kind != Kind::Text && !is_missing(field) {
                    *kind = (*kind).max(Kind::of(field));
                }
            }
            Ok::<(), ()>(())
        });
    }

    /// The type in which such a column is carried; one that is computed with is carried as it is computed with.
    fn carried(self, computed_with: bool) -> Carried {
        match self {
            Kind::Text => Carried::Utf8,
            _ if computed_with => Carried::Number,
            Kind::Unknown => Carried::Utf8,
            Kind::Integer => Carried::Integer,
            Kind::Number => Carried::Number,
        }
    }
}

/// An integer that is written as one: `007` is a name, not a number.
fn integer(field: &[u8]) -> Option<i64> {
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() > 1 && digits.starts_with(b"0") {
        return None;
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// Values of which few are missing.
#[derive(Debug, Default)]
struct Values<T> {
    values: Vec<T>,
    missing: Vec<usize>,
}

impl<T> Values<T> {
    fn with_capacity(rows: usize) -> Values<T> {
        Values { values: Vec::with_capacity(rows), missing: Vec::new() }
    }

    fn push_missing(&mut self, stand_in: T) {
        self.missing.push(self.values.len());
        self.values.push(stand_in);
    }

    fn nulls(&self) -> Option<NullBuffer> {
        if self.missing.is_empty() {
            return None;
        }
        let mut known = vec![true; self.values.len()];
        self.missing.iter().for_each(|row| known[*row] = false);
        Some(NullBuffer::new(BooleanBuffer::from(known)))
    }
}

/// What becomes of the fields of one column.
enum Sink {
    Skip,
    Number(Values<f64>),
    Integer(Values<i64>),
    Text(BinaryBuilder),
    Utf8(StringBuilder),
    /// To compute with, and to carry along in another form.
    Both(Values<f64>, Box<Sink>),
}

impl Sink {
    /// Takes a field; `None` if it is of the wrong kind.
    fn take(&mut self, field: &[u8]) -> Option<()> {
        match self {
            Sink::Skip => {}
            Sink::Text(builder) => builder.append_value(field),
            Sink::Number(values) => {
                let field = field.trim_ascii();
                if is_missing(field) {
                    values.push_missing(f64::NAN);
                } else {
                    values.values.push(number(field)?);
                }
            }
            Sink::Integer(values) => {
                let field = field.trim_ascii();
                if is_missing(field) {
                    values.push_missing(0);
                } else {
                    values.values.push(integer(field)?);
                }
            }
            Sink::Utf8(builder) if is_missing(field.trim_ascii()) => builder.append_null(),
            Sink::Utf8(builder) => builder.append_value(std::str::from_utf8(field).ok()?),
            Sink::Both(values, other) => {
                let field_text = field.trim_ascii();
                if is_missing(field_text) {
                    values.push_missing(f64::NAN);
                } else {
                    values.values.push(number(field_text)?);
                }
                other.take(field)?;
            }
        }
        Some(())
    }

    /// The numbers to compute with and the column to carry.
    fn finish(self) -> (Option<Float64Array>, Option<ArrayRef>) {
        fn numbers(values: Values<f64>) -> Float64Array {
            let nulls = values.nulls();
            Float64Array::new(ScalarBuffer::from(values.values), nulls)
        }
        match self {
            Sink::Skip => (None, None),
            Sink::Number(values) => {
                let array = numbers(values);
                (Some(array.clone()), Some(Arc::new(array)))
            }
            Sink::Integer(values) => {
                let nulls = values.nulls();
                (None, Some(Arc::new(Int64Array::new(ScalarBuffer::from(values.values), nulls))))
            }
            Sink::Text(mut builder) => (None, Some(Arc::new(builder.finish()))),
            Sink::Utf8(mut builder) => (None, Some(Arc::new(builder.finish()))),
            Sink::Both(values, other) => (Some(numbers(values)), other.finish().1),
        }
    }
}

impl Plan {
    fn sinks(&self, rows: usize) -> Vec<Sink> {
        let carried = |column: usize| match self.carried.as_ref().map(|c| c[column]) {
            None => Sink::Skip,
            Some(Carried::Text) => Sink::Text(BinaryBuilder::with_capacity(rows, rows * 8)),
            Some(Carried::Utf8) => Sink::Utf8(StringBuilder::with_capacity(rows, rows * 8)),
            Some(Carried::Integer) => Sink::Integer(Values::with_capacity(rows)),
            Some(Carried::Number) => Sink::Number(Values::with_capacity(rows)),
        };
        (0..self.columns.len())
            .map(|column| match (self.numeric[column], carried(column)) {
                (None, sink) | (Some(_), sink @ Sink::Number(_)) => sink,
                (Some(_), Sink::Skip) => Sink::Number(Values::with_capacity(rows)),
                (Some(_), sink) => Sink::Both(Values::with_capacity(rows), Box::new(sink)),
            })
            .collect()
    }

    fn parse(&self, block: Block) -> Result<Batch, TableError> {
        let extent = block.bytes.len() as u64;
        let expected_rows = memchr_iter(b'\n', &block.bytes).count() + 1;
        let mut sinks = self.sinks(expected_rows);
        let mut places = Vec::with_capacity(if self.lines { expected_rows } else { 0 });
        let mut rows = 0;
        for_each_record(&block, self.delimiter, |record| {
            if self.lines {
                // Blocks are far below 4 GiB: a record is at most LONGEST_RECORD.
                places.push((record.place.0 as u32, record.place.1 as u32));
            }
            rows += 1;
            self.record(&block, record, &mut sinks)
        })?;
        let mut numeric: Vec<Option<Float64Array>> = vec![None; self.numeric_count];
        let mut arrays = Vec::with_capacity(self.columns.len());
        for (sink, place) in sinks.into_iter().zip(&self.numeric) {
            let (numbers, array) = sink.finish();
            if let Some(place) = place {
                numeric[*place] = numbers;
            }
            arrays.extend(array);
        }
        let carried = match &self.carried {
            None => None,
            Some(_) => {
                let options = RecordBatchOptions::new().with_row_count(Some(rows));
                let batch = RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options);
                Some(batch.map_err(|e| TableError::Columnar { path: self.path.clone(), cause: Box::new(e) })?)
            }
        };
        let stored = self.lines.then_some(Stored::Lines(Lines { bytes: block.bytes, places }));
        Ok(Batch { rows, numeric: numeric.into_iter().flatten().collect(), carried, stored, extent })
    }

    fn record(&self, block: &Block, record: Record<'_>, sinks: &mut [Sink]) -> Result<(), TableError> {
        let count = self.columns.len();
        if record.unclosed {
            return Err(TableError::UnclosedQuote { path: self.path.clone(), line: record.line });
        }
        if let crate::records::Fields::Plain(_) = record.fields {
            return self.plain_record(&block.bytes[record.place.0..record.place.1], record.line, sinks);
        }
        let mut found = 0;
        for field in record.fields {
            if let Some(sink) = sinks.get_mut(found) {
                sink.take(field).ok_or_else(|| self.wrong(record.line, found, field))?;
            }
            found += 1;
        }
        if found == count { Ok(()) } else { Err(self.ragged(record.line, found)) }
    }

    /// A record without quotes. A number is read up to where it ends, without looking for the end of the field first.
    fn plain_record(&self, text: &[u8], line: u64, sinks: &mut [Sink]) -> Result<(), TableError> {
        // What is left of the record; `None` behind its last field.
        let mut rest = Some(text);
        for (column, sink) in sinks.iter_mut().enumerate() {
            let Some(here) = rest else { return Err(self.ragged(line, column)) };
            if let Sink::Number(values) = sink
                && let Ok((value, length)) = fast_float2::parse_partial::<f64, _>(here)
            {
                match here.get(length) {
                    Some(byte) if *byte == self.delimiter => {
                        values.values.push(value);
                        rest = Some(&here[length + 1..]);
                        continue;
                    }
                    None => {
                        values.values.push(value);
                        rest = None;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            // Fields of numbers are a dozen bytes: a plain search beats the set-up of a vector one.
            let field = match here.iter().position(|b| *b == self.delimiter) {
                Some(end) => {
                    rest = Some(&here[end + 1..]);
                    &here[..end]
                }
                None => {
                    rest = None;
                    here
                }
            };
            sink.take(field).ok_or_else(|| self.wrong(line, column, field))?;
        }
        match rest {
            None => Ok(()),
            Some(rest) => Err(self.ragged(line, self.columns.len() + 1 + memchr_iter(self.delimiter, rest).count())),
        }
    }

    #[cold]
    fn ragged(&self, line: u64, found: usize) -> TableError {
        TableError::Ragged { path: self.path.clone(), line, found, expected: self.columns.len() }
    }

    /// A value that its column cannot take.
    #[cold]
    fn wrong(&self, line: u64, column: usize, field: &[u8]) -> TableError {
        let (path, name) = (self.path.clone(), self.columns[column].clone());
        let text = String::from_utf8_lossy(field).into_owned();
        match self.carried.as_ref().map(|kinds| kinds[column]) {
            Some(Carried::Utf8) if std::str::from_utf8(field).is_err() => {
                TableError::NotUtf8 { path, line, column: name, text }
            }
            Some(kind) if self.numeric[column].is_none() => {
                let kind = if kind == Carried::Integer { "integers" } else { "numbers" };
                TableError::UnlikeTheFirst { path, line, column: name, text, kind }
            }
            _ => TableError::NotANumber { path, line, column: name, text },
        }
    }
}
