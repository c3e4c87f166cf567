//! A folder that nobody but this user can change, and files in it that nobody else wrote.
//!
//! What is read here becomes native code. So nothing is believed of a path: every folder above belongs to this user or to
//! root and cannot be renamed by others, the folder and its files belong to this user and are writable by nobody else, and
//! all files are reached through the open folder, never through a link, never waiting for a pipe.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder of this user's, held open.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
    #[cfg(unix)]
    folder: std::os::fd::OwnedFd,
}

/// One name in the folder.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    /// Not even a link to one.
    pub(crate) is_folder: bool,
}

/// Why a file is not believed. It is as good as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// A link, a pipe, a device or a folder.
    #[error("it is not a regular file")]
    NotAFile,
    /// Another user's.
    #[error("it belongs to another user")]
    OtherOwner,
    /// The group, or everybody, may change it.
    #[error("others may write to it")]
    OthersMayWrite,
    /// More than anything that is written here.
    #[error("it is too large")]
    TooLarge,
}

/// A file of more bytes is none of ours; a program for a device has kilobytes, rarely megabytes.
const LARGEST: u64 = 1 << 30;

/// What reading a file gave: `None` if there is none of that name.
pub(crate) type Content = Option<Result<Vec<u8>, Distrust>>;

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// `.NAME.PID-ATTEMPT.part`: under way, or left by a process that was killed.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

impl PrivateFolder {
    /// Opens the folder; makes it, and what is missing above it, for this user alone.
    pub(crate) fn create(path: &Path) -> io::Result<PrivateFolder> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)?;
        PrivateFolder::open(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Every name that is text.
    pub(crate) fn list(&self) -> io::Result<Vec<Listed>> {
        let mut listed = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            // Another process may have removed it meanwhile.
            let (Ok(name), Ok(metadata)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
            let (size, modified, is_folder) = (metadata.len(), metadata.modified().ok(), metadata.is_dir());
            listed.push(Listed { name, size, modified, is_folder });
        }
        Ok(listed)
    }
}

#[cfg(unix)]
impl PrivateFolder {
    /// `None` if there is no such folder.
    ///
    /// An error with the reason if others could change it, or replace it by another.
    pub(crate) fn open(path: &Path) -> io::Result<Option<PrivateFolder>> {
        use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
        let path = match std::fs::canonicalize(path) {
            Ok(path) => path,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        for above in path.ancestors().skip(1) {
            check_above(above)?;
        }
        // Nobody else can have changed the way here since: each step of it belongs to us or to root.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(CWD, &path, flags, Mode::empty())?;
        let stat = fstat(&folder)?;
        if stat.st_uid != rustix::process::geteuid().as_raw() {
            return Err(refused(format!("the folder belongs to user {}, and not to this one", stat.st_uid)));
        }
        if stat.st_mode & 0o022 != 0 {
            let mode = stat.st_mode & 0o7777;
            return Err(refused(format!("others may write to the folder (mode {mode:o}): `chmod go-w` mends it")));
        }
        Ok(Some(PrivateFolder { path, folder }))
    }

    /// The whole file, if it is a regular file of this user's that nobody else may change.
    pub(crate) fn read(&self, name: &str) -> io::Result<Content> {
        use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
        use rustix::io::Errno;
        // NONBLOCK: a pipe that nobody writes to is not waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match openat(&self.folder, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            // A link, a socket, a device without a driver.
            Err(Errno::LOOP | Errno::MLINK | Errno::NXIO | Errno::NODEV) => {
                return Ok(Some(Err(Distrust::NotAFile)));
            }
            Err(e) => return Err(e.into()),
        };
        let stat = fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(Some(Err(Distrust::NotAFile)));
        }
        if stat.st_uid != rustix::process::geteuid().as_raw() {
            return Ok(Some(Err(Distrust::OtherOwner)));
        }
        if stat.st_mode & 0o022 != 0 {
            return Ok(Some(Err(Distrust::OthersMayWrite)));
        }
        if stat.st_size as u64 > LARGEST {
            return Ok(Some(Err(Distrust::TooLarge)));
        }
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(std::fs::File::from(file), LARGEST), &mut bytes)?;
        Ok(Some(Ok(bytes)))
    }

    /// Writes a whole new file, for this user alone, under another name, and moves it into place: nobody ever sees a part
    /// of it, and a link under that name is replaced, not followed.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.write_temporary(name, bytes)?;
        let moved = rustix::fs::renameat(&self.folder, &temporary, &self.folder, name);
        if moved.is_err() {
            // Rubbish of an attempt that failed: the error that matters is already there.
            let _ = self.remove(&temporary);
        }
        Ok(moved?)
    }

    /// As [`PrivateFolder::write`], but what is there already stays. `Ok(false)`: it was there.
    pub(crate) fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        use rustix::fs::{AtFlags, linkat};
        let temporary = self.write_temporary(name, bytes)?;
        let linked = linkat(&self.folder, &temporary, &self.folder, name, AtFlags::empty());
        // It has its own name now, or is not wanted.
        let _ = self.remove(&temporary);
        match linked {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            // A file system without links: of two processes at once the later one wins.
            Err(_) => self.write(name, bytes).map(|()| true),
        }
    }

    fn write_temporary(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        use rustix::fs::{Mode, OFlags, openat};
        static ATTEMPT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let attempt = ATTEMPT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let temporary = format!(".{name}.{}-{attempt}.part", std::process::id());
            let file = match openat(&self.folder, &temporary, flags, Mode::RUSR | Mode::WUSR) {
                Ok(file) => file,
                // Left by a process of the same number that was killed.
                Err(rustix::io::Errno::EXIST) if attempt < 10_000 => continue,
                Err(e) => return Err(e.into()),
            };
            let mut file = std::fs::File::from(file);
            if let Err(e) = io::Write::write_all(&mut file, bytes).and_then(|()| file.sync_data()) {
                let _ = self.remove(&temporary);
                return Err(e);
            }
            return Ok(temporary);
        }
    }

    /// Removes a name; a link, not what it points to. A folder stays, with an error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.folder, name, rustix::fs::AtFlags::empty())?)
    }

    /// Makes it the newest file: it was used.
    pub(crate) fn touch(&self, name: &str) -> io::Result<()> {
        use rustix::fs::{AtFlags, Timespec, Timestamps, UTIME_NOW, utimensat};
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let times = Timestamps { last_access: now, last_modification: now };
        Ok(utimensat(&self.folder, name, &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Whether only this user may read the file.
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        rustix::fs::statat(&self.folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| stat.st_mode & 0o077 == 0)
    }
}

/// A folder above: others must be unable to put something else in place of what is in it.
#[cfg(unix)]
fn check_above(above: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::symlink_metadata(above)?;
    let (owner, mode) = (metadata.uid(), metadata.mode());
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        let above = above.display();
        return Err(refused(format!("`{above}` above it belongs to user {owner}, who could put another in its place")));
    }
    // In a sticky folder (/tmp) only the owner of a name may change it, and every name of the path is ours or root's.
    const STICKY: u32 = 0o1000;
    if mode & 0o022 != 0 && mode & STICKY == 0 {
        let (above, mode) = (above.display(), mode & 0o7777);
        return Err(refused(format!(
            "others may write to `{above}` above it (mode {mode:o}) and put another in its place: `chmod go-w` mends it"
        )));
    }
    Ok(())
}

/// Elsewhere the user's folders are private by what they inherit; links and pipes under our names are refused all the same.
#[cfg(not(unix))]
impl PrivateFolder {
    pub(crate) fn open(path: &Path) -> io::Result<Option<PrivateFolder>> {
        match std::fs::canonicalize(path) {
            Ok(path) => Ok(Some(PrivateFolder { path })),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    pub(crate) fn read(&self, name: &str) -> io::Result<Content> {
        let path = self.path.join(name);
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_file() => return Ok(Some(Err(Distrust::NotAFile))),
            Ok(metadata) if metadata.len() > LARGEST => return Ok(Some(Err(Distrust::TooLarge))),
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        }
        std::fs::read(path).map(|bytes| Some(Ok(bytes)))
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.write_temporary(name, bytes)?;
        std::fs::rename(self.path.join(&temporary), self.path.join(name)).inspect_err(|_| drop(self.remove(&temporary)))
    }

    pub(crate) fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        let temporary = self.write_temporary(name, bytes)?;
        let linked = std::fs::hard_link(self.path.join(&temporary), self.path.join(name));
        let _ = self.remove(&temporary);
        match linked {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(e),
        }
    }

    fn write_temporary(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        static ATTEMPT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let attempt = ATTEMPT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let temporary = format!(".{name}.{}-{attempt}.part", std::process::id());
        std::fs::write(self.path.join(&temporary), bytes)?;
        Ok(temporary)
    }

    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    pub(crate) fn touch(&self, name: &str) -> io::Result<()> {
        std::fs::File::options().append(true).open(self.path.join(name))?.set_modified(SystemTime::now())
    }

    pub(crate) fn is_secret(&self, _: &str) -> bool {
        true
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    }

    #[test]
    fn a_folder_that_others_may_change_or_replace_is_refused_with_what_to_do() {
        let dir = tempfile::tempdir().expect("a folder");
        let (above, folder) = (dir.path().join("above"), dir.path().join("above/cache"));
        assert!(PrivateFolder::open(&folder).expect("nothing is wrong").is_none());
        PrivateFolder::create(&folder).expect("private");
        assert_eq!(fs::metadata(&folder).expect("made").permissions().mode() & 0o777, 0o700);
        for (path, mode, said) in [
            (&folder, 0o777, "others may write to the folder (mode 777): `chmod go-w` mends it"),
            (&folder, 0o770, "others may write to the folder (mode 770)"),
            (&folder, 0o1777, "others may write to the folder (mode 1777)"),
            (&above, 0o777, "above it (mode 777) and put another in its place"),
            (&above, 0o730, "above it (mode 730) and put another in its place"),
        ] {
            chmod(path, mode);
            let error = PrivateFolder::open(&folder).expect_err("not private").to_string();
            assert!(error.contains(said), "{error}");
            chmod(path, 0o700);
        }
        // /tmp itself is such a folder: names in it belong to who made them.
        chmod(&above, 0o1777);
        assert!(PrivateFolder::open(&folder).expect("sticky").is_some());
    }

    #[test]
    fn a_link_a_pipe_a_device_and_a_folder_are_no_files_and_nothing_waits() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = PrivateFolder::create(&dir.path().join("cache")).expect("private");
        let at = |name: &str| folder.path.join(name);
        let precious = dir.path().join("precious");
        fs::write(&precious, "years of work").expect("written");
        symlink(&precious, at("link")).expect("made");
        symlink("/dev/zero", at("device")).expect("made");
        fs::create_dir(at("folder")).expect("made");
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).expect("made");
        for name in ["link", "device", "folder", "pipe"] {
            assert_eq!(folder.read(name).expect("readable"), Some(Err(Distrust::NotAFile)), "{name}");
        }
        for name in ["link", "device", "pipe"] {
            folder.write(name, b"ours").expect("replaced");
            assert_eq!(folder.read(name).expect("readable"), Some(Ok(b"ours".to_vec())), "{name}");
        }
        assert_eq!(fs::read_to_string(&precious).expect("untouched"), "years of work");
        assert!(folder.write("folder", b"ours").is_err());
        assert_eq!(folder.list().expect("readable").len(), 4, "no temporary file stays");
    }

    #[test]
    fn a_file_that_others_may_write_is_not_believed_and_ours_are_secret() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = PrivateFolder::create(dir.path()).expect("private");
        folder.write("file", b"ours").expect("written");
        assert!(folder.is_secret("file"));
        assert!(!folder.write_new("file", b"later").expect("it is there"));
        assert_eq!(folder.read("file").expect("readable"), Some(Ok(b"ours".to_vec())));
        for mode in [0o620, 0o602] {
            chmod(&folder.path.join("file"), mode);
            assert_eq!(folder.read("file").expect("readable"), Some(Err(Distrust::OthersMayWrite)));
        }
    }
}
