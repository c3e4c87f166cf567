//! Columns that arrive a few rows at a time and leave one after the other, by way of one temporary file however many there
//! are.

use crate::section::Section;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Pieces of columns that are smaller than this are collected: reading them back one by one would take long.
const SMALL: usize = 64 << 10;
/// So many bytes are collected at most.
const COLLECTED: usize = 32 << 20;

/// The file has no name, so that nothing is left of it whatever happens.
pub(crate) struct Spool {
    file: File,
    /// What is not in the file yet, for each column.
    collected: Vec<Vec<u8>>,
    in_memory: usize,
    /// How far the file is written.
    at: u64,
    /// What was written together: where the columns begin in the file, and how long each is.
    groups: Vec<(u64, Vec<u32>)>,
}

impl Spool {
    /// In a folder, or where the system keeps temporary files.
    pub(crate) fn new(folder: Option<&Path>, columns: usize) -> io::Result<Spool> {
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder),
            None => tempfile::tempfile(),
        }?;
        Ok(Spool { file, collected: vec![Vec::new(); columns], in_memory: 0, at: 0, groups: Vec::new() })
    }

    /// Adds to each column.
    pub(crate) fn write(&mut self, pieces: &[Vec<u8>]) -> io::Result<()> {
        let bytes: usize = pieces.iter().map(Vec::len).sum();
        if bytes >= SMALL * pieces.len() {
            self.flush()?;
            return self.write_group(pieces);
        }
        for (column, piece) in self.collected.iter_mut().zip(pieces) {
            column.extend_from_slice(piece);
        }
        self.in_memory += bytes;
        if self.in_memory >= COLLECTED { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.in_memory > 0 {
            let mut collected = std::mem::take(&mut self.collected);
            self.write_group(&collected)?;
            collected.iter_mut().for_each(Vec::clear);
            (self.collected, self.in_memory) = (collected, 0);
        }
        Ok(())
    }

    fn write_group(&mut self, pieces: &[Vec<u8>]) -> io::Result<()> {
        let length = |piece: &Vec<u8>| u32::try_from(piece.len()).map_err(|_| io::ErrorKind::FileTooLarge.into());
        let lengths = pieces.iter().map(length).collect::<io::Result<Vec<u32>>>()?;
        self.groups.push((self.at, lengths));
        if pieces.iter().all(|piece| piece.len() >= SMALL) {
            for piece in pieces {
                self.file.write_all(piece)?;
            }
        } else {
            // Many small ones in few writes.
            let mut out = io::BufWriter::with_capacity(1 << 18, &self.file);
            for piece in pieces {
                out.write_all(piece)?;
            }
            out.flush()?;
        }
        self.at += pieces.iter().map(|piece| piece.len() as u64).sum::<u64>();
        Ok(())
    }

    /// The columns, each from its beginning, to be read in their order.
    pub(crate) fn finish(mut self) -> io::Result<impl Iterator<Item = impl Read>> {
        self.flush()?;
        let Spool { file, collected, mut groups, .. } = self;
        let file = Arc::new(file);
        Ok((0..collected.len()).map(move |column| {
            // Each group stands where the next column begins in it.
            let parts: Vec<(u64, u64)> = groups
                .iter_mut()
                .map(|(at, lengths)| {
                    let start = *at;
                    *at += u64::from(lengths[column]);
                    (start, *at)
                })
                .collect();
            let file = file.clone();
            let parts = parts.into_iter().map(move |(start, end)| Section::new(file.clone(), start, end));
            BufReader::with_capacity(1 << 18, Parts { parts, current: None })
        }))
    }
}

/// Several parts as one.
struct Parts<I> {
    parts: I,
    current: Option<Section>,
}

impl<I: Iterator<Item = Section>> Read for Parts<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            let Some(part) = &mut self.current else {
                self.current = self.parts.next();
                match self.current {
                    Some(_) => continue,
                    None => break,
                }
            };
            match part.read(&mut buffer[filled..])? {
                0 => self.current = None,
                count => filled += count,
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_whole_whatever_the_pieces_were() {
        for (columns, sizes) in
            [(1, vec![0, 5, SMALL, 3]), (3, vec![10, 2 * SMALL, 7, SMALL + 1, 0, 1]), (500, vec![3; 40])]
        {
            let mut spool = Spool::new(None, columns).unwrap();
            let mut expected = vec![Vec::new(); columns];
            for (number, size) in sizes.iter().enumerate() {
                // Columns of several widths, as those of numbers are.
                let piece = |c: usize| vec![(c + number) as u8; size * (1 + c % 3)];
                let pieces: Vec<Vec<u8>> = (0..columns).map(piece).collect();
                expected.iter_mut().zip(&pieces).for_each(|(to, piece)| to.extend(piece));
                spool.write(&pieces).unwrap();
            }
            let mut found = Vec::new();
            for mut column in spool.finish().unwrap() {
                let mut bytes = Vec::new();
                column.read_to_end(&mut bytes).unwrap();
                found.push(bytes);
            }
            assert!(found == expected, "{columns} columns");
        }
    }
}
