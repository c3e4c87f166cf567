//! The file that the Parquet reader reads from, on several threads at once.

use crate::section::Section;
use bytes::Bytes;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// A file for the Parquet reader, whose own way with files moves one place that all handles share.
#[derive(Debug, Clone)]
pub(crate) struct SharedFile {
    file: Arc<File>,
    length: u64,
    pool: Arc<Pool>,
}

/// Buffers that pages were read into: fresh memory has to be zeroed and mapped, which takes longer than reading.
#[derive(Debug, Default)]
struct Pool(Mutex<Vec<Vec<u8>>>);

impl Pool {
    /// So many are kept, none larger than this.
    const KEPT: usize = 8;
    const LARGEST: usize = 4 << 20;

    /// A buffer of at least this length.
    fn take(&self, length: usize) -> Vec<u8> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        if bytes.len() < length {
            bytes.resize(length, 0);
        }
        bytes
    }
}

/// A buffer that goes back when nobody needs it any more.
struct Pooled {
    bytes: Vec<u8>,
    length: usize,
    pool: Arc<Pool>,
}

impl AsRef<[u8]> for Pooled {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let mut kept = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < Pool::KEPT && self.bytes.len() <= Pool::LARGEST {
            kept.push(std::mem::take(&mut self.bytes));
        }
    }
}

impl SharedFile {
    pub(crate) fn new(file: File) -> io::Result<SharedFile> {
        let length = file.metadata()?.len();
        Ok(SharedFile { file: Arc::new(file), length, pool: Arc::default() })
    }

    /// Fills the buffer from this place on.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        Section::new(self.file.clone(), at, u64::MAX).read_exact(buffer)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<Section>;

    fn get_read(&self, start: u64) -> ParquetResult<BufReader<Section>> {
        Ok(BufReader::new(Section::new(self.file.clone(), start.min(self.length), self.length)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // A damaged length must not become an allocation.
        let end = start.checked_add(length as u64).filter(|end| *end <= self.length);
        let Some(end) = end else {
            return Err(ParquetError::EOF(format!("{length} bytes from {start} are behind the end of the file")));
        };
        let mut bytes = self.pool.take(length);
        Section::new(self.file.clone(), start, end).read_exact(&mut bytes[..length])?;
        Ok(Bytes::from_owner(Pooled { bytes, length, pool: self.pool.clone() }))
    }
}
