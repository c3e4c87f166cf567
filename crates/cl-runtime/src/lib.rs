//! OpenCL opened at run time: devices, programs, caches, buffers and the runner.
//!
//! ```
//! use gristmill_cl_runtime::{Arg, Device, Launch};
//!
//! let text = "#pragma OPENCL FP_CONTRACT OFF
//!     __kernel void scale(__global const double* x, double factor, __global double* y) {
//!         size_t i = get_global_id(0);
//!         y[i] = factor * x[i];
//!     }";
//! let device = Device::from_env()?; // GRISTMILL_DEVICE, or the best device with double precision
//! let kernel = device.build(text, "")?.kernel("scale")?;
//! let x = [1.0, 2.5, -3.0];
//! let mut y = [0.0; 3];
//! kernel.run_guarded(&Launch::linear(3), &mut [Arg::input(&x), Arg::value(2.0), Arg::output(&mut y)])?;
//! assert_eq!(y, [2.0, 5.0, -6.0]);
//! # Ok::<(), gristmill_cl_runtime::RuntimeError>(())
//! ```

mod buffer;
mod build_log;
mod cache;
mod cache_key;
mod checked;
mod constants;
mod context;
mod device;
mod device_function;
mod element;
mod error;
mod guarded;
mod kernel;
mod live_objects;
mod options;
mod private_folder;
mod program;
mod quirks;
#[cfg(feature = "opencl")]
mod raw;
// Without OpenCL: the same functions, and no device.
#[cfg(not(feature = "opencl"))]
#[path = "absent.rs"]
mod raw;
mod select;
mod selftest;
mod signature;
mod trial;
mod warning;

pub use buffer::DeviceBuffer;
pub use build_log::{BuildFailure, Message, Severity};
pub use cache::{
    CACHE_DIR_VARIABLE, CACHE_SIZE_VARIABLE, CACHE_STRICT_VARIABLE, CacheContent, CacheEntry, Damage,
    NO_CACHE_VARIABLE, ProgramCache,
};
pub use checked::{CheckedKernel, Request, Touched};
pub use context::{CacheSetting, Device, DeviceOptions, Queue};
pub use device::{DeviceInfo, DeviceKind, PlatformInfo, Survey, devices, survey};
pub use device_function::{DeviceFunction, MapError, elementwise_signature, entry_signature};
pub use element::{Element, ElementType, ElementValue};
pub use error::{Result, RuntimeError};
pub use kernel::{Arg, DeviceKernel, HostSlice, HostSliceMut, Launch, RunTimes};
pub use live_objects::{LiveObjects, live_objects};
pub use private_folder::Distrust;
pub use program::{Origin, Program};
pub use select::{DEVICE_VARIABLE, Selector, choose_device};
pub use selftest::{SelfTest, self_test};
pub use signature::{KernelParam, KernelSignature, ParamKind, ParamType};
pub use trial::{allow_trials, allow_trials_by};
pub use warning::on_warning;
