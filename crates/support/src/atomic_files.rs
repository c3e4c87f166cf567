//! Files that change together.

use crate::atomic_file::create_new;
use crate::destination::{Destination, folder_of};
use crate::journal::{self, Rename, SET_NAME};
use crate::permissions;
use crate::temporary::{self, SET, sweep};
use crate::unfinished::{remove, unfinished};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Several files, new or in the place of old ones, that change together by [`AtomicFiles::commit`], or not at all. Links,
/// permissions and hard links are treated as [`crate::AtomicFile`] treats them. Dropped before the commit, they leave
/// nothing.
///
/// - A signal that ends the program by [`crate::abandon_unfinished`] comes before all renames or after all.
/// - If one rename fails, those before it are taken back.
/// - If the process is killed or the machine crashes between two renames, the rest is carried out by the next
///   [`crate::AtomicFile`], `AtomicFiles` or [`crate::AtomicFolder`] in that folder, or by [`crate::complete_interrupted`],
///   which readers of files that belong together call first.
///
/// However many there are, they need one descriptor for each folder.
#[derive(Debug, Default)]
pub struct AtomicFiles {
    sets: Vec<Set>,
    files: Vec<Staged>,
}

/// The folder in which the new files of one folder wait.
#[derive(Debug)]
struct Set {
    folder: PathBuf,
    path: PathBuf,
    /// Says that the set is somebody's.
    _lock: Option<File>,
}

#[derive(Debug)]
struct Staged {
    new: PathBuf,
    /// Where the old file is kept until all is done.
    old: PathBuf,
    path: PathBuf,
    replaces: bool,
}

/// No file was changed. Whoever wanted it has to make room or get permission.
#[derive(Debug)]
pub struct NotCommitted {
    /// The file that could not be replaced or made.
    pub path: PathBuf,
    /// Why.
    pub cause: io::Error,
}

impl std::fmt::Display for NotCommitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: cannot be written", self.path.display())
    }
}

impl std::error::Error for NotCommitted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl AtomicFiles {
    /// No files yet.
    #[must_use]
    pub fn new() -> AtomicFiles {
        AtomicFiles::default()
    }

    /// Writes what a file will be.
    ///
    /// # Errors
    /// If it cannot be written, or was written before (`AlreadyExists`), by whatever name; `InvalidInput` if it is not a
    /// regular file or a free name.
    pub fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let refuse = |kind: io::ErrorKind, why: &str| Err(io::Error::new(kind, why));
        let Destination::Name { path, replaced } = Destination::of(path)? else {
            return refuse(io::ErrorKind::InvalidInput, "is a device, a pipe or a descriptor, but must be a file");
        };
        let path = std::path::absolute(path)?;
        if self.files.iter().any(|f| f.path == path) {
            return refuse(io::ErrorKind::AlreadyExists, "is written twice");
        }
        let set = self.set_for(&path)?;
        let number = self.files.len();
        let staged = Staged {
            new: set.join(number.to_string()),
            old: set.join(format!("{number}.old")),
            path,
            replaces: replaced.is_some(),
        };
        let mut file = {
            let _not_while_abandoned = unfinished();
            create_new(&staged.new, replaced.as_ref())?
        };
        if let Some(replaced) = &replaced {
            permissions::adopt(&file, &staged.path, replaced)?;
        }
        file.write_all(bytes)?;
        self.files.push(staged);
        Ok(())
    }

    fn set_for(&mut self, path: &Path) -> io::Result<PathBuf> {
        let folder = folder_of(path);
        if let Some(set) = self.sets.iter().find(|set| set.folder == folder) {
            return Ok(set.path.clone());
        }
        sweep(path);
        let (set, lock) = temporary::make_beside(&folder.join(SET_NAME), SET, |set| make_folder(set, 0o700))?;
        self.sets.push(Set { folder: folder.to_path_buf(), path: set.clone(), _lock: lock });
        Ok(set)
    }

    /// Makes all files appear under their names, and waits until the disk has them.
    ///
    /// # Errors
    /// If one of them cannot; then all are as they were.
    pub fn commit(mut self) -> Result<(), NotCommitted> {
        let files = std::mem::take(&mut self.files);
        let Some(first) = self.sets.first() else { return Ok(()) };
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |cause| NotCommitted { path, cause }
        };
        // One after the other, when all are written: the disk takes many at once in hardly more time than one.
        for file in &files {
            journal::sync(&file.new).map_err(at(&file.path))?;
        }
        // A signal waits until this lock is free.
        let mut unfinished = unfinished();
        for file in files.iter().filter(|file| file.replaces) {
            keep(&file.path, &file.old).map_err(at(&file.path))?;
        }
        for set in &self.sets[1..] {
            journal::see(&set.path, &first.path).map_err(at(&set.folder))?;
        }
        let renames: Vec<Rename> = files.iter().map(|f| (f.new.clone(), f.path.clone())).collect();
        journal::decide(&first.path, &renames).map_err(at(&first.folder))?;
        let done = journal::carry_out(&renames).map_err(|(path, cause)| {
            self.take_back(&files);
            NotCommitted { path, cause }
        });
        for set in &self.sets {
            // The names must be on the disk before the journal is gone from it.
            let _ = journal::sync(&set.folder);
        }
        for set in std::mem::take(&mut self.sets) {
            remove(&set.path);
            unfinished.remove(&set.path);
        }
        done
    }

    /// Undoes renames. Decided for in the same way, so that it too is carried out if the process is killed meanwhile.
    fn take_back(&self, files: &[Staged]) {
        let done = files.iter().rev().filter(|f| fs::symlink_metadata(&f.new).is_err());
        let back: Vec<Rename> = done
            .map(|f| if f.replaces { (f.old.clone(), f.path.clone()) } else { (f.path.clone(), f.new.clone()) })
            .collect();
        let _ = journal::decide(&self.sets[0].path, &back);
        let _ = journal::carry_out(&back);
    }
}

impl Drop for AtomicFiles {
    fn drop(&mut self) {
        for set in std::mem::take(&mut self.sets) {
            let mut unfinished = unfinished();
            remove(&set.path);
            unfinished.remove(&set.path);
        }
    }
}

/// A second name for a file, or a copy where there are no hard links or the file is another's.
fn keep(path: &Path, old: &Path) -> io::Result<()> {
    fs::hard_link(path, old).or_else(|_| fs::copy(path, old).map(drop))
}

/// A new folder, claimed where folders can be.
pub(crate) fn make_folder(path: &Path, mode: u32) -> io::Result<Option<File>> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    #[cfg(not(unix))]
    let _ = mode;
    builder.create(path)?;
    match File::open(path) {
        Ok(folder) => temporary::claim(&folder).map(|()| Some(folder)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// All files below a folder, and what is in them.
    fn content(folder: &Path) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let (path, name) = {
                let entry = entry.unwrap();
                (entry.path(), entry.file_name().into_string().unwrap())
            };
            match path.is_dir() {
                true => all.extend(content(&path).into_iter().map(|(k, v)| (format!("{name}/{k}"), v))),
                false => drop(all.insert(name, fs::read_to_string(path).unwrap())),
            }
        }
        all
    }

    fn expected(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
    }

    fn old() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("x"), "old x").unwrap();
        fs::write(folder.path().join("b/y"), "old y").unwrap();
        folder
    }

    const OLD: [(&str, &str); 2] = [("x", "old x"), ("b/y", "old y")];
    const NEW: [(&str, &str); 3] = [("x", "new x"), ("b/y", "new y"), ("b/z", "new z")];

    fn staged(folder: &Path) -> AtomicFiles {
        let mut files = AtomicFiles::new();
        for (name, text) in NEW {
            files.write(&folder.join(name), text.as_bytes()).unwrap();
        }
        files
    }

    #[test]
    fn all_files_change_or_none() {
        let folder = old();
        drop(staged(folder.path()));
        assert_eq!(content(folder.path()), expected(&OLD));
        staged(folder.path()).commit().unwrap();
        assert_eq!(content(folder.path()), expected(&NEW));
        AtomicFiles::new().commit().unwrap();
    }

    #[test]
    fn what_is_written_twice_or_is_no_file_is_refused() {
        let folder = old();
        let mut files = AtomicFiles::new();
        files.write(&folder.path().join("x"), b"1").unwrap();
        assert_eq!(files.write(&folder.path().join("./x"), b"2").unwrap_err().to_string(), "is written twice");
        assert!(files.write(&folder.path().join("b"), b"2").is_err());
        assert!(files.write(Path::new("/dev/null"), b"2").is_err());
        drop(files);
        assert_eq!(content(folder.path()), expected(&OLD));
    }

    #[test]
    fn a_rename_that_fails_takes_back_those_before() {
        let folder = old();
        let files = staged(folder.path());
        // Nothing can be renamed to a folder that is not empty.
        fs::create_dir_all(folder.path().join("b/z/in")).unwrap();
        let error = files.commit().unwrap_err();
        assert_eq!(error.path, folder.path().join("b/z"));
        assert_eq!(content(folder.path()), expected(&OLD));
    }

    /// Makes sets look as if their process was not alive any more.
    fn killed(files: AtomicFiles) -> Vec<(PathBuf, PathBuf)> {
        let ids: Vec<_> = files.sets.iter().map(|s| s.path.clone()).collect();
        let dead = |path: &Path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            path.with_file_name(name.replace(&format!(".{}-", std::process::id()), ".4294967295-"))
        };
        let moved = |path: &Path| dead(path.parent().unwrap()).join(path.file_name().unwrap());
        let renames = files.files.iter().map(|f| (moved(&f.new), f.path.clone())).collect();
        for id in &ids {
            fs::rename(id, dead(id)).unwrap();
        }
        for set in &ids[1..] {
            journal::see(&dead(set), &dead(&ids[0])).unwrap();
        }
        unfinished().retain(|path| !ids.contains(path));
        // Its locks go with it; there is nothing left under its own names.
        drop(files);
        renames
    }

    #[test]
    fn renames_of_a_killed_process_are_completed_from_any_of_the_folders() {
        for done in 0..=NEW.len() {
            for look_in in ["", "b"] {
                let folder = old();
                let renames = killed(staged(folder.path()));
                let first = renames[0].0.parent().unwrap().to_path_buf();
                journal::decide(&first, &renames).unwrap();
                journal::carry_out(&renames[..done]).unwrap();
                crate::complete_interrupted(&folder.path().join(look_in));
                for other in ["", "b"] {
                    crate::complete_interrupted(&folder.path().join(other));
                }
                assert_eq!(content(folder.path()), expected(&NEW), "{done} done, {look_in:?}");
            }
        }
    }

    #[test]
    fn what_a_killed_process_had_not_decided_is_removed() {
        for look_in in [["", "b"], ["b", ""]] {
            let folder = old();
            drop(killed(staged(folder.path())));
            for name in look_in {
                crate::complete_interrupted(&folder.path().join(name));
            }
            assert_eq!(content(folder.path()), expected(&OLD));
        }
    }

    #[test]
    fn a_writer_completes_before_it_takes_anything_for_rubbish() {
        let folder = old();
        let renames = killed(staged(folder.path()));
        journal::decide(renames[0].0.parent().unwrap(), &renames).unwrap();
        // This process has read the folder under its plain name before; another one would read it now.
        crate::write_atomically(&folder.path().join("b/../x"), b"newer x").unwrap();
        crate::complete_interrupted(&folder.path().join("b"));
        assert_eq!(content(folder.path()), expected(&[("x", "newer x"), NEW[1], NEW[2]]));
    }

    #[cfg(unix)]
    #[test]
    fn a_set_that_others_may_write_to_or_that_leads_elsewhere_is_not_believed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = old();
        let renames = killed(staged(folder.path()));
        let set = renames[0].0.parent().unwrap();
        journal::decide(set, &renames).unwrap();
        fs::set_permissions(set, fs::Permissions::from_mode(0o777)).unwrap();
        crate::complete_interrupted(folder.path());
        assert_eq!(fs::read_to_string(folder.path().join("x")).unwrap(), "old x");
        fs::set_permissions(set, fs::Permissions::from_mode(0o700)).unwrap();
        let elsewhere = folder.path().join("b/y");
        for rename in [(renames[0].0.clone(), elsewhere.clone()), (folder.path().join("x"), elsewhere)] {
            journal::decide(set, &[rename]).unwrap();
            crate::complete_interrupted(folder.path());
            assert_eq!(fs::read_to_string(folder.path().join("b/y")).unwrap(), "old y");
        }
    }

    /// A folder that somebody else packed may hold what looks like one of ours.
    #[cfg(unix)]
    #[test]
    fn a_set_with_a_pipe_a_device_or_a_link_for_a_journal_is_not_waited_for() {
        let folder = old();
        let renames = killed(staged(folder.path()));
        let set = renames[0].0.parent().unwrap();
        journal::decide(set, &renames).unwrap();
        let (journal, kept) = (set.join("journal"), folder.path().join("kept"));
        fs::rename(&journal, &kept).unwrap();
        for name in ["journal", "see"] {
            let path = set.join(name);
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            if name == "see" {
                std::os::unix::fs::symlink("/dev/zero", &journal).unwrap();
            }
            crate::complete_interrupted(folder.path());
            fs::remove_file(&path).unwrap();
        }
        fs::remove_file(&journal).unwrap();
        std::os::unix::fs::symlink(&kept, &journal).unwrap();
        crate::complete_interrupted(folder.path());
        assert_eq!(fs::read_to_string(folder.path().join("x")).unwrap(), "old x");
        fs::remove_file(&journal).unwrap();
        fs::rename(&kept, &journal).unwrap();
        crate::complete_interrupted(folder.path());
        assert_eq!(fs::read_to_string(folder.path().join("x")).unwrap(), "new x", "the journal itself counts");
    }

    #[test]
    fn many_files_need_few_descriptors() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = AtomicFiles::new();
        for i in 0..300 {
            files.write(&folder.path().join(i.to_string()), b"new").unwrap();
        }
        #[cfg(target_os = "linux")]
        assert!(fs::read_dir("/proc/self/fd").unwrap().count() < 200);
        files.commit().unwrap();
        assert_eq!(content(folder.path()).len(), 300);
    }
}
