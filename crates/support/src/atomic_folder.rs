//! A folder that appears complete or not at all.

use crate::atomic_file::create_new;
use crate::atomic_files::make_folder;
use crate::destination::folder_of;
use crate::temporary::{self, ASIDE, PART, sweep};
use crate::unfinished::{remove, unfinished};
use crate::{journal, permissions};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// A folder that is filled under a temporary name beside its own and renamed by [`AtomicFolder::commit`]. Dropped before
/// that, it leaves nothing, and what was under the name before is untouched.
///
/// A folder that is there already is exchanged for the new one in one step and then removed with everything in it: whoever
/// wants to change some of its files uses [`crate::AtomicFiles`]. Where the system cannot exchange (other systems than
/// Linux and macOS, some network file systems) the old one is first moved aside; if the process is killed between the two
/// steps, the next `AtomicFolder` of that name moves it back. A symbolic link stays, and the folder that it leads to is
/// replaced. The new folder has the mode of the old one, and its owner and group where we may set them.
#[derive(Debug)]
pub struct AtomicFolder {
    temporary: Option<PathBuf>,
    path: PathBuf,
    replaced: Option<Metadata>,
    written: Vec<PathBuf>,
    /// Says that the temporary folder is somebody's.
    _lock: Option<File>,
}

impl AtomicFolder {
    /// Creates the temporary folder, beside the one that it will be.
    ///
    /// # Errors
    /// If the path names something that is not a folder, or the folder around it cannot be written to.
    pub fn create(path: &Path) -> io::Result<AtomicFolder> {
        let path = resolve(path)?;
        sweep(&path);
        let replaced = match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => Some(found),
            Ok(_) => return Err(io::Error::new(io::ErrorKind::NotADirectory, "is a file, but must be a folder")),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        #[cfg(unix)]
        let mode = replaced.as_ref().map_or(0o777, permissions::narrow_mode);
        #[cfg(not(unix))]
        let mode = 0;
        let (temporary, lock) = temporary::make_beside(&path, PART, |temporary| make_folder(temporary, mode))?;
        let folder = AtomicFolder { temporary: Some(temporary), path, replaced, written: Vec::new(), _lock: lock };
        if let (Some(replaced), Some(lock)) = (&folder.replaced, &folder._lock) {
            permissions::adopt(lock, &folder.path, replaced)?;
        }
        Ok(folder)
    }

    /// The temporary folder, for those who fill it by themselves.
    pub fn path(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.path)
    }

    /// Writes a file in it. Folders in its name are made.
    ///
    /// # Errors
    /// If it cannot be written, is there already, or its name leads out of the folder.
    pub fn write(&mut self, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.inside(name)?;
        let mut file = {
            let _not_while_abandoned = unfinished();
            fs::create_dir_all(folder_of(&path))?;
            create_new(&path, None)?
        };
        file.write_all(bytes)?;
        self.written.push(path);
        Ok(())
    }

    /// Makes a folder in it, and those around that.
    ///
    /// # Errors
    /// If it cannot be made, or its name leads out of the folder.
    pub fn make_folder(&mut self, name: &Path) -> io::Result<()> {
        let path = self.inside(name)?;
        let _not_while_abandoned = unfinished();
        fs::create_dir_all(path)
    }

    /// The path of something in it, while it has its temporary name.
    fn inside(&self, name: &Path) -> io::Result<PathBuf> {
        if name.as_os_str().is_empty() || !name.components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no name of a file inside the folder"));
        }
        Ok(self.path().join(name))
    }

    /// Makes the folder appear under its name, and waits until the disk has it and what [`AtomicFolder::write`] wrote.
    ///
    /// # Errors
    /// If it cannot be renamed, or something else took the name meanwhile; what is under the name is untouched then.
    pub fn commit(mut self) -> io::Result<()> {
        // One after the other, when all are written: the disk takes many at once in hardly more time than one.
        self.written.iter().map(PathBuf::as_path).chain([self.path()]).try_for_each(journal::sync)?;
        let Some(temporary) = self.temporary.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        let done = match &self.replaced {
            None => fs::rename(&temporary, &self.path),
            Some(_) => exchange(&temporary, &self.path).or_else(|e| match e.kind() {
                io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput => in_two_steps(&temporary, &self.path),
                _ => Err(e),
            }),
        };
        // What is under the temporary name now, old or new, nobody wants.
        remove(&temporary);
        unfinished.remove(&temporary);
        done?;
        journal::sync(folder_of(&self.path))
    }
}

impl Drop for AtomicFolder {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            let mut unfinished = unfinished();
            remove(&temporary);
            unfinished.remove(&temporary);
        }
    }
}

/// The name itself, or where a symbolic link leads.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    // `lib/` is as good a name of a folder as `lib`.
    let path: PathBuf = path.components().collect();
    if path.is_symlink() {
        return fs::canonicalize(path);
    }
    match path.file_name() {
        Some(_) => Ok(path),
        // `.` and `..` have a name too.
        None => fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { &path }),
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Moves the old folder aside and the new one in its place; the old one is in the place of the new one afterwards.
fn in_two_steps(new: &Path, path: &Path) -> io::Result<()> {
    let aside = new.with_extension(ASIDE);
    fs::rename(path, &aside)?;
    if let Err(e) = fs::rename(new, path) {
        fs::rename(&aside, path)?;
        return Err(e);
    }
    remove(&aside);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.collect();
        names.sort();
        names
    }

    fn filled(path: &Path) -> AtomicFolder {
        let mut folder = AtomicFolder::create(path).unwrap();
        folder.write(Path::new("a"), b"new a").unwrap();
        folder.write(Path::new("sub/b"), b"new b").unwrap();
        folder
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("lib");
        drop(filled(&path));
        assert_eq!(names(around.path()), Vec::<String>::new());
        filled(&path).commit().unwrap();
        assert_eq!(names(&path), ["a", "sub"]);
        fs::write(path.join("old"), "old").unwrap();
        drop(filled(&path));
        assert_eq!(names(&path), ["a", "old", "sub"]);
        filled(&around.path().join("lib/")).commit().unwrap();
        assert_eq!(names(&path), ["a", "sub"]);
        assert_eq!(names(around.path()), ["lib"]);
    }

    #[test]
    fn two_steps_give_the_same() {
        let around = tempfile::tempdir().unwrap();
        let (path, new) = (around.path().join("lib"), around.path().join(".lib.1-1-1.part"));
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        fs::create_dir(&new).unwrap();
        in_two_steps(&new, &path).unwrap();
        assert_eq!((names(&path), names(around.path())), (vec![], vec!["lib".to_string()]));
        // The second step fails: the first is taken back.
        fs::write(path.join("old"), "old").unwrap();
        assert!(in_two_steps(&new, &path).is_err());
        assert_eq!((names(&path), names(around.path())), (vec!["old".to_string()], vec!["lib".to_string()]));
    }

    #[test]
    fn killed_between_two_steps_the_old_folder_comes_back() {
        let around = tempfile::tempdir().unwrap();
        for (name, file) in [(".lib.4294967295-1-0.old", "old"), (".lib.4294967295-1-0.part", "new")] {
            fs::create_dir(around.path().join(name)).unwrap();
            fs::write(around.path().join(name).join(file), "").unwrap();
        }
        drop(AtomicFolder::create(&around.path().join("lib")).unwrap());
        assert_eq!(names(around.path()), ["lib"]);
        assert_eq!(names(&around.path().join("lib")), ["old"]);
    }

    #[test]
    fn names_that_lead_out_and_files_in_the_way_are_refused() {
        let around = tempfile::tempdir().unwrap();
        fs::write(around.path().join("file"), "old").unwrap();
        assert!(AtomicFolder::create(&around.path().join("file")).is_err());
        let mut folder = AtomicFolder::create(&around.path().join("lib")).unwrap();
        for name in ["", "..", "../file", "/tmp/file", "sub/../../file"] {
            assert!(folder.write(Path::new(name), b"new").is_err(), "{name}");
        }
        folder.write(Path::new("a"), b"1").unwrap();
        assert!(folder.write(Path::new("a"), b"2").is_err());
        // Something took the name meanwhile.
        fs::create_dir_all(around.path().join("lib/theirs")).unwrap();
        assert!(folder.commit().is_err());
        assert_eq!(
            (names(around.path()), names(&around.path().join("lib"))),
            (vec!["file".into(), "lib".into()], vec!["theirs".to_string()])
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_the_mode_stay() {
        use std::os::unix::fs::PermissionsExt;
        let around = tempfile::tempdir().unwrap();
        let (path, link) = (around.path().join("lib"), around.path().join("link"));
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        std::os::unix::fs::symlink("lib", &link).unwrap();
        filled(&link).commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(names(&path), ["a", "sub"]);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o750);
    }
}
