//! OpenCL devices: which there are, and opening one by its name.

use crate::errors;
use gristmill::cl_runtime::{Device, DeviceInfo, Selector, devices};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// What errors call the place where a device was named.
const FROM: &str = "`device`";

/// Devices stay open: opening one takes milliseconds, and its programs are kept with it.
static OPEN: Mutex<Option<HashMap<usize, Device>>> = Mutex::new(None);

/// The process that used OpenCL first; 0 before anybody did.
static USED_BY: AtomicU32 = AtomicU32::new(0);

/// Whether OpenCL can be used here: its drivers have threads and locks that a child after `fork` inherits without their owners,
/// and waits for without end.
pub(crate) fn check_process() -> PyResult<()> {
    let process = std::process::id();
    match USED_BY.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(owner) if owner == process => Ok(()),
        Err(_) => Err(PyRuntimeError::new_err(
            "this process was forked from one that had used OpenCL, whose drivers do not survive that; start processes by \
             `multiprocessing.get_context(\"spawn\")`, or use devices in the children only",
        )),
    }
}

fn failed(error: gristmill::cl_runtime::RuntimeError) -> PyErr {
    PyRuntimeError::new_err(errors::text(&error))
}

pub(crate) fn find(name: &str) -> PyResult<DeviceInfo> {
    check_process()?;
    let selector = Selector::parse(name, FROM).map_err(|e| errors::value(&e))?;
    selector.choose(&devices().map_err(failed)?, FROM).map_err(|e| errors::value(&e))
}

/// The device of this name; `None` is the CPU's threads.
pub(crate) fn open(name: Option<&str>) -> PyResult<Option<Device>> {
    let Some(name) = name else { return Ok(None) };
    let info = find(name)?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let all = open.get_or_insert_default();
    if let Some(device) = all.get(&info.index) {
        return Ok(Some(device.clone()));
    }
    let device = Device::open(&info).map_err(failed)?;
    all.insert(info.index, device.clone());
    Ok(Some(device))
}

thread_local! {
    /// The device that functions of arrays use on this thread.
    static CURRENT: RefCell<Option<Device>> = const { RefCell::new(None) };
}

/// The device of the current block, for functions of arrays.
pub(crate) fn current() -> PyResult<Option<Device>> {
    let device = CURRENT.with_borrow(Clone::clone);
    if device.is_some() {
        check_process()?;
    }
    Ok(device)
}

/// Whether functions of arrays run on the CPU.
pub(crate) fn is_cpu() -> bool {
    CURRENT.with_borrow(Option::is_none)
}

/// Functions of arrays run there from now on, on this thread; `None` is the CPU.
#[pyfunction]
pub(crate) fn use_device(py: Python<'_>, name: Option<String>) -> PyResult<()> {
    let device = py.detach(|| open(name.as_deref()))?;
    CURRENT.set(device);
    Ok(())
}

/// The number, the name and the kind of the device that a name stands for.
#[pyfunction]
pub(crate) fn find_device(py: Python<'_>, name: &str) -> PyResult<(usize, String, &'static str)> {
    let info = py.detach(|| find(name))?;
    Ok((info.index, info.name.clone(), info.kind.name()))
}

/// All devices, and why there are none.
#[pyfunction]
pub(crate) fn list_devices(py: Python<'_>) -> PyResult<(Vec<Bound<'_, PyDict>>, Option<String>)> {
    check_process()?;
    let (found, reason) = match py.detach(devices) {
        Ok(found) => (found, None),
        Err(error) => (Vec::new(), Some(errors::text(&error))),
    };
    let mut all = Vec::with_capacity(found.len());
    for device in found {
        let dict = PyDict::new(py);
        dict.set_item("index", device.index)?;
        dict.set_item("name", &device.name)?;
        dict.set_item("kind", device.kind.name())?;
        dict.set_item("platform", &device.platform)?;
        dict.set_item("vendor", &device.vendor)?;
        dict.set_item("version", &device.version)?;
        dict.set_item("driver", &device.driver)?;
        dict.set_item("compute_units", device.compute_units)?;
        dict.set_item("memory", device.memory)?;
        dict.set_item("fp64", device.fp64)?;
        dict.set_item("exact", device.fp64_exact)?;
        all.push(dict);
    }
    Ok((all, reason))
}

/// Status, subject and finding of everything that kernels need.
#[pyfunction]
pub(crate) fn look_at_everything(py: Python<'_>) -> PyResult<Vec<(&'static str, String, String)>> {
    check_process()?;
    Ok(py.detach(gristmill::cli::doctor::findings))
}
