//! Text to program: built once, found again in memory or on disk, tried before a driver is trusted with it.

use crate::build_log::{self, BuildFailure, Message, Severity};
use crate::cache::{CacheContent, Key, ProgramCache, Stored};
use crate::context::Device;
use crate::error::{Named, Result, RuntimeError};
use crate::kernel::{DeviceKernel, KernelInner};
use crate::options;
use crate::quirks::{FEW_KERNELS, Quirks};
use crate::raw;
use crate::signature::{KernelSignature, ParamKind};
use crate::trial;
use crate::warning::warn_once;
use std::collections::HashMap;
use std::error::Error;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Where a program came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Compiled from its text now.
    Built,
    /// Loaded from the cache on disk.
    DiskCache,
}

/// A program built for a device. Cheap to clone; usable from every thread.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) device: Device,
    pub(crate) inner: Arc<ProgramInner>,
}

#[derive(Debug)]
pub(crate) struct ProgramInner {
    kernels: Mutex<HashMap<String, Arc<KernelInner>>>,
    names: Vec<String>,
    /// From the cache; a driver need not know them for a binary.
    signatures: Vec<KernelSignature>,
    raw: raw::Program,
    origin: Origin,
    time: Duration,
    warnings: Vec<Message>,
    key: Key,
    options: String,
    /// To be written to disk after the next launch.
    pending: AtomicBool,
}

impl Device {
    /// Builds a program, or returns the one that this process has built from the same text and options, or loads it from
    /// the cache on disk.
    ///
    /// `text` is compiled and run as it is: it must be trusted as a native library is. What the same bits need is added to
    /// `options`; options that let the compiler change results are refused.
    ///
    /// # Errors
    /// [`RuntimeError::Build`] with the compiler's messages, [`RuntimeError::UnsafeOption`], or what the driver says.
    pub fn build(&self, text: &str, options: &str) -> Result<Program> {
        let options = options::complete(options, self.info())?;
        let key = Key::new(text, &options, self.info());
        let slot =
            Arc::clone(self.0.programs.lock().unwrap_or_else(PoisonError::into_inner).entry(key.bytes()).or_default());
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = &*slot {
            return Ok(Program { device: self.clone(), inner: Arc::clone(inner) });
        }
        let cache = self.cache();
        let loaded = match &cache {
            Some(cache) => self.load(cache, key, &options)?,
            None => None,
        };
        let program = match loaded {
            Some(inner) => Program { device: self.clone(), inner: Arc::new(inner) },
            None => {
                let program = Program { device: self.clone(), inner: Arc::new(self.compile(text, key, options)?) };
                if let Some(cache) = &cache {
                    let costly = Quirks::of(self.info()).binary_is_costly;
                    if !costly {
                        gently(cache, program.store(cache))?;
                    } else if program.inner.names.len() <= FEW_KERNELS {
                        program.inner.pending.store(true, Ordering::Relaxed);
                    }
                }
                program
            }
        };
        *slot = Some(Arc::clone(&program.inner));
        Ok(program)
    }

    /// How many programs this process holds for this device.
    pub fn built_programs(&self) -> usize {
        self.0.programs.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Lets go of the programs that this process holds for this device; those in use stay until they are dropped.
    pub fn forget_programs(&self) {
        self.0.programs.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// From disk. A damaged entry, or one that the driver refuses, is as good as none: it is replaced.
    fn load(&self, cache: &ProgramCache, key: Key, options: &str) -> Result<Option<ProgramInner>> {
        let start = Instant::now();
        let Some(Some(Ok(loaded))) = gently(cache, cache.load(key))? else { return Ok(None) };
        if Quirks::of(self.info()).bad_binary_crashes && !gently(cache, cache.is_proven(key, &loaded))?.unwrap_or(false)
        {
            if !trial::passes(self, options, &loaded.stored.binary) {
                return Ok(None);
            }
            gently(cache, cache.prove(key, &loaded))?;
        }
        let stored = loaded.stored;
        let c_options = c_string(options, "build options")?;
        let built = raw::Program::from_binary(&self.0.context, self.info().id, &stored.binary)
            .and_then(|raw| raw.build(self.info().id, &c_options).named("clBuildProgram").map(|()| raw))
            .and_then(|raw| Ok((raw.kernel_names()?, raw)));
        let Ok((names, raw)) = built else { return Ok(None) };
        Ok(Some(ProgramInner {
            kernels: Mutex::default(),
            names,
            signatures: stored.content.kernels,
            raw,
            origin: Origin::DiskCache,
            time: start.elapsed(),
            warnings: Vec::new(),
            key,
            options: options.to_string(),
            pending: AtomicBool::new(false),
        }))
    }

    fn compile(&self, text: &str, key: Key, options: String) -> Result<ProgramInner> {
        let start = Instant::now();
        if let Some(at) = text.find('\0') {
            return Err(RuntimeError::Nul { what: "program text", at });
        }
        let c_options = c_string(&options, "build options")?;
        let Attempt { program: raw, built, log, messages } = with_second_try(|| {
            let program = raw::Program::from_source(&self.0.context, text)?;
            let built = program.build(self.info().id, &c_options);
            let log = program.log(self.info().id);
            let messages = build_log::read(&log, text);
            Ok(Attempt { program, built, log, messages })
        })?;
        let time = start.elapsed();
        match built {
            Ok(()) => {}
            Err(code) if code != crate::constants::failure::BUILD_PROGRAM_FAILURE && log.is_empty() => {
                return Err(code).named("clBuildProgram");
            }
            Err(_) => {
                return Err(RuntimeError::Build(Box::new(BuildFailure { device: self.info().label(), messages, log })));
            }
        }
        let names = raw.kernel_names()?;
        Ok(ProgramInner {
            kernels: Mutex::default(),
            names,
            signatures: Vec::new(),
            raw,
            origin: Origin::Built,
            time,
            warnings: messages,
            key,
            options,
            pending: AtomicBool::new(false),
        })
    }
}

/// What came of building a program.
struct Attempt<P> {
    program: P,
    /// The driver's code, if it failed.
    built: std::result::Result<(), i32>,
    log: String,
    messages: Vec<Message>,
}

/// Builds once more if the compiler found nothing wrong and it failed all the same: many processes that start at once
/// stumble over each other in the driver's own cache. The second time what they wrote is there.
fn with_second_try<P>(mut build: impl FnMut() -> Result<Attempt<P>>) -> Result<Attempt<P>> {
    let first = build()?;
    let is_at_fault = first.messages.iter().any(|m| m.severity == Severity::Error);
    if first.built.is_ok() || is_at_fault { Ok(first) } else { build() }
}

/// A cache that fails is a warning, unless it is strict.
fn gently<T>(cache: &ProgramCache, result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ RuntimeError::Cache { .. }) if !cache.is_strict() => {
            // Reading and writing fail for the same reason: it is said once.
            static SAID: std::sync::Once = std::sync::Once::new();
            let cause = error.source().map(|c| format!(": {c}")).unwrap_or_default();
            SAID.call_once(|| {
                warn_once(format!(
                    "{error}{cause}; programs are compiled anew in every process (GRISTMILL_NO_CACHE=1 silences this)"
                ));
            });
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

impl Program {
    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its kernels, sorted.
    pub fn kernel_names(&self) -> &[String] {
        &self.inner.names
    }

    /// Where it came from.
    pub fn origin(&self) -> Origin {
        self.inner.origin
    }

    /// How long building or loading took. Some drivers compile a kernel only when it is first launched.
    pub fn build_time(&self) -> Duration {
        self.inner.time
    }

    /// What the compiler said, if it was built now.
    pub fn warnings(&self) -> &[Message] {
        &self.inner.warnings
    }

    /// One of its kernels.
    ///
    /// # Errors
    /// [`RuntimeError::NoKernel`], or what the driver says.
    pub fn kernel(&self, name: &str) -> Result<DeviceKernel> {
        let mut kernels = self.inner.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = kernels.get(name) {
            return Ok(DeviceKernel { program: self.clone(), inner: Arc::clone(inner) });
        }
        if !self.inner.names.iter().any(|n| n == name) {
            return Err(RuntimeError::NoKernel { name: name.to_string(), available: self.inner.names.clone() });
        }
        let raw = raw::Kernel::new(&self.inner.raw, &c_string(name, "kernel name")?)?;
        let mut signature = KernelSignature::of(&raw, name)?;
        if let Some(stored) =
            self.inner.signatures.iter().find(|s| s.name == name && s.params.len() == signature.params.len())
        {
            signature = stored.clone();
        }
        let inner = Arc::new(KernelInner::new(raw, signature, self.device.info().id));
        kernels.insert(name.to_string(), Arc::clone(&inner));
        Ok(DeviceKernel { program: self.clone(), inner })
    }

    /// One of its kernels, with a signature that the caller knows (from `#[kernel]`). Launches are checked against it.
    ///
    /// # Errors
    /// [`RuntimeError::SignatureMismatch`] if the compiled kernel is another, and as [`Program::kernel`].
    pub fn kernel_with(&self, signature: &KernelSignature) -> Result<DeviceKernel> {
        let kernel = self.kernel(&signature.name)?;
        let compiled = kernel.signature();
        let agree = compiled.params.len() == signature.params.len()
            && compiled.params.iter().zip(&signature.params).all(|(c, g)| {
                c.kind == ParamKind::Unknown || (c.kind == g.kind && (c.ty == g.ty || c.ty.alignment().is_none()))
            });
        if !agree {
            return Err(RuntimeError::SignatureMismatch {
                kernel: signature.name.clone(),
                given: signature.to_string(),
                compiled: compiled.to_string(),
            });
        }
        let inner = kernel.inner.with_signature(signature.clone());
        Ok(DeviceKernel { program: self.clone(), inner: Arc::new(inner) })
    }

    /// Writes it to the cache on disk now, also where that is costly (PoCL). `Ok(false)`: there is no cache, or it failed
    /// and is not strict.
    ///
    /// # Errors
    /// [`RuntimeError::Cache`] if the cache is strict, or what the driver says.
    pub fn save(&self) -> Result<bool> {
        match self.device.cache() {
            Some(cache) => Ok(gently(&cache, self.store(&cache))?.is_some()),
            None => Ok(false),
        }
    }

    fn store(&self, cache: &ProgramCache) -> Result<()> {
        self.inner.pending.store(false, Ordering::Relaxed);
        // All kernels exist before the binary is taken: some drivers put only those into it.
        let kernels = self
            .inner
            .names
            .iter()
            .map(|n| self.kernel(n).map(|k| k.signature().clone()))
            .collect::<Result<Vec<_>>>()?;
        let binary = self.inner.raw.binary()?;
        if binary.is_empty() {
            return Ok(());
        }
        let info = self.device.info();
        let content = CacheContent {
            device: info.name.clone(),
            platform: info.platform.clone(),
            driver: info.driver.clone(),
            options: self.inner.options.clone(),
            written: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()),
            kernels,
        };
        cache.store(self.inner.key, &Stored { content, binary })
    }

    /// After a launch: where taking the binary was put off, now is the time.
    pub(crate) fn launched(&self) -> Result<()> {
        if self.inner.pending.swap(false, Ordering::Relaxed) {
            self.save()?;
        }
        Ok(())
    }
}

fn c_string(text: &str, what: &'static str) -> Result<CString> {
    CString::new(text).map_err(|e| RuntimeError::Nul { what, at: e.nul_position() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{CacheSetting, DeviceOptions};
    use crate::trial::allow_trials;

    /// How often a program was built, and whether it is there in the end. Each attempt is the driver's code and its log.
    fn attempts(outcomes: &[(std::result::Result<(), i32>, &str)]) -> (usize, bool) {
        let mut count = 0;
        let last = with_second_try(|| {
            let (built, log) = outcomes[count];
            count += 1;
            Ok(Attempt { program: (), built, log: log.into(), messages: build_log::read(log, "__kernel void k() {}") })
        });
        (count, last.expect("an attempt").built.is_ok())
    }

    #[test]
    fn a_build_that_fails_without_a_reason_is_tried_once_more() {
        const ERROR: &str = "<source>:1:1: error: unknown type name 'x'\n";
        let failure = Err(cl3::error_codes::CL_BUILD_PROGRAM_FAILURE);
        // As PoCL ends when another process has just removed what it was about to read.
        assert_eq!(attempts(&[(failure, ""), (Ok(()), "")]), (2, true));
        assert_eq!(attempts(&[(failure, "cannot rename a file of the cache\n"), (Ok(()), "")]), (2, true));
        assert_eq!(attempts(&[(failure, ""), (failure, "")]), (2, false), "not for ever");
        assert_eq!(attempts(&[(failure, ERROR)]), (1, false), "a mistake in the text stays one");
        assert_eq!(attempts(&[(Ok(()), "")]), (1, true));
        assert_eq!(attempts(&[(Ok(()), "<source>:1:1: warning: unused\n")]), (1, true));
    }

    const CHILD: [&str; 3] = ["--exact", "program::tests::trial_child", "--test-threads=1"];

    /// Does nothing unless a trial started it.
    #[test]
    fn trial_child() {
        allow_trials(&CHILD);
    }

    /// A signature says who wrote an entry, not that a driver can read it.
    #[test]
    fn a_signed_binary_that_the_driver_cannot_read_is_rebuilt_and_does_not_end_the_process() {
        allow_trials(&CHILD);
        let dir = tempfile::tempdir().expect("a folder");
        let cache = ProgramCache::at(dir.path().join("cache")).key_file(dir.path().join("key")).strict(true);
        let info = crate::choose_device().expect("the tests need an OpenCL device (PoCL)");
        let text = "__kernel void twice(__global int* x) { x[get_global_id(0)] *= 2; }";
        let build = || {
            let options = DeviceOptions { cache: CacheSetting::At(cache.clone()), ..DeviceOptions::default() };
            Device::open_with(&info, options).expect("a context").build(text, "").expect("it compiles")
        };
        let program = build();
        program.save().expect("written");
        assert_eq!(build().origin(), Origin::DiskCache);
        assert_eq!(build().origin(), Origin::DiskCache, "proven before");
        let key = program.inner.key;
        let good = cache.load(key).expect("readable").expect("there").expect("ours").stored;
        let damage: [fn(&mut Vec<u8>); 5] = [
            |b| b.truncate(b.len() / 2),
            |b| b.truncate(8),
            |b| b.fill(0xff),
            // Lengths behind the header.
            |b| b.iter_mut().skip(8).take(56).for_each(|x| *x = 0xff),
            |b| b.iter_mut().skip(16).step_by(7).for_each(|x| *x ^= 0x55),
        ];
        for (i, damage) in damage.iter().enumerate() {
            let mut bad = good.clone();
            damage(&mut bad.binary);
            cache.store(key, &bad).expect("written");
            let rebuilt = build();
            assert_eq!(rebuilt.origin(), Origin::Built, "damage {i}");
        }
    }
}
