//! Tables in NumPy's files.
//!
//! | file | columns |
//! |---|---|
//! | `.npy`, one dimension | one, `V1` |
//! | `.npy`, two dimensions, either order | `V1`, `V2`, … |
//! | `.npy`, one dimension of records (a structured array) | the fields, by their names |
//! | `.npz` | one for each member, by its name; all of one dimension and one length |
//!
//! Written is a `.npy` of one dimension (records, if there are several columns), or a `.npz` with a member for each column.

use crate::arrow::array::AsArray;
use crate::arrow::array::{Array, ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions};
use crate::arrow::buffer::{BooleanBuffer, ScalarBuffer};
use crate::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Schema,
    SchemaRef, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use crate::batch::{Batches, Carry, Piece, Size, Wanted};
use crate::columnar::deliver;
use crate::error::TableError;
use crate::limits::{Limit, Limits};
use crate::npy::spool::Spool;
use crate::npy::zip;
use crate::npy::{Elements, Header, NpyError, NpyType, Plain, header_bytes, native_descr};
use crate::section::Section;
use flate2::Crc;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most rows and about the most bytes of a piece.
const ROWS: usize = 128 * 1024;
const BYTES: usize = 8 << 20;
/// A piece of a wide table has at least this many rows, because each costs something for every column; but not where they
/// would take more than so many bytes.
const WIDE_ROWS: usize = 1024;
const WIDE_BYTES: usize = 256 << 20;

macro_rules! by_type {
    ($ty:expr, $t:ident => $number:expr, $bool:expr) => {
        match $ty {
            NpyType::Bool => $bool,
            NpyType::I8 => {
                type $t = Int8Type;
                $number
            }
            NpyType::I16 => {
                type $t = Int16Type;
                $number
            }
            NpyType::I32 => {
                type $t = Int32Type;
                $number
            }
            NpyType::I64 => {
                type $t = Int64Type;
                $number
            }
            NpyType::U8 => {
                type $t = UInt8Type;
                $number
            }
            NpyType::U16 => {
                type $t = UInt16Type;
                $number
            }
            NpyType::U32 => {
                type $t = UInt32Type;
                $number
            }
            NpyType::U64 => {
                type $t = UInt64Type;
                $number
            }
            NpyType::F32 => {
                type $t = Float32Type;
                $number
            }
            NpyType::F64 => {
                type $t = Float64Type;
                $number
            }
        }
    };
}

/// Where the values of a column are in a piece: in which of its buffers, and from which byte on, a step apart.
#[derive(Debug, Clone)]
struct Column {
    name: String,
    plain: Plain,
    buffer: usize,
    offset: usize,
    step: usize,
}

/// Bytes that follow one another in the file, `step` for each row.
struct Stream {
    bytes: Bytes,
    step: usize,
}

/// Where bytes are read from.
enum Bytes {
    Open(Box<dyn Read + Send>),
    /// A member of an archive, behind its header. It is opened when it is needed: unpacking takes memory for each.
    Member {
        file: Arc<File>,
        member: zip::Member,
        header: u64,
    },
}

impl Bytes {
    fn open(&mut self) -> io::Result<&mut (dyn Read + Send)> {
        if let Bytes::Member { file, member, header } = self {
            let mut content = member.open(file)?;
            io::copy(&mut content.by_ref().take(*header), &mut io::sink())?;
            *self = Bytes::Open(content);
        }
        match self {
            Bytes::Open(content) => Ok(content.as_mut()),
            Bytes::Member { .. } => Err(io::Error::other("a member is not open")),
        }
    }
}

pub(crate) struct NpyTable {
    path: PathBuf,
    rows: usize,
    columns: Vec<Column>,
    streams: Vec<Stream>,
}

impl std::fmt::Debug for NpyTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NpyTable").field("path", &self.path).field("columns", &self.columns).finish_non_exhaustive()
    }
}

fn damaged(path: &Path, cause: NpyError) -> TableError {
    match cause {
        NpyError::Io(cause) => TableError::Read { path: path.to_path_buf(), cause },
        cause => TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) },
    }
}

impl NpyTable {
    /// A `.npy` file.
    pub(crate) fn from_file(path: PathBuf, file: File) -> Result<NpyTable, TableError> {
        let file = Arc::new(file);
        let cannot_read = |cause| TableError::Read { path: path.clone(), cause };
        let length = file.metadata().map_err(cannot_read)?.len();
        let limits = Limits::from_environment()?;
        let section = |start, end| Section::new(file.clone(), start, end);
        let header = Header::read(&mut BufReader::new(section(0, length)), limits).map_err(|e| damaged(&path, e))?;
        let (rows, across) = dimensions(&path, &header, limits)?;
        let size = header.elements.size() as u64;
        let expected = size * (rows * across) as u64;
        let given = length - header.length;
        if given != expected {
            return Err(damaged(&path, NpyError::Size { given, expected }));
        }
        let streams = if header.fortran && across > 1 {
            let column = size * rows as u64;
            let start = |c: usize| header.length + column * c as u64;
            (0..across)
                .map(|c| Stream {
                    bytes: Bytes::Open(Box::new(section(start(c), start(c) + column))),
                    step: size as usize,
                })
                .collect()
        } else {
            let bytes = Bytes::Open(Box::new(section(header.length, length)));
            vec![Stream { bytes, step: size as usize * across }]
        };
        let columns = columns_of(&header.elements, across, streams.len() > 1);
        NpyTable { path, rows, columns, streams }.checked()
    }

    /// A `.npy` file that cannot be read twice.
    pub(crate) fn from_stream(path: PathBuf, mut source: Box<dyn Read + Send>) -> Result<NpyTable, TableError> {
        let limits = Limits::from_environment()?;
        let header = Header::read(&mut source, limits).map_err(|e| damaged(&path, e))?;
        let (rows, across) = dimensions(&path, &header, limits)?;
        if header.fortran && across > 1 {
            return Err(damaged(&path, NpyError::FortranOrder));
        }
        let columns = columns_of(&header.elements, across, false);
        let streams = vec![Stream { bytes: Bytes::Open(source), step: header.elements.size() * across }];
        NpyTable { path, rows, columns, streams }.checked()
    }

    /// A `.npz` file.
    pub(crate) fn from_archive(path: PathBuf, file: File) -> Result<NpyTable, TableError> {
        let file = Arc::new(file);
        let cannot_read = |cause| TableError::Read { path: path.clone(), cause };
        let mut table = NpyTable { path: path.clone(), rows: 0, columns: Vec::new(), streams: Vec::new() };
        let limits = Limits::from_environment()?;
        let directory = zip::directory(&file).map_err(cannot_read)?;
        limits.exceeded(Limit::Members, directory.count).map_err(|e| e.of(&path))?;
        for (i, member) in directory.members().map_err(cannot_read)?.into_iter().enumerate() {
            let name = member.name.strip_suffix(".npy").unwrap_or(&member.name).to_string();
            let mut bytes = member.open(&file).map_err(cannot_read)?;
            let header = Header::read(&mut bytes, limits).map_err(|e| damaged(&path.join(&member.name), e))?;
            let (rows, across) = dimensions(&path.join(&member.name), &header, limits)?;
            let Elements::Plain(plain) = header.elements else {
                return Err(unfit(&path.join(&member.name), "holds records; a member of a table holds numbers"));
            };
            if across != 1 || (i > 0 && rows != table.rows) {
                let expected = if i == 0 { "one dimension".to_string() } else { format!("shape ({},)", table.rows) };
                let message = format!("has shape {:?}, but must have {expected}, as the other columns", header.shape);
                return Err(unfit(&path.join(&member.name), &message));
            }
            let (given, expected) = (member.size() - header.length.min(member.size()), (rows * plain.ty.size()) as u64);
            if given != expected {
                return Err(damaged(&path.join(&member.name), NpyError::Size { given, expected }));
            }
            table.rows = rows;
            let bytes = Bytes::Member { file: file.clone(), member, header: header.length };
            table.streams.push(Stream { bytes, step: plain.ty.size() });
            table.columns.push(Column { name, plain, buffer: i, offset: 0, step: plain.ty.size() });
        }
        if table.columns.is_empty() {
            return Err(unfit(&path, "has no members, but a table has columns"));
        }
        table.checked()
    }

    /// No two columns have one name.
    fn checked(self) -> Result<NpyTable, TableError> {
        let mut seen = HashMap::with_capacity(self.columns.len());
        for (j, column) in self.columns.iter().enumerate() {
            if let Some(i) = seen.insert(column.name.as_str(), j) {
                let column = column.name.clone();
                return Err(TableError::DuplicateColumn { path: self.path, column, numbers: (i + 1, j + 1) });
            }
        }
        Ok(self)
    }

    pub(crate) fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|c| c.name.clone()).collect()
    }

    /// The columns that hold truth values.
    pub(crate) fn truth_columns(&self) -> HashSet<&str> {
        self.columns.iter().filter(|c| c.plain.ty == NpyType::Bool).map(|c| c.name.as_str()).collect()
    }

    pub(crate) fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        let mut missing: HashSet<&str> = wanted.numeric.iter().chain(&wanted.texts).map(String::as_str).collect();
        let used: Vec<Column> = self.columns.iter().filter(|c| wanted.uses(&c.name)).cloned().collect();
        missing.retain(|name| !used.iter().any(|c| c.name == *name));
        if let Some(name) = wanted.numeric.iter().chain(&wanted.texts).find(|name| missing.contains(name.as_str())) {
            return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() });
        }
        let field = |c: &Column| Field::new(&c.name, data_type(c.plain.ty), true);
        let schema = Arc::new(Schema::new(used.iter().map(field).collect::<Vec<_>>()));
        let carried = if wanted.carry != Carry::Nothing { schema.clone() } else { Arc::new(Schema::empty()) };
        // Streams of which no column is used are not read at all.
        let mut needed = vec![false; self.streams.len()];
        used.iter().for_each(|c| needed[c.buffer] = true);
        let per_row: usize = self.streams.iter().map(|s| s.step).sum::<usize>().max(1);
        let next = NpyPieces {
            plan: Arc::new(NpyPlan { path: self.path, used, schema, wanted: wanted.clone() }),
            streams: self.streams,
            needed,
            left: self.rows,
            most: (BYTES / per_row).max(WIDE_ROWS.min(WIDE_BYTES / per_row)).clamp(1, ROWS),
            failed: false,
        };
        Ok(Batches { schema: carried, size: Some(Size::Rows(self.rows as u64)), origin: None, next: Box::new(next) })
    }
}

fn unfit(path: &Path, message: &str) -> TableError {
    let cause = io::Error::new(io::ErrorKind::InvalidData, message);
    TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) }
}

/// Rows, and numbers (or records) in each.
fn dimensions(path: &Path, header: &Header, limits: Limits) -> Result<(usize, usize), TableError> {
    let of_table = |columns: usize| limits.exceeded(Limit::Columns, columns as u64).map_err(|e| e.of(path));
    if let Elements::Record(fields) = &header.elements {
        of_table(fields.len())?;
    }
    match (&header.shape[..], &header.elements) {
        ([rows], _) => Ok((*rows, 1)),
        ([rows, across], Elements::Plain(_)) if *across > 0 => {
            of_table(*across)?;
            Ok((*rows, *across))
        }
        (shape, _) => {
            let message =
                format!("has shape {shape:?}, but a table has one dimension, or two of numbers: rows, columns");
            Err(unfit(path, &message))
        }
    }
}

fn columns_of(elements: &Elements, across: usize, apart: bool) -> Vec<Column> {
    let step = elements.size() * if apart { 1 } else { across };
    match elements {
        Elements::Plain(plain) => (0..across)
            .map(|c| Column {
                name: format!("V{}", c + 1),
                plain: *plain,
                buffer: if apart { c } else { 0 },
                offset: if apart { 0 } else { c * plain.ty.size() },
                step,
            })
            .collect(),
        Elements::Record(fields) => {
            let mut offset = 0;
            let column = |(name, plain): &(String, Plain)| {
                offset += plain.ty.size();
                Column { name: name.clone(), plain: *plain, buffer: 0, offset: offset - plain.ty.size(), step }
            };
            fields.iter().map(column).collect()
        }
    }
}

fn data_type(ty: NpyType) -> DataType {
    by_type!(ty, T => T::DATA_TYPE, DataType::Boolean)
}

fn npy_type(data_type: &DataType) -> Option<NpyType> {
    NpyType::all().find(|ty| self::data_type(*ty) == *data_type)
}

#[derive(Debug)]
struct NpyPlan {
    path: PathBuf,
    used: Vec<Column>,
    schema: SchemaRef,
    wanted: Wanted,
}

struct NpyPieces {
    plan: Arc<NpyPlan>,
    streams: Vec<Stream>,
    needed: Vec<bool>,
    left: usize,
    /// Rows of a piece.
    most: usize,
    failed: bool,
}

impl Iterator for NpyPieces {
    type Item = Result<Piece, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.left == 0 {
            return None;
        }
        let rows = self.most.min(self.left);
        self.left -= rows;
        let mut buffers = Vec::with_capacity(self.streams.len());
        for (stream, needed) in self.streams.iter_mut().zip(&self.needed) {
            let mut buffer = vec![0; if *needed { rows * stream.step } else { 0 }];
            let mut read = || stream.bytes.open()?.read_exact(&mut buffer);
            if let Err(cause) = if *needed { read() } else { Ok(()) } {
                self.failed = true;
                return Some(Err(TableError::Read { path: self.plan.path.clone(), cause }));
            }
            buffers.push(buffer);
        }
        let plan = self.plan.clone();
        Some(Ok(Piece::new(move || plan.decode(&buffers, rows))))
    }
}

impl NpyPlan {
    fn decode(&self, buffers: &[Vec<u8>], rows: usize) -> Result<crate::Batch, TableError> {
        let arrays: Vec<ArrayRef> = self
            .used
            .iter()
            .map(|column| {
                let bytes = &buffers[column.buffer][..];
                by_type!(column.plain.ty, T => number_array::<T, _>(bytes, column, rows), bool_array(bytes, column, rows))
            })
            .collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)
            .map_err(|e| TableError::Columnar { path: self.path.clone(), cause: Box::new(e) })?;
        deliver(&self.path, batch, &self.wanted)
    }
}

/// A number's bytes.
trait FromBytes<const N: usize>: Sized {
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn bytes(self) -> [u8; N];
}

macro_rules! from_bytes {
    ($($t:ty)*) => {$(
        impl FromBytes<{ size_of::<$t>() }> for $t {
            fn from_bytes(bytes: [u8; size_of::<$t>()]) -> $t {
                <$t>::from_ne_bytes(bytes)
            }
            fn bytes(self) -> [u8; size_of::<$t>()] {
                self.to_ne_bytes()
            }
        }
    )*};
}
from_bytes!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

fn number_array<T: ArrowPrimitiveType, const N: usize>(bytes: &[u8], column: &Column, rows: usize) -> ArrayRef
where
    T::Native: FromBytes<N>,
{
    let value = |row: usize| {
        let mut number = [0; N];
        number.copy_from_slice(&bytes[row * column.step + column.offset..][..N]);
        if column.plain.swapped {
            number.reverse();
        }
        T::Native::from_bytes(number)
    };
    let values: Vec<T::Native> = (0..rows).map(value).collect();
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), None))
}

fn bool_array(bytes: &[u8], column: &Column, rows: usize) -> ArrayRef {
    let value = |row: usize| bytes[row * column.step + column.offset] != 0;
    Arc::new(BooleanArray::new(BooleanBuffer::collect_bool(rows, value), None))
}

/// Turns rows into the bytes of a `.npy` file, or of each member of a `.npz` file.
#[derive(Debug, Clone)]
pub(crate) struct NpyEncoder {
    path: Arc<PathBuf>,
    columns: Arc<Vec<(String, NpyType)>>,
    /// One stream for each column, or one for all.
    apart: bool,
}

/// Rows as bytes.
#[derive(Debug)]
pub(crate) struct NpyRows {
    rows: usize,
    streams: Vec<Vec<u8>>,
}

impl NpyEncoder {
    pub(crate) fn new(path: PathBuf, schema: &SchemaRef, apart: bool) -> Result<NpyEncoder, TableError> {
        let mut columns = Vec::new();
        for field in schema.fields() {
            let Some(ty) = npy_type(field.data_type()) else {
                let (column, found) = (field.name().clone(), field.data_type().to_string());
                return Err(TableError::NotForNumPy { path, column, found });
            };
            columns.push((field.name().clone(), ty));
        }
        Ok(NpyEncoder { path: Arc::new(path), columns: Arc::new(columns), apart })
    }

    pub(crate) fn encode_rows(&self, batch: &RecordBatch) -> Result<NpyRows, TableError> {
        let rows = batch.num_rows();
        let record: usize = self.columns.iter().map(|c| c.1.size()).sum();
        let mut streams = match self.apart {
            true => self.columns.iter().map(|c| vec![0; rows * c.1.size()]).collect(),
            false => vec![vec![0; rows * record]],
        };
        let mut offset = 0;
        for (i, (name, ty)) in self.columns.iter().enumerate() {
            let array = batch.column(i);
            if array.null_count() > 0 && !matches!(ty, NpyType::F32 | NpyType::F64) {
                let (path, column, found) = (self.path.to_path_buf(), name.clone(), ty.name().to_string());
                return Err(TableError::MissingForNumPy { path, column, found });
            }
            let (to, at, step) = match self.apart {
                true => (&mut streams[i], 0, ty.size()),
                false => (&mut streams[0], offset, record),
            };
            by_type!(*ty, T => put_numbers::<T, _>(array, to, at, step), {
                let values = array.as_boolean();
                (0..rows).for_each(|row| to[row * step + at] = u8::from(values.value(row)));
            });
            offset += ty.size();
        }
        Ok(NpyRows { rows, streams })
    }
}

fn put_numbers<T: ArrowPrimitiveType, const N: usize>(array: &ArrayRef, to: &mut [u8], at: usize, step: usize)
where
    T::Native: FromBytes<N>,
{
    // Null values of numbers hold NaN or are made so: see `with_nan`.
    let array = with_nan::<T>(array);
    for (row, value) in array.values().iter().enumerate() {
        to[row * step + at..][..N].copy_from_slice(&value.bytes());
    }
}

/// NaN where a value is missing: NumPy has no other way to say so.
fn with_nan<T: ArrowPrimitiveType>(array: &ArrayRef) -> PrimitiveArray<T> {
    let array = array.as_primitive::<T>();
    let nan = match T::DATA_TYPE {
        DataType::Float64 => f64::NAN.to_ne_bytes().to_vec(),
        DataType::Float32 => f32::NAN.to_ne_bytes().to_vec(),
        _ => return array.clone(),
    };
    if array.null_count() == 0 {
        return array.clone();
    }
    let nan = ScalarBuffer::<T::Native>::from(crate::arrow::buffer::Buffer::from(nan))[0];
    let values: Vec<T::Native> =
        (0..array.len()).map(|i| if array.is_valid(i) { array.value(i) } else { nan }).collect();
    PrimitiveArray::new(ScalarBuffer::from(values), None)
}

/// NumPy files that are being written. How many rows there are is known at the end, so the data goes to a temporary file
/// beside the output, and from there into it.
pub(crate) struct NpySink<W: Write> {
    out: W,
    encoder: NpyEncoder,
    rows: usize,
    spool: Spool,
    /// Size and check sum of each stream.
    sums: Vec<(u64, Crc)>,
}

/// The longest name of a member of a zip archive, in bytes.
const LONGEST_NAME: usize = 65_535;

impl<W: Write> NpySink<W> {
    pub(crate) fn new(
        path: PathBuf,
        folder: Option<&Path>,
        out: W,
        schema: &SchemaRef,
        apart: bool,
    ) -> Result<NpySink<W>, TableError> {
        let encoder = NpyEncoder::new(path.clone(), schema, apart)?;
        if let Some((name, _)) = encoder.columns.iter().find(|(name, _)| apart && name.len() + 4 > LONGEST_NAME) {
            let start: String = name.chars().take(40).collect();
            let message = format!(
                "the name of column `{start}…` has {} bytes, but a .npz file takes at most {}",
                name.len(),
                LONGEST_NAME - 4
            );
            return Err(TableError::Write { path, cause: io::Error::new(io::ErrorKind::InvalidInput, message) });
        }
        let count = if apart { encoder.columns.len() } else { 1 };
        let spool = Spool::new(folder, count).map_err(|cause| TableError::Write { path, cause })?;
        let sums = (0..count).map(|_| (0, Crc::new())).collect();
        Ok(NpySink { out, encoder, rows: 0, spool, sums })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.encoder.path
    }

    pub(crate) fn encoder(&self) -> NpyEncoder {
        self.encoder.clone()
    }

    pub(crate) fn write(&mut self, rows: NpyRows) -> io::Result<()> {
        self.rows += rows.rows;
        for ((size, crc), bytes) in self.sums.iter_mut().zip(&rows.streams) {
            *size += bytes.len() as u64;
            if self.encoder.apart {
                crc.update(bytes);
            }
        }
        self.spool.write(&rows.streams)
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        let NpySink { mut out, encoder, rows, spool, sums } = self;
        let shape = format!("{rows},");
        let mut streams = spool.finish()?;
        if !encoder.apart {
            out.write_all(&header_bytes(&records_descr(&encoder.columns), &shape))?;
            for mut stream in streams {
                io::copy(&mut stream, &mut out)?;
            }
            return Ok(out);
        }
        let header = |ty: NpyType| header_bytes(&format!("'{}'", native_descr(ty)), &shape);
        let mut members = Vec::with_capacity(sums.len());
        for ((name, ty), (size, crc)) in encoder.columns.iter().zip(sums) {
            let header = header(*ty);
            let mut whole = Crc::new();
            whole.update(&header);
            whole.combine(&crc);
            members.push(zip::Stored {
                name: format!("{name}.npy"),
                size: size + header.len() as u64,
                crc: whole.sum(),
            });
        }
        // Members are asked for in their order.
        zip::write(&mut out, &members, |i| {
            let stream = streams.next().ok_or_else(|| io::Error::other("there are more members than columns"))?;
            Ok(io::Cursor::new(header(encoder.columns[i].1)).chain(stream))
        })?;
        Ok(out)
    }
}

/// The type of the elements, as Python writes it: of records, if there are several columns.
fn records_descr(columns: &[(String, NpyType)]) -> String {
    match columns {
        [(_, ty)] => format!("'{}'", native_descr(*ty)),
        _ => {
            let escaped = |name: &str| name.replace('\\', "\\\\").replace('\'', "\\'");
            let fields: Vec<String> =
                columns.iter().map(|(name, ty)| format!("('{}', '{}')", escaped(name), native_descr(*ty))).collect();
            format!("[{}]", fields.join(", "))
        }
    }
}
