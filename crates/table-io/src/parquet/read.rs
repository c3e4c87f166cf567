//! Parquet files: row groups cut into parts of bounded size, of which any thread can decode one.

use crate::arrow::array::RecordBatch;
use crate::arrow::compute::concat_batches;
use crate::arrow::datatypes::SchemaRef;
use crate::batch::{Batch, Batches, Carry, Notes, Origin, Piece, Size, Stored, Wanted};
use crate::columnar::{damaged, deliver};
use crate::error::TableError;
use crate::guard::guarded;
use crate::limits::{Limit, Limits};
use crate::parquet::shared_file::SharedFile;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::Length;
use parquet::schema::types::{SchemaDescriptor, TypePtr};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most rows and about the most bytes of a part.
const ROWS: usize = 128 * 1024;
const BYTES: usize = 8 << 20;
/// A row group of more parts than this is large.
const LARGE: usize = 16;
/// A row group is kept as it is if its results take no more memory than this: all of them are held until it is complete.
const HELD: u64 = 64 << 20;

/// A Parquet file whose directory has been read.
pub(crate) struct ParquetFile {
    path: PathBuf,
    file: SharedFile,
    metadata: ArrowReaderMetadata,
    /// The leaves of each column.
    leaves: Vec<Range<usize>>,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Some rows of a row group, all of whose columns are still in the file.
#[derive(Debug, Clone, Copy)]
pub struct StoredRows {
    group: usize,
    last: bool,
}

impl StoredRows {
    pub(crate) fn group(self) -> usize {
        self.group
    }

    /// Whether they are the last of their group.
    pub(crate) fn is_last(self) -> bool {
        self.last
    }
}

impl ParquetFile {
    pub(crate) fn open(path: PathBuf, file: File) -> Result<ParquetFile, TableError> {
        let file = SharedFile::new(file).map_err(|cause| TableError::Open { path: path.clone(), cause })?;
        let metadata = guarded(&path, || {
            ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(|e| damaged(&path, e))
        })?;
        let leaves = leaves(metadata.parquet_schema());
        let file = ParquetFile { path, file, metadata, leaves };
        file.check(Limits::from_environment()?)?;
        Ok(file)
    }

    /// Every column chunk must be within the file, and as many rows as the groups have be possible: what reads them takes
    /// that for granted.
    fn check(&self, limits: Limits) -> Result<(), TableError> {
        let end = self.file.len();
        let leaves = self.metadata.parquet_schema().num_columns() as u64;
        let groups = self.metadata.metadata().row_groups();
        let rows = groups.iter().fold(0_u64, |sum, g| sum.saturating_add(u64::try_from(g.num_rows()).unwrap_or(0)));
        limits
            .exceeded(Limit::Columns, leaves)
            .and_then(|()| limits.rows_beside(rows, end))
            .map_err(|exceeded| exceeded.of(&self.path))?;
        let within = |start: i64, length: i64| {
            let (Ok(start), Ok(length)) = (u64::try_from(start), u64::try_from(length)) else { return false };
            start.checked_add(length).is_some_and(|last| last <= end)
        };
        for (g, group) in groups.iter().enumerate() {
            for column in group.columns() {
                let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
                if group.num_rows() < 0 || !within(start, column.compressed_size()) {
                    let what = format!(
                        "the directory says that column `{}` of row group {g} takes {} bytes from {start}, but the file has {end}",
                        column.column_path(),
                        column.compressed_size()
                    );
                    return Err(damaged(&self.path, ParquetError::General(what)));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    pub(crate) fn group(&self, group: usize) -> &RowGroupMetaData {
        self.metadata.metadata().row_group(group)
    }

    /// The type of a column as the file has it, and its leaves.
    pub(crate) fn root(&self, column: usize) -> Result<(TypePtr, Option<Range<usize>>), ParquetError> {
        let root = self.metadata.parquet_schema().root_schema().get_fields().get(column);
        match (root, self.leaves.get(column)) {
            (Some(root), Some(leaves)) if !leaves.is_empty() => Ok((root.clone(), Some(leaves.clone()))),
            _ => Err(ParquetError::General(format!("the file has no column {column}"))),
        }
    }

    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> Result<(), TableError> {
        self.file.read_exact_at(buffer, at).map_err(|cause| TableError::Read { path: self.path.clone(), cause })
    }

    /// Whether the columns can be copied as they are stored: what comes beside them has to be held for a whole group.
    fn can_be_copied(&self, wanted: &Wanted) -> bool {
        let Carry::Stored { results } = wanted.carry else { return false };
        let groups = self.metadata.metadata().row_groups();
        let held = |group: &RowGroupMetaData| (group.num_rows() as u64).saturating_mul(8 * results as u64);
        let here = |group: &RowGroupMetaData| group.columns().iter().all(|c| c.file_path().is_none());
        groups.iter().all(|group| held(group) <= HELD && here(group))
    }

    pub(crate) fn batches(self, schema: SchemaRef, wanted: &Wanted) -> Batches {
        let file = Arc::new(self);
        let stored = file.can_be_copied(wanted);
        let origin = stored.then(|| Origin::parquet(file.clone()));
        // Only the columns that are used are decoded.
        let goes_on = wanted.carry != Carry::Nothing && !stored;
        let mask = if goes_on && wanted.only.is_none() {
            ProjectionMask::all()
        } else {
            let fields = file.schema().fields().iter().enumerate();
            let used = |name: &str| {
                (goes_on && wanted.goes_on(name)) || wanted.numeric.iter().chain(&wanted.texts).any(|n| n == name)
            };
            let used = fields.filter(|(_, field)| used(field.name())).map(|(i, _)| i);
            ProjectionMask::roots(file.metadata.parquet_schema(), used)
        };
        let rows = file.metadata.metadata().file_metadata().num_rows().max(0) as u64;
        let parts = parts(&file.metadata, &mask);
        let wanted = Arc::new(wanted.clone());
        let next = Pieces { file, mask, wanted, stored, parts: parts.into_iter(), open: None };
        Batches { schema, size: Some(Size::Rows(rows)), origin, next: Box::new(next) }
    }

    /// A reader of a row group, in batches of this many rows.
    fn reader(
        &self,
        group: usize,
        mask: ProjectionMask,
        rows: usize,
        selection: Option<RowSelection>,
    ) -> Result<ParquetRecordBatchReader, TableError> {
        let mut reader = ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_batch_size(rows);
        if let Some(selection) = selection {
            reader = reader.with_row_selection(selection);
        }
        reader.build().map_err(|e| damaged(&self.path, e))
    }

    /// Reads a part by itself.
    fn read(&self, part: Part, mask: ProjectionMask, wanted: &Wanted, stored: bool) -> Result<Batch, TableError> {
        if stored && wanted.numeric.is_empty() && wanted.texts.is_empty() {
            let (extent, stored) = (part.rows as u64, Some(part.stored()));
            let notes = Notes::default();
            return Ok(Batch {
                rows: part.rows,
                numeric: Vec::new(),
                texts: Vec::new(),
                carried: None,
                stored,
                extent,
                notes,
            });
        }
        let whole = self.group(part.group).num_rows() as usize == part.rows;
        let select = vec![RowSelector::skip(part.skip), RowSelector::select(part.rows)];
        let reader = self.reader(part.group, mask, part.rows, (!whole).then(|| select.into()))?;
        let schema = crate::arrow::array::RecordBatchReader::schema(&reader);
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|e| damaged(&self.path, e))?;
        let batch = match <[RecordBatch; 1]>::try_from(batches) {
            Ok([batch]) => batch,
            Err(batches) => concat_batches(&schema, &batches).map_err(|e| damaged(&self.path, e))?,
        };
        self.deliver(part, batch, wanted, stored)
    }

    fn deliver(&self, part: Part, batch: RecordBatch, wanted: &Wanted, stored: bool) -> Result<Batch, TableError> {
        if batch.num_rows() != part.rows {
            let what = format!("row group {} has {} rows where {} should be", part.group, batch.num_rows(), part.rows);
            return Err(damaged(&self.path, ParquetError::General(what)));
        }
        let mut batch = deliver(&self.path, batch, wanted)?;
        if stored {
            (batch.carried, batch.stored) = (None, Some(part.stored()));
        }
        Ok(batch)
    }
}

/// The leaves of each column: they stand in the order of the columns.
fn leaves(schema: &SchemaDescriptor) -> Vec<Range<usize>> {
    let mut leaves = vec![0..0; schema.root_schema().get_fields().len()];
    for leaf in 0..schema.num_columns() {
        if let Some(of_column) = leaves.get_mut(schema.get_column_root_idx(leaf)) {
            let start = if of_column.start == of_column.end { leaf } else { of_column.start };
            *of_column = start..leaf + 1;
        }
    }
    leaves
}

/// The parts of a file. Of a small row group any thread decodes any part; the way to a part leads past all pages before it,
/// so that the parts of a large one are decoded one after the other, as they are taken.
struct Pieces {
    file: Arc<ParquetFile>,
    mask: ProjectionMask,
    wanted: Arc<Wanted>,
    stored: bool,
    parts: std::vec::IntoIter<Part>,
    /// The large group that is being read.
    open: Option<(usize, ParquetRecordBatchReader)>,
}

impl Pieces {
    /// The next rows of a large group.
    fn decode(&mut self, part: Part) -> Result<RecordBatch, TableError> {
        let (_, reader) = match self.open.take() {
            Some((group, reader)) if group == part.group => self.open.insert((group, reader)),
            _ => {
                let reader = self.file.reader(part.group, self.mask.clone(), part.rows, None)?;
                self.open.insert((part.group, reader))
            }
        };
        let batch = reader.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(self.file.schema().clone())));
        batch.map_err(|e| damaged(&self.file.path, e))
    }
}

impl Iterator for Pieces {
    type Item = Result<Piece, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let part = self.parts.next()?;
        let (file, mask, wanted, stored) = (self.file.clone(), self.mask.clone(), self.wanted.clone(), self.stored);
        if !part.in_turn || (stored && wanted.numeric.is_empty()) {
            return Some(Ok(Piece::new(move || guarded(&file.path, || file.read(part, mask, &wanted, stored)))));
        }
        let path = file.path.clone();
        match guarded(&path, || self.decode(part)) {
            Ok(batch) => {
                Some(Ok(Piece::new(move || guarded(&file.path, || file.deliver(part, batch, &wanted, stored)))))
            }
            Err(e) => {
                // Nothing behind it can be told from what is damaged.
                (self.parts, self.open) = (Vec::new().into_iter(), None);
                Some(Err(e))
            }
        }
    }
}

/// Some rows of a row group.
#[derive(Debug, Clone, Copy)]
struct Part {
    group: usize,
    skip: usize,
    rows: usize,
    last: bool,
    /// It is decoded behind the part before it.
    in_turn: bool,
}

impl Part {
    fn stored(self) -> Stored {
        Stored::Rows(StoredRows { group: self.group, last: self.last })
    }
}

/// All rows, in parts of bounded size: groups may be much larger.
fn parts(metadata: &ArrowReaderMetadata, mask: &ProjectionMask) -> Vec<Part> {
    let mut parts = Vec::new();
    for (group, info) in metadata.metadata().row_groups().iter().enumerate() {
        let rows = info.num_rows().max(0) as usize;
        let used = info.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
        let sizes = used.map(|(_, column)| column.uncompressed_size().max(0) as usize);
        let per_row = (sizes.fold(0, usize::saturating_add) / rows.max(1)).max(1);
        let most = (BYTES / per_row).clamp(1024, ROWS);
        let count = rows.div_ceil(most);
        // About one size, so that the last is not a small remainder.
        let size = rows.div_ceil(count.max(1));
        for skip in (0..rows).step_by(size.max(1)) {
            let end = (skip + size).min(rows);
            parts.push(Part { group, skip, rows: end - skip, last: end == rows, in_turn: count > LARGE });
        }
    }
    parts
}
