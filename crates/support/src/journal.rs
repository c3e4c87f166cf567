//! Several renames that all happen, even if the process is killed between two of them.
//!
//! New files wait in folders of kind `set`, one in each folder whose files change. The first set gets a file `journal` with
//! the renames, in one step and only when everything is ready: from then on the change is decided, and whoever finds the set
//! of a dead process carries it out. The other sets get a file `see` before that, which names the first. A set without
//! journal was not decided: it is removed.
//!
//! A set is believed only if it is a folder of ours that nobody else may write to, and its renames only if they lead out of
//! a set into its own folder or back. What stands in it for a journal and is no regular file, or too large for one, is not read.

use crate::temporary;
use crate::unfinished::remove;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Sets stand beside this name, whatever the files are called.
pub(crate) const SET_NAME: &str = "gristmill";
const JOURNAL: &str = "journal";
const SEE: &str = "see";
/// The first and the last field: a file without them is not one of ours, or of another version, or cut off.
const BEGIN: &[u8] = b"gristmill journal 1";
const END: &[u8] = b"end";
/// The most that a journal holds: that of a hundred thousand files with long names is a tenth of it.
const LARGEST: u64 = 256 << 20;

/// One rename. It is done if there is nothing under its first name.
pub(crate) type Rename = (PathBuf, PathBuf);

/// Decides for these renames, or instead of those decided for before.
pub(crate) fn decide(set: &Path, renames: &[Rename]) -> io::Result<()> {
    write(&set.join(JOURNAL), renames.iter().flat_map(|(from, to)| [from.as_path(), to]))
}

/// Says that another set decides.
pub(crate) fn see(set: &Path, first: &Path) -> io::Result<()> {
    write(&set.join(SEE), [first])
}

/// Carries out what is not yet done. The error says which file is still under its first name.
pub(crate) fn carry_out(renames: &[Rename]) -> Result<(), (PathBuf, io::Error)> {
    for (from, to) in renames {
        match fs::rename(from, to) {
            Err(e) if e.kind() != io::ErrorKind::NotFound || fs::symlink_metadata(from).is_ok() => {
                return Err((to.clone(), e));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Carries out or removes the set of a dead process. One of a living process, or one that is not ours, stays.
pub(crate) fn settle(set: &Path) {
    let Some(lock) = temporary::seize(set).filter(is_ours) else { return };
    let first = read(&set.join(SEE)).and_then(|mut paths| paths.pop());
    if let Some(first) = first.filter(|first| first != set && is_set(first)) {
        settle_first(&first);
        // As long as the other has a journal, what waits here may still be wanted.
        if first.join(JOURNAL).exists() {
            return;
        }
    }
    settle_seized(set);
    drop(lock);
}

fn settle_first(set: &Path) {
    if let Some(_lock) = temporary::seize(set).filter(is_ours) {
        settle_seized(set);
    }
}

fn settle_seized(set: &Path) {
    let journal = set.join(JOURNAL);
    if !journal.exists() {
        remove(set);
        return;
    }
    let Some(renames) = read(&journal).and_then(pairs) else { return };
    if carry_out(&renames).is_ok() {
        // The names must be on the disk before the journal is gone from it.
        let mut folders: Vec<&Path> = renames.iter().filter_map(|(from, _)| from.parent()?.parent()).collect();
        folders.dedup();
        folders.into_iter().for_each(|folder| drop(sync(folder)));
        remove(set);
    }
}

/// Waits until the disk has the names in a folder, or a file. Folders cannot be opened everywhere.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path).map_or(Ok(()), |file| file.sync_all())
}

fn is_set(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        path.is_absolute()
            && temporary::is_name_beside(name, OsStr::new(SET_NAME))
            && path.extension() == Some(OsStr::new(temporary::SET))
    })
}

/// The renames, if each leads out of a set into the folder around it, or back.
fn pairs(paths: Vec<PathBuf>) -> Option<Vec<Rename>> {
    let leads_out = |from: &Path, to: &Path| {
        from.parent().is_some_and(|set| is_set(set) && set.parent() == to.parent()) && to.file_name().is_some()
    };
    let (pairs, []) = paths.as_chunks::<2>() else { return None };
    let pairs: Vec<Rename> = pairs.iter().cloned().map(|[from, to]| (from, to)).collect();
    pairs.iter().all(|(from, to)| leads_out(from, to) || leads_out(to, from)).then_some(pairs)
}

#[cfg(unix)]
fn is_ours(folder: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = rustix::process::geteuid().as_raw();
    folder.metadata().is_ok_and(|m| m.is_dir() && m.uid() == owner && m.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
fn is_ours(_: &File) -> bool {
    true
}

/// Fields that end with a zero byte, which no path has. The file appears whole.
fn write<'a>(path: &Path, paths: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let mut text = Vec::new();
    let mut field = |bytes: &[u8]| {
        text.extend_from_slice(bytes);
        text.push(0);
    };
    field(BEGIN);
    for path in paths {
        field(bytes(path)?);
    }
    field(END);
    let new = path.with_extension("new");
    let mut file = File::create(&new)?;
    file.write_all(&text)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&new, path)?;
    path.parent().map_or(Ok(()), sync)
}

fn read(path: &Path) -> Option<Vec<PathBuf>> {
    let text = content(path)?;
    let mut fields = text.strip_suffix(b"\0")?.split(|b| *b == 0);
    if fields.next() != Some(BEGIN) || fields.next_back() != Some(END) {
        return None;
    }
    fields.map(path_of).collect()
}

/// The bytes of a file of a set that another may have made, with a pipe, a device or a link to one in the file's place.
fn content(path: &Path) -> Option<Vec<u8>> {
    let is_journal = |m: &fs::Metadata| m.is_file() && m.len() <= LARGEST;
    // Asked before it is opened, because that alone has effects on some devices, and after, because it may have changed.
    fs::symlink_metadata(path).ok().filter(is_journal)?;
    let file = temporary::open_itself(path, OpenOptions::new().read(true)).ok()?;
    file.metadata().ok().filter(is_journal)?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(unix)]
fn bytes(path: &Path) -> io::Result<&[u8]> {
    Ok(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> io::Result<&[u8]> {
    let message = "has letters that are no Unicode";
    path.to_str().map(str::as_bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, message))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
