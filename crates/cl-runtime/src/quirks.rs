//! What single drivers do differently, in one place.

use crate::device::DeviceInfo;
use crate::error::{Result, RuntimeError};
use std::sync::Mutex;

/// How to treat a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quirks {
    /// Asking for a program's binary compiles every kernel once more (PoCL: the general form of each; inducer/pyopencl#731),
    /// and the binary holds the forms that were launched before. So it is taken after the first launch, and only from
    /// programs with few kernels.
    pub(crate) binary_is_costly: bool,
    /// A binary that is not what the driver expects ends the process (PoCL: it asserts and follows lengths in it).
    pub(crate) bad_binary_crashes: bool,
}

/// A program with more kernels is left to PoCL's own cache, unless the caller asks (`gristmill cache warm`).
pub(crate) const FEW_KERNELS: usize = 4;

/// PoCL compiles a kernel once for every work-group size, and once more for more than 65535 work-groups. One size for all
/// elementwise launches keeps that to two.
pub(crate) const ELEMENTWISE_GROUP: usize = 64;

fn is_pocl(platform: &str, version: &str) -> bool {
    platform.contains("Portable Computing Language") || version.contains("PoCL")
}

/// PoCL starts a thread for each core when it is first asked for its devices, and ends the process if it cannot. So that many are
/// started before, for a moment.
pub(crate) fn check_threads(platform: &str, version: &str) -> Result<()> {
    if !is_pocl(platform, version) {
        return Ok(());
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let wait = Mutex::new(());
    std::thread::scope(|scope| {
        let _until_all_are_there = wait.lock();
        for _ in 0..threads {
            let thread = std::thread::Builder::new().stack_size(1 << 16);
            let started = thread.spawn_scoped(scope, || drop(wait.lock()));
            let reason = |e: std::io::Error| e.to_string();
            started.map_err(|e| RuntimeError::NoThreads {
                platform: platform.to_owned(),
                threads,
                reason: reason(e),
            })?;
        }
        Ok(())
    })
}

impl Quirks {
    pub(crate) fn of(device: &DeviceInfo) -> Quirks {
        let pocl = is_pocl(&device.platform, &device.platform_version);
        Quirks { binary_is_costly: pocl, bad_binary_crashes: pocl }
    }
}
