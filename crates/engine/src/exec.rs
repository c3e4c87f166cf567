//! Runs a plan's steps over rows: block by block, blocks spread over threads.

use crate::device::DeviceProgram;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::plan::{Output, Plan, StepId};
use crate::reduce::{BLOCK, Partial, Reduced, Reducer};
use crate::steps::{PreparedSteps, ROWS_PER_BLOCK, Source, Strided, StridedMut};
use crate::tiered_steps::TieredSteps;
use gristmill_kernel::Scalar;
use gristmill_support::ask_for_large_pages;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The most rows per task.
const MOST_ROWS_PER_TASK: usize = 16 * BLOCK;

/// Rows per task: whole blocks of both kinds, a few tasks per thread, so that none waits long for the last one.
fn rows_per_task(count: usize) -> usize {
    let per_thread = count / (4 * rayon::current_num_threads());
    (per_thread / BLOCK * BLOCK).clamp(BLOCK, MOST_ROWS_PER_TASK)
}

/// Whether so few rows make one task, however many threads there are.
pub(crate) fn is_one_task(count: usize) -> bool {
    count <= BLOCK
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

impl<'a> Rows<'a> {
    /// A column that has a value for each row.
    pub(crate) fn column(&self, column: usize) -> Result<InputColumn<'a>, EngineError> {
        let (found, expected) = (self.columns.len(), column + 1);
        let input = self.columns.get(column).ok_or(EngineError::ArrayCount { what: "columns", found, expected })?;
        for found in std::iter::once(input.values.len()).chain(input.missing.map(<[bool]>::len)) {
            if found != self.count {
                return Err(EngineError::Length { column, found, expected: self.count });
            }
        }
        Ok(*input)
    }

    /// The steps' columns are there, and every column has a value for each row.
    pub(crate) fn check(&self, steps: &PreparedSteps) -> Result<(), EngineError> {
        let columns = steps.sources().iter().map(|source| match source {
            Source::Column(c) | Source::Missing(c) => c + 1,
            Source::RowIndex => 0,
        });
        let (found, expected) = (self.columns.len(), columns.max().unwrap_or(0));
        if found < expected {
            return Err(EngineError::ArrayCount { what: "columns", found, expected });
        }
        (0..found).try_for_each(|column| self.column(column).map(|_| ()))
    }
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

impl ResultColumn {
    pub(crate) const EMPTY: ResultColumn = ResultColumn { values: ResultValues::F64(Vec::new()), missing: None };

    /// Makes places for `count` values of this type, which `run_into` fills, in the memory that the column has as far as it
    /// goes.
    pub(crate) fn make_places(&mut self, scalar: Scalar, can_be_missing: bool, count: usize) {
        match &mut self.values {
            ResultValues::F64(v) if scalar == Scalar::F64 && v.capacity() >= count => v.resize(count, 0.0),
            ResultValues::Bool(v) if scalar == Scalar::Bool && v.capacity() >= count => v.resize(count, false),
            values => *values = ResultValues::zeros(scalar, count),
        }
        match &mut self.missing {
            Some(m) if can_be_missing && m.capacity() >= count => m.resize(count, false),
            missing => *missing = can_be_missing.then(|| fresh(count, false)),
        }
    }

    /// Its places, in the order of the steps' roots: the values, then where they are missing.
    pub(crate) fn slices(&mut self) -> impl Iterator<Item = ResultSlice<'_>> {
        let missing = self.missing.as_mut().map(|m| ResultSlice::Bool(m));
        std::iter::once(self.values.as_slice()).chain(missing)
    }
}

fn fresh<T: Copy>(count: usize, zero: T) -> Vec<T> {
    let mut places = vec![zero; count];
    ask_for_large_pages(&mut places);
    places
}

impl ResultValues {
    fn zeros(scalar: Scalar, count: usize) -> ResultValues {
        match scalar {
            Scalar::Bool => ResultValues::Bool(fresh(count, false)),
            _ => ResultValues::F64(fresh(count, 0.0)),
        }
    }

    /// All places, for writing.
    pub(crate) fn as_slice(&mut self) -> ResultSlice<'_> {
        match self {
            ResultValues::F64(v) => ResultSlice::F64(v),
            ResultValues::Bool(v) => ResultSlice::Bool(v),
        }
    }
}

/// Which threads work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    /// Those of the current rayon pool.
    Pool,
    /// The calling one.
    Caller,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        match self {
            Threads::Pool => rayon::current_num_threads(),
            Threads::Caller => 1,
        }
    }
}

/// The sources of the steps, as they lie in rows. The row's number is made block by block.
fn sources(steps: &PreparedSteps, rows: &Rows<'_>) -> Vec<Strided> {
    static NOWHERE: bool = false;
    let size = |scalar: Scalar| scalar.size() as isize;
    steps
        .sources()
        .iter()
        .map(|source| match source {
            Source::Column(c) => Strided { start: rows.columns[*c].values.as_ptr().cast(), stride: size(Scalar::F64) },
            Source::Missing(c) => match rows.columns[*c].missing {
                Some(missing) => Strided { start: missing.as_ptr().cast(), stride: size(Scalar::Bool) },
                None => Strided { start: (&raw const NOWHERE).cast(), stride: 0 },
            },
            // Filled in by `run_rows`.
            Source::RowIndex => Strided { start: std::ptr::null(), stride: size(Scalar::U64) },
        })
        .collect()
}

/// Computes rows `start..start + count` into `outs`, one for each root, on the calling thread.
fn run_rows(
    steps: &PreparedSteps,
    rows: &Rows<'_>,
    start: usize,
    count: usize,
    outs: &mut [ResultSlice<'_>],
) -> Result<(), EngineError> {
    // What `run_block` leans on; both hold for every caller in this module.
    assert!(outs.len() == steps.roots().len() && start + count <= rows.count);
    let mut roots = Vec::with_capacity(outs.len());
    for (out, root) in outs.iter_mut().zip(steps.roots()) {
        let scalar = steps.plan().scalar(*root);
        let (pointer, length, fits): (*mut u8, _, _) = match out {
            ResultSlice::F64(v) => (v.as_mut_ptr().cast(), v.len(), scalar == Scalar::F64),
            ResultSlice::Bool(v) => (v.as_mut_ptr().cast(), v.len(), scalar == Scalar::Bool),
        };
        assert!(length == count && fits);
        roots.push(StridedMut { start: pointer, stride: scalar.size() as isize });
    }
    let mut sources = sources(steps, rows);
    for source in &mut sources {
        source.start = source.start.wrapping_byte_offset(source.stride * start as isize);
    }
    let index = steps.sources().iter().position(|s| *s == Source::RowIndex);
    let mut indices = vec![0_u64; if index.is_some() { ROWS_PER_BLOCK.min(count) } else { 0 }];
    steps.with_memory(count, |memory| {
        for offset in (0..count).step_by(ROWS_PER_BLOCK) {
            let block = ROWS_PER_BLOCK.min(count - offset);
            if let Some(index) = index {
                let first = rows.first + (start + offset) as u64;
                indices[..block].iter_mut().zip(first..).for_each(|(place, row)| *place = row);
                // `run_block` reads from `offset` on.
                sources[index].start = indices.as_ptr().cast::<u8>().wrapping_sub(offset * size_of::<u64>());
            }
            // SAFETY: (1) is the loop's. (2): every column has `rows.count` values, as `Rows::check` has seen, the
            // types are those of the sources and were compared above for the roots. (3), (4): the outs are borrowed
            // exclusively, the rows shared.
            unsafe { steps.run_block(&sources, &roots, offset, block, memory) }?;
        }
        Ok(())
    })
}

/// Computes one column per root, into places for them.
pub(crate) fn run_into(
    steps: &PreparedSteps,
    rows: &Rows<'_>,
    threads: Threads,
    outs: &mut [ResultSlice<'_>],
) -> Result<(), EngineError> {
    if threads == Threads::Caller {
        return run_rows(steps, rows, 0, rows.count, outs);
    }
    run_tasks(steps, rows, outs, &|_, _| true).map(drop)
}

/// As [`run_into`], on the current pool. `go_on` is told the rows of every task that is done, with their part of each root while
/// it is in the cache, and ends the work by saying no: the result is then `false`, and the places are of no use.
pub(crate) fn run_tasks(
    steps: &PreparedSteps,
    rows: &Rows<'_>,
    outs: &mut [ResultSlice<'_>],
    go_on: &(dyn Fn(Range<usize>, &[ResultSlice<'_>]) -> bool + Sync),
) -> Result<bool, EngineError> {
    let task_rows = rows_per_task(rows.count);
    // tasks[t][r]: the part of result r that task t computes.
    let mut tasks: Vec<Vec<ResultSlice<'_>>> = (0..rows.count.div_ceil(task_rows)).map(|_| Vec::new()).collect();
    for out in outs {
        match out {
            ResultSlice::F64(v) => {
                tasks
                    .iter_mut()
                    .zip(v.chunks_mut(task_rows))
                    .for_each(|(task, chunk)| task.push(ResultSlice::F64(chunk)));
            }
            ResultSlice::Bool(v) => {
                tasks
                    .iter_mut()
                    .zip(v.chunks_mut(task_rows))
                    .for_each(|(task, chunk)| task.push(ResultSlice::Bool(chunk)));
            }
        }
    }
    let done = tasks.into_par_iter().enumerate().try_for_each(|(t, mut slices)| {
        let start = t * task_rows;
        let count = task_rows.min(rows.count - start);
        run_rows(steps, rows, start, count, &mut slices).map_err(Some)?;
        if go_on(start..start + count, &slices) { Ok(()) } else { Err(None) }
    });
    match done {
        Ok(()) => Ok(true),
        Err(None) => Ok(false),
        Err(Some(error)) => Err(error),
    }
}

/// A part of a result column.
#[derive(Debug)]
pub(crate) enum ResultSlice<'a> {
    F64(&'a mut [f64]),
    Bool(&'a mut [bool]),
}

/// What one task found for one reduction.
struct TaskResult {
    /// Full blocks.
    blocks: Vec<Partial>,
    /// The rows after them, if the task ends within a block.
    open_values: Vec<f64>,
    open_missing: Vec<bool>,
}

/// One pass over the rows for reductions whose blocks are combined by a tree.
pub(crate) struct TreePass {
    steps: TieredSteps,
    device: Option<DeviceProgram>,
    /// Which reductions of the plan, and how far they are.
    reducers: Vec<(usize, Reducer)>,
}

impl std::fmt::Debug for TreePass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TreePass").field("reducers", &self.reducers).finish_non_exhaustive()
    }
}

impl TreePass {
    /// For these reductions of the plan.
    pub(crate) fn new(
        plan: Arc<Plan>,
        reductions: &[usize],
        known: &[Reduced],
        engine: &Engine,
    ) -> Result<TreePass, EngineError> {
        let chosen = || reductions.iter().map(|i| (*i, &plan.reductions[*i]));
        let roots: Vec<StepId> =
            chosen().flat_map(|(_, r)| std::iter::once(r.over.value).chain(r.over.missing)).collect();
        let reducers = chosen().map(|(i, r)| (i, Reducer::new(r.reduction, r.skip_missing))).collect();
        let steps = TieredSteps::new(plan, roots, known, engine.when_to_compile())?;
        let device = engine.device().map(|d| DeviceProgram::new(steps.plain(), d)).transpose()?;
        Ok(TreePass { steps, device, reducers })
    }

    /// Adds rows, which follow those added before.
    pub(crate) fn push(&mut self, rows: &Rows<'_>) -> Result<(), EngineError> {
        rows.check(self.steps.plain())?;
        if let Some(device) = &self.device {
            let columns = device.run(rows)?;
            self.push_columns(columns);
            return Ok(());
        }
        let steps = self.steps.for_rows(rows.count, Threads::Pool.count());
        let head = self.reducers.first().map_or(0, |(_, r)| r.rows_to_boundary()).min(rows.count);
        let mut ranges = vec![(0, head)];
        let task_rows = rows_per_task(rows.count);
        ranges.extend((head..rows.count).step_by(task_rows).map(|s| (s, task_rows.min(rows.count - s))));
        let results: Vec<Vec<TaskResult>> = ranges
            .into_par_iter()
            .map(|(start, count)| self.task(steps, rows, start, count, start < head))
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
            let over = self.steps.plain().plan().reductions[*index].over;
            let Some(values) = columns.next() else { return };
            let mut missing = match over.missing.and_then(|_| columns.next()) {
                Some(ResultValues::Bool(missing)) => Some(missing),
                _ => None,
            };
            let mut values = values;
            let missing = missing.as_deref_mut();
            let (numbers, missing) = to_reduce(values.as_slice(), missing);
            reducer.push_rows(&numbers, missing.as_deref());
        }
    }

    /// `open`: the rows fill a block that was begun before, so none of them makes a block by itself.
    fn task(
        &self,
        steps: &PreparedSteps,
        rows: &Rows<'_>,
        start: usize,
        count: usize,
        open: bool,
    ) -> Result<Vec<TaskResult>, EngineError> {
        let mut results: Vec<TaskResult> = self
            .reducers
            .iter()
            .map(|_| TaskResult { blocks: Vec::new(), open_values: Vec::new(), open_missing: Vec::new() })
            .collect();
        let plan = steps.plan();
        let mut columns: Vec<ResultValues> =
            steps.roots().iter().map(|root| ResultValues::zeros(plan.scalar(*root), BLOCK.min(count))).collect();
        for offset in (0..count).step_by(BLOCK) {
            let count = BLOCK.min(count - offset);
            let mut outs: Vec<ResultSlice<'_>> = columns
                .iter_mut()
                .map(|column| match column {
                    ResultValues::F64(v) => ResultSlice::F64(&mut v[..count]),
                    ResultValues::Bool(v) => ResultSlice::Bool(&mut v[..count]),
                })
                .collect();
            run_rows(steps, rows, start + offset, count, &mut outs)?;
            let mut outs = outs.into_iter();
            for ((reduction, reducer), result) in self.reducers.iter().zip(&mut results) {
                let over = plan.reductions[*reduction].over;
                // One result per root, in the order of the roots.
                let Some(values) = outs.next() else { break };
                let missing = match over.missing.and_then(|_| outs.next()) {
                    Some(ResultSlice::Bool(missing)) => Some(missing),
                    _ => None,
                };
                let (values, missing) = to_reduce(values, missing);
                if count == BLOCK && !open {
                    result.blocks.push(reducer.block(&values, missing.as_deref()));
                } else {
                    result.open_values.extend_from_slice(&values);
                    match missing {
                        Some(missing) => result.open_missing.extend_from_slice(&missing),
                        None => result.open_missing.resize(result.open_values.len(), false),
                    }
                }
            }
        }
        Ok(results)
    }

    /// The results, written into their places in `known`.
    pub(crate) fn finish(self, known: &mut [Reduced]) {
        for (index, reducer) in self.reducers {
            known[index] = reducer.finish();
        }
    }
}

/// The values to reduce. Of a truth value only the true ones count, so the others are taken as missing.
pub(crate) fn to_reduce<'a>(
    values: ResultSlice<'a>,
    missing: Option<&'a mut [bool]>,
) -> (Cow<'a, [f64]>, Option<Cow<'a, [bool]>>) {
    match (values, missing) {
        (ResultSlice::F64(numbers), missing) => (Cow::Borrowed(numbers), missing.map(|m| Cow::Borrowed(&*m))),
        (ResultSlice::Bool(truth), None) => {
            (vec![0.0; truth.len()].into(), Some(truth.iter().map(|t| !t).collect::<Vec<bool>>().into()))
        }
        (ResultSlice::Bool(truth), Some(missing)) => {
            missing.iter_mut().zip(&*truth).for_each(|(m, t)| *m |= !t);
            (vec![0.0; truth.len()].into(), Some(Cow::Borrowed(missing)))
        }
    }
}

/// How many results are NaN in rows where no column that they use is: R's "NaNs produced".
#[must_use]
pub fn new_nans(plan: &Plan, columns: &[InputColumn<'_>], results: &[ResultColumn]) -> u64 {
    let of_output = |(output, result): (&Output, &ResultColumn)| match &result.values {
        ResultValues::F64(values) => new_nans_from(output, columns, 0, values, result.missing.as_deref()),
        ResultValues::Bool(_) => 0,
    };
    plan.outputs.iter().zip(results).map(of_output).sum()
}

/// The same of some rows of one output, from row `start` on.
pub(crate) fn new_nans_from(
    output: &Output,
    columns: &[InputColumn<'_>],
    start: usize,
    values: &[f64],
    missing: Option<&[bool]>,
) -> u64 {
    // Most have none, which a loop without branches tells.
    if values.iter().filter(|v| v.is_nan()).count() == 0 {
        return 0;
    }
    let made_here = |(row, value): (usize, &f64)| {
        value.is_nan()
            && !missing.is_some_and(|m| m[row])
            && !output.columns.iter().any(|c| columns[*c].values[start + row].is_nan())
    };
    values.iter().enumerate().filter(|at| made_here(*at)).count() as u64
}
