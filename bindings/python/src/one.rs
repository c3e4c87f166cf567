//! One value of a kernel, for Python's own numbers: what a ufunc does for arrays costs a microsecond, this a tenth of it.

use crate::{devices, ufunc};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use numpy::npyffi::{NPY_TYPES, PY_ARRAY_API, PyArray_Descr};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

/// A call of a kernel with at most this many parameters keeps them on the stack: more than any of nmath has, and no more, for each
/// call clears them. Kernels with more go the way of arrays.
const MOST_AT_ONCE: usize = 12;
/// Whole numbers below are doubles.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A kernel, as the function that Python calls finds it.
struct One {
    function: Function,
    params: Vec<Scalar>,
    float64: *mut ffi::PyTypeObject,
    descr: *mut PyArray_Descr,
}

/// For each kernel of doubles and truth values with one double as its result: a function that takes them all, in order, and gives
/// a `numpy.float64`. Where an argument is not a plain `float`, `int` or `numpy.float64`, or a flag not `True` or `False`, and
/// where more is to be done than to compute (on a device, with reports), it gives `None`: the ufunc does that.
#[pyfunction]
pub(crate) fn ones(py: Python<'_>) -> PyResult<Bound<'_, pyo3::types::PyDict>> {
    let all = pyo3::types::PyDict::new(py);
    let float64 = py.import("numpy")?.getattr("float64")?.into_ptr().cast::<ffi::PyTypeObject>();
    // SAFETY: NumPy has a description of doubles, of which this is a reference of ours.
    let descr = unsafe { PY_ARRAY_API.PyArray_DescrFromType(py, NPY_TYPES::NPY_DOUBLE as i32) };
    for function in gristmill_nmath::KERNELS {
        let params: Vec<Scalar> = function.params().map(|(_, ty)| ty).collect();
        let is_plain = params.iter().all(|ty| matches!(ty, Scalar::F64 | Scalar::Bool));
        if !is_plain || function.results() != [Scalar::F64] || params.len() > MOST_AT_ONCE {
            continue;
        }
        let name = CString::new(function.name()).expect("names have no zero bytes").into_raw();
        let one = Box::leak(Box::new(One { function: *function, params, float64, descr }));
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name,
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFast: call },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: ptr::null(),
        }));
        // SAFETY: the definition and what the capsule points to live as long as the process: functions are made once.
        let builtin = unsafe {
            let capsule = ffi::PyCapsule_New(ptr::from_mut(one).cast(), ptr::null(), None);
            let capsule = Bound::from_owned_ptr_or_err(py, capsule)?;
            Bound::from_owned_ptr_or_err(py, ffi::PyCFunction_NewEx(definition, capsule.as_ptr(), ptr::null_mut()))?
        };
        all.set_item(function.name(), builtin)?;
    }
    Ok(all)
}

/// What Python calls.
unsafe extern "C" fn call(
    this: *mut ffi::PyObject,
    arguments: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    // SAFETY: Python's contract: the lock is held, `this` is the capsule that `ones` made, and there are `count` arguments.
    unsafe {
        let one = &*ffi::PyCapsule_GetPointer(this, ptr::null()).cast::<One>();
        let arguments = std::slice::from_raw_parts(arguments, usize::try_from(count).unwrap_or(0));
        let value = if devices::is_cpu() { one.value(arguments) } else { None };
        match value {
            Some(mut value) => {
                let py = Python::assume_attached();
                PY_ARRAY_API.PyArray_Scalar(py, (&raw mut value).cast(), one.descr, ptr::null_mut())
            }
            None => ffi::Py_NewRef(ffi::Py_None()),
        }
    }
}

impl One {
    /// The value, if the arguments are as plain as `ones` says.
    ///
    /// # Safety
    /// 1. Python's lock is held, and the arguments are objects.
    unsafe fn value(&self, arguments: &[*mut ffi::PyObject]) -> Option<f64> {
        if arguments.len() != self.params.len() || ufunc::REPORT_NEW_NANS.load(Ordering::Relaxed) {
            return None;
        }
        let mut stored = [([0.0], [false]); MOST_AT_ONCE];
        for ((place, ty), argument) in stored.iter_mut().zip(&self.params).zip(arguments) {
            // SAFETY: (1).
            match unsafe { self.number(*ty, *argument) }? {
                Plain::Number(x) => place.0 = [x],
                Plain::Flag(x) => place.1 = [x],
            }
        }
        let mut ins = [Column::F64(&[]); MOST_AT_ONCE];
        for ((column, ty), (number, flag)) in ins.iter_mut().zip(&self.params).zip(&stored) {
            *column = if *ty == Scalar::Bool { Column::Bool(flag) } else { Column::F64(number) };
        }
        let mut result = [0.0];
        let ins = &ins[..self.params.len()];
        let work = || self.function.single_unchecked(Level::best(), ins, &mut [ColumnMut::F64(&mut result)], 0);
        catch_unwind(AssertUnwindSafe(work)).ok()?.ok()?;
        Some(result[0])
    }

    /// # Safety
    /// 1. Python's lock is held, and `argument` is an object.
    unsafe fn number(&self, ty: Scalar, argument: *mut ffi::PyObject) -> Option<Plain> {
        // SAFETY: (1); what is read as a float or an int is one.
        unsafe {
            if ty == Scalar::Bool {
                let is_true = argument == ffi::Py_True();
                return (is_true || argument == ffi::Py_False()).then_some(Plain::Flag(is_true));
            }
            if ffi::PyFloat_CheckExact(argument) != 0 || ffi::Py_TYPE(argument) == self.float64 {
                return Some(Plain::Number(ffi::PyFloat_AsDouble(argument)));
            }
            if ffi::PyLong_CheckExact(argument) != 0 {
                let number = ffi::PyLong_AsDouble(argument);
                if number.abs() < WHOLE && (number != -1.0 || ffi::PyErr_Occurred().is_null()) {
                    return Some(Plain::Number(number));
                }
                ffi::PyErr_Clear();
            }
            None
        }
    }
}

/// An argument.
enum Plain {
    Number(f64),
    Flag(bool),
}
