//! Where plans run.

use crate::device::{DeviceProgram, write_program};
use crate::error::EngineError;
use crate::exec::{self, InputColumn, ResultColumn, ResultSlice, ResultValues, Rows, Threads};
use crate::expr::{ExprError, Statement};
use crate::pass::{Known, ReductionPass, RowGroups};
use crate::plan::{Bindings, Bound, Plan, StepId, bind};
use crate::reduce::Reduced;
use crate::steps::{PreparedSteps, Source};
use crate::tiered_steps::{Compiling, TieredSteps};
use gristmill_cl_runtime::{Device, DeviceBuffer};
use gristmill_kernel::Function;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs plans on CPU threads, or on a device if one was chosen.
#[derive(Debug)]
pub struct Engine {
    pool: Option<rayon::ThreadPool>,
    device: Option<Device>,
    kernels: Vec<Function>,
    compiling: Compiling,
}

/// A plan that is ready to run: its tree of ckernels, or its program on a device, is built.
pub struct Prepared {
    steps: TieredSteps,
    device: Option<DeviceProgram>,
    /// What is computed: the outputs, if not told otherwise.
    bounds: Vec<Bound>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("on_device", &self.device.is_some()).finish_non_exhaustive()
    }
}

impl Prepared {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.steps.plain().plan()
    }

    /// The plan's outputs for these rows, on the calling thread; on the device, if it was prepared for one.
    ///
    /// # Errors
    /// When a column has the wrong length, or a kernel fails.
    pub fn evaluate_here(&self, rows: &Rows<'_>) -> Result<Vec<ResultColumn>, EngineError> {
        let mut results = Vec::new();
        self.evaluate(rows, Threads::Caller, &mut results)?;
        Ok(results)
    }

    fn make_places(&self, into: &mut Vec<ResultColumn>, count: usize) {
        into.resize(self.bounds.len(), ResultColumn::EMPTY);
        for (column, bound) in into.iter_mut().zip(&self.bounds) {
            column.make_places(self.plan().scalar(bound.value), bound.missing.is_some(), count);
        }
    }

    fn evaluate(&self, rows: &Rows<'_>, threads: Threads, into: &mut Vec<ResultColumn>) -> Result<(), EngineError> {
        rows.check(self.steps.plain())?;
        let Some(device) = &self.device else {
            self.make_places(into, rows.count);
            let mut places: Vec<_> = into.iter_mut().flat_map(ResultColumn::slices).collect();
            let steps = self.steps.for_rows(rows.count, threads.count());
            return exec::run_into(steps, rows, threads, &mut places);
        };
        into.clear();
        let mut results = device.run(rows)?.into_iter();
        for bound in &self.bounds {
            // One result per root, in the order of the roots.
            let Some(values) = results.next() else { break };
            let missing = match bound.missing.and_then(|_| results.next()) {
                Some(ResultValues::Bool(missing)) => Some(missing),
                _ => None,
            };
            into.push(ResultColumn { values, missing });
        }
        Ok(())
    }
}

impl Engine {
    /// On all threads that rayon's global pool has.
    pub fn new() -> Engine {
        Engine { pool: None, device: None, kernels: Vec::new(), compiling: Compiling::default() }
    }

    /// On this many threads; 0 means as many as there are cores.
    ///
    /// # Errors
    /// When they cannot be started.
    pub fn with_threads(threads: usize) -> Result<Engine, EngineError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(EngineError::Threads)?;
        Ok(Engine { pool: Some(pool), device: None, kernels: Vec::new(), compiling: Compiling::default() })
    }

    /// On this device. What it cannot do is an error, never a quiet return to the CPU.
    #[must_use]
    pub fn on_device(mut self, device: Device) -> Engine {
        self.device = Some(device);
        self
    }

    /// With kernels that expressions may call beside R's functions: `&KernelSource` of the crate `gristmill-kernel-jit`, or
    /// any list of [`Function`]s. They shadow nothing: a call of a name that R has too is an error ([`Bindings::kernels`]).
    #[must_use]
    pub fn with_kernels(mut self, kernels: impl IntoIterator<Item = Function>) -> Engine {
        self.kernels.extend(kernels);
        self
    }

    /// With another rule for when chains of operations become compiled loops.
    #[must_use]
    pub fn compiling(mut self, when: Compiling) -> Engine {
        self.compiling = when;
        self
    }

    /// When chains become compiled loops.
    pub(crate) fn when_to_compile(&self) -> Compiling {
        self.compiling
    }

    /// The kernels that expressions may call beside R's functions.
    pub fn kernels(&self) -> &[Function] {
        &self.kernels
    }

    /// As [`bind`], with the kernels of this engine beside those of the bindings.
    ///
    /// # Errors
    /// As there.
    pub fn bind(&self, statements: &[Statement], bindings: &Bindings) -> Result<Plan, ExprError> {
        let mut bindings = bindings.clone();
        bindings.kernels.extend(&self.kernels);
        bind(statements, &bindings)
    }

    /// The device, if one was chosen.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// The OpenCL C text that computes the plan's outputs.
    ///
    /// # Errors
    /// When a kernel cannot be built.
    pub fn device_text(&self, plan: &Plan, known: &[Reduced]) -> Result<String, EngineError> {
        Ok(write_program(&PreparedSteps::new(Arc::new(plan.clone()), output_roots(plan), known)?).text)
    }

    pub(crate) fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    fn thread_count(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads)
    }

    /// Builds what computes the plan's outputs; `known` holds the results of all its reductions.
    ///
    /// # Errors
    /// When a kernel cannot be built.
    pub fn prepare(&self, plan: &Arc<Plan>, known: &[Reduced]) -> Result<Prepared, EngineError> {
        self.prepare_bounds(plan, plan.outputs.iter().map(|o| o.bound).collect(), known)
    }

    /// Builds what computes some values of a plan, each as a column of the results; `known` holds the results of the
    /// reductions that they use.
    ///
    /// # Errors
    /// When a kernel cannot be built.
    pub fn prepare_bounds(
        &self,
        plan: &Arc<Plan>,
        bounds: Vec<Bound>,
        known: &[Reduced],
    ) -> Result<Prepared, EngineError> {
        let steps = TieredSteps::new(plan.clone(), roots(&bounds), known, self.compiling)?;
        let device = self.device.as_ref().map(|d| DeviceProgram::new(steps.plain(), d)).transpose()?;
        Ok(Prepared { steps, device, bounds })
    }

    /// The outputs of a prepared plan for these rows.
    ///
    /// # Errors
    /// When a column has the wrong length, or a kernel fails.
    pub fn evaluate_prepared(&self, prepared: &Prepared, rows: &Rows<'_>) -> Result<Vec<ResultColumn>, EngineError> {
        let mut results = Vec::new();
        self.evaluate_into(prepared, rows, &mut results)?;
        Ok(results)
    }

    /// As [`Engine::evaluate_prepared`], in the memory of results that are there, of an earlier call say: fresh memory
    /// costs more than arithmetic. What does not fit is replaced; after an error the values are of no use.
    ///
    /// # Errors
    /// As there.
    pub fn evaluate_into(
        &self,
        prepared: &Prepared,
        rows: &Rows<'_>,
        results: &mut Vec<ResultColumn>,
    ) -> Result<(), EngineError> {
        if self.thread_count() == 1 || exec::is_one_task(rows.count) {
            // Handing work to another thread takes about as long as two thousand results of `pnorm`.
            return prepared.evaluate(rows, Threads::Caller, results);
        }
        self.on_threads(|| prepared.evaluate(rows, Threads::Pool, results))
    }

    /// As [`Engine::evaluate_prepared`], for as many rows as somebody has in memory, in one piece and on all threads: the outputs,
    /// and how many [new NaN](crate::new_nans) they have. `go_on` hears of the rows that are done, and ends the work by saying no;
    /// there are no results then.
    ///
    /// # Errors
    /// As there; [`EngineError::NotHere`] if it was prepared for a device, or for other values than the plan's outputs.
    pub fn evaluate_while(
        &self,
        prepared: &Prepared,
        rows: &Rows<'_>,
        go_on: impl FnMut(usize) -> bool + Send,
    ) -> Result<Option<(Vec<ResultColumn>, u64)>, EngineError> {
        let plan = prepared.plan();
        if prepared.device.is_some() || prepared.bounds.len() != plan.outputs.len() {
            return Err(EngineError::NotHere);
        }
        rows.check(prepared.steps.plain())?;
        let mut results = Vec::new();
        prepared.make_places(&mut results, rows.count);
        let mut places: Vec<_> = results.iter_mut().flat_map(ResultColumn::slices).collect();
        let (nans, go_on) = (AtomicU64::new(0), Mutex::new(go_on));
        let look = |done: Range<usize>, parts: &[ResultSlice<'_>]| {
            let mut parts = parts.iter();
            for output in &plan.outputs {
                let values = parts.next();
                let missing = output.bound.missing.and_then(|_| parts.next());
                let missing = match missing {
                    Some(ResultSlice::Bool(missing)) => Some(&**missing),
                    _ => None,
                };
                if let Some(ResultSlice::F64(values)) = values {
                    let new = exec::new_nans_from(output, rows.columns, done.start, values, missing);
                    nans.fetch_add(new, Ordering::Relaxed);
                }
            }
            go_on.lock().unwrap_or_else(PoisonError::into_inner)(done.len())
        };
        let whole = match exec::is_one_task(rows.count) {
            true => {
                exec::run_into(prepared.steps.plain(), rows, Threads::Caller, &mut places)?;
                look(0..rows.count, &places)
            }
            false => {
                let steps = prepared.steps.for_rows(rows.count, self.thread_count());
                self.on_threads(|| exec::run_tasks(steps, rows, &mut places, &look))?
            }
        };
        drop(places);
        Ok(whole.then(|| (results, nans.into_inner())))
    }

    /// The plan's outputs for these rows; `known` holds the results of all its reductions.
    ///
    /// # Errors
    /// When a column has the wrong length, or a kernel fails.
    pub fn evaluate(&self, plan: &Plan, rows: &Rows<'_>, known: &[Reduced]) -> Result<Vec<ResultColumn>, EngineError> {
        let prepared = self.prepare(&Arc::new(plan.clone()), known)?;
        self.evaluate_prepared(&prepared, rows)
    }

    /// Starts a pass over the rows for the reductions of a stage; those of earlier stages are in `known`.
    ///
    /// # Errors
    /// When a kernel cannot be built.
    pub fn reduction_pass(&self, plan: &Plan, stage: usize, known: &[Reduced]) -> Result<ReductionPass, EngineError> {
        ReductionPass::new(self, plan, stage, known)
    }

    /// Adds rows to a pass, on this engine's threads; `groups` has one entry for each grouping of the plan.
    ///
    /// # Errors
    /// When a column has the wrong length, a kernel fails, or groups have more values than quantiles can hold.
    pub fn reduce(
        &self,
        pass: &mut ReductionPass,
        rows: &Rows<'_>,
        groups: &[RowGroups<'_>],
    ) -> Result<(), EngineError> {
        self.on_threads(|| pass.push(self, rows, groups))
    }

    /// As [`Engine::run`], for columns of doubles that are on this engine's device, in which nothing is missing: the outputs stay
    /// there, doubles, or bytes for truth values. What reductions are over is copied to the host, once.
    ///
    /// # Errors
    /// [`EngineError::NotThere`] if the engine has no device or the plan does not [stay there](Plan::can_stay_on_device); else as
    /// [`Engine::evaluate`].
    pub fn run_there(
        &self,
        plan: &Plan,
        columns: &[&DeviceBuffer],
        rows: usize,
    ) -> Result<Vec<DeviceBuffer>, EngineError> {
        let device = self.device.as_ref().filter(|_| plan.can_stay_on_device()).ok_or(EngineError::NotThere)?;
        let (found, expected) = (columns.len(), plan.columns_used().into_iter().max().map_or(0, |c| c + 1));
        if found < expected {
            return Err(EngineError::ArrayCount { what: "columns", found, expected });
        }
        if let Some(column) = columns.iter().position(|buffer| buffer.len() != rows) {
            return Err(EngineError::Length { column, found: columns[column].len(), expected: rows });
        }
        let plan = Arc::new(plan.clone());
        let mut known = Known::none(&plan);
        if !plan.reductions.is_empty() {
            let over: Vec<Bound> = plan.reductions.iter().map(|reduce| reduce.over).collect();
            let steps = PreparedSteps::new(plan.clone(), roots(&over), &known.single)?;
            let is_read = |c: usize| steps.sources().contains(&Source::Column(c));
            let read = |c: usize| if is_read(c) { columns[c].to_vec::<f64>() } else { Ok(Vec::new()) };
            let values = (0..columns.len()).map(read).collect::<Result<Vec<Vec<f64>>, _>>();
            let values = values.map_err(EngineError::Device)?;
            // Columns that nobody reads need their length all the same.
            let nobodys = vec![0.0; if values.iter().any(|v| v.len() != rows) { rows } else { 0 }];
            let of = |v: &'_ Vec<f64>| v.len() == rows;
            let inputs: Vec<InputColumn<'_>> = values
                .iter()
                .map(|v| InputColumn { values: if of(v) { v } else { &nobodys }, missing: None })
                .collect();
            // On the host: the rows are here now.
            let here = Engine { pool: None, device: None, kernels: Vec::new(), compiling: self.compiling };
            let rows = Rows { count: rows, first: 0, columns: &inputs };
            self.on_threads(|| here.reductions(&plan, &rows, &mut known))?;
        }
        let steps = PreparedSteps::new(plan.clone(), output_roots(&plan), &known.single)?;
        DeviceProgram::new(&steps, device)?.run_there(columns, rows)
    }

    /// The passes over rows that are all in memory which a plan's reductions need.
    fn reductions(&self, plan: &Plan, rows: &Rows<'_>, known: &mut Known) -> Result<(), EngineError> {
        for stage in 0..plan.stage_count() {
            let mut pass = Some(self.reduction_pass(plan, stage, &known.single)?);
            while let Some(mut under_way) = pass {
                self.reduce(&mut under_way, rows, &[])?;
                pass = under_way.finish(known);
            }
        }
        Ok(())
    }

    /// Reductions and outputs of rows that are all in memory. The plan has no groups and no running results.
    ///
    /// # Errors
    /// As [`Engine::evaluate`].
    pub fn run(&self, plan: &Plan, rows: &Rows<'_>) -> Result<Vec<ResultColumn>, EngineError> {
        let mut known = Known::none(plan);
        self.reductions(plan, rows, &mut known)?;
        self.evaluate(plan, rows, &known.single)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// For each output its value, then where it is missing.
pub(crate) fn output_roots(plan: &Plan) -> Vec<StepId> {
    roots(&plan.outputs.iter().map(|o| o.bound).collect::<Vec<_>>())
}

fn roots(bounds: &[Bound]) -> Vec<StepId> {
    bounds.iter().flat_map(|b| std::iter::once(b.value).chain(b.missing)).collect()
}
