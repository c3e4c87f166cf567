//! The OpenCL device that kernels run on, chosen once, and the kernels that were built for it.

use crate::error::with_causes;
use gristmill_cl_runtime::{Device, DeviceFunction};
use gristmill_kernel::Function;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What was chosen, in the process that chose it: a child after `fork` cannot use its parent's driver.
struct Chosen {
    process: u32,
    device: Result<Device, String>,
    built: HashMap<&'static str, DeviceFunction>,
}

static CHOSEN: Mutex<Option<Chosen>> = Mutex::new(None);

fn with_chosen<T>(f: impl FnOnce(&mut Chosen) -> T) -> T {
    let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    let choose = || Chosen { process, device: Device::from_env().map_err(|e| with_causes(&e)), built: HashMap::new() };
    let this = chosen.get_or_insert_with(choose);
    if this.process != process {
        let device = Err("this process was forked from one that used OpenCL, whose drivers do not survive that".into());
        std::mem::forget(std::mem::replace(this, Chosen { process, device, built: HashMap::new() }));
    }
    f(this)
}

/// The device, or why there is none.
pub(crate) fn device() -> Result<Device, String> {
    with_chosen(|chosen| chosen.device.clone())
}

/// The kernel, built for the device.
pub(crate) fn built(function: &Function) -> Result<DeviceFunction, String> {
    with_chosen(|chosen| {
        let device = chosen.device.clone()?;
        if let Some(built) = chosen.built.get(function.name()) {
            return Ok(built.clone());
        }
        let built = DeviceFunction::new(&device, function).map_err(|e| with_causes(&e))?;
        chosen.built.insert(function.name(), built.clone());
        Ok(built)
    })
}

/// Builds kernels in one program, of which a compiler reads what they share only once: for who will call many of them.
pub(crate) fn build_together(functions: &[Function]) -> Result<(), String> {
    with_chosen(|chosen| {
        let device = chosen.device.clone()?;
        let built = DeviceFunction::together(&device, functions).map_err(|e| with_causes(&e))?;
        chosen.built.extend(functions.iter().map(Function::name).zip(built));
        Ok(())
    })
}

/// Forgets the choice: the next call chooses again.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_forget_device() {
    let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    if chosen.as_ref().is_none_or(|c| c.process == std::process::id()) {
        *chosen = None;
    }
}

/// Whether a device was found: 1, or 0 with the reason.
///
/// # Safety
/// 1. `error` points to a `gm_error` that is the caller's alone.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_has_device(error: *mut crate::error::ErrorText) -> i32 {
    // SAFETY: (1).
    unsafe { crate::error::guarded(error, 0, || device().map(|_| 1)) }
}
