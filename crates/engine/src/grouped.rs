//! Reductions over groups of rows. Within a group the rows are taken in their order, one after the other, so that the result
//! depends on them alone; sums and deviations are carried with their rounding errors.

use crate::compensated::{Deviations, Product};
use crate::error::EngineError;
use crate::plan::Reduction;
use crate::reduce::{NO_LOG_SUM, Reduced, Sum};
use crate::select::quantile_of;
use gristmill_kernel::Level;
use gristmill_kernel::vectors::{AnyLanes, Lanes};
use gristmill_nmath::building_blocks::{LogSum, log_sum_merge, log_sum_plus, log_sum_value};

/// Values of all groups that quantiles hold: 1.5 GiB with their groups.
const MOST_VALUES: usize = 1 << 27;

/// One reduction over groups, under way.
#[derive(Debug)]
pub(crate) struct GroupedReducer {
    reduction: Reduction,
    skip_missing: bool,
    cells: Cells,
    /// Whether a value of the group was missing, or was not a number.
    seen: Vec<Seen>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    missing: bool,
    nan: bool,
}

#[derive(Debug)]
enum Cells {
    Sums(Vec<(Sum, u64)>),
    Counts(Vec<u64>),
    /// Smallest and largest.
    Extremes(Vec<(f64, f64)>),
    Deviations(Vec<Deviations>),
    Products(Vec<Product>),
    LogSums(Vec<LogSum>),
    /// Every value with its group.
    Values(Vec<u32>, Vec<f64>),
}

impl GroupedReducer {
    pub(crate) fn new(reduction: Reduction, skip_missing: bool) -> GroupedReducer {
        let cells = match reduction {
            Reduction::Sum | Reduction::Mean => Cells::Sums(Vec::new()),
            Reduction::Count => Cells::Counts(Vec::new()),
            Reduction::Min | Reduction::Max | Reduction::Any | Reduction::All => Cells::Extremes(Vec::new()),
            Reduction::Var | Reduction::Sd => Cells::Deviations(Vec::new()),
            Reduction::Prod => Cells::Products(Vec::new()),
            Reduction::LogspaceSum => Cells::LogSums(Vec::new()),
            Reduction::Quantile(_) => Cells::Values(Vec::new(), Vec::new()),
        };
        GroupedReducer { reduction, skip_missing, cells, seen: Vec::new() }
    }

    /// Adds rows; there are `groups` groups by now.
    pub(crate) fn push(
        &mut self,
        values: &[f64],
        missing: Option<&[bool]>,
        ids: &[u32],
        groups: usize,
    ) -> Result<(), EngineError> {
        self.seen.resize(groups, Seen::default());
        match &mut self.cells {
            Cells::Sums(cells) => cells.resize(groups, (Sum::default(), 0)),
            Cells::Counts(cells) => cells.resize(groups, 0),
            Cells::Extremes(cells) => cells.resize(groups, (f64::INFINITY, f64::NEG_INFINITY)),
            Cells::Deviations(cells) => cells.resize(groups, Deviations::default()),
            Cells::Products(cells) => cells.resize(groups, Product::ONE),
            Cells::LogSums(cells) => cells.resize(groups, NO_LOG_SUM),
            Cells::Values(_, held) if held.len() + values.len() > MOST_VALUES => {
                return Err(EngineError::TooManyValues { most: MOST_VALUES });
            }
            Cells::Values(..) => {}
        }
        let rows = GroupedRows { values, missing, ids, skip: self.skip_missing, seen: &mut self.seen };
        match &mut self.cells {
            Cells::Sums(cells) => rows.each(|id, x| {
                let (sum, count) = &mut cells[id];
                *sum = sum.plus(x);
                *count += 1;
            }),
            Cells::Counts(cells) => rows.each(|id, _| cells[id] += 1),
            Cells::Extremes(cells) => rows.each(|id, x| {
                let (min, max) = cells[id];
                cells[id] = (if x < min { x } else { min }, if x > max { x } else { max });
            }),
            Cells::Deviations(cells) => {
                // The same operations either way; without the instruction each `mul_add` is a call of a function.
                if let Err(AddDeviations(cells, rows)) = Level::best().on_lanes(AddDeviations(cells, rows)) {
                    rows.each(|id, x| cells[id].add(x));
                }
            }
            Cells::Products(cells) => rows.each(|id, x| cells[id] = cells[id].times(x)),
            Cells::LogSums(cells) => rows.each(|id, x| {
                let alone = log_sum_plus(LogSum { largest: x, ..NO_LOG_SUM }, x);
                cells[id] = log_sum_merge(cells[id], alone);
            }),
            Cells::Values(groups, held) => rows.each(|id, x| {
                groups.push(id as u32);
                held.push(x);
            }),
        }
        Ok(())
    }

    /// Adds rows to a count, without values: all count.
    pub(crate) fn push_every_row(&mut self, ids: &[u32], groups: usize) {
        self.seen.resize(groups, Seen::default());
        if let Cells::Counts(cells) = &mut self.cells {
            cells.resize(groups, 0);
            ids.iter().for_each(|id| cells[*id as usize] += 1);
        }
    }

    /// A result for each group.
    pub(crate) fn finish(self) -> Vec<Reduced> {
        let GroupedReducer { reduction, skip_missing: skip, cells, seen } = self;
        // `None` is a result that is missing although no value is: the deviation of a single one.
        let finish = |group: usize, value: Option<f64>| {
            let seen = seen[group];
            let open = match reduction {
                Reduction::Count => false,
                Reduction::Any => value != Some(1.0),
                Reduction::All => value != Some(0.0),
                _ => true,
            };
            if seen.missing && !skip && open {
                return Reduced { value: 0.0, missing: true };
            }
            match (reduction, value) {
                (Reduction::Count | Reduction::Any | Reduction::All, Some(value)) => Reduced { value, missing: false },
                _ if seen.nan && !skip => Reduced { value: f64::NAN, missing: false },
                (_, Some(value)) => Reduced { value, missing: false },
                (_, None) => Reduced { value: 0.0, missing: true },
            }
        };
        let all = |count: usize, value: &mut dyn FnMut(usize) -> Option<f64>| -> Vec<Reduced> {
            (0..count).map(|group| finish(group, value(group))).collect()
        };
        let count = seen.len();
        match cells {
            Cells::Sums(cells) => all(count, &mut |g| {
                let (sum, count) = cells[g];
                Some(if reduction == Reduction::Mean { sum.value() / count as f64 } else { sum.value() })
            }),
            Cells::Counts(cells) => all(count, &mut |g| Some(cells[g] as f64)),
            Cells::Extremes(cells) => all(count, &mut |g| Some(of_extremes(reduction, cells[g]))),
            Cells::Deviations(cells) => all(count, &mut |g| {
                let variance = cells[g].variance();
                if reduction == Reduction::Sd { variance.map(f64::sqrt) } else { variance }
            }),
            Cells::Products(cells) => all(count, &mut |g| Some(cells[g].value())),
            Cells::LogSums(cells) => all(count, &mut |g| Some(log_sum_value(cells[g]))),
            Cells::Values(groups, held) => {
                let Reduction::Quantile(p) = reduction else { return Vec::new() };
                let (starts, mut values) = by_group(&groups, &held, count);
                all(count, &mut |g| quantile_of(&mut values[starts[g]..starts[g + 1]], f64::from_bits(p)))
            }
        }
    }
}

/// Rows with their groups.
struct GroupedRows<'a> {
    values: &'a [f64],
    missing: Option<&'a [bool]>,
    ids: &'a [u32],
    /// NaN is passed over.
    skip: bool,
    seen: &'a mut [Seen],
}

impl GroupedRows<'_> {
    /// Hands on the group and the value of every row that has one.
    #[inline(always)]
    fn each(self, mut take: impl FnMut(usize, f64)) {
        let GroupedRows { values, missing, ids, skip, seen } = self;
        let counts = |seen: &mut [Seen], id: usize, x: f64| {
            if x.is_nan() {
                seen[id].nan = true;
            }
            !(x.is_nan() && skip)
        };
        match missing {
            None => {
                for (x, id) in values.iter().zip(ids) {
                    if counts(seen, *id as usize, *x) {
                        take(*id as usize, *x);
                    }
                }
            }
            Some(missing) => {
                for ((x, id), missing) in values.iter().zip(ids).zip(missing) {
                    if *missing {
                        seen[*id as usize].missing = true;
                    } else if counts(seen, *id as usize, *x) {
                        take(*id as usize, *x);
                    }
                }
            }
        }
    }
}

/// [`Deviations::add`] for rows, in the instructions of this machine.
struct AddDeviations<'a>(&'a mut [Deviations], GroupedRows<'a>);

impl AnyLanes for AddDeviations<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let AddDeviations(cells, rows) = self;
        rows.each(|id, x| cells[id].add(x));
    }
}

/// What the smallest and the largest value tell; truth values are 0 and 1.
pub(crate) fn of_extremes(reduction: Reduction, (min, max): (f64, f64)) -> f64 {
    match reduction {
        Reduction::Min => min,
        Reduction::Max => max,
        Reduction::Any => f64::from(u8::from(max > 0.0)),
        _ => f64::from(u8::from(min != 0.0)),
    }
}

/// The values of each group together, and where each group's start.
fn by_group(groups: &[u32], values: &[f64], count: usize) -> (Vec<usize>, Vec<f64>) {
    let mut starts = vec![0; count + 1];
    groups.iter().for_each(|g| starts[*g as usize + 1] += 1);
    for g in 0..count {
        starts[g + 1] += starts[g];
    }
    let (mut next, mut sorted) = (starts.clone(), vec![0.0; values.len()]);
    for (group, value) in groups.iter().zip(values) {
        let place = &mut next[*group as usize];
        sorted[*place] = *value;
        *place += 1;
    }
    (starts, sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce(reduction: Reduction, skip: bool, rows: &[(u32, Option<f64>)]) -> Vec<Option<f64>> {
        let mut reducer = GroupedReducer::new(reduction, skip);
        let groups = rows.iter().map(|r| r.0 as usize + 1).max().unwrap_or(0);
        for piece in rows.chunks(2) {
            let values: Vec<f64> = piece.iter().map(|r| r.1.unwrap_or(99.0)).collect();
            let missing: Vec<bool> = piece.iter().map(|r| r.1.is_none()).collect();
            let ids: Vec<u32> = piece.iter().map(|r| r.0).collect();
            reducer.push(&values, Some(&missing), &ids, groups).unwrap();
        }
        reducer.finish().iter().map(|r| (!r.missing).then_some(r.value)).collect()
    }

    /// Group 0: 1, 2, 4; group 1: 5 and a missing value; group 2: nothing but a missing value.
    #[test]
    fn each_group_is_reduced_as_r_reduces_it() {
        let rows = [(0, Some(1.0)), (1, Some(5.0)), (0, Some(2.0)), (2, None), (1, None), (0, Some(4.0))];
        for (reduction, all, known) in [
            (Reduction::Sum, [Some(7.0), None, None], [Some(7.0), Some(5.0), Some(0.0)]),
            (Reduction::Count, [Some(3.0), Some(1.0), Some(0.0)], [Some(3.0), Some(1.0), Some(0.0)]),
            (Reduction::Max, [Some(4.0), None, None], [Some(4.0), Some(5.0), Some(f64::NEG_INFINITY)]),
            (Reduction::Min, [Some(1.0), None, None], [Some(1.0), Some(5.0), Some(f64::INFINITY)]),
            (Reduction::Var, [Some(7.0 / 3.0), None, None], [Some(7.0 / 3.0), None, None]),
            (
                Reduction::LogspaceSum,
                [Some(4.169846019556286), None, None],
                [Some(4.169846019556286), Some(5.0), Some(f64::NEG_INFINITY)],
            ),
            (Reduction::Prod, [Some(8.0), None, None], [Some(8.0), Some(5.0), Some(1.0)]),
            (Reduction::Quantile(0.25_f64.to_bits()), [Some(1.5), None, None], [Some(1.5), Some(5.0), None]),
        ] {
            assert_eq!(reduce(reduction, false, &rows), all, "{reduction:?}");
            assert_eq!(reduce(reduction, true, &rows), known, "{reduction:?} of what is known");
        }
        let truth = [(0, Some(0.0)), (0, None), (1, Some(1.0)), (1, None), (2, Some(0.0)), (2, Some(1.0))];
        assert_eq!(reduce(Reduction::Any, false, &truth), [None, Some(1.0), Some(1.0)]);
        assert_eq!(reduce(Reduction::All, false, &truth), [Some(0.0), None, Some(0.0)]);
    }
}
