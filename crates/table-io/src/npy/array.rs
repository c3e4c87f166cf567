//! Arrays in NumPy's `.npy` files: versions 1 to 3, numbers and booleans, either byte order, C order.
//!
//! The format is documented at <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use crate::error::TableError;
use crate::limits::{Exceeded, Limit, Limits};
use std::fmt;
use std::io::{self, Read, Write};

/// The element types that are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the type it names")]
pub enum NpyType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl NpyType {
    const ALL: [(NpyType, &'static str, &'static str); 11] = [
        (NpyType::Bool, "b1", "bool"),
        (NpyType::I8, "i1", "i8"),
        (NpyType::I16, "i2", "i16"),
        (NpyType::I32, "i4", "i32"),
        (NpyType::I64, "i8", "i64"),
        (NpyType::U8, "u1", "u8"),
        (NpyType::U16, "u2", "u16"),
        (NpyType::U32, "u4", "u32"),
        (NpyType::U64, "u8", "u64"),
        (NpyType::F32, "f4", "f32"),
        (NpyType::F64, "f8", "f64"),
    ];

    pub(crate) fn all() -> impl Iterator<Item = NpyType> {
        NpyType::ALL.iter().map(|t| t.0)
    }

    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            NpyType::Bool | NpyType::I8 | NpyType::U8 => 1,
            NpyType::I16 | NpyType::U16 => 2,
            NpyType::I32 | NpyType::U32 | NpyType::F32 => 4,
            NpyType::I64 | NpyType::U64 | NpyType::F64 => 8,
        }
    }

    /// Its name in Rust: `f64`.
    pub fn name(self) -> &'static str {
        NpyType::ALL.iter().find(|t| t.0 == self).map_or("", |t| t.2)
    }

    /// The type with this name in Rust.
    pub fn from_name(name: &str) -> Option<NpyType> {
        NpyType::ALL.iter().find(|t| t.2 == name).map(|t| t.0)
    }

    /// NumPy's code without the byte order: `f8`.
    fn code(self) -> &'static str {
        NpyType::ALL.iter().find(|t| t.0 == self).map_or("", |t| t.1)
    }
}

impl fmt::Display for NpyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An array: its elements' bytes in this machine's order, the last dimension fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpyArray {
    ty: NpyType,
    shape: Vec<usize>,
    data: Vec<u8>,
}

/// Why a file is not an array that we read. Who made the file has to act.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// The file cannot be read or written.
    #[error("the array cannot be read or written")]
    Io(#[from] io::Error),
    /// The file does not start as `.npy` files do.
    #[error("not a .npy file: it must start with the bytes 93 4E 55 4D 50 59 (numpy.save writes such files)")]
    NotNpy,
    /// A version of the format that does not exist yet.
    #[error("format version {0}.{1} is not known; versions 1, 2 and 3 are read")]
    Version(u8, u8),
    /// The header is not what the format prescribes.
    #[error("the header is damaged: {0}")]
    Header(&'static str),
    /// Text, complex numbers, structures, objects, half precision.
    #[error(
        "elements of type `{0}` are not read; numbers are: f32, f64, i8 to i64, u8 to u64, and bool (astype converts)"
    )]
    Type(String),
    /// The first dimension is fastest.
    #[error("the array is in Fortran order, but must be in C order: save numpy.ascontiguousarray(a)")]
    FortranOrder,
    /// A header of more bytes than are read; [`crate::Limits`] says how many are.
    #[error("the header claims {count} bytes, but at most {most} are read; if it is no mistake, set {}={count}", Limit::HeaderBytes.variable())]
    HeaderTooLong {
        /// Bytes that it claims.
        count: u64,
        /// Bytes that are read.
        most: u64,
    },
    /// A limit is set to something that is not a number.
    #[error("{variable} is `{value}`, but must be a whole number")]
    Setting {
        /// The environment variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// More elements than memory can hold.
    #[error("an array of shape {0:?} is too large")]
    TooLarge(Vec<usize>),
    /// Cut off, or with something behind its end.
    #[error("the file holds {given} bytes of data, but its shape and type need {expected}")]
    Size {
        /// Bytes behind the header.
        given: u64,
        /// Bytes that shape and type need.
        expected: u64,
    },
}

const MAGIC: [u8; 6] = *b"\x93NUMPY";

impl NpyArray {
    /// An array of zeros.
    ///
    /// # Errors
    /// [`NpyError::TooLarge`].
    pub fn zeros(ty: NpyType, shape: &[usize]) -> Result<NpyArray, NpyError> {
        let bytes = byte_count(ty.size(), shape)?;
        let mut data = Vec::new();
        data.try_reserve_exact(bytes).map_err(|_| NpyError::TooLarge(shape.to_vec()))?;
        data.resize(bytes, 0);
        Ok(NpyArray { ty, shape: shape.to_vec(), data })
    }

    /// The element type.
    pub fn ty(&self) -> NpyType {
        self.ty
    }

    /// The lengths of the dimensions; empty for a single number.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.data.len() / self.ty.size()
    }

    /// No elements.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The elements' bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// The elements' bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// [`NpyError`] says what is wrong with it.
    pub fn read(from: impl Read) -> Result<NpyArray, NpyError> {
        match NpyArray::read_as_stored(from)? {
            (array, false) => Ok(array),
            (_, true) => Err(NpyError::FortranOrder),
        }
    }

    /// Reads a whole file of either order, its elements as they are stored: `true` says that the first index varies
    /// fastest (Fortran order).
    ///
    /// # Errors
    /// [`NpyError`] says what is wrong with it.
    pub fn read_as_stored(mut from: impl Read) -> Result<(NpyArray, bool), NpyError> {
        let header = Header::read(&mut from, limits()?)?;
        let Elements::Plain(Plain { ty, swapped }) = header.elements else {
            return Err(NpyError::Type(header.descr));
        };
        let shape = header.shape;
        // One dimension or less is in both orders.
        let fortran = header.fortran && shape.iter().filter(|n| **n != 1).count() > 1;
        let expected = byte_count(ty.size(), &shape)?;
        let mut data = Vec::new();
        from.by_ref().take(expected as u64).read_to_end(&mut data)?;
        let more = io::copy(&mut from, &mut io::sink())?;
        if data.len() != expected || more != 0 {
            return Err(NpyError::Size { given: data.len() as u64 + more, expected: expected as u64 });
        }
        if swapped {
            data.chunks_exact_mut(ty.size()).for_each(<[u8]>::reverse);
        }
        if ty == NpyType::Bool {
            data.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
        Ok((NpyArray { ty, shape, data }, fortran))
    }

    /// Writes a file, in this machine's byte order.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let shape: String = match &self.shape[..] {
            [one] => format!("{one},"),
            many => many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        };
        to.write_all(&header_bytes(&format!("'{}'", native_descr(self.ty)), &shape))?;
        to.write_all(&self.data)?;
        to.flush()
    }
}

fn limits() -> Result<Limits, NpyError> {
    Limits::from_environment().map_err(|error| match error {
        TableError::Setting { variable, value } => NpyError::Setting { variable, value },
        other => NpyError::Io(io::Error::other(other)),
    })
}

/// The type's code with this machine's byte order: `<f8`.
pub(crate) fn native_descr(ty: NpyType) -> String {
    let order = match ty.size() {
        1 => '|',
        _ if cfg!(target_endian = "little") => '<',
        _ => '>',
    };
    format!("{order}{}", ty.code())
}

/// The bytes before the data: `descr` and the inside of `shape` as Python writes them.
pub(crate) fn header_bytes(descr: &str, shape: &str) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}");
    let narrow = header.len() + 11 <= usize::from(u16::MAX) - 64;
    // Version 3 is text in UTF-8; names of fields may need it.
    let version = match (header.is_ascii(), narrow) {
        (true, true) => 1,
        (true, false) => 2,
        (false, _) => 3,
    };
    let start = MAGIC.len() + 2 + if version == 1 { 2 } else { 4 };
    // The data starts at a multiple of 64.
    let total = (start + header.len() + 1).next_multiple_of(64);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&((total - start) as u32).to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
    bytes.extend(header.as_bytes());
    bytes.resize(total - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// The type of a number in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) ty: NpyType,
    /// In the other byte order than this machine's.
    pub(crate) swapped: bool,
}

/// What the elements of an array are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Elements {
    Plain(Plain),
    /// Fields one behind the other, with their names.
    Record(Vec<(String, Plain)>),
}

impl Elements {
    pub(crate) fn size(&self) -> usize {
        match self {
            Elements::Plain(plain) => plain.ty.size(),
            Elements::Record(fields) => fields.iter().map(|f| f.1.ty.size()).sum(),
        }
    }
}

/// What stands before the data of an array.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) elements: Elements,
    /// As it stands in the file, for messages.
    descr: String,
    /// The first dimension is fastest.
    pub(crate) fortran: bool,
    pub(crate) shape: Vec<usize>,
    /// Bytes of the header itself.
    pub(crate) length: u64,
}

impl Header {
    pub(crate) fn read(from: &mut impl Read, limits: Limits) -> Result<Header, NpyError> {
        let mut start = [0; 8];
        match from.read_exact(&mut start) {
            Ok(()) if start[..6] == MAGIC => {}
            Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => return Err(e.into()),
            _ => return Err(NpyError::NotNpy),
        }
        let cut = |e: io::Error| {
            if e.kind() == io::ErrorKind::UnexpectedEof { NpyError::Header("it is cut off") } else { e.into() }
        };
        let (length, before) = match start[6] {
            1 => {
                let mut b = [0; 2];
                from.read_exact(&mut b).map_err(cut)?;
                (u64::from(u16::from_le_bytes(b)), 10)
            }
            2 | 3 => {
                let mut b = [0; 4];
                from.read_exact(&mut b).map_err(cut)?;
                (u64::from(u32::from_le_bytes(b)), 12)
            }
            _ => return Err(NpyError::Version(start[6], start[7])),
        };
        if let Err(Exceeded { count, most, .. }) = limits.exceeded(Limit::HeaderBytes, length) {
            return Err(NpyError::HeaderTooLong { count, most });
        }
        let mut header = Vec::new();
        // `take`: a damaged length must not become an allocation.
        if from.by_ref().take(length).read_to_end(&mut header)? as u64 != length {
            return Err(NpyError::Header("it is cut off"));
        }
        let header = String::from_utf8(header).map_err(|_| NpyError::Header("it is not text"))?;
        let (descr, fortran, shape) = parse_header(&header)?;
        let elements = match &descr {
            Descr::Plain(code) => Elements::Plain(parse_type(code)?),
            Descr::Record(fields) => {
                let fields = fields.iter().map(|(name, code)| Ok((name.clone(), parse_type(code)?)));
                Elements::Record(fields.collect::<Result<_, NpyError>>()?)
            }
        };
        let descr = match descr {
            Descr::Plain(code) => code,
            Descr::Record(fields) => format!("{fields:?}"),
        };
        byte_count(elements.size(), &shape)?;
        Ok(Header { elements, descr, fortran, shape, length: before + length })
    }
}

/// A type as a header writes it.
#[derive(Debug)]
enum Descr {
    Plain(String),
    Record(Vec<(String, String)>),
}

macro_rules! typed {
    ($($t:ty => $v:ident),*) => {$(
        impl From<&[$t]> for NpyArray {
            /// One dimension.
            fn from(values: &[$t]) -> NpyArray {
                let data = values.iter().flat_map(|x| x.to_ne_bytes()).collect();
                NpyArray { ty: NpyType::$v, shape: vec![values.len()], data }
            }
        }
        impl TryFrom<&NpyArray> for Vec<$t> {
            type Error = NpyType;
            /// The elements, or the type they have instead.
            fn try_from(array: &NpyArray) -> Result<Vec<$t>, NpyType> {
                if array.ty != NpyType::$v {
                    return Err(array.ty);
                }
                Ok(array.data.as_chunks().0.iter().map(|b| <$t>::from_ne_bytes(*b)).collect())
            }
        }
    )*};
}
typed!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64);

/// The bytes of an array. Its other dimensions must be possible even if one is 0: who multiplies two of them, or counts
/// one, must not meet a number that no array has.
fn byte_count(size: usize, shape: &[usize]) -> Result<usize, NpyError> {
    let possible = shape.iter().try_fold(size, |total, n| total.checked_mul((*n).max(1)));
    possible
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .map(|bytes| if shape.contains(&0) { 0 } else { bytes })
        .ok_or_else(|| NpyError::TooLarge(shape.to_vec()))
}

fn parse_type(descr: &str) -> Result<Plain, NpyError> {
    let unknown = || NpyError::Type(descr.to_string());
    let order = descr.chars().next().ok_or_else(unknown)?;
    let code = descr.get(order.len_utf8()..).ok_or_else(unknown)?;
    let ty = NpyType::ALL.iter().find(|t| t.1 == code).map(|t| t.0).ok_or_else(unknown)?;
    let swapped = match order {
        '<' => cfg!(target_endian = "big"),
        '>' => cfg!(target_endian = "little"),
        '|' if ty.size() == 1 => false,
        '=' => false,
        _ => return Err(unknown()),
    };
    Ok(Plain { ty, swapped: swapped && ty.size() > 1 })
}

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, with its keys in any order.
fn parse_header(header: &str) -> Result<(Descr, bool, Vec<usize>), NpyError> {
    let mut p = Parser { rest: header.trim() };
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    p.expect('{')?;
    while !p.eat('}') {
        let key = p.string()?;
        p.expect(':')?;
        match key.as_str() {
            "descr" if p.rest.trim_start().starts_with('[') => descr = Some(Descr::Record(p.fields()?)),
            "descr" => descr = Some(Descr::Plain(p.string()?)),
            "fortran_order" => fortran = Some(p.boolean()?),
            "shape" => shape = Some(p.shape()?),
            _ => return Err(NpyError::Header("it has a key other than descr, fortran_order and shape")),
        }
        if !p.eat(',') {
            p.expect('}')?;
            break;
        }
    }
    if !p.rest.trim().is_empty() {
        return Err(NpyError::Header("something follows its closing brace"));
    }
    match (descr, fortran, shape) {
        (Some(descr), Some(fortran), Some(shape)) => Ok((descr, fortran, shape)),
        _ => Err(NpyError::Header("descr, fortran_order or shape is missing")),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn eat(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char) -> Result<(), NpyError> {
        if self.eat(c) {
            Ok(())
        } else {
            Err(NpyError::Header("it is not a dictionary of descr, fortran_order and shape"))
        }
    }

    fn string(&mut self) -> Result<String, NpyError> {
        let quote = if self.eat('\'') {
            '\''
        } else {
            self.expect('"')?;
            '"'
        };
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                // Python writes a quote or a backslash in a name with a backslash before it.
                '\\' => match characters.next() {
                    Some((_, c @ ('\\' | '\'' | '"'))) => text.push(c),
                    _ => return Err(NpyError::Header("a string has an escape that names of fields do not have")),
                },
                c if c == quote => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                c => text.push(c),
            }
        }
        Err(NpyError::Header("a string does not end"))
    }

    /// `[('x', '<f8'), ('n', '<i4')]`.
    fn fields(&mut self) -> Result<Vec<(String, String)>, NpyError> {
        // Enough to see what it is: a header may have megabytes.
        let whole: String = self.rest.trim().chars().take(200).collect();
        let other = || NpyError::Type(whole.clone());
        self.expect('[')?;
        let mut fields = Vec::new();
        while !self.eat(']') {
            self.expect('(')?;
            // A title beside the name, or a field that is itself an array or a structure, is more than a column.
            let name = self.string().map_err(|_| other())?;
            self.expect(',')?;
            let code = self.string().map_err(|_| other())?;
            if !self.eat(')') {
                return Err(other());
            }
            fields.push((name, code));
            if !self.eat(',') {
                self.expect(']')?;
                break;
            }
        }
        if fields.is_empty() { Err(other()) } else { Ok(fields) }
    }

    fn boolean(&mut self) -> Result<bool, NpyError> {
        let rest = self.rest.trim_start();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(NpyError::Header("fortran_order is neither True nor False"))
    }

    fn shape(&mut self) -> Result<Vec<usize>, NpyError> {
        let bad = NpyError::Header("shape is not a tuple of whole numbers");
        if !self.eat('(') {
            return Err(bad);
        }
        let Some((inside, rest)) = self.rest.split_once(')') else { return Err(bad) };
        self.rest = rest;
        let mut parts: Vec<&str> = inside.split(',').map(str::trim).collect();
        if parts.last() == Some(&"") {
            parts.pop();
        }
        // Python 2 wrote `3L`.
        parts.into_iter().map(|n| n.trim_end_matches('L').parse()).collect::<Result<_, _>>().map_err(|_| bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        NpyArray::read(bytes).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_written_is_read_and_the_data_is_aligned() {
        for (ty, ..) in NpyType::ALL {
            for shape in [&[][..], &[0], &[3], &[2, 5], &[1, 2, 3, 4]] {
                let mut array = NpyArray::zeros(ty, shape).expect("small");
                array
                    .bytes_mut()
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, b)| *b = if ty == NpyType::Bool { (i % 2) as u8 } else { i as u8 });
                let mut bytes = Vec::new();
                array.write(&mut bytes).expect("memory");
                assert_eq!((bytes.len() - array.bytes().len()) % 64, 0);
                assert_eq!(NpyArray::read(&bytes[..]).expect("our own"), array);
            }
        }
    }

    #[test]
    fn the_bytes_are_those_that_numpy_writes() {
        // numpy.save(f, numpy.array([[1.5, -2.0]]))
        let mut expected =
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }".to_vec();
        expected.resize(127, b' ');
        expected.push(b'\n');
        expected.extend(1.5f64.to_le_bytes());
        expected.extend((-2.0f64).to_le_bytes());
        let mut array = NpyArray::from(&[1.5, -2.0][..]);
        array.shape = vec![1, 2];
        let mut bytes = Vec::new();
        array.write(&mut bytes).expect("memory");
        assert_eq!(bytes, expected);
    }

    #[test]
    fn big_endian_versions_and_spellings_are_read() {
        let data: Vec<u8> = [1.5f64, -2.0].iter().flat_map(|x| x.to_be_bytes()).collect();
        for (version, header) in [
            (1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }"),
            (2, "{\"shape\": (2L,), 'fortran_order': True, 'descr': '>f8'}\n"),
            (3, "  {'shape':(2 , 1),'descr':'>f8','fortran_order':True}  "),
        ] {
            let array = NpyArray::read(&file(version, header, &data)[..]).expect(header);
            assert_eq!(Vec::<f64>::try_from(&array), Ok(vec![1.5, -2.0]));
        }
    }

    #[test]
    fn files_that_are_not_such_arrays_say_why() {
        let header =
            |descr: &str, shape: &str| format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        assert!(message(b"x,y\n1,2\n").starts_with("not a .npy file"));
        assert!(message(b"").starts_with("not a .npy file"));
        assert_eq!(message(&file(9, "", b"")), "format version 9.0 is not known; versions 1, 2 and 3 are read");
        assert_eq!(message(b"\x93NUMPY\x01\x00\xff\xff{}"), "the header is damaged: it is cut off");
        assert!(
            message(&file(1, &header("<c16", "(1,)"), &[0; 16])).starts_with("elements of type `<c16` are not read")
        );
        assert!(
            message(&file(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", b""))
                .contains("are not read")
        );
        assert!(message(&file(1, &header("|f8", "(0,)"), b"")).contains("`|f8`"));
        assert!(
            message(&file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}", &[0; 32]))
                .contains("Fortran order")
        );
        assert_eq!(
            message(&file(1, &header("<f8", "(2,)"), &[0; 15])),
            "the file holds 15 bytes of data, but its shape and type need 16"
        );
        assert_eq!(
            message(&file(1, &header("<f8", "(2,)"), &[0; 17])),
            "the file holds 17 bytes of data, but its shape and type need 16"
        );
        assert!(message(&file(1, &header("<f8", "(99999999999, 99999999999)"), b"")).contains("is too large"));
        assert!(message(&file(1, &header("<f8", "(-1,)"), b"")).contains("shape is not a tuple"));
        assert!(message(&file(1, "{'descr': '<f8'}", b"")).contains("is missing"));
    }

    proptest! {
        #[test]
        fn no_file_makes_the_reader_panic(version in 0u8..4, header in "[ -~]{0,60}", data in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = NpyArray::read(&file(version, &header, &data)[..]);
        }

        #[test]
        fn a_damaged_header_never_makes_the_reader_panic(at in 0usize..128, byte in any::<u8>()) {
            let mut bytes = Vec::new();
            NpyArray::from(&[1.0, 2.0][..]).write(&mut bytes).expect("memory");
            bytes[at] = byte;
            let _ = NpyArray::read(&bytes[..]);
        }
    }
}
