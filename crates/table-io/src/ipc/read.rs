//! Arrow IPC: the file format, whose footer says where its batches are, and the stream format, one message after the other.
//!
//! Messages are taken from the file here, checked ([`crate::ipc::check`]), and then decoded by `arrow-ipc`.

use crate::arrow::array::{ArrayRef, RecordBatch};
use crate::arrow::buffer::{Buffer, MutableBuffer};
use crate::arrow::compute::concat;
use crate::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use crate::arrow::ipc::convert::try_fb_to_schema;
use crate::arrow::ipc::reader::RecordBatchDecoder;
use crate::arrow::ipc::{self, Endianness, MessageHeader, MetadataVersion};
use crate::columnar;
use crate::error::TableError;
use crate::guard::Damaged;
use crate::ipc::check::{Refused, check_batch, check_schema};
use crate::limits::Limits;
use crate::section::Section;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// What an Arrow file starts and ends with.
pub(crate) const MAGIC: &[u8; 6] = b"ARROW1";
/// What stands before the length of a message since version 0.15.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The end of a file: the footer's length and the magic bytes.
const TRAILER: u64 = 10;
/// So much memory is asked for before the first bytes of a message's body are there.
const FIRST: usize = 1 << 20;
/// A batch is handed on in parts of this many rows: in a column that is all missing, a row costs nothing in the file.
const MOST_ROWS: usize = 1 << 20;

/// The batches of an Arrow file or stream.
pub(crate) struct ArrowBatches {
    path: PathBuf,
    schema: SchemaRef,
    limits: Limits,
    messages: Messages,
    dictionaries: Dictionaries,
    /// The rest of a large batch.
    rest: Option<RecordBatch>,
    ended: bool,
}

enum Messages {
    File { file: Arc<File>, blocks: std::vec::IntoIter<Place> },
    Stream(BufReader<Box<dyn Read + Send>>),
}

/// Where a message is in a file.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u64,
    body: u64,
    end: u64,
}

/// A message: its metadata, still a flatbuffer, and its body.
struct Message {
    metadata: Vec<u8>,
    body: Buffer,
}

/// Values of dictionary columns, by the numbers that the schema gives them.
#[derive(Default)]
struct Dictionaries {
    types: HashMap<i64, DataType>,
    values: HashMap<i64, ArrayRef>,
}

impl Dictionaries {
    fn of(schema: &Schema) -> Dictionaries {
        let mut found = Dictionaries::default();
        schema.fields().iter().for_each(|f| found.add(f));
        found
    }

    fn add(&mut self, field: &Field) {
        #[expect(deprecated, reason = "the number of a dictionary is known to its field alone")]
        let id = field.dict_id();
        if let (DataType::Dictionary(_, value), Some(id)) = (field.data_type(), id) {
            self.types.entry(id).or_insert_with(|| value.as_ref().clone());
        }
        self.add_inner(field.data_type());
    }

    fn add_inner(&mut self, data_type: &DataType) {
        match data_type {
            DataType::List(f)
            | DataType::LargeList(f)
            | DataType::ListView(f)
            | DataType::LargeListView(f)
            | DataType::FixedSizeList(f, _)
            | DataType::Map(f, _) => self.add(f),
            DataType::Struct(fields) => fields.iter().for_each(|f| self.add(f)),
            DataType::Union(fields, _) => fields.iter().for_each(|(_, f)| self.add(f)),
            DataType::RunEndEncoded(ends, values) => {
                self.add(ends);
                self.add(values);
            }
            DataType::Dictionary(_, value) => self.add_inner(value),
            _ => {}
        }
    }
}

fn broken<T>(what: impl Into<String>) -> Result<T, Damaged> {
    Err(Damaged::new(what))
}

/// The schema of a message or footer, if there can be arrays of its types.
fn schema_of(schema: ipc::Schema<'_>, limits: Limits) -> Result<Schema, Stop> {
    if (schema.endianness() == Endianness::Big) == cfg!(target_endian = "little") {
        return Err(Stop::Refused(Damaged::new("its numbers are in the other byte order than this machine's").into()));
    }
    let schema = try_fb_to_schema(schema)?;
    check_schema(&schema, limits)?;
    Ok(schema)
}

/// Why no batch follows.
enum Stop {
    Read(io::Error),
    Refused(Refused),
    Decode(crate::arrow::error::ArrowError),
}

impl From<io::Error> for Stop {
    fn from(cause: io::Error) -> Stop {
        Stop::Read(cause)
    }
}

impl<T: Into<Refused>> From<T> for Stop {
    fn from(refused: T) -> Stop {
        Stop::Refused(refused.into())
    }
}

impl From<crate::arrow::error::ArrowError> for Stop {
    fn from(cause: crate::arrow::error::ArrowError) -> Stop {
        Stop::Decode(cause)
    }
}

impl Stop {
    fn of(self, path: &std::path::Path) -> TableError {
        match self {
            Stop::Read(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => {
                columnar::damaged(path, Damaged::new("it is cut off"))
            }
            Stop::Read(cause) => TableError::Read { path: path.to_path_buf(), cause },
            Stop::Refused(Refused::Damaged(cause)) => columnar::damaged(path, cause),
            Stop::Refused(Refused::TooLarge(exceeded)) => exceeded.of(path),
            Stop::Decode(cause) => columnar::damaged(path, cause),
        }
    }
}

impl ArrowBatches {
    pub(crate) fn from_file(path: PathBuf, file: File) -> Result<ArrowBatches, TableError> {
        let limits = Limits::from_environment()?;
        ArrowBatches::read_footer(&path, file, limits).map_err(|stop| stop.of(&path))
    }

    fn read_footer(path: &std::path::Path, file: File, limits: Limits) -> Result<ArrowBatches, Stop> {
        let size = file.metadata()?.len();
        let file = Arc::new(file);
        let Some(footer_end) = size.checked_sub(TRAILER) else { return Err(Damaged::new("it is cut off").into()) };
        let trailer = read_range(&file, footer_end, size)?;
        let (length, magic) = trailer.split_at(4);
        if magic != MAGIC {
            return Err(Damaged::new("it does not end as Arrow files do; is it cut off?").into());
        }
        let length = length.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
        let Some(footer_start) = footer_end.checked_sub(length).filter(|start| *start >= MAGIC.len() as u64) else {
            return Err(Damaged::new(format!("it has {size} bytes, and its footer claims {length}")).into());
        };
        let footer = read_range(&file, footer_start, footer_end)?;
        let footer = ipc::root_as_footer(&footer).map_err(|e| Damaged::new(format!("its footer: {e}")))?;
        let Some(schema) = footer.schema() else { return Err(Damaged::new("its footer has no schema").into()) };
        let schema = Arc::new(schema_of(schema, limits)?);
        let places = |block| place(block, footer_start);
        let dictionaries: Vec<Place> =
            footer.dictionaries().into_iter().flatten().map(places).collect::<Result<_, _>>()?;
        let batches: Vec<Place> = footer.recordBatches().into_iter().flatten().map(places).collect::<Result<_, _>>()?;
        // Blocks that share bytes would make a small file a large table.
        let mut all: Vec<Place> = dictionaries.iter().chain(&batches).copied().collect();
        all.sort_by_key(|p| p.start);
        if all.windows(2).any(|pair| pair[0].end > pair[1].start) {
            return Err(Damaged::new("two of its batches share bytes").into());
        }
        let blocks = dictionaries.into_iter().chain(batches).collect::<Vec<_>>().into_iter();
        Ok(ArrowBatches::new(path, schema, limits, Messages::File { file, blocks }))
    }

    pub(crate) fn from_stream(path: PathBuf, source: Box<dyn Read + Send>) -> Result<ArrowBatches, TableError> {
        let limits = Limits::from_environment()?;
        let mut messages = Messages::Stream(BufReader::new(source));
        let mut first = || -> Result<Schema, Stop> {
            let Some(message) = messages.next()? else {
                return Err(Damaged::new("it is empty, but starts with a schema").into());
            };
            match message.root()?.header_as_schema() {
                Some(schema) => schema_of(schema, limits),
                None => Err(Damaged::new("it does not start with a schema").into()),
            }
        };
        let schema = Arc::new(first().map_err(|stop| stop.of(&path))?);
        Ok(ArrowBatches::new(&path, schema, limits, messages))
    }

    fn new(path: &std::path::Path, schema: SchemaRef, limits: Limits, messages: Messages) -> ArrowBatches {
        let dictionaries = Dictionaries::of(&schema);
        ArrowBatches { path: path.to_path_buf(), schema, limits, messages, dictionaries, rest: None, ended: false }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, Stop> {
        while let Some(message) = self.messages.next()? {
            let root = message.root()?;
            match root.header_type() {
                MessageHeader::RecordBatch => {
                    let Some(batch) = root.header_as_record_batch() else { return Ok(broken("a batch is empty")?) };
                    check_batch(batch, self.schema.fields(), &message.body, root.version(), self.limits)?;
                    let decoded = decode(batch, &self.schema, &message, root.version(), &self.dictionaries)?;
                    return Ok(Some(decoded));
                }
                MessageHeader::DictionaryBatch => {
                    let Some(batch) = root.header_as_dictionary_batch() else {
                        return Ok(broken("a dictionary is empty")?);
                    };
                    self.read_dictionary(batch, &message, root.version())?;
                }
                // Some writers end a file so.
                MessageHeader::NONE => {}
                other => return Ok(broken(format!("a message of kind {} is no batch", other.0))?),
            }
        }
        Ok(None)
    }

    fn read_dictionary(
        &mut self,
        batch: ipc::DictionaryBatch<'_>,
        message: &Message,
        version: MetadataVersion,
    ) -> Result<(), Stop> {
        let id = batch.id();
        let Some(value) = self.dictionaries.types.get(&id) else {
            return Ok(broken(format!("no column has dictionary {id}"))?);
        };
        let Some(data) = batch.data() else { return Ok(broken(format!("dictionary {id} has no values"))?) };
        let schema = Arc::new(Schema::new(vec![Field::new(format!("dictionary {id}"), value.clone(), true)]));
        check_batch(data, schema.fields(), &message.body, version, self.limits)?;
        let mut values = decode(data, &schema, message, version, &self.dictionaries)?.column(0).clone();
        if batch.isDelta() {
            let Some(before) = self.dictionaries.values.get(&id) else {
                return Ok(broken(format!("dictionary {id} is continued before it starts"))?);
            };
            self.limits.rows_beside((before.len() + values.len()) as u64, message.body.len() as u64)?;
            values = concat(&[before, &values])?;
        }
        self.dictionaries.values.insert(id, values);
        Ok(())
    }
}

fn decode(
    batch: ipc::RecordBatch<'_>,
    schema: &SchemaRef,
    message: &Message,
    version: MetadataVersion,
    dictionaries: &Dictionaries,
) -> Result<RecordBatch, crate::arrow::error::ArrowError> {
    RecordBatchDecoder::try_new(&message.body, batch, schema.clone(), &dictionaries.values, &version)?
        .read_record_batch()
}

impl Iterator for ArrowBatches {
    type Item = Result<RecordBatch, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None if self.ended => return None,
            None => match self.read() {
                Ok(Some(batch)) => batch,
                Ok(None) => {
                    self.ended = true;
                    return None;
                }
                Err(stop) => {
                    self.ended = true;
                    return Some(Err(stop.of(&self.path)));
                }
            },
        };
        if batch.num_rows() <= MOST_ROWS {
            return Some(Ok(batch));
        }
        self.rest = Some(batch.slice(MOST_ROWS, batch.num_rows() - MOST_ROWS));
        Some(Ok(batch.slice(0, MOST_ROWS)))
    }
}

fn read_range(file: &Arc<File>, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(end - start).unwrap_or(usize::MAX))?;
    Section::new(file.clone(), start, end).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == end - start { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// The place of a block, which must lie before the footer.
fn place(block: &ipc::Block, footer: u64) -> Result<Place, Damaged> {
    let (offset, metadata, body) = (block.offset(), block.metaDataLength(), block.bodyLength());
    let place = || {
        let start = u64::try_from(offset).ok()?;
        let body_start = start.checked_add(u64::try_from(metadata).ok()?)?;
        let end = body_start.checked_add(u64::try_from(body).ok()?)?;
        (end <= footer).then_some(Place { start, body: body_start, end })
    };
    place().ok_or_else(|| {
        Damaged::new(format!(
            "a batch of {metadata} and {body} bytes from {offset} on leaves the {footer} before the footer"
        ))
    })
}

impl Message {
    fn root(&self) -> Result<ipc::Message<'_>, Damaged> {
        ipc::root_as_message(&self.metadata).map_err(|e| Damaged::new(format!("a message: {e}")))
    }
}

impl Messages {
    fn next(&mut self) -> Result<Option<Message>, Stop> {
        match self {
            Messages::File { file, blocks } => {
                let Some(place) = blocks.next() else { return Ok(None) };
                let head = read_range(file, place.start, place.body)?;
                let (prefix, rest) = match head.strip_prefix(&CONTINUATION) {
                    Some(rest) => rest.split_at_checked(4),
                    None => head.split_at_checked(4),
                }
                .ok_or_else(|| Damaged::new("the metadata of a batch is cut off"))?;
                let length = prefix.iter().rev().fold(0_usize, |n, byte| n << 8 | usize::from(*byte));
                let Some(metadata) = rest.get(..length) else {
                    let there = rest.len();
                    return Ok(broken(format!("the metadata of a batch claims {length} bytes of {there}"))?);
                };
                let body = read_body(&mut Section::new(file.clone(), place.body, place.end), place.end - place.body)?;
                Ok(Some(Message { metadata: metadata.to_vec(), body }))
            }
            Messages::Stream(source) => {
                let mut prefix = [0; 4];
                if !read_prefix(source, &mut prefix)? {
                    return Ok(None);
                }
                if prefix == CONTINUATION {
                    source.read_exact(&mut prefix)?;
                }
                let length = u32::from_le_bytes(prefix);
                if length == 0 {
                    return Ok(None);
                }
                let mut metadata = Vec::new();
                // `take`: a damaged length must not become an allocation.
                if source.by_ref().take(length.into()).read_to_end(&mut metadata)? as u64 != u64::from(length) {
                    return Ok(broken("a message is cut off")?);
                }
                let mut message = Message { metadata, body: Buffer::default() };
                let length = message.root()?.bodyLength();
                let Ok(length) = u64::try_from(length) else {
                    return Ok(broken(format!("a message has a body of {length} bytes"))?);
                };
                message.body = read_body(source, length)?;
                Ok(Some(message))
            }
        }
    }
}

/// Fills the buffer; false where the stream ends before it. (The end may be marked or not.)
fn read_prefix(source: &mut impl Read, buffer: &mut [u8; 4]) -> io::Result<bool> {
    let mut start = Vec::with_capacity(buffer.len());
    match source.take(buffer.len() as u64).read_to_end(&mut start)? {
        0 => Ok(false),
        4 => {
            buffer.copy_from_slice(&start);
            Ok(true)
        }
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Reads a body of this length. Memory is asked for as the bytes arrive: the length may be wrong.
fn read_body(source: &mut impl Read, length: u64) -> io::Result<Buffer> {
    let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
    let length = usize::try_from(length).map_err(|_| no_memory())?;
    let mut body = MutableBuffer::try_from_len_zeroed(length.min(FIRST)).map_err(|_| no_memory())?;
    let mut filled = 0;
    while filled < length {
        source.read_exact(&mut body.as_slice_mut()[filled..])?;
        filled = body.len();
        if filled < length {
            body.try_resize(length.min(filled * 2), 0).map_err(|_| no_memory())?;
        }
    }
    Ok(body.into())
}
