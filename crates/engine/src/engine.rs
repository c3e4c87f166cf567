//! Where plans run.

use crate::device::{DeviceProgram, write_program};
use crate::error::EngineError;
use crate::exec::{Program, ReductionPass, ResultColumn, ResultValues, Rows};
use crate::plan::{Plan, StepId};
use crate::reduce::Reduced;
use gristmill_cl_runtime::Device;

/// Runs plans on CPU threads, or on a device if one was chosen.
#[derive(Debug)]
pub struct Engine {
    pool: Option<rayon::ThreadPool>,
    device: Option<Device>,
}

impl Engine {
    /// On all threads that rayon's global pool has.
    pub fn new() -> Engine {
        Engine { pool: None, device: None }
    }

    /// On this many threads; 0 means as many as there are cores.
    ///
    /// # Errors
    /// When they cannot be started.
    pub fn with_threads(threads: usize) -> Result<Engine, EngineError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(EngineError::Threads)?;
        Ok(Engine { pool: Some(pool), device: None })
    }

    /// On this device. What it cannot do is an error, never a quiet return to the CPU.
    #[must_use]
    pub fn on_device(mut self, device: Device) -> Engine {
        self.device = Some(device);
        self
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
        let roots = output_roots(plan);
        Ok(write_program(&Program::new(plan, &roots, known)?, &roots).text)
    }

    fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The plan's outputs for these rows; `known` holds the results of all its reductions.
    ///
    /// # Errors
    /// When a column has the wrong length, or a kernel fails.
    pub fn evaluate(&self, plan: &Plan, rows: &Rows<'_>, known: &[Reduced]) -> Result<Vec<ResultColumn>, EngineError> {
        check_lengths(rows)?;
        let roots = output_roots(plan);
        let program = Program::new(plan, &roots, known)?;
        let results = match &self.device {
            Some(device) => DeviceProgram::new(&program, &roots, device)?.run(rows)?,
            None => self.on_threads(|| program.run(rows, &roots))?,
        };
        let mut results = results.into_iter();
        let mut columns = Vec::with_capacity(plan.outputs.len());
        for output in &plan.outputs {
            // One result per root, in the order of the roots.
            let Some(values) = results.next() else { break };
            let missing = match output.bound.missing.and_then(|_| results.next()) {
                Some(ResultValues::Bool(missing)) => Some(missing),
                _ => None,
            };
            columns.push(ResultColumn { values, missing });
        }
        Ok(columns)
    }

    /// Starts a pass over the rows for the reductions of a stage; those of earlier stages are in `known`.
    ///
    /// # Errors
    /// When a kernel cannot be built.
    pub fn reduction_pass<'p>(
        &self,
        plan: &'p Plan,
        stage: usize,
        known: &[Reduced],
    ) -> Result<ReductionPass<'p>, EngineError> {
        ReductionPass::new(plan, stage, known, self.device.as_ref())
    }

    /// Adds rows to a pass, on this engine's threads.
    ///
    /// # Errors
    /// When a column has the wrong length, or a kernel fails.
    pub fn reduce(&self, pass: &mut ReductionPass<'_>, rows: &Rows<'_>) -> Result<(), EngineError> {
        check_lengths(rows)?;
        self.on_threads(|| pass.push(rows))
    }

    /// Reductions and outputs of rows that are all in memory.
    ///
    /// # Errors
    /// As [`Engine::evaluate`].
    pub fn run(&self, plan: &Plan, rows: &Rows<'_>) -> Result<Vec<ResultColumn>, EngineError> {
        let mut known = vec![Reduced::default(); plan.reductions.len()];
        for stage in 0..plan.stage_count() {
            let mut pass = self.reduction_pass(plan, stage, &known)?;
            self.reduce(&mut pass, rows)?;
            pass.finish(&mut known);
        }
        self.evaluate(plan, rows, &known)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// For each output its value, then where it is missing.
fn output_roots(plan: &Plan) -> Vec<StepId> {
    plan.outputs.iter().flat_map(|o| std::iter::once(o.bound.value).chain(o.bound.missing)).collect()
}

fn check_lengths(rows: &Rows<'_>) -> Result<(), EngineError> {
    for (column, input) in rows.columns.iter().enumerate() {
        for found in std::iter::once(input.values.len()).chain(input.missing.map(<[bool]>::len)) {
            if found != rows.count {
                return Err(EngineError::Length { column, found, expected: rows.count });
            }
        }
    }
    Ok(())
}
