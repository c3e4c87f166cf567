//! What tells that a file is not the one that it was.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Which file it is, how long it is, and when it was last written to. Of something that is no file, of a pipe say, there is
/// none: it can be read only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and inode.
    identity: Option<(u64, u64)>,
}

impl FileStamp {
    /// Of what the path leads to now.
    ///
    /// # Errors
    /// When it leads nowhere.
    pub fn of_path(path: &Path) -> io::Result<Option<FileStamp>> {
        Ok(FileStamp::of(&std::fs::metadata(path)?))
    }

    pub(crate) fn of_file(file: &File) -> Option<FileStamp> {
        file.metadata().ok().and_then(|metadata| FileStamp::of(&metadata))
    }

    fn of(metadata: &Metadata) -> Option<FileStamp> {
        let stamp =
            || FileStamp { length: metadata.len(), modified: metadata.modified().ok(), identity: identity(metadata) };
        metadata.is_file().then(stamp)
    }

    /// Whether the file that it was of, at this path, has been cut or overwritten by now. That it was appended to, or that another
    /// one has its name, does not matter to who has opened it and reads it once.
    pub fn is_overwritten(&self, path: &Path) -> bool {
        let Some(now) = FileStamp::of_path(path).ok().flatten() else { return false };
        let is_the_same = self.identity == now.identity;
        is_the_same && (now.length < self.length || (now.length == self.length && now.modified != self.modified))
    }

    /// Bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}
