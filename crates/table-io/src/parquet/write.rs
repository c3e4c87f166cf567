//! Parquet: row groups are encoded by whoever has a batch that is large enough for one, small batches are collected.
//!
//! Where the rows come from a Parquet file too, the columns that nothing changes are copied as they are stored there, and
//! the row groups stay as they were.

use crate::arrow::array::{ArrayRef, RecordBatch};
use crate::arrow::datatypes::{Schema, SchemaRef};
use crate::error::TableError;
use crate::parquet::plain::{PlainPage, is_compressible, is_plain, write_chunk};
use crate::parquet::read::{ParquetFile, StoredRows};
use crate::parquet::types;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory, ArrowWriter, compute_leaves,
};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowSchemaConverter, encode_arrow_schema};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaDataBuilder, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type, TypePtr};
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A group has about this many rows: enough that readers can skip and decode well, few enough that memory stays bounded.
const GROUP_ROWS: usize = 120_000;
/// Wide tables have groups of fewer rows.
const GROUP_BYTES: usize = 32 << 20;
/// A batch of at least this part of a group is a group by itself.
const ALONE: usize = 2;
/// Bytes that are copied from file to file at once: few enough that they stay in a core's cache between the two.
const COPY: usize = 256 << 10;

/// The columns of a row group, encoded.
#[derive(Debug)]
pub(crate) struct ParquetGroup {
    rows: usize,
    columns: Vec<Chunk>,
}

/// One column of a row group.
enum Chunk {
    Plain(Vec<PlainPage>),
    /// A nested column has several leaves.
    Encoded(Vec<ArrowColumnChunk>),
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Chunk::Plain(pages) => f.debug_tuple("Plain").field(&pages.len()).finish(),
            Chunk::Encoded(leaves) => f.debug_tuple("Encoded").field(&leaves.len()).finish(),
        }
    }
}

/// The results for some rows of a row group whose other columns are copied.
#[derive(Debug)]
pub(crate) struct ParquetResults {
    rows: StoredRows,
    pages: Vec<PlainPage>,
}

/// Encodes row groups, on any thread.
#[derive(Debug, Clone)]
pub(crate) struct ParquetEncoder {
    path: Arc<PathBuf>,
    schema: SchemaRef,
    properties: WriterPropertiesPtr,
    /// Makes the writers of columns. It is not there where other columns are copied: the results are plain.
    columns: Option<Arc<ArrowRowGroupWriterFactory>>,
}

impl ParquetEncoder {
    /// Whether the batch is large enough for a row group of its own.
    pub(crate) fn is_group(&self, batch: &RecordBatch) -> bool {
        batch.num_rows() >= GROUP_ROWS / ALONE || batch.get_array_memory_size() >= GROUP_BYTES / ALONE
    }

    fn failed(&self, cause: ParquetError) -> TableError {
        failed(&self.path, cause)
    }

    /// A row group of these rows.
    pub(crate) fn encode_group(&self, batches: &[RecordBatch]) -> Result<ParquetGroup, TableError> {
        let Some(factory) = &self.columns else {
            return Err(self.failed(ParquetError::General("the rows were encoded for another writer".into())));
        };
        let mut writers = factory.create_column_writers(0).map_err(|e| self.failed(e))?.into_iter();
        let mut columns = Vec::with_capacity(self.schema.fields().len());
        for (i, field) in self.schema.fields().iter().enumerate() {
            let arrays: Result<Vec<ArrayRef>, _> = batches.iter().map(|b| types::as_stored(b.column(i))).collect();
            let arrays = arrays.map_err(|e| self.failed(e.into()))?;
            if let Some(pages) = plain_pages(&arrays, field.is_nullable()) {
                writers.next();
                columns.push(Work::Done(pages));
                continue;
            }
            let leaves: Result<Vec<_>, _> = arrays.iter().map(|array| compute_leaves(field, array)).collect();
            let leaves = leaves.map_err(|e| self.failed(e))?;
            let count = leaves.first().map_or(0, Vec::len);
            columns.push(Work::Encode(writers.by_ref().take(count).collect(), leaves));
        }
        // One batch comes from a thread among others; several are collected, and the others have nothing to do.
        let chunks: Result<Vec<Chunk>, ParquetError> = if batches.len() > 1 {
            columns.into_par_iter().map(Work::run).collect()
        } else {
            columns.into_iter().map(Work::run).collect()
        };
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        Ok(ParquetGroup { rows, columns: chunks.map_err(|e| self.failed(e))? })
    }

    /// The results for some rows of a row group that is copied.
    pub(crate) fn encode_results(&self, rows: StoredRows, batch: &RecordBatch) -> Result<ParquetResults, TableError> {
        let pages: Option<Vec<_>> = batch.columns().iter().map(|column| PlainPage::new(column, true)).collect();
        let no_page = || self.failed(ParquetError::General("a result is neither a number nor a truth value".into()));
        Ok(ParquetResults { rows, pages: pages.ok_or_else(no_page)? })
    }
}

/// What is left to do for a column.
enum Work {
    Done(Vec<PlainPage>),
    Encode(Vec<ArrowColumnWriter>, Vec<Vec<ArrowLeafColumn>>),
}

impl Work {
    fn run(self) -> Result<Chunk, ParquetError> {
        match self {
            Work::Done(pages) => Ok(Chunk::Plain(pages)),
            Work::Encode(mut writers, batches) => {
                for leaves in &batches {
                    for (writer, leaf) in writers.iter_mut().zip(leaves) {
                        writer.write(leaf)?;
                    }
                }
                writers.into_iter().map(ArrowColumnWriter::close).collect::<Result<_, _>>().map(Chunk::Encoded)
            }
        }
    }
}

/// The pages of a column of numbers in which there is nothing to compress. Others are left to the general writer, which
/// finds dictionaries.
fn plain_pages(arrays: &[ArrayRef], nullable: bool) -> Option<Vec<PlainPage>> {
    let first = arrays.first().filter(|a| is_plain(a.data_type()))?;
    let data = first.to_data();
    if is_compressible(data.buffers().first()?.as_slice()) {
        return None;
    }
    arrays.iter().map(|array| PlainPage::new(array, nullable)).collect()
}

fn failed(path: &Path, cause: ParquetError) -> TableError {
    match cause {
        // A full disk is a matter of the output, not of the format.
        ParquetError::External(cause) if cause.is::<io::Error>() => {
            let cause = cause.downcast::<io::Error>().map_or_else(io::Error::other, |e| *e);
            TableError::Write { path: path.to_path_buf(), cause }
        }
        cause => TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) },
    }
}

/// A Parquet file that is being written.
pub(crate) struct ParquetSink<W: Write + Send> {
    out: TrackedWrite<W>,
    encoder: ParquetEncoder,
    columns: Vec<Column>,
    descriptor: SchemaDescPtr,
    key_values: Vec<KeyValue>,
    groups: Vec<RowGroupMetaData>,
    /// Small batches, until they are enough for a row group.
    collected: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// Results of the first rows of a row group, until it is complete.
    results: Vec<Vec<PlainPage>>,
    copied: Option<Arc<ParquetFile>>,
    buffer: Vec<u8>,
}

/// A column of the output.
struct Column {
    /// The schema that has this column alone.
    schema: SchemaDescPtr,
    /// Its leaves in the file that it is copied from.
    copied: Option<Range<usize>>,
}

/// The columns of the output that are copied from a Parquet file as they are stored there.
pub(crate) struct Copied<'a> {
    pub(crate) file: Arc<ParquetFile>,
    /// For each column of the output, the column of that file.
    pub(crate) columns: &'a [Option<usize>],
}

impl<W: Write + Send> ParquetSink<W> {
    pub(crate) fn new(
        path: PathBuf,
        out: W,
        schema: &SchemaRef,
        copied: Option<Copied<'_>>,
    ) -> Result<ParquetSink<W>, TableError> {
        types::check(&path, schema)?;
        // What is copied stays what it is, whatever it says of itself.
        let schema = &if copied.is_some() { schema.clone() } else { types::stored(schema) };
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            // A column with many different values is found out soon, before much time went into its dictionary.
            .set_dictionary_page_size_limit(64 << 10)
            // Per group, not also per page: groups are small.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let make = || -> Result<ParquetSink<W>, ParquetError> {
            let mut roots = ArrowSchemaConverter::new().convert(schema)?.root_schema_ptr().get_fields().to_vec();
            let mut leaves = vec![None; roots.len()];
            let mut columns = None;
            match &copied {
                Some(copied) => {
                    for (i, from) in copied.columns.iter().enumerate() {
                        if let Some(from) = from {
                            // As the file has it: its types may say more than Arrow's.
                            (roots[i], leaves[i]) = copied.file.root(*from)?;
                        }
                    }
                }
                None => {
                    // A file that is never written: only a file's writer tells how its columns are made.
                    let model = ArrowWriter::try_new(io::sink(), schema.clone(), Some(properties.clone()))?;
                    columns = Some(Arc::new(model.into_serialized_writer()?.1));
                }
            }
            let descriptor = |fields| -> Result<SchemaDescPtr, ParquetError> {
                let root = Type::group_type_builder("schema").with_fields(fields).build()?;
                Ok(Arc::new(SchemaDescriptor::new(Arc::new(root))))
            };
            let one = |(root, copied): (&TypePtr, _)| Ok(Column { schema: descriptor(vec![root.clone()])?, copied });
            let mut out = TrackedWrite::new(out);
            out.write_all(b"PAR1")?;
            let results = leaves.iter().filter(|l| l.is_none()).map(|_| Vec::new()).collect();
            Ok(ParquetSink {
                out,
                columns: roots.iter().zip(leaves).map(one).collect::<Result<_, ParquetError>>()?,
                descriptor: descriptor(roots)?,
                encoder: ParquetEncoder {
                    path: Arc::new(path.clone()),
                    schema: schema.clone(),
                    properties: Arc::new(properties),
                    columns,
                },
                key_values: key_values(schema),
                groups: Vec::new(),
                collected: Vec::new(),
                rows: 0,
                bytes: 0,
                results,
                copied: copied.map(|c| c.file),
                buffer: Vec::new(),
            })
        };
        make().map_err(|e| failed(&path, e))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.encoder.path
    }

    pub(crate) fn encoder(&self) -> ParquetEncoder {
        self.encoder.clone()
    }

    pub(crate) fn write_rows(&mut self, batch: RecordBatch) -> Result<(), TableError> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.collected.push(batch);
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES { self.flush() } else { Ok(()) }
    }

    pub(crate) fn write_group(&mut self, group: ParquetGroup) -> Result<(), TableError> {
        self.flush()?;
        self.append(group)
    }

    fn flush(&mut self) -> Result<(), TableError> {
        if self.collected.is_empty() {
            return Ok(());
        }
        let group = self.encoder.encode_group(&self.collected)?;
        self.collected.clear();
        (self.rows, self.bytes) = (0, 0);
        self.append(group)
    }

    fn append(&mut self, group: ParquetGroup) -> Result<(), TableError> {
        let start = self.out.bytes_written();
        let mut leaves = Vec::with_capacity(self.descriptor.num_columns());
        let write = || -> Result<(), ParquetError> {
            for (column, chunk) in self.columns.iter().zip(group.columns) {
                match chunk {
                    Chunk::Plain(pages) => {
                        let at = self.out.bytes_written() as u64;
                        leaves.push(write_chunk(&mut self.out, at, &column.schema.column(0), pages)?);
                    }
                    Chunk::Encoded(chunks) => {
                        let properties = self.encoder.properties.clone();
                        let mut writer =
                            SerializedRowGroupWriter::new(column.schema.clone(), properties, &mut self.out, 0, None);
                        for chunk in chunks {
                            chunk.append_to_row_group(&mut writer)?;
                        }
                        leaves.extend_from_slice(writer.close()?.columns());
                    }
                }
            }
            Ok(())
        };
        write().and_then(|()| self.end_group(group.rows, start, leaves)).map_err(|e| self.encoder.failed(e))
    }

    /// Takes results of a row group that is copied; writes the group with its last rows.
    pub(crate) fn write_results(&mut self, part: ParquetResults) -> Result<(), TableError> {
        for (column, page) in self.results.iter_mut().zip(part.pages) {
            column.push(page);
        }
        if !part.rows.is_last() {
            return Ok(());
        }
        let Some(file) = self.copied.clone() else {
            return Err(self.encoder.failed(ParquetError::General("the rows were encoded for another writer".into())));
        };
        let group = file.group(part.rows.group());
        let start = self.out.bytes_written();
        let mut results = self.results.iter_mut().map(std::mem::take);
        let mut leaves = Vec::with_capacity(self.descriptor.num_columns());
        for column in &self.columns {
            let at = self.out.bytes_written() as u64;
            match &column.copied {
                None => {
                    let pages = results.next().unwrap_or_default();
                    let chunk = write_chunk(&mut self.out, at, &column.schema.column(0), pages);
                    leaves.push(chunk.map_err(|e| self.encoder.failed(e))?);
                }
                Some(copied) => {
                    for leaf in copied.clone() {
                        let at = self.out.bytes_written() as u64;
                        copy(&file, &group.columns()[leaf], &mut self.out, &mut self.buffer, &self.encoder.path)?;
                        let moved = moved(&group.columns()[leaf], at);
                        leaves.push(moved.map_err(|e| self.encoder.failed(e))?);
                    }
                }
            }
        }
        drop(results);
        self.end_group(group.num_rows() as usize, start, leaves).map_err(|e| self.encoder.failed(e))
    }

    fn end_group(&mut self, rows: usize, start: usize, leaves: Vec<ColumnChunkMetaData>) -> Result<(), ParquetError> {
        let group = RowGroupMetaData::builder(self.descriptor.clone())
            .set_num_rows(rows as i64)
            .set_total_byte_size(leaves.iter().map(ColumnChunkMetaData::uncompressed_size).sum())
            .set_ordinal(self.groups.len() as i32)
            .set_file_offset(start as i64)
            .set_column_metadata(leaves)
            .build()?;
        self.groups.push(group);
        Ok(())
    }

    /// Writes what is left and the directory at the end.
    pub(crate) fn finish(mut self) -> Result<W, TableError> {
        self.flush()?;
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let created_by = Some(format!("gristmill version {}", env!("CARGO_PKG_VERSION")));
        let metadata = FileMetaData::new(1, rows, created_by, Some(self.key_values), self.descriptor, None);
        let metadata = ParquetMetaDataBuilder::new(metadata).set_row_groups(self.groups).build();
        let mut directory = Vec::new();
        ParquetMetaDataWriter::new(&mut directory, &metadata)
            .with_preserve_page_index_locations(false)
            .finish()
            .and_then(|()| Ok(self.out.write_all(&directory)?))
            .and_then(|()| Ok(self.out.flush()?))
            .and_then(|()| self.out.into_inner())
            .map_err(|e| self.encoder.failed(e))
    }
}

/// Copies a column chunk as it is.
fn copy(
    file: &ParquetFile,
    chunk: &ColumnChunkMetaData,
    out: &mut impl Write,
    buffer: &mut Vec<u8>,
    path: &Path,
) -> Result<(), TableError> {
    let (mut at, length) = chunk.byte_range();
    let end = at + length;
    buffer.resize(COPY, 0);
    while at < end {
        let part = &mut buffer[..usize::try_from(end - at).map_or(COPY, |left| left.min(COPY))];
        file.read_exact_at(part, at)?;
        out.write_all(part).map_err(|cause| TableError::Write { path: path.to_path_buf(), cause })?;
        at += part.len() as u64;
    }
    Ok(())
}

/// What the directory says about a chunk that now stands `at` another place.
fn moved(chunk: &ColumnChunkMetaData, at: u64) -> Result<ColumnChunkMetaData, ParquetError> {
    let step = at as i64 - chunk.byte_range().0 as i64;
    // Indexes and filters stand elsewhere in the file and are not copied; readers do without.
    let mut builder = chunk
        .clone()
        .into_builder()
        .set_data_page_offset(chunk.data_page_offset() + step)
        .set_dictionary_page_offset(chunk.dictionary_page_offset().map(|at| at + step))
        .set_index_page_offset(chunk.index_page_offset().map(|at| at + step))
        .set_bloom_filter_offset(None)
        .set_bloom_filter_length(None)
        .set_offset_index_offset(None)
        .set_offset_index_length(None)
        .set_column_index_offset(None)
        .set_column_index_length(None);
    // The old form of ranges has no defined order for text.
    if chunk.statistics().is_some_and(Statistics::is_min_max_deprecated) {
        builder = builder.clear_statistics();
    }
    builder.build()
}

/// What Arrow programs ask a Parquet file for: its schema in Arrow's terms, and what others have noted in the input.
fn key_values(schema: &Schema) -> Vec<KeyValue> {
    let mut noted: Vec<KeyValue> =
        schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    noted.sort_by(|a, b| a.key.cmp(&b.key));
    noted.push(KeyValue::new(ARROW_SCHEMA_META_KEY.to_string(), encode_arrow_schema(schema)));
    noted
}
