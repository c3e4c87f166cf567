//! Tests on a real device: PoCL in CI. They are never ignored: without a device they fail.

mod arguments;
mod leaks;
mod messages;
mod processes;
mod programs;
mod run;
mod selftest;

use gristmill_cl_runtime::{CacheSetting, Device, DeviceOptions, ProgramCache, choose_device};

const SCALE: &str = "
#pragma OPENCL FP_CONTRACT OFF
__kernel void scale(__global const double* x, double factor, __global double* y) {
    size_t i = get_global_id(0);
    y[i] = factor * x[i];
}
";

/// Adds two columns and a uniform value, as generated entry points do: with a count to compare the index with.
const ADD: &str = "
#pragma OPENCL FP_CONTRACT OFF
__kernel void add(ulong n, __global const double* a, __global const double* b, __global const double* c, __global double* y) {
    size_t i = get_global_id(0);
    if (i < n) y[i] = a[i] + b[i] + c[0];
}
";

/// One context for all tests of a process, without the user's cache.
fn device() -> Device {
    static DEVICE: std::sync::OnceLock<Device> = std::sync::OnceLock::new();
    DEVICE.get_or_init(|| private(|_| {})).clone()
}

/// A context of its own.
fn private(change: impl FnOnce(&mut DeviceOptions)) -> Device {
    let mut options = DeviceOptions::default();
    options.cache = CacheSetting::Off;
    change(&mut options);
    Device::open_with(&choose_device().expect("the tests need an OpenCL device (PoCL)"), options).expect("a context")
}

fn with_cache(dir: &std::path::Path) -> Device {
    private(|o| o.cache = CacheSetting::At(ProgramCache::at(dir).strict(true)))
}
