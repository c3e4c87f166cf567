use crate::build_log::{self, BuildFailure};
use crate::context::Device;
use crate::error::{Named, Result, RuntimeError};
use crate::kernel::{Kernel, KernelInner};
use crate::options;
use crate::raw;
use crate::signature::KernelSignature;
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    raw: raw::Program,
    origin: Origin,
    time: Duration,
}

impl Device {
    /// Builds a program, or returns the one that this process has built from the same text and options.
    ///
    /// `text` is compiled and run as it is: it must be trusted as a native library is. What the same bits need is added to
    /// `options`; options that let the compiler change results are refused.
    ///
    /// # Errors
    /// [`RuntimeError::Build`] with the compiler's messages, [`RuntimeError::UnsafeOption`], or what the driver says.
    pub fn build(&self, text: &str, options: &str) -> Result<Program> {
        let options = options::complete(options, self.info())?;
        let mut hasher = blake3::Hasher::new();
        for part in [text, &options] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        let key = *hasher.finalize().as_bytes();
        let slot = Arc::clone(self.0.programs.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = &*slot {
            return Ok(Program { device: self.clone(), inner: Arc::clone(inner) });
        }
        let inner = Arc::new(self.build_now(text, &options)?);
        *slot = Some(Arc::clone(&inner));
        Ok(Program { device: self.clone(), inner })
    }

    fn build_now(&self, text: &str, options: &str) -> Result<ProgramInner> {
        let start = Instant::now();
        if let Some(at) = text.find('\0') {
            return Err(RuntimeError::Nul { what: "program text", at });
        }
        let c_options = c_string(options, "build options")?;
        let raw = raw::Program::from_source(&self.0.context, text)?;
        if let Err(code) = raw.build(self.info().id, &c_options) {
            let log = raw.log(self.info().id);
            if code != cl3::error_codes::CL_BUILD_PROGRAM_FAILURE && log.is_empty() {
                return Err(code).named("clBuildProgram");
            }
            let messages = build_log::read(&log, text);
            return Err(RuntimeError::Build(Box::new(BuildFailure { device: self.info().label(), messages, log })));
        }
        let names = raw.kernel_names()?;
        Ok(ProgramInner { kernels: Mutex::default(), names, raw, origin: Origin::Built, time: start.elapsed() })
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

    /// One of its kernels.
    ///
    /// # Errors
    /// [`RuntimeError::NoKernel`], or what the driver says.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let mut kernels = self.inner.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = kernels.get(name) {
            return Ok(Kernel { device: self.device.clone(), inner: Arc::clone(inner) });
        }
        if !self.inner.names.iter().any(|n| n == name) {
            return Err(RuntimeError::NoKernel { name: name.to_string(), available: self.inner.names.clone() });
        }
        let raw = raw::Kernel::new(&self.inner.raw, &c_string(name, "kernel name")?)?;
        let signature = KernelSignature::of(&raw, name)?;
        let inner = Arc::new(KernelInner::new(raw, signature, self.device.info().id));
        kernels.insert(name.to_string(), Arc::clone(&inner));
        Ok(Kernel { device: self.device.clone(), inner })
    }
}

fn c_string(text: &str, what: &'static str) -> Result<CString> {
    CString::new(text).map_err(|e| RuntimeError::Nul { what, at: e.nul_position() })
}
