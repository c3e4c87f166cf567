//! Parquet: row groups are encoded by whoever has a batch that is large enough for one, small batches are collected.

use crate::arrow::array::{ArrayRef, AsArray, RecordBatch};
use crate::arrow::datatypes::{DataType, Float64Type, SchemaRef};
use crate::error::TableError;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A group has about this many rows: enough that readers can skip and decode well, few enough that memory stays bounded.
const GROUP_ROWS: usize = 120_000;
/// Wide tables have groups of fewer rows.
const GROUP_BYTES: usize = 32 << 20;
/// A batch of at least this part of a group is a group by itself.
const ALONE: usize = 2;

/// The columns of a row group, encoded.
pub(crate) struct ParquetGroup(Vec<ArrowColumnChunk>);

impl std::fmt::Debug for ParquetGroup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetGroup").field("columns", &self.0.len()).finish()
    }
}

/// Encodes row groups, on any thread.
#[derive(Debug, Clone)]
pub(crate) struct ParquetEncoder {
    path: Arc<PathBuf>,
    schema: SchemaRef,
    /// Makes columns with a dictionary, compressed, and columns with neither.
    compressed: Arc<ArrowRowGroupWriterFactory>,
    plain: Arc<ArrowRowGroupWriterFactory>,
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
    pub(crate) fn encode(&self, batches: &[RecordBatch]) -> Result<ParquetGroup, TableError> {
        let writers =
            |factory: &ArrowRowGroupWriterFactory| factory.create_column_writers(0).map_err(|e| self.failed(e));
        let (mut compressed, mut plain) = (writers(&self.compressed)?.into_iter(), writers(&self.plain)?.into_iter());
        // A nested column has several leaves, each with a writer of its own.
        let mut columns: Vec<(Vec<ArrowColumnWriter>, Vec<Vec<ArrowLeafColumn>>)> = Vec::new();
        for (i, field) in self.schema.fields().iter().enumerate() {
            let leaves: Result<Vec<_>, _> = batches.iter().map(|b| compute_leaves(field, b.column(i))).collect();
            let leaves = leaves.map_err(|e| self.failed(e))?;
            let count = leaves.first().map_or(0, Vec::len);
            let (small, fast) = (compressed.by_ref().take(count).collect(), plain.by_ref().take(count).collect());
            let worth_it = batches.first().is_none_or(|b| is_compressible(b.column(i)));
            columns.push((if worth_it { small } else { fast }, leaves));
        }
        let encode_column = |(mut writers, batches): (Vec<ArrowColumnWriter>, Vec<Vec<ArrowLeafColumn>>)| {
            for leaves in &batches {
                for (writer, leaf) in writers.iter_mut().zip(leaves) {
                    writer.write(leaf)?;
                }
            }
            writers.into_iter().map(ArrowColumnWriter::close).collect::<Result<Vec<_>, ParquetError>>()
        };
        // One batch comes from a thread among others; several are collected, and the others have nothing to do.
        let chunks: Result<Vec<Vec<ArrowColumnChunk>>, ParquetError> = if batches.len() > 1 {
            columns.into_par_iter().map(encode_column).collect()
        } else {
            columns.into_iter().map(encode_column).collect()
        };
        Ok(ParquetGroup(chunks.map_err(|e| self.failed(e))?.into_iter().flatten().collect()))
    }
}

/// Whether compression, or a dictionary, would save a tenth. Most computed numbers have nothing to save, and trying takes longer than
/// everything else about them; a few thousand values tell.
fn is_compressible(column: &ArrayRef) -> bool {
    const SAMPLE: usize = 4096;
    if *column.data_type() != DataType::Float64 {
        return true;
    }
    let values = column.as_primitive::<Float64Type>().values();
    let start = values.len().saturating_sub(SAMPLE) / 2;
    let sample: Vec<u8> = values[start..].iter().take(SAMPLE).flat_map(|x| x.to_le_bytes()).collect();
    snap::raw::Encoder::new().compress_vec(&sample).is_ok_and(|packed| packed.len() * 10 <= sample.len() * 9)
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
    writer: SerializedFileWriter<W>,
    encoder: ParquetEncoder,
    /// Small batches, until they are enough for a row group.
    collected: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> ParquetSink<W> {
    pub(crate) fn new(path: PathBuf, out: W, schema: &SchemaRef) -> Result<ParquetSink<W>, TableError> {
        let properties = |compress| {
            WriterProperties::builder()
                .set_compression(if compress { Compression::SNAPPY } else { Compression::UNCOMPRESSED })
                .set_dictionary_enabled(compress)
                // A column with many different values is found out soon, before much time went into its dictionary.
                .set_dictionary_page_size_limit(64 << 10)
                // Per group, not also per page: groups are small.
                .set_statistics_enabled(EnabledStatistics::Chunk)
                .build()
        };
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties(true)))
            .and_then(ArrowWriter::into_serialized_writer);
        let (writer, compressed) = writer.map_err(|e| failed(&path, e))?;
        // A file that is never written: only a file's writer tells how its columns are made.
        let plain = ArrowWriter::try_new(io::sink(), schema.clone(), Some(properties(false)))
            .and_then(ArrowWriter::into_serialized_writer);
        let (_, plain) = plain.map_err(|e| failed(&path, e))?;
        let (compressed, plain) = (Arc::new(compressed), Arc::new(plain));
        let encoder = ParquetEncoder { path: Arc::new(path), schema: schema.clone(), compressed, plain };
        Ok(ParquetSink { writer, encoder, collected: Vec::new(), rows: 0, bytes: 0 })
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
        let group = self.encoder.encode(&self.collected)?;
        self.collected.clear();
        (self.rows, self.bytes) = (0, 0);
        self.append(group)
    }

    fn append(&mut self, group: ParquetGroup) -> Result<(), TableError> {
        let write = |writer: &mut SerializedFileWriter<W>| {
            let mut row_group = writer.next_row_group()?;
            for column in group.0 {
                column.append_to_row_group(&mut row_group)?;
            }
            row_group.close().map(drop)
        };
        write(&mut self.writer).map_err(|e| self.encoder.failed(e))
    }

    /// Writes what is left and the directory at the end.
    pub(crate) fn finish(mut self) -> Result<W, TableError> {
        self.flush()?;
        self.writer.into_inner().map_err(|e| failed(&self.encoder.path, e))
    }
}
