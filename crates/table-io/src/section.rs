//! Parts of a file, read by several threads at once: every read says where, so that none moves another's place.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// The bytes of a file from one place to another.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Section {
    pub(crate) fn new(file: Arc<File>, start: u64, end: u64) -> Section {
        Section { file, at: start, end }
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = read_at(&self.file, &mut buffer[..wanted], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
