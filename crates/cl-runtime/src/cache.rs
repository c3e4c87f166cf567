//! Programs on disk. One file per program: magic, format version, header, the driver's binary, signature.
//!
//! A binary is native code that runs as this user. It is taken only from a folder that nobody else can change, and only if
//! it was signed with this user's secret. Anything else under its name is as good as nothing: the program is built.

use crate::cache_key::{self, Secret};
use crate::device::DeviceInfo;
use crate::element::ElementType;
use crate::error::{Result, RuntimeError};
use crate::private_folder::{Distrust, Listed, PrivateFolder, is_temporary};
use crate::signature::{KernelParam, KernelSignature, ParamKind, ParamType};
use crate::warning::warn_once;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The folder of the program cache.
pub const CACHE_DIR_VARIABLE: &str = "GRISTMILL_CACHE_DIR";
/// Bytes that the programs on disk may take together, as in `500M`.
pub const CACHE_SIZE_VARIABLE: &str = "GRISTMILL_CACHE_SIZE";
/// Set to anything but `0`: programs are neither read from disk nor written.
pub const NO_CACHE_VARIABLE: &str = "GRISTMILL_NO_CACHE";
/// Set to anything but `0`: a cache that fails is an error, not a warning. For CI.
pub const CACHE_STRICT_VARIABLE: &str = "GRISTMILL_CACHE_STRICT";

const MAGIC: [u8; 8] = *b"GRISTCLP";
/// Changes whenever the layout of a file, or what goes into the key, does.
const FORMAT: u32 = 2;
const EXTENSION: &str = "clprog";
/// Beside an entry: this driver has taken it since this machine was started.
const PROOF_EXTENSION: &str = "proven";
/// A temporary file this old belongs to no process that is still writing it.
const STALE: Duration = Duration::from_secs(3600);
/// Thousands of programs.
const DEFAULT_LIMIT: u64 = 256 << 20;

/// Where programs are kept on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCache {
    dir: PathBuf,
    strict: bool,
    limit: u64,
    /// `None`: the user has no folder for it.
    key_file: Option<PathBuf>,
}

/// One program on disk.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CacheEntry {
    /// Its file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub size: u64,
    /// When it was last written or loaded: the one that was not used for longest goes first when room is needed.
    pub used: Option<SystemTime>,
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
    /// Seconds since 1970 when it was written.
    pub written: u64,
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
    /// Cut off, changed after it was written, or written by somebody else.
    #[error("damaged, or written by somebody else: its signature is wrong")]
    Signature,
    /// Whole, but for another program: the file was renamed or copied.
    #[error("it holds another program than its name says")]
    OtherProgram,
    /// No file that only this user can have written.
    #[error("{0}")]
    Untrusted(Distrust),
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

    fn file(self) -> String {
        format!("{}.{EXTENSION}", self.hex())
    }

    fn proof_file(self) -> String {
        format!("{}.{PROOF_EXTENSION}", self.hex())
    }
}

/// What is read and written: the header and the driver's binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) content: CacheContent,
    pub(crate) binary: Vec<u8>,
}

/// A program from disk, and what proves that it is this one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Loaded {
    pub(crate) stored: Stored,
    signature: blake3::Hash,
}

impl ProgramCache {
    /// The cache in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> ProgramCache {
        ProgramCache { dir: dir.into(), strict: false, limit: DEFAULT_LIMIT, key_file: cache_key::default_file() }
    }

    /// Failures of the cache become errors instead of warnings.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> ProgramCache {
        self.strict = strict;
        self
    }

    /// Bytes that the programs may take together. What was not used for longest goes when there is more.
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> ProgramCache {
        self.limit = bytes;
        self
    }

    /// The file with the secret that signs the programs; otherwise `gristmill/program-cache.key` in the user's data folder.
    #[must_use]
    pub fn key_file(mut self, file: impl Into<PathBuf>) -> ProgramCache {
        self.key_file = Some(file.into());
        self
    }

    /// What the environment says: GRISTMILL_NO_CACHE, GRISTMILL_CACHE_DIR, else `gristmill/programs` in the user's cache
    /// folder; GRISTMILL_CACHE_SIZE. `None`: no cache.
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
        Some(ProgramCache::at(dir).strict(flag(CACHE_STRICT_VARIABLE)).limit(limit_from_env()))
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether failures are errors.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Bytes that the programs may take together.
    pub fn max_size(&self) -> u64 {
        self.limit
    }

    fn failed(&self, action: &'static str, name: &str, error: io::Error) -> RuntimeError {
        RuntimeError::Cache { action, path: self.dir.join(name), source: Arc::new(error) }
    }

    /// The folder, if it is there and nobody else can change it.
    fn open(&self) -> Result<Option<PrivateFolder>> {
        PrivateFolder::open(&self.dir).map_err(|e| self.unusable(e))
    }

    fn create(&self) -> Result<PrivateFolder> {
        PrivateFolder::create(&self.dir).map_err(|e| self.unusable(e))
    }

    fn unusable(&self, error: io::Error) -> RuntimeError {
        RuntimeError::Cache { action: "use", path: self.dir.clone(), source: Arc::new(error) }
    }

    fn secret(&self) -> Result<Secret> {
        let Some(file) = &self.key_file else {
            let error =
                io::Error::new(io::ErrorKind::NotFound, "there is no home folder for the key that signs programs");
            return Err(self.unusable(error));
        };
        Secret::read_or_make(file).map_err(|e| RuntimeError::Cache {
            action: "use the key",
            path: file.clone(),
            source: Arc::new(e),
        })
    }

    /// `Ok(None)`: there is no such entry. `Ok(Some(Err))`: there is one, but it is damaged, or not ours.
    pub(crate) fn load(&self, key: Key) -> Result<Option<std::result::Result<Loaded, Damage>>> {
        let Some(folder) = self.open()? else { return Ok(None) };
        let read = folder.read(&key.file()).map_err(|e| self.failed("read", &key.file(), e))?;
        let bytes = match read {
            None => return Ok(None),
            Some(Err(distrust)) => return Ok(Some(Err(Damage::Untrusted(distrust)))),
            Some(Ok(bytes)) => bytes,
        };
        let loaded = decode(&bytes, key, &self.secret()?);
        if loaded.is_ok() {
            // If it cannot be marked as used, it only goes earlier.
            let _ = folder.touch(&key.file());
        }
        Ok(Some(loaded))
    }

    /// Writes an entry, and removes others as room is needed.
    pub(crate) fn store(&self, key: Key, stored: &Stored) -> Result<()> {
        let bytes = encode(key, stored, &self.secret()?);
        if bytes.len() as u64 > self.limit {
            return Ok(());
        }
        let folder = self.create()?;
        folder.write(&key.file(), &bytes).map_err(|e| self.failed("write", &key.file(), e))?;
        self.make_room(&folder, key)
    }

    /// Removes what was not used for longest until the rest is within the limit, and what nobody needs any more.
    fn make_room(&self, folder: &PrivateFolder, newest: Key) -> Result<()> {
        let listed = folder.list().map_err(|e| self.unusable(e))?;
        // What cannot be removed, or is gone already, is no reason to fail: the next process tries again.
        let remove = |name: &str| drop(folder.remove(name));
        for file in listed.iter().filter(|f| is_temporary(&f.name) && is_stale(f.modified)) {
            remove(&file.name);
        }
        let mut entries: Vec<_> =
            listed.iter().filter(|f| !f.is_folder).filter_map(|f| Some((key_of(&f.name, EXTENSION)?, f))).collect();
        for file in &listed {
            if let Some(key) = key_of(&file.name, PROOF_EXTENSION)
                && !entries.iter().any(|(other, _)| *other == key)
            {
                remove(&file.name);
            }
        }
        entries.sort_by_key(|(key, file)| (*key == newest, file.modified));
        let mut total: u64 = entries.iter().map(|(_, file)| file.size).sum();
        for (key, file) in entries {
            if total <= self.limit || key == newest {
                break;
            }
            remove(&file.name);
            remove(&key.proof_file());
            total -= file.size;
        }
        Ok(())
    }

    /// Whether the driver took this entry before, on this machine since it was started.
    pub(crate) fn is_proven(&self, key: Key, loaded: &Loaded) -> Result<bool> {
        let Some(folder) = self.open()? else { return Ok(false) };
        let proof = proof_of(&self.secret()?, loaded);
        Ok(matches!(folder.read(&key.proof_file()), Ok(Some(Ok(bytes))) if bytes == proof.as_bytes()))
    }

    /// Remembers that it did.
    pub(crate) fn prove(&self, key: Key, loaded: &Loaded) -> Result<()> {
        let proof = proof_of(&self.secret()?, loaded);
        let name = key.proof_file();
        self.create()?.write(&name, proof.as_bytes()).map_err(|e| self.failed("write", &name, e))
    }

    /// Every entry, the last used first. Files that are not ours are left out. No folder: no entries.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] if the folder cannot be read, or others could change it.
    pub fn entries(&self) -> Result<Vec<CacheEntry>> {
        let Some(folder) = self.open()? else { return Ok(Vec::new()) };
        let listed = folder.list().map_err(|e| self.unusable(e))?;
        let ending = format!(".{EXTENSION}");
        // A folder is none of ours, unless it stands where an entry should be.
        let wanted = |f: &Listed| f.name.ends_with(&ending) && (!f.is_folder || key_of(&f.name, EXTENSION).is_some());
        let mut listed: Vec<_> = listed.into_iter().filter(wanted).collect();
        listed.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
        let mut entries = Vec::new();
        for file in listed {
            let content = match (folder.read(&file.name), key_of(&file.name, EXTENSION)) {
                // Another process has removed it meanwhile.
                (Ok(None), _) => continue,
                (Ok(Some(Ok(_))), None) => Err(Damage::NotOurs),
                (Ok(Some(Ok(bytes))), Some(key)) => decode(&bytes, key, &self.secret()?).map(|l| l.stored.content),
                (Ok(Some(Err(distrust))), _) => Err(Damage::Untrusted(distrust)),
                (Err(_), _) => Err(Damage::Signature),
            };
            entries.push(CacheEntry { path: self.dir.join(&file.name), size: file.size, used: file.modified, content });
        }
        Ok(entries)
    }

    /// Removes every entry, and what interrupted writers left. Returns how many programs and bytes went. Files that are
    /// not ours stay.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] for the first file that cannot be removed.
    pub fn clear(&self) -> Result<(usize, u64)> {
        let (mut count, mut bytes) = (0, 0);
        let Some(folder) = self.open()? else { return Ok((0, 0)) };
        for file in folder.list().map_err(|e| self.unusable(e))? {
            let is_entry = key_of(&file.name, EXTENSION).is_some();
            let is_rest =
                key_of(&file.name, PROOF_EXTENSION).is_some() || (is_temporary(&file.name) && is_stale(file.modified));
            if file.is_folder || !(is_entry || is_rest) {
                continue;
            }
            match folder.remove(&file.name) {
                Ok(()) if is_entry => (count, bytes) = (count + 1, bytes + file.size),
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(self.failed("remove", &file.name, e)),
            }
        }
        Ok((count, bytes))
    }

    /// Writes and removes a file, and reads the key. For `gristmill doctor`.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] with what failed.
    pub fn check_writable(&self) -> Result<()> {
        self.secret()?;
        let folder = self.create()?;
        let probe = format!("probe.{}", std::process::id());
        folder.write(&probe, b"").and_then(|()| folder.remove(&probe)).map_err(|e| self.failed("write", &probe, e))
    }

    /// A small file of another kind beside the programs, such as measurements. `None` if there is none.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] if it cannot be read, is not a regular file, or others could have written it.
    pub fn read_file(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(folder) = self.open()? else { return Ok(None) };
        let untrusted = |d| io::Error::new(io::ErrorKind::PermissionDenied, d);
        let content = folder.read(name).and_then(|content| content.transpose().map_err(untrusted));
        content.map_err(|e| self.failed("read", name, e))
    }

    /// Replaces a small file of another kind beside the programs, or makes it.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] if it cannot be written.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.create()?.write(name, bytes).map_err(|e| self.failed("write", name, e))
    }
}

/// What only this user could have written, and only since this machine was started.
fn proof_of(secret: &Secret, loaded: &Loaded) -> blake3::Hash {
    // Elsewhere than on Linux a proof outlives the machine's next start.
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    secret.sign(&[b"proof", loaded.signature.as_bytes(), &boot])
}

fn is_stale(modified: Option<SystemTime>) -> bool {
    modified.and_then(|t| t.elapsed().ok()).is_some_and(|age| age > STALE)
}

fn flag(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| !v.is_empty() && v != "0")
}

fn limit_from_env() -> u64 {
    match std::env::var(CACHE_SIZE_VARIABLE) {
        Ok(text) if !text.trim().is_empty() => parse_size(&text).unwrap_or_else(|| {
            warn_once(format!(
                "{CACHE_SIZE_VARIABLE} is `{text}`, but must be a number of bytes such as `500M` or `2G`; 256M is used"
            ));
            DEFAULT_LIMIT
        }),
        _ => DEFAULT_LIMIT,
    }
}

/// `500000`, `500K`, `500M`, `2G`, each with or without `B` or `iB`; powers of 1024.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim().to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The key in a name `KEY.EXTENSION`.
fn key_of(name: &str, extension: &str) -> Option<Key> {
    parse_key(name.strip_suffix(extension)?.strip_suffix('.')?)
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

fn encode(key: Key, stored: &Stored, secret: &Secret) -> Vec<u8> {
    let mut out = Vec::with_capacity(stored.binary.len() + 1024);
    out.extend(MAGIC);
    out.extend(FORMAT.to_le_bytes());
    out.extend(key.0);
    let c = &stored.content;
    for text in [&c.device, &c.platform, &c.driver, &c.options] {
        put(&mut out, text.as_bytes());
    }
    out.extend(c.written.to_le_bytes());
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
    let signature = secret.sign(&[b"program", &out]);
    out.extend(signature.as_bytes());
    out
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

fn decode(bytes: &[u8], key: Key, secret: &Secret) -> std::result::Result<Loaded, Damage> {
    if bytes.len() < MAGIC.len() + 4 || bytes[..MAGIC.len()] != MAGIC {
        return Err(Damage::NotOurs);
    }
    let mut reader = Reader { rest: &bytes[MAGIC.len()..] };
    if reader.take(4) != Some(&FORMAT.to_le_bytes()) {
        return Err(Damage::OtherFormat);
    }
    let Some((body, given)) = bytes.split_last_chunk::<32>() else { return Err(Damage::Signature) };
    let signature = secret.sign(&[b"program", body]);
    // Compared in constant time by blake3.
    if signature != blake3::Hash::from_bytes(*given) {
        return Err(Damage::Signature);
    }
    // Whoever made the signature made the rest; still, nothing below trusts a length.
    let stored_key = reader.take(32).ok_or(Damage::Signature)?;
    if key.0 != stored_key {
        return Err(Damage::OtherProgram);
    }
    reader.rest = &reader.rest[..reader.rest.len().saturating_sub(32)];
    let stored = reader.stored().ok_or(Damage::Signature)?;
    Ok(Loaded { stored, signature })
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
        let written = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
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
                    _ => ParamType::Number { scalar: ElementType::parse(&text)?, lanes },
                };
                params.push(KernelParam { name, kind, ty });
            }
            kernels.push(KernelSignature { name, params });
        }
        let count = self.count()?;
        let binary = self.take(count)?.to_vec();
        self.rest
            .is_empty()
            .then_some(Stored { content: CacheContent { device, platform, driver, options, written, kernels }, binary })
    }
}

impl CacheEntry {
    /// Seconds since 1970 when it was last used; 0 if unknown.
    pub fn used_unix(&self) -> u64 {
        self.used.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    fn stored() -> Stored {
        let kernels = vec![KernelSignature {
            name: "scale".into(),
            params: vec![
                KernelParam::input("x", ElementType::F64),
                KernelParam::value("n", ElementType::U64),
                KernelParam {
                    name: "p".into(),
                    kind: ParamKind::Local,
                    ty: ParamType::Number { scalar: ElementType::F32, lanes: 4 },
                },
                KernelParam { name: "q".into(), kind: ParamKind::Unknown, ty: ParamType::Named("point".into()) },
            ],
        }];
        let content = CacheContent {
            device: "d".into(),
            platform: "p".into(),
            driver: "1".into(),
            options: "-D X".into(),
            written: 1_700_000_000,
            kernels,
        };
        Stored { content, binary: (0..=255).collect() }
    }

    /// With a key of its own: the user's is not touched.
    fn cache_in(dir: &Path) -> ProgramCache {
        ProgramCache::at(dir.join("cache")).key_file(dir.join("data/key"))
    }

    fn loaded(cache: &ProgramCache, key: Key) -> Option<std::result::Result<Stored, Damage>> {
        cache.load(key).expect("readable").map(|l| l.map(|l| l.stored))
    }

    fn path(cache: &ProgramCache, key: Key) -> PathBuf {
        cache.dir().join(key.file())
    }

    #[test]
    fn what_is_stored_is_loaded_and_a_second_store_replaces_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = ProgramCache::at(dir.path().join("deep/er")).key_file(dir.path().join("data/key"));
        let key = Key([7; 32]);
        assert!(cache.load(key).expect("no folder is no entry").is_none());
        assert!(cache.entries().expect("no folder is no entry").is_empty());
        for byte in [1u8, 2] {
            let stored = Stored { binary: vec![byte; 9], ..stored() };
            cache.store(key, &stored).expect("a writable folder");
            assert_eq!(loaded(&cache, key), Some(Ok(stored)));
        }
        assert_eq!(fs::read_dir(cache.dir()).expect("a folder").count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_renamed_entry_is_not_another_program() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        cache.store(Key([1; 32]), &stored()).expect("a writable folder");
        fs::rename(path(&cache, Key([1; 32])), path(&cache, Key([2; 32]))).expect("renamed");
        assert_eq!(loaded(&cache, Key([2; 32])), Some(Err(Damage::OtherProgram)));
    }

    #[test]
    fn an_entry_that_was_signed_with_another_key_is_not_used() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        cache.clone().key_file(dir.path().join("other/key")).store(Key([1; 32]), &stored()).expect("writable");
        assert_eq!(loaded(&cache, Key([1; 32])), Some(Err(Damage::Signature)));
        assert_eq!(cache.entries().expect("readable")[0].content, Err(Damage::Signature));
        cache.store(Key([1; 32]), &stored()).expect("replaced");
        assert_eq!(loaded(&cache, Key([1; 32])), Some(Ok(stored())));
    }

    #[test]
    fn a_proof_holds_for_one_binary_and_one_key_only() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        let key = Key([1; 32]);
        let load = || cache.load(key).expect("readable").expect("there").expect("ours");
        cache.store(key, &stored()).expect("writable");
        assert!(!cache.is_proven(key, &load()).expect("readable"));
        cache.prove(key, &load()).expect("writable");
        assert!(cache.is_proven(key, &load()).expect("readable"));
        cache.store(key, &Stored { binary: vec![1], ..stored() }).expect("writable");
        assert!(!cache.is_proven(key, &load()).expect("readable"), "another binary");
        fs::write(cache.dir().join(key.proof_file()), [0; 32]).expect("writable");
        assert!(!cache.is_proven(key, &load()).expect("readable"), "not signed");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_under_an_entrys_name_are_replaced_and_never_followed_or_waited_for() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        let (key, precious) = (Key([1; 32]), dir.path().join("precious"));
        cache.store(key, &stored()).expect("writable");
        fs::rename(path(&cache, key), &precious).expect("moved");
        let before = fs::read(&precious).expect("readable");
        // The link leads to a right entry: it is refused all the same.
        std::os::unix::fs::symlink(&precious, path(&cache, key)).expect("made");
        assert_eq!(loaded(&cache, key), Some(Err(Damage::Untrusted(Distrust::NotAFile))));
        cache.store(key, &Stored { binary: vec![6; 66], ..stored() }).expect("replaced");
        assert_eq!(fs::read(&precious).expect("untouched"), before);
        fs::remove_file(path(&cache, key)).expect("removable");
        rustix::fs::mkfifoat(rustix::fs::CWD, path(&cache, key), rustix::fs::Mode::RWXU).expect("made");
        assert_eq!(loaded(&cache, key), Some(Err(Damage::Untrusted(Distrust::NotAFile))));
        assert_eq!(cache.entries().expect("not waited for").len(), 1);
        assert_eq!(cache.clear().expect("removable").0, 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_may_write_to_is_no_cache() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        cache.store(Key([1; 32]), &stored()).expect("writable");
        fs::set_permissions(cache.dir(), fs::Permissions::from_mode(0o777)).expect("ours");
        for error in [
            cache.load(Key([1; 32])).map(drop).expect_err("load"),
            cache.store(Key([1; 32]), &stored()).expect_err("store"),
            cache.entries().map(drop).expect_err("entries"),
            cache.clear().map(drop).expect_err("clear"),
            cache.check_writable().expect_err("check"),
            cache.read_file("crossover.json").map(drop).expect_err("read"),
        ] {
            assert_eq!(error.to_string(), format!("program cache: cannot use `{}`", cache.dir().display()));
            let cause = std::error::Error::source(&error).expect("a cause").to_string();
            assert_eq!(cause, "others may write to the folder (mode 777): `chmod go-w` mends it");
        }
    }

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let one = Stored { binary: vec![0; 1000], ..stored() };
        let size = encode(Key([0; 32]), &one, &Secret::of_byte(0)).len() as u64;
        let cache = cache_in(dir.path()).limit(3 * size);
        let (hour, now) = (Duration::from_secs(3600), SystemTime::now());
        for (byte, age) in [(1, 3), (2, 2), (3, 1)] {
            cache.store(Key([byte; 32]), &one).expect("writable");
            let file = fs::File::options().append(true).open(path(&cache, Key([byte; 32]))).expect("ours");
            file.set_modified(now - age * hour).expect("ours");
        }
        cache.load(Key([1; 32])).expect("readable").expect("there").expect("ours");
        cache
            .prove(Key([2; 32]), &cache.load(Key([3; 32])).expect("readable").expect("there").expect("ours"))
            .expect("writable");
        cache.store(Key([4; 32]), &one).expect("writable");
        let left: Vec<bool> = [1, 2, 3, 4].map(|b| path(&cache, Key([b; 32])).exists()).to_vec();
        assert_eq!(left, [true, false, true, true], "the second was not used since it was written");
        assert!(!cache.dir().join(Key([2; 32]).proof_file()).exists(), "its proof went with it");
        cache.clone().limit(size - 1).store(Key([5; 32]), &one).expect("not kept");
        assert_eq!(cache.entries().expect("readable").len(), 3, "what is too large alone displaces nothing");
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, size) in [
            ("0", Some(0)),
            ("1000", Some(1000)),
            ("2k", Some(2048)),
            (" 256 MiB ", Some(256 << 20)),
            ("3GB", Some(3 << 30)),
            ("1T", Some(1 << 40)),
            ("99999999T", None),
            ("", None),
            ("M", None),
            ("-1", None),
            ("1.5G", None),
            ("5 apples", None),
        ] {
            assert_eq!(parse_size(text), size, "{text}");
        }
    }

    #[test]
    fn clear_removes_our_files_and_no_others() {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = cache_in(dir.path());
        cache.store(Key([1; 32]), &stored()).expect("a writable folder");
        cache
            .prove(Key([1; 32]), &cache.load(Key([1; 32])).expect("readable").expect("there").expect("ours"))
            .expect("writable");
        fs::write(cache.dir().join("thesis.tex"), "years of work").expect("written");
        fs::write(cache.dir().join("notes.clprog"), "not a key").expect("written");
        fs::create_dir(cache.dir().join(Key([9; 32]).file())).expect("made");
        assert_eq!(cache.clear().expect("removable").0, 1);
        assert_eq!(fs::read_dir(cache.dir()).expect("a folder").count(), 3);
    }

    proptest! {
        #[test]
        fn one_changed_or_missing_byte_is_always_noticed(at in 0usize..600, flip in 1u8..=255, cut in any::<bool>()) {
            let (key, secret) = (Key([3; 32]), Secret::of_byte(1));
            let mut bytes = encode(key, &stored(), &secret);
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else { bytes[at] ^= flip }
            prop_assert!(decode(&bytes, key, &secret).is_err());
        }

        #[test]
        fn garbage_is_never_a_program(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (key, secret) = (Key([3; 32]), Secret::of_byte(1));
            let mut with_magic = MAGIC.to_vec();
            with_magic.extend(FORMAT.to_le_bytes());
            with_magic.extend(&bytes);
            prop_assert!(decode(&bytes, key, &secret).is_err());
            prop_assert!(decode(&with_magic, key, &secret).is_err());
        }
    }
}
