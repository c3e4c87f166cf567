//! Tests on a real device: PoCL in CI. They are never ignored: without a device they fail.

mod arguments;
mod checked;
mod guarded;
mod leaks;
mod messages;
mod processes;
mod programs;
mod run;
mod selftest;

use gristmill_cl_runtime::{
    Arg, CacheSetting, Device, DeviceKernel, DeviceOptions, Launch, ProgramCache, Queue, Result, RunTimes,
    allow_trials, choose_device,
};

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

/// With a cache whose key is its own: the user's is not touched.
fn with_cache(dir: &std::path::Path) -> Device {
    allow_trials(&processes::CHILD);
    private(|o| o.cache = CacheSetting::At(cache_at(dir).strict(true)))
}

fn cache_at(dir: &std::path::Path) -> ProgramCache {
    ProgramCache::at(dir).key_file(dir.join("data/key"))
}

/// The entries, without the proofs and the key beside them.
fn entries(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path());
    files.filter(|f| f.extension().is_some_and(|e| e == "clprog") && f.is_file()).collect()
}

/// Runs kernels of these tests with arrays in place.
trait Trusted {
    fn run_trusted(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes>;
    fn run_trusted_on(&self, queue: &Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes>;
    fn elementwise_trusted(&self, n: usize, args: &mut [Arg<'_>]) -> Result<RunTimes>;
}

impl Trusted for DeviceKernel {
    fn run_trusted(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: the kernels of these tests stay within arrays of the lengths that the tests give.
        unsafe { self.run(launch, args) }
    }

    fn run_trusted_on(&self, queue: &Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: as above.
        unsafe { self.run_on(queue, launch, args) }
    }

    fn elementwise_trusted(&self, n: usize, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: as above.
        unsafe { self.run_elementwise(n, args) }
    }
}
