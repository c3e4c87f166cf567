//! What is being written and must not be left behind when the program is told to end.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and folders of everything that is under way.
pub(crate) type Unfinished = MutexGuard<'static, BTreeSet<PathBuf>>;

/// Whoever holds this lock may make, rename or remove something temporary. A signal waits for it, so what is done under one
/// lock is done whole or not at all.
pub(crate) fn unfinished() -> Unfinished {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    // Every change to the set is one call: there is no half-way state that a panic could leave.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files and folders of everything that is under way, for a program that ends right away: from then on
/// nothing is made or committed, and who tries waits for that end.
pub fn abandon_unfinished() {
    let mut paths = unfinished();
    for path in std::mem::take(&mut *paths) {
        remove(&path);
    }
    std::mem::forget(paths);
}

/// Removes a file, or a folder with all that is in it. It may be gone, and nobody is left to tell if it cannot be removed:
/// the next run tries again.
pub(crate) fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|m| m.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
