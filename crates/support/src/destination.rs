//! What the path of an output leads to: a name that a file may be given, or something that is open or must stay what it is.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// As many symbolic links as Linux follows before it speaks of a loop.
const MOST_LINKS: usize = 40;

/// What is to be written to.
#[derive(Debug)]
pub(crate) enum Destination {
    /// A name that is free, or a regular file's. Its last part is no symbolic link; its folder is as it was given, because
    /// only the system knows where `/proc/PID/root` or a link that changes meanwhile leads to.
    Name { path: PathBuf, replaced: Option<Metadata> },
    /// A device, a pipe, or what a descriptor refers to: written to as it is, never emptied, replaced or renamed.
    Open(File),
}

impl Destination {
    /// Follows the symbolic links at the end of a path, so that they stay and what they lead to is written.
    ///
    /// # Errors
    /// If it is a folder, a loop of links, read-only, or cannot be looked at.
    pub(crate) fn of(path: &Path) -> io::Result<Destination> {
        let mut path = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            check_name(&path)?;
            let found = match fs::symlink_metadata(&path) {
                Ok(found) => found,
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    return Ok(Destination::Name { path, replaced: None });
                }
                Err(e) => return Err(e),
            };
            if let Some(file) = descriptor::open(&path, &found)? {
                return Ok(Destination::Open(file));
            }
            if found.is_symlink() {
                // An absolute target takes the folder's place.
                path = folder_of(&path).join(fs::read_link(&path)?);
            } else if found.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, but must be a file"));
            } else if found.is_file() {
                check_replaceable(&path, &found)?;
                return Ok(Destination::Name { path, replaced: Some(found) });
            } else {
                return Ok(Destination::Open(OpenOptions::new().write(true).open(&path)?));
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "is a symbolic link that leads back to itself"))
    }
}

/// Whether an output is written into the very file that is its input, by way of a descriptor: `… in.csv >> in.csv`. It would
/// be read as it grows. Neither path is opened; an output by a name of its own replaces its input when it is complete.
pub fn writes_into(output: &Path, input: &Path) -> bool {
    let mut path = output.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(found) = fs::symlink_metadata(&path) else { return false };
        if descriptor::is_one(&path, &found) {
            return descriptor::is_same_file(&path, input);
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return false,
        }
    }
    false
}

/// The folder of a name; `file` without one is in the current folder.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `results/` and `results/.` name a folder even where there is none.
fn check_name(path: &Path) -> io::Result<()> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is empty, but must be the name of a file"));
    }
    let last = bytes.rsplit(|b| std::path::is_separator(char::from(*b))).next().unwrap_or_default();
    if matches!(last, b"" | b"." | b"..") {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "names a folder, but must be a file"));
    }
    Ok(())
}

/// What would fail, or should, only after all the work was done is found out before it.
#[cfg(unix)]
fn check_replaceable(path: &Path, found: &Metadata) -> io::Result<()> {
    use rustix::fs::{Access, access};
    use std::os::unix::fs::PermissionsExt;
    if access(path, Access::WRITE_OK).is_err() {
        let message = format!(
            "is read-only (mode {:o}), and an output would replace it; allow writing (chmod u+w) or give another name",
            found.permissions().mode() & 0o7777
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        let state = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::TYPE);
        if state.is_ok_and(|s| s.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)) {
            let message = "is mounted by itself, so that no other file can take its place; mount its folder instead";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_replaceable(_: &Path, found: &Metadata) -> io::Result<()> {
    match found.permissions().readonly() {
        true => Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only, and an output would replace it")),
        false => Ok(()),
    }
}

/// Paths that lead to open descriptors: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/1`, `/proc/PID/fd/1`.
#[cfg(unix)]
mod descriptor {
    use super::folder_of;
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io;
    use std::os::fd::{BorrowedFd, RawFd};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// The descriptor that the path is a name of, if it is one.
    ///
    /// One of ours is duplicated: position and append mode are shared with whoever else holds it, as with a shell's `>&3`.
    /// Opening the path anew would start at the file's first byte and write over what is there. Behind the descriptor of
    /// another process, and other links that only the kernel can follow, we write at the end.
    pub(super) fn open(path: &Path, found: &Metadata) -> io::Result<Option<File>> {
        let Ok(folder) = fs::canonicalize(folder_of(path)) else { return Ok(None) };
        let kind = kind_of(&folder, found);
        let number = path.file_name().and_then(OsStr::to_str).and_then(|name| name.parse::<RawFd>().ok());
        if let (Kind::Ours, Some(number)) = (&kind, number.filter(|n| *n >= 0)) {
            // SAFETY: the descriptor is open, because its name was just found in the list of ours, and it is only
            // borrowed for the duplication. If another thread closes it meanwhile, the duplication fails, or duplicates
            // what took its place, as it would for a shell; no memory is behind a descriptor.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            let file = File::from(descriptor.try_clone_to_owned()?);
            // Numbers in a list of another process namespace may be the same and mean another process.
            let (here, there) = (file.metadata()?, fs::metadata(path)?);
            if (here.dev(), here.ino()) == (there.dev(), there.ino()) {
                return writable(file).map(Some);
            }
        }
        match kind {
            Kind::Ours | Kind::Foreign => OpenOptions::new().append(true).open(path).map(Some),
            Kind::Other => Ok(None),
        }
    }

    /// Whether a path leads to an open descriptor.
    pub(super) fn is_one(path: &Path, found: &Metadata) -> bool {
        fs::canonicalize(folder_of(path)).is_ok_and(|folder| !matches!(kind_of(&folder, found), Kind::Other))
    }

    /// Whether two paths lead to one regular file.
    pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
        let identity = |path: &Path| fs::metadata(path).ok().filter(Metadata::is_file).map(|m| (m.dev(), m.ino()));
        identity(a).is_some_and(|a| Some(a) == identity(b))
    }

    /// Whose descriptor a name is.
    enum Kind {
        Ours,
        Foreign,
        /// It is an ordinary name.
        Other,
    }

    #[cfg(target_os = "linux")]
    fn kind_of(folder: &Path, found: &Metadata) -> Kind {
        /// `statfs` calls the file system of processes so: `PROC_SUPER_MAGIC` in linux/magic.h.
        const PROC: rustix::fs::FsWord = 0x9fa0;
        // On that file system, a link that is not a folder's leads to what a process holds, whatever its text says.
        if !found.is_symlink() || !rustix::fs::statfs(folder).is_ok_and(|s| s.f_type == PROC) {
            return Kind::Other;
        }
        // /proc/PID/fd or /proc/PID/task/THREAD/fd
        let is_list = folder.file_name() == Some(OsStr::new("fd"));
        let id = std::process::id().to_string();
        let names: Vec<&OsStr> = folder.iter().rev().skip(1).take(3).collect();
        let process = if names.get(1) == Some(&OsStr::new("task")) { names.get(2) } else { names.first() };
        if is_list && process == Some(&OsStr::new(&id)) { Kind::Ours } else { Kind::Foreign }
    }

    #[cfg(not(target_os = "linux"))]
    fn kind_of(folder: &Path, _: &Metadata) -> Kind {
        if folder == Path::new("/dev/fd") { Kind::Ours } else { Kind::Other }
    }

    fn writable(file: File) -> io::Result<File> {
        use rustix::fs::{OFlags, fcntl_getfl};
        if fcntl_getfl(&file)? & OFlags::RWMODE == OFlags::RDONLY {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is open for reading only"));
        }
        Ok(file)
    }
}

#[cfg(not(unix))]
mod descriptor {
    use std::fs::{File, Metadata};
    use std::path::Path;

    pub(super) fn open(_: &Path, _: &Metadata) -> std::io::Result<Option<File>> {
        Ok(None)
    }

    pub(super) fn is_one(_: &Path, _: &Metadata) -> bool {
        false
    }

    pub(super) fn is_same_file(_: &Path, _: &Path) -> bool {
        false
    }
}
