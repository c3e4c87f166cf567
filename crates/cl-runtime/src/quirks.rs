//! What single drivers do differently, in one place.

use crate::device::DeviceInfo;

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

impl Quirks {
    pub(crate) fn of(device: &DeviceInfo) -> Quirks {
        let pocl = device.platform.contains("Portable Computing Language") || device.platform_version.contains("PoCL");
        Quirks { binary_is_costly: pocl, bad_binary_crashes: pocl }
    }
}
