//! Deferred kernels and NumPy's ufuncs as each other, and capsules through which other extensions trade them.

use crate::errors;
use gristmill::ndtypes::{ArrayMut, ArrayRef, Type, call, lift};
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{
    CKernelPrefix, CKernelType, Deferred as CDeferred, DeferredCKernel, FuncProto, Kernel, KernelError, KernelRequest,
    PrototypedFunction, builtin_type, type_id,
};
use numpy::npyffi::objects::{PyUFuncGenericFunction, PyUFuncObject};
use numpy::npyffi::{NPY_TYPES, PY_UFUNC_API, npy_intp};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

/// The name of capsules that hold a `deferred_ckernel` (docs/ckernel-abi.md).
const CAPSULE: &CStr = c"gristmill_deferred_ckernel";
/// NumPy's `PyUFunc_None`.
const NO_IDENTITY: c_int = -1;
/// NumPy's most operands of a ufunc.
const MOST: usize = 64;

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

/// One loop of a ufunc, and which of its results is wanted.
#[derive(Clone)]
struct UfuncLoop {
    function: unsafe extern "C" fn(*mut *mut c_char, *mut npy_intp, *mut npy_intp, *mut c_void),
    data: *mut c_void,
    inputs: usize,
    outputs: usize,
    wanted: usize,
    /// Keeps the ufunc, and with it the data.
    #[allow(dead_code)] // only its life matters
    owner: std::sync::Arc<Py<PyAny>>,
}

// SAFETY: loops of numbers touch nothing but their operands: NumPy calls them without its lock, on any thread.
unsafe impl Send for UfuncLoop {}
// SAFETY: as above.
unsafe impl Sync for UfuncLoop {}

impl UfuncLoop {
    /// # Safety
    /// 1. As a strided call of the ABI, for this loop's types.
    unsafe fn run(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) {
        // Results that nobody wants go here, one over the other.
        let mut nowhere = [0u128; 2];
        let mut places = [std::ptr::null_mut::<c_char>(); MOST];
        let mut steps: [npy_intp; MOST] = [0; MOST];
        for k in 0..self.inputs {
            // SAFETY: (1): one entry for each source.
            unsafe {
                places[k] = (*src.add(k)).cast_mut().cast();
                steps[k] = *src_stride.add(k);
            }
        }
        for r in 0..self.outputs {
            let k = self.inputs + r;
            (places[k], steps[k]) =
                if r == self.wanted { (dst.cast(), dst_stride) } else { (nowhere.as_mut_ptr().cast(), 0) };
        }
        let mut counts = [count as npy_intp];
        // SAFETY: (1); NumPy's contract for its loops is the same, with the results behind the arguments.
        unsafe { (self.function)(places.as_mut_ptr(), counts.as_mut_ptr(), steps.as_mut_ptr(), self.data) };
    }
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, this: *mut CKernelPrefix) {
    let strides = [0isize; MOST];
    // SAFETY: (1); `this` is the leaf that `from_ufunc` placed. One element: strides do not matter.
    unsafe { Leaf::<Box<UfuncLoop>>::of(this).data.run(dst, 0, src, strides.as_ptr(), 1) };
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    this: *mut CKernelPrefix,
) {
    // SAFETY: (1); as in `single`.
    unsafe { Leaf::<Box<UfuncLoop>>::of(this).data.run(dst, dst_stride, src, src_stride, count) };
}

/// A typed factory of ckernels.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct DeferredKernel {
    kernel: CDeferred,
    name: String,
    /// Dimensions that it was lifted over.
    lifted: usize,
    ufunc: OnceLock<Py<PyAny>>,
}

impl DeferredKernel {
    fn new(kernel: CDeferred, name: String, lifted: usize) -> DeferredKernel {
        DeferredKernel { kernel, name, lifted, ufunc: OnceLock::new() }
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
            if fields.core_enabled != 0 {
                return Err(PyTypeError::new_err(format!(
                    "`{name}` has core dimensions, but a kernel works on elements: take a ufunc without a signature"
                )));
            }
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
        let order = std::iter::once(inputs + wanted).chain(0..inputs);
        let mut types: Vec<*const CKernelType> = Vec::with_capacity(inputs + 1);
        for (k, number) in numbers.iter().enumerate() {
            if id_of(*number).is_none() {
                let what =
                    if *number == NPY_TYPES::NPY_OBJECT as c_char { "Python objects" } else { "no plain numbers" };
                return Err(PyTypeError::new_err(format!(
                    "operand {k} of this loop of `{name}` holds {what}: a kernel has no lock to work with them"
                )));
            }
        }
        for k in order {
            types.push(builtin_type(id_of(numbers[k]).unwrap_or(type_id::FLOAT64)));
        }
        let owner = std::sync::Arc::new(ufunc.clone().unbind());
        let this = UfuncLoop { function, data, inputs, outputs, wanted, owner };
        // SAFETY: the functions run NumPy's loop of exactly these types, and place nothing else.
        let kernel = unsafe {
            CDeferred::new(FuncProto::Expr, types, move |builder, slot, _, request| {
                let function = PrototypedFunction::expr(request, single, strided);
                builder.push::<Leaf<Box<UfuncLoop>>>(slot, function, Box::new(this.clone())).map(drop)
            })
        };
        Ok(DeferredKernel::new(kernel, name, 0))
    }

    /// Takes what a capsule holds; the capsule is empty afterwards.
    #[staticmethod]
    fn from_capsule(capsule: &Bound<'_, PyCapsule>, name: String) -> PyResult<DeferredKernel> {
        let raw = capsule.pointer_checked(Some(CAPSULE))?.cast::<DeferredCKernel>();
        // SAFETY: the protocol says what a capsule of this name holds, and that whoever takes it leaves it empty.
        let kernel = unsafe { CDeferred::from_raw(std::mem::replace(&mut *raw.as_ptr(), DeferredCKernel::EMPTY)) };
        Ok(DeferredKernel::new(kernel.map_err(|e| failed(&e))?, name, 0))
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

    /// Elements through this kernel and then through another.
    fn chain(&self, second: &DeferredKernel) -> PyResult<DeferredKernel> {
        let unary = |kernel: &CDeferred| match kernel.proto() {
            FuncProto::Expr => kernel.as_unary(),
            _ => Ok(kernel.clone()),
        };
        let chained = unary(&self.kernel).and_then(|first| first.chain(&unary(&second.kernel)?));
        let name = format!("{} then {}", self.name, second.name);
        Ok(DeferredKernel::new(chained.map_err(|e| failed(&e))?, name, 0))
    }

    /// Over so many dimensions of arrays.
    fn lift(&self, ndim: usize) -> PyResult<DeferredKernel> {
        let one = |ty: &*const CKernelType| -> Result<Type, gristmill::ndtypes::Error> {
            (0..ndim).try_fold(Type::from_ckernel(*ty)?, |ty, _| Type::strided(ty))
        };
        let types = self.kernel.types().iter().map(one).collect::<Result<Vec<Type>, _>>();
        let lifted = types.and_then(|types| lift(&self.kernel, &types)).map_err(|e| errors::value(&e))?;
        Ok(DeferredKernel::new(lifted, self.name.clone(), self.lifted + ndim))
    }

    /// Runs a lifted kernel once on arrays of exactly its types: addresses, shapes and strides of the destination and then of
    /// the sources, which Python has checked and keeps.
    fn call_lifted(&self, py: Python<'_>, operands: Vec<(usize, Vec<usize>, Vec<isize>)>) -> PyResult<()> {
        let types: Vec<Type> = self
            .kernel
            .types()
            .iter()
            .map(|t| Type::from_ckernel(*t))
            .collect::<Result<_, _>>()
            .map_err(|e| errors::value(&e))?;
        if operands.len() != types.len() {
            return Err(PyTypeError::new_err(format!(
                "`{}` was given {} arrays, but takes {}",
                self.name,
                operands.len().saturating_sub(1),
                types.len() - 1
            )));
        }
        let sizes: Vec<usize> = self.types_of()?.iter().map(|t| size_of_type(t.0)).collect();
        py.detach(|| {
            let span = |k: usize| {
                let (start, shape, strides) = &operands[k];
                let (mut low, mut high) = (0isize, sizes[k] as isize);
                for (n, step) in shape.iter().zip(strides) {
                    let far = (*n as isize - 1).max(0) * step;
                    if far < 0 { low += far } else { high += far }
                }
                (start.wrapping_add_signed(low), (high - low) as usize, low.unsigned_abs())
            };
            let mut sources = Vec::with_capacity(types.len() - 1);
            for k in 1..types.len() {
                let (base, length, offset) = span(k);
                // SAFETY: the bytes between the first and the last element of an array that Python keeps; as NumPy's own
                // functions, this relies on nobody writing meanwhile.
                let bytes = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(base), length) };
                sources.push(ArrayRef::from_bytes(bytes, offset, &types[k], &operands[k].1, &operands[k].2)?);
            }
            let (base, length, offset) = span(0);
            // SAFETY: a new array of Python's, that nobody else has.
            let bytes = unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(base), length) };
            let mut dst = ArrayMut::from_bytes(bytes, offset, &types[0], &operands[0].1, &operands[0].2)?;
            call(&self.kernel, &mut dst, &sources.iter().collect::<Vec<_>>())
        })
        .map_err(|e: gristmill::ndtypes::Error| errors::value(&e))
    }

    /// A numpy.ufunc that runs the kernel.
    fn as_ufunc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(ufunc) = self.ufunc.get() {
            return Ok(ufunc.bind(py).clone());
        }
        let types = self.types_of()?;
        let is_unary = match (self.lifted, self.kernel.proto()) {
            (0, FuncProto::Unary) => true,
            (0, FuncProto::Expr) => false,
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "`{}` is no kernel of elements, which a ufunc needs: lift it over no dimensions",
                    self.name
                )));
            }
        };
        let kernel = self.kernel.instantiate(KernelRequest::Strided).map_err(|e| failed(&e))?;
        let inputs = types.len() - 1;
        let data = Box::new(KernelLoop { kernel, is_unary, inputs });
        let order = types[1..].iter().chain(&types[..1]);
        let numbers: Vec<c_char> = order.map(|t| t.1 as c_char).collect();
        let name = CString::new(self.name.replace('\0', "")).unwrap_or_default();
        // SAFETY: NumPy keeps the pointers, so what they point to is leaked, once for each kernel: one loop, one data, and a
        // type for each operand.
        let ufunc = unsafe {
            let made = PY_UFUNC_API.PyUFunc_FromFuncAndData(
                py,
                vec![Some(run_kernel as unsafe extern "C" fn(_, _, _, _))].leak().as_mut_ptr(),
                vec![Box::into_raw(data).cast::<c_void>()].leak().as_mut_ptr(),
                numbers.leak().as_mut_ptr(),
                1,
                inputs as c_int,
                1,
                NO_IDENTITY,
                name.into_raw(),
                c"A ckernel.".as_ptr(),
                0,
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
