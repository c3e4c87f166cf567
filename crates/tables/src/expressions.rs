//! Expressions, and what their names stand for.

use crate::error::EvaluationError;
use crate::evaluation::{Evaluation, Input};
use gristmill_engine::Engine;
use gristmill_engine::expr::Statement;
use gristmill_engine::plan::{Bindings, Clock, Plan};
use gristmill_table_io::{Survey, Time};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Parsed once. Before anything runs they are bound to ask which columns they use: as if all were numbers, which says where to look
/// for truth values and texts, then with what was found there. What runs is bound once for each set of columns with missing values.
pub(crate) struct Expressions<'a> {
    evaluation: &'a Evaluation,
    pub(crate) statements: Vec<Statement>,
    /// All columns of the table.
    table: Vec<String>,
    times: Vec<Option<Time>>,
    /// The columns whose numbers are used, by name. The same for all expressions over a table.
    pub(crate) used: Vec<String>,
    /// The columns whose texts are used, by name. The same for all expressions over a table.
    pub(crate) texts: Vec<String>,
    /// Which columns of the table hold truth values, and which text, as far as it is known.
    truth: Vec<bool>,
    text: Vec<bool>,
    /// Whether rows are left out before.
    with_gaps: bool,
    /// Bound once for each set of columns with missing values that comes.
    plans: Mutex<HashMap<Vec<bool>, Arc<Plan>>>,
}

impl<'a> Expressions<'a> {
    /// These statements over a table with these columns.
    pub(crate) fn new(
        evaluation: &'a Evaluation,
        statements: Vec<Statement>,
        table: &[String],
        times: &[Option<Time>],
        with_gaps: bool,
    ) -> Expressions<'a> {
        Expressions {
            evaluation,
            statements,
            table: table.to_vec(),
            times: times.to_vec(),
            used: table.to_vec(),
            texts: Vec::new(),
            truth: Vec::new(),
            text: Vec::new(),
            with_gaps,
            plans: Mutex::default(),
        }
    }

    /// The columns whose numbers, and those whose texts they use, as far as it is known.
    pub(crate) fn uses(&self) -> Result<(Vec<String>, Vec<String>), EvaluationError> {
        let plan = self.bind(self.table.clone(), Vec::new())?;
        let numbers = plan.columns_used().into_iter().map(|c| self.table[c].clone()).collect();
        Ok((numbers, plan.texts_used()))
    }

    /// Says what is known of some columns.
    pub(crate) fn learn(&mut self, columns: &[String], survey: &Survey) {
        let of = |known: &[bool], name: &String| {
            columns.iter().position(|c| c == name).is_some_and(|at| known.get(at) == Some(&true))
        };
        self.truth = self.table.iter().map(|name| of(&survey.truth, name)).collect();
        self.text = self.table.iter().map(|name| of(&survey.text, name)).collect();
    }

    /// Says which columns come as numbers, and which as texts.
    pub(crate) fn settle(&mut self, used: &[String], texts: &[String]) {
        (self.used, self.texts) = (used.to_vec(), texts.to_vec());
    }

    pub(crate) fn engine(&self) -> &'a Engine {
        &self.evaluation.engine
    }

    /// The plan for batches whose columns have missing values where `with_missing` says so.
    pub(crate) fn plan(&self, with_missing: &[bool]) -> Result<Arc<Plan>, EvaluationError> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(with_missing) {
            return Ok(plan.clone());
        }
        let plan = Arc::new(self.bind(self.used.clone(), with_missing.to_vec())?);
        plans.insert(with_missing.to_vec(), plan.clone());
        Ok(plan)
    }

    /// The plan for batches in which every column may have missing values, or none has.
    pub(crate) fn plan_with(&self, missing: bool) -> Result<Arc<Plan>, EvaluationError> {
        self.plan(&vec![missing; self.used.len()])
    }

    fn bind(&self, columns: Vec<String>, with_missing: Vec<bool>) -> Result<Plan, EvaluationError> {
        let row_name = matches!(self.evaluation.input, Input::Rows(_)).then(|| "i".to_string());
        // By name, because a table may have as many columns as there are here; of columns with one name the first.
        let places: HashMap<&str, usize> =
            self.table.iter().enumerate().rev().map(|(at, c)| (c.as_str(), at)).collect();
        let place = |name: &String| places.get(name.as_str()).copied();
        let of = |known: &[bool]| -> Vec<bool> {
            columns.iter().map(|name| place(name).is_some_and(|at| known.get(at) == Some(&true))).collect()
        };
        let clock = |name: &String| match place(name).and_then(|at| self.times.get(at).copied().flatten()) {
            Some(Time::Days) => Some(Clock::Days),
            Some(Time::Seconds) => Some(Clock::Seconds),
            None => None,
        };
        let bindings = Bindings {
            with_missing,
            truth: of(&self.truth),
            text: of(&self.text),
            clocks: columns.iter().map(clock).collect(),
            table: self.table.clone(),
            by: self.evaluation.by.clone(),
            seed: self.evaluation.seed,
            with_gaps: self.with_gaps,
            row_name,
            columns,
            kernels: self.evaluation.kernels.clone(),
        };
        Ok(self.evaluation.engine.bind(&self.statements, &bindings)?)
    }
}
