//! What is known about each function, as data for the Python half: its arguments, how R calls it, its documentation.

use gristmill_kernel::{Level, Scalar};
use gristmill_nmath::documentation::{r_signatures, section};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// One dictionary for each kernel, in the order of the library.
#[pyfunction]
pub(crate) fn functions(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for function in gristmill_nmath::KERNELS {
        let item = PyDict::new(py);
        item.set_item("name", function.name())?;
        item.set_item("module", function.module())?;
        let params: Vec<(&str, &str)> = function.params().map(|(name, ty)| (name, type_name(ty))).collect();
        item.set_item("params", params)?;
        item.set_item("results", function.results().into_iter().map(type_name).collect::<Vec<_>>())?;
        item.set_item("doc", function.doc())?;
        for label in ["Domain", "Method", "Paper", "Error"] {
            item.set_item(label.to_lowercase(), section(function, label))?;
        }
        let usages = PyList::empty(py);
        for signature in r_signatures(function) {
            let usage = PyDict::new(py);
            usage.set_item("usage", signature.usage)?;
            usage.set_item("about", &signature.about)?;
            usage.set_item("calls", signature.calls.iter().map(|c| (c.given, c.call)).collect::<Vec<_>>())?;
            usages.append(usage)?;
        }
        item.set_item("usages", usages)?;
        all.append(item)?;
    }
    Ok(all)
}

pub(crate) fn type_name(ty: Scalar) -> &'static str {
    match ty {
        Scalar::F64 => "float64",
        Scalar::F32 => "float32",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
        Scalar::U32 => "uint32",
        Scalar::U64 | Scalar::Usize => "uint64",
        Scalar::Bool => "bool",
    }
}

/// The instruction set that block loops use here.
#[pyfunction]
pub(crate) fn instruction_set() -> &'static str {
    match Level::best() {
        Level::V4(_) => "AVX-512",
        Level::V3(_) => "AVX2 and FMA",
        Level::Base => "portable",
    }
}
