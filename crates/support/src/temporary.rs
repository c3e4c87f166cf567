//! Temporary names beside outputs, and what is left of those whose process was killed.
//!
//! A name is `.OUTPUT.PROCESS-START-COUNT.KIND`: START is when the process began, so that a process that later gets the same
//! number is not taken for it. Something is a left-over if that process is not alive and nobody holds the lock that its
//! maker took: the lock also protects the outputs of processes that this machine cannot see, in another container or on
//! another host of a network file system.

use crate::destination::folder_of;
use crate::unfinished::{remove, unfinished};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A file or folder that is being made, or an old one about to go.
pub(crate) const PART: &str = "part";
/// A folder that was moved aside because it cannot be exchanged in one step.
pub(crate) const ASIDE: &str = "old";
/// A folder of files that change together, with a journal once that has begun: see `journal.rs`.
pub(crate) const SET: &str = "set";

/// Longer names are cut, and told apart by a number behind. File systems take 255 bytes, some with encryption 143.
const LONGEST: usize = 64;
/// More than as many names as one process could possibly find taken.
const ATTEMPTS: u32 = 100;

/// Makes something temporary beside `path` by `make`, and enters it among the unfinished things.
///
/// # Errors
/// What `make` gives, or if every name is taken.
pub(crate) fn make_beside<T>(
    path: &Path,
    kind: &str,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "names no file"));
    };
    let mut unfinished = unfinished();
    for _ in 0..ATTEMPTS {
        let temporary = path.with_file_name(new_name(name, kind));
        match make(&temporary) {
            Ok(made) => {
                unfinished.insert(temporary.clone());
                return Ok((temporary, made));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(explain(path, e)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "every temporary name beside it is taken"))
}

/// Takes the lock that says that a new file is somebody's. `AlreadyExists` if it was taken for a left-over in the moment
/// between: then another name has to do. Where there are no locks, nothing is ever taken for a left-over.
pub(crate) fn claim(file: &File) -> io::Result<()> {
    let is_lost = || io::Error::from(io::ErrorKind::AlreadyExists);
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(is_lost()),
        Err(TryLockError::Error(_)) => Ok(()),
        #[cfg(unix)]
        Ok(()) if std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0 => Err(is_lost()),
        Ok(()) => Ok(()),
    }
}

/// The error of a folder that takes no new names says so: it is not the output itself that is protected.
fn explain(path: &Path, error: io::Error) -> io::Error {
    let folder = folder_of(path);
    let why = match error.kind() {
        io::ErrorKind::PermissionDenied => "does not allow it",
        io::ErrorKind::ReadOnlyFilesystem => "is on a read-only file system",
        _ => return error,
    };
    let message = format!("an output is first written beside its name, and the folder `{}` {why}", folder.display());
    io::Error::new(error.kind(), message)
}

fn new_name(name: &OsStr, kind: &str) -> OsString {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut new = OsString::from(".");
    new.push(stem(name));
    new.push(format!(".{}-{}-{count}.{kind}", std::process::id(), own_start()));
    new
}

/// How an output is called in the names of what is temporary beside it.
fn stem(name: &OsStr) -> OsString {
    if name.len() <= LONGEST {
        return name.into();
    }
    let mut stem = head(name);
    stem.push(format!("~{:016x}", hash(name.as_encoded_bytes())));
    stem
}

/// The first letters of a name, whole ones where it is text: not every file system takes half of one.
fn head(name: &OsStr) -> OsString {
    match name.to_str() {
        Some(text) => text[..text.floor_char_boundary(LONGEST)].into(),
        #[cfg(unix)]
        None => {
            use std::os::unix::ffi::OsStrExt;
            OsStr::from_bytes(&name.as_bytes()[..LONGEST]).into()
        }
        #[cfg(not(unix))]
        None => OsString::new(),
    }
}

/// FNV-1a: the same in every version of this program, as `DefaultHasher` need not be.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// What a temporary name tells: for which output, by whom, and its kind.
#[derive(Clone, Copy)]
struct Made<'a> {
    stem: &'a [u8],
    process: u32,
    start: u64,
    kind: &'a str,
}

fn parse(name: &OsStr) -> Option<Made<'_>> {
    let bytes = name.as_encoded_bytes().strip_prefix(b".")?;
    let mut parts = bytes.rsplitn(3, |b| *b == b'.');
    let kind = std::str::from_utf8(parts.next()?).ok().filter(|k| [PART, ASIDE, SET].contains(k))?;
    let mut numbers = std::str::from_utf8(parts.next()?).ok()?.split('-');
    let (process, start) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    numbers.next()?.parse::<u32>().ok()?;
    let stem = parts.next()?;
    numbers.next().is_none().then_some(Made { stem, process, start, kind })
}

/// Whether `temporary` is a name that this module made for something beside `name`.
pub(crate) fn is_name_beside(temporary: &OsStr, name: &OsStr) -> bool {
    parse(temporary).is_some_and(|made| made.stem == stem(name).as_encoded_bytes())
}

/// When this process began, in the system's ticks; 0 where that is not told.
fn own_start() -> u64 {
    static START: OnceLock<u64> = OnceLock::new();
    *START.get_or_init(|| start_of("self").unwrap_or(0))
}

/// `None` if there is no such process, or it is only waiting to be buried.
fn start_of(process: &str) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The command's name, in brackets, may hold anything. Behind it: the state, then 18 numbers, then the start.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") { None } else { fields.nth(18)?.parse().ok() }
}

impl Made<'_> {
    /// Where the system does not say who is alive, the lock alone decides.
    fn is_alive(&self) -> bool {
        (self.process, self.start) == (std::process::id(), own_start())
            || start_of(&self.process.to_string()) == Some(self.start)
    }
}

/// Opens something temporary whose maker is dead, and keeps anybody else from doing so: `None` if it is not left over.
pub(crate) fn seize(path: &Path) -> Option<File> {
    if parse(path.file_name()?)?.is_alive() {
        return None;
    }
    let found = fs::symlink_metadata(path).ok().filter(|m| m.is_file() || m.is_dir())?;
    let file = open_itself(path, OpenOptions::new().read(true).write(found.is_file())).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Opens what is under a name itself. Whoever puts a link or a pipe there must neither lead us elsewhere nor make us wait.
pub(crate) fn open_itself(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits() as i32);
    }
    options.open(path)
}

/// Removes what killed processes left beside an output, and completes what they had begun to rename there.
/// It never fails: what cannot be removed stays.
///
/// The folder is read once in the life of the process; no other name in it is looked at.
pub(crate) fn sweep(path: &Path) {
    let Some(name) = path.file_name() else { return };
    for left in left_in(folder_of(path)).iter().filter(|left| is_name_beside(left, name)) {
        discard(path, &path.with_file_name(left));
    }
}

/// Removes one left-over of an output, or moves it back where that is what is missing.
pub(crate) fn discard(path: &Path, left: &Path) {
    let kind = left.file_name().and_then(parse).map(|made| made.kind);
    let Some(_lock) = seize(left) else { return };
    if kind == Some(ASIDE) && fs::symlink_metadata(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
        // The process was killed between moving the old folder aside and moving the new one in.
        let _ = fs::rename(left, path);
    } else if kind != Some(SET) {
        remove(left);
    }
}

/// The temporary names in a folder, as they were when it was first looked at. Unfinished renames there are completed first:
/// the files that they wait for would else be taken for rubbish.
fn left_in(folder: &Path) -> Vec<OsString> {
    static SEEN: Mutex<Option<HashMap<PathBuf, Vec<OsString>>>> = Mutex::new(None);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = seen.get_or_insert_default();
    if let Some(names) = seen.get(folder) {
        return names.clone();
    }
    let names = read(folder);
    settle(folder, &names);
    seen.insert(folder.to_path_buf(), names.clone());
    names
}

fn read(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).filter(|name| parse(name).is_some()).collect()
}

fn settle(folder: &Path, names: &[OsString]) {
    for name in names.iter().filter(|name| parse(name).is_some_and(|made| made.kind == SET)) {
        crate::journal::settle(&folder.join(name));
    }
}

/// Completes the renames in a folder that [`crate::AtomicFiles`] of a killed process had begun. Whoever reads several files
/// of a folder that belong together calls this first; whoever writes there has it done. It never fails: what cannot be
/// completed stays for the next.
pub fn complete_interrupted(folder: &Path) {
    settle(folder, &read(folder));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_recognised_only_beside_its_own_output() {
        for name in ["out.csv", "a.1-2-3.part", "größe", ".hidden", &"x".repeat(250), &"é".repeat(125)] {
            let name = OsStr::new(name);
            let temporary = new_name(name, PART);
            assert!(temporary.len() <= 143, "{temporary:?}");
            assert!(is_name_beside(&temporary, name), "{temporary:?}");
            assert!(!is_name_beside(&temporary, OsStr::new("out")), "{temporary:?}");
            assert!(parse(&temporary).is_some_and(|m| m.process == std::process::id() && m.kind == PART));
        }
        let (a, b) = (format!("{}a", "x".repeat(249)), format!("{}b", "x".repeat(249)));
        assert!(!is_name_beside(&new_name(a.as_ref(), PART), b.as_ref()), "told apart by what was cut off");
        for other in
            [".out.csv.part", "out.csv.1-2-3.part", ".out.csv.1-2.part", ".out.csv.1-2-3-4.part", ".1-2-3.part"]
        {
            assert!(parse(OsStr::new(other)).is_none(), "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_a_name() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [b"\xff\xfe.csv".to_vec(), vec![0xff; 250]] {
            let name = OsStr::from_bytes(&bytes);
            assert!(is_name_beside(&new_name(name, PART), name));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_with_the_number_of_another_is_another() {
        let own = Made { stem: b"out", process: std::process::id(), start: own_start(), kind: PART };
        assert!(own.is_alive() && own_start() > 0);
        assert!(!Made { start: own_start() + 1, ..own }.is_alive());
        assert!(!Made { process: u32::MAX, start: 1, ..own }.is_alive());
    }
}
