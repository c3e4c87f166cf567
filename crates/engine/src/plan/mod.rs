//! A plan: what expressions become once every name is resolved.
//!
//! A plan is a list of steps in an order in which each uses only earlier ones; equal steps are there once. Every step is a
//! column, a constant, the row's number or the call of a kernel, so that the CPU (a ckernel per step, run block by block)
//! and a device (one fused program) have nothing to disagree about. A value that may be missing is two steps: the value, and
//! a logical step that says where it is missing.
//!
//! Some columns are no columns of the table but derived from it before the steps run, by whoever holds the rows: a group's
//! result in each of its rows, a running result, whether a text is one of some words. They stand behind the table's.

mod bind;
mod kernels;
mod times;

pub use bind::{Bindings, bind};
pub use times::Clock;

use gristmill_kernel::{Function, Scalar};
use std::collections::HashMap;

/// The number of a step in its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub usize);

/// One step of a plan.
#[derive(Debug, Clone)]
pub enum Step {
    /// The numbers of a column.
    Column(usize),
    /// Where a column's values are missing.
    ColumnMissing(usize),
    /// The row's number, from 0.
    RowIndex,
    /// The same value in every row.
    Constant(Value),
    /// The result of a reduction, known when its stage has run.
    Reduced(usize),
    /// Whether that result is missing, because a value was.
    ReducedMissing(usize),
    /// A kernel's result.
    Call(Function, Vec<StepId>),
}

/// A constant.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// A number.
    F64(f64),
    /// A truth value.
    Bool(bool),
    /// A small whole number.
    I32(i32),
    /// A whole number: a stream.
    U32(u32),
    /// A whole number: a seed, a row.
    U64(u64),
}

impl Value {
    /// The type of the constant.
    pub fn scalar(self) -> Scalar {
        match self {
            Value::F64(_) => Scalar::F64,
            Value::Bool(_) => Scalar::Bool,
            Value::I32(_) => Scalar::I32,
            Value::U32(_) => Scalar::U32,
            Value::U64(_) => Scalar::U64,
        }
    }

    /// Equal bits are equal constants: 0 and -0 are not.
    fn key(self) -> (u8, u64) {
        match self {
            Value::F64(x) => (0, x.to_bits()),
            Value::Bool(b) => (1, u64::from(b)),
            Value::I32(i) => (2, i as u64),
            Value::U32(u) => (3, u64::from(u)),
            Value::U64(u) => (4, u),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::F64(x) => write!(f, "{x:?}"),
            Value::Bool(b) => f.write_str(if *b { "TRUE" } else { "FALSE" }),
            Value::I32(x) => write!(f, "{x}"),
            Value::U32(x) => write!(f, "{x}"),
            Value::U64(x) => write!(f, "{x}"),
        }
    }
}

/// What an expression became: its value, and where it is missing if it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The value's step: a number or a truth value.
    pub value: StepId,
    /// The step that is true where the value is missing.
    pub missing: Option<StepId>,
}

/// A named result.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its steps.
    pub bound: Bound,
    /// The columns on which it depends, to tell a NaN that came in from one that was made here.
    pub columns: Vec<usize>,
}

/// How a reduction combines the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The sum.
    Sum,
    /// The sum divided by the number of values.
    Mean,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// How many values are true (of a logical), or not missing (of a number).
    Count,
    /// The sum of squared deviations from the mean, divided by one less than the number of values.
    Var,
    /// The root of that.
    Sd,
    /// The product.
    Prod,
    /// The logarithm of the sum of the exponentials.
    LogspaceSum,
    /// The quantile (R's type 7) of the probability that has these bits.
    Quantile(u64),
    /// Whether a truth value is true; they are 0 and 1.
    Any,
    /// Whether all are.
    All,
}

/// How a running result comes from the rows up to its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScanKind {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The value of the row so many rows before.
    Lag(u64),
}

/// A running result.
#[derive(Debug, Clone)]
pub struct Running {
    /// What to do.
    pub kind: ScanKind,
    /// Over what.
    pub over: Bound,
    /// Within the groups of this grouping; `None`: over all rows.
    pub grouping: Option<usize>,
}

/// A column that is derived from the table's before the steps run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Derived {
    /// The result of this reduction for the row's group.
    OfGroup(usize),
    /// This running result.
    Running(usize),
    /// The row's number in the table, from 0.
    RowNumber,
    /// 1 where the text of a column of the table is one of some words, 0 where it is another; missing where it is.
    IsOneOf {
        /// The column's name.
        column: String,
        /// The words.
        words: Vec<String>,
    },
}

/// One reduction over all rows.
#[derive(Debug, Clone)]
pub struct Reduce {
    /// What to do.
    pub reduction: Reduction,
    /// Over what.
    pub over: Bound,
    /// Whether missing values are passed over (`na.rm = TRUE`) or make the result missing.
    pub skip_missing: bool,
    /// In which pass over the data it is computed: 0 needs no other reduction.
    pub stage: usize,
    /// For each group of this grouping; `None`: over all rows.
    pub grouping: Option<usize>,
}

/// Expressions, resolved.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    steps: Vec<Step>,
    types: Vec<Scalar>,
    /// Whether a step has the same value in every row.
    uniform: Vec<bool>,
    /// The highest stage of the reductions that a step uses, plus one; 0 if it uses none.
    stages: Vec<usize>,
    known: HashMap<StepKey, StepId>,
    /// The results, in order.
    pub outputs: Vec<Output>,
    /// The reductions, in an order in which each uses only earlier ones.
    pub reductions: Vec<Reduce>,
    /// The running results, in such an order too.
    pub running: Vec<Running>,
    /// For each grouping the columns of the table that make the groups.
    pub groupings: Vec<Vec<String>>,
    /// The grouping of everything that names none.
    pub by: Option<usize>,
    /// How many columns of the table there are.
    columns: usize,
    /// The columns behind them.
    derived: Vec<(Derived, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum StepKey {
    Column(usize),
    ColumnMissing(usize),
    RowIndex,
    Constant((u8, u64)),
    Reduced(usize),
    ReducedMissing(usize),
    Call(&'static str, &'static str, Vec<StepId>),
}

impl Plan {
    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The type of a step.
    pub fn scalar(&self, id: StepId) -> Scalar {
        self.types[id.0]
    }

    /// Whether a step has the same value in every row.
    pub fn is_uniform(&self, id: StepId) -> bool {
        self.uniform[id.0]
    }

    /// How many passes over the data the reductions take before this step can be computed.
    pub fn stage(&self, id: StepId) -> usize {
        self.stages[id.0]
    }

    /// How many passes the reductions take in all.
    pub fn stage_count(&self) -> usize {
        self.reductions.iter().map(|r| r.stage + 1).max().unwrap_or(0)
    }

    /// The columns that stand behind those of the table, in order.
    pub fn derived(&self) -> impl ExactSizeIterator<Item = &Derived> {
        self.derived.iter().map(|(derived, _)| derived)
    }

    /// How many columns of the table there are.
    pub fn column_count(&self) -> usize {
        self.columns
    }

    /// The columns of the table whose texts are compared or make groups, in order, each once.
    pub fn texts_used(&self) -> Vec<String> {
        let mut names: Vec<String> = self.groupings.iter().flatten().cloned().collect();
        names.extend(self.derived().filter_map(|derived| match derived {
            Derived::IsOneOf { column, .. } => Some(column.clone()),
            _ => None,
        }));
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// Whether columns that are on a device are all that the results need, and nothing in the results can be missing: see
    /// [`Engine::run_there`](crate::Engine::run_there).
    pub fn can_stay_on_device(&self) -> bool {
        let has_groups = self.by.is_some() || self.reductions.iter().any(|reduce| reduce.grouping.is_some());
        self.derived.is_empty() && !has_groups && self.outputs.iter().all(|output| output.bound.missing.is_none())
    }

    /// Whether the results are one for all rows, or one for each group of `by`: reductions, and what is computed from them.
    pub fn is_aggregate(&self) -> bool {
        let roots = self.outputs.iter().flat_map(|o| std::iter::once(o.bound.value).chain(o.bound.missing));
        let needed = self.needed(&roots.collect::<Vec<_>>());
        let mut reduces = false;
        for (i, step) in self.steps.iter().enumerate().filter(|(i, _)| needed[*i]) {
            match step {
                Step::RowIndex => return false,
                Step::Column(c) | Step::ColumnMissing(c) => {
                    match c.checked_sub(self.columns).map(|d| &self.derived[d].0) {
                        Some(Derived::OfGroup(r)) if self.reductions[*r].grouping == self.by => reduces = true,
                        _ => return false,
                    }
                }
                // Beside groups, what is over all rows is the same in each.
                Step::Reduced(_) | Step::ReducedMissing(_) => reduces = true,
                Step::Constant(_) => {}
                Step::Call(..) => debug_assert!(i > 0),
            }
        }
        reduces
    }

    /// A column behind the table's, which is known after so many passes; an equal one is not added twice.
    fn derive(&mut self, derived: Derived, stage: usize) -> usize {
        let at = self.derived.iter().position(|(known, _)| *known == derived).unwrap_or_else(|| {
            self.derived.push((derived, stage));
            self.derived.len() - 1
        });
        self.columns + at
    }

    /// The step's number; an equal one is not added twice.
    fn push(&mut self, step: Step) -> StepId {
        let key = match &step {
            Step::Column(i) => StepKey::Column(*i),
            Step::ColumnMissing(i) => StepKey::ColumnMissing(*i),
            Step::RowIndex => StepKey::RowIndex,
            Step::Constant(value) => StepKey::Constant(value.key()),
            Step::Reduced(i) => StepKey::Reduced(*i),
            Step::ReducedMissing(i) => StepKey::ReducedMissing(*i),
            Step::Call(function, arguments) => StepKey::Call(function.module(), function.name(), arguments.clone()),
        };
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let (scalar, uniform, stage) = match &step {
            Step::Column(c) => (Scalar::F64, false, self.stage_of_column(*c)),
            Step::ColumnMissing(c) => (Scalar::Bool, false, self.stage_of_column(*c)),
            Step::RowIndex => (Scalar::U64, false, 0),
            Step::Constant(value) => (value.scalar(), true, 0),
            Step::Reduced(i) => (Scalar::F64, true, self.reductions[*i].stage + 1),
            Step::ReducedMissing(i) => (Scalar::Bool, true, self.reductions[*i].stage + 1),
            Step::Call(function, arguments) => (
                function.results()[0],
                arguments.iter().all(|a| self.uniform[a.0]),
                arguments.iter().map(|a| self.stages[a.0]).max().unwrap_or(0),
            ),
        };
        let id = StepId(self.steps.len());
        self.steps.push(step);
        self.types.push(scalar);
        self.uniform.push(uniform);
        self.stages.push(stage);
        self.known.insert(key, id);
        id
    }

    fn stage_of_column(&self, column: usize) -> usize {
        column.checked_sub(self.columns).map_or(0, |d| self.derived[d].1)
    }

    /// What results, reductions and running results are made from.
    fn roots(&self) -> Vec<StepId> {
        let of_outputs = self.outputs.iter().map(|o| o.bound);
        let of_reductions = self.reductions.iter().map(|r| r.over);
        let of_running = self.running.iter().map(|r| r.over);
        of_outputs
            .chain(of_reductions)
            .chain(of_running)
            .flat_map(|b| std::iter::once(b.value).chain(b.missing))
            .collect()
    }

    /// The columns of the table whose numbers results and reductions use, in order.
    pub fn columns_used(&self) -> Vec<usize> {
        let mut columns = self.columns_of(&self.roots());
        columns.retain(|column| *column < self.columns);
        columns
    }

    /// The steps that results and reductions use, with their numbers. Others are left over from constants that were
    /// folded, and are never computed.
    pub fn steps_used(&self) -> impl Iterator<Item = (usize, &Step)> {
        let needed = self.needed(&self.roots());
        self.steps.iter().enumerate().filter(move |(i, _)| needed[*i])
    }

    /// Which steps these need, themselves included.
    pub(crate) fn needed(&self, roots: &[StepId]) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        for root in roots {
            needed[root.0] = true;
        }
        for i in (0..self.steps.len()).rev() {
            if let (true, Step::Call(_, arguments)) = (needed[i], &self.steps[i]) {
                arguments.iter().for_each(|a| needed[a.0] = true);
            }
        }
        needed
    }

    /// All columns on which a step depends, in order.
    fn columns_of(&self, roots: &[StepId]) -> Vec<usize> {
        let needed = self.needed(roots);
        let of_step = |(i, step): (usize, &Step)| match step {
            Step::Column(c) | Step::ColumnMissing(c) if needed[i] => Some(*c),
            _ => None,
        };
        let mut columns: Vec<usize> = self.steps.iter().enumerate().filter_map(of_step).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::functions::functions;
    use crate::expr::parse;

    /// Whoever adds a row to the table of R's functions gives it a kernel with fitting arguments, or this test names it.
    #[test]
    fn every_function_of_the_table_can_be_called() {
        let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
        for function in functions() {
            for call in function.sample_calls() {
                let statement = parse(&call).unwrap_or_else(|e| panic!("{e}"));
                if let Err(error) = bind(&[statement], &bindings) {
                    panic!("{error}");
                }
            }
        }
    }
}
