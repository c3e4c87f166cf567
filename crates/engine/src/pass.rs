//! One pass over the rows for the reductions of one stage.

use crate::engine::{Engine, Prepared};
use crate::error::EngineError;
use crate::exec::{ResultColumn, Rows, TreePass, to_reduce};
use crate::grouped::GroupedReducer;
use crate::plan::{Plan, Reduction};
use crate::reduce::Reduced;
use crate::select::{Selected, Selection};
use std::borrow::Cow;
use std::sync::Arc;

/// The groups of some rows in one grouping.
#[derive(Debug, Clone, Copy)]
pub struct RowGroups<'a> {
    /// The number of each row's group, from 0.
    pub of_rows: &'a [u32],
    /// How many groups there are by now.
    pub count: usize,
}

/// What the reductions of a plan came to, as far as they are known.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Those over all rows, by their number in the plan.
    pub single: Vec<Reduced>,
    /// Those over groups, by their number in the plan: a result for each group.
    pub of_groups: Vec<Vec<Reduced>>,
}

impl Known {
    /// Nothing yet.
    pub fn none(plan: &Plan) -> Known {
        let count = plan.reductions.len();
        Known { single: vec![Reduced::default(); count], of_groups: vec![Vec::new(); count] }
    }
}

/// One pass over the rows for the reductions of one stage.
#[derive(Debug)]
pub struct ReductionPass {
    tree: Option<TreePass>,
    /// The columns of those that take their rows as columns, and who takes each; `None`: nobody any more.
    columns: Option<(Prepared, Vec<Option<Taker>>)>,
}

/// Who takes a column.
#[derive(Debug)]
enum Taker {
    /// Quantiles of one column, by their numbers in the plan.
    Quantiles(Vec<usize>, Selection),
    /// A reduction over groups: its number in the plan, its grouping.
    Groups(usize, usize, GroupedReducer),
}

impl ReductionPass {
    pub(crate) fn new(
        engine: &Engine,
        plan: &Plan,
        stage: usize,
        known: &[Reduced],
    ) -> Result<ReductionPass, EngineError> {
        let (mut in_tree, mut takers, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        for (i, reduce) in plan.reductions.iter().enumerate().filter(|(_, r)| r.stage == stage) {
            match (reduce.grouping, reduce.reduction) {
                (Some(grouping), reduction) => {
                    bounds.push(reduce.over);
                    takers.push(Some(Taker::Groups(i, grouping, GroupedReducer::new(reduction, reduce.skip_missing))));
                }
                // The quantiles of one column share what they hold: they are taken together.
                (None, Reduction::Quantile(_)) => {
                    let same = |j: &usize| {
                        let other = &plan.reductions[*j];
                        (other.over, other.skip_missing, other.stage) == (reduce.over, reduce.skip_missing, stage)
                            && other.grouping.is_none()
                    };
                    let all: Vec<(usize, f64)> = (0..plan.reductions.len())
                        .filter(same)
                        .filter_map(|j| match plan.reductions[j].reduction {
                            Reduction::Quantile(p) => Some((j, f64::from_bits(p))),
                            _ => None,
                        })
                        .collect();
                    if all[0].0 == i {
                        let (numbers, wanted) = all.into_iter().unzip();
                        bounds.push(reduce.over);
                        takers.push(Some(Taker::Quantiles(numbers, Selection::new(wanted, reduce.skip_missing))));
                    }
                }
                _ => in_tree.push(i),
            }
        }
        let plan = Arc::new(plan.clone());
        let columns = match takers.is_empty() {
            true => None,
            false => Some((engine.prepare_bounds(&plan, bounds, known)?, takers)),
        };
        let tree = match in_tree.is_empty() {
            true => None,
            false => Some(TreePass::new(plan, &in_tree, known, engine.device())?),
        };
        Ok(ReductionPass { tree, columns })
    }

    /// Adds rows, which follow those added before; `groups` has one entry for each grouping of the plan.
    pub(crate) fn push(
        &mut self,
        engine: &Engine,
        rows: &Rows<'_>,
        groups: &[RowGroups<'_>],
    ) -> Result<(), EngineError> {
        if let Some(tree) = &mut self.tree {
            tree.push(rows)?;
        }
        let Some((prepared, takers)) = &mut self.columns else { return Ok(()) };
        let results = engine.evaluate_prepared(prepared, rows)?;
        for (taker, result) in takers.iter_mut().zip(results) {
            let ResultColumn { mut values, mut missing } = result;
            let (values, missing) = to_reduce(values.as_slice(), missing.as_deref_mut());
            let missing: Option<Cow<'_, [bool]>> = missing;
            match taker {
                None => {}
                Some(Taker::Quantiles(_, selection)) => selection.push(&values, missing.as_deref()),
                Some(Taker::Groups(_, grouping, reducer)) => {
                    let groups = groups.get(*grouping).filter(|g| g.of_rows.len() == rows.count);
                    let groups = groups.ok_or(EngineError::GroupsMissing { grouping: *grouping })?;
                    reducer.push(&values, missing.as_deref(), groups.of_rows, groups.count)?;
                }
            }
        }
        Ok(())
    }

    /// The results, written into their places in `known`. Some may need the same rows once more: then there is another
    /// pass for them.
    #[must_use]
    pub fn finish(self, known: &mut Known) -> Option<ReductionPass> {
        if let Some(tree) = self.tree {
            tree.finish(&mut known.single);
        }
        let (prepared, mut takers) = self.columns?;
        for place in &mut takers {
            *place = match place.take() {
                None => None,
                Some(Taker::Groups(index, _, reducer)) => {
                    known.of_groups[index] = reducer.finish();
                    None
                }
                Some(Taker::Quantiles(numbers, selection)) => match selection.finish() {
                    Selected::Done(results) => {
                        numbers.iter().zip(results).for_each(|(index, result)| known.single[*index] = result);
                        None
                    }
                    Selected::Again(selection) => Some(Taker::Quantiles(numbers, selection)),
                },
            };
        }
        let again = takers.iter().any(Option::is_some);
        again.then_some(ReductionPass { tree: None, columns: Some((prepared, takers)) })
    }
}
