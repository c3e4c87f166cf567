//! One pass over the rows for the reductions of one stage.

use crate::engine::{Engine, Prepared};
use crate::error::EngineError;
use crate::exec::{ResultColumn, Rows, TreePass, to_reduce};
use crate::grouped::GroupedReducer;
use crate::plan::{Bound, Plan, Reduction, Step, Value};
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
    /// What has to be computed for those that take their rows as columns, and the memory for it.
    computed: Option<(Prepared, Vec<ResultColumn>)>,
    /// Where each column comes from, and who takes it; `None`: nobody any more.
    takers: Vec<(Feed, Option<Taker>)>,
}

/// Where the values of a reduction come from.
#[derive(Debug, Clone, Copy)]
enum Feed {
    /// They are those of a column.
    Column(usize),
    /// Every row is counted.
    EveryRow,
    /// They are computed: the place among what is.
    Computed(usize),
}

impl Feed {
    fn of(plan: &Plan, bound: Bound, reduction: Reduction, computed: &mut Vec<Bound>) -> Feed {
        let missing = bound.missing.map(|step| &plan.steps()[step.0]);
        match (&plan.steps()[bound.value.0], missing) {
            (Step::Column(column), None) => Feed::Column(*column),
            (Step::Column(column), Some(Step::ColumnMissing(of))) if of == column => Feed::Column(*column),
            (Step::Constant(Value::Bool(true)), None) if reduction == Reduction::Count => Feed::EveryRow,
            _ => {
                computed.push(bound);
                Feed::Computed(computed.len() - 1)
            }
        }
    }
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
                    let feed = Feed::of(plan, reduce.over, reduction, &mut bounds);
                    let reducer = GroupedReducer::new(reduction, reduce.skip_missing);
                    takers.push((feed, Some(Taker::Groups(i, grouping, reducer))));
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
                        let feed = Feed::of(plan, reduce.over, reduce.reduction, &mut bounds);
                        let selection = Selection::new(wanted, reduce.skip_missing);
                        takers.push((feed, Some(Taker::Quantiles(numbers, selection))));
                    }
                }
                _ => in_tree.push(i),
            }
        }
        let plan = Arc::new(plan.clone());
        let computed = match bounds.is_empty() {
            true => None,
            false => Some((engine.prepare_bounds(&plan, bounds, known)?, Vec::new())),
        };
        let tree = match in_tree.is_empty() {
            true => None,
            false => Some(TreePass::new(plan, &in_tree, known, engine)?),
        };
        Ok(ReductionPass { tree, computed, takers })
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
        let mut results: &mut [ResultColumn] = &mut [];
        if let Some((prepared, memory)) = &mut self.computed {
            engine.evaluate_into(prepared, rows, memory)?;
            results = memory;
        }
        let of_rows = |grouping: usize| {
            let groups = groups.get(grouping).filter(|g| g.of_rows.len() == rows.count);
            groups.ok_or(EngineError::GroupsMissing { grouping })
        };
        for (feed, taker) in &mut self.takers {
            let (values, missing) = match (*feed, &mut *taker) {
                (Feed::EveryRow, Some(Taker::Groups(_, grouping, reducer))) => {
                    let groups = of_rows(*grouping)?;
                    reducer.push_every_row(groups.of_rows, groups.count);
                    continue;
                }
                (_, None) | (Feed::EveryRow, _) => continue,
                (Feed::Column(column), _) => {
                    let input = rows.column(column)?;
                    (Cow::Borrowed(input.values), input.missing.map(Cow::Borrowed))
                }
                (Feed::Computed(place), _) => {
                    let ResultColumn { values, missing } = &mut results[place];
                    to_reduce(values.as_slice(), missing.as_deref_mut())
                }
            };
            match taker {
                None => {}
                Some(Taker::Quantiles(_, selection)) => selection.push(&values, missing.as_deref()),
                Some(Taker::Groups(_, grouping, reducer)) => {
                    let groups = of_rows(*grouping)?;
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
        let mut takers = self.takers;
        for (_, place) in &mut takers {
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
        let again = takers.iter().any(|(_, taker)| taker.is_some());
        again.then_some(ReductionPass { tree: None, computed: self.computed, takers })
    }
}
