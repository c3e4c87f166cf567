//! CSV and TSV: blocks of whole records, parsed on all threads, delivered in order.

use crate::batch::{Batch, Batches, Wanted};
use crate::error::TableError;
use crate::records::{Block, BlockError, Blocks, for_each_record};
use arrow::array::{ArrayRef, BinaryBuilder, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, StringBuilder};
use arrow::buffer::{NullBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes per block: large enough that the cost per block vanishes, small enough that one per thread is little memory.
const BLOCK: usize = 1 << 20;
/// The longest record that is read.
const LONGEST_RECORD: usize = 64 << 20;

/// A text table whose header has been read.
pub(crate) struct TextTable {
    path: PathBuf,
    delimiter: u8,
    columns: Vec<String>,
    blocks: Blocks,
}

impl std::fmt::Debug for TextTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextTable").field("path", &self.path).field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// What becomes of one column.
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
    schema: SchemaRef,
}

impl TextTable {
    pub(crate) fn open(path: PathBuf, source: Box<dyn Read + Send>, delimiter: u8) -> Result<TextTable, TableError> {
        let mut blocks = Blocks::new(source, delimiter, BLOCK, LONGEST_RECORD);
        let header = blocks.header().map_err(|e| block_error(&path, e))?;
        let mut columns: Vec<String> = Vec::new();
        if let Some(header) = &header {
            for_each_record(header, delimiter, |_, fields| {
                columns = fields.map(|f| String::from_utf8_lossy(f).trim().to_string()).collect();
                Ok::<(), TableError>(())
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
        Ok(TextTable { path, delimiter, columns, blocks })
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
        let mut first = Vec::new();
        let carried = if !wanted.carry {
            None
        } else if wanted.typed {
            // The types come from the first blocks; a later value that does not fit is an error that says where.
            first = read_blocks(&mut self.blocks, &self.path)?;
            Some(suggest_types(&first, self.delimiter, &numeric))
        } else {
            Some(vec![Carried::Text; self.columns.len()])
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
        let schema = Arc::new(Schema::new(fields));
        let plan = Plan {
            path: self.path,
            delimiter: self.delimiter,
            columns: self.columns,
            numeric,
            numeric_count: wanted.numeric.len(),
            carried,
            schema: schema.clone(),
        };
        let reader = TextBatches { plan, blocks: self.blocks, first, ready: VecDeque::new(), failed: false };
        Ok(Batches { schema, next: Box::new(reader) })
    }
}

/// One block per thread, so that they can be parsed at the same time.
fn read_blocks(blocks: &mut Blocks, path: &std::path::Path) -> Result<Vec<Block>, TableError> {
    let mut out = Vec::new();
    while out.len() < rayon::current_num_threads() {
        match blocks.next_block().map_err(|e| block_error(path, e))? {
            Some(block) => out.push(block),
            None => break,
        }
    }
    Ok(out)
}

fn block_error(path: &std::path::Path, error: BlockError) -> TableError {
    let path = path.to_path_buf();
    match error {
        BlockError::Io(cause) => TableError::Read { path, cause },
        BlockError::TooLong { line, limit } => TableError::RecordTooLong { path, line, limit },
    }
}

struct TextBatches {
    plan: Plan,
    blocks: Blocks,
    /// Blocks that were read to find the types.
    first: Vec<Block>,
    ready: VecDeque<Result<Batch, TableError>>,
    failed: bool,
}

impl Iterator for TextBatches {
    type Item = Result<Batch, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        if self.ready.is_empty() {
            let blocks = if self.first.is_empty() {
                read_blocks(&mut self.blocks, &self.plan.path)
            } else {
                Ok(std::mem::take(&mut self.first))
            };
            match blocks {
                Ok(blocks) => {
                    let plan = &self.plan;
                    self.ready = blocks.into_par_iter().map(|b| plan.parse(&b)).collect::<Vec<_>>().into();
                }
                Err(e) => self.ready.push_back(Err(e)),
            }
        }
        let next = self.ready.pop_front();
        self.failed = matches!(next, Some(Err(_)));
        next
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

fn suggest_types(blocks: &[Block], delimiter: u8, numeric: &[Option<usize>]) -> Vec<Carried> {
    let mut kinds = vec![Carried::Integer; numeric.len()];
    let mut seen = vec![false; numeric.len()];
    for block in blocks {
        // The closure never fails: rows that are too short or too long are reported when they are parsed.
        let _ = for_each_record(block, delimiter, |_, fields| {
            for ((kind, seen), field) in kinds.iter_mut().zip(&mut seen).zip(fields) {
                let field = field.trim_ascii();
                if is_missing(field) || *kind == Carried::Utf8 {
                    continue;
                }
                *seen = true;
                if *kind == Carried::Integer && integer(field).is_none() {
                    *kind = Carried::Number;
                }
                // `TRUE` is text here: it should come out as it went in.
                if *kind == Carried::Number && fast_float2::parse::<f64, _>(field).is_err() {
                    *kind = Carried::Utf8;
                }
            }
            Ok::<(), ()>(())
        });
    }
    for ((kind, seen), numeric) in kinds.iter_mut().zip(seen).zip(numeric) {
        if numeric.is_some() && *kind != Carried::Utf8 {
            *kind = Carried::Number;
        } else if !seen {
            *kind = Carried::Utf8;
        }
    }
    kinds
}

/// An integer that is written as one: `007` is a name, not a number.
fn integer(field: &[u8]) -> Option<i64> {
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() > 1 && digits.starts_with(b"0") {
        return None;
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[derive(Debug, Default)]
struct NumberColumn {
    values: Vec<f64>,
    known: Vec<bool>,
    missing: usize,
}

impl NumberColumn {
    fn push(&mut self, value: Option<f64>) {
        self.values.push(value.unwrap_or(f64::NAN));
        self.known.push(value.is_some());
        self.missing += usize::from(value.is_none());
    }

    fn finish(self) -> Float64Array {
        let nulls = (self.missing > 0).then(|| NullBuffer::from(self.known));
        Float64Array::new(ScalarBuffer::from(self.values), nulls)
    }
}

enum CarriedColumn {
    Text(BinaryBuilder),
    Utf8(StringBuilder),
    Integer(Vec<Option<i64>>),
    Number(NumberColumn),
}

impl Plan {
    fn parse(&self, block: &Block) -> Result<Batch, TableError> {
        let mut numbers: Vec<NumberColumn> = (0..self.numeric_count).map(|_| NumberColumn::default()).collect();
        let mut carried: Vec<CarriedColumn> = self
            .carried
            .iter()
            .flatten()
            .map(|kind| match kind {
                Carried::Text => CarriedColumn::Text(BinaryBuilder::new()),
                Carried::Utf8 => CarriedColumn::Utf8(StringBuilder::new()),
                Carried::Integer => CarriedColumn::Integer(Vec::new()),
                Carried::Number => CarriedColumn::Number(NumberColumn::default()),
            })
            .collect();
        let mut rows = 0;
        for_each_record(block, self.delimiter, |line, fields| {
            let mut found = 0;
            for field in fields {
                if found < self.columns.len() {
                    self.take(line, found, field, &mut numbers, &mut carried)?;
                }
                found += 1;
            }
            if found != self.columns.len() {
                let (path, expected) = (self.path.clone(), self.columns.len());
                return Err(TableError::Ragged { path, line, found, expected });
            }
            rows += 1;
            Ok(())
        })?;
        let numeric = numbers.into_iter().map(NumberColumn::finish).collect();
        let carried = match &self.carried {
            None => None,
            Some(_) => {
                let arrays = carried.into_iter().map(finish_carried).collect();
                let options = RecordBatchOptions::new().with_row_count(Some(rows));
                let batch = RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options);
                Some(batch.map_err(|e| TableError::Columnar { path: self.path.clone(), cause: Box::new(e) })?)
            }
        };
        Ok(Batch { rows, numeric, carried })
    }

    fn take(
        &self,
        line: u64,
        column: usize,
        field: &[u8],
        numbers: &mut [NumberColumn],
        carried: &mut [CarriedColumn],
    ) -> Result<(), TableError> {
        let trimmed = field.trim_ascii();
        let wrong = || TableError::NotANumber {
            path: self.path.clone(),
            line,
            column: self.columns[column].clone(),
            text: String::from_utf8_lossy(field).into_owned(),
        };
        let mut value = None;
        if let Some(place) = self.numeric[column] {
            if !is_missing(trimmed) {
                value = Some(number(trimmed).ok_or_else(wrong)?);
            }
            numbers[place].push(value);
        }
        match carried.get_mut(column) {
            None => {}
            Some(CarriedColumn::Text(builder)) => builder.append_value(field),
            Some(CarriedColumn::Utf8(builder)) if is_missing(trimmed) => builder.append_null(),
            Some(CarriedColumn::Utf8(builder)) => builder.append_value(String::from_utf8_lossy(field)),
            Some(CarriedColumn::Integer(values)) if is_missing(trimmed) => values.push(None),
            Some(CarriedColumn::Integer(values)) => values.push(Some(integer(trimmed).ok_or_else(wrong)?)),
            Some(CarriedColumn::Number(values)) => {
                if self.numeric[column].is_none() && !is_missing(trimmed) {
                    value = Some(number(trimmed).ok_or_else(wrong)?);
                }
                values.push(value);
            }
        }
        Ok(())
    }
}

fn finish_carried(column: CarriedColumn) -> ArrayRef {
    match column {
        CarriedColumn::Text(mut builder) => Arc::new(builder.finish()),
        CarriedColumn::Utf8(mut builder) => Arc::new(builder.finish()),
        CarriedColumn::Integer(values) => Arc::new(Int64Array::from(values)),
        CarriedColumn::Number(values) => Arc::new(values.finish()),
    }
}
