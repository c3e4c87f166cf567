//! A plan as a tree of ckernels: one for each step that differs between rows (for a few of them together, if they are plain
//! arithmetic), run block by block.
//!
//! [`PreparedSteps`] owns the steps' ckernels and knows where each finds its operands: in a source, in a buffer of one block's
//! length, in the list of values that are the same in every row, or in a destination that an earlier step has filled. The engine
//! runs it over its columns; [`PreparedSteps::deferred`] wraps it into a ckernel of its own, for any runtime that speaks the C
//! ABI. Both run the same loop, so they give the same bits.
//!
//! The numbers in SAFETY comments are the rules of `gristmill_ckernel::abi`, or those of [`PreparedSteps::run_block`].

use crate::error::EngineError;
use crate::fusion::{Fused, Fusion};
use crate::plan::{Plan, Step, StepId, Value};
use crate::reduce::Reduced;
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{
    CKernelPrefix, CKernelType, Deferred, ErrorKind, FuncProto, Kernel, KernelError, KernelRequest, PrototypedFunction,
    builtin_type, guard, scratch, type_id,
};
use gristmill_kernel::{Column, ColumnMut, Function, MOST_PARAMETERS, Scalar};
use gristmill_ndtypes::{ErrorMode, Primitive, Type, assignment};
use std::collections::HashMap;
use std::sync::Arc;

/// Rows per block: a dozen temporaries of it stay in the second-level cache, and the calls' cost vanishes.
pub(crate) const ROWS_PER_BLOCK: usize = 2048;
/// As many operands a step may have: they lie on the stack. A kernel has at most half of them, a chain of calls those of all its
/// kernels; it ends before it would have more.
pub(crate) const MOST_OPERANDS: usize = 2 * MOST_PARAMETERS;

/// Where a step's values are while a block runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Not needed for what is computed now.
    Unused,
    /// Nowhere: computed within the group of arithmetic that uses it.
    Within,
    /// The same in every row: in the list of uniform values.
    Uniform(usize),
    /// In a source: the numbers of a column, where it is missing, the row's number.
    Source(usize),
    /// In the block's memory, at this many bytes from its start.
    Buffer(usize),
    /// In this destination.
    Root(usize),
}

/// What an expression reads, in the order of its ckernel's sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The numbers of a column: f64.
    Column(usize),
    /// Where a column is missing: bool.
    Missing(usize),
    /// The row's number from 0: u64.
    RowIndex,
}

impl Source {
    pub(crate) fn scalar(self) -> Scalar {
        match self {
            Source::Column(_) => Scalar::F64,
            Source::Missing(_) => Scalar::Bool,
            Source::RowIndex => Scalar::U64,
        }
    }
}

/// One step: a ckernel and its operands.
#[derive(Debug)]
struct Call {
    kernel: Kernel,
    name: &'static str,
    result: (Place, Scalar),
    arguments: Box<[(Place, Scalar)]>,
}

/// Some steps of a plan, ready to run.
#[derive(Debug)]
pub(crate) struct PreparedSteps {
    plan: Arc<Plan>,
    roots: Vec<StepId>,
    places: Vec<Place>,
    /// What is the same in every row, and its bytes as kernels read them.
    uniform: Vec<Value>,
    uniform_words: Vec<u64>,
    sources: Vec<Source>,
    calls: Vec<Call>,
    /// Roots that no call fills, because they are a source, uniform, or another root.
    copies: Vec<(Place, usize)>,
    /// For each source that comes in another type: the ckernel that converts it, and the buffer for what it gives.
    conversions: Vec<Option<(Kernel, usize)>>,
    /// The buffers of one block: where each starts, and the size of its elements.
    buffers: Vec<(usize, usize)>,
    /// Bytes of all of them.
    memory: usize,
}

/// Memory of operands: element `i` is at `start + i * stride`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strided {
    pub(crate) start: *const u8,
    pub(crate) stride: isize,
}

/// Memory of a destination.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StridedMut {
    pub(crate) start: *mut u8,
    pub(crate) stride: isize,
}

impl PreparedSteps {
    /// Prepares what is needed to compute `roots`; `reduced` holds the reductions that are known by now.
    pub(crate) fn new(plan: Arc<Plan>, roots: Vec<StepId>, reduced: &[Reduced]) -> Result<PreparedSteps, EngineError> {
        let fusion = Fusion::none(&plan).with_arithmetic(&plan, &roots);
        PreparedSteps::fused(plan, roots, reduced, &fusion)
    }

    /// The same, with some steps computed together.
    pub(crate) fn fused(
        plan: Arc<Plan>,
        roots: Vec<StepId>,
        reduced: &[Reduced],
        fusion: &Fusion,
    ) -> Result<PreparedSteps, EngineError> {
        let count = plan.steps().len();
        let mut prepared = PreparedSteps {
            roots,
            places: vec![Place::Unused; count],
            uniform: Vec::new(),
            uniform_words: Vec::new(),
            sources: Vec::new(),
            calls: Vec::new(),
            copies: Vec::new(),
            conversions: Vec::new(),
            buffers: Vec::new(),
            memory: 0,
            plan,
        };
        let last_use = prepared.last_uses(fusion);
        // Buffers that are free again, by the size of their elements.
        let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
        // The first root of each step that is one.
        let mut roots: HashMap<StepId, usize> = HashMap::with_capacity(prepared.roots.len());
        for (k, root) in prepared.roots.iter().enumerate() {
            roots.entry(*root).or_insert(k);
        }
        let plan = prepared.plan.clone();
        for (i, step) in plan.steps().iter().enumerate() {
            if last_use[i].is_none() {
                if fusion.within[i] {
                    prepared.places[i] = Place::Within;
                }
                continue;
            }
            let id = StepId(i);
            prepared.places[i] = match step {
                Step::Column(c) => prepared.source(Source::Column(*c)),
                Step::ColumnMissing(c) => prepared.source(Source::Missing(*c)),
                Step::RowIndex => prepared.source(Source::RowIndex),
                Step::Constant(value) => prepared.add_uniform(*value),
                Step::Reduced(r) => prepared.add_uniform(Value::F64(reduced[*r].value)),
                Step::ReducedMissing(r) => prepared.add_uniform(Value::Bool(reduced[*r].missing)),
                Step::Call(function, arguments) if plan.is_uniform(id) => {
                    let values: Vec<Value> = arguments.iter().filter_map(|a| prepared.uniform(*a)).collect();
                    let value = single(function, &values);
                    prepared.add_uniform(value.ok_or_else(|| not_of_scalars(function))?)
                }
                Step::Call(function, arguments) => {
                    let result = match roots.get(&id) {
                        Some(root) => Place::Root(*root),
                        None => {
                            let size = plan.scalar(id).size();
                            let reused = free.get_mut(&size).and_then(Vec::pop);
                            Place::Buffer(reused.unwrap_or_else(|| prepared.add_buffer(size)))
                        }
                    };
                    let result_type = (result, plan.scalar(id));
                    let arguments = match &fusion.ends[i] {
                        Some(fused) => {
                            prepared.add_fused(function, fused, result_type)?;
                            &fused.arguments
                        }
                        None => {
                            prepared.add_call(function, arguments, result_type)?;
                            arguments
                        }
                    };
                    // A buffer is free again after its last use: not before, as a kernel must not write over what it reads.
                    for (k, a) in arguments.iter().enumerate() {
                        if let (Place::Buffer(at), true) = (prepared.places[a.0], last_use[a.0] == Some(i))
                            && !arguments[..k].contains(a)
                        {
                            free.entry(plan.scalar(*a).size()).or_default().push(at);
                        }
                    }
                    result
                }
            };
        }
        for (k, root) in prepared.roots.iter().enumerate() {
            if prepared.places[root.0] != Place::Root(k) {
                prepared.copies.push((prepared.places[root.0], k));
            }
        }
        Ok(prepared)
    }

    /// For each step the last step that uses it, `None` if nothing does; roots are used to the end.
    fn last_uses(&self, fusion: &Fusion) -> Vec<Option<usize>> {
        let steps = self.plan.steps();
        let mut last_use: Vec<Option<usize>> = vec![None; steps.len()];
        for root in &self.roots {
            last_use[root.0] = Some(usize::MAX);
        }
        for i in (0..steps.len()).rev() {
            if let (true, Step::Call(_, arguments)) = (last_use[i].is_some(), &steps[i]) {
                for a in fusion.ends[i].as_ref().map_or(arguments, |fused| &fused.arguments) {
                    last_use[a.0] = Some(last_use[a.0].map_or(i, |known| known.max(i)));
                }
            }
        }
        last_use
    }

    fn add_buffer(&mut self, size: usize) -> usize {
        let start = self.memory;
        self.buffers.push((start, size));
        self.memory += size * ROWS_PER_BLOCK;
        start
    }

    fn source(&mut self, source: Source) -> Place {
        // Equal steps are one, so that each source is asked for once.
        self.sources.push(source);
        Place::Source(self.sources.len() - 1)
    }

    fn add_uniform(&mut self, value: Value) -> Place {
        let mut bytes = [0; 8];
        match value {
            Value::F64(x) => bytes.copy_from_slice(&x.to_ne_bytes()),
            Value::Bool(x) => bytes[0] = u8::from(x),
            Value::I32(x) => bytes[..4].copy_from_slice(&x.to_ne_bytes()),
            Value::U32(x) => bytes[..4].copy_from_slice(&x.to_ne_bytes()),
            Value::U64(x) => bytes.copy_from_slice(&x.to_ne_bytes()),
        }
        self.uniform.push(value);
        self.uniform_words.push(u64::from_ne_bytes(bytes));
        Place::Uniform(self.uniform.len() - 1)
    }

    /// A call of a ckernel for several steps, of which `function` gives the result.
    fn add_fused(&mut self, function: &Function, fused: &Fused, result: (Place, Scalar)) -> Result<(), EngineError> {
        let failed = |cause| EngineError::kernel(function.name(), cause);
        let arguments: Box<[_]> = fused.arguments.iter().map(|a| (self.places[a.0], self.plan.scalar(*a))).collect();
        // As in `add_call`.
        let types = std::iter::once(result.1).chain(arguments.iter().map(|a| a.1));
        let fits = types.map(|scalar| builtin_type(type_id::of(scalar))).eq(fused.kernel.types().iter().copied())
            && arguments.len() <= MOST_OPERANDS;
        if !fits {
            return Err(not_of_scalars(function));
        }
        let kernel = fused.kernel.instantiate(KernelRequest::Strided).map_err(failed)?;
        self.calls.push(Call { kernel, name: function.name(), result, arguments });
        Ok(())
    }

    fn add_call(
        &mut self,
        function: &Function,
        arguments: &[StepId],
        result: (Place, Scalar),
    ) -> Result<(), EngineError> {
        let failed = |cause| EngineError::kernel(function.name(), cause);
        let kernel = function.deferred().and_then(|d| d.instantiate(KernelRequest::Strided)).map_err(failed)?;
        let arguments: Box<[_]> = arguments.iter().map(|a| (self.places[a.0], self.plan.scalar(*a))).collect();
        // `run_block` leans on this: the kernel reads and writes the types that the steps have.
        let fits = function.results() == [result.1]
            && function.params().map(|p| p.1).eq(arguments.iter().map(|a| a.1))
            && arguments.len() <= MOST_OPERANDS;
        if !fits {
            return Err(not_of_scalars(function));
        }
        self.calls.push(Call { kernel, name: function.name(), result, arguments });
        Ok(())
    }

    /// The same steps, of which others are computed together.
    #[cfg(feature = "jit")]
    pub(crate) fn with_fusion(&self, reduced: &[Reduced], fusion: &Fusion) -> Result<PreparedSteps, EngineError> {
        PreparedSteps::fused(self.plan.clone(), self.roots.clone(), reduced, fusion)
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn roots(&self) -> &[StepId] {
        &self.roots
    }

    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub(crate) fn place(&self, id: StepId) -> Place {
        self.places[id.0]
    }

    /// The value of a step that is the same in every row.
    pub(crate) fn uniform(&self, id: StepId) -> Option<Value> {
        match self.places[id.0] {
            Place::Uniform(at) => Some(self.uniform[at]),
            _ => None,
        }
    }

    /// Runs `f` with memory for [`PreparedSteps::run_block`], for blocks of at most `rows` rows.
    pub(crate) fn with_memory<R>(
        &self,
        rows: usize,
        f: impl FnOnce(*mut u8) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let out_of_memory = |_| {
            let recorded = gristmill_ckernel::error::take();
            EngineError::Memory(recorded.unwrap_or_else(|| KernelError::new(ErrorKind::OutOfMemory, "out of memory")))
        };
        scratch::with(self.memory, |memory| {
            let memory = memory.as_mut_ptr().cast::<u8>();
            for (start, size) in &self.buffers {
                // SAFETY: the frame has a place for every buffer. Kernels see slices of them, so they must hold values.
                unsafe { memory.add(*start).write_bytes(0, size * rows.min(ROWS_PER_BLOCK)) };
            }
            f(memory)
        })
        .map_err(out_of_memory)?
    }

    /// Computes `count` rows, from row `start` of the operands on.
    ///
    /// # Safety
    /// 1. `memory` is what [`PreparedSteps::with_memory`] lends, and `count` is at most what was asked for there, and at most
    ///    `ROWS_PER_BLOCK`.
    /// 2. There is one entry of `sources` for each source of the steps and one of `roots` for each root. Their elements
    ///    from `start` on, `count` of them, are valid, aligned elements of the sources' and the roots' types.
    /// 3. Roots are disjoint from one another and from the sources; the root of steps with one may also share start
    ///    and stride with sources of its own type.
    /// 4. Nobody writes to the sources or touches the roots meanwhile.
    pub(crate) unsafe fn run_block(
        &self,
        sources: &[Strided],
        roots: &[StridedMut],
        start: usize,
        count: usize,
        memory: *mut u8,
    ) -> Result<(), EngineError> {
        let at = |base: *const u8, stride: isize| base.wrapping_byte_offset(stride.wrapping_mul(start as isize));
        let operand = |(place, scalar): (Place, Scalar)| match place {
            Place::Source(s) => match self.conversions.get(s) {
                Some(Some((_, offset))) => (memory.wrapping_add(*offset).cast_const(), scalar.size() as isize),
                _ => (at(sources[s].start, sources[s].stride), sources[s].stride),
            },
            Place::Root(r) => (at(roots[r].start, roots[r].stride), roots[r].stride),
            Place::Buffer(offset) => (memory.wrapping_add(offset).cast_const(), scalar.size() as isize),
            Place::Uniform(u) => ((&raw const self.uniform_words[u]).cast(), 0),
            // Never operands: what a call uses is needed, and has a place of its own.
            Place::Unused | Place::Within => (core::ptr::null(), 0),
        };
        for (source, conversion) in sources.iter().zip(&self.conversions) {
            let Some((kernel, offset)) = conversion else { continue };
            let (to, stride) = (memory.wrapping_add(*offset), size_of::<f64>() as isize);
            // SAFETY: the kernel converts from the source's type, whose elements are valid by (2), to f64 in a buffer.
            unsafe { kernel.unary_strided(to, stride, at(source.start, source.stride), source.stride, count) }
                .map_err(|cause| EngineError::kernel("assignment", cause))?;
        }
        for call in &self.calls {
            let mut pointers = [core::ptr::null(); MOST_OPERANDS];
            let mut strides = [0; MOST_OPERANDS];
            for (k, argument) in call.arguments.iter().enumerate() {
                (pointers[k], strides[k]) = operand(*argument);
            }
            let (to, to_stride) = operand(call.result);
            // SAFETY: the kernel was checked against the steps' types when the call was made. Elements are valid by (1) and
            // (2): a buffer or root that is read was filled by an earlier call, and the values of uniform steps are
            // elements of 8 aligned bytes at most. The destination is a buffer that no operand is in, or a root, which
            // by (3) is disjoint from the sources or the same as one, as rule 4 allows; rule 5 is (4).
            unsafe { call.kernel.expr_strided(to.cast_mut(), to_stride, pointers.as_ptr(), strides.as_ptr(), count) }
                .map_err(|cause| EngineError::kernel(call.name, cause))?;
        }
        for (from, root) in &self.copies {
            let scalar = self.plan.scalar(self.roots[*root]);
            let (from, to) = (operand((*from, scalar)), operand((Place::Root(*root), scalar)));
            // SAFETY: (2), (3): both have `count` elements of the root's type.
            unsafe { copy(scalar.size(), from, (to.0.cast_mut(), to.1), count) };
        }
        Ok(())
    }

    /// The steps as a deferred ckernel of the expr prototype: its only root is the destination, then come the sources.
    /// Columns may have any type that converts to f64; `types` has one for each source, or nothing for those of the plan.
    ///
    /// # Errors
    /// When it has not exactly one root, or a type cannot be converted.
    pub(crate) fn deferred(mut self, types: &[Type]) -> Result<Deferred, EngineError> {
        let refused = |message: String| {
            EngineError::kernel("the expression", KernelError::new(ErrorKind::InvalidArgument, message))
        };
        let [root] = self.roots[..] else {
            return Err(refused(format!("it has {} results, but a ckernel has one destination", self.roots.len())));
        };
        let mut ids: Vec<*const CKernelType> = vec![builtin_type(type_id::of(self.plan.scalar(root)))];
        for (i, source) in self.sources.clone().into_iter().enumerate() {
            let own = builtin_type(type_id::of(source.scalar()));
            let given = types.get(i).map_or(own, Type::to_ckernel);
            ids.push(given);
            let conversion = if given == own {
                None
            } else if let (Source::Column(_), Some(given)) = (source, types.get(i)) {
                let kernel = assignment(&Type::Primitive(Primitive::Float64), given, ErrorMode::None)
                    .map_err(|e| refused(e.to_string()))?
                    .instantiate(KernelRequest::Strided);
                let kernel = kernel.map_err(|cause| EngineError::kernel("assignment", cause))?;
                Some((kernel, self.add_buffer(size_of::<f64>())))
            } else {
                return Err(refused(format!("source {i} has another type than the plan's")));
            };
            self.conversions.push(conversion);
        }
        let prepared = Arc::new(self);
        // SAFETY: `single_row` and `strided` read and write exactly these types; the steps never change, and their
        // memory is the calling thread's own.
        Ok(unsafe {
            Deferred::new(FuncProto::Expr, ids, move |builder, slot, _, request| {
                let function = PrototypedFunction::expr(request, single_row, strided);
                builder.push::<Leaf<Arc<PreparedSteps>>>(slot, function, prepared.clone()).map(drop)
            })
        })
    }
}

/// Copies `count` elements of `size` bytes.
///
/// # Safety
/// 1. Both have `count` valid elements of this size, and are disjoint or have the same start and stride.
pub(crate) unsafe fn copy(size: usize, from: (*const u8, isize), to: (*mut u8, isize), count: usize) {
    if from.1 == size as isize && to.1 == size as isize {
        // SAFETY: (1); `copy` allows the same start.
        unsafe { core::ptr::copy(from.0, to.0, size * count) };
        return;
    }
    for i in 0..count as isize {
        // SAFETY: (1).
        unsafe { core::ptr::copy(from.0.wrapping_offset(i * from.1), to.0.wrapping_offset(i * to.1), size) };
    }
}

fn not_of_scalars(function: &Function) -> EngineError {
    let cause = KernelError::new(ErrorKind::InvalidArgument, "its arguments or its result do not fit the call");
    EngineError::kernel(function.name(), cause)
}

unsafe extern "C" fn single_row(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
    let strides = [0; 1];
    // SAFETY: the caller's; no stride is used for one element, and `strided_rows` asks for none.
    unsafe { rows(dst, 0, src, strides.as_ptr(), true, 1, self_) }
}

unsafe extern "C" fn strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: the caller's.
    unsafe { rows(dst, dst_stride, src, src_stride, false, count, self_) }
}

/// Both forms; `one` says that there is one row and no array of strides.
///
/// # Safety
/// 1. Rules 1 to 5 of the ABI, for the strided form or, with `one`, for the single form.
unsafe fn rows(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    one: bool,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    guard(|at| {
        // SAFETY: rule 1: `PreparedSteps::deferred` made the block.
        let prepared = unsafe { &Leaf::<Arc<PreparedSteps>>::of(self_).data };
        // SAFETY: rule 2.
        let sources: Vec<Strided> = (0..prepared.sources.len())
            .map(|k| unsafe { Strided { start: *src.add(k), stride: if one { 0 } else { *src_stride.add(k) } } })
            .collect();
        let roots = [StridedMut { start: dst, stride: dst_stride }];
        let done = prepared.with_memory(count, |memory| {
            for start in (0..count).step_by(ROWS_PER_BLOCK) {
                *at = start;
                let block = ROWS_PER_BLOCK.min(count - start);
                // SAFETY: the memory is for blocks of `count` rows or full ones; rules 2 to 5 are (2) to (4), for one root.
                unsafe { prepared.run_block(&sources, &roots, start, block, memory) }?;
            }
            Ok(())
        });
        match done {
            Err(EngineError::Kernel { cause, .. } | EngineError::Memory(cause)) => Err(cause),
            _ => Ok(()),
        }
    });
}

/// One call of a kernel on constants; `None` if it is no kernel of scalars.
pub(crate) fn single(function: &Function, arguments: &[Value]) -> Option<Value> {
    let operands: Vec<Column<'_>> = arguments
        .iter()
        .map(|value| match value {
            Value::F64(x) => Column::F64(std::slice::from_ref(x)),
            Value::Bool(x) => Column::Bool(std::slice::from_ref(x)),
            Value::I32(x) => Column::I32(std::slice::from_ref(x)),
            Value::U32(x) => Column::U32(std::slice::from_ref(x)),
            Value::U64(x) => Column::U64(std::slice::from_ref(x)),
        })
        .collect();
    match function.results().first()? {
        Scalar::F64 => {
            let mut out = [0.0_f64];
            function.map(&operands, &mut [ColumnMut::F64(&mut out)]).ok()?;
            Some(Value::F64(out[0]))
        }
        Scalar::Bool => {
            let mut out = [false];
            function.map(&operands, &mut [ColumnMut::Bool(&mut out)]).ok()?;
            Some(Value::Bool(out[0]))
        }
        _ => None,
    }
}
