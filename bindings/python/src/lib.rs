//! The compiled half of the Python package: every kernel of nmath as a NumPy ufunc, and what is known about each.
//!
//! What a user sees (R's names and defaults, distributions, generators) is Python, in `python/gristmill`; here is only what
//! must touch memory.

mod arrow_memory;
mod command;
mod core_dimensions;
mod deferred;
mod describe;
mod device_array;
mod devices;
mod errors;
mod eval;
mod eval_there;
mod fp_status;
mod glm;
mod interrupt;
mod kernel;
mod library;
mod one;
mod table;
mod threads;
mod ufunc;
mod ufunc_loop;
mod work;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// All kernels as ufuncs, by name.
#[pyfunction]
fn ufuncs(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for function in gristmill_nmath::KERNELS {
        all.set_item(function.name(), ufunc::new(py, *function)?)?;
    }
    Ok(all)
}

/// Whether a NaN that no argument has is reported as NumPy's "invalid value", as `np.errstate` says.
#[pyfunction]
fn report_new_nans(report: bool) {
    ufunc::REPORT_NEW_NANS.store(report, std::sync::atomic::Ordering::Relaxed);
}

#[pymodule]
fn _gristmill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(ufuncs, module)?)?;
    module.add_function(wrap_pyfunction!(one::ones, module)?)?;
    module.add_function(wrap_pyfunction!(report_new_nans, module)?)?;
    module.add_function(wrap_pyfunction!(describe::functions, module)?)?;
    module.add_function(wrap_pyfunction!(threads::set_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::get_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(describe::instruction_set, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    module.add_class::<deferred::DeferredKernel>()?;
    module.add_class::<device_array::DeviceArray>()?;
    module.add_function(wrap_pyfunction!(device_array::map_on_device, module)?)?;
    module.add_function(wrap_pyfunction!(devices::list_devices, module)?)?;
    module.add_function(wrap_pyfunction!(devices::find_device, module)?)?;
    module.add_function(wrap_pyfunction!(devices::use_device, module)?)?;
    module.add_function(wrap_pyfunction!(devices::look_at_everything, module)?)?;
    module.add_class::<library::Library>()?;
    module.add_function(wrap_pyfunction!(library::kernel_source, module)?)?;
    module.add_class::<glm::GlmDesign>()?;
    module.add_class::<glm::GlmFit>()?;
    module.add_class::<glm::GlmPartial>()?;
    module.add_class::<glm::GlmPosterior>()?;
    module.add_function(wrap_pyfunction!(glm::glm_names, module)?)?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(eval::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(eval_there::columns_used, module)?)?;
    module.add_function(wrap_pyfunction!(eval_there::evaluate_there, module)?)?;
    module.add_function(wrap_pyfunction!(kernel::kernels_of, module)?)?;
    module.add_function(wrap_pyfunction!(kernel::kernel_text, module)?)?;
    module.add_function(wrap_pyfunction!(kernel::set_kernel_fuel, module)?)?;
    Ok(())
}
