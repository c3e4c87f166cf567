//! CSV and TSV: blocks of whole records, each parsed by itself.

use crate::arrow::array::{ArrayRef, Float64Array, RecordBatch, RecordBatchOptions};
use crate::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use crate::batch::{Batch, Batches, Carry, Lines, Note, Notes, Origin, Piece, Size, Stored, Survey, Wanted};
use crate::csv::columns::{Carried, Sink};
use crate::csv::records::{self, Block, BlockError, Blocks, Record, for_each_record};
use crate::csv::types::{Kinds, Missing, TextType, number};
use crate::error::TableError;
use crate::format::Bytes;
use crate::limits::{Exceeded, Limit, Limits};
use crate::pipeline::in_order;
use crate::stamp::FileStamp;
use memchr::memchr_iter;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes per block: large enough that the cost per block vanishes, small enough that a few per thread are little memory.
const BLOCK: usize = 1 << 20;
/// No record is longer, whatever the limit: places in a block have 32 bits.
const LONGEST_RECORD: u64 = 1 << 31;

/// Rows that a survey looks at: a small part of the work on a table that takes time.
const SURVEYED: usize = 10_000;

/// Marks the fields of a schema whose values are fields of a text file as they stand there; the value is the delimiter.
pub(crate) const AS_IT_STANDS: &str = "gristmill.text_field";

/// A text table whose header has been read.
pub(crate) struct TextTable {
    path: PathBuf,
    delimiter: u8,
    columns: Vec<String>,
    blocks: Blocks,
    /// The longest record that is read.
    longest: usize,
    /// Of the file, if it is one that can be read again.
    stamp: Option<FileStamp>,
    missing: Missing,
    /// What has been read to look at it.
    first: Option<Block>,
    looked: bool,
    /// Of all values of the table, once they are known.
    kinds: Option<Vec<Kinds>>,
    /// Bytes of a stream that was stored to look at all of it.
    stored: Option<u64>,
    /// Bytes of the file that have been read, if it is compressed.
    consumed: Option<Arc<AtomicU64>>,
    /// The header suggested the delimiter.
    guessed: bool,
    no_header: bool,
}

/// How fields and columns are told apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldRules {
    /// What separates fields in this format.
    pub(crate) usual: u8,
    /// What does in this table.
    pub(crate) given: Option<u8>,
    /// Whether the header may suggest another one.
    pub(crate) guess: bool,
    pub(crate) no_header: bool,
}

/// What seems to separate the fields of a header without a comma: the most frequent of the usual ones outside quotes.
fn guessed_delimiter(header: &[u8]) -> Option<u8> {
    let mut quoted = false;
    let mut counts = [(b';', 0), (b'\t', 0), (b'|', 0)];
    for byte in header {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => return None,
            byte if !quoted => counts.iter_mut().filter(|(d, _)| d == byte).for_each(|(_, count)| *count += 1),
            _ => {}
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 0).max_by_key(|(_, count)| *count).map(|(delimiter, _)| delimiter)
}

impl std::fmt::Debug for TextTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextTable").field("path", &self.path).field("columns", &self.columns).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct ColumnPlan {
    path: PathBuf,
    delimiter: u8,
    columns: Vec<String>,
    missing: Missing,
    /// A number may stand for a missing value.
    missing_numbers: bool,
    /// For each column: where among the wanted numbers it goes.
    numeric: Vec<Option<usize>>,
    numeric_count: usize,
    /// For each column: where among the wanted texts it goes.
    texts: Vec<Option<usize>>,
    text_count: usize,
    /// For each column: whether it goes on, if any does.
    goes_on: Vec<bool>,
    carried: Option<Vec<Carried>>,
    lines: bool,
    schema: SchemaRef,
}

impl TextTable {
    pub(crate) fn open(
        path: PathBuf,
        source: Bytes,
        fields: FieldRules,
        stamp: Option<FileStamp>,
    ) -> Result<TextTable, TableError> {
        let limits = Limits::from_environment()?;
        let longest = limits.of(Limit::RecordBytes).min(LONGEST_RECORD) as usize;
        let mut delimiter = fields.given.unwrap_or(fields.usual);
        let mut blocks = Blocks::new(source.stream, delimiter, BLOCK, longest);
        let header = blocks.header().map_err(|e| block_error(&path, e))?;
        let guessed = header.as_ref().filter(|_| fields.given.is_none() && fields.guess);
        let guessed = guessed.and_then(|header| guessed_delimiter(&header.bytes));
        if let Some(guessed) = guessed {
            delimiter = guessed;
            blocks.set_delimiter(guessed);
        }
        let mut columns: Vec<String> = Vec::new();
        if let Some(header) = &header {
            if let Some(what) = no_text(&header.bytes) {
                return Err(TableError::NotText { path, what });
            }
            for_each_record(header, delimiter, |record| {
                if record.unclosed {
                    return Err(TableError::UnclosedQuote { path: path.clone(), line: record.line });
                }
                let (mut count, most) = (0, limits.of(Limit::Columns));
                for field in record.fields {
                    count += 1;
                    // Those beyond are counted, and not kept.
                    if count <= most {
                        columns.push(String::from_utf8_lossy(field.text).trim().to_string());
                    }
                }
                limits.exceeded(Limit::Columns, count).map_err(|e: Exceeded| e.of(&path))
            })?;
        }
        if columns.is_empty() {
            return Err(TableError::Empty { path });
        }
        if let Some(first) = header.filter(|_| fields.no_header) {
            columns = (1..=columns.len()).map(|number| format!("V{number}")).collect();
            blocks.unread(first);
        }
        let mut places = HashMap::with_capacity(columns.len());
        for (j, column) in columns.iter().enumerate() {
            if let Some(i) = places.insert(column.as_str(), j) {
                return Err(TableError::DuplicateColumn { path, column: column.clone(), numbers: (i + 1, j + 1) });
            }
        }
        let missing = Missing::default();
        Ok(TextTable {
            path,
            delimiter,
            columns,
            blocks,
            longest,
            stamp,
            missing,
            first: None,
            looked: false,
            kinds: None,
            stored: None,
            consumed: source.consumed,
            guessed: guessed.is_some(),
            no_header: fields.no_header,
        })
    }

    /// What separates the fields, and whether that was guessed.
    pub(crate) fn delimiter(&self) -> (u8, bool) {
        (self.delimiter, self.guessed)
    }

    /// Says what kinds of values the columns have, because other files belong to the same table.
    pub(crate) fn set_kinds(&mut self, kinds: Vec<Kinds>) {
        self.kinds = Some(kinds);
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Says what stands for missing values.
    pub(crate) fn set_missing(&mut self, missing: Missing) {
        self.missing = missing;
    }

    /// Looks at the first rows, and at all where they leave open whether a column holds truth values.
    pub(crate) fn survey(&mut self, names: &[String]) -> Result<Survey, TableError> {
        self.look()?;
        let wanted: HashMap<&str, usize> = names.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
        let places: Vec<Option<usize>> = self.columns.iter().map(|c| wanted.get(c.as_str()).copied()).collect();
        let end = places.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut kinds = vec![Kinds::default(); names.len()];
        // How many may still hold truth values.
        let mut open = names.len();
        let mut word: Option<String> = None;
        let mut rows = 0;
        if let Some(block) = self.first.as_ref().filter(|_| end > 0) {
            let _ = for_each_record(block, self.delimiter, |record| {
                for (place, field) in places[..end].iter().zip(record.fields) {
                    let Some(place) = *place else { continue };
                    if kinds[place].may_be_truth() {
                        kinds[place] = kinds[place].and(Kinds::of_field(field, &self.missing));
                        open -= usize::from(!kinds[place].may_be_truth());
                    }
                    if word.is_none() && self.missing.in_numbers(field) {
                        word = Some(String::from_utf8_lossy(field.text.trim_ascii()).into_owned());
                    }
                }
                rows += 1;
                let decided = word.is_some() && open == 0;
                if decided || rows == SURVEYED { Err(()) } else { Ok(()) }
            });
        }
        let mut truth = vec![false; names.len()];
        if self.first.is_some() && kinds.iter().any(|k| k.may_be_truth()) {
            for (place, kinds) in places.iter().zip(self.all_kinds()?) {
                if let Some(place) = *place {
                    truth[place] = kinds.column_type() == TextType::Truth;
                }
            }
        }
        let text = kinds.iter().map(|k| k.has_text()).collect();
        Ok(Survey { truth, text, missing: word })
    }

    pub(crate) fn batches(mut self, wanted: &Wanted) -> Result<Batches, TableError> {
        let mut numeric = vec![None; self.columns.len()];
        let columns: HashMap<&str, usize> = self.columns.iter().enumerate().map(|(i, c)| (c.as_str(), i)).collect();
        for (place, name) in wanted.numeric.iter().enumerate() {
            match columns.get(name.as_str()) {
                Some(column) => numeric[*column] = Some(place),
                None => return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() }),
            }
        }
        let mut texts = vec![None; self.columns.len()];
        for (place, name) in wanted.texts.iter().enumerate() {
            match self.columns.iter().position(|c| c == name) {
                Some(column) => texts[column] = Some(place),
                None => return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() }),
            }
        }
        let carried = match wanted.carry {
            Carry::Nothing => None,
            Carry::Columns => Some(vec![Carried::Bytes; self.columns.len()]),
            Carry::Fields | Carry::Stored { .. } => Some(vec![Carried::AsItStands; self.columns.len()]),
            Carry::TypedColumns => {
                Some(self.all_kinds()?.iter().map(|kinds| Carried::Typed(kinds.column_type())).collect())
            }
        };
        let fields: Vec<Field> = match &carried {
            None => Vec::new(),
            Some(kinds) => {
                let chosen = self.columns.iter().zip(kinds).filter(|(name, _)| wanted.goes_on(name));
                chosen.map(|(name, kind)| self.field(name, *kind)).collect()
            }
        };
        let goes_on = self.columns.iter().map(|name| wanted.goes_on(name)).collect();
        let lines = matches!(wanted.carry, Carry::Stored { .. });
        let schema = Arc::new(Schema::new(fields));
        let size = self.stored.or(self.stamp.as_ref().map(FileStamp::length)).map(Size::Bytes);
        // What was looked at as a whole must be the same when it is read.
        let same = self.stamp.filter(|_| self.kinds.is_some());
        let plan = ColumnPlan {
            path: self.path,
            delimiter: self.delimiter,
            columns: self.columns,
            missing_numbers: self.missing.has_numbers(),
            missing: self.missing,
            numeric,
            numeric_count: wanted.numeric.len(),
            texts,
            text_count: wanted.texts.len(),
            goes_on,
            carried: carried.filter(|_| !lines),
            lines,
            schema: schema.clone(),
        };
        let next = TextPieces {
            plan: Arc::new(plan),
            blocks: self.blocks,
            first: self.first,
            same,
            ended: false,
            consumed: self.consumed,
            told: 0,
        };
        let origin = lines.then(Origin::text);
        Ok(Batches { schema, size, origin, next: Box::new(next) })
    }

    fn field(&self, name: &str, kind: Carried) -> Field {
        let data_type = match kind {
            Carried::Bytes | Carried::AsItStands => DataType::Binary,
            Carried::Typed(TextType::Missing | TextType::Text) => DataType::Utf8,
            Carried::Typed(TextType::Truth) => DataType::Boolean,
            Carried::Typed(TextType::Integer) => DataType::Int64,
            Carried::Typed(TextType::Unsigned) => DataType::UInt64,
            Carried::Typed(TextType::Double) => DataType::Float64,
        };
        let field = Field::new(name, data_type, true);
        match kind {
            Carried::AsItStands => {
                let delimiter = char::from(self.delimiter).to_string();
                field.with_metadata([(AS_IT_STANDS.to_string(), delimiter)])
            }
            _ => field,
        }
    }

    /// Reads the first block.
    fn look(&mut self) -> Result<(), TableError> {
        if !self.looked {
            self.first = self.blocks.next_block().map_err(|e| block_error(&self.path, e))?;
            self.looked = true;
        }
        Ok(())
    }

    /// The kinds of all values of each column. A file is read once more for them; a stream is stored, because it cannot be.
    pub(crate) fn all_kinds(&mut self) -> Result<&[Kinds], TableError> {
        self.look()?;
        let kinds = match self.kinds.take() {
            Some(kinds) => kinds,
            None if self.blocks.is_done() => {
                let mut kinds = vec![Kinds::default(); self.columns.len()];
                let first = self.first.iter();
                first.for_each(|block| Kinds::of_block(&mut kinds, block, self.delimiter, &self.missing));
                kinds
            }
            None if self.stamp.is_some() => self.kinds_of_file()?,
            None => self.kinds_of_stream()?,
        };
        Ok(self.kinds.insert(kinds))
    }

    fn kinds_of_file(&self) -> Result<Vec<Kinds>, TableError> {
        let file = File::open(&self.path).map_err(|cause| TableError::Open { path: self.path.clone(), cause })?;
        if FileStamp::of_file(&file) != self.stamp {
            return Err(TableError::Changed { path: self.path.clone() });
        }
        let path = &self.path;
        let source = Bytes::of(path, Some(file))?.stream;
        let mut blocks = Blocks::new(source, self.delimiter, BLOCK, self.longest);
        let header = blocks.header().map_err(|e| block_error(path, e))?;
        header.filter(|_| self.no_header).into_iter().for_each(|first| blocks.unread(first));
        self.kinds_of(|| blocks.next_block().map_err(|e| block_error(path, e)).transpose(), |_| Ok(()))
    }

    /// Stores the rest of the stream in a file without a name, from which it is then read.
    fn kinds_of_stream(&mut self) -> Result<Vec<Kinds>, TableError> {
        let cannot_store = |cause| TableError::Spool { folder: std::env::temp_dir(), cause };
        let mut file = tempfile::tempfile().map_err(cannot_store)?;
        let mut first = self.first.take();
        let line = first.as_ref().map_or(1, |block| block.first_line);
        let (path, mut length) = (self.path.clone(), 0);
        let mut blocks = std::mem::replace(
            &mut self.blocks,
            Blocks::new(Box::new(std::io::empty()), self.delimiter, BLOCK, self.longest),
        );
        let kinds = self.kinds_of(
            || match first.take() {
                Some(block) => Some(Ok(block)),
                None => blocks.next_block().map_err(|e| block_error(&path, e)).transpose(),
            },
            |block| {
                length += block.bytes.len() as u64;
                file.write_all(&block.bytes).map_err(cannot_store)
            },
        )?;
        file.rewind().map_err(cannot_store)?;
        blocks.go_on_with(Box::new(file), line);
        (self.blocks, self.stored, self.consumed) = (blocks, Some(length), None);
        Ok(kinds)
    }

    /// The kinds of the values of all blocks, which are handed on in order.
    fn kinds_of(
        &self,
        next: impl FnMut() -> Option<Result<Block, TableError>> + Send,
        mut done: impl FnMut(Block) -> Result<(), TableError> + Send,
    ) -> Result<Vec<Kinds>, TableError> {
        let (delimiter, missing) = (self.delimiter, &self.missing);
        let none = vec![Kinds::default(); self.columns.len()];
        let mut all = none.clone();
        in_order(
            rayon::current_num_threads(),
            next,
            |block| {
                let mut kinds = none.clone();
                Kinds::of_block(&mut kinds, &block, delimiter, missing);
                Ok((kinds, block))
            },
            |(kinds, block)| {
                all.iter_mut().zip(kinds).for_each(|(all, kinds)| *all = all.and(kinds));
                done(block)
            },
        )?;
        Ok(all)
    }
}

/// What a header that is no text is instead.
fn no_text(header: &[u8]) -> Option<&'static str> {
    let bare_return = |i: usize, byte: &u8| *byte == b'\r' && !matches!(header.get(i + 1), None | Some(b'\n'));
    match header {
        [b'P', b'K', 3, 4, ..] => Some("is a zip archive: unpack it first, or `unzip -p FILE | gristmill eval … -`"),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some("is compressed by xz: `xzcat FILE | gristmill eval … -`"),
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
    plan: Arc<ColumnPlan>,
    blocks: Blocks,
    /// The block that was read to look at it.
    first: Option<Block>,
    /// What the file has to be still, at the end.
    same: Option<FileStamp>,
    ended: bool,
    /// Bytes of the file that have been read, if it is compressed, and how many of them have been told.
    consumed: Option<Arc<AtomicU64>>,
    told: u64,
}

impl TextPieces {
    fn next_block(&mut self) -> Result<Option<Block>, TableError> {
        if let Some(block) = self.first.take() {
            return Ok(Some(block));
        }
        let path = &self.plan.path;
        let block = self.blocks.next_block().map_err(|e| block_error(path, e))?;
        if block.is_none() && self.same.is_some() && FileStamp::of_path(path).ok().flatten() != self.same {
            return Err(TableError::Changed { path: path.clone() });
        }
        Ok(block)
    }
}

impl Iterator for TextPieces {
    type Item = Result<Piece, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let block = self.next_block().transpose();
        self.ended = !matches!(block, Some(Ok(_)));
        let plan = self.plan.clone();
        let consumed = self.consumed.as_ref().map(|count| count.load(Ordering::Relaxed));
        let extent = consumed.map(|consumed| consumed - std::mem::replace(&mut self.told, consumed));
        block.map(|block| {
            block.map(|block| {
                let extent = extent.unwrap_or(block.bytes.len() as u64);
                Piece::new(move || plan.parse(block, extent))
            })
        })
    }
}

impl ColumnPlan {
    fn sinks(&self, rows: usize) -> Vec<Sink> {
        let carried = |column: usize| self.carried.as_ref().filter(|_| self.goes_on[column]).map(|c| c[column]);
        let sink = |c: usize| {
            let sink = Sink::new(self.numeric[c].is_some(), carried(c), rows);
            if self.texts[c].is_some() { sink.and_text(rows) } else { sink }
        };
        (0..self.columns.len()).map(sink).collect()
    }

    fn parse(&self, block: Block, extent: u64) -> Result<Batch, TableError> {
        // Not more than there are lines, nor than there are bytes for: every field takes one, if only for what ends it.
        let lines = memchr_iter(b'\n', &block.bytes).count() + 1;
        let expected_rows = lines.min(block.bytes.len() / self.columns.len() + 1);
        let mut sinks = self.sinks(expected_rows);
        let mut places = Vec::with_capacity(if self.lines { expected_rows } else { 0 });
        // Of the columns behind the last that somebody wants only the number is looked at.
        let used = sinks.iter().rposition(|sink| !matches!(sink, Sink::Skip)).map_or(0, |last| last + 1);
        let mut rows = 0;
        for_each_record(&block, self.delimiter, |record| {
            if self.lines {
                // Blocks are below 4 GiB: a record is at most LONGEST_RECORD.
                places.push((record.place.0 as u32, record.place.1 as u32));
            }
            rows += 1;
            self.record(&block, record, &mut sinks, used)
        })?;
        let mut numeric: Vec<Option<Float64Array>> = vec![None; self.numeric_count];
        let mut texts: Vec<Option<ArrayRef>> = vec![None; self.text_count];
        let mut arrays = Vec::with_capacity(self.columns.len());
        let mut notes = Notes::default();
        for (column, (sink, place)) in sinks.into_iter().zip(&self.numeric).enumerate() {
            let done = sink.finish();
            for (note, count) in [
                (Note::LargeInteger, if place.is_some() { done.large_integers } else { 0 }),
                (Note::LongDecimal, if self.carried.is_some() { done.long_decimals } else { 0 }),
                (Note::KeptAsText, done.kept_as_text),
            ] {
                notes.add(&self.columns[column], note, count);
            }
            if let Some(place) = place {
                numeric[*place] = done.numbers;
            }
            if let Some(place) = self.texts[column] {
                texts[place] = done.text;
            }
            arrays.extend(done.carried.filter(|_| self.goes_on[column]));
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
        let (numeric, texts) = (numeric.into_iter().flatten().collect(), texts.into_iter().flatten().collect());
        Ok(Batch { rows, numeric, texts, carried, stored, extent, notes })
    }

    /// A record; `used` of the columns, from the first on, are wanted.
    fn record(&self, block: &Block, record: Record<'_>, sinks: &mut [Sink], used: usize) -> Result<(), TableError> {
        let count = self.columns.len();
        if record.unclosed {
            return Err(TableError::UnclosedQuote { path: self.path.clone(), line: record.line });
        }
        if let records::Fields::Plain(_) = record.fields {
            return self.plain_record(&block.bytes[record.place.0..record.place.1], record.line, &mut sinks[..used]);
        }
        let mut found = 0;
        for field in record.fields {
            if let Some(sink) = sinks.get_mut(found) {
                sink.take(field, &self.missing).ok_or_else(|| self.wrong(record.line, found, field))?;
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
            if !self.missing_numbers
                && let Some(length) = sink.take_start(here, self.delimiter)
            {
                rest = here.get(length + 1..);
                continue;
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
            if matches!(sink, Sink::Skip) {
                continue;
            }
            let field = records::Field::plain(field);
            sink.take(field, &self.missing).ok_or_else(|| self.wrong(line, column, field))?;
        }
        let found = sinks.len() + rest.map_or(0, |rest| 1 + memchr_iter(self.delimiter, rest).count());
        if found == self.columns.len() { Ok(()) } else { Err(self.ragged(line, found)) }
    }

    #[cold]
    fn ragged(&self, line: u64, found: usize) -> TableError {
        TableError::Ragged { path: self.path.clone(), line, found, expected: self.columns.len() }
    }

    /// A value that its column cannot take.
    #[cold]
    fn wrong(&self, line: u64, column: usize, field: records::Field<'_>) -> TableError {
        let (path, name) = (self.path.clone(), self.columns[column].clone());
        let text = String::from_utf8_lossy(field.text).into_owned();
        let no_number = !self.missing.in_numbers(field) && number(field.text.trim_ascii()).is_none();
        match self.carried.as_ref().map(|kinds| kinds[column]) {
            _ if self.numeric[column].is_some() && no_number => {
                if field.quoted && field.text == b"NA" {
                    return TableError::QuotedMissing { path, line, column: name, text };
                }
                TableError::NotANumber { path, line, column: name, text }
            }
            Some(Carried::Typed(TextType::Text)) => TableError::NotUtf8 { path, line, column: name, text },
            // All values were looked at before.
            _ => TableError::Changed { path },
        }
    }
}
