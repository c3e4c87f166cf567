//! The platforms and devices of this machine, and what they say of themselves.

use crate::constants::{device as cl, failure, platform};
use crate::error::{Named, Result, RuntimeError, no_library};
use crate::quirks;
use crate::raw::{DeviceId, PlatformId};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What kind of processor a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// The host's own processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Another accelerator.
    Accelerator,
    /// What the driver calls custom, or nothing that OpenCL names.
    Other,
}

impl DeviceKind {
    /// As in selectors and tables.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceKind::Cpu => "cpu",
            DeviceKind::Gpu => "gpu",
            DeviceKind::Accelerator => "accelerator",
            DeviceKind::Other => "other",
        }
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is known of a device before it is opened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Position in [`devices`], and in `gristmill devices`.
    pub index: usize,
    /// The platform's name.
    pub platform: String,
    /// The platform's version: `OpenCL 3.0 PoCL 3.1+debian …`.
    pub platform_version: String,
    /// The device's name.
    pub name: String,
    /// The device's vendor.
    pub vendor: String,
    /// What kind of processor.
    pub kind: DeviceKind,
    /// The device's version of OpenCL: `OpenCL 3.0 …`.
    pub version: String,
    /// The version of the language: `OpenCL C 1.2 …`.
    pub c_version: String,
    /// The driver's version.
    pub driver: String,
    /// Parallel compute units.
    pub compute_units: u32,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes that one buffer may have at most.
    pub max_allocation: u64,
    /// Bytes of local memory of a work-group.
    pub local_memory: u64,
    /// Work-items that a work-group may have at most.
    pub max_work_group: usize,
    /// Double precision (`cl_khr_fp64`).
    pub fp64: bool,
    /// Double precision as kernels need it: fma, round to nearest, infinities and NaN, subnormals.
    pub fp64_exact: bool,
    /// Single precision division and square root can be correctly rounded.
    pub fp32_exact_divide: bool,
    /// Single precision keeps subnormals.
    pub fp32_subnormals: bool,
    /// Device and host share their memory.
    pub unified_memory: bool,
    /// The driver says that the device can be used.
    pub available: bool,
    /// The driver can compile source text.
    pub compiler: bool,
    pub(crate) id: DeviceId,
}

impl DeviceInfo {
    fn read(index: usize, platform: &PlatformInfo, id: DeviceId) -> std::result::Result<DeviceInfo, i32> {
        let kind = id.number(cl::TYPE)?;
        // A device without double precision may answer 0, or an error, to a question about it.
        let fp64_config = id.number(cl::DOUBLE_FP_CONFIG).unwrap_or(0);
        let fp32_config = id.number(cl::SINGLE_FP_CONFIG).unwrap_or(0);
        let exact = cl::FP_FMA | cl::FP_ROUND_TO_NEAREST | cl::FP_INF_NAN | cl::FP_DENORM;
        Ok(DeviceInfo {
            index,
            platform: platform.name.clone(),
            platform_version: platform.version.clone(),
            name: id.text(cl::NAME)?,
            vendor: id.text(cl::VENDOR).unwrap_or_default(),
            kind: match kind {
                k if k & cl::TYPE_GPU != 0 => DeviceKind::Gpu,
                k if k & cl::TYPE_CPU != 0 => DeviceKind::Cpu,
                k if k & cl::TYPE_ACCELERATOR != 0 => DeviceKind::Accelerator,
                _ => DeviceKind::Other,
            },
            version: id.text(cl::VERSION)?,
            c_version: id.text(cl::OPENCL_C_VERSION).unwrap_or_default(),
            driver: id.text(cl::DRIVER_VERSION)?,
            compute_units: id.number(cl::MAX_COMPUTE_UNITS)? as u32,
            memory: id.number(cl::GLOBAL_MEM_SIZE)?,
            max_allocation: id.number(cl::MAX_MEM_ALLOC_SIZE)?,
            local_memory: id.number(cl::LOCAL_MEM_SIZE).unwrap_or(0),
            max_work_group: id.number(cl::MAX_WORK_GROUP_SIZE)? as usize,
            fp64: fp64_config != 0,
            fp64_exact: fp64_config & exact == exact,
            fp32_exact_divide: fp32_config & cl::FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
            fp32_subnormals: fp32_config & cl::FP_DENORM != 0,
            unified_memory: id.number(cl::HOST_UNIFIED_MEMORY).unwrap_or(0) != 0,
            available: id.number(cl::AVAILABLE).unwrap_or(1) != 0,
            compiler: id.number(cl::COMPILER_AVAILABLE).unwrap_or(1) != 0,
            id,
        })
    }

    /// `0 (pthread-AMD EPYC, cpu)`, for messages.
    pub fn label(&self) -> String {
        format!("{} ({}, {})", self.index, self.name, self.kind)
    }
}

/// What is known of a platform (a driver).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlatformInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its vendor.
    pub vendor: String,
    /// How many devices it has.
    pub devices: usize,
    /// Why its devices could not be listed, if so.
    pub error: Option<RuntimeError>,
}

/// Everything that the OpenCL library shows.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Survey {
    /// The platforms, in the loader's order.
    pub platforms: Vec<PlatformInfo>,
    /// The devices, platform by platform.
    pub devices: Vec<DeviceInfo>,
}

/// Asks the OpenCL library for all platforms and devices, from any thread. Devices that fail to answer are left out, with
/// the error in their platform.
///
/// # Errors
/// [`RuntimeError::NoLibrary`], [`RuntimeError::NoPlatform`] and [`RuntimeError::NoThreads`].
pub fn survey() -> Result<Survey> {
    // One thread at a time: PoCL prepares its devices at the first question, and a second thread that asks meanwhile is
    // told that there are none, or crashes. Whether it was answered once.
    static ASKING: Mutex<bool> = Mutex::new(false);
    let mut was_answered = ASKING.lock().unwrap_or_else(PoisonError::into_inner);

    let no_platform = || RuntimeError::NoPlatform { vendors: std::env::var("OCL_ICD_VENDORS").ok() };
    let ids = match PlatformId::all() {
        Ok(ids) if ids.is_empty() => return Err(no_platform()),
        Ok(ids) => ids,
        // CL_PLATFORM_NOT_FOUND_KHR is how the loader says "none".
        Err(failure::PLATFORM_NOT_FOUND) => return Err(no_platform()),
        Err(failure::NO_LIBRARY | failure::NO_FUNCTION) => {
            return Err(no_library());
        }
        Err(code) => return Err(RuntimeError::Call { call: "clGetPlatformIDs", code }),
    };
    let mut survey = Survey { platforms: Vec::new(), devices: Vec::new() };
    for id in ids {
        let text = |what| id.text(what).unwrap_or_default();
        let mut platform = PlatformInfo {
            name: text(platform::NAME),
            version: text(platform::VERSION),
            vendor: text(platform::VENDOR),
            devices: 0,
            error: None,
        };
        if !*was_answered {
            quirks::check_threads(&platform.name, &platform.version)?;
        }
        match id.devices() {
            Ok(devices) => {
                for device in devices {
                    match DeviceInfo::read(survey.devices.len(), &platform, device).named("clGetDeviceInfo") {
                        Ok(info) => survey.devices.push(info),
                        Err(error) => platform.error = Some(error),
                    }
                    platform.devices += 1;
                }
            }
            Err(failure::DEVICE_NOT_FOUND) => {}
            Err(code) => platform.error = Some(RuntimeError::Call { call: "clGetDeviceIDs", code }),
        }
        survey.platforms.push(platform);
    }
    *was_answered = true;
    Ok(survey)
}

/// Every OpenCL device of this machine.
///
/// # Errors
/// Says which is missing: [`RuntimeError::NoLibrary`], [`RuntimeError::NoPlatform`] or [`RuntimeError::NoDevice`].
pub fn devices() -> Result<Vec<DeviceInfo>> {
    let survey = survey()?;
    if survey.devices.is_empty() {
        return Err(RuntimeError::NoDevice { platforms: survey.platforms.into_iter().map(|p| p.name).collect() });
    }
    Ok(survey.devices)
}
