//! Which steps of a plan are computed together, by one ckernel.
//!
//! A ckernel for each step would write and read a block between any two of them. Plain arithmetic is done together by
//! [`crate::arithmetic`], always; what has run over many rows is compiled ([`crate::chains`]).

use crate::arithmetic::{Group, Part, is_arithmetic};
use crate::plan::{Plan, Step, StepId};
use crate::strided::StridedLoop;
use gristmill_ckernel::Deferred;

/// Which steps of a plan are computed together.
#[derive(Debug)]
pub(crate) struct Fusion {
    /// For a step that is the last of several: what computes them.
    pub(crate) ends: Vec<Option<Fused>>,
    /// Whether a step is computed together with a later one.
    pub(crate) within: Vec<bool>,
}

/// What computes several steps.
#[derive(Debug)]
pub(crate) struct Fused {
    /// From the arguments to the last of the steps.
    pub(crate) kernel: Deferred,
    /// The steps that it needs, each once.
    pub(crate) arguments: Vec<StepId>,
}

impl Fusion {
    /// Every step by itself.
    pub(crate) fn none(plan: &Plan) -> Fusion {
        let count = plan.steps().len();
        Fusion { ends: std::iter::repeat_with(|| None).take(count).collect(), within: vec![false; count] }
    }

    fn is_free(&self, step: usize) -> bool {
        self.ends[step].is_none() && !self.within[step]
    }

    /// With the arithmetic that is left: an operation that a single other one uses becomes part of it.
    pub(crate) fn with_arithmetic(mut self, plan: &Plan, roots: &[StepId]) -> Fusion {
        let steps = plan.steps();
        let needed = plan.needed(roots);
        // The only step that uses a step; `usize::MAX` if there are several, or if it is a root.
        let mut user: Vec<Option<usize>> = vec![None; steps.len()];
        for root in roots {
            user[root.0] = Some(usize::MAX);
        }
        for i in (0..steps.len()).filter(|i| needed[*i]) {
            if let Step::Call(_, arguments) = &steps[i] {
                for a in arguments {
                    user[a.0] = Some(if user[a.0].is_none_or(|known| known == i) { i } else { usize::MAX });
                }
            }
        }
        let mut groups: Vec<Option<(Group, Vec<StepId>)>> = vec![None; steps.len()];
        for (i, step) in steps.iter().enumerate() {
            let Step::Call(function, operands) = step else { continue };
            if !needed[i] || plan.is_uniform(StepId(i)) || !is_arithmetic(function) || !self.is_free(i) {
                continue;
            }
            // First with the groups of the operands, then, if that is too much, with the operands as they are.
            for merge in [true, false] {
                let inner: Vec<Option<&(Group, Vec<StepId>)>> =
                    operands.iter().map(|a| groups[a.0].as_ref().filter(|_| merge && user[a.0] == Some(i))).collect();
                let mut arguments: Vec<StepId> = Vec::new();
                let mut number = |a: &StepId| {
                    arguments.iter().position(|known| known == a).unwrap_or_else(|| {
                        arguments.push(*a);
                        arguments.len() - 1
                    })
                };
                let numbers: Vec<Vec<usize>> = (operands.iter().zip(&inner))
                    .map(|(a, inner)| match inner {
                        Some((_, arguments)) => arguments.iter().map(&mut number).collect(),
                        None => vec![number(a)],
                    })
                    .collect();
                let parts: Vec<Part<'_>> = (inner.iter().zip(&numbers))
                    .map(|(inner, numbers)| match inner {
                        Some((group, _)) => Part::Group(group, numbers),
                        None => Part::Argument(numbers[0]),
                    })
                    .collect();
                if let Some(group) = Group::of(function, &parts, arguments.len()) {
                    let merged: Vec<usize> =
                        (operands.iter().zip(&inner)).filter(|(_, inner)| inner.is_some()).map(|(a, _)| a.0).collect();
                    for a in merged {
                        (self.within[a], groups[a]) = (true, None);
                    }
                    groups[i] = Some((group, arguments));
                    break;
                }
            }
        }
        for (end, group) in self.ends.iter_mut().zip(groups) {
            // A single operation has its kernel.
            if let Some((group, arguments)) = group.filter(|(group, _)| group.is_worthwhile()) {
                *end = Some(Fused { kernel: group.deferred(), arguments });
            }
        }
        self
    }
}
