//! Deferred kernels and NumPy's ufuncs as each other, and capsules through which other extensions trade them.

use crate::core_dimensions::CoreDimensions;
use crate::errors;
use crate::ufunc_loop::{LoopFunction, MOST, UfuncLoop};
use gristmill::ndtypes::{Type, lift};
use gristmill_ckernel::{
    BUILTIN_TYPE_LIMIT, CKernelType, Deferred as CDeferred, DeferredCKernel, FuncProto, Kernel, KernelError,
    KernelRequest, Metadata, builtin_type, type_id,
};
use numpy::npyffi::objects::{PyUFuncGenericFunction, PyUFuncObject};
use numpy::npyffi::{NPY_TYPES, PY_UFUNC_API, npy_intp};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// The name of capsules that hold a `deferred_ckernel` (docs/ckernel-abi.md).
const CAPSULE: &CStr = c"gristmill_deferred_ckernel";
/// NumPy's `PyUFunc_None`.
const NO_IDENTITY: c_int = -1;

/// Types that NumPy and ckernels share: the id, NumPy's number, NumPy's name.
const TYPES: &[(usize, NPY_TYPES, &str)] = &[
    (type_id::BOOL, NPY_TYPES::NPY_BOOL, "bool"),
    (type_id::INT8, NPY_TYPES::NPY_BYTE, "int8"),
    (type_id::INT16, NPY_TYPES::NPY_SHORT, "int16"),
    (type_id::INT32, NPY_TYPES::NPY_INT, "int32"),
    (type_id::INT64, NPY_TYPES::NPY_LONG, "int64"),
    (type_id::INT64, NPY_TYPES::NPY_LONGLONG, "int64"),
    (type_id::UINT8, NPY_TYPES::NPY_UBYTE, "uint8"),
    (type_id::UINT16, NPY_TYPES::NPY_USHORT, "uint16"),
    (type_id::UINT32, NPY_TYPES::NPY_UINT, "uint32"),
    (type_id::UINT64, NPY_TYPES::NPY_ULONG, "uint64"),
    (type_id::UINT64, NPY_TYPES::NPY_ULONGLONG, "uint64"),
    (type_id::FLOAT16, NPY_TYPES::NPY_HALF, "float16"),
    (type_id::FLOAT32, NPY_TYPES::NPY_FLOAT, "float32"),
    (type_id::FLOAT64, NPY_TYPES::NPY_DOUBLE, "float64"),
    (type_id::COMPLEX_FLOAT32, NPY_TYPES::NPY_CFLOAT, "complex64"),
    (type_id::COMPLEX_FLOAT64, NPY_TYPES::NPY_CDOUBLE, "complex128"),
];

fn id_of(number: c_char) -> Option<usize> {
    TYPES.iter().find(|t| t.1 as c_char == number).map(|t| t.0)
}

fn entry_of(ty: *const CKernelType) -> Option<&'static (usize, NPY_TYPES, &'static str)> {
    TYPES.iter().find(|t| t.0 == ty.addr())
}

fn failed(error: &KernelError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A typed factory of ckernels.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct DeferredKernel {
    kernel: CDeferred,
    name: String,
    /// Of the sources and the destination; `None`: it takes arrays, and nobody said which sizes go together.
    dimensions: Option<CoreDimensions>,
    /// Dimensions that it was lifted over.
    lifted: usize,
    ufunc: OnceLock<Py<PyAny>>,
}

impl DeferredKernel {
    fn new(kernel: CDeferred, name: String, dimensions: Option<CoreDimensions>, lifted: usize) -> DeferredKernel {
        DeferredKernel { kernel, name, dimensions, lifted, ufunc: OnceLock::new() }
    }

    fn takes_elements(&self) -> bool {
        self.dimensions.as_ref().is_some_and(CoreDimensions::is_none)
    }

    fn types_of(&self) -> PyResult<Vec<(usize, NPY_TYPES, &'static str)>> {
        let one = |ty: &*const CKernelType| {
            let element = match Type::from_ckernel(*ty) {
                Ok(whole) => {
                    let mut inner = whole;
                    while let Some(element) = inner.inner() {
                        inner = (*element).clone();
                    }
                    inner.to_ckernel()
                }
                Err(_) => *ty,
            };
            entry_of(element)
                .copied()
                .ok_or_else(|| PyTypeError::new_err(format!("`{}` has a type that NumPy does not have", self.name)))
        };
        self.kernel.types().iter().map(one).collect()
    }
}

#[pymethods]
impl DeferredKernel {
    /// Loop number `place` of a ufunc, and its result number `wanted`.
    #[staticmethod]
    fn from_ufunc(ufunc: &Bound<'_, PyAny>, place: usize, wanted: usize) -> PyResult<DeferredKernel> {
        let name: String = ufunc.getattr("__name__")?.extract()?;
        let class = ufunc.py().import("numpy")?.getattr("ufunc")?;
        if !ufunc.is_instance(&class)? {
            return Err(PyTypeError::new_err("`ufunc` must be a numpy.ufunc"));
        }
        // SAFETY: it is a ufunc; NumPy's layout is part of its ABI.
        let (function, data, inputs, outputs, numbers) = unsafe {
            let fields = &(*ufunc.as_ptr().cast::<PyUFuncObject>()).fields;
            let (inputs, outputs) = (fields.nin as usize, fields.nout as usize);
            if place >= fields.ntypes as usize || wanted >= outputs || inputs + outputs > MOST || inputs == 0 {
                return Err(PyValueError::new_err(format!("`{name}` has no such loop or result")));
            }
            let all = inputs + outputs;
            let numbers = std::slice::from_raw_parts(fields.types.add(place * all), all).to_vec();
            (*fields.functions.add(place), *fields.data.add(place), inputs, outputs, numbers)
        };
        let function: PyUFuncGenericFunction = function;
        let Some(function) = function else {
            return Err(PyTypeError::new_err(format!("`{name}` has no plain loop for these types")));
        };
        let mut ids = Vec::with_capacity(inputs + outputs);
        for (k, number) in numbers.iter().enumerate() {
            let Some(id) = id_of(*number) else {
                let what =
                    if *number == NPY_TYPES::NPY_OBJECT as c_char { "Python objects" } else { "no plain numbers" };
                return Err(PyTypeError::new_err(format!(
                    "operand {k} of this loop of `{name}` holds {what}: a kernel has no lock to work with them"
                )));
            };
            ids.push(id);
        }
        let signature: Option<String> = ufunc.getattr("signature")?.extract()?;
        let dimensions = match &signature {
            Some(text) => CoreDimensions::parse(text).filter(|d| d.operands().len() == inputs + outputs),
            None => {
                let mut none = CoreDimensions::none(inputs);
                none.add_results(outputs - 1);
                Some(none)
            }
        };
        let Some(dimensions) = dimensions else {
            let text = signature.unwrap_or_default();
            return Err(PyTypeError::new_err(format!("the core dimensions of `{name}`, {text}, are not known here")));
        };
        for result in (0..outputs).filter(|result| *result != wanted) {
            if let Some(unknown) = dimensions.unknown_of(inputs + result) {
                return Err(PyTypeError::new_err(format!(
                    "result {result} of `{name}` has a dimension `{unknown}` that no source has, so there is no room for it: \
                     take it as `output`"
                )));
            }
        }
        let mut types: Vec<*const CKernelType> = Vec::with_capacity(inputs + 1);
        for k in std::iter::once(inputs + wanted).chain(0..inputs) {
            let element = Type::from_ckernel(builtin_type(ids[k])).map_err(|e| errors::value(&e))?;
            let whole = dimensions.operands()[k].iter().try_fold(element, |ty, _| Type::strided(ty));
            types.push(whole.map_err(|e| errors::value(&e))?.to_ckernel());
        }
        let of_kernel = dimensions.with_result(wanted);
        let result_sizes = ids[inputs..].iter().map(|id| size_of_type(*id)).collect();
        let owner = Arc::new(ufunc.clone().unbind());
        let this = Arc::new(UfuncLoop { function, data, wanted, dimensions, inputs, result_sizes, owner });
        // SAFETY: the loop is NumPy's for exactly these types and dimensions.
        let kernel = unsafe {
            CDeferred::new(FuncProto::Expr, types, move |builder, slot, metadata, request| {
                this.place(builder, slot, metadata, request)
            })
        };
        Ok(DeferredKernel::new(kernel, name, Some(of_kernel), 0))
    }

    /// Takes what a capsule holds; the capsule is empty afterwards.
    #[staticmethod]
    fn from_capsule(capsule: &Bound<'_, PyCapsule>, name: String) -> PyResult<DeferredKernel> {
        let raw = capsule.pointer_checked(Some(CAPSULE))?.cast::<DeferredCKernel>();
        // SAFETY: the protocol says what a capsule of this name holds, and that whoever takes it leaves it empty.
        let kernel = unsafe { CDeferred::from_raw(std::mem::replace(&mut *raw.as_ptr(), DeferredCKernel::EMPTY)) };
        let kernel = kernel.map_err(|e| failed(&e))?;
        let takes_elements = kernel.types().iter().all(|ty| ty.addr() < BUILTIN_TYPE_LIMIT);
        let dimensions = takes_elements.then(|| CoreDimensions::none(kernel.types().len().saturating_sub(1)));
        Ok(DeferredKernel::new(kernel, name, dimensions, 0))
    }

    /// A capsule for another extension, which may take what it holds.
    fn capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        /// # Safety
        /// 1. The capsule holds a leaked `DeferredCKernel`.
        unsafe extern "C" fn free(capsule: *mut ffi::PyObject) {
            // SAFETY: (1); what was taken is empty, and freeing that does nothing.
            unsafe {
                let pointer = ffi::PyCapsule_GetPointer(capsule, CAPSULE.as_ptr());
                if !pointer.is_null() {
                    Box::from_raw(pointer.cast::<DeferredCKernel>()).free();
                }
            }
        }
        let pointer = NonNull::from(Box::leak(Box::new(self.kernel.clone().into_raw()))).cast();
        // SAFETY: `free` takes what was leaked, once.
        unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, CAPSULE, Some(free)) }
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn ndim(&self) -> usize {
        self.lifted
    }

    /// The destination's type, then the sources'.
    #[getter]
    fn types(&self) -> PyResult<Vec<&'static str>> {
        Ok(self.types_of()?.into_iter().map(|t| t.2).collect())
    }

    /// How many dimensions of its own each operand has: the destination's, then the sources'.
    #[getter]
    fn core_ndims(&self) -> PyResult<Vec<usize>> {
        let whole = self.kernel.types().iter().map(|ty| Type::from_ckernel(*ty).map(|ty| ty.ndim()));
        let whole = whole.collect::<Result<Vec<usize>, _>>().map_err(|e| errors::value(&e))?;
        Ok(whole.into_iter().map(|ndim| ndim - self.lifted).collect())
    }

    /// As NumPy writes it: which sizes go together. `None` for a kernel of elements, and where nobody said it.
    #[getter]
    fn signature(&self) -> Option<String> {
        self.dimensions.as_ref().filter(|dimensions| !dimensions.is_none()).map(CoreDimensions::signature)
    }

    /// Elements through this kernel and then through another.
    fn chain(&self, second: &DeferredKernel) -> PyResult<DeferredKernel> {
        if let Some(arrays) = [self, second].into_iter().find(|kernel| !kernel.takes_elements()) {
            let message = format!("`{}` is a kernel of arrays, but only kernels of elements are chained", arrays.name);
            return Err(PyTypeError::new_err(message));
        }
        let unary = |kernel: &CDeferred| match kernel.proto() {
            FuncProto::Expr => kernel.as_unary(),
            _ => Ok(kernel.clone()),
        };
        let chained = unary(&self.kernel).and_then(|first| first.chain(&unary(&second.kernel)?));
        let name = format!("{} then {}", self.name, second.name);
        Ok(DeferredKernel::new(chained.map_err(|e| failed(&e))?, name, Some(CoreDimensions::none(1)), 0))
    }

    /// Over so many dimensions of arrays.
    fn lift(&self, ndim: usize) -> PyResult<DeferredKernel> {
        let one = |ty: &*const CKernelType| -> Result<Type, gristmill::ndtypes::Error> {
            (0..ndim).try_fold(Type::from_ckernel(*ty)?, |ty, _| Type::strided(ty))
        };
        let types = self.kernel.types().iter().map(one).collect::<Result<Vec<Type>, _>>();
        let lifted = types.and_then(|types| lift(&self.kernel, &types)).map_err(|e| errors::value(&e))?;
        let dimensions = self.dimensions.as_ref().map(|dimensions| dimensions.lifted(ndim));
        Ok(DeferredKernel::new(lifted, self.name.clone(), dimensions, self.lifted + ndim))
    }

    /// A numpy.ufunc that runs the kernel.
    fn as_ufunc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(ufunc) = self.ufunc.get() {
            return Ok(ufunc.bind(py).clone());
        }
        let types = self.types_of()?;
        let is_unary = match self.kernel.proto() {
            FuncProto::Unary => true,
            FuncProto::Expr => false,
            _ => return Err(PyTypeError::new_err(format!("`{}` is a predicate, which no ufunc is", self.name))),
        };
        let Some(dimensions) = &self.dimensions else {
            return Err(PyTypeError::new_err(format!(
                "`{}` is a kernel of arrays that came without saying which of their sizes go together, which a ufunc needs",
                self.name
            )));
        };
        let inputs = types.len() - 1;
        let (function, data): (LoopFunction, *mut c_void) = if dimensions.is_none() {
            let kernel = self.kernel.instantiate(KernelRequest::Strided).map_err(|e| failed(&e))?;
            (run_kernel, Box::into_raw(Box::new(KernelLoop { kernel, is_unary, inputs })).cast())
        } else {
            let kernel = self.kernel.clone();
            let of_arrays = CoreKernelLoop { kernel, is_unary, dimensions: dimensions.clone() };
            (run_core_kernel, Box::into_raw(Box::new(of_arrays)).cast())
        };
        let order = types[1..].iter().chain(&types[..1]);
        let numbers: Vec<c_char> = order.map(|t| t.1 as c_char).collect();
        let name = CString::new(self.name.replace('\0', "")).unwrap_or_default();
        let signature = CString::new(dimensions.signature()).unwrap_or_default();
        // SAFETY: NumPy keeps the pointers, so what they point to is leaked, once for each kernel: one loop, one data, and a
        // type for each operand. It copies the signature; without one the ufunc is of elements.
        let ufunc = unsafe {
            let made = PY_UFUNC_API.PyUFunc_FromFuncAndDataAndSignature(
                py,
                vec![Some(function)].leak().as_mut_ptr(),
                vec![data].leak().as_mut_ptr(),
                numbers.leak().as_mut_ptr(),
                1,
                inputs as c_int,
                1,
                NO_IDENTITY,
                name.into_raw(),
                c"A ckernel.".as_ptr(),
                0,
                if dimensions.is_none() { std::ptr::null() } else { signature.as_ptr() },
            );
            Bound::from_owned_ptr_or_err(py, made)?
        };
        let _ = self.ufunc.set(ufunc.clone().unbind());
        Ok(ufunc)
    }
}

fn size_of_type(id: usize) -> usize {
    match id {
        type_id::BOOL | type_id::INT8 | type_id::UINT8 => 1,
        type_id::INT16 | type_id::UINT16 | type_id::FLOAT16 => 2,
        type_id::INT32 | type_id::UINT32 | type_id::FLOAT32 => 4,
        type_id::COMPLEX_FLOAT64 => 16,
        _ => 8,
    }
}

struct KernelLoop {
    kernel: Kernel,
    is_unary: bool,
    inputs: usize,
}

/// What NumPy calls for a kernel.
unsafe extern "C" fn run_kernel(
    places: *mut *mut c_char,
    counts: *mut npy_intp,
    steps: *mut npy_intp,
    data: *mut c_void,
) {
    // SAFETY: `as_ufunc` gave NumPy this data; NumPy's contract: one count, and a place and a step for each operand.
    let done = unsafe {
        let this = &*data.cast::<KernelLoop>();
        let count = usize::try_from(*counts).unwrap_or(0);
        let (dst, dst_stride) = ((*places.add(this.inputs)).cast::<u8>(), *steps.add(this.inputs));
        if this.is_unary {
            this.kernel.unary_strided(dst, dst_stride, (*places).cast_const().cast(), *steps, count)
        } else {
            this.kernel.expr_strided(dst, dst_stride, places.cast_const().cast(), steps.cast_const(), count)
        }
    };
    if let Err(error) = done {
        Python::attach(|py| PyRuntimeError::new_err(error.to_string()).restore(py));
    }
}

struct CoreKernelLoop {
    kernel: CDeferred,
    is_unary: bool,
    dimensions: CoreDimensions,
}

/// What NumPy calls for a kernel of arrays.
unsafe extern "C" fn run_core_kernel(
    places: *mut *mut c_char,
    counts: *mut npy_intp,
    steps: *mut npy_intp,
    data: *mut c_void,
) {
    // SAFETY: `as_ufunc` gave NumPy this data.
    let this = unsafe { &*data.cast::<CoreKernelLoop>() };
    let operands = this.dimensions.operands();
    let inputs = operands.len() - 1;
    // SAFETY: NumPy's contract: the count and the sizes; a place and a step for each operand, and then the strides of their
    // dimensions, in order. The kernel is built for them, and gone before the call ends.
    let done = unsafe {
        let count = usize::try_from(*counts).unwrap_or(0);
        let mut strides = (operands.len()..).map(|k| *steps.add(k));
        let mut words: Vec<Vec<isize>> = Vec::with_capacity(operands.len());
        for dimensions in operands {
            let mut its = Vec::with_capacity(2 * dimensions.len());
            for number in dimensions {
                its.extend([*counts.add(1 + number), strides.next().unwrap_or(0)]);
            }
            words.push(its);
        }
        let order = std::iter::once(inputs).chain(0..inputs);
        let pointers: Vec<*const u8> = order.map(|k| words[k].as_ptr().cast()).collect();
        let (dst, dst_stride) = ((*places.add(inputs)).cast::<u8>(), *steps.add(inputs));
        this.kernel.instantiate_with(Metadata::new(&pointers), KernelRequest::Strided).and_then(|kernel| {
            if this.is_unary {
                kernel.unary_strided(dst, dst_stride, (*places).cast_const().cast(), *steps, count)
            } else {
                kernel.expr_strided(dst, dst_stride, places.cast_const().cast(), steps.cast_const(), count)
            }
        })
    };
    if let Err(error) = done {
        Python::attach(|py| PyRuntimeError::new_err(error.to_string()).restore(py));
    }
}
