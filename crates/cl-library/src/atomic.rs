//! Files that are either the old ones or the new ones, never half of each.

use crate::error::{LibraryError, Result};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A name beside `path` that nobody uses.
fn temporary_beside(path: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()))
}

/// Replaces a file's content, or makes the file: writes beside it, then renames.
///
/// # Errors
/// If it cannot be written; the old file is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    gristmill_support::write_atomically(path, bytes).map_err(LibraryError::io("write", path))
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}

/// Puts files into a directory: all of them, or none. The directory is made if only itself is missing.
///
/// Everything is first written into a directory beside or below the target, so a full disk or an unreadable source is
/// noticed before anything changes; what is replaced is kept until the last file is in its place, and put back if one fails.
pub(crate) fn install(dest: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let existed = dest.is_dir();
    let stage = if existed { temporary_beside(&dest.join("subset")) } else { temporary_beside(dest) };
    std::fs::create_dir(&stage).map_err(LibraryError::io("create", &stage))?;
    let staged = (|| {
        for (name, bytes) in files {
            write_new(&stage.join(name), bytes).map_err(LibraryError::io("write", stage.join(name)))?;
        }
        if existed {
            move_all(&stage, dest, files)
        } else {
            std::fs::rename(&stage, dest).map_err(LibraryError::io("create", dest))
        }
    })();
    if existed || staged.is_err() {
        let _ = std::fs::remove_dir_all(&stage);
    }
    staged
}

fn move_all(stage: &Path, dest: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let backup = stage.join("replaced");
    std::fs::create_dir(&backup).map_err(LibraryError::io("create", &backup))?;
    let mut done: Vec<(&str, bool)> = Vec::new();
    for (name, _) in files {
        let target = dest.join(name);
        let replaces = target.symlink_metadata().is_ok();
        let moved = if replaces { std::fs::rename(&target, backup.join(name)) } else { Ok(()) }.and_then(|()| {
            done.push((name, replaces));
            std::fs::rename(stage.join(name), &target)
        });
        if let Err(error) = moved {
            for (name, replaced) in done.iter().rev() {
                // Best effort: each step undoes one that succeeded a moment ago.
                let _ = std::fs::rename(dest.join(name), stage.join(name));
                if *replaced {
                    let _ = std::fs::rename(backup.join(name), dest.join(name));
                }
            }
            return Err(LibraryError::io("write", target)(error));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_fails_half_way_puts_everything_back() {
        let temp = tempfile::tempdir().unwrap();
        let (stage, dest) = (temp.path().join("stage"), temp.path().join("dest"));
        std::fs::create_dir_all(&stage).unwrap();
        std::fs::create_dir_all(&dest).unwrap();
        std::fs::write(dest.join("a"), "old a").unwrap();
        for name in ["a", "b"] {
            std::fs::write(stage.join(name), "new").unwrap();
        }
        let names = ["a", "b", "never staged"].map(|n| (n.to_owned(), Vec::new()));
        assert!(move_all(&stage, &dest, &names).is_err());
        assert_eq!(std::fs::read_to_string(dest.join("a")).unwrap(), "old a");
        assert_eq!(std::fs::read_dir(&dest).unwrap().count(), 1);
    }
}
