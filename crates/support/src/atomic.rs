//! Files that appear complete or not at all.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that is written under a temporary name beside its own and renamed by [`AtomicFile::commit`]. Dropped before
/// that, it leaves nothing, and what was under the name before is untouched.
///
/// A device or a pipe (`/dev/null`) is written to as it is: it must not be replaced by a file. A symbolic link stays, and
/// what it points to is replaced.
#[derive(Debug)]
pub struct AtomicFile {
    file: Option<File>,
    /// `None`: the file is written to directly.
    temporary: Option<PathBuf>,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file, in the same folder, so that the rename cannot cross file systems.
    ///
    /// # Errors
    /// If the path names a folder or no file, or the folder cannot be written to.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, but must be a file"));
        }
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(AtomicFile { file: Some(file), temporary: None, path: path.clone() });
        }
        let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "names no file"))?;
        for attempt in 0..100_u32 {
            let mut temporary = std::ffi::OsString::from(".");
            temporary.push(name);
            temporary.push(format!(".{}-{attempt}.part", std::process::id()));
            let temporary = path.with_file_name(temporary);
            let mut unfinished = unfinished();
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    unfinished.insert(temporary.clone());
                    return Ok(AtomicFile { file: Some(file), temporary: Some(temporary), path: path.clone() });
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "every temporary name beside it is taken"))
    }

    /// Makes the file appear under its name, with the permissions of the one that it replaces. It does not wait until the
    /// disk has the data, which takes longer than computing a large table: [`AtomicFile::commit_durably`] does.
    ///
    /// # Errors
    /// If the data cannot be written, or the file not be renamed; what was under the name before is untouched then.
    pub fn commit(mut self) -> io::Result<()> {
        let (Some(file), Some(temporary)) = (self.file.take(), self.temporary.take()) else { return Ok(()) };
        let rename = || {
            if let Ok(metadata) = fs::metadata(&self.path) {
                file.set_permissions(metadata.permissions())?;
            }
            drop(file);
            fs::rename(&temporary, &self.path)
        };
        let mut unfinished = unfinished();
        let done = rename();
        if done.is_err() {
            // Only the rubbish of a failed attempt: the error that matters is already there.
            let _ = fs::remove_file(&temporary);
        }
        unfinished.remove(&temporary);
        done
    }

    /// As [`AtomicFile::commit`], but first waits until the disk has the data and then until it has the name, so that not
    /// even a crash of the machine can leave the name without the data.
    ///
    /// # Errors
    /// As for [`AtomicFile::commit`], or if the disk does not take it.
    pub fn commit_durably(self) -> io::Result<()> {
        let (Some(file), Some(_)) = (&self.file, &self.temporary) else { return self.commit() };
        file.sync_data()?;
        let folder = self.path.parent().map(Path::to_path_buf);
        self.commit()?;
        // Folders cannot be opened everywhere; where they can, the name is safe too.
        match folder.and_then(|folder| File::open(if folder.as_os_str().is_empty() { ".".into() } else { folder }).ok())
        {
            Some(folder) => folder.sync_all(),
            None => Ok(()),
        }
    }
}

/// The temporary files of everything that is under way. Whoever holds the lock may make, rename or remove one.
fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    // Every change to the set is one call: there is no half-way state that a panic could leave.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of everything that is under way, for a program that ends right away: from then on no file is
/// made or committed, and who tries waits for that end.
pub fn abandon_unfinished() {
    let mut files = unfinished();
    for file in std::mem::take(&mut *files) {
        // It may be gone, and nobody is left to tell.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(files);
}

/// Replaces a file's content, or makes the file: writes beside it, waits for the disk, then renames.
///
/// # Errors
/// If it cannot be written; the old file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit_durably()
}

impl Write for AtomicFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(data),
            None => Err(io::Error::other("the file is closed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        drop(self.file.take());
        if let Some(temporary) = self.temporary.take() {
            unfinished().remove(&temporary);
            // Nothing to report to: the caller is on its way out with an error of its own.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_uncommitted_file_leaves_the_old_content_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half of the new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_stay() {
        use std::os::unix::fs::FileTypeExt;
        write_atomically(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(link.is_symlink());
    }
}
