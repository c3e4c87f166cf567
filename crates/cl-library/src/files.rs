//! Bytes from disk and back: regular files only, and sets of files that are all the old ones or all the new ones.

use crate::error::{LibraryError, Result};
use crate::package::folder_of;
use gristmill_support::{AtomicFiles, AtomicFolder};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most that one file of a library may hold. The largest of real trees are a few hundred kilobytes; what is larger than
/// this is not OpenCL C, and must not fill the memory.
const MAX_BYTES: u64 = 256 << 20;

/// The content of a regular file. Anything else is refused: a pipe would be waited for, a device may never end.
///
/// # Errors
/// If it cannot be read, is no regular file, or is too large to be text of a library.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    // Asked before opening, because opening alone has effects on some devices; and after it, because it may have changed.
    must_be_regular(&std::fs::metadata(path)?)?;
    let file = open_without_waiting(path)?;
    let metadata = file.metadata()?;
    must_be_regular(&metadata)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(MAX_BYTES)).unwrap_or(0) + 1);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB, which no .cl file is", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

fn must_be_regular(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, but must be a regular file", kind(metadata.file_type()))))
}

/// What a path is that is no regular file.
fn kind(file_type: std::fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return "a pipe";
        }
        if file_type.is_socket() {
            return "a socket";
        }
        if file_type.is_char_device() || file_type.is_block_device() {
            return "a device";
        }
    }
    if file_type.is_dir() { "a folder" } else { "neither a file nor a folder" }
}

/// Opening a pipe without a writer waits for one, unless told not to.
#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Replaces one file's content, or makes the file.
///
/// # Errors
/// If it cannot be written; the old file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    gristmill_support::write_atomically(path, bytes).map_err(LibraryError::io("write", path))
}

/// Writes files: all of them, or none, also if a signal ends the program half way. A folder that is missing is made if its
/// parent exists.
///
/// A name that is a symbolic link is refused: what it leads to is not the file that was named.
///
/// # Errors
/// If one cannot be written; everything is then as it was.
pub(crate) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    for (path, _) in files {
        refuse_link(path)?;
    }
    write_set(files)
}

/// A symbolic link, and what is no file at all, must not be written to.
fn refuse_link(path: &Path) -> Result<()> {
    let refuse = |reason: String| Err(LibraryError::io("write", path)(io::Error::other(reason)));
    match std::fs::symlink_metadata(path) {
        Err(_) => Ok(()), // new, or a folder that is refused when the file is made
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_symlink() => {
            let target = std::fs::read_link(path).unwrap_or_default();
            refuse(format!("it is a symbolic link to {}; write to that file itself", target.display()))
        }
        Ok(found) => refuse(format!("it is {}, but must be a regular file", kind(found.file_type()))),
    }
}

/// A folder that is not there yet appears with everything in it; files of folders that are there change together.
fn write_set(files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    let mut new_folders: BTreeMap<&Path, AtomicFolder> = BTreeMap::new();
    let mut others = AtomicFiles::new();
    for (path, bytes) in files {
        let failed = LibraryError::io("write", path);
        let parent = folder_of(path);
        if parent.is_dir() {
            others.write(path, bytes).map_err(failed)?;
            continue;
        }
        let folder = match new_folders.entry(parent) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(free) => {
                free.insert(AtomicFolder::create(parent).map_err(LibraryError::io("create", parent))?)
            }
        };
        folder.write(Path::new(path.file_name().unwrap_or_default()), bytes).map_err(failed)?;
    }
    others.commit().map_err(|e| LibraryError::io("write", e.path.clone())(e.cause))?;
    for (path, folder) in new_folders {
        folder.commit().map_err(LibraryError::io("create", path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_folders_are_refused_and_never_waited_for() {
        let temp = tempfile::tempdir().unwrap();
        let pipe = temp.path().join("a.cl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let link = temp.path().join("link.cl");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for (path, what) in [
            (pipe.as_path(), "a pipe"),
            (&link, "a pipe"),
            (Path::new("/dev/zero"), "a device"),
            (temp.path(), "a folder"),
        ] {
            let error = read_regular(path).unwrap_err().to_string();
            assert_eq!(error, format!("it is {what}, but must be a regular file"), "{}", path.display());
        }
    }

    #[test]
    fn when_one_file_cannot_be_written_none_is() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        std::fs::write(at("a"), "old a").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        let new = |name: &str| (at(name), b"new".to_vec());
        assert!(write_all(&[new("a"), new("b"), new("folder")]).is_err());
        assert!(write_all(&[new("a"), new("no/such/folder/b")]).is_err());
        assert_eq!(std::fs::read_to_string(at("a")).unwrap(), "old a");
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 2, "nothing else is left");
        write_all(&[new("a"), new("made/b")]).unwrap();
        assert_eq!(std::fs::read_to_string(at("made/b")).unwrap(), "new");
    }
}
