//! Why something did not work on a device: one enum, whose texts say what to do.

use crate::build_log::BuildFailure;
use crate::constants::failure;
use std::path::PathBuf;

/// What a fallible call of this crate returns.
pub type Result<T, E = RuntimeError> = std::result::Result<T, E>;

/// Why OpenCL could not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The OpenCL loader is not installed, or is not a library. The user has to install one, or go without a device.
    #[error(
        "no OpenCL library: `{library}` cannot be opened ({reason}); install an OpenCL loader (Debian: ocl-icd-libopencl1), \
         or name one in OPENCL_DYLIB_PATH"
    )]
    NoLibrary {
        /// The file that was looked for.
        library: &'static str,
        /// What the system's loader said.
        reason: String,
    },
    /// The loader works but knows no driver. The user has to install one.
    #[error(
        "no OpenCL platform: the OpenCL library is there, but it finds no driver{}; install one (a GPU vendor's, or PoCL for \
         the CPU: Debian pocl-opencl-icd)", vendors_note(.vendors)
    )]
    NoPlatform {
        /// Where OCL_ICD_VENDORS sends the loader, if it is set.
        vendors: Option<String>,
    },
    /// Drivers, but no device behind them. The user has to look at the driver.
    #[error("no OpenCL device: {} none; `gristmill doctor` shows what each driver says", platforms_have(.platforms))]
    NoDevice {
        /// The names of the platforms that were asked.
        platforms: Vec<String>,
    },
    /// The driver would end the process, because its threads cannot be started. The user has to raise a limit.
    #[error(
        "`{platform}` starts {threads} threads, and ends the process where it cannot: {reason}; raise the limit on processes \
         (`ulimit -u`) or on memory, or go without a device"
    )]
    NoThreads {
        /// The driver.
        platform: String,
        /// How many it would start.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// There are devices, but none computes in double precision. The user needs another device.
    #[error("no OpenCL device with double precision (cl_khr_fp64): {}", list(.devices))]
    NoFp64 {
        /// The devices that there are.
        devices: Vec<String>,
    },
    /// The device that the user named has no double precision.
    #[error("device {device} (from {from}) has no double precision (cl_khr_fp64); {}", others_with(.with_fp64))]
    DeviceWithoutFp64 {
        /// The device that was named.
        device: String,
        /// Where it was named: a variable or an argument.
        from: String,
        /// The devices that could serve.
        with_fp64: Vec<String>,
    },
    /// The name, number or kind that the user gave fits no device.
    #[error("no OpenCL device fits `{wanted}` (from {from}); there are: {}", list(.devices))]
    NoSuchDevice {
        /// What was asked for.
        wanted: String,
        /// Where it was asked: a variable or an argument.
        from: String,
        /// The devices that there are.
        devices: Vec<String>,
    },
    /// A device selector that means nothing.
    #[error(
        "`{given}` (from {from}) does not say which device: give an index of `gristmill devices`, `cpu`, `gpu`, a part of a \
         device's name, or PLATFORM:KIND:NAME"
    )]
    BadSelector {
        /// What was given.
        given: String,
        /// Where.
        from: String,
    },
    /// The device exists but its driver says that it cannot be used now.
    #[error("device {device} (from {from}) cannot be used: {why}")]
    DeviceUnusable {
        /// The device.
        device: String,
        /// Where it was named: a variable or an argument.
        from: String,
        /// What is missing.
        why: &'static str,
    },
    /// A call of the OpenCL library failed. Which one and how.
    #[error("{call} failed: {} ({code}){}", crate::raw::failure_name(*.code), hint(*.code))]
    Call {
        /// The OpenCL function.
        call: &'static str,
        /// Its status.
        code: i32,
    },
    /// A compiler option that would change results. The caller has to drop it.
    #[error("build option `{option}` is refused: {why}")]
    UnsafeOption {
        /// The option.
        option: String,
        /// What it would do.
        why: &'static str,
    },
    /// Text that cannot be handed to the compiler.
    #[error("the {what} contains a NUL character at byte {at}, which OpenCL cannot read")]
    Nul {
        /// Program text, options or kernel name.
        what: &'static str,
        /// Where.
        at: usize,
    },
    /// The program does not compile. Its author has to act; the message shows where.
    #[error("{0}")]
    Build(Box<BuildFailure>),
    /// A kernel that the program does not have.
    #[error("the program has no kernel `{name}`; it has: {}", list(.available))]
    NoKernel {
        /// What was asked for.
        name: String,
        /// What there is.
        available: Vec<String>,
    },
    /// Too many or too few arguments.
    #[error("kernel `{kernel}` takes {} arguments ({}), but {given} were given", .expected.len(), .expected.join(", "))]
    ArgumentCount {
        /// The kernel.
        kernel: String,
        /// How many were given.
        given: usize,
        /// The parameters, as in C.
        expected: Vec<String>,
    },
    /// An argument of another type than the kernel's parameter.
    #[error("kernel `{kernel}`, argument {index} (`{parameter}`): {given} was given")]
    ArgumentType {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// The parameter, as in C.
        parameter: String,
        /// What was given.
        given: String,
    },
    /// A signature that the caller gave and the compiled kernel disagree.
    #[error("kernel `{kernel}`: the given signature says {given}, but the compiled kernel has {compiled}")]
    SignatureMismatch {
        /// The kernel.
        kernel: String,
        /// What the caller's signature says.
        given: String,
        /// What clGetKernelArgInfo says.
        compiled: String,
    },
    /// An array of the wrong length.
    #[error("kernel `{kernel}`, argument {index}: the array has {given} elements, but must have {expected}")]
    ArgumentLength {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// Elements given.
        given: usize,
        /// Elements needed.
        expected: usize,
    },
    /// Host and device array disagree in length or element type.
    #[error("the device buffer holds {buffer}, but the host array is {host}")]
    BufferMismatch {
        /// What the buffer holds.
        buffer: String,
        /// What the host side has.
        host: String,
    },
    /// A buffer of another device.
    #[error("kernel `{kernel}`, argument {index}: the buffer lives on another device ({device})")]
    ForeignBuffer {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// Where the buffer lives.
        device: String,
    },
    /// More memory than the device gives in one piece, in a place that cannot be split.
    #[error(
        "{what} needs {bytes} bytes in one piece, but {device} gives at most {limit}; only elementwise launches over host arrays \
         are split"
    )]
    TooLarge {
        /// What needs the memory.
        what: String,
        /// How much.
        bytes: u128,
        /// The device's limit.
        limit: u64,
        /// The device.
        device: String,
    },
    /// Work sizes that the device cannot run.
    #[error("kernel `{kernel}`: {why}")]
    BadLaunch {
        /// The kernel.
        kernel: String,
        /// Given value, then rule.
        why: String,
    },
    /// An array that is shorter than what the kernel says it touches. Nothing was launched.
    #[error(
        "kernel `{kernel}`, argument {index} (`{parameter}`): the array has {elements} elements, but this launch touches {needed}"
    )]
    TooShort {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// The parameter, as in C.
        parameter: String,
        /// What the array has.
        elements: usize,
        /// What it needs.
        needed: u128,
    },
    /// A guarded kernel wrote outside an array. Its author, or whoever chose the sizes, has to act; nothing was changed.
    #[error(
        "kernel `{kernel}`, argument {index} (`{parameter}`): it writes {} the array, to element {element} of an array of \
         {elements} elements, with {items} work-items",
        if *.element < 0 { "in front of" } else { "behind" }
    )]
    Overrun {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// The parameter, as in C.
        parameter: String,
        /// Where it wrote: below 0 in front of the array, from `elements` on behind it.
        element: i64,
        /// What the array has.
        elements: usize,
        /// How many were launched.
        items: usize,
    },
    /// A guarded kernel wrote into an array that it declares `const`. Its author has to act; nothing was changed.
    #[error(
        "kernel `{kernel}`, argument {index} (`{parameter}`): it writes to element {element}, but declares the array `const`"
    )]
    InputWritten {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// The parameter, as in C.
        parameter: String,
        /// Where.
        element: usize,
    },
    /// A guarded kernel gave two results for the same arguments. Its author, or whoever chose the sizes, has to act;
    /// nothing was changed.
    #[error(
        "kernel `{kernel}`, argument {index} (`{parameter}`): element {element} is not the same in two runs with other bytes around \
         the arrays: the kernel reads outside its arrays, or its result changes from run to run{}",
        too_short(.shorter, *.items)
    )]
    Unsteady {
        /// The kernel.
        kernel: String,
        /// Position, from 1.
        index: usize,
        /// The parameter, as in C.
        parameter: String,
        /// The first element that differs.
        element: usize,
        /// The arrays with fewer elements than work-items: "`x` has 8".
        shorter: Vec<String>,
        /// How many were launched.
        items: usize,
    },
    /// The program cache failed, and GRISTMILL_CACHE_STRICT (or the API) says that this is fatal.
    #[error("program cache: cannot {action} `{}`", .path.display())]
    Cache {
        /// `create`, `read`, `write`, `remove`, …
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: std::sync::Arc<std::io::Error>,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn too_short(arrays: &[String], items: usize) -> String {
    if arrays.is_empty() { String::new() } else { format!("; for {items} work-items {} elements", arrays.join(", ")) }
}

fn vendors_note(vendors: &Option<String>) -> String {
    vendors.as_ref().map(|v| format!(" (OCL_ICD_VENDORS is `{v}`)")).unwrap_or_default()
}

fn platforms_have(platforms: &[String]) -> String {
    format!("{} {}", list(platforms), if platforms.len() == 1 { "has" } else { "have" })
}

fn others_with(devices: &[String]) -> String {
    if devices.is_empty() {
        "no other device here has it either".into()
    } else {
        format!("these have: {}", devices.join(", "))
    }
}

fn hint(code: i32) -> &'static str {
    match code {
        failure::DEVICE_NOT_AVAILABLE => "; the device has gone, or is in use by another process",
        failure::OUT_OF_RESOURCES => "; the device ran out of registers or memory, or the kernel went out of bounds",
        failure::MEM_OBJECT_ALLOCATION_FAILURE | failure::OUT_OF_HOST_MEMORY => "; not enough memory",
        _ => "",
    }
}

/// Names the call that failed.
pub(crate) trait Named<T> {
    fn named(self, call: &'static str) -> Result<T>;
}

impl<T> Named<T> for std::result::Result<T, i32> {
    fn named(self, call: &'static str) -> Result<T> {
        self.map_err(|code| if code == failure::NO_LIBRARY { no_library() } else { RuntimeError::Call { call, code } })
    }
}

/// What the attempt to open the library gave.
pub(crate) fn no_library() -> RuntimeError {
    const LIBRARY: &str = if cfg!(target_os = "windows") {
        "OpenCL.dll"
    } else if cfg!(target_os = "macos") {
        "/System/Library/Frameworks/OpenCL.framework/OpenCL"
    } else {
        "libOpenCL.so.1"
    };
    RuntimeError::NoLibrary { library: LIBRARY, reason: crate::raw::why_no_library() }
}
