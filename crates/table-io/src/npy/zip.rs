//! Zip archives as `.npz` files are: members stored or deflated, of any size (ZIP64). Written: stored only.
//!
//! The format is described in PKWARE's APPNOTE.TXT, whose section numbers stand in the comments.

use crate::section::Section;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;

const LOCAL: u32 = 0x0403_4b50; // 4.3.7
const CENTRAL: u32 = 0x0201_4b50; // 4.3.12
const END: u32 = 0x0605_4b50; // 4.3.16
const END64: u32 = 0x0606_4b50; // 4.3.14
const LOCATOR64: u32 = 0x0706_4b50; // 4.3.15
/// The extra field with sizes and offsets of 64 bits (4.5.3).
const EXTRA64: u16 = 1;
/// The longest comment behind the directory.
const MOST_COMMENT: u64 = 65_535;

/// A member of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    method: u16,
    encrypted: bool,
    crc: u32,
    compressed: u64,
    size: u64,
    header: u64,
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the zip archive is damaged: {what}"))
}

/// Little-endian numbers one behind the other.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count).ok_or_else(|| damaged("a record is cut off"))?;
        self.0 = tail;
        Ok(head)
    }

    fn u16(&mut self) -> io::Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }
}

fn read_part(file: &Arc<File>, start: u64, count: u64, length: u64) -> io::Result<Vec<u8>> {
    let end = start.checked_add(count).filter(|end| *end <= length).ok_or_else(|| damaged("it is cut off"))?;
    let mut bytes = Vec::new();
    Section::new(file.clone(), start, end).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(damaged("it is cut off")) }
}

/// Where the directory of an archive is, and how many members it lists.
#[derive(Debug)]
pub(crate) struct Directory {
    file: Arc<File>,
    start: u64,
    size: u64,
    pub(crate) count: u64,
}

/// Finds the directory of an archive.
pub(crate) fn directory(file: &Arc<File>) -> io::Result<Directory> {
    let length = file.metadata()?.len();
    let tail_start = length.saturating_sub(22 + MOST_COMMENT);
    let tail = read_part(file, tail_start, length - tail_start, length)?;
    let end =
        (0..tail.len().saturating_sub(21)).rev().find(|at| tail[*at..].starts_with(&END.to_le_bytes())).ok_or_else(
            || io::Error::new(io::ErrorKind::InvalidData, "not a zip archive (numpy.savez writes .npz files)"),
        )?;
    let mut record = Bytes(&tail[end + 4..]);
    record.take(6)?;
    let (mut count, mut size, mut start) =
        (u64::from(record.u16()?), u64::from(record.u32()?), u64::from(record.u32()?));
    // Values that do not fit are in a record of their own, which a locator just before this one points to.
    if let Some(locator) = end.checked_sub(20).filter(|at| tail[*at..].starts_with(&LOCATOR64.to_le_bytes())) {
        let at = Bytes(&tail[locator + 8..]).u64()?;
        let record = read_part(file, at, 56, length)?;
        let mut record = Bytes(&record);
        if record.u32()? != END64 {
            return Err(damaged("its directory is not where it should be"));
        }
        record.take(28)?;
        (count, size, start) = (record.u64()?, record.u64()?, record.u64()?);
    }
    Ok(Directory { file: file.clone(), start, size, count })
}

impl Directory {
    /// The members, in the order of the directory. No two share bytes: members that do make a small file a large archive.
    pub(crate) fn members(&self) -> io::Result<Vec<Member>> {
        let directory = read_part(&self.file, self.start, self.size, self.file.metadata()?.len())?;
        let mut directory = Bytes(&directory);
        let members = (0..self.count).map(|_| member(&mut directory)).collect::<io::Result<Vec<Member>>>()?;
        // A local header has 30 bytes at least.
        let mut places: Vec<(u64, u64)> =
            members.iter().map(|m| (m.header, m.header.saturating_add(30).saturating_add(m.compressed))).collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return Err(damaged("two members share bytes"));
        }
        Ok(members)
    }
}

fn member(from: &mut Bytes<'_>) -> io::Result<Member> {
    if from.u32()? != CENTRAL {
        return Err(damaged("its directory is not a directory"));
    }
    from.take(4)?;
    let (flags, method) = (from.u16()?, from.u16()?);
    from.take(4)?;
    let crc = from.u32()?;
    let (compressed, size) = (from.u32()?, from.u32()?);
    let (name, extra, comment) = (from.u16()?, from.u16()?, from.u16()?);
    from.take(8)?;
    let header = from.u32()?;
    let name = String::from_utf8_lossy(from.take(name.into())?).into_owned();
    let mut extra = Bytes(from.take(extra.into())?);
    from.take(comment.into())?;
    let mut member = Member {
        name,
        method,
        encrypted: flags & 1 != 0,
        crc,
        compressed: compressed.into(),
        size: size.into(),
        header: header.into(),
    };
    while extra.0.len() >= 4 {
        let (id, count) = (extra.u16()?, extra.u16()?);
        let mut field = Bytes(extra.take(count.into())?);
        if id == EXTRA64 {
            // Only what does not fit is here, in this order.
            for value in [&mut member.size, &mut member.compressed, &mut member.header] {
                if *value == u32::MAX.into() {
                    *value = field.u64()?;
                }
            }
        }
    }
    Ok(member)
}

impl Member {
    /// How many bytes it has, unpacked.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Its content; at its end the check sum is compared.
    pub(crate) fn open(&self, file: &Arc<File>) -> io::Result<Box<dyn Read + Send>> {
        if self.encrypted {
            return Err(io::Error::new(io::ErrorKind::Unsupported, format!("`{}` is encrypted", self.name)));
        }
        let length = file.metadata()?.len();
        let local = read_part(file, self.header, 30, length)?;
        let mut local = Bytes(&local);
        if local.u32()? != LOCAL {
            return Err(damaged("a member is not where it should be"));
        }
        local.take(22)?;
        let (name, extra) = (local.u16()?, local.u16()?);
        let start = self.header + 30 + u64::from(name) + u64::from(extra);
        let end = start.checked_add(self.compressed).filter(|end| *end <= length);
        let section = Section::new(file.clone(), start, end.ok_or_else(|| damaged("a member is cut off"))?);
        let content: Box<dyn Read + Send> = match self.method {
            0 => Box::new(section),
            8 => {
                // No more than there is to read: an archive may have thousands of small members, all open at once.
                let buffer = usize::try_from(self.compressed).map_or(1 << 16, |n| n.clamp(64, 1 << 16));
                Box::new(DeflateDecoder::new(BufReader::with_capacity(buffer, section)))
            }
            other => {
                let message = format!(
                    "`{}` is compressed by method {other}, but must be stored or deflated (numpy.savez_compressed)",
                    self.name
                );
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        Ok(Box::new(Checked { content, crc: Crc::new(), expected: self.crc, left: self.size }))
    }
}

/// Content whose length and check sum are known.
struct Checked {
    content: Box<dyn Read + Send>,
    crc: Crc,
    expected: u32,
    left: u64,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.content.read(&mut buffer[..wanted])?;
        if read == 0 {
            return Err(damaged("a member is cut off"));
        }
        self.crc.update(&buffer[..read]);
        self.left -= read as u64;
        if self.left == 0 && self.crc.sum() != self.expected {
            return Err(damaged("the check sum of a member differs"));
        }
        Ok(read)
    }
}

/// What is to be written as a member: its name, size and check sum.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) crc: u32,
}

/// Writes an archive of stored members; `content(i)` gives the bytes of member `i`.
pub(crate) fn write<R: Read>(
    mut out: impl Write,
    members: &[Stored],
    mut content: impl FnMut(usize) -> io::Result<R>,
) -> io::Result<()> {
    let mut at = 0_u64;
    let mut directory = Vec::new();
    for (i, member) in members.iter().enumerate() {
        let start = at;
        let mut local = LOCAL.to_le_bytes().to_vec();
        common_fields(&mut local, member);
        let extra = extra_field(&[member.size, member.size]);
        local.extend((member.name.len() as u16).to_le_bytes());
        local.extend((extra.len() as u16).to_le_bytes());
        local.extend(member.name.as_bytes());
        local.extend(&extra);
        out.write_all(&local)?;
        let copied = io::copy(&mut content(i)?, &mut out)?;
        if copied != member.size {
            return Err(io::Error::other("a temporary file changed while it was copied"));
        }
        at += local.len() as u64 + copied;
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(45_u16.to_le_bytes());
        common_fields(&mut directory, member);
        let extra = extra_field(&[member.size, member.size, start]);
        directory.extend((member.name.len() as u16).to_le_bytes());
        directory.extend((extra.len() as u16).to_le_bytes());
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(clipped(start).to_le_bytes());
        directory.extend(member.name.as_bytes());
        directory.extend(&extra);
    }
    let (count, size) = (members.len() as u64, directory.len() as u64);
    out.write_all(&directory)?;
    let mut end = Vec::new();
    if at >= u32::MAX.into() || size >= u32::MAX.into() || count >= u16::MAX.into() {
        end.extend(END64.to_le_bytes());
        end.extend(44_u64.to_le_bytes());
        end.extend([45_u16, 45].map(u16::to_le_bytes).concat());
        end.extend([0; 8]);
        end.extend([count, count, size, at].map(u64::to_le_bytes).concat());
        end.extend(LOCATOR64.to_le_bytes());
        end.extend([0; 4]);
        end.extend((at + size).to_le_bytes());
        end.extend(1_u32.to_le_bytes());
    }
    let short = count.min(u16::MAX.into()) as u16;
    end.extend(END.to_le_bytes());
    end.extend([0; 4]);
    end.extend([short, short].map(u16::to_le_bytes).concat());
    end.extend([clipped(size), clipped(at)].map(u32::to_le_bytes).concat());
    end.extend([0; 2]);
    out.write_all(&end)
}

/// A value in a field of 32 bits; all ones say that it is in the extra field.
fn clipped(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The fields from the needed version to the sizes, which both headers have.
fn common_fields(to: &mut Vec<u8>, member: &Stored) {
    to.extend(45_u16.to_le_bytes());
    // Names are UTF-8 (bit 11); stored; the time is 1980-01-01, so that equal data gives equal files.
    to.extend([1 << 11, 0, 0, 0x21].map(u16::to_le_bytes).concat());
    to.extend([member.crc, clipped(member.size), clipped(member.size)].map(u32::to_le_bytes).concat());
}

/// The extra field of those values that do not fit.
fn extra_field(values: &[u64]) -> Vec<u8> {
    let wide: Vec<u8> = values.iter().filter(|v| clipped(**v) == u32::MAX).flat_map(|v| v.to_le_bytes()).collect();
    if wide.is_empty() {
        return wide;
    }
    let mut field = [EXTRA64, wide.len() as u16].map(u16::to_le_bytes).concat();
    field.extend(wide);
    field
}
