//! Files that are compressed as a whole: told by their content when they are read, by their name when they are written.
//!
//! What is written is one compressed part after the other, each made by the thread that has its rows; all three formats
//! define that their parts can follow one another so.

use crate::error::TableError;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
    /// `.bz2`
    Bzip2,
}

impl Compression {
    const ALL: [Compression; 3] = [Compression::Gzip, Compression::Zstd, Compression::Bzip2];

    fn ending(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
            Compression::Bzip2 => "bz2",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
        }
    }

    /// What the end of a file's name says.
    pub fn of_path(path: &Path) -> Option<Compression> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Compression::ALL.into_iter().find(|c| c.ending() == ending)
    }

    /// What the first bytes of a file say.
    pub(crate) fn of_start(start: &[u8]) -> Option<Compression> {
        match start {
            [0x1f, 0x8b, 8, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            _ => None,
        }
    }

    /// How a file is compressed; it is read from its beginning afterwards.
    pub(crate) fn of_file(file: &mut File) -> io::Result<Option<Compression>> {
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let mut start = Vec::new();
        Read::by_ref(file).take(4).read_to_end(&mut start)?;
        file.rewind()?;
        Ok(Compression::of_start(&start))
    }

    /// The bytes that were compressed.
    pub(crate) fn unpack(self, source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        let source = BufReader::with_capacity(1 << 17, source);
        let unpacked: Box<dyn Read + Send> = match self {
            Compression::Gzip => Box::new(MultiGzDecoder::new(source)),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(source)?),
            Compression::Bzip2 => Box::new(MultiBzDecoder::new(source)),
        };
        Ok(Box::new(Unpacked { compression: self, unpacked }))
    }

    /// Bytes as a part of a compressed file.
    pub(crate) fn pack(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let out = Vec::with_capacity(bytes.len() / 3);
        match self {
            Compression::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Compression::Zstd => zstd::stream::encode_all(bytes, zstd::DEFAULT_COMPRESSION_LEVEL),
            Compression::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(out, bzip2::Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }
}

/// Text on its way into a file: as it is, or compressed.
pub(crate) fn packed(compression: Option<Compression>, text: Vec<u8>, path: &Path) -> Result<Vec<u8>, TableError> {
    match compression {
        // A part without content would be some bytes for nothing.
        Some(compression) if !text.is_empty() => {
            compression.pack(&text).map_err(|cause| TableError::Write { path: path.to_path_buf(), cause })
        }
        _ => Ok(text),
    }
}

struct Unpacked {
    compression: Compression,
    unpacked: Box<dyn Read + Send>,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacked.read(buffer).map_err(|e| match e.kind() {
            io::ErrorKind::Interrupted => e,
            _ => io::Error::new(e.kind(), format!("the {} data is damaged or cut off: {e}", self.compression.name())),
        })
    }
}

/// Counts the bytes that are read.
pub(crate) struct Counted {
    source: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
}

impl Counted {
    pub(crate) fn new(source: Box<dyn Read + Send>) -> (Counted, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        (Counted { source, count: count.clone() }, count)
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_follow_one_another_come_back_whole_and_damage_is_an_error() {
        for compression in Compression::ALL {
            let parts: Vec<Vec<u8>> = (0..5_u8).map(|k| vec![b'a' + k; 10_000 * usize::from(k) + 1]).collect();
            let packed: Vec<u8> = parts.iter().flat_map(|part| compression.pack(part).unwrap()).collect();
            assert_eq!(Compression::of_start(&packed), Some(compression));
            let unpack = |bytes: &[u8]| {
                let mut out = Vec::new();
                let source: Box<dyn Read + Send> = Box::new(io::Cursor::new(bytes.to_vec()));
                compression.unpack(source).and_then(|mut s| s.read_to_end(&mut out)).map(|_| out)
            };
            assert_eq!(unpack(&packed).unwrap(), parts.concat());
            let cut = unpack(&packed[..packed.len() - 3]).unwrap_err().to_string();
            assert!(cut.contains("damaged or cut off"), "{}: {cut}", compression.name());
        }
    }
}
