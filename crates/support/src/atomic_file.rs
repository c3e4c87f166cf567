//! A file that appears complete or not at all.

use crate::destination::{Destination, folder_of};
use crate::permissions;
use crate::temporary::{self, PART};
use crate::unfinished::unfinished;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name beside its own and renamed by [`AtomicFile::commit`]. Dropped before
/// that, it leaves nothing, and what was under the name before is untouched.
///
/// - A symbolic link stays, also one that leads to nothing yet; what it leads to is replaced or made.
/// - What is neither a regular file nor a free name is written to as it is: a device, a pipe, and every path that is another
///   name of an open descriptor (`/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/1`), which is duplicated, so that position and
///   append mode stay those of the redirection behind it.
/// - Of a file with several names (hard links) only this name gets the new content; the others keep the old file. So copies
///   that were made by linking, as backups are, do not change.
/// - The new file has the mode of the old one from its first moment, its access list, and its owner and group where we may
///   set them; see `permissions.rs`. A file that is read-only is not replaced.
/// - What a killed process left beside the name is removed.
#[derive(Debug)]
pub struct AtomicFile {
    file: Option<File>,
    /// `None`: the file is written to directly.
    place: Option<Box<Place>>,
}

#[derive(Debug)]
struct Place {
    temporary: PathBuf,
    path: PathBuf,
    replaced: Option<Metadata>,
}

impl AtomicFile {
    /// Creates the temporary file, in the same folder, so that the rename cannot cross file systems.
    ///
    /// # Errors
    /// If the path names a folder or no file, or the folder cannot be written to.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let (path, replaced) = match Destination::of(path)? {
            Destination::Open(file) => return Ok(AtomicFile { file: Some(file), place: None }),
            Destination::Name { path, replaced } => (path, replaced),
        };
        temporary::sweep(&path);
        let (temporary, file) = temporary::make_beside(&path, PART, |temporary| {
            let file = create_new(temporary, replaced.as_ref())?;
            temporary::claim(&file).map(|()| file)
        })?;
        let made = AtomicFile { file: Some(file), place: Some(Box::new(Place { temporary, path, replaced })) };
        if let (Some(file), Some(place)) = (&made.file, &made.place) {
            place.adopt(file, place.replaced.as_ref())?;
        }
        Ok(made)
    }

    /// The folder that the file will be in; `None` for what is written to directly.
    pub fn folder(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| folder_of(&place.path))
    }

    /// Makes the file appear under its name. It does not wait until the disk has the data, which takes longer than computing
    /// a large table: [`AtomicFile::commit_durably`] does.
    ///
    /// # Errors
    /// If the data cannot be written, or the file not be renamed; what was under the name before is untouched then.
    pub fn commit(mut self) -> io::Result<()> {
        let (Some(file), Some(place)) = (self.file.take(), self.place.take()) else { return Ok(()) };
        let rename = || {
            // Whoever changed the permissions meanwhile meant it.
            let now = fs::symlink_metadata(&place.path).ok().filter(Metadata::is_file);
            let is_as_before = match (&place.replaced, &now) {
                (Some(before), Some(now)) => !permissions::differ(before, now),
                (_, now) => now.is_none(),
            };
            if !is_as_before {
                place.adopt(&file, now.as_ref())?;
            }
            fs::rename(&place.temporary, &place.path)
        };
        let mut unfinished = unfinished();
        let done = rename();
        if done.is_err() {
            // Only the rubbish of a failed attempt: the error that matters is already there.
            let _ = fs::remove_file(&place.temporary);
        }
        unfinished.remove(&place.temporary);
        done
    }

    /// As [`AtomicFile::commit`], but first waits until the disk has the data and then until it has the name, so that not
    /// even a crash of the machine can leave the name without the data.
    ///
    /// # Errors
    /// As for [`AtomicFile::commit`], or if the disk does not take the data: what was under the name before is untouched then.
    /// [`Unconfirmed`] inside the error if only the name may be lost: the file is complete and has its name by then.
    pub fn commit_durably(self) -> io::Result<()> {
        let (Some(file), Some(place)) = (&self.file, &self.place) else { return self.commit() };
        file.sync_all()?;
        let folder = folder_of(&place.path).to_path_buf();
        self.commit()?;
        crate::journal::sync(&folder).map_err(|cause| io::Error::new(cause.kind(), Unconfirmed { cause }))
    }
}

/// A file is complete and has its name, but the disk did not say that it has the name: a crash of the machine may bring back
/// what was there before. It is inside the error of [`AtomicFile::commit_durably`]; whoever asked for that has to look at the
/// disk.
#[derive(Debug)]
pub struct Unconfirmed {
    /// What the disk said.
    pub cause: io::Error,
}

impl std::fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // With the cause: inside an `io::Error` this is all that is shown.
        write!(
            f,
            "it was written, but the disk does not confirm that a crash of the machine would leave it: {}",
            self.cause
        )
    }
}

impl std::error::Error for Unconfirmed {}

impl Place {
    fn adopt(&self, file: &File, replaced: Option<&Metadata>) -> io::Result<()> {
        replaced.map_or(Ok(()), |replaced| permissions::adopt(file, &self.path, replaced))
    }
}

/// A new file, open to nobody to whom the one that it will replace is not.
pub(crate) fn create_new(path: &Path, replaced: Option<&Metadata>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(permissions::narrow_mode(replaced));
    }
    #[cfg(not(unix))]
    let _ = replaced;
    options.open(path)
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
        if let Some(place) = self.place.take() {
            let mut unfinished = unfinished();
            // Nothing to report to: the caller is on its way out with an error of its own.
            let _ = fs::remove_file(&place.temporary);
            unfinished.remove(&place.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of something that a process left which is not alive.
    const LEFT: &str = ".out.csv.4294967295-1-0.part";

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_uncommitted_file_leaves_the_old_content_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half of the new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["out.csv"]);
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn what_names_a_folder_or_nothing_is_no_output() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "old").unwrap();
        for name in ["", ".", "..", "new/", "new/.", "file/", "file/in", "no/such/folder"] {
            assert!(AtomicFile::create(&folder.path().join(name)).is_err(), "{name}");
        }
        assert!(AtomicFile::create(Path::new("")).is_err());
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn long_names_and_names_that_are_no_text_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut all: Vec<PathBuf> = ["x".repeat(255), "é".repeat(127)].map(PathBuf::from).into();
        #[cfg(target_os = "linux")]
        all.push(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(vec![0xff; 250]).into());
        for name in all {
            write_atomically(&folder.path().join(&name), b"new").unwrap();
            assert_eq!(names(folder.path()), [name.as_os_str()]);
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_live_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let live = AtomicFile::create(&at("out.csv")).unwrap();
        let other = ".other.csv.4294967295-1-0.part";
        // As of another machine on the same network folder: nobody here has this number, but somebody holds the lock.
        let foreign = ".out.csv.4294967294-1-0.part";
        fs::write(at(LEFT), "half").unwrap();
        fs::write(at(other), "half").unwrap();
        fs::write(at(foreign), "half").unwrap();
        let lock = File::options().write(true).open(at(foreign)).unwrap();
        lock.lock().unwrap();
        // The folder was read when `live` was made; another process would read it now.
        for left in
            [LEFT, other, foreign, live.place.as_ref().unwrap().temporary.file_name().unwrap().to_str().unwrap()]
        {
            temporary::discard(&at("out.csv"), &at(left));
        }
        assert!(!at(LEFT).exists() && at(foreign).exists());
        live.commit().unwrap();
        assert!(at("out.csv").exists());
    }

    #[test]
    fn the_next_output_of_that_name_removes_what_was_left_and_of_no_other() {
        let folder = tempfile::tempdir().unwrap();
        for name in [LEFT, ".other.csv.4294967295-1-0.part", ".out.csv.part", "out.csv.4294967295-1-0.part"] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        fs::create_dir(folder.path().join(".out.csv.4294967295-1-1.part")).unwrap();
        write_atomically(&folder.path().join("out.csv"), b"new").unwrap();
        let kept = [".other.csv.4294967295-1-0.part", ".out.csv.part", "out.csv", "out.csv.4294967295-1-0.part"];
        assert_eq!(names(folder.path()), kept);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

        #[test]
        fn devices_are_written_to_and_links_stay() {
            write_atomically(Path::new("/dev/null"), b"nothing").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("in")).unwrap();
            let (file, link) = (folder.path().join("in/file"), folder.path().join("link"));
            symlink("in/file", &link).unwrap();
            symlink("in", folder.path().join("folder")).unwrap();
            // The first makes what a link to nothing leads to; the third goes through a link to a folder.
            for path in [link.clone(), link.clone(), folder.path().join("folder/file")] {
                write_atomically(&path, b"new").unwrap();
                assert_eq!(fs::read_to_string(&file).unwrap(), "new");
                assert!(link.is_symlink() && !file.is_symlink());
                fs::write(&file, "old").unwrap();
            }
            symlink("loop", folder.path().join("loop")).unwrap();
            let error = AtomicFile::create(&folder.path().join("loop")).unwrap_err();
            assert_eq!(error.to_string(), "is a symbolic link that leads back to itself");
            assert_eq!(names(folder.path()), ["folder", "in", "link", "loop"]);
        }

        #[test]
        fn a_path_that_is_a_descriptor_is_written_through_it() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log");
            fs::write(&path, "PRECIOUS\n").unwrap();
            let inode = fs::metadata(&path).unwrap().ino();
            let log = File::options().append(true).open(&path).unwrap();
            let mut expected = "PRECIOUS\n".to_string();
            let mut spellings = vec![format!("/dev/fd/{}", log.as_raw_fd())];
            if cfg!(target_os = "linux") {
                spellings.push(format!("/proc/self/fd/{}", log.as_raw_fd()));
                spellings.push(format!("/proc/thread-self/fd/{}", log.as_raw_fd()));
                spellings.push(format!("/proc/{}/fd/{}", std::process::id(), log.as_raw_fd()));
            }
            let link = folder.path().join("link");
            symlink(&spellings[0], &link).unwrap();
            spellings.push(link.to_str().unwrap().to_string());
            for spelling in spellings {
                write_atomically(Path::new(&spelling), b"more\n").unwrap();
                expected.push_str("more\n");
                assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{spelling}");
            }
            assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
            assert_eq!(names(folder.path()), ["link", "log"]);
            // The position is shared, as a shell's `>` shares it.
            let mut plain = File::options().write(true).truncate(true).open(&path).unwrap();
            plain.write_all(b"first\n").unwrap();
            write_atomically(Path::new(&format!("/dev/fd/{}", plain.as_raw_fd())), b"second\n").unwrap();
            plain.write_all(b"third\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "first\nsecond\nthird\n");
            // A file that has no name any more.
            fs::remove_file(&path).unwrap();
            write_atomically(Path::new(&format!("/dev/fd/{}", plain.as_raw_fd())), b"fourth\n").unwrap();
            assert_eq!(plain.metadata().unwrap().len(), 26);
            assert_eq!(names(folder.path()), ["link"]);
            let reader = File::open("/dev/null").unwrap();
            let error = AtomicFile::create(Path::new(&format!("/dev/fd/{}", reader.as_raw_fd()))).unwrap_err();
            assert_eq!(error.to_string(), "is open for reading only");
        }

        #[test]
        fn other_names_of_a_file_keep_the_old_content() {
            let folder = tempfile::tempdir().unwrap();
            let (path, other) = (folder.path().join("out"), folder.path().join("backup"));
            fs::write(&path, "old").unwrap();
            fs::hard_link(&path, &other).unwrap();
            write_atomically(&path, b"new").unwrap();
            assert_eq!(fs::read_to_string(&other).unwrap(), "old");
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        }

        #[test]
        fn the_mode_is_that_of_the_old_file_from_the_start() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
            for wanted in [0o600, 0o640, 0o666, 0o755] {
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
                let file = AtomicFile::create(&path).unwrap();
                assert_eq!(mode(&file.place.as_ref().unwrap().temporary), wanted);
                // Whoever changes it meanwhile is heard.
                fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
                file.commit().unwrap();
                assert_eq!(mode(&path), 0o604);
            }
            fs::set_permissions(&path, fs::Permissions::from_mode(0o4755)).unwrap();
            write_atomically(&path, b"new").unwrap();
            assert_eq!(mode(&path), 0o755, "new content does not run as somebody else");
        }

        #[test]
        fn root_keeps_the_owner() {
            if !rustix::process::geteuid().is_root() {
                return;
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            fs::write(&path, "old").unwrap();
            std::os::unix::fs::chown(&path, Some(12345), Some(54321)).unwrap();
            write_atomically(&path, b"new").unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.uid(), found.gid()), (12345, 54321));
        }
    }
}
