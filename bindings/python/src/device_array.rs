//! Arrays that stay on a device, and kernels over them.

use crate::{devices, errors, work};
use gristmill::cl_runtime::{Arg, Device, DeviceBuffer, DeviceFunction, ElementType};
use gristmill_kernel::Scalar;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers on a device, in C order.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct DeviceArray {
    pub(crate) buffer: Arc<DeviceBuffer>,
    shape: Vec<usize>,
}

impl DeviceArray {
    /// One dimension.
    pub(crate) fn vector(buffer: DeviceBuffer) -> DeviceArray {
        let shape = vec![buffer.len()];
        DeviceArray { buffer: Arc::new(buffer), shape }
    }
}

fn failed(error: gristmill::cl_runtime::RuntimeError) -> PyErr {
    PyRuntimeError::new_err(errors::text(&error))
}

#[pymethods]
impl DeviceArray {
    /// Copies doubles, or bytes that are truth values, to the device of this name.
    #[staticmethod]
    fn of(py: Python<'_>, device: &str, values: &Bound<'_, PyAny>, shape: Vec<usize>) -> PyResult<DeviceArray> {
        let device = py
            .detach(|| devices::open(Some(device)))?
            .ok_or_else(|| PyValueError::new_err("there is no such device"))?;
        let buffer = if let Ok(values) = values.extract::<PyReadonlyArray1<'_, f64>>() {
            let values = values.as_array().to_vec();
            py.detach(|| device.upload(&values)).map_err(failed)?
        } else {
            let values = values.extract::<PyReadonlyArray1<'_, bool>>()?;
            let values: Vec<u8> = values.as_array().iter().map(|v| u8::from(*v)).collect();
            py.detach(|| device.upload(&values)).map_err(failed)?
        };
        Ok(DeviceArray { buffer: Arc::new(buffer), shape })
    }

    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    #[getter]
    fn dtype(&self) -> &'static str {
        if self.buffer.element_type() == ElementType::F64 { "float64" } else { "bool" }
    }

    #[getter]
    fn device(&self) -> (usize, String) {
        let info = self.buffer.device().info();
        (info.index, info.name.clone())
    }

    /// A copy in the host's memory, in C order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        devices::check_process()?;
        if self.buffer.element_type() == ElementType::F64 {
            let values = py.detach(|| self.buffer.to_vec::<f64>()).map_err(failed)?;
            return Ok(PyArray1::from_vec(py, values).into_any());
        }
        let values = py.detach(|| self.buffer.to_vec::<u8>()).map_err(failed)?;
        Ok(PyArray1::from_vec(py, values.into_iter().map(|v| v != 0).collect::<Vec<bool>>()).into_any())
    }

    /// The same numbers in another shape.
    fn reshape(&self, shape: Vec<usize>) -> PyResult<DeviceArray> {
        if shape.iter().product::<usize>() != self.buffer.len() {
            return Err(PyValueError::new_err(format!(
                "`shape` is {shape:?}, but there are {} elements",
                self.buffer.len()
            )));
        }
        Ok(DeviceArray { buffer: self.buffer.clone(), shape })
    }
}

/// Kernels by their device's number and their name.
type Built = HashMap<(usize, &'static str), DeviceFunction>;

/// Kernels that were built: building takes a second, finding one nothing.
static BUILT: Mutex<Option<Built>> = Mutex::new(None);

/// The kernel on a device.
pub(crate) fn built(device: &Device, function: gristmill_kernel::Function) -> PyResult<DeviceFunction> {
    let key = (device.info().index, function.name());
    if let Some(found) = BUILT.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|all| all.get(&key)) {
        return Ok(found.clone());
    }
    let built = DeviceFunction::new(device, &function).map_err(|e| PyRuntimeError::new_err(errors::text(&e)))?;
    BUILT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(key, built.clone());
    Ok(built)
}

/// An argument of a kernel.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    Array(PyRef<'py, DeviceArray>),
    Truth(bool),
    Number(f64),
}

enum Held {
    Buffer(Arc<DeviceBuffer>),
    Doubles([f64; 1]),
    Singles([f32; 1]),
    Int([i32; 1]),
    Long([i64; 1]),
    Word([u32; 1]),
    LongWord([u64; 1]),
    Byte([u8; 1]),
}

/// A number as a kernel's parameter wants it.
fn held(name: &str, scalar: Scalar, x: f64) -> PyResult<Held> {
    let whole = |low: f64, high: f64| {
        if x.fract() == 0.0 && x >= low && x <= high {
            Ok(x)
        } else {
            Err(PyValueError::new_err(format!("`{name}` is {x}, but must be a whole number of its range")))
        }
    };
    Ok(match scalar {
        Scalar::F64 => Held::Doubles([x]),
        Scalar::F32 => Held::Singles([x as f32]),
        Scalar::I32 => Held::Int([whole(f64::from(i32::MIN), f64::from(i32::MAX))? as i32]),
        Scalar::I64 => Held::Long([whole(-9.0e15, 9.0e15)? as i64]),
        Scalar::U32 => Held::Word([whole(0.0, f64::from(u32::MAX))? as u32]),
        Scalar::U64 | Scalar::Usize => Held::LongWord([whole(0.0, 9.0e15)? as u64]),
        Scalar::Bool => Held::Byte([u8::from(x != 0.0)]),
    })
}

/// A kernel over arrays of one device: those with one value for each element have one shape, the others are numbers. The
/// results stay there.
#[pyfunction]
pub(crate) fn map_on_device(py: Python<'_>, kernel: &str, arguments: Vec<Given<'_>>) -> PyResult<Vec<DeviceArray>> {
    devices::check_process()?;
    let function = gristmill_nmath::kernel(kernel)
        .ok_or_else(|| PyTypeError::new_err(format!("`{kernel}` is no kernel of Gristmill, which devices run")))?;
    let params: Vec<(&str, Scalar)> = function.params().collect();
    if params.len() != arguments.len() {
        return Err(PyTypeError::new_err(format!(
            "`{kernel}` was given {} arguments, but takes {}",
            arguments.len(),
            params.len()
        )));
    }
    let mut device: Option<Device> = None;
    let mut shape: Option<Vec<usize>> = None;
    let mut all: Vec<Held> = Vec::with_capacity(params.len());
    for (argument, (name, scalar)) in arguments.iter().zip(&params) {
        match argument {
            Given::Array(array) => {
                let wanted = match scalar {
                    Scalar::F64 | Scalar::Bool => ElementType::in_buffer(*scalar),
                    other => {
                        return Err(PyTypeError::new_err(format!(
                            "`{name}` of `{kernel}` is {other} and must be a number, not an array on a device"
                        )));
                    }
                };
                if array.buffer.element_type() != wanted {
                    return Err(PyTypeError::new_err(format!(
                        "`{name}` of `{kernel}` is an array of {}, but must be one of {scalar}",
                        array.dtype()
                    )));
                }
                let its = array.buffer.device();
                if device.as_ref().is_some_and(|d| d.info().index != its.info().index) {
                    return Err(PyValueError::new_err(format!(
                        "`{name}` of `{kernel}` is on another device than the arrays before it"
                    )));
                }
                device = Some(its.clone());
                if array.buffer.len() != 1 || shape.is_none() {
                    match &shape {
                        Some(first) if *first != array.shape && first.iter().product::<usize>() != 1 => {
                            return Err(PyValueError::new_err(format!(
                                "`{name}` of `{kernel}` has the shape {:?}, but an array before it has {first:?}; on a \
                                 device they must be the same",
                                array.shape
                            )));
                        }
                        _ => shape = Some(array.shape.clone()),
                    }
                }
                all.push(Held::Buffer(array.buffer.clone()));
            }
            Given::Truth(truth) => all.push(held(name, *scalar, f64::from(u8::from(*truth)))?),
            Given::Number(x) => all.push(held(name, *scalar, *x)?),
        }
    }
    let (Some(device), Some(shape)) = (device, shape) else {
        return Err(PyTypeError::new_err(format!("no argument of `{kernel}` is on a device")));
    };
    let count: usize = shape.iter().product();
    let results = function.results();
    let task = move |_: &work::Stop| -> PyResult<Vec<DeviceBuffer>> {
        let on_device = built(&device, function)?;
        let mut outs = Vec::with_capacity(results.len());
        for scalar in &results {
            outs.push(device.allocate(ElementType::in_buffer(*scalar), count).map_err(failed)?);
        }
        if count == 0 {
            return Ok(outs);
        }
        let mut args = vec![Arg::Count];
        for argument in &all {
            match argument {
                Held::Buffer(buffer) => {
                    args.push(Arg::Buffer(buffer));
                    args.push(Arg::value(i64::from(buffer.len() == count)));
                }
                Held::Doubles(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::Singles(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::Int(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::Long(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::Word(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::LongWord(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
                Held::Byte(v) => args.extend([Arg::whole(v), Arg::value(0i64)]),
            }
        }
        args.extend(outs.iter().map(Arg::Buffer));
        on_device.kernel().run_elementwise(count, &mut args).map_err(failed)?;
        drop(args);
        Ok(outs)
    };
    let outs = work::run(py, task, |_| Ok(()))??;
    Ok(outs.into_iter().map(|buffer| DeviceArray { buffer: Arc::new(buffer), shape: shape.clone() }).collect())
}
