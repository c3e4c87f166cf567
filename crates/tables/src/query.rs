//! Expressions with all that they need to be computed for a piece: reductions that are known, groups, running results.

use crate::error::EvaluationError;
use crate::expressions::Expressions;
use crate::groups::{Groups, Local, is_one_of};
use crate::source::{columns_of, missing_of, rows_of};
use crate::turns::Turns;
use gristmill_engine::plan::{Derived, Plan, Step};
use gristmill_engine::{
    InputColumn, Known, Prepared, ReductionPass, ResultColumn, ResultValues, RowGroups, Rows, Scan, new_nans,
};
use gristmill_table_io::Batch;
use gristmill_table_io::arrow::array::ArrayRef;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct Query<'a> {
    pub(crate) expressions: Expressions<'a>,
    pub(crate) known: Known,
    /// For each grouping of the plan.
    pub(crate) groups: Vec<Groups>,
    /// What is ready to run, by which columns have missing values.
    ready: Mutex<HashMap<Vec<bool>, Arc<Ready>>>,
    running: Turns<State>,
    /// Held while a device computes: it does one thing at a time.
    device: Mutex<()>,
}

/// What is ready to run.
struct Ready {
    outputs: Prepared,
    /// The arguments of the running results.
    running: Vec<Prepared>,
}

/// What runs along with the rows.
#[derive(Default)]
struct State {
    scans: Vec<Scan>,
    groups: Vec<Groups>,
}

/// A column behind the table's.
pub(crate) struct DerivedColumn {
    values: Vec<f64>,
    missing: Vec<bool>,
}

/// Finds the groups of pieces, given the names of their texts.
pub(crate) struct Grouper(Vec<String>);

impl Grouper {
    /// The groups of a piece by themselves, for each grouping.
    pub(crate) fn local_groups(&self, plan: &Plan, batch: &Batch) -> Result<Vec<Local>, EvaluationError> {
        let is_used = |grouping| {
            let by_reductions = plan.reductions.iter().any(|r| r.grouping == Some(grouping));
            by_reductions || plan.running.iter().any(|r| r.grouping == Some(grouping))
        };
        let of = |(i, grouping): (usize, &Vec<String>)| {
            Local::new(&self.key_columns(batch, grouping), if is_used(i) { batch.rows } else { 0 })
        };
        plan.groupings.iter().enumerate().map(of).collect()
    }

    /// The columns that make the groups of a grouping.
    fn key_columns<'b>(&self, batch: &'b Batch, grouping: &[String]) -> Vec<&'b ArrayRef> {
        let place = |name: &String| self.0.iter().position(|text| text == name);
        grouping.iter().filter_map(place).map(|place| &batch.texts[place]).collect()
    }
}

/// Where rows stand in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The number of their piece, from 0.
    pub(crate) piece: u64,
    /// The number of the first row, from 0.
    pub(crate) first: u64,
    /// The number of each row, where they do not follow one another.
    pub(crate) numbers: Option<&'a [f64]>,
}

impl<'a> Query<'a> {
    pub(crate) fn new(expressions: Expressions<'a>) -> Result<Query<'a>, EvaluationError> {
        let plan = expressions.plan_with(true)?;
        let groups = plan.groupings.iter().map(|_| Groups::default()).collect();
        let known = Known::none(&plan);
        let query = Query {
            expressions,
            known,
            groups,
            ready: Mutex::default(),
            running: Turns::new(State::default()),
            device: Mutex::new(()),
        };
        Ok(query)
    }

    /// Forgets the rows that have run by: another pass begins.
    pub(crate) fn rewind(&mut self) -> Result<(), EvaluationError> {
        let plan = self.expressions.plan_with(true)?;
        let scans = plan.running.iter().map(|running| Scan::new(running.kind)).collect();
        let groups = plan.groupings.iter().map(|_| Groups::default()).collect();
        self.running = Turns::new(State { scans, groups });
        Ok(())
    }

    pub(crate) fn give_up(&self) {
        self.running.give_up();
    }

    /// Whether the numbers of the rows are used.
    pub(crate) fn uses_row_numbers(&self) -> Result<bool, EvaluationError> {
        let plan = self.expressions.plan_with(true)?;
        let by_steps = plan.steps_used().any(|(_, step)| matches!(step, Step::RowIndex));
        Ok(by_steps || plan.derived().any(|derived| *derived == Derived::RowNumber))
    }

    /// What finds the groups of a piece by themselves, on any thread.
    pub(crate) fn grouper(&self) -> Grouper {
        Grouper(self.expressions.texts.clone())
    }

    fn add_groups(
        &self,
        groups: &mut [Groups],
        plan: &Plan,
        batch: &Batch,
        local: &[Local],
    ) -> Result<Vec<Vec<u32>>, EvaluationError> {
        let all = plan.groupings.iter().zip(groups).zip(local);
        all.map(|((grouping, groups), local)| groups.add(local, &self.grouper().key_columns(batch, grouping))).collect()
    }

    fn ready(&self, with_missing: Vec<bool>) -> Result<Arc<Ready>, EvaluationError> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = ready.get(&with_missing) {
            return Ok(ready.clone());
        }
        let plan = self.expressions.plan(&with_missing)?;
        let engine = self.expressions.engine();
        let running = plan.running.iter().map(|r| engine.prepare_bounds(&plan, vec![r.over], &self.known.single));
        let new =
            Ready { outputs: engine.prepare(&plan, &self.known.single)?, running: running.collect::<Result<_, _>>()? };
        let new = Arc::new(new);
        ready.insert(with_missing, new.clone());
        Ok(new)
    }

    /// The columns behind the table's that are known after `stage` passes; the others are not used before.
    #[expect(clippy::too_many_arguments, reason = "what a piece is and what is known, each used once")]
    fn derive(
        &self,
        plan: &Plan,
        running: &[Prepared],
        columns: &[InputColumn<'_>],
        batch: &Batch,
        place: Place<'_>,
        ids: &[Vec<u32>],
        scans: &mut [Scan],
        stage: usize,
    ) -> Result<Vec<DerivedColumn>, EvaluationError> {
        let mut all: Vec<DerivedColumn> = Vec::new();
        for derived in plan.derived() {
            let (values, missing) = match derived {
                Derived::RowNumber => {
                    let numbers = match place.numbers {
                        Some(numbers) => numbers.to_vec(),
                        None => (0..batch.rows).map(|row| (place.first + row as u64) as f64).collect(),
                    };
                    (numbers, vec![false; batch.rows])
                }
                Derived::IsOneOf { column, words } => {
                    let at = self.expressions.texts.iter().position(|text| text == column);
                    match at {
                        Some(at) => is_one_of(&batch.texts[at], words, column)?,
                        None => (vec![0.0; batch.rows], vec![true; batch.rows]),
                    }
                }
                Derived::OfGroup(reduction) => {
                    let (results, grouping) = (&self.known.of_groups[*reduction], plan.reductions[*reduction].grouping);
                    match grouping.map(|g| &ids[g]) {
                        Some(ids) if !results.is_empty() && ids.len() == batch.rows => {
                            ids.iter().map(|id| (results[*id as usize].value, results[*id as usize].missing)).unzip()
                        }
                        _ => (vec![0.0; batch.rows], vec![true; batch.rows]),
                    }
                }
                Derived::Running(index) => {
                    let over = plan.running[*index].over;
                    let known_after = plan.stage(over.value).max(over.missing.map_or(0, |m| plan.stage(m)));
                    if known_after > stage {
                        (vec![0.0; batch.rows], vec![true; batch.rows])
                    } else {
                        let columns = with_derived(columns, &all);
                        let rows = Rows { count: batch.rows, first: place.first, columns: &columns };
                        let result = self.on_device(|| Ok(running[*index].evaluate_here(&rows)?))?;
                        let groups = plan.running[*index].grouping.map(|g| ids[g].as_slice());
                        let Some(ResultColumn { values: ResultValues::F64(values), missing }) =
                            result.into_iter().next()
                        else {
                            return Err(EvaluationError::EarlierPiece);
                        };
                        scans[*index].run(&values, missing.as_deref(), groups)
                    }
                }
            };
            all.push(DerivedColumn { values, missing });
        }
        Ok(all)
    }

    fn on_device<R>(&self, work: impl FnOnce() -> Result<R, EvaluationError>) -> Result<R, EvaluationError> {
        let device = self.expressions.engine().device();
        let _turn = device.map(|_| self.device.lock().unwrap_or_else(PoisonError::into_inner));
        work()
    }

    /// The results for a piece, and how many NaN they have where no column that they use is NaN: R's "NaNs produced".
    pub(crate) fn evaluate(
        &self,
        batch: &Batch,
        place: Place<'_>,
    ) -> Result<(Vec<ResultColumn>, u64), EvaluationError> {
        let missing = missing_of(batch);
        let ready = self.ready(missing.iter().map(Option::is_some).collect())?;
        let plan = ready.outputs.plan();
        let columns = columns_of(batch, &missing);
        let all_stages = usize::MAX;
        let derived = if plan.running.is_empty() {
            let local = self.grouper().local_groups(plan, batch)?;
            let ids: Option<Vec<Vec<u32>>> = self.groups.iter().zip(&local).map(|(g, local)| g.find(local)).collect();
            // Rows that no pass has seen: the file was changed, which is found out at the end.
            let ids = ids.ok_or(EvaluationError::EarlierPiece)?;
            self.derive(plan, &[], &columns, batch, place, &ids, &mut [], all_stages)?
        } else {
            let local = match self.grouper().local_groups(plan, batch) {
                Ok(local) => local,
                Err(e) => {
                    self.give_up();
                    return Err(e);
                }
            };
            self.running.take(place.piece, |state| {
                let ids = self.add_groups(&mut state.groups, plan, batch, &local)?;
                self.derive(plan, &ready.running, &columns, batch, place, &ids, &mut state.scans, all_stages)
            })?
        };
        let columns = with_derived(&columns, &derived);
        let rows = Rows { count: batch.rows, first: place.first, columns: &columns };
        let results = self.on_device(|| Ok(ready.outputs.evaluate_here(&rows)?))?;
        let nans = new_nans(plan, &columns, &results);
        Ok((results, nans))
    }

    /// Whether a piece can be as large as the table: results need nothing but the numbers of their rows, and no device.
    pub(crate) fn can_take_all(&self) -> Result<bool, EvaluationError> {
        let plan = self.expressions.plan_with(true)?;
        let is_plain = plan.running.is_empty() && plan.groupings.is_empty() && plan.derived().len() == 0;
        Ok(is_plain && self.expressions.engine().device().is_none())
    }

    /// As [`Query::evaluate`], on all threads, for a piece that is as large as the table; `None` if `go_on`, which hears of the rows
    /// that are done, said no.
    pub(crate) fn evaluate_all(
        &self,
        batch: &Batch,
        go_on: impl FnMut(usize) -> bool + Send,
    ) -> Result<Option<(Vec<ResultColumn>, u64)>, EvaluationError> {
        let missing = missing_of(batch);
        let ready = self.ready(missing.iter().map(Option::is_some).collect())?;
        let columns = columns_of(batch, &missing);
        Ok(self.expressions.engine().evaluate_while(&ready.outputs, &rows_of(batch, 0, &columns), go_on)?)
    }

    /// Adds the next rows to a pass.
    pub(crate) fn reduce(
        &mut self,
        pass: &mut ReductionPass,
        stage: usize,
        batch: &Batch,
        local: &[Local],
        place: Place<'_>,
    ) -> Result<(), EvaluationError> {
        let plan = self.expressions.plan_with(true)?;
        let missing = missing_of(batch);
        let columns = columns_of(batch, &missing);
        let engine = self.expressions.engine();
        let mut groups = std::mem::take(&mut self.groups);
        let ids = self.add_groups(&mut groups, &plan, batch, local);
        self.groups = groups;
        let ids = ids?;
        let running = plan.running.iter().map(|r| engine.prepare_bounds(&plan, vec![r.over], &self.known.single));
        let running: Vec<Prepared> = running.collect::<Result<_, _>>()?;
        let derived = self.running.take(place.piece, |state| {
            self.derive(&plan, &running, &columns, batch, place, &ids, &mut state.scans, stage)
        })?;
        let columns = with_derived(&columns, &derived);
        let rows = rows_of(batch, place.first, &columns);
        let groups: Vec<RowGroups<'_>> = ids
            .iter()
            .zip(&self.groups)
            .map(|(of_rows, groups)| RowGroups { of_rows, count: groups.count() })
            .collect();
        Ok(engine.reduce(pass, &rows, &groups)?)
    }

    /// The results where they are the same in all rows, or in those of a group: one row, or one for each group from `start`
    /// to `end`.
    pub(crate) fn aggregate(&self, start: usize, end: usize) -> Result<Vec<ResultColumn>, EvaluationError> {
        let ready = self.ready(vec![true; self.expressions.used.len()])?;
        let plan = ready.outputs.plan();
        let count = end - start;
        let nothing = vec![0.0; count];
        let column = |derived: &Derived| match derived {
            Derived::OfGroup(reduction) if !self.known.of_groups[*reduction].is_empty() => {
                let results = &self.known.of_groups[*reduction][start..end];
                DerivedColumn {
                    values: results.iter().map(|r| r.value).collect(),
                    missing: results.iter().map(|r| r.missing).collect(),
                }
            }
            _ => DerivedColumn { values: nothing.clone(), missing: vec![true; count] },
        };
        let derived: Vec<DerivedColumn> = plan.derived().map(column).collect();
        let columns = vec![InputColumn { values: &nothing, missing: None }; plan.column_count()];
        let columns = with_derived(&columns, &derived);
        let rows = Rows { count, first: 0, columns: &columns };
        self.on_device(|| Ok(ready.outputs.evaluate_here(&rows)?))
    }
}

/// The columns of the table and those behind them.
fn with_derived<'b>(columns: &[InputColumn<'b>], derived: &'b [DerivedColumn]) -> Vec<InputColumn<'b>> {
    let behind = derived.iter().map(|d| InputColumn { values: &d.values, missing: Some(&d.missing) });
    columns.iter().copied().chain(behind).collect()
}
