//! Runs a plan on the CPU: a kernel per step, block by block, blocks spread over threads.

use crate::device::DeviceProgram;
use crate::error::EngineError;
use crate::plan::{Plan, Step, StepId, Value};
use crate::reduce::{BLOCK, Partial, Reduced, Reducer};
use gristmill_cl_runtime::Device;
use gristmill_kernel::{Column, ColumnMut, Function, Scalar};
use rayon::prelude::*;

/// Rows per block: a dozen temporaries of it stay in the second-level cache, and the calls' cost vanishes.
const ROWS_PER_BLOCK: usize = 2048;
/// The most rows per task.
const MOST_ROWS_PER_TASK: usize = 16 * BLOCK;

/// Rows per task: whole blocks of both kinds, a few tasks per thread, so that none waits long for the last one.
fn rows_per_task(count: usize) -> usize {
    let per_thread = count / (4 * rayon::current_num_threads());
    (per_thread / BLOCK * BLOCK).clamp(BLOCK, MOST_ROWS_PER_TASK)
}

/// A column to compute with.
#[derive(Debug, Clone, Copy)]
pub struct InputColumn<'a> {
    /// Its numbers.
    pub values: &'a [f64],
    /// Where they are missing; `None`: nowhere.
    pub missing: Option<&'a [bool]>,
}

/// Rows to compute with.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// How many.
    pub count: usize,
    /// The number of the first one in the whole table, from 0.
    pub first: u64,
    /// The columns, each of `count` numbers.
    pub columns: &'a [InputColumn<'a>],
}

/// A computed column.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultColumn {
    /// Its values.
    pub values: ResultValues,
    /// Where they are missing; `None`: nowhere.
    pub missing: Option<Vec<bool>>,
}

/// The values of a computed column.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultValues {
    /// Numbers.
    F64(Vec<f64>),
    /// Truth values.
    Bool(Vec<bool>),
}

/// Values of one step for the rows of a block.
#[derive(Debug, Clone)]
enum Buffer {
    F64(Vec<f64>),
    Bool(Vec<bool>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl Buffer {
    fn new(scalar: Scalar) -> Buffer {
        match scalar {
            Scalar::F64 => Buffer::F64(vec![0.0; ROWS_PER_BLOCK]),
            Scalar::Bool => Buffer::Bool(vec![false; ROWS_PER_BLOCK]),
            Scalar::I32 => Buffer::I32(vec![0; ROWS_PER_BLOCK]),
            Scalar::U32 => Buffer::U32(vec![0; ROWS_PER_BLOCK]),
            _ => Buffer::U64(vec![0; ROWS_PER_BLOCK]),
        }
    }

    fn operand(&self, count: usize) -> Column<'_> {
        match self {
            Buffer::F64(v) => Column::F64(&v[..count]),
            Buffer::Bool(v) => Column::Bool(&v[..count]),
            Buffer::I32(v) => Column::I32(&v[..count]),
            Buffer::U32(v) => Column::U32(&v[..count]),
            Buffer::U64(v) => Column::U64(&v[..count]),
        }
    }

    fn operand_mut(&mut self, count: usize) -> ColumnMut<'_> {
        match self {
            Buffer::F64(v) => ColumnMut::F64(&mut v[..count]),
            Buffer::Bool(v) => ColumnMut::Bool(&mut v[..count]),
            Buffer::I32(v) => ColumnMut::I32(&mut v[..count]),
            Buffer::U32(v) => ColumnMut::U32(&mut v[..count]),
            Buffer::U64(v) => ColumnMut::U64(&mut v[..count]),
        }
    }
}

/// Where a step's values are while a block runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// Not needed for what is computed now.
    Unused,
    /// The same in every row: in the list of uniform values.
    Uniform,
    /// In the input itself.
    Column(usize),
    ColumnMissing(usize),
    /// In this buffer.
    Buffer(usize),
}

/// Some steps of a plan, ready to run.
pub(crate) struct Program<'p> {
    plan: &'p Plan,
    places: Vec<Place>,
    uniform: Vec<Option<Value>>,
    buffers: Vec<Scalar>,
}

impl<'p> Program<'p> {
    /// Prepares what is needed to compute `roots`; `reduced` holds the reductions that are known by now.
    pub(crate) fn new(plan: &'p Plan, roots: &[StepId], reduced: &[Reduced]) -> Result<Program<'p>, EngineError> {
        let steps = plan.steps();
        // The last step that uses each; roots are used to the end.
        let mut last_use: Vec<Option<usize>> = vec![None; steps.len()];
        for root in roots {
            last_use[root.0] = Some(usize::MAX);
        }
        for i in (0..steps.len()).rev() {
            if last_use[i].is_some()
                && let Step::Call(_, arguments) = &steps[i]
            {
                for a in arguments {
                    last_use[a.0] = Some(last_use[a.0].map_or(i, |use_| use_.max(i)));
                }
            }
        }
        let mut program = Program {
            plan,
            places: vec![Place::Unused; steps.len()],
            uniform: vec![None; steps.len()],
            buffers: Vec::new(),
        };
        let mut free: Vec<usize> = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            if last_use[i].is_none() {
                continue;
            }
            let id = StepId(i);
            program.places[i] = match step {
                Step::Column(c) => Place::Column(*c),
                Step::ColumnMissing(c) => Place::ColumnMissing(*c),
                Step::Constant(_) | Step::Reduced(_) | Step::ReducedMissing(_) => Place::Uniform,
                Step::Call(..) if plan.is_uniform(id) => Place::Uniform,
                Step::Call(..) | Step::RowIndex => {
                    let scalar = plan.scalar(id);
                    let reused = free.iter().position(|b| program.buffers[*b] == scalar).map(|at| free.swap_remove(at));
                    Place::Buffer(reused.unwrap_or_else(|| {
                        program.buffers.push(scalar);
                        program.buffers.len() - 1
                    }))
                }
            };
            program.prepare(id, step, reduced)?;
            // A buffer is free again after its last use: not before, as a kernel must not write over what it reads.
            if let Step::Call(_, arguments) = step {
                for (k, a) in arguments.iter().enumerate() {
                    if last_use[a.0] == Some(i)
                        && !arguments[..k].contains(a)
                        && let Place::Buffer(b) = program.places[a.0]
                    {
                        free.push(b);
                    }
                }
            }
        }
        Ok(program)
    }

    pub(crate) fn plan(&self) -> &'p Plan {
        self.plan
    }

    pub(crate) fn place(&self, id: StepId) -> Place {
        self.places[id.0]
    }

    /// The value of a step that is the same in every row.
    pub(crate) fn uniform(&self, id: StepId) -> Option<Value> {
        self.uniform[id.0]
    }

    fn prepare(&mut self, id: StepId, step: &Step, reduced: &[Reduced]) -> Result<(), EngineError> {
        match step {
            Step::Constant(value) => self.uniform[id.0] = Some(*value),
            Step::Reduced(r) => self.uniform[id.0] = Some(Value::F64(reduced[*r].value)),
            Step::ReducedMissing(r) => self.uniform[id.0] = Some(Value::Bool(reduced[*r].missing)),
            Step::Call(function, arguments) if self.plan.is_uniform(id) => {
                let values: Vec<Value> = arguments.iter().filter_map(|a| self.uniform[a.0]).collect();
                self.uniform[id.0] = single(function, &values);
                if self.uniform[id.0].is_none() {
                    return Err(EngineError::Kernel { kernel: function.name().to_string(), cause: None });
                }
            }
            Step::Call(..) | Step::Column(_) | Step::ColumnMissing(_) | Step::RowIndex => {}
        }
        Ok(())
    }

    /// The values of all buffers for one thread.
    fn scratch(&self) -> Vec<Buffer> {
        self.buffers.iter().map(|scalar| Buffer::new(*scalar)).collect()
    }

    /// Computes the rows from `start`, at most a block of them.
    fn run_block(
        &self,
        rows: &Rows<'_>,
        start: usize,
        count: usize,
        scratch: &mut [Buffer],
    ) -> Result<(), EngineError> {
        for (i, step) in self.plan.steps().iter().enumerate() {
            let Place::Buffer(b) = self.places[i] else { continue };
            if let (Step::RowIndex, Buffer::U64(v)) = (step, &mut scratch[b]) {
                let first = rows.first + start as u64;
                v[..count].iter_mut().zip(first..).for_each(|(v, index)| *v = index);
                continue;
            }
            let Step::Call(function, arguments) = step else { continue };
            // Taken out of the list while the arguments are borrowed from it; an argument is never in the same buffer.
            let mut result = std::mem::replace(&mut scratch[b], Buffer::Bool(Vec::new()));
            let operands: Vec<Column<'_>> =
                arguments.iter().map(|a| self.operand(*a, rows, start, count, scratch)).collect();
            let done = function.map(&operands, &mut [result.operand_mut(count)]);
            drop(operands);
            scratch[b] = result;
            done.map_err(|e| EngineError::kernel(function.name(), e))?;
        }
        Ok(())
    }

    fn operand<'a>(
        &'a self,
        id: StepId,
        rows: &Rows<'a>,
        start: usize,
        count: usize,
        scratch: &'a [Buffer],
    ) -> Column<'a> {
        static NOWHERE: [bool; ROWS_PER_BLOCK] = [false; ROWS_PER_BLOCK];
        match self.places[id.0] {
            Place::Buffer(b) => scratch[b].operand(count),
            Place::Column(c) => Column::F64(&rows.columns[c].values[start..start + count]),
            Place::ColumnMissing(c) => match rows.columns[c].missing {
                Some(missing) => Column::Bool(&missing[start..start + count]),
                None => Column::Bool(&NOWHERE[..count]),
            },
            Place::Uniform | Place::Unused => match &self.uniform[id.0] {
                Some(Value::F64(x)) => Column::F64(std::slice::from_ref(x)),
                Some(Value::Bool(x)) => Column::Bool(std::slice::from_ref(x)),
                Some(Value::I32(x)) => Column::I32(std::slice::from_ref(x)),
                Some(Value::U32(x)) => Column::U32(std::slice::from_ref(x)),
                Some(Value::U64(x)) => Column::U64(std::slice::from_ref(x)),
                None => Column::Bool(&[false]),
            },
        }
    }

    /// Copies a root's values out of a block that has run.
    fn read(&self, id: StepId, rows: &Rows<'_>, start: usize, scratch: &[Buffer], out: &mut ResultSlice<'_>) {
        match out {
            ResultSlice::F64(out) => match (self.places[id.0], self.uniform[id.0]) {
                (Place::Column(c), _) => out.copy_from_slice(&rows.columns[c].values[start..start + out.len()]),
                (Place::Buffer(b), _) => {
                    if let Buffer::F64(v) = &scratch[b] {
                        out.copy_from_slice(&v[..out.len()]);
                    }
                }
                (_, Some(Value::F64(x))) => out.fill(x),
                _ => {}
            },
            ResultSlice::Bool(out) => match (self.places[id.0], self.uniform[id.0]) {
                (Place::ColumnMissing(c), _) => match rows.columns[c].missing {
                    Some(missing) => out.copy_from_slice(&missing[start..start + out.len()]),
                    None => out.fill(false),
                },
                (Place::Buffer(b), _) => {
                    if let Buffer::Bool(v) = &scratch[b] {
                        out.copy_from_slice(&v[..out.len()]);
                    }
                }
                (_, Some(Value::Bool(x))) => out.fill(x),
                _ => {}
            },
        }
    }

    /// Computes one column per root, on the threads of the current pool.
    pub(crate) fn run(&self, rows: &Rows<'_>, roots: &[StepId]) -> Result<Vec<ResultValues>, EngineError> {
        let mut results: Vec<ResultValues> = roots
            .iter()
            .map(|root| match self.plan.scalar(*root) {
                Scalar::Bool => ResultValues::Bool(vec![false; rows.count]),
                _ => ResultValues::F64(vec![0.0; rows.count]),
            })
            .collect();
        let task_rows = rows_per_task(rows.count);
        // tasks[t][r]: the part of result r that task t computes.
        let mut tasks: Vec<Vec<ResultSlice<'_>>> = (0..rows.count.div_ceil(task_rows)).map(|_| Vec::new()).collect();
        for result in &mut results {
            match result {
                ResultValues::F64(v) => {
                    for (task, chunk) in tasks.iter_mut().zip(v.chunks_mut(task_rows)) {
                        task.push(ResultSlice::F64(chunk));
                    }
                }
                ResultValues::Bool(v) => {
                    for (task, chunk) in tasks.iter_mut().zip(v.chunks_mut(task_rows)) {
                        task.push(ResultSlice::Bool(chunk));
                    }
                }
            }
        }
        tasks.into_par_iter().enumerate().try_for_each_init(
            || self.scratch(),
            |scratch, (t, mut slices)| {
                let task_start = t * task_rows;
                let task_count = task_rows.min(rows.count - task_start);
                for offset in (0..task_count).step_by(ROWS_PER_BLOCK) {
                    let count = ROWS_PER_BLOCK.min(task_count - offset);
                    self.run_block(rows, task_start + offset, count, scratch)?;
                    for (root, slice) in roots.iter().zip(&mut slices) {
                        self.read(*root, rows, task_start + offset, scratch, &mut slice.part(offset, count));
                    }
                }
                Ok(())
            },
        )?;
        Ok(results)
    }
}

/// A part of a result column.
enum ResultSlice<'a> {
    F64(&'a mut [f64]),
    Bool(&'a mut [bool]),
}

impl ResultSlice<'_> {
    fn part(&mut self, start: usize, count: usize) -> ResultSlice<'_> {
        match self {
            ResultSlice::F64(v) => ResultSlice::F64(&mut v[start..start + count]),
            ResultSlice::Bool(v) => ResultSlice::Bool(&mut v[start..start + count]),
        }
    }
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

/// What one task found for one reduction.
struct TaskResult {
    /// Full blocks.
    blocks: Vec<Partial>,
    /// The rows after them, if the task ends within a block.
    open_values: Vec<f64>,
    open_missing: Vec<bool>,
}

/// One pass over the rows for the reductions of one stage.
pub struct ReductionPass<'p> {
    program: Program<'p>,
    device: Option<DeviceProgram>,
    /// Which reductions of the plan, and how far they are.
    reducers: Vec<(usize, Reducer)>,
}

impl std::fmt::Debug for ReductionPass<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReductionPass").field("reducers", &self.reducers).finish_non_exhaustive()
    }
}

impl<'p> ReductionPass<'p> {
    pub(crate) fn new(
        plan: &'p Plan,
        stage: usize,
        known: &[Reduced],
        device: Option<&Device>,
    ) -> Result<ReductionPass<'p>, EngineError> {
        let of_stage = || plan.reductions.iter().enumerate().filter(|(_, r)| r.stage == stage);
        let roots: Vec<StepId> =
            of_stage().flat_map(|(_, r)| std::iter::once(r.over.value).chain(r.over.missing)).collect();
        let reducers = of_stage().map(|(i, r)| (i, Reducer::new(r.skip_missing))).collect();
        let program = Program::new(plan, &roots, known)?;
        let device = device.map(|d| DeviceProgram::new(&program, &roots, d)).transpose()?;
        Ok(ReductionPass { program, device, reducers })
    }

    /// Adds rows, which follow those added before.
    ///
    /// # Errors
    /// What a kernel reports.
    pub fn push(&mut self, rows: &Rows<'_>) -> Result<(), EngineError> {
        if let Some(device) = &self.device {
            let columns = device.run(rows)?;
            self.push_columns(columns);
            return Ok(());
        }
        let head = self.reducers.first().map_or(0, |(_, r)| r.rows_to_boundary()).min(rows.count);
        let mut ranges = vec![(0, head)];
        let task_rows = rows_per_task(rows.count);
        ranges.extend((head..rows.count).step_by(task_rows).map(|s| (s, task_rows.min(rows.count - s))));
        let results: Vec<Vec<TaskResult>> = ranges
            .into_par_iter()
            .map_init(
                || self.program.scratch(),
                |scratch, (start, count)| self.task(rows, start, count, start < head, scratch),
            )
            .collect::<Result<_, EngineError>>()?;
        for task in results {
            for ((_, reducer), result) in self.reducers.iter_mut().zip(task) {
                for block in result.blocks {
                    reducer.push_block(block);
                }
                reducer.push_rows(&result.open_values, Some(&result.open_missing));
            }
        }
        Ok(())
    }

    /// Adds columns that a device computed: for each reduction its values, then where they are missing.
    fn push_columns(&mut self, columns: Vec<ResultValues>) {
        let mut columns = columns.into_iter();
        for (index, reducer) in &mut self.reducers {
            let over = self.program.plan.reductions[*index].over;
            let Some(values) = columns.next() else { return };
            let mut missing = match over.missing.and_then(|_| columns.next()) {
                Some(ResultValues::Bool(missing)) => Some(missing),
                _ => None,
            };
            let numbers = match values {
                ResultValues::F64(numbers) => numbers,
                // Of a truth value only the true ones count, as in `read_over`.
                ResultValues::Bool(truth) => {
                    let missing = missing.get_or_insert_with(|| vec![false; truth.len()]);
                    missing.iter_mut().zip(&truth).for_each(|(m, t)| *m |= !t);
                    vec![0.0; truth.len()]
                }
            };
            reducer.push_rows(&numbers, missing.as_deref());
        }
    }

    /// `open`: the rows fill a block that was begun before, so none of them makes a block by itself.
    fn task(
        &self,
        rows: &Rows<'_>,
        start: usize,
        count: usize,
        open: bool,
        scratch: &mut [Buffer],
    ) -> Result<Vec<TaskResult>, EngineError> {
        let mut results: Vec<TaskResult> = self
            .reducers
            .iter()
            .map(|_| TaskResult { blocks: Vec::new(), open_values: Vec::new(), open_missing: Vec::new() })
            .collect();
        for offset in (0..count).step_by(BLOCK) {
            let count = BLOCK.min(count - offset);
            let mut values = vec![vec![0.0; count]; results.len()];
            let mut missing = vec![vec![false; count]; results.len()];
            for inner in (0..count).step_by(ROWS_PER_BLOCK) {
                let at = start + offset + inner;
                let part = ROWS_PER_BLOCK.min(count - inner);
                self.program.run_block(rows, at, part, scratch)?;
                for (k, (r, _)) in self.reducers.iter().enumerate() {
                    let over = self.program.plan.reductions[*r].over;
                    self.read_over(
                        over,
                        rows,
                        at,
                        scratch,
                        &mut values[k][inner..inner + part],
                        &mut missing[k][inner..inner + part],
                    );
                }
            }
            for (k, result) in results.iter_mut().enumerate() {
                if count == BLOCK && !open {
                    let skip = self.reducers[k].1.skips_missing();
                    result.blocks.push(Partial::of_block(&values[k], Some(&missing[k]), skip));
                } else {
                    result.open_values.extend_from_slice(&values[k]);
                    result.open_missing.extend_from_slice(&missing[k]);
                }
            }
        }
        Ok(results)
    }

    /// The values to reduce. Of a truth value only the true ones count, so the others are taken as missing.
    fn read_over(
        &self,
        over: crate::plan::Bound,
        rows: &Rows<'_>,
        start: usize,
        scratch: &[Buffer],
        values: &mut [f64],
        missing: &mut [bool],
    ) {
        if let Some(m) = over.missing {
            self.program.read(m, rows, start, scratch, &mut ResultSlice::Bool(missing));
        }
        if self.program.plan.scalar(over.value) == Scalar::Bool {
            let mut truth = vec![false; values.len()];
            self.program.read(over.value, rows, start, scratch, &mut ResultSlice::Bool(&mut truth));
            for (m, t) in missing.iter_mut().zip(truth) {
                *m |= !t;
            }
        } else {
            self.program.read(over.value, rows, start, scratch, &mut ResultSlice::F64(values));
        }
    }

    /// The results, written into their places in `known`.
    pub fn finish(self, known: &mut [Reduced]) {
        for (index, reducer) in self.reducers {
            known[index] = reducer.finish(self.program.plan.reductions[index].reduction);
        }
    }
}
