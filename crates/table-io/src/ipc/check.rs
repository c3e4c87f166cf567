//! Whether the numbers in an Arrow message are possible, before anything is made from them.
//!
//! A message says how long each column is and where in its body each buffer lies. What decodes it believes that: a wrong
//! number becomes an allocation or a panic there. So every number is checked here, against the bytes that are there and
//! against [`Limits`], by the same walk over the schema that the decoder makes.

use crate::arrow::buffer::Buffer;
use crate::arrow::datatypes::{DataType, Field, Schema};
use crate::arrow::ipc::{self, CompressionType, MetadataVersion};
use crate::guard::Damaged;
use crate::limits::{Exceeded, Limit, Limits};
use arrow_schema::{
    DECIMAL32_MAX_PRECISION, DECIMAL64_MAX_PRECISION, DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, UnionMode,
};

/// Why a message is not read.
#[derive(Debug)]
pub(crate) enum Refused {
    Damaged(Damaged),
    TooLarge(Exceeded),
}

impl From<Damaged> for Refused {
    fn from(damaged: Damaged) -> Refused {
        Refused::Damaged(damaged)
    }
}

impl From<Exceeded> for Refused {
    fn from(exceeded: Exceeded) -> Refused {
        Refused::TooLarge(exceeded)
    }
}

type Result<T = ()> = std::result::Result<T, Refused>;

fn damaged<T>(what: impl Into<String>) -> Result<T> {
    Err(Refused::Damaged(Damaged::new(what)))
}

/// Types nest no deeper than this; the walk over them is recursive.
const DEEPEST: usize = 64;

/// No compression makes more of a byte than this: a Zstandard block of four bytes stands for 128 KiB, and an LZ4 length
/// byte for 255.
const MOST_OF_A_BYTE_ZSTD: u64 = 32_768;
const MOST_OF_A_BYTE_LZ4: u64 = 256;
/// Compressed parts may be so many times as large in memory, however large they are.
const USUAL_RATIO: u64 = 100;

/// Whether every type of the schema is one that there are arrays of.
pub(crate) fn check_schema(schema: &Schema, limits: Limits) -> Result {
    limits.exceeded(Limit::Columns, schema.fields().len() as u64)?;
    let mut left = limits.columns;
    schema.fields().iter().try_for_each(|field| check_field(field, 0, &mut left, limits))
}

fn check_field(field: &Field, depth: usize, left: &mut u64, limits: Limits) -> Result {
    let bad = |what: String| damaged(format!("column `{}` {what}", field.name()));
    if depth > DEEPEST {
        return bad(format!("nests more than {DEEPEST} types"));
    }
    // The parts of nested columns count as columns.
    *left = left.checked_sub(1).ok_or(Exceeded {
        limit: Limit::Columns,
        count: limits.columns.saturating_add(1),
        most: limits.columns,
    })?;
    let mut inner = |field: &Field| check_field(field, depth + 1, left, limits);
    let decimal = |precision: u8, most: u8| match precision {
        1.. if precision <= most => Ok(()),
        _ => bad(format!("has decimals of {precision} digits, but they have 1 to {most}")),
    };
    match field.data_type() {
        DataType::FixedSizeBinary(width) if *width < 0 => bad(format!("has values of {width} bytes")),
        DataType::FixedSizeList(_, size) if *size < 0 => bad(format!("has lists of {size} values")),
        DataType::Decimal32(p, _) => decimal(*p, DECIMAL32_MAX_PRECISION),
        DataType::Decimal64(p, _) => decimal(*p, DECIMAL64_MAX_PRECISION),
        DataType::Decimal128(p, _) => decimal(*p, DECIMAL128_MAX_PRECISION),
        DataType::Decimal256(p, _) => decimal(*p, DECIMAL256_MAX_PRECISION),
        DataType::List(f)
        | DataType::LargeList(f)
        | DataType::ListView(f)
        | DataType::LargeListView(f)
        | DataType::FixedSizeList(f, _) => inner(f),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(pair) if pair.len() == 2 => inner(entries),
            other => bad(format!("is a map of {other}, but a map has entries of a key and a value")),
        },
        DataType::Struct(fields) => fields.iter().try_for_each(|f| inner(f)),
        DataType::Union(fields, _) => fields.iter().try_for_each(|(_, f)| inner(f)),
        DataType::RunEndEncoded(ends, values) => {
            if !matches!(ends.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64) {
                return bad(format!("has runs that end at {}", ends.data_type()));
            }
            if ends.is_nullable() {
                return bad("has runs whose ends may be missing".to_string());
            }
            inner(values)
        }
        DataType::Dictionary(_, value) => inner(&Field::new(field.name(), value.as_ref().clone(), true)),
        _ => Ok(()),
    }
}

/// Checks the batch of a message against its schema and its body.
pub(crate) fn check_batch(
    batch: ipc::RecordBatch<'_>,
    fields: &[impl AsRef<Field>],
    body: &Buffer,
    version: MetadataVersion,
    limits: Limits,
) -> Result {
    let Some(rows) = u64::try_from(batch.length()).ok() else {
        return damaged(format!("a batch has {} rows", batch.length()));
    };
    limits.rows_beside(rows, body.len() as u64)?;
    let ratio = match batch.compression() {
        None => None,
        Some(compression) => match compression.codec() {
            CompressionType::LZ4_FRAME => Some(MOST_OF_A_BYTE_LZ4),
            CompressionType::ZSTD => Some(MOST_OF_A_BYTE_ZSTD),
            other => return damaged(format!("a batch is compressed by method {}", other.0)),
        },
    };
    let mut walk = Walk {
        nodes: batch
            .nodes()
            .into_iter()
            .flatten()
            .map(|n| (n.length(), n.null_count()))
            .collect::<Vec<_>>()
            .into_iter(),
        buffers: batch
            .buffers()
            .into_iter()
            .flatten()
            .map(|b| (b.offset(), b.length()))
            .collect::<Vec<_>>()
            .into_iter(),
        variadic: batch.variadicBufferCounts().into_iter().flatten().collect::<Vec<_>>().into_iter(),
        body: body.as_slice(),
        ratio,
        unpacked: 0,
        version,
        limits,
    };
    for field in fields {
        let field = field.as_ref();
        let found = walk.column(field)?;
        if found != rows {
            return damaged(format!("column `{}` has {found} rows in a batch of {rows}", field.name()));
        }
    }
    if walk.variadic.next().is_some() {
        return damaged("a batch counts the buffers of more columns than there are");
    }
    if walk.unpacked > (body.len() as u64).saturating_mul(USUAL_RATIO) {
        limits.exceeded(Limit::UnpackedBytes, walk.unpacked)?;
    }
    // The decoder asks for this memory without a way to say no.
    if Vec::<u8>::new().try_reserve_exact(usize::try_from(walk.unpacked).unwrap_or(usize::MAX)).is_err() {
        return Err(Exceeded { limit: Limit::UnpackedBytes, count: walk.unpacked, most: 0 }.into());
    }
    Ok(())
}

/// The parts of a batch that have not been looked at yet.
struct Walk<'a> {
    nodes: std::vec::IntoIter<(i64, i64)>,
    buffers: std::vec::IntoIter<(i64, i64)>,
    variadic: std::vec::IntoIter<i64>,
    body: &'a [u8],
    /// How much a byte can stand for, if buffers are compressed.
    ratio: Option<u64>,
    unpacked: u64,
    version: MetadataVersion,
    limits: Limits,
}

impl Walk<'_> {
    /// Checks a column and gives its length.
    fn column(&mut self, field: &Field) -> Result<u64> {
        let Some((length, nulls)) = self.nodes.next() else {
            return damaged(format!("a batch says nothing about column `{}`", field.name()));
        };
        let (Ok(rows), Ok(missing)) = (u64::try_from(length), u64::try_from(nulls)) else {
            return damaged(format!("column `{}` has {length} rows, {nulls} of them missing", field.name()));
        };
        if missing > rows {
            return damaged(format!("column `{}` has {rows} rows, {missing} of them missing", field.name()));
        }
        self.limits.rows_beside(rows, self.body.len() as u64)?;
        let validity = if missing > 0 { rows.div_ceil(8) } else { 0 };
        // One more offset than rows; of no rows some writers give none.
        let offsets = |width: u64| if rows == 0 { 0 } else { (rows + 1) * width };
        let name = field.name();
        match field.data_type() {
            DataType::Null => {}
            DataType::Boolean => self.buffers(name, [validity, rows.div_ceil(8)])?,
            DataType::Utf8 | DataType::Binary => self.buffers(name, [validity, offsets(4), 0])?,
            DataType::LargeUtf8 | DataType::LargeBinary => self.buffers(name, [validity, offsets(8), 0])?,
            DataType::Utf8View | DataType::BinaryView => {
                self.buffers(name, [validity, rows * 16])?;
                let count = self.variadic.next().and_then(|n| usize::try_from(n).ok());
                let Some(count) = count.filter(|n| *n <= self.buffers.len()) else {
                    return damaged(format!("column `{name}` has more buffers than its batch"));
                };
                (0..count).try_for_each(|_| self.buffer(name, 0))?;
            }
            DataType::FixedSizeBinary(width) => {
                self.buffers(name, [validity, rows.saturating_mul(u64::try_from(*width).unwrap_or(0))])?;
            }
            DataType::List(values) | DataType::Map(values, _) => {
                self.buffers(name, [validity, offsets(4)])?;
                self.column(values)?;
            }
            DataType::LargeList(values) => {
                self.buffers(name, [validity, offsets(8)])?;
                self.column(values)?;
            }
            DataType::ListView(values) => {
                self.buffers(name, [validity, rows * 4, rows * 4])?;
                self.column(values)?;
            }
            DataType::LargeListView(values) => {
                self.buffers(name, [validity, rows * 8, rows * 8])?;
                self.column(values)?;
            }
            DataType::FixedSizeList(values, size) => {
                self.buffers(name, [validity])?;
                let needed = rows.saturating_mul(u64::try_from(*size).unwrap_or(0));
                let found = self.column(values)?;
                if found < needed {
                    return damaged(format!("column `{name}` has {found} values for lists of {needed}"));
                }
            }
            DataType::Struct(fields) => {
                self.buffers(name, [validity])?;
                for part in fields {
                    let found = self.column(part)?;
                    if found != rows {
                        return damaged(format!("column `{name}` has {found} of `{}` in {rows} rows", part.name()));
                    }
                }
            }
            DataType::Union(fields, mode) => {
                // Unions had a validity buffer before version 5.
                if self.version < MetadataVersion::V5 {
                    self.buffer(name, 0)?;
                }
                self.buffer(name, rows)?;
                if *mode == UnionMode::Dense {
                    self.buffer(name, rows * 4)?;
                }
                for (_, part) in fields.iter() {
                    let found = self.column(part)?;
                    if *mode == UnionMode::Sparse && found != rows {
                        return damaged(format!("column `{name}` has {found} of `{}` in {rows} rows", part.name()));
                    }
                }
            }
            DataType::RunEndEncoded(ends, values) => {
                let (ends, values) = (self.column(ends)?, self.column(values)?);
                if ends != values || (rows > 0 && ends == 0) {
                    return damaged(format!("column `{name}` has {ends} runs of {values} values in {rows} rows"));
                }
            }
            DataType::Dictionary(key, _) => {
                let width = key.primitive_width().unwrap_or(8) as u64;
                self.buffers(name, [validity, rows * width])?;
            }
            other => {
                let width = other.primitive_width().unwrap_or(0) as u64;
                self.buffers(name, [validity, rows.saturating_mul(width)])?;
            }
        }
        Ok(rows)
    }

    fn buffers<const N: usize>(&mut self, name: &str, least: [u64; N]) -> Result {
        least.into_iter().try_for_each(|least| self.buffer(name, least))
    }

    /// The next buffer lies in the body and has at least so many bytes, unpacked.
    fn buffer(&mut self, name: &str, least: u64) -> Result {
        let Some((offset, length)) = self.buffers.next() else {
            return damaged(format!("a batch has too few buffers for column `{name}`"));
        };
        let place = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
        let bytes = place.and_then(|(at, count)| self.body.get(at..at.checked_add(count)?));
        let Some(bytes) = bytes else {
            let there = self.body.len();
            return damaged(format!(
                "column `{name}` has a buffer of {length} bytes from {offset} on, but there are {there}"
            ));
        };
        let size = match self.ratio {
            Some(ratio) if !bytes.is_empty() => self.unpacked_size(name, bytes, ratio)?,
            _ => bytes.len() as u64,
        };
        if size < least {
            return damaged(format!("column `{name}` has a buffer of {size} bytes, but its length needs {least}"));
        }
        Ok(())
    }

    /// The size that a compressed buffer claims: eight bytes before the data; -1 if it was not worth it.
    fn unpacked_size(&mut self, name: &str, bytes: &[u8], ratio: u64) -> Result<u64> {
        let Some((claim, packed)) = bytes.split_first_chunk::<8>() else {
            return damaged(format!("column `{name}` has a compressed buffer of {} bytes", bytes.len()));
        };
        let (claim, packed) = (i64::from_le_bytes(*claim), packed.len() as u64);
        match u64::try_from(claim) {
            Ok(claim) if claim <= packed.saturating_mul(ratio) => {
                self.unpacked = self.unpacked.saturating_add(claim);
                Ok(claim)
            }
            Err(_) if claim == -1 => Ok(packed),
            _ => damaged(format!("column `{name}` has {packed} bytes that claim to be {claim}, compressed")),
        }
    }
}
