//! R's serialization format, as far as an index needs it: what `saveRDS` writes and `readRDS` opens.
//!
//! The format is described in "R Internals", section 1.8. We write version 2 (every R since 1.4 reads it), big-endian,
//! compressed with gzip as `saveRDS` does; we read versions 2 and 3, with or without gzip.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// A value with its attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// The value.
    pub value: Value,
    /// Attributes by name: `names`, `class`, …
    pub attributes: Vec<(String, Object)>,
}

/// The kinds of values that an index is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `NULL`
    Null,
    /// `logical` (`NA` is `None`)
    Logicals(Vec<Option<bool>>),
    /// `integer` (`NA` is `i32::MIN`)
    Integers(Vec<i32>),
    /// `double`
    Reals(Vec<f64>),
    /// `character` (`NA` is `None`)
    Strings(Vec<Option<String>>),
    /// `list`
    List(Vec<Object>),
}

impl Object {
    /// A value without attributes.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self { value, attributes: Vec::new() }
    }

    /// A character vector.
    #[must_use]
    pub fn strings<S: AsRef<str>>(strings: &[S]) -> Self {
        Self::new(Value::Strings(strings.iter().map(|s| Some(s.as_ref().to_owned())).collect()))
    }

    /// One integer.
    #[must_use]
    pub fn integer(value: i32) -> Self {
        Self::new(Value::Integers(vec![value]))
    }

    /// The same with names.
    #[must_use]
    pub fn named<S: AsRef<str>>(mut self, names: &[S]) -> Self {
        self.attributes.push(("names".to_owned(), Self::strings(names)));
        self
    }

    /// The same with a class.
    #[must_use]
    pub fn class(mut self, classes: &[&str]) -> Self {
        self.attributes.push(("class".to_owned(), Self::strings(classes)));
        self
    }

    /// An attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Self> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// The names, if it has some.
    #[must_use]
    pub fn names(&self) -> Option<Vec<&str>> {
        self.attribute("names")?.as_strings()
    }

    /// The strings of a character vector without `NA`.
    #[must_use]
    pub fn as_strings(&self) -> Option<Vec<&str>> {
        match &self.value {
            Value::Strings(strings) => strings.iter().map(Option::as_deref).collect(),
            // R writes an empty list or NULL where a vector of length 0 would do.
            Value::Null => Some(Vec::new()),
            Value::List(list) if list.is_empty() => Some(Vec::new()),
            _ => None,
        }
    }

    /// The element of a list with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Value::List(list) = &self.value else { return None };
        let at = self.names()?.iter().position(|n| *n == name)?;
        list.get(at)
    }
}

const NULL: u32 = 254;
const GLOBAL_ENVIRONMENTS: std::ops::RangeInclusive<u32> = 241..=253;
const REFERENCE: u32 = 255;
const ALTREP: u32 = 238;
const SYMBOL: u32 = 1;
const PAIRLIST: u32 = 2;
const CHARACTERS: u32 = 9;
const LOGICALS: u32 = 10;
const INTEGERS: u32 = 13;
const REALS: u32 = 14;
const STRINGS: u32 = 16;
const LIST: u32 = 19;
const IS_OBJECT: u32 = 1 << 8;
const HAS_ATTRIBUTES: u32 = 1 << 9;
const HAS_TAG: u32 = 1 << 10;
const UTF8: u32 = 1 << (12 + 3);
const ASCII: u32 = 1 << (12 + 6);

/// The bytes of an `.rds` file.
#[must_use]
pub fn write(object: &Object) -> Vec<u8> {
    let mut writer = Writer { out: b"X\n".to_vec(), symbols: Vec::new() };
    writer.u32(2); // format version
    writer.u32(0x0003_0500); // written as if by R 3.5.0 …
    writer.u32(0x0002_0300); // … readable since R 2.3.0
    writer.object(object);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to a Vec cannot fail.
    gzip.write_all(&writer.out).and_then(|()| gzip.finish()).unwrap_or_default()
}

struct Writer {
    out: Vec<u8>,
    symbols: Vec<String>,
}

impl Writer {
    fn u32(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).unwrap_or(u32::MAX));
    }

    fn object(&mut self, object: &Object) {
        let kind = match &object.value {
            Value::Null => {
                self.u32(NULL);
                return;
            }
            Value::Logicals(_) => LOGICALS,
            Value::Integers(_) => INTEGERS,
            Value::Reals(_) => REALS,
            Value::Strings(_) => STRINGS,
            Value::List(_) => LIST,
        };
        let mut flags = kind;
        if !object.attributes.is_empty() {
            flags |= HAS_ATTRIBUTES;
        }
        if object.attribute("class").is_some() {
            flags |= IS_OBJECT;
        }
        self.u32(flags);
        match &object.value {
            Value::Null => {}
            Value::Logicals(values) => {
                self.length(values.len());
                for value in values {
                    self.u32(value.map_or(0x8000_0000, u32::from));
                }
            }
            Value::Integers(values) => {
                self.length(values.len());
                for value in values {
                    self.out.extend_from_slice(&value.to_be_bytes());
                }
            }
            Value::Reals(values) => {
                self.length(values.len());
                for value in values {
                    self.out.extend_from_slice(&value.to_be_bytes());
                }
            }
            Value::Strings(values) => {
                self.length(values.len());
                for value in values {
                    self.characters(value.as_deref());
                }
            }
            Value::List(values) => {
                self.length(values.len());
                for value in values {
                    self.object(value);
                }
            }
        }
        if !object.attributes.is_empty() {
            for (name, value) in &object.attributes {
                self.u32(PAIRLIST | HAS_TAG);
                self.symbol(name);
                self.object(value);
            }
            self.u32(NULL);
        }
    }

    fn characters(&mut self, text: Option<&str>) {
        match text {
            None => {
                self.u32(CHARACTERS);
                self.u32(u32::MAX);
            }
            Some(text) => {
                self.u32(CHARACTERS | if text.is_ascii() { ASCII } else { UTF8 });
                self.length(text.len());
                self.out.extend_from_slice(text.as_bytes());
            }
        }
    }

    fn symbol(&mut self, name: &str) {
        if let Some(at) = self.symbols.iter().position(|s| s == name) {
            self.u32(REFERENCE | u32::try_from(at + 1).unwrap_or(0) << 8);
        } else {
            self.symbols.push(name.to_owned());
            self.u32(SYMBOL);
            self.characters(Some(name));
        }
    }
}

/// Larger than any index; a small file that inflates to more is not one.
const MAX_INFLATED: u64 = 1 << 30;
const MAX_DEPTH: u32 = 64;

/// Reads an `.rds` file.
///
/// # Errors
/// What is wrong with the bytes, in words.
pub fn read(bytes: &[u8]) -> Result<Object, String> {
    let inflated;
    let bytes = if bytes.starts_with(&[0x1F, 0x8B]) {
        let mut out = Vec::new();
        GzDecoder::new(bytes)
            .take(MAX_INFLATED)
            .read_to_end(&mut out)
            .map_err(|e| format!("the gzip data is damaged ({e})"))?;
        inflated = out;
        &inflated[..]
    } else if bytes.starts_with(b"BZh") || bytes.starts_with(&[0xFD, b'7', b'z', b'X', b'Z', 0]) {
        return Err("it is compressed with bzip2 or xz; only gzip and no compression are read".to_owned());
    } else {
        bytes
    };
    let Some(rest) = bytes.strip_prefix(b"X\n") else {
        return Err("it is not R's binary format (it must start with `X`)".to_owned());
    };
    let mut reader = Reader { rest, references: Vec::new() };
    let version = reader.u32()?;
    reader.u32()?;
    reader.u32()?;
    match version {
        2 => {}
        3 => {
            let length = reader.count(1)?;
            reader.take(length)?;
        }
        other => return Err(format!("its format version is {other}, but only 2 and 3 are read")),
    }
    reader.object(0)
}

struct Reader<'a> {
    rest: &'a [u8],
    references: Vec<String>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        if count > self.rest.len() {
            return Err("it ends too early".to_owned());
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, String> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A length whose elements take at least `size` bytes each, so that a wrong length cannot reserve the whole memory.
    fn count(&mut self, size: usize) -> Result<usize, String> {
        let count = usize::try_from(self.u32()?).map_err(|e| e.to_string())?;
        if count.checked_mul(size).is_none_or(|bytes| bytes > self.rest.len()) {
            return Err(format!("it names {count} elements, more than its size allows"));
        }
        Ok(count)
    }

    fn object(&mut self, depth: u32) -> Result<Object, String> {
        let flags = self.u32()?;
        self.object_with(flags, depth)
    }

    /// An object whose flags have been read.
    fn object_with(&mut self, flags: u32, depth: u32) -> Result<Object, String> {
        if depth > MAX_DEPTH {
            return Err(format!("lists are nested deeper than {MAX_DEPTH}"));
        }
        let kind = flags & 0xFF;
        let value = match kind {
            NULL => return Ok(Object::new(Value::Null)),
            LOGICALS => {
                let count = self.count(4)?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    let raw = self.u32()?;
                    values.push((raw != 0x8000_0000).then_some(raw != 0));
                }
                Value::Logicals(values)
            }
            INTEGERS => {
                let count = self.count(4)?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    values.push(self.u32()?.cast_signed());
                }
                Value::Integers(values)
            }
            REALS => {
                let count = self.count(8)?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    let high = u64::from(self.u32()?);
                    let low = u64::from(self.u32()?);
                    values.push(f64::from_bits(high << 32 | low));
                }
                Value::Reals(values)
            }
            STRINGS => {
                let count = self.count(8)?;
                let mut values = Vec::with_capacity(count);
                for _ in 0..count {
                    values.push(self.characters()?);
                }
                Value::Strings(values)
            }
            LIST => {
                let count = self.count(4)?;
                let mut values = Vec::new();
                for _ in 0..count {
                    values.push(self.object(depth + 1)?);
                }
                Value::List(values)
            }
            PAIRLIST => {
                return self
                    .pairs(flags, depth)
                    .map(|pairs| Object::new(Value::List(pairs.into_iter().map(|p| p.1).collect())));
            }
            SYMBOL | REFERENCE => {
                let name = self.symbol(flags)?;
                return Ok(Object::new(Value::Strings(vec![Some(name)])));
            }
            ALTREP => return self.altrep(depth),
            kind if GLOBAL_ENVIRONMENTS.contains(&kind) => return Ok(Object::new(Value::Null)),
            other => return Err(format!("it contains an R object of type {other}, which an index never has")),
        };
        let attributes = if flags & HAS_ATTRIBUTES == 0 {
            Vec::new()
        } else {
            let flags = self.u32()?;
            if flags & 0xFF == NULL { Vec::new() } else { self.pairs(flags, depth + 1)? }
        };
        Ok(Object { value, attributes })
    }

    /// A pairlist whose first flags have been read.
    fn pairs(&mut self, flags: u32, depth: u32) -> Result<Vec<(String, Object)>, String> {
        let mut pairs = Vec::new();
        let mut flags = flags;
        loop {
            match flags & 0xFF {
                NULL => return Ok(pairs),
                PAIRLIST => {}
                // A pair may end with a value instead of another pair.
                _ => {
                    let last = self.object_with(flags, depth + 1)?;
                    pairs.push((String::new(), last));
                    return Ok(pairs);
                }
            }
            if flags & HAS_ATTRIBUTES != 0 {
                self.object(depth + 1)?;
            }
            let mut name = String::new();
            if flags & HAS_TAG != 0 {
                let tag = self.u32()?;
                name = self.symbol(tag)?;
            }
            let value = self.object(depth + 1)?;
            pairs.push((name, value));
            flags = self.u32()?;
        }
    }

    fn symbol(&mut self, flags: u32) -> Result<String, String> {
        match flags & 0xFF {
            SYMBOL => {
                let name = self.characters()?.unwrap_or_default();
                self.references.push(name.clone());
                Ok(name)
            }
            REFERENCE => {
                let at = match flags >> 8 {
                    0 => self.u32()?,
                    packed => packed,
                };
                let at = usize::try_from(at).ok().and_then(|at| at.checked_sub(1));
                at.and_then(|at| self.references.get(at))
                    .cloned()
                    .ok_or_else(|| "it refers to a name it never defined".to_owned())
            }
            other => Err(format!("a name has type {other}")),
        }
    }

    fn characters(&mut self) -> Result<Option<String>, String> {
        let flags = self.u32()?;
        if flags & 0xFF != CHARACTERS {
            return Err(format!("a string has type {}", flags & 0xFF));
        }
        let length = self.u32()?;
        if length == u32::MAX {
            return Ok(None);
        }
        let bytes = self.take(usize::try_from(length).map_err(|e| e.to_string())?)?;
        Ok(Some(String::from_utf8_lossy(bytes).into_owned()))
    }

    /// Version 3 may write a vector as the recipe for it.
    fn altrep(&mut self, depth: u32) -> Result<Object, String> {
        let info = self.object(depth + 1)?;
        let state = self.object(depth + 1)?;
        let flags = self.u32()?;
        let attributes = self.pairs(flags, depth + 1)?;
        let Value::List(info) = &info.value else { return Err("a compact vector has no class".to_owned()) };
        let class = info.first().and_then(Object::as_strings).and_then(|c| c.first().map(|c| (*c).to_owned()));
        let class = class.unwrap_or_default();
        let value = match (class.as_str(), &state.value) {
            ("compact_intseq", Value::Reals(state)) if state.len() == 3 => {
                let (count, start, step) = (state[0], state[1], state[2]);
                if !(0.0..=1e6).contains(&count) {
                    return Err(format!("a compact vector has {count} elements"));
                }
                #[expect(clippy::cast_possible_truncation, reason = "R's own integers, checked to be few")]
                Value::Integers((0..count as i32).map(|i| (start + step * f64::from(i)) as i32).collect())
            }
            (class, Value::List(parts)) if class.starts_with("wrap_") && !parts.is_empty() => parts[0].value.clone(),
            (class, _) => return Err(format!("it contains a compact vector of class `{class}`, which is not read")),
        };
        Ok(Object { value, attributes })
    }
}
