//! A kernel as a NumPy ufunc: the loop that NumPy calls with pointers and strides, over lanes and, from some length on,
//! threads.

use crate::kernel::{self, Ended};
use crate::{device_array, devices, errors, fp_status, interrupt, threads};
use gristmill::cl_runtime::Device;
use gristmill_kernel::{Column, ColumnError, ColumnMut, Function, Scalar, Stopped};
use numpy::npyffi::{NPY_TYPES, PY_UFUNC_API, npy_intp};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by `report_new_nans`.
pub(crate) static REPORT_NEW_NANS: AtomicBool = AtomicBool::new(false);

/// NumPy's `PyUFunc_None`: a ufunc without a neutral element cannot reduce an empty array.
const NO_IDENTITY: c_int = -1;
/// Elements that are gathered at a time where NumPy's strides are not those of a slice.
const BLOCK: usize = 512;
/// Elements after whose time it is decided whether the others go to threads.
const PROBE: usize = 2048;
/// Elements of one task: enough that handing it over does not show.
const TASK: usize = 16 * BLOCK;
/// Work, in nanoseconds, from which on threads pay: waking them costs tens of microseconds.
const PARALLEL_NANOSECONDS: u128 = 150_000;
/// How long elements are computed before it is looked whether somebody pressed Ctrl-C.
const UNTIL_LOOK: Duration = Duration::from_millis(200);
/// Elements of one launch on a device, which nothing stops.
const LAUNCH: usize = 1 << 20;

/// What a loop needs to know; lives as long as the process, as ufuncs do.
struct Loop {
    function: Function,
    params: Vec<Scalar>,
    results: Vec<Scalar>,
    width: Width,
    /// A text with loops: it may take as long as it likes, and Ctrl-C must end it.
    is_watched: bool,
}

/// What the arrays have where the kernel has doubles.
#[derive(Clone, Copy, PartialEq)]
enum Width {
    /// Doubles.
    Own,
    /// float32, in arguments and results.
    Narrow,
    /// int32 in the first argument that is a double.
    Whole,
}

/// NumPy's number of a type.
fn type_number(ty: Scalar) -> c_char {
    let number = match ty {
        Scalar::F64 => NPY_TYPES::NPY_DOUBLE,
        Scalar::F32 => NPY_TYPES::NPY_FLOAT,
        Scalar::I32 => NPY_TYPES::NPY_INT,
        Scalar::U32 => NPY_TYPES::NPY_UINT,
        // NumPy's int64 is `long` where that has 64 bits.
        Scalar::I64 if cfg!(windows) => NPY_TYPES::NPY_LONGLONG,
        Scalar::I64 => NPY_TYPES::NPY_LONG,
        Scalar::U64 | Scalar::Usize if cfg!(windows) => NPY_TYPES::NPY_ULONGLONG,
        Scalar::U64 | Scalar::Usize => NPY_TYPES::NPY_ULONG,
        Scalar::Bool => NPY_TYPES::NPY_BOOL,
    };
    number as c_char
}

/// The ufunc of a kernel: loops for whole numbers, float32 and float64.
pub(crate) fn new(py: Python<'_>, function: Function) -> PyResult<Bound<'_, PyAny>> {
    of_text(py, function, false)
}

/// The same of a kernel that is a text, which is watched if it may take long.
pub(crate) fn of_text(py: Python<'_>, function: Function, is_watched: bool) -> PyResult<Bound<'_, PyAny>> {
    let params: Vec<Scalar> = function.params().map(|(_, ty)| ty).collect();
    let results = function.results();
    // NumPy takes the first loop to which the arguments can be cast safely. Small whole numbers can be cast to float32, but
    // nobody wants results in it for them: they are met by a loop of their own. Random numbers are doubles.
    let is_drawn = function.params().any(|(name, _)| name == "seed");
    let has_doubles = params.contains(&Scalar::F64) && !is_drawn;
    let widths: &[Width] = if has_doubles { &[Width::Whole, Width::Narrow, Width::Own] } else { &[Width::Own] };
    let mut loops: Vec<numpy::npyffi::PyUFuncGenericFunction> = vec![];
    let (mut data, mut types): (Vec<*mut c_void>, Vec<c_char>) = (vec![], vec![]);
    for &width in widths {
        let one = Loop { function, params: params.clone(), results: results.clone(), width, is_watched };
        types.extend((0..params.len() + results.len()).map(|k| type_number(one.stored(k))));
        data.push(Box::into_raw(Box::new(one)).cast());
        loops.push(Some(run));
    }
    let name = CString::new(function.name()).expect("names have no zero bytes");
    let doc = CString::new(function.doc().replace('\0', "")).expect("zero bytes were removed");
    let (count, ins, outs) = (widths.len() as c_int, params.len() as c_int, results.len() as c_int);
    // SAFETY: NumPy keeps the pointers, so what they point to is leaked: functions are made once for each process. The
    // arrays have `count` loops and data, and `count * (ins + outs)` types.
    unsafe {
        let ufunc = PY_UFUNC_API.PyUFunc_FromFuncAndData(
            py,
            loops.leak().as_mut_ptr(),
            data.leak().as_mut_ptr(),
            types.leak().as_mut_ptr(),
            count,
            ins,
            outs,
            NO_IDENTITY,
            name.into_raw(),
            doc.into_raw(),
            0,
        );
        Bound::from_owned_ptr_or_err(py, ufunc)
    }
}

/// The operands of one call of a loop.
#[derive(Clone, Copy)]
struct Operands {
    places: *const *mut c_char,
    steps: *const npy_intp,
}

// SAFETY: NumPy lends the arrays for the call, in which threads write disjoint elements only.
unsafe impl Send for Operands {}
// SAFETY: as above.
unsafe impl Sync for Operands {}

impl Operands {
    /// Where element `i` of operand `k` lies.
    ///
    /// # Safety
    /// 1. `k` is one of the operands, `i` one of the elements.
    unsafe fn at(self, k: usize, i: usize) -> *mut u8 {
        // SAFETY: (1).
        unsafe { (*self.places.add(k)).cast::<u8>().wrapping_offset(*self.steps.add(k) * i as isize) }
    }

    /// # Safety
    /// 1. `k` is one of the operands.
    unsafe fn step(self, k: usize) -> isize {
        // SAFETY: (1).
        unsafe { *self.steps.add(k) }
    }
}

/// What NumPy calls.
unsafe extern "C" fn run(places: *mut *mut c_char, counts: *mut npy_intp, steps: *mut npy_intp, data: *mut c_void) {
    // SAFETY: `new` gave NumPy this data.
    let this = unsafe { &*data.cast::<Loop>() };
    // SAFETY: NumPy's contract: one count.
    let count = usize::try_from(unsafe { *counts }).unwrap_or(0);
    if interrupt::is_over() {
        return;
    }
    let operands = Operands { places, steps };
    // The device is that of this thread, the work may be done on another.
    let device = devices::current();
    // SAFETY: NumPy's contract: `count` elements behind each pointer, of the types that `new` named, aligned, and results
    // that overlap an argument only element by element.
    let work = move || fp_status::kept(|| unsafe { this.all(operands, count, device?) });
    let done = match this.is_watched {
        true => kernel::watched(work),
        false => catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Ended::of(payload.as_ref())),
    };
    match done {
        Ok(Ok(true)) => fp_status::raise_invalid(),
        Ok(Ok(false)) => {}
        Ok(Err(error)) => Python::attach(|py| error.restore(py)),
        Err(ended) => Python::attach(|py| ended.raise(py, this.function.name())),
    }
}

impl Loop {
    /// The type of the arrays of operand `k`.
    fn stored(&self, k: usize) -> Scalar {
        let own = |k: usize| *self.params.get(k).unwrap_or_else(|| &self.results[k - self.params.len()]);
        match (own(k), self.width) {
            (Scalar::F64, Width::Narrow) => Scalar::F32,
            (Scalar::F64, Width::Whole) if (0..k).all(|j| own(j) != Scalar::F64) => Scalar::I32,
            (ty, _) => ty,
        }
    }

    /// All elements, on a device or on this thread and others. True if there is a NaN to report.
    ///
    /// # Safety
    /// 1. As NumPy's contract for `run`.
    unsafe fn all(&self, operands: Operands, count: usize, device: Option<Device>) -> PyResult<bool> {
        if let Some(device) = device {
            let on_device = device_array::built(&device, self.function)?;
            let mut new_nan = false;
            for from in (0..count).step_by(LAUNCH) {
                // SAFETY: (1).
                new_nan |= unsafe {
                    self.gathered(operands, from, LAUNCH.min(count - from), |ins, outs| {
                        on_device.map(ins, outs).map(drop).map_err(|e| PyRuntimeError::new_err(errors::text(&e)))
                    })
                }?;
                self.look(LAUNCH)?;
            }
            return Ok(new_nan);
        }
        if count <= 2 * PROBE {
            // SAFETY: (1).
            let new_nan = unsafe { self.range(operands, 0, count) }?;
            self.look(count)?;
            return Ok(new_nan);
        }
        let start = Instant::now();
        // SAFETY: (1).
        let mut new_nan = unsafe { self.range(operands, 0, PROBE) }?;
        let mut took = start.elapsed();
        let expected = took.as_nanos() * ((count - PROBE) / PROBE) as u128;
        let pool = if expected < PARALLEL_NANOSECONDS { None } else { threads::pool() };
        let (mut from, mut len) = (PROBE, PROBE);
        while from < count {
            // As many as the last ones say that fit before it is looked again, but no sudden leap: they may have been easy ones.
            let fitting = len as u128 * UNTIL_LOOK.as_nanos() / took.as_nanos().max(1);
            let most = if pool.is_some() { len.saturating_mul(512) } else { len.saturating_mul(64) };
            len = usize::try_from(fitting).unwrap_or(most).clamp(PROBE, most).next_multiple_of(BLOCK).min(count - from);
            let start = Instant::now();
            // SAFETY: (1).
            new_nan |= unsafe { self.stretch(operands, from, len, pool.as_deref()) }?;
            took = start.elapsed();
            from += len;
            self.look(len)?;
        }
        Ok(new_nan)
    }

    /// Asks whether somebody pressed Ctrl-C. Loops that are watched do so elsewhere: they are not on Python's thread.
    fn look(&self, elements: usize) -> PyResult<()> {
        if self.is_watched { Ok(()) } else { interrupt::check(elements) }
    }

    /// Elements `from..from + len`, on the threads of a pool if there is one.
    ///
    /// # Safety
    /// 1. As for `range`.
    unsafe fn stretch(
        &self,
        operands: Operands,
        from: usize,
        len: usize,
        pool: Option<&rayon::ThreadPool>,
    ) -> PyResult<bool> {
        let Some(pool) = pool else {
            // SAFETY: (1).
            return unsafe { self.range(operands, from, len) };
        };
        pool.install(|| {
            (0..len)
                .into_par_iter()
                .step_by(TASK)
                // SAFETY: (1); tasks are disjoint.
                .map(|start| unsafe { self.range(operands, from + start, TASK.min(len - start)) })
                .try_reduce(|| false, |a, b| Ok(a | b))
        })
    }

    /// Elements `from..from + len`.
    ///
    /// # Safety
    /// 1. As NumPy's contract for `run`; nobody else touches these elements.
    unsafe fn range(&self, operands: Operands, from: usize, len: usize) -> PyResult<bool> {
        // SAFETY: (1).
        if unsafe { self.is_direct(operands, from, len) } {
            // SAFETY: (1), and `is_direct`: slices that overlap nothing that is written.
            return Ok(unsafe { self.direct(operands, from, len) });
        }
        let mut new_nan = false;
        let mut start = 0;
        while start < len {
            let part = BLOCK.min(len - start);
            // SAFETY: (1).
            new_nan |= unsafe {
                self.gathered(operands, from + start, part, |ins, outs| {
                    self.map(ins, outs);
                    Ok(())
                })
            }?;
            start += part;
        }
        Ok(new_nan)
    }

    /// Whether every operand is a slice of the kernel's own type, or one value for all, and no result overlaps an argument.
    ///
    /// # Safety
    /// 1. As for `range`.
    unsafe fn is_direct(&self, operands: Operands, from: usize, len: usize) -> bool {
        if self.width != Width::Own {
            return false;
        }
        let ins = self.params.len();
        // SAFETY: (1).
        unsafe {
            for (k, ty) in self.params.iter().enumerate() {
                let step = operands.step(k);
                // A byte of an array of bools may be anything: those are read one by one.
                let fits = step == 0 || (step == ty.size() as isize && *ty != Scalar::Bool);
                if !fits {
                    return false;
                }
            }
            for (r, ty) in self.results.iter().enumerate() {
                let k = ins + r;
                if operands.step(k) != ty.size() as isize {
                    return false;
                }
                let out = operands.at(k, from) as usize;
                let out = out..out + len * ty.size();
                for (j, other) in self.params.iter().enumerate() {
                    let start = operands.at(j, from) as usize;
                    let end = start + if operands.step(j) == 0 { other.size() } else { len * other.size() };
                    if start < out.end && out.start < end {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Results for columns of the kernel's own types. A kernel that was stopped unwinds to `run`: no result is of use then.
    fn map(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) {
        match self.function.map(ins, outs) {
            Err(ColumnError::Stopped { .. }) => resume_unwind(Box::new(Stopped)),
            done => done.expect("columns of the kernel's own types"),
        }
    }

    /// # Safety
    /// 1. As for `range`, and `is_direct` said so.
    unsafe fn direct(&self, operands: Operands, from: usize, len: usize) -> bool {
        let flags: Vec<[bool; 1]> = (0..self.params.len())
            // SAFETY: (1); the byte is read as a number.
            .map(|k| [self.params[k] == Scalar::Bool && unsafe { *operands.at(k, from) } != 0])
            .collect();
        let ins: Vec<Column<'_>> = (0..self.params.len())
            .map(|k| {
                // SAFETY: (1): aligned, of this type, not written while they are borrowed.
                unsafe {
                    let count = if operands.step(k) == 0 { 1 } else { len };
                    match self.params[k] {
                        Scalar::Bool => Column::Bool(&flags[k]),
                        Scalar::F64 => Column::F64(slice(operands.at(k, from), count)),
                        Scalar::F32 => Column::F32(slice(operands.at(k, from), count)),
                        Scalar::I32 => Column::I32(slice(operands.at(k, from), count)),
                        Scalar::I64 => Column::I64(slice(operands.at(k, from), count)),
                        Scalar::U32 => Column::U32(slice(operands.at(k, from), count)),
                        Scalar::U64 => Column::U64(slice(operands.at(k, from), count)),
                        Scalar::Usize => Column::Usize(slice(operands.at(k, from), count)),
                    }
                }
            })
            .collect();
        let mut outs: Vec<ColumnMut<'_>> = (0..self.results.len())
            .map(|r| {
                let k = self.params.len() + r;
                // SAFETY: (1): aligned, ours alone. NumPy's memory may not have been written before, but any bytes are a
                // number; of truth values they need not be one, so these are written first.
                unsafe {
                    let place = operands.at(k, from);
                    match self.results[r] {
                        Scalar::F64 => ColumnMut::F64(slice_mut(place, len)),
                        Scalar::F32 => ColumnMut::F32(slice_mut(place, len)),
                        Scalar::I32 => ColumnMut::I32(slice_mut(place, len)),
                        Scalar::I64 => ColumnMut::I64(slice_mut(place, len)),
                        Scalar::U32 => ColumnMut::U32(slice_mut(place, len)),
                        Scalar::U64 => ColumnMut::U64(slice_mut(place, len)),
                        Scalar::Usize => ColumnMut::Usize(slice_mut(place, len)),
                        Scalar::Bool => {
                            place.write_bytes(0, len);
                            ColumnMut::Bool(slice_mut(place, len))
                        }
                    }
                }
            })
            .collect();
        self.map(&ins, &mut outs);
        REPORT_NEW_NANS.load(Ordering::Relaxed) && has_new_nan(&ins, &outs)
    }

    /// As `direct`, through buffers, which `map` works on: any strides, float32, results that overlap arguments.
    ///
    /// # Safety
    /// 1. As for `range`.
    unsafe fn gathered(
        &self,
        operands: Operands,
        from: usize,
        len: usize,
        map: impl FnOnce(&[Column<'_>], &mut [ColumnMut<'_>]) -> PyResult<()>,
    ) -> PyResult<bool> {
        let read: Vec<Buffer> = (0..self.params.len())
            // SAFETY: (1).
            .map(|k| unsafe { self.read(operands, k, from, len) })
            .collect();
        let mut written: Vec<Buffer> = self.results.iter().map(|ty| Buffer::zeros(*ty, len)).collect();
        let ins: Vec<Column<'_>> = read.iter().map(Buffer::column).collect();
        let mut outs: Vec<ColumnMut<'_>> = written.iter_mut().map(Buffer::column_mut).collect();
        map(&ins, &mut outs)?;
        let new_nan = REPORT_NEW_NANS.load(Ordering::Relaxed) && has_new_nan(&ins, &outs);
        drop(outs);
        for (r, buffer) in written.iter().enumerate() {
            let k = self.params.len() + r;
            for i in 0..len {
                // SAFETY: (1).
                unsafe { buffer.put(i, operands.at(k, from + i), self.width == Width::Narrow) };
            }
        }
        Ok(new_nan)
    }

    /// # Safety
    /// 1. As for `gathered`.
    unsafe fn read(&self, operands: Operands, k: usize, from: usize, len: usize) -> Buffer {
        // SAFETY: (1): aligned places of the type that `new` named.
        unsafe {
            let count = if operands.step(k) == 0 { 1 } else { len };
            let place = |i: usize| operands.at(k, from + i);
            match self.params[k] {
                Scalar::F64 if self.stored(k) == Scalar::F32 => {
                    Buffer::F64((0..count).map(|i| f64::from(*place(i).cast::<f32>())).collect())
                }
                Scalar::F64 if self.stored(k) == Scalar::I32 => {
                    Buffer::F64((0..count).map(|i| f64::from(*place(i).cast::<i32>())).collect())
                }
                Scalar::F64 => Buffer::F64((0..count).map(|i| *place(i).cast::<f64>()).collect()),
                Scalar::F32 => Buffer::F32((0..count).map(|i| *place(i).cast::<f32>()).collect()),
                Scalar::I32 => Buffer::I32((0..count).map(|i| *place(i).cast::<i32>()).collect()),
                Scalar::I64 => Buffer::I64((0..count).map(|i| *place(i).cast::<i64>()).collect()),
                Scalar::U32 => Buffer::U32((0..count).map(|i| *place(i).cast::<u32>()).collect()),
                Scalar::U64 => Buffer::U64((0..count).map(|i| *place(i).cast::<u64>()).collect()),
                Scalar::Usize => Buffer::Usize((0..count).map(|i| *place(i).cast::<usize>()).collect()),
                Scalar::Bool => Buffer::Bool((0..count).map(|i| *place(i) != 0).collect()),
            }
        }
    }
}

/// # Safety
/// 1. `len` initialised, aligned values of `T`, which nobody writes during `'a`.
unsafe fn slice<'a, T>(place: *mut u8, len: usize) -> &'a [T] {
    // SAFETY: (1).
    unsafe { std::slice::from_raw_parts(place.cast(), len) }
}

/// # Safety
/// 1. `len` aligned places for `T`, of which any bytes are a value, and which nobody else touches during `'a`.
unsafe fn slice_mut<'a, T>(place: *mut u8, len: usize) -> &'a mut [T] {
    // SAFETY: (1).
    unsafe { std::slice::from_raw_parts_mut(place.cast(), len) }
}

/// Whether a result is NaN in an element where no argument is.
fn has_new_nan(ins: &[Column<'_>], outs: &[ColumnMut<'_>]) -> bool {
    let is_nan = |column: &Column<'_>, i: usize| match column {
        Column::F64([all]) => all.is_nan(),
        Column::F64(values) => values[i].is_nan(),
        _ => false,
    };
    outs.iter().any(|out| match out {
        ColumnMut::F64(values) => {
            values.iter().enumerate().any(|(i, y)| y.is_nan() && !ins.iter().any(|x| is_nan(x, i)))
        }
        _ => false,
    })
}

/// A block of one operand.
enum Buffer {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Usize(Vec<usize>),
    Bool(Vec<bool>),
}

/// The same for the vector of every variant.
macro_rules! each {
    ($buffer:expr, $kind:ident($values:ident) => $result:expr) => {
        match $buffer {
            Buffer::F64($values) => each!(@ $kind F64 $result),
            Buffer::F32($values) => each!(@ $kind F32 $result),
            Buffer::I32($values) => each!(@ $kind I32 $result),
            Buffer::I64($values) => each!(@ $kind I64 $result),
            Buffer::U32($values) => each!(@ $kind U32 $result),
            Buffer::U64($values) => each!(@ $kind U64 $result),
            Buffer::Usize($values) => each!(@ $kind Usize $result),
            Buffer::Bool($values) => each!(@ $kind Bool $result),
        }
    };
    (@ Column $variant:ident $result:expr) => { Column::$variant($result) };
    (@ ColumnMut $variant:ident $result:expr) => { ColumnMut::$variant($result) };
    (@ plain $variant:ident $result:expr) => { $result };
}

impl Buffer {
    fn zeros(ty: Scalar, len: usize) -> Buffer {
        match ty {
            Scalar::F64 => Buffer::F64(vec![0.0; len]),
            Scalar::F32 => Buffer::F32(vec![0.0; len]),
            Scalar::I32 => Buffer::I32(vec![0; len]),
            Scalar::I64 => Buffer::I64(vec![0; len]),
            Scalar::U32 => Buffer::U32(vec![0; len]),
            Scalar::U64 => Buffer::U64(vec![0; len]),
            Scalar::Usize => Buffer::Usize(vec![0; len]),
            Scalar::Bool => Buffer::Bool(vec![false; len]),
        }
    }

    fn column(&self) -> Column<'_> {
        each!(self, Column(values) => values)
    }

    fn column_mut(&mut self) -> ColumnMut<'_> {
        each!(self, ColumnMut(values) => values)
    }

    /// Writes element `i`, as float32 if the operand is `narrow`.
    ///
    /// # Safety
    /// 1. `place` is an aligned place for it.
    unsafe fn put(&self, i: usize, place: *mut u8, narrow: bool) {
        // SAFETY: (1).
        unsafe {
            match self {
                Buffer::F64(values) if narrow => place.cast::<f32>().write(values[i] as f32),
                other => each!(other, plain(values) => ptr::copy_nonoverlapping(
                    values.as_ptr().add(i).cast::<u8>(), place, size_of_val(&values[i]))),
            }
        }
    }
}
