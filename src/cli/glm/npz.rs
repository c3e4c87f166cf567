//! Arrays in one `.npz` file: a zip archive whose members are stored as they are.

/// CRC-32 as zip archives have it, bit by bit reversed.
fn checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let table: [u32; 256] =
        std::array::from_fn(|i| (0..8).fold(i as u32, |c, _| if c & 1 == 1 { POLYNOMIAL ^ (c >> 1) } else { c >> 1 }));
    !bytes.iter().fold(!0, |c, byte| table[((c ^ u32::from(*byte)) & 255) as usize] ^ (c >> 8))
}

/// 1 January 1980, the first day that the format knows: the same arrays give the same file.
const DATE: [u8; 4] = [0, 0, 0x21, 0];
/// The largest archive without extensions.
const LARGEST: usize = u32::MAX as usize;

/// The archive; `None` if it would be larger than 4 GiB.
pub(super) fn archive(members: &[(&str, Vec<u8>)]) -> Option<Vec<u8>> {
    let total: usize = members.iter().map(|(name, bytes)| bytes.len() + 2 * name.len() + 76).sum();
    if total > LARGEST {
        return None;
    }
    let mut out = Vec::with_capacity(total + 22);
    let mut directory = Vec::new();
    for (name, bytes) in members {
        let start = out.len() as u32;
        // Version 2.0, no flags, stored, the date, checksum, both sizes, lengths of the name and of nothing.
        let mut common = vec![20, 0, 0, 0, 0, 0];
        common.extend(DATE);
        common.extend(checksum(bytes).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = (members.len() as u16).to_le_bytes();
    out.extend(count.iter().chain(&count));
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
