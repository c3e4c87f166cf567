//! Expressions over the columns of a data frame.

use crate::error::with_causes;
use crate::map::{NA_INTEGER, NA_REAL, is_na};
use crate::value::{Arguments, Input, Operation, Output, Problem};
use gristmill_engine::expr::{Statement, parse};
use gristmill_engine::plan::{Bindings, Clock, Derived, Plan, bind};
use gristmill_engine::{Engine, InputColumn, Known, ResultColumn, ResultValues, RowGroups, Rows, Scan, new_nans};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) fn operation(name: &str) -> Option<Operation> {
    (name == "eval").then_some(evaluate as Operation)
}

/// A column of the data frame.
enum Column<'a> {
    Numbers { values: Cow<'a, [f64]>, missing: Option<Vec<bool>> },
    Texts(Vec<Option<&'a str>>),
}

/// `None`: nowhere.
fn missing_of(missing: impl Iterator<Item = bool>) -> Option<Vec<bool>> {
    let missing: Vec<bool> = missing.collect();
    missing.iter().any(|m| *m).then_some(missing)
}

impl<'a> Column<'a> {
    fn new(input: Input<'a>) -> Result<Column<'a>, Problem> {
        let whole = |x: &[i32]| Column::Numbers {
            values: x.iter().map(|x| f64::from(*x)).collect::<Vec<_>>().into(),
            missing: missing_of(x.iter().map(|x| *x == NA_INTEGER)),
        };
        match input {
            Input::Doubles(x) => {
                Ok(Column::Numbers { values: x.into(), missing: missing_of(x.iter().map(|x| is_na(*x))) })
            }
            Input::Integers(x) | Input::Logicals(x) => Ok(whole(x)),
            Input::Strings(x) => Ok(Column::Texts(x)),
            Input::Nothing => Err("internal error: a column is NULL".to_owned()),
        }
    }
}

/// What makes rows equal in a column.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Key<'a> {
    Missing,
    Bits(u64),
    Text(&'a str),
}

/// Rows that belong together, numbered in the order in which they appear.
struct Groups {
    of_rows: Vec<u32>,
    first_rows: Vec<i32>,
}

struct Table<'a> {
    rows: usize,
    names: Vec<&'a str>,
    columns: Vec<Column<'a>>,
    /// What stands for the numbers of a column of text.
    zeros: Vec<f64>,
}

impl<'a> Table<'a> {
    fn column(&self, name: &str) -> Option<&Column<'a>> {
        self.names.iter().position(|n| *n == name).map(|at| &self.columns[at])
    }

    fn inputs(&self) -> Vec<InputColumn<'_>> {
        let mut inputs = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            inputs.push(match column {
                Column::Numbers { values, missing } => InputColumn { values, missing: missing.as_deref() },
                Column::Texts(_) => InputColumn { values: &self.zeros, missing: None },
            });
        }
        inputs
    }

    fn groups(&self, by: &[String]) -> Result<Groups, Problem> {
        let columns: Vec<&Column<'a>> = by
            .iter()
            .map(|name| self.column(name).ok_or_else(|| format!("there is no column `{name}` to make groups of")))
            .collect::<Result<_, _>>()?;
        let key = |column: &Column<'a>, row: usize| match column {
            Column::Numbers { missing: Some(missing), .. } if missing[row] => Key::Missing,
            // Both zeros are equal, and so are all NaN.
            Column::Numbers { values, .. } if values[row].is_nan() => Key::Bits(f64::NAN.to_bits()),
            Column::Numbers { values, .. } => Key::Bits((values[row] + 0.0).to_bits()),
            Column::Texts(texts) => texts[row].map_or(Key::Missing, Key::Text),
        };
        let mut numbers: HashMap<Vec<Key<'a>>, u32> = HashMap::new();
        let mut groups = Groups { of_rows: Vec::with_capacity(self.rows), first_rows: Vec::new() };
        for row in 0..self.rows {
            let keys: Vec<Key<'a>> = columns.iter().map(|column| key(column, row)).collect();
            let next = u32::try_from(numbers.len()).map_err(|_| "there are more than 2^32 groups".to_owned())?;
            let number = *numbers.entry(keys).or_insert(next);
            if number == next {
                groups.first_rows.push(i32::try_from(row + 1).unwrap_or(NA_INTEGER));
            }
            groups.of_rows.push(number);
        }
        Ok(groups)
    }

    /// Where a column's text is one of some words, and where it is missing.
    fn is_one_of(&self, name: &str, words: &[String]) -> Result<Behind, Problem> {
        match self.column(name) {
            Some(Column::Texts(texts)) => Ok(Behind {
                values: texts
                    .iter()
                    .map(|t| f64::from(u8::from(t.is_some_and(|t| words.iter().any(|w| w == t)))))
                    .collect(),
                missing: texts.iter().map(Option::is_none).collect(),
            }),
            Some(Column::Numbers { missing, .. }) if words.is_empty() => {
                let missing = missing.clone().unwrap_or_else(|| vec![false; self.rows]);
                Ok(Behind { values: vec![0.0; self.rows], missing })
            }
            Some(Column::Numbers { .. }) => Err(format!("column `{name}` holds numbers, which no text is equal to")),
            None => Err(format!("there is no column `{name}`")),
        }
    }
}

/// A column behind the table's.
struct Behind {
    values: Vec<f64>,
    missing: Vec<bool>,
}

/// Expressions over a table that is all in memory.
struct Query<'a> {
    engine: Engine,
    plan: Arc<Plan>,
    table: Table<'a>,
    groups: Vec<Groups>,
}

impl Query<'_> {
    fn rows<'b>(&self, columns: &'b [InputColumn<'b>]) -> Rows<'b> {
        Rows { count: self.table.rows, first: 0, columns }
    }

    fn with<'b>(&'b self, behind: &'b [Behind]) -> Vec<InputColumn<'b>> {
        let more = behind.iter().map(|b| InputColumn { values: &b.values, missing: Some(&b.missing) });
        self.table.inputs().into_iter().chain(more).collect()
    }

    /// The columns behind the table's that are known after `stage` passes; the others are not used before.
    fn behind(&self, known: &Known, stage: usize) -> Result<Vec<Behind>, Problem> {
        let rows = self.table.rows;
        let unknown = || Behind { values: vec![0.0; rows], missing: vec![true; rows] };
        let mut all: Vec<Behind> = Vec::new();
        for derived in self.plan.derived() {
            let column = match derived {
                Derived::RowNumber => {
                    Behind { values: (0..rows).map(|row| row as f64).collect(), missing: vec![false; rows] }
                }
                Derived::IsOneOf { column, words } => self.table.is_one_of(column, words)?,
                Derived::OfGroup(reduction) => {
                    let (results, grouping) = (&known.of_groups[*reduction], self.plan.reductions[*reduction].grouping);
                    match grouping {
                        Some(grouping) if !results.is_empty() => {
                            let of_rows = self.groups[grouping].of_rows.iter();
                            let (values, missing) =
                                of_rows.map(|g| (results[*g as usize].value, results[*g as usize].missing)).unzip();
                            Behind { values, missing }
                        }
                        _ => unknown(),
                    }
                }
                Derived::Running(index) => {
                    let running = &self.plan.running[*index];
                    let missing_stage = running.over.missing.map_or(0, |m| self.plan.stage(m));
                    if self.plan.stage(running.over.value).max(missing_stage) > stage {
                        unknown()
                    } else {
                        let prepared = self.engine.prepare_bounds(&self.plan, vec![running.over], &known.single);
                        let prepared = prepared.map_err(|error| with_causes(&error))?;
                        let columns = self.with(&all);
                        let results = self.engine.evaluate_prepared(&prepared, &self.rows(&columns));
                        let mut results = results.map_err(|error| with_causes(&error))?;
                        let Some(ResultColumn { values: ResultValues::F64(values), missing }) = results.pop() else {
                            return Err("internal error: a running result has no numbers".to_owned());
                        };
                        let groups = running.grouping.map(|g| self.groups[g].of_rows.as_slice());
                        let (values, missing) = Scan::new(running.kind).run(&values, missing.as_deref(), groups);
                        Behind { values, missing }
                    }
                }
            };
            all.push(column);
        }
        Ok(all)
    }

    /// Results that depend on no row, of a table without any: its mean is NaN, its number of rows 0.
    fn of_no_rows(&self, known: &Known) -> Result<(Vec<ResultColumn>, u64), Problem> {
        let count = self.table.columns.len() + self.plan.derived().len();
        let columns: Vec<InputColumn<'_>> =
            (0..count).map(|_| InputColumn { values: &[0.0], missing: Some(&[true]) }).collect();
        let rows = Rows { count: 1, first: 0, columns: &columns };
        let results = self.engine.evaluate(&self.plan, &rows, &known.single).map_err(|error| with_causes(&error))?;
        Ok((results, 0))
    }

    fn run(&self, arguments: &Arguments<'_>) -> Result<(Vec<ResultColumn>, u64), Problem> {
        let mut known = Known::none(&self.plan);
        let groups: Vec<RowGroups<'_>> =
            self.groups.iter().map(|g| RowGroups { of_rows: &g.of_rows, count: g.first_rows.len() }).collect();
        let failed = |error| with_causes(&error);
        for stage in 0..self.plan.stage_count() {
            let mut next = Some(self.engine.reduction_pass(&self.plan, stage, &known.single).map_err(failed)?);
            while let Some(mut pass) = next {
                arguments.go_on()?;
                let behind = self.behind(&known, stage)?;
                let columns = self.with(&behind);
                self.engine.reduce(&mut pass, &self.rows(&columns), &groups).map_err(failed)?;
                next = pass.finish(&mut known);
            }
        }
        arguments.go_on()?;
        if self.table.rows == 0 && self.plan.is_aggregate() && self.plan.by.is_none() {
            return self.of_no_rows(&known);
        }
        let behind = self.behind(&known, usize::MAX)?;
        let columns = self.with(&behind);
        let results = self.engine.evaluate(&self.plan, &self.rows(&columns), &known.single).map_err(failed)?;
        let nans = new_nans(&self.plan, &columns, &results);
        Ok((results, nans))
    }
}

/// expressions, columns of groups, seed, whether the device computes, rows, names, kinds, then the columns one by one
fn evaluate(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let texts = arguments.strings()?;
    let statements: Vec<Statement> =
        texts.iter().map(|text| parse(text)).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let by: Vec<String> = arguments.strings()?.into_iter().map(str::to_owned).collect();
    let seed = arguments.number()? as u64;
    let engine = match arguments.flag()? {
        true => Engine::new().on_device(crate::devices::device()?),
        false => Engine::new(),
    };
    let rows = arguments.count()?;
    let (names, kinds) = (arguments.strings()?, arguments.strings()?);
    let mut columns = Vec::with_capacity(names.len());
    for _ in &names {
        let input = arguments.next().ok_or_else(|| "internal error: a column did not come".to_owned())?;
        columns.push(Column::new(input)?);
    }
    let is = |kind: &str| kinds.iter().map(|k| *k == kind).collect::<Vec<bool>>();
    let clock = |kind: &&str| match *kind {
        "days" => Some(Clock::Days),
        "seconds" => Some(Clock::Seconds),
        _ => None,
    };
    let with_missing = columns.iter().map(|c| matches!(c, Column::Numbers { missing: Some(_), .. })).collect();
    let all_names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let bindings = Bindings {
        with_missing,
        truth: is("truth"),
        text: is("text"),
        clocks: kinds.iter().map(clock).collect(),
        table: all_names.clone(),
        by,
        seed,
        columns: all_names,
        ..Bindings::default()
    };
    let plan = bind(&statements, &bindings).map_err(|error| error.to_string())?;
    for column in plan.columns_used() {
        if let (Some(Column::Texts(_)), Some(name)) = (columns.get(column), names.get(column)) {
            return Err(format!(
                "column `{name}` holds text, which cannot be computed with; compare it with constants: {name} == \"a\""
            ));
        }
    }
    let table = Table { rows, names, columns, zeros: vec![0.0; rows] };
    let groups = plan.groupings.iter().map(|by| table.groups(by)).collect::<Result<_, _>>()?;
    let query = Query { engine, plan: Arc::new(plan), table, groups };
    let (results, nans) = query.run(&arguments)?;
    let is_missing = |missing: &Option<Vec<bool>>, row: usize| missing.as_ref().is_some_and(|m| m[row]);
    let columns = query.plan.outputs.iter().zip(results).map(|(output, ResultColumn { values, missing })| {
        let values = match values {
            ResultValues::F64(mut values) => {
                let missing = missing.iter().flatten();
                values.iter_mut().zip(missing).filter(|(_, m)| **m).for_each(|(v, _)| *v = NA_REAL);
                Output::Doubles(values)
            }
            ResultValues::Bool(values) => {
                let of =
                    |(row, value): (usize, bool)| if is_missing(&missing, row) { NA_INTEGER } else { i32::from(value) };
                Output::Logicals(values.into_iter().enumerate().map(of).collect())
            }
        };
        (output.name.clone(), values)
    });
    let columns = Output::List(columns.collect());
    let first_rows = query.plan.by.map(|by| query.groups[by].first_rows.clone());
    Ok(Output::list([
        ("columns", columns),
        ("nans", Output::number(nans as f64)),
        ("is_aggregate", Output::flag(query.plan.is_aggregate())),
        ("first_rows", first_rows.map_or(Output::Nothing, Output::Integers)),
    ]))
}
