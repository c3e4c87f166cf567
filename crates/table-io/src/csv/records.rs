//! A stream of bytes cut into blocks of whole records, and a block cut into fields.
//!
//! A field is quoted when it starts with a quote; inside, two quotes stand for one. A quote elsewhere is a character
//! like others. A line break inside quotes belongs to the field. Empty lines are passed over.

use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// Bytes of whole records.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The number of its first line in the file, from 1.
    pub(crate) first_line: u64,
}

impl Block {
    pub(crate) fn has_quotes(&self) -> bool {
        memchr(b'"', &self.bytes).is_some()
    }
}

impl Blocks {
    /// Whether all of the stream has been read.
    pub(crate) fn is_done(&self) -> bool {
        self.done && self.leftover.is_empty()
    }
}

#[derive(Debug)]
pub(crate) enum BlockError {
    Io(io::Error),
    TooLong { line: u64, limit: usize },
}

/// Cuts a stream into blocks of about `size` bytes that end where a record ends.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    delimiter: u8,
    size: usize,
    limit: usize,
    leftover: Vec<u8>,
    line: u64,
    done: bool,
}

impl Blocks {
    pub(crate) fn new(source: Box<dyn Read + Send>, delimiter: u8, size: usize, limit: usize) -> Blocks {
        Blocks { source, delimiter, size, limit, leftover: Vec::new(), line: 1, done: false }
    }

    /// What separates fields from here on.
    pub(crate) fn set_delimiter(&mut self, delimiter: u8) {
        self.delimiter = delimiter;
    }

    /// Puts the first block back: it comes again.
    pub(crate) fn unread(&mut self, first: Block) {
        self.line = first.first_line;
        let rest = std::mem::replace(&mut self.leftover, first.bytes);
        self.leftover.extend(rest);
    }

    /// The stream from here on is another one, which starts with this line of the file.
    pub(crate) fn go_on_with(&mut self, source: Box<dyn Read + Send>, line: u64) {
        (self.source, self.line, self.done) = (source, line, false);
        self.leftover.clear();
    }

    /// The next block; `None` at the end.
    pub(crate) fn next_block(&mut self) -> Result<Option<Block>, BlockError> {
        let block = self.fill()?;
        if let Some(block) = &block {
            self.check_lengths(block)?;
        }
        Ok(block)
    }

    /// A record that is too long and ends in a block has been read already, but is refused all the same. Of shorter blocks
    /// nothing has to be asked.
    fn check_lengths(&self, block: &Block) -> Result<(), BlockError> {
        let bytes = block.bytes.as_slice();
        if bytes.len() <= self.limit {
            return Ok(());
        }
        let mut start = 0;
        let mut is_fine = true;
        scan(bytes, self.delimiter, |end| {
            is_fine = text_length(&bytes[start..end]) <= self.limit;
            start = if is_fine { end } else { start };
            is_fine
        });
        if is_fine && text_length(&bytes[start..]) <= self.limit {
            return Ok(());
        }
        let line = block.first_line + memchr_iter(b'\n', &bytes[..start]).count() as u64;
        Err(BlockError::TooLong { line, limit: self.limit })
    }

    fn fill(&mut self) -> Result<Option<Block>, BlockError> {
        let mut bytes = Vec::with_capacity(self.leftover.len() + self.size);
        bytes.append(&mut self.leftover);
        let mut wanted = bytes.len() + self.size;
        while !self.done {
            let mut filled = bytes.len();
            bytes.resize(wanted, 0);
            while filled < wanted {
                match self.source.read(&mut bytes[filled..]) {
                    Ok(0) => {
                        self.done = true;
                        break;
                    }
                    Ok(read) => filled += read,
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(e) => return Err(BlockError::Io(e)),
                }
            }
            bytes.truncate(filled);
            if self.done {
                break;
            }
            if let Some(end) = last_record_end(&bytes, self.delimiter) {
                self.leftover = bytes.split_off(end);
                break;
            }
            // All of it is one record, so far.
            if text_length(&bytes) > self.limit {
                return Err(BlockError::TooLong { line: self.line, limit: self.limit });
            }
            // Twice as much each time, so that what is looked through again is no more than was read; and a line break more
            // than the longest record.
            wanted = (2 * bytes.len()).min(self.limit + 2).max(bytes.len() + 1);
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.line;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        Ok(Some(Block { bytes, first_line }))
    }

    /// The first record of all, alone: the header. It is read with the same rules.
    pub(crate) fn header(&mut self) -> Result<Option<Block>, BlockError> {
        let Some(mut block) = self.fill()? else { return Ok(None) };
        let mut start = 0;
        // A byte-order mark is no part of the first name.
        if block.bytes.starts_with(b"\xef\xbb\xbf") {
            start = 3;
        }
        while matches!(block.bytes.get(start), Some(b'\n' | b'\r')) {
            block.first_line += u64::from(block.bytes[start] == b'\n');
            start += 1;
        }
        let end = start + first_record_end(&block.bytes[start..], self.delimiter);
        let mut rest = block.bytes.split_off(end);
        block.bytes.drain(..start);
        self.line = block.first_line + memchr_iter(b'\n', &block.bytes).count() as u64;
        rest.append(&mut self.leftover);
        self.leftover = rest;
        self.check_lengths(&block)?;
        Ok(if block.bytes.is_empty() { None } else { Some(block) })
    }
}

/// How long a record is without its line break, or the half of one that has been read.
fn text_length(record: &[u8]) -> usize {
    let text = record.strip_suffix(b"\n").unwrap_or(record);
    text.strip_suffix(b"\r").unwrap_or(text).len()
}

/// One past the line break that ends the last whole record.
fn last_record_end(bytes: &[u8], delimiter: u8) -> Option<usize> {
    if memchr(b'"', bytes).is_none() {
        return memrchr(b'\n', bytes).map(|i| i + 1);
    }
    let mut last = None;
    scan(bytes, delimiter, |end| {
        last = Some(end);
        true
    });
    last
}

/// One past the line break that ends the first record; all of the bytes if none does.
fn first_record_end(bytes: &[u8], delimiter: u8) -> usize {
    let mut first = bytes.len();
    scan(bytes, delimiter, |end| {
        first = end;
        false
    });
    first
}

/// Calls `at_end` with one past each line break outside quotes, until it says no.
fn scan(bytes: &[u8], delimiter: u8, mut at_end: impl FnMut(usize) -> bool) {
    let mut quoted = false;
    let mut field_start = true;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if quoted {
            match memchr(b'"', &bytes[i..]) {
                None => return,
                Some(offset) if bytes.get(i + offset + 1) == Some(&b'"') => i += offset + 1,
                Some(offset) => {
                    i += offset;
                    quoted = false;
                    field_start = false;
                }
            }
        } else if byte == b'"' && field_start {
            quoted = true;
        } else if byte == b'\n' {
            if !at_end(i + 1) {
                return;
            }
            field_start = true;
        } else {
            field_start = byte == delimiter;
        }
        i += 1;
    }
}

/// Calls `row(record)` for every record of a block, until it fails.
pub(crate) fn for_each_record<E>(
    block: &Block,
    delimiter: u8,
    mut row: impl FnMut(Record<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let bytes = block.bytes.as_slice();
    let mut line = block.first_line;
    let mut start = 0;
    if !block.has_quotes() {
        while start < bytes.len() {
            let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |n| start + n);
            let text_end = if end > start && bytes[end - 1] == b'\r' { end - 1 } else { end };
            if text_end > start {
                let fields = Fields::Plain(PlainFields { rest: Some(&bytes[start..text_end]), delimiter });
                row(Record { line, place: (start, text_end), fields, unclosed: false })?;
            }
            line += 1;
            start = end + 1;
        }
        return Ok(());
    }
    let mut record = QuotedRecord::default();
    while start < bytes.len() {
        let (text, read) = record.read(&bytes[start..], delimiter);
        if record.fields.len() > 1 || !record.text.is_empty() || record.has_quotes {
            let fields = Fields::Quoted { record: &record, bytes: &bytes[start..], next: 0 };
            row(Record { line, place: (start, start + text), fields, unclosed: record.unclosed })?;
        }
        line += memchr_iter(b'\n', &bytes[start..start + read]).count() as u64;
        start += read;
    }
    Ok(())
}

/// One record of a block.
pub(crate) struct Record<'a> {
    /// The number of its first line in the file, from 1.
    pub(crate) line: u64,
    /// Where its text stands in the block, without the line break.
    pub(crate) place: (usize, usize),
    pub(crate) fields: Fields<'a>,
    /// A quote is open where the text ends.
    pub(crate) unclosed: bool,
}

/// One field of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    /// What it says, without quotes.
    pub(crate) text: &'a [u8],
    /// How it stands in the file.
    pub(crate) raw: &'a [u8],
    /// It starts with a quote: what it says is meant as text.
    pub(crate) quoted: bool,
}

impl<'a> Field<'a> {
    pub(crate) fn plain(text: &'a [u8]) -> Field<'a> {
        Field { text, raw: text, quoted: false }
    }
}

/// The fields of a record.
pub(crate) enum Fields<'a> {
    Plain(PlainFields<'a>),
    Quoted { record: &'a QuotedRecord, bytes: &'a [u8], next: usize },
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;
    #[inline]
    fn next(&mut self) -> Option<Field<'a>> {
        match self {
            Fields::Plain(fields) => fields.next().map(Field::plain),
            Fields::Quoted { record, bytes, next } => {
                let place = record.fields.get(*next)?;
                let start = if *next == 0 { 0 } else { record.fields[*next - 1].text_end };
                *next += 1;
                let raw = &bytes[place.raw.0..place.raw.1];
                Some(Field { text: &record.text[start..place.text_end], raw, quoted: place.quoted })
            }
        }
    }
}

/// One record whose fields may be quoted: their text without quotes, one after the other.
#[derive(Debug, Default)]
pub(crate) struct QuotedRecord {
    text: Vec<u8>,
    fields: Vec<FieldPlace>,
    has_quotes: bool,
    unclosed: bool,
}

/// Where a field stands.
#[derive(Debug, Clone, Copy)]
struct FieldPlace {
    /// In the text without quotes, where the next one starts.
    text_end: usize,
    /// In the record, from its first byte on.
    raw: (usize, usize),
    quoted: bool,
}

impl QuotedRecord {
    /// Reads the first record of `bytes`; gives how many bytes it takes, without and with its line break.
    fn read(&mut self, bytes: &[u8], delimiter: u8) -> (usize, usize) {
        self.text.clear();
        self.fields.clear();
        self.has_quotes = false;
        let mut quoted = false;
        let mut field_start = true;
        // Where the field began, and whether with a quote.
        let mut begin = (0, false);
        let mut i = 0;
        let mut text_end = bytes.len();
        while i < bytes.len() {
            let byte = bytes[i];
            i += 1;
            if quoted {
                if byte != b'"' {
                    self.text.push(byte);
                } else if bytes.get(i) == Some(&b'"') {
                    self.text.push(b'"');
                    i += 1;
                } else {
                    quoted = false;
                }
            } else if byte == b'"' && field_start {
                quoted = true;
                self.has_quotes = true;
                field_start = false;
                begin.1 = true;
            } else if byte == b'\n' {
                text_end = i - 1;
                break;
            } else if byte == b'\r' && matches!(bytes.get(i), None | Some(b'\n')) {
                // The first half of a line break, also of one that the end of the file cut off.
            } else if byte == delimiter {
                let text_end = self.text.len();
                self.fields.push(FieldPlace { text_end, raw: (begin.0, i - 1), quoted: begin.1 });
                field_start = true;
                begin = (i, false);
            } else {
                self.text.push(byte);
                field_start = false;
            }
        }
        self.unclosed = quoted;
        let quoted_end = quoted || text_end == 0 || bytes[text_end - 1] != b'\r';
        let record_end = if quoted_end { text_end } else { text_end - 1 };
        let raw = (begin.0, record_end.max(begin.0));
        self.fields.push(FieldPlace { text_end: self.text.len(), raw, quoted: begin.1 });
        (record_end, i)
    }
}

pub(crate) struct PlainFields<'a> {
    rest: Option<&'a [u8]>,
    delimiter: u8,
}

impl<'a> Iterator for PlainFields<'a> {
    type Item = &'a [u8];
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        // Fields of numbers are a dozen bytes: a plain search beats the set-up of a vector one.
        match rest.iter().position(|b| *b == self.delimiter) {
            Some(end) => {
                self.rest = Some(&rest[end + 1..]);
                Some(&rest[..end])
            }
            None => {
                self.rest = None;
                Some(rest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(blocks: &mut Blocks) -> Vec<(u64, Vec<Vec<u8>>)> {
        let mut out = Vec::new();
        while let Some(block) = blocks.next_block().unwrap() {
            for_each_record(&block, b',', |record| {
                out.push((record.line, record.fields.map(|f| f.text.to_vec()).collect()));
                Ok::<(), ()>(())
            })
            .unwrap();
        }
        out
    }

    fn cut(text: &[u8], size: usize) -> Vec<(u64, Vec<Vec<u8>>)> {
        rows(&mut Blocks::new(Box::new(io::Cursor::new(text.to_vec())), b',', size, 1 << 20))
    }

    proptest! {
        #[test]
        fn the_size_of_the_blocks_does_not_change_the_rows(text in "([a\",\n\r]|\"\"){0,60}", size in 1_usize..20) {
            prop_assert_eq!(cut(text.as_bytes(), size), cut(text.as_bytes(), 1 << 20));
        }

        #[test]
        fn rows_are_read_as_the_csv_crate_reads_them(text in "([ab,\n]|\"[ab,\n]{0,3}(\"\")?\"|\r\n){0,40}") {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let expected: Vec<Vec<Vec<u8>>> =
                reader.byte_records().map(|r| r.unwrap().iter().map(<[u8]>::to_vec).collect()).collect();
            let found: Vec<Vec<Vec<u8>>> = cut(text.as_bytes(), 7).into_iter().map(|r| r.1).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_field_is_known_as_it_stands_in_the_file() {
        let text = b"a,\"b, \"\"c\"\"\",\"\",,NA\r\n\"x\"\r\n";
        let block = Block { bytes: text.to_vec(), first_line: 1 };
        let mut found = Vec::new();
        for_each_record(&block, b',', |record| {
            found.extend(record.fields.map(|f| (f.raw.to_vec(), f.quoted)));
            Ok::<(), ()>(())
        })
        .unwrap();
        let expected: Vec<(&[u8], bool)> = vec![
            (b"a", false),
            (b"\"b, \"\"c\"\"\"", true),
            (b"\"\"", true),
            (b"", false),
            (b"NA", false),
            (b"\"x\"", true),
        ];
        assert_eq!(found, expected.into_iter().map(|(raw, quoted)| (raw.to_vec(), quoted)).collect::<Vec<_>>());
    }

    #[test]
    fn the_longest_record_is_as_long_as_the_limit_says_whatever_the_blocks() {
        let fits = "0123456789";
        let fits_quoted = "\"a\n,\"\"\r\",1";
        assert_eq!((fits.len(), fits_quoted.len()), (10, 10));
        for size in 1..40 {
            for end in ["\n", "\r\n", ""] {
                for record in [fits, fits_quoted] {
                    let read = |record: &str| {
                        let text = format!("h,i\n\n1,2\n{record}{end}");
                        let mut blocks = Blocks::new(Box::new(io::Cursor::new(text.into_bytes())), b',', size, 10);
                        let mut rows = 0;
                        let mut next = blocks.header();
                        loop {
                            match next {
                                Ok(Some(block)) => for_each_record(&block, b',', |_| {
                                    rows += 1;
                                    Ok::<(), ()>(())
                                })
                                .unwrap(),
                                Ok(None) => return Ok(rows),
                                Err(BlockError::TooLong { line, limit }) => return Err((line, limit)),
                                Err(BlockError::Io(e)) => panic!("{e}"),
                            }
                            next = blocks.next_block();
                        }
                    };
                    assert_eq!(read(record), Ok(3), "{record:?} {end:?} in blocks of {size}");
                    assert_eq!(read(&format!("{record}9")), Err((4, 10)), "{record:?}9 {end:?} in blocks of {size}");
                }
            }
        }
        let mut blocks = Blocks::new(Box::new(io::Cursor::new(vec![b'a'; 50])), b',', 100, 10);
        assert!(matches!(blocks.header(), Err(BlockError::TooLong { line: 1, limit: 10 })), "a header is a record too");
    }

    #[test]
    fn lines_are_counted_through_quoted_breaks_and_empty_lines() {
        let lines: Vec<u64> = cut(b"a,b\n\n\"x\ny\",2\nc,d\n", 4).into_iter().map(|r| r.0).collect();
        assert_eq!(lines, [1, 3, 5]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_an_error_with_its_line() {
        let text = format!("a\n\"{}", "x".repeat(5000));
        let mut blocks = Blocks::new(Box::new(io::Cursor::new(text.into_bytes())), b',', 16, 1000);
        let error = loop {
            match blocks.next_block() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the record was accepted"),
                Err(e) => break e,
            }
        };
        assert!(matches!(error, BlockError::TooLong { line: 2, limit: 1000 }));
    }
}
