//! Kernels by native code: compiled when they are first called for, and kept as long as somebody holds them.

use crate::codegen::runtime::{Callee, Callees, Context, ROUNDS};
use crate::codegen::{Code, Form, compile};
use crate::entry::{EntryPoint, Slot, SlotType};
use crate::source::{Held, Kernel, KnownText, Lowering, lock};
use crate::workshop::with_module;
use crate::{externs, limits};
use core::mem::MaybeUninit;
use core::slice;
use gristmill_ckernel::{ErrorKind, KernelError, scratch};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar, Stopped};
use gristmill_scalar::by_type;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Set, kernels are interpreted: to see what that costs, or if a machine's code cannot be trusted.
const NO_JIT: &str = "GRISTMILL_NO_JIT";

/// Code, or why there is none.
type Made = Result<Arc<Code>, Arc<str>>;

/// The code of a text's functions: by the function's number and the form.
#[derive(Debug, Default)]
pub(crate) struct CodeCache {
    made: Mutex<HashMap<(usize, Form), Made>>,
}

struct NmathCallees;

impl Callees for NmathCallees {
    fn callee(&self, name: &str) -> Option<Callee> {
        let function = externs::kernel(name).filter(|f| f.params().len() <= MOST_PARAMS)?;
        Some(Callee { data: std::ptr::from_ref(function).cast(), call: call_compiled })
    }
}

/// More parameters than any kernel of nmath has.
const MOST_PARAMS: usize = 16;

/// What generated code calls for a kernel of nmath.
/// # Safety
/// 1. `data` is a `Function` that lives for ever.
/// 2. `arguments` and `results` have a pointer for each parameter and result of it: to `n` valid values of its type, or to one where its
///    bit in `uniform` is set; `n` is not 0. Nobody else touches them.
unsafe extern "C" fn call_compiled(
    data: *const (),
    n: usize,
    uniform: u64,
    arguments: *const *const u8,
    results: *const *mut u8,
) {
    // SAFETY: (1).
    let function = unsafe { &*data.cast::<Function>() };
    let mut ins = [Column::F64(&[]); MOST_PARAMS];
    let mut count = 0;
    for (k, (_, scalar)) in function.params().enumerate() {
        let len = if uniform >> k & 1 == 1 { 1 } else { n };
        // SAFETY: (2).
        ins[k] = by_type!(scalar, T => Column::from(unsafe {
            slice::from_raw_parts((*arguments.wrapping_add(k)).cast::<T>(), len)
        }));
        count = k + 1;
    }
    let out = |scalar: Scalar, k: usize| -> ColumnMut<'_> {
        // SAFETY: (2).
        let row = unsafe { *results.wrapping_add(k) };
        if scalar == Scalar::Bool {
            // The memory may hold anything: not every byte is a bool.
            // SAFETY: (2).
            unsafe { row.write_bytes(0, n) };
        }
        // SAFETY: (2).
        by_type!(scalar, T => ColumnMut::from(unsafe { slice::from_raw_parts_mut(row.cast::<T>(), n) }))
    };
    let run = |outs: &mut [ColumnMut<'_>]| {
        let level = Level::best();
        // Compiled kernels are never told to stop.
        let _ = match n {
            1 => function.single_unchecked(level, &ins[..count], outs, 0),
            _ => function.block_unchecked(level, &ins[..count], outs),
        };
    };
    match function.signature().result.scalar() {
        Some(scalar) => run(&mut [out(scalar, 0)]),
        None => {
            let mut outs: Vec<ColumnMut<'_>> =
                function.results().into_iter().enumerate().map(|(k, scalar)| out(scalar, k)).collect();
            run(&mut outs);
        }
    }
}

fn make(text: &str, name: &str, form: &Form, with_text: bool) -> Result<Code, String> {
    if std::env::var_os(NO_JIT).is_some_and(|v| !v.is_empty()) {
        return Err(format!("{NO_JIT} is set"));
    }
    let (name, form) = (name.to_string(), form.clone());
    with_module(text, move |module| {
        let module = module.map_err(|e| e.to_string())?;
        let callees: Rc<dyn Callees> = Rc::new(NmathCallees);
        compile(&module, &callees, &name, &form, with_text).map_err(|refused| refused.0)
    })?
}

impl CodeCache {
    /// The code of a function; `index` tells it from the others of its text.
    fn get(&self, text: &str, name: &str, index: usize, form: &Form) -> Made {
        let key = (index, form.clone());
        let mut made = lock(&self.made);
        if let Some(known) = made.get(&key) {
            return known.clone();
        }
        let code = make(text, name, form, false).map(Arc::new).map_err(Arc::from);
        made.insert(key, code.clone());
        code
    }

    fn of(&self, kernel: &Kernel, form: &Form) -> Made {
        if kernel.params.len() > u64::BITS as usize {
            return Err(Arc::from(format!("it has {} parameters, but at most 64 are compiled", kernel.params.len())));
        }
        self.get(&kernel.text.text, &kernel.name, kernel.index, form)
    }
}

/// All arguments differ between elements.
fn all_vary(kernel: &Kernel) -> Form {
    Form::Block(u64::MAX >> (64 - kernel.params.len().clamp(1, 64)))
}

/// How a kernel is computed.
pub(crate) fn lowering(kernel: &Kernel, held: &Held) -> Lowering {
    match held.code.of(kernel, &all_vary(kernel)) {
        Ok(code) => Lowering::Native { lanes: code.lanes, reason: code.one_at_a_time.clone() },
        Err(reason) => Lowering::Interpreter { reason: reason.to_string() },
    }
}

/// The machine code of the block loop.
pub(crate) fn machine_code(kernel: &Kernel) -> Result<String, String> {
    make(&kernel.text.text, &kernel.name, &all_vary(kernel), true).map(|code| code.text.clone())
}

fn context() -> Context {
    let fuel = limits::fuel();
    Context {
        ticks: fuel.clamp(1, ROUNDS) as i32,
        fuel,
        stopped: limits::is_interrupted(),
        interrupt: &raw const limits::INTERRUPTED,
        memory: std::ptr::null_mut(),
    }
}

fn outcome(context: &Context) -> Result<(), Stopped> {
    if context.stopped { Err(Stopped) } else { Ok(()) }
}

fn start(column: &Column<'_>) -> *const u8 {
    match column {
        Column::F64(v) => v.as_ptr().cast(),
        Column::F32(v) => v.as_ptr().cast(),
        Column::I32(v) => v.as_ptr().cast(),
        Column::I64(v) => v.as_ptr().cast(),
        Column::U32(v) => v.as_ptr().cast(),
        Column::U64(v) => v.as_ptr().cast(),
        Column::Usize(v) => v.as_ptr().cast(),
        Column::Bool(v) => v.as_ptr().cast(),
    }
}

fn start_mut(column: &mut ColumnMut<'_>) -> *mut u8 {
    match column {
        ColumnMut::F64(v) => v.as_mut_ptr().cast(),
        ColumnMut::F32(v) => v.as_mut_ptr().cast(),
        ColumnMut::I32(v) => v.as_mut_ptr().cast(),
        ColumnMut::I64(v) => v.as_mut_ptr().cast(),
        ColumnMut::U32(v) => v.as_mut_ptr().cast(),
        ColumnMut::U64(v) => v.as_mut_ptr().cast(),
        ColumnMut::Usize(v) => v.as_mut_ptr().cast(),
        ColumnMut::Bool(v) => v.as_mut_ptr().cast(),
    }
}

/// Element `i` by the scalar function; `None`: there is no native code.
pub(crate) fn single(
    kernel: &Kernel,
    held: &Held,
    ins: &[Column<'_>],
    outs: &mut [ColumnMut<'_>],
    i: usize,
) -> Option<Result<(), Stopped>> {
    let code = held.code.of(kernel, &Form::Single).ok()?;
    let mut words = vec![0u64; ins.len() + outs.len()];
    let (arguments, results) = words.split_at_mut(ins.len());
    for ((word, column), scalar) in arguments.iter_mut().zip(ins).zip(&kernel.params) {
        let at = if column.len() == 1 { 0 } else { i };
        let size = scalar.size();
        // SAFETY: the column has an element `at` of this size, and a word holds it.
        unsafe {
            start(column).wrapping_add(at * size).copy_to_nonoverlapping(std::ptr::from_mut(word).cast(), size);
        }
    }
    let mut context = context();
    // SAFETY: (1) a word for each.
    unsafe { code.single(&mut context, arguments.as_ptr(), results.as_mut_ptr()) };
    for ((word, column), scalar) in results.iter().zip(outs).zip(&kernel.results) {
        let size = scalar.size();
        // SAFETY: the column has an element `i` of this size, of which the code made a valid value.
        unsafe {
            let to = start_mut(column).wrapping_add(i * size);
            std::ptr::from_ref(word).cast::<u8>().copy_to_nonoverlapping(to, size);
        }
    }
    Some(outcome(&context))
}

/// All elements; `None`: there is no native code.
pub(crate) fn block(
    kernel: &Kernel,
    held: &Held,
    ins: &[Column<'_>],
    outs: &mut [ColumnMut<'_>],
) -> Option<Result<(), Stopped>> {
    let n = outs.first().map_or(0, ColumnMut::len);
    let varying = (0..ins.len()).filter(|k| ins[*k].len() != 1).fold(0u64, |mask, k| mask | 1 << k);
    if varying == 0 {
        let done = single(kernel, held, ins, outs, 0)?;
        for (out, scalar) in outs.iter_mut().zip(&kernel.results) {
            let (first, size) = (start_mut(out), scalar.size());
            for i in 1..n {
                // SAFETY: the column has `n` elements of this size.
                unsafe { first.copy_to_nonoverlapping(first.wrapping_add(i * size), size) };
            }
        }
        return Some(done);
    }
    let code = held.code.of(kernel, &Form::Block(varying)).ok()?;
    Some(run_with_memory(kernel, &code, varying, ins, outs, n))
}

fn run_with_memory(
    kernel: &Kernel,
    code: &Code,
    varying: u64,
    ins: &[Column<'_>],
    outs: &mut [ColumnMut<'_>],
    n: usize,
) -> Result<(), Stopped> {
    // Without memory between its stages there is nothing to ask for.
    if code.memory == 0 {
        return run_block(kernel, code, varying, ins, outs, n, std::ptr::null_mut());
    }
    let run = |memory: &mut [MaybeUninit<u8>]| {
        run_block(kernel, code, varying, ins, outs, n, memory.as_mut_ptr().cast::<u8>())
    };
    // No memory: the thread's error slot says so.
    scratch::with(code.memory, run).unwrap_or(Err(Stopped))
}

/// `memory`: as many bytes as the code needs.
fn run_block(
    kernel: &Kernel,
    code: &Code,
    varying: u64,
    ins: &[Column<'_>],
    outs: &mut [ColumnMut<'_>],
    n: usize,
    memory: *mut u8,
) -> Result<(), Stopped> {
    let columns: Vec<*const u8> = ins.iter().map(start).collect();
    let results: Vec<*mut u8> = outs.iter_mut().map(start_mut).collect();
    let mut context = Context { memory, ..context() };
    let full = n - n % code.lanes;
    if full > 0 {
        // SAFETY: (1), (2) columns were checked against the signature; (3), (4).
        unsafe { code.block(&mut context, &columns, &results, full) };
    }
    if full < n && !context.stopped {
        // The last elements, in rows whose other lanes repeat the last one.
        const ROW: usize = 8;
        let mut rows = vec![[0u64; ROW]; ins.len() + outs.len()];
        let mut given = columns.clone();
        for (k, (scalar, column)) in
            kernel.params.iter().zip(&columns).enumerate().filter(|(k, _)| varying >> k & 1 == 1)
        {
            let size = scalar.size();
            let row = rows[k].as_mut_ptr().cast::<u8>();
            for lane in 0..code.lanes {
                let at = (full + lane).min(n - 1);
                // SAFETY: the column has an element `at` of this size; a row has eight words and lanes are at most that many.
                unsafe { column.wrapping_add(at * size).copy_to_nonoverlapping(row.wrapping_add(lane * size), size) };
            }
            given[k] = row;
        }
        let places: Vec<*mut u8> = rows[ins.len()..].iter_mut().map(|row| row.as_mut_ptr().cast()).collect();
        // SAFETY: (1), (2) rows hold as many elements as there are lanes; (3), (4).
        unsafe { code.block(&mut context, &given, &places, code.lanes) };
        for ((place, result), scalar) in places.iter().zip(&results).zip(&kernel.results) {
            let size = scalar.size();
            // SAFETY: the column has `n` elements, the row at least as many as are copied.
            unsafe { place.copy_to_nonoverlapping(result.wrapping_add(full * size), (n - full) * size) };
        }
    }
    outcome(&context)
}

/// The block loop of a function for arguments of which some are one value for all elements, compiled and ready: whoever runs it over
/// many blocks looks nothing up in between.
#[derive(Clone)]
pub struct BlockLoop {
    kernel: &'static Kernel,
    code: Arc<Code>,
    varying: u64,
}

impl std::fmt::Debug for BlockLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockLoop").field("function", &self.kernel.name).finish_non_exhaustive()
    }
}

impl BlockLoop {
    /// `varies` says for each argument whether it differs between elements.
    pub(crate) fn new(kernel: &'static Kernel, held: &Held, varies: &[bool]) -> Result<BlockLoop, String> {
        if varies.len() != kernel.params.len() || !varies.contains(&true) {
            let (name, count) = (&kernel.name, kernel.params.len());
            return Err(format!("`{name}` has {count} arguments, of which at least one must differ between elements"));
        }
        let varying = varies.iter().enumerate().filter(|(_, v)| **v).fold(0, |mask, (k, _)| mask | 1_u64 << k);
        let code = held.code.of(kernel, &Form::Block(varying)).map_err(|why| why.to_string())?;
        Ok(BlockLoop { kernel, code, varying })
    }

    /// Evaluates every element: a column for each argument that differs between elements, one value for each of the others.
    ///
    /// # Errors
    /// When the columns do not fit; nothing was written then. When it was interrupted.
    pub fn run(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), KernelError> {
        let function = Function::loaded(self.kernel.shard, self.kernel);
        let refused = |message: String| KernelError::new(ErrorKind::InvalidArgument, message);
        let n = function.check(ins, outs).map_err(|e| refused(e.to_string()))?;
        for (k, ((param, _), column)) in function.params().zip(ins).enumerate() {
            let (given, expected) = (column.len(), if self.varying >> k & 1 == 1 { n } else { 1 });
            if given != expected {
                let name = &self.kernel.name;
                return Err(refused(format!(
                    "`{param}` of `{name}` has {given} values, but the loop was made for {expected}"
                )));
            }
        }
        if n == 0 {
            return Ok(());
        }
        let stopped = |Stopped| {
            let message = format!("`{}` was interrupted before its results were complete", self.kernel.name);
            KernelError::new(ErrorKind::Foreign, message)
        };
        run_with_memory(self.kernel, &self.code, self.varying, ins, outs, n).map_err(stopped)
    }
}

/// The work-items of an entry point, or nothing where there is no native code. The slots fit the parameters.
pub(crate) fn launch(
    entry: &EntryPoint,
    text: &KnownText,
    index: usize,
    n: u64,
    slots: &mut [Slot<'_>],
) -> Option<Result<(), Stopped>> {
    let held = text.held();
    let code = held.code.get(&text.text, entry.name(), index, &Form::Launch).ok()?;
    let mut words = vec![];
    for ((_, ty), slot) in entry.params().iter().zip(slots) {
        let (SlotType::Value(scalar) | SlotType::Slice(scalar, _)) = ty;
        match slot {
            Slot::Value(word) => words.push(*word),
            Slot::In(bytes) => words.extend([bytes.as_ptr() as u64, (bytes.len() / scalar.size()) as u64]),
            Slot::Out(bytes) => words.extend([bytes.as_mut_ptr() as u64, (bytes.len() / scalar.size()) as u64]),
        }
    }
    let mut context = context();
    // SAFETY: (1) the slots were checked against the parameters, and are borrowed.
    unsafe { code.launch(&mut context, &words, n) };
    Some(if context.stopped { Err(Stopped) } else { Ok(()) })
}
