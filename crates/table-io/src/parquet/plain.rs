//! Columns of computed numbers and truth values as Parquet pages: the values as they lie in memory, without a copy.
//!
//! The general writer takes any type and finds dictionaries; for values that have none it takes longer than computing
//! them. A page here is a header, the definition levels, and the array's own buffer.

use crate::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array};
use crate::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use crate::arrow::datatypes::{DataType, Float64Type};
use parquet::basic::{Compression, Encoding, PageType};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;
use std::io::{self, Write};

/// Whether a column of this type can be written here: its values lie in memory as they do in a page.
pub(crate) fn is_plain(data_type: &DataType) -> bool {
    cfg!(target_endian = "little") && matches!(data_type, DataType::Float64 | DataType::Boolean)
}

/// A part of a column, ready to be written: as it is, or packed if that saves a tenth.
#[derive(Debug)]
pub(crate) struct PlainPage {
    rows: usize,
    nulls: usize,
    /// The definition levels with their length in front; empty for a column that cannot be missing.
    levels: Vec<u8>,
    /// The values that are not missing.
    values: Buffer,
    /// Levels and values, compressed.
    packed: Option<Vec<u8>>,
    range: Range,
}

/// The least and the greatest value, without NaN; `None` without any value.
#[derive(Debug, Clone, Copy)]
enum Range {
    Numbers(Option<(f64, f64)>),
    Truths(Option<(bool, bool)>),
}

impl Range {
    fn join(self, other: Range) -> Range {
        match (self, other) {
            (Range::Numbers(Some(a)), Range::Numbers(Some(b))) => Range::Numbers(Some((a.0.min(b.0), a.1.max(b.1)))),
            (Range::Truths(Some(a)), Range::Truths(Some(b))) => Range::Truths(Some((a.0 & b.0, a.1 | b.1))),
            (Range::Numbers(None) | Range::Truths(None), one) | (one, _) => one,
        }
    }
}

impl PlainPage {
    /// A page of a column of a type that [`is_plain`] accepts; `None` for others, and for missing values in a column that
    /// cannot have any.
    pub(crate) fn new(column: &ArrayRef, nullable: bool) -> Option<PlainPage> {
        let nulls = column.nulls().filter(|n| n.null_count() > 0);
        if nulls.is_some() && !nullable {
            return None;
        }
        let (values, range) = match column.data_type() {
            _ if !is_plain(column.data_type()) => return None,
            DataType::Float64 => numbers(column.as_primitive::<Float64Type>()),
            DataType::Boolean => truths(column.as_boolean()),
            _ => return None,
        };
        let levels = if nullable { levels(column.len(), nulls) } else { Vec::new() };
        let null_count = nulls.map_or(0, NullBuffer::null_count);
        let mut page = PlainPage { rows: column.len(), nulls: null_count, levels, values, packed: None, range };
        if is_compressible(page.values.as_slice()) {
            page.pack();
        }
        Some(page)
    }

    /// Whether packing saved enough.
    pub(crate) fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    fn pack(&mut self) {
        let whole = [self.levels.as_slice(), self.values.as_slice()].concat();
        // It fails for inputs above 4 GiB only, and a page has a part of a row group.
        self.packed = snap::raw::Encoder::new().compress_vec(&whole).ok();
    }

    fn raw_size(&self) -> usize {
        self.levels.len() + self.values.len()
    }
}

/// The values that are not missing, and their range.
fn numbers(column: &Float64Array) -> (Buffer, Range) {
    let column = match column.nulls().filter(|n| n.null_count() > 0) {
        None => column.clone(),
        Some(_) => Float64Array::from_iter_values(column.iter().flatten()),
    };
    // Lanes, so that the comparisons do not wait for each other. A NaN compares as false and changes neither.
    let (mut least, mut most) = ([f64::INFINITY; 8], [f64::NEG_INFINITY; 8]);
    let (eights, rest) = column.values().as_chunks::<8>();
    for eight in eights {
        for lane in 0..8 {
            least[lane] = if eight[lane] < least[lane] { eight[lane] } else { least[lane] };
            most[lane] = if eight[lane] > most[lane] { eight[lane] } else { most[lane] };
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        least[lane] = if *value < least[lane] { *value } else { least[lane] };
        most[lane] = if *value > most[lane] { *value } else { most[lane] };
    }
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    let most = most.into_iter().fold(f64::NEG_INFINITY, f64::max);
    // The least zero is written as -0 and the greatest as +0: readers may order the two. `least > most`: only NaN.
    let zero = |x: f64, as_zero: f64| if x == 0.0 { as_zero } else { x };
    let range = (least <= most).then(|| (zero(least, -0.0), zero(most, 0.0)));
    (column.values().inner().clone(), Range::Numbers(range))
}

fn truths(column: &BooleanArray) -> (Buffer, Range) {
    let values = match column.nulls().filter(|n| n.null_count() > 0) {
        None => column.values().clone(),
        Some(_) => column.iter().flatten().collect::<BooleanBuffer>(),
    };
    let ones = values.count_set_bits();
    let range = (!values.is_empty()).then(|| (ones == values.len(), ones > 0));
    (bits(&values).into(), Range::Truths(range))
}

/// The bits, first in the lowest; those behind the last are 0.
fn bits(buffer: &BooleanBuffer) -> Vec<u8> {
    let mut bytes = buffer.sliced().as_slice()[..buffer.len().div_ceil(8)].to_vec();
    if let (Some(last), used @ 1..) = (bytes.last_mut(), buffer.len() % 8) {
        *last &= (1 << used) - 1;
    }
    bytes
}

/// Definition levels in Parquet's mixture of runs and packed bits: one run of ones, or the bits of what is there.
fn levels(rows: usize, nulls: Option<&NullBuffer>) -> Vec<u8> {
    let mut levels = vec![0; 4];
    match nulls {
        None => {
            varint(&mut levels, (rows as u64) << 1);
            levels.push(1);
        }
        Some(nulls) => {
            varint(&mut levels, ((rows.div_ceil(8) as u64) << 1) | 1);
            levels.extend_from_slice(&bits(nulls.inner()));
        }
    }
    let length = (levels.len() - 4) as u32;
    levels[..4].copy_from_slice(&length.to_le_bytes());
    levels
}

/// Whether compression would save a tenth. Most computed numbers have nothing to save, and trying takes longer than
/// everything else about them; some of the bytes tell.
pub(crate) fn is_compressible(bytes: &[u8]) -> bool {
    const SAMPLE: usize = 32 << 10;
    let start = bytes.len().saturating_sub(SAMPLE) / 2 / 8 * 8;
    let sample = &bytes[start..(start + SAMPLE).min(bytes.len())];
    snap::raw::Encoder::new().compress_vec(sample).is_ok_and(|packed| packed.len() * 10 <= sample.len() * 9)
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The header of a data page, in Thrift's compact protocol: each field is the step from the last field's number, its
/// type, and its value.
fn page_header(raw_size: usize, stored_size: usize, rows: usize) -> Vec<u8> {
    const I32: u8 = 5;
    const STRUCT: u8 = 12;
    const STOP: u8 = 0;
    fn int(out: &mut Vec<u8>, step: u8, value: usize) {
        out.push(step << 4 | I32);
        varint(out, (value as u64) << 1); // zigzag: none is negative
    }
    let (data_page, plain, rle) = (PageType::DATA_PAGE as usize, 0, 3);
    let mut out = Vec::with_capacity(32);
    int(&mut out, 1, data_page); // 1: type
    int(&mut out, 1, raw_size); // 2: uncompressed_page_size
    int(&mut out, 1, stored_size); // 3: compressed_page_size
    out.push(2 << 4 | STRUCT); // 5: data_page_header
    int(&mut out, 1, rows); // 1: num_values
    int(&mut out, 1, plain); // 2: encoding
    int(&mut out, 1, rle); // 3: definition_level_encoding
    int(&mut out, 1, rle); // 4: repetition_level_encoding
    out.push(STOP);
    out.push(STOP);
    out
}

/// Writes pages as a column chunk that begins `at` this place of the file; gives what the file's directory says about it.
pub(crate) fn write_chunk(
    out: &mut impl Write,
    at: u64,
    column: &ColumnDescPtr,
    mut pages: Vec<PlainPage>,
) -> ParquetResult<ColumnChunkMetaData> {
    // A chunk has one compression: that of its first page.
    let packed = pages.first().is_some_and(PlainPage::is_packed);
    let (mut raw, mut stored, mut rows, mut nulls) = (0, 0, 0, 0);
    let mut range: Option<Range> = None;
    for page in &mut pages {
        if packed && !page.is_packed() {
            page.pack();
        }
        let body = page.packed.as_deref().filter(|_| packed);
        let stored_size = body.map_or(page.raw_size(), <[u8]>::len);
        let header = page_header(page.raw_size(), stored_size, page.rows);
        out.write_all(&header)?;
        match body {
            Some(body) => out.write_all(body)?,
            None => out.write_all(&page.levels).and_then(|()| out.write_all(page.values.as_slice()))?,
        }
        raw += header.len() + page.raw_size();
        stored += header.len() + stored_size;
        rows += page.rows;
        nulls += page.nulls;
        range = Some(range.map_or(page.range, |r| r.join(page.range)));
    }
    let statistics = match range {
        Some(Range::Truths(range)) => {
            Statistics::boolean(range.map(|r| r.0), range.map(|r| r.1), None, Some(nulls as u64), false)
        }
        Some(Range::Numbers(range)) => {
            Statistics::double(range.map(|r| r.0), range.map(|r| r.1), None, Some(nulls as u64), false)
        }
        None => Statistics::double(None, None, None, Some(0), false),
    };
    let page_count =
        PageEncodingStats { page_type: PageType::DATA_PAGE, encoding: Encoding::PLAIN, count: pages.len() as i32 };
    ColumnChunkMetaData::builder(column.clone())
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
        .set_compression(if packed { Compression::SNAPPY } else { Compression::UNCOMPRESSED })
        .set_num_values(rows as i64)
        .set_total_compressed_size(stored as i64)
        .set_total_uncompressed_size(raw as i64)
        .set_data_page_offset(i64::try_from(at).map_err(io::Error::other)?)
        .set_statistics(statistics)
        .set_page_encoding_stats(vec![page_count])
        .build()
}
