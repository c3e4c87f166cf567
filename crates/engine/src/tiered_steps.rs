//! The steps of a plan, and their chains as compiled loops once these are worth it.

use crate::error::EngineError;
use crate::plan::{Plan, StepId};
use crate::reduce::Reduced;
use crate::steps::PreparedSteps;
use std::sync::Arc;

/// When chains of operations become compiled loops, where the feature `jit` is there. The results do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Compiling {
    /// When they have run over so many rows that it pays.
    #[default]
    WhenItPays,
    /// Before the first row.
    Always,
    /// Never: to see what it gains, or if a machine's compiled code cannot be trusted.
    Never,
}

/// What computes some values of a plan on the CPU. Both of its forms give the same bits, so that each call may take another one.
#[derive(Debug)]
pub(crate) struct TieredSteps {
    steps: PreparedSteps,
    #[cfg(feature = "jit")]
    compiled: compiled::Compiled,
}

impl TieredSteps {
    /// For these values; `reduced` holds the reductions that are known by now.
    pub(crate) fn new(
        plan: Arc<Plan>,
        roots: Vec<StepId>,
        reduced: &[Reduced],
        compiling: Compiling,
    ) -> Result<TieredSteps, EngineError> {
        #[cfg(not(feature = "jit"))]
        let _ = compiling;
        let steps = PreparedSteps::new(plan, roots, reduced)?;
        Ok(TieredSteps {
            steps,
            #[cfg(feature = "jit")]
            compiled: compiled::Compiled::new(reduced, compiling),
        })
    }

    /// One ckernel after the other: what devices and descriptions are made from.
    pub(crate) fn plain(&self) -> &PreparedSteps {
        &self.steps
    }

    /// What to run over so many rows, on so many threads.
    pub(crate) fn for_rows(&self, rows: usize, threads: usize) -> &PreparedSteps {
        #[cfg(feature = "jit")]
        return self.compiled.for_rows(&self.steps, rows, threads);
        #[cfg(not(feature = "jit"))]
        {
            let _ = (rows, threads);
            &self.steps
        }
    }
}

#[cfg(feature = "jit")]
mod compiled {
    use super::Compiling;
    use crate::chains::{Chains, LEAST_SAVED};
    use crate::reduce::Reduced;
    use crate::steps::PreparedSteps;
    use std::sync::OnceLock;

    /// Fewer rows are not worth looking whether their chains are compiled.
    const FEW_ROWS: usize = 16_384;

    /// The chains of some steps, as far as they are known.
    #[derive(Debug)]
    pub(super) struct Compiled {
        when: Compiling,
        reduced: Vec<Reduced>,
        chains: OnceLock<Option<Chains>>,
        steps: OnceLock<Option<PreparedSteps>>,
    }

    impl Compiled {
        pub(super) fn new(reduced: &[Reduced], when: Compiling) -> Compiled {
            Compiled { when, reduced: reduced.to_vec(), chains: OnceLock::new(), steps: OnceLock::new() }
        }

        pub(super) fn for_rows<'a>(
            &'a self,
            steps: &'a PreparedSteps,
            rows: usize,
            threads: usize,
        ) -> &'a PreparedSteps {
            if let Some(made) = self.steps.get() {
                return made.as_ref().unwrap_or(steps);
            }
            if self.when == Compiling::Never || (self.when == Compiling::WhenItPays && rows < FEW_ROWS) {
                return steps;
            }
            let always = self.when == Compiling::Always;
            let least = if always { f64::NEG_INFINITY } else { LEAST_SAVED };
            let chains = self.chains.get_or_init(|| Chains::of(steps.plan(), steps.roots(), least));
            let pays = |chains: &&Chains| always || chains.are_worth_compiling(rows, threads);
            let Some(chains) = chains.as_ref().filter(pays) else { return steps };
            let make = || {
                let fusion = chains.compile(steps.plan())?.with_arithmetic(steps.plan(), steps.roots());
                // What fails here fails as steps too, and is reported by them.
                steps.with_fusion(&self.reduced, &fusion).ok()
            };
            self.steps.get_or_init(make).as_ref().unwrap_or(steps)
        }
    }
}
