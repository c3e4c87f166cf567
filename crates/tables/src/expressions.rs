//! Expressions, and what their names stand for.

use crate::error::EvaluationError;
use crate::evaluation::{Evaluation, Input};
use gristmill_engine::Engine;
use gristmill_engine::expr::{Statement, parse};
use gristmill_engine::plan::{Bindings, Plan, bind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct Expressions<'a> {
    evaluation: &'a Evaluation,
    pub(crate) statements: Vec<Statement>,
    /// The columns that they use, by name.
    pub(crate) used: Vec<String>,
    /// Which of them hold truth values.
    pub(crate) truth: Vec<bool>,
    /// Bound once for each set of columns with missing values that comes.
    plans: Mutex<HashMap<Vec<bool>, Arc<Plan>>>,
}

impl<'a> Expressions<'a> {
    /// The expressions over a table with these columns. With how many passes over it they need before the last.
    pub(crate) fn new(
        evaluation: &'a Evaluation,
        columns: &[String],
    ) -> Result<(Expressions<'a>, usize), EvaluationError> {
        let statements = evaluation.expressions.iter().map(|e| parse(e)).collect::<Result<_, _>>()?;
        let plans = Mutex::default();
        let mut new = Expressions { evaluation, statements, used: Vec::new(), truth: Vec::new(), plans };
        let plan = new.bind(columns.to_vec(), Vec::new())?;
        let mut used = plan.columns_used();
        used.sort_unstable();
        new.used = used.into_iter().map(|c| columns[c].clone()).collect();
        Ok((new, plan.stage_count()))
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
        let (truth, seed) = (self.truth.clone(), self.evaluation.seed);
        Ok(bind(&self.statements, &Bindings { columns, with_missing, truth, seed, row_name })?)
    }
}
