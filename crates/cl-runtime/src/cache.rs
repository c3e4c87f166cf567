//! Programs on disk. One file per program: magic, format version, header, the driver's binary, checksum.

use crate::device::DeviceInfo;
use crate::error::{Result, RuntimeError};
use crate::scalar::ScalarType;
use crate::signature::{KernelParam, KernelSignature, ParamKind, ParamType};
use gristmill_support::{AtomicFile, write_atomically};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The folder of the program cache.
pub const CACHE_DIR_VARIABLE: &str = "GRISTMILL_CACHE_DIR";
/// Set to anything but `0`: programs are neither read from disk nor written.
pub const NO_CACHE_VARIABLE: &str = "GRISTMILL_NO_CACHE";
/// Set to anything but `0`: a cache that fails is an error, not a warning. For CI.
pub const CACHE_STRICT_VARIABLE: &str = "GRISTMILL_CACHE_STRICT";

const MAGIC: [u8; 8] = *b"GRISTCLP";
/// Changes whenever the layout of a file, or what goes into the key, does.
const FORMAT: u32 = 1;
const EXTENSION: &str = "clprog";
/// A temporary file this old belongs to no process that is still writing it.
const STALE: Duration = Duration::from_secs(3600);

/// Where programs are kept on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCache {
    dir: PathBuf,
    strict: bool,
}

/// One program on disk.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CacheEntry {
    /// Its file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub size: u64,
    /// When it was written.
    pub modified: Option<SystemTime>,
    /// What it holds, or why it cannot be read.
    pub content: std::result::Result<CacheContent, Damage>,
}

/// What an entry says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheContent {
    /// The device it was built for.
    pub device: String,
    /// The device's platform.
    pub platform: String,
    /// The device's driver.
    pub driver: String,
    /// The options it was built with.
    pub options: String,
    /// Its kernels.
    pub kernels: Vec<KernelSignature>,
}

/// Why an entry cannot be used. It is rebuilt when its program is next needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Not a file of ours, or cut off before its header.
    #[error("not a cached program")]
    NotOurs,
    /// Written by another version.
    #[error("written in another format")]
    OtherFormat,
    /// Cut off, or changed after it was written.
    #[error("damaged: its checksum is wrong")]
    Checksum,
    /// Whole, but for another program: the file was renamed or copied.
    #[error("it holds another program than its name says")]
    OtherProgram,
    /// Whole, but the driver does not take it.
    #[error("the driver refuses it")]
    Refused,
}

/// Names a program: its text, options and everything that decides what the compiler makes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 32]);

impl Key {
    pub(crate) fn new(text: &str, options: &str, device: &DeviceInfo) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&MAGIC).update(&FORMAT.to_le_bytes());
        // Lengths keep ("ab", "c") and ("a", "bc") apart.
        for part in [
            text,
            options,
            &device.platform,
            &device.platform_version,
            &device.vendor,
            &device.name,
            &device.version,
            &device.driver,
            std::env::consts::ARCH,
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        Key(*hasher.finalize().as_bytes())
    }

    pub(crate) fn bytes(self) -> [u8; 32] {
        self.0
    }

    fn hex(self) -> String {
        self.0.iter().map(|b| format!("{b:02x}")).collect()
    }
}

/// What is read and written: the header and the driver's binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) content: CacheContent,
    pub(crate) binary: Vec<u8>,
}

impl ProgramCache {
    /// The cache in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> ProgramCache {
        ProgramCache { dir: dir.into(), strict: false }
    }

    /// Failures of the cache become errors instead of warnings.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> ProgramCache {
        self.strict = strict;
        self
    }

    /// What the environment says: GRISTMILL_NO_CACHE, GRISTMILL_CACHE_DIR, else `gristmill/programs` in the user's cache
    /// folder. `None`: no cache.
    pub fn from_env() -> Option<ProgramCache> {
        if flag(NO_CACHE_VARIABLE) { None } else { ProgramCache::location() }
    }

    /// As [`ProgramCache::from_env`], but where the cache would be even if GRISTMILL_NO_CACHE is set.
    pub fn location() -> Option<ProgramCache> {
        let dir = match std::env::var_os(CACHE_DIR_VARIABLE) {
            Some(dir) if !dir.is_empty() => PathBuf::from(dir),
            _ => {
                use etcetera::BaseStrategy;
                etcetera::choose_base_strategy().ok()?.cache_dir().join("gristmill").join("programs")
            }
        };
        Some(ProgramCache { dir, strict: flag(CACHE_STRICT_VARIABLE) })
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether failures are errors.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    fn path(&self, key: Key) -> PathBuf {
        self.dir.join(key.hex()).with_extension(EXTENSION)
    }

    /// `Ok(None)`: there is no such entry. `Ok(Some(Err))`: there is one, but it is damaged.
    pub(crate) fn load(&self, key: Key) -> Result<Option<std::result::Result<Stored, Damage>>> {
        let path = self.path(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(failed("read", path, e)),
        };
        Ok(Some(decode(&bytes, Some(key))))
    }

    /// Writes a whole new file and moves it into place, so that nobody ever sees a part of it.
    pub(crate) fn store(&self, key: Key, stored: &Stored) -> Result<()> {
        create_private(&self.dir).map_err(|e| failed("create", self.dir.clone(), e))?;
        let path = self.path(key);
        write_atomically(&path, &encode(key, stored)).map_err(|e| failed("write", path, e))
    }

    /// Every entry, newest first. Files that are not ours are left out. No folder: no entries.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] if the folder cannot be read.
    pub fn entries(&self) -> Result<Vec<CacheEntry>> {
        let mut entries = Vec::new();
        for path in self.files(|name| name.ends_with(&format!(".{EXTENSION}")))? {
            // Another process may have removed it meanwhile.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let mut bytes = Vec::new();
            let read = fs::File::open(&path).and_then(|mut f| f.read_to_end(&mut bytes));
            let key = path.file_stem().and_then(|s| s.to_str()).and_then(parse_key);
            let content = match (read, key) {
                (Ok(_), Some(key)) => decode(&bytes, Some(key)).map(|s| s.content),
                (Ok(_), None) => Err(Damage::NotOurs),
                (Err(_), _) => Err(Damage::Checksum),
            };
            entries.push(CacheEntry { path, size: metadata.len(), modified: metadata.modified().ok(), content });
        }
        entries.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
        Ok(entries)
    }

    /// Removes every entry, and what interrupted writers left. Returns how many files and bytes went. Files that are not
    /// ours stay.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] for the first file that cannot be removed.
    pub fn clear(&self) -> Result<(usize, u64)> {
        let (mut count, mut bytes) = (0, 0);
        let ours = |name: &str| {
            name.strip_suffix(&format!(".{EXTENSION}")).is_some_and(|stem| parse_key(stem).is_some())
                || is_temporary(name)
        };
        for path in self.files(ours)? {
            if path.file_name().is_some_and(|n| is_temporary(&n.to_string_lossy())) && !stale(&path) {
                continue;
            }
            let size = fs::metadata(&path).map_or(0, |m| m.len());
            match fs::remove_file(&path) {
                Ok(()) => (count, bytes) = (count + 1, bytes + size),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(failed("remove", path, e)),
            }
        }
        Ok((count, bytes))
    }

    fn files(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
        let listing = match fs::read_dir(&self.dir) {
            Ok(listing) => listing,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(failed("read", self.dir.clone(), e)),
        };
        let mut files = Vec::new();
        for entry in listing {
            let entry = entry.map_err(|e| failed("read", self.dir.clone(), e))?;
            if entry.file_name().to_str().is_some_and(&wanted) && entry.file_type().is_ok_and(|t| t.is_file()) {
                files.push(entry.path());
            }
        }
        Ok(files)
    }

    /// Tries to write and remove a file. For `gristmill doctor`.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] with what failed.
    pub fn check_writable(&self) -> Result<()> {
        create_private(&self.dir).map_err(|e| failed("create", self.dir.clone(), e))?;
        // Never committed, so that nothing is left.
        AtomicFile::create(&self.dir.join("probe")).map(drop).map_err(|e| failed("write", self.dir.clone(), e))
    }
}

/// Whether it is a file that was being written: by a process that is at it, or by one that was killed.
fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

fn stale(path: &Path) -> bool {
    fs::metadata(path).and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok()).is_some_and(|age| age > STALE)
}

fn flag(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| !v.is_empty() && v != "0")
}

fn failed(action: &'static str, path: PathBuf, error: io::Error) -> RuntimeError {
    RuntimeError::Cache { action, path, source: Arc::new(error) }
}

/// Binaries are native code: on Unix nobody else may write to a folder that we make.
fn create_private(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

fn parse_key(hex: &str) -> Option<Key> {
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(Key(key))
}

fn encode(key: Key, stored: &Stored) -> Vec<u8> {
    let mut out = Vec::with_capacity(stored.binary.len() + 1024);
    out.extend(MAGIC);
    out.extend(FORMAT.to_le_bytes());
    out.extend(key.0);
    let c = &stored.content;
    for text in [&c.device, &c.platform, &c.driver, &c.options] {
        put(&mut out, text.as_bytes());
    }
    put_count(&mut out, c.kernels.len());
    for kernel in &c.kernels {
        put(&mut out, kernel.name.as_bytes());
        put_count(&mut out, kernel.params.len());
        for param in &kernel.params {
            put(&mut out, param.name.as_bytes());
            out.push(match param.kind {
                ParamKind::Value => 0,
                ParamKind::Global { read_only: false } => 1,
                ParamKind::Global { read_only: true } => 2,
                ParamKind::Constant => 3,
                ParamKind::Local => 4,
                ParamKind::Unknown => 5,
            });
            match &param.ty {
                ParamType::Number { scalar, lanes } => {
                    out.push(*lanes);
                    put(&mut out, scalar.c_name().as_bytes());
                }
                ParamType::Named(name) => {
                    out.push(0);
                    put(&mut out, name.as_bytes());
                }
            }
        }
    }
    put(&mut out, &stored.binary);
    let checksum = blake3::hash(&out);
    out.extend(checksum.as_bytes());
    out
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

fn decode(bytes: &[u8], key: Option<Key>) -> std::result::Result<Stored, Damage> {
    if bytes.len() < MAGIC.len() + 4 || bytes[..MAGIC.len()] != MAGIC {
        return Err(Damage::NotOurs);
    }
    let mut reader = Reader { rest: &bytes[MAGIC.len()..] };
    if reader.take(4) != Some(&FORMAT.to_le_bytes()) {
        return Err(Damage::OtherFormat);
    }
    let Some(body_len) = bytes.len().checked_sub(32) else { return Err(Damage::Checksum) };
    let (body, checksum) = bytes.split_at(body_len);
    if blake3::hash(body).as_bytes() != checksum {
        return Err(Damage::Checksum);
    }
    // Whoever made the checksum made the rest; still, nothing below trusts a length.
    let stored_key = reader.take(32).ok_or(Damage::Checksum)?;
    if key.is_some_and(|k| k.0 != stored_key) {
        return Err(Damage::OtherProgram);
    }
    reader.rest = &reader.rest[..reader.rest.len().saturating_sub(32)];
    reader.stored().ok_or(Damage::Checksum)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn count(&mut self) -> Option<usize> {
        let bytes: [u8; 8] = self.take(8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    }

    fn text(&mut self) -> Option<String> {
        let count = self.count()?;
        String::from_utf8(self.take(count)?.to_vec()).ok()
    }

    fn stored(&mut self) -> Option<Stored> {
        let (device, platform, driver, options) = (self.text()?, self.text()?, self.text()?, self.text()?);
        let mut kernels = Vec::new();
        for _ in 0..self.count()? {
            let name = self.text()?;
            let mut params = Vec::new();
            for _ in 0..self.count()? {
                let name = self.text()?;
                let kind = match self.take(1)?[0] {
                    0 => ParamKind::Value,
                    1 => ParamKind::Global { read_only: false },
                    2 => ParamKind::Global { read_only: true },
                    3 => ParamKind::Constant,
                    4 => ParamKind::Local,
                    5 => ParamKind::Unknown,
                    _ => return None,
                };
                let lanes = self.take(1)?[0];
                let text = self.text()?;
                let ty = match lanes {
                    0 => ParamType::Named(text),
                    _ => ParamType::Number { scalar: ScalarType::parse(&text)?, lanes },
                };
                params.push(KernelParam { name, kind, ty });
            }
            kernels.push(KernelSignature { name, params });
        }
        let count = self.count()?;
        let binary = self.take(count)?.to_vec();
        self.rest
            .is_empty()
            .then_some(Stored { content: CacheContent { device, platform, driver, options, kernels }, binary })
    }
}

impl CacheEntry {
    /// Seconds since 1970 when it was written; 0 if unknown.
    pub fn modified_unix(&self) -> u64 {
        self.modified.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stored() -> Stored {
        let kernels = vec![KernelSignature {
            name: "scale".into(),
            params: vec![
                KernelParam::input("x", ScalarType::F64),
                KernelParam::value("n", ScalarType::U64),
                KernelParam {
                    name: "p".into(),
                    kind: ParamKind::Local,
                    ty: ParamType::Number { scalar: ScalarType::F32, lanes: 4 },
                },
                KernelParam { name: "q".into(), kind: ParamKind::Unknown, ty: ParamType::Named("point".into()) },
            ],
        }];
        let content = CacheContent {
            device: "d".into(),
            platform: "p".into(),
            driver: "1".into(),
            options: "-D X".into(),
            kernels,
        };
        Stored { content, binary: (0..=255).collect() }
    }

    #[test]
    fn what_is_stored_is_loaded_and_a_second_store_replaces_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = ProgramCache::at(dir.path().join("deep/er"));
        let key = Key([7; 32]);
        assert!(cache.load(key).expect("no folder is no entry").is_none());
        assert!(cache.entries().expect("no folder is no entry").is_empty());
        for byte in [1u8, 2] {
            let stored = Stored { binary: vec![byte; 9], ..stored() };
            cache.store(key, &stored).expect("a writable folder");
            assert_eq!(cache.load(key).expect("readable"), Some(Ok(stored)));
        }
        assert_eq!(fs::read_dir(cache.dir()).expect("a folder").count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_renamed_entry_is_not_another_program() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = ProgramCache::at(dir.path());
        cache.store(Key([1; 32]), &stored()).expect("a writable folder");
        fs::rename(cache.path(Key([1; 32])), cache.path(Key([2; 32]))).expect("renamed");
        assert_eq!(cache.load(Key([2; 32])).expect("readable"), Some(Err(Damage::OtherProgram)));
    }

    #[test]
    fn clear_removes_our_files_and_no_others() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = ProgramCache::at(dir.path());
        cache.store(Key([1; 32]), &stored()).expect("a writable folder");
        fs::write(dir.path().join("thesis.tex"), "years of work").expect("written");
        fs::write(dir.path().join("notes.clprog"), "not a key").expect("written");
        fs::create_dir(dir.path().join(format!("{}.clprog", Key([9; 32]).hex()))).expect("made");
        assert_eq!(cache.clear().expect("removable").0, 1);
        assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 3);
    }

    proptest! {
        #[test]
        fn one_changed_or_missing_byte_is_always_noticed(at in 0usize..600, flip in 1u8..=255, cut in any::<bool>()) {
            let key = Key([3; 32]);
            let mut bytes = encode(key, &stored());
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else { bytes[at] ^= flip }
            prop_assert!(decode(&bytes, Some(key)).is_err());
        }

        #[test]
        fn garbage_is_never_a_program(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut with_magic = MAGIC.to_vec();
            with_magic.extend(FORMAT.to_le_bytes());
            with_magic.extend(&bytes);
            prop_assert!(decode(&bytes, None).is_err());
            prop_assert!(decode(&with_magic, None).is_err());
        }
    }
}
