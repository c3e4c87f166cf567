//! Names to steps.

mod brought;
mod calls;
mod operators;
mod texts;

use super::times::Clock;
use super::{Bound, Derived, Output, Plan, Step, StepId, Value};
use crate::expr::functions::function;
use crate::expr::{Argument, Expr, ExprError, ExprKind, Span, Statement, UnaryOp};
use crate::ops;
use gristmill_kernel::{Function, Scalar};
use gristmill_support::nearest;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What names and r functions refer to.
#[derive(Debug, Clone, Default)]
pub struct Bindings {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Whether a column has missing values; columns beyond its end have none.
    pub with_missing: Vec<bool>,
    /// Whether a column holds truth values, as the numbers 0 and 1; columns beyond its end hold numbers.
    pub truth: Vec<bool>,
    /// What a column's numbers count, if it holds dates or times; columns beyond its end hold other numbers.
    pub clocks: Vec<Option<Clock>>,
    /// Whether a column holds text: of those only comparisons and `is.na` are known. Columns beyond its end hold numbers.
    pub text: Vec<bool>,
    /// All columns of the table, if `columns` are only some of them: these can be compared with text, and make groups.
    pub table: Vec<String>,
    /// The columns that make the groups of reductions and running results that name none.
    pub by: Vec<String>,
    /// The seed of the r functions.
    pub seed: u64,
    /// Whether rows are left out, so that their numbers do not follow one another: they are then a derived column.
    pub with_gaps: bool,
    /// A name for the row's number from 1, where there are no columns to compute with.
    pub row_name: Option<String>,
    /// Kernels that may be called beside R's functions, by their names, with arguments in order or by name. A name means one
    /// thing: where R has a function of that name too, or two kernels share it, a call is an error.
    pub kernels: Vec<Function>,
}

/// Resolves the statements in order; later ones see the results of earlier ones.
///
/// # Errors
/// The first name, call or argument that has no meaning, with where it stands.
pub fn bind(statements: &[Statement], bindings: &Bindings) -> Result<Plan, ExprError> {
    let plan = Plan { columns: bindings.columns.len(), ..Plan::default() };
    let mut binder = Binder {
        plan,
        bindings,
        names: HashMap::new(),
        clocks: HashMap::new(),
        results: HashMap::new(),
        random_streams: 0,
        source: "",
    };
    if !bindings.by.is_empty() {
        binder.plan.groupings.push(bindings.by.clone());
        binder.plan.by = Some(0);
    }
    for (i, column) in bindings.columns.iter().enumerate() {
        let number = binder.plan.push(Step::Column(i));
        let value = match bindings.truth.get(i) {
            Some(true) => binder.plan.push(Step::Call(ops::to_logical::FUNCTION, vec![number])),
            _ => number,
        };
        let missing = bindings.with_missing.get(i).copied().unwrap_or(false);
        let missing = missing.then(|| binder.plan.push(Step::ColumnMissing(i)));
        if let Some(clock) = bindings.clocks.get(i).copied().flatten() {
            binder.clocks.insert(value, clock);
        }
        binder.names.insert(column.clone(), Named { bound: Bound { value, missing }, is_column: true });
    }
    if let Some(name) = &bindings.row_name {
        let index = binder.row_index();
        let value = binder.plan.push(Step::Call(ops::row_number::FUNCTION, vec![index]));
        binder.names.insert(name.clone(), Named { bound: Bound { value, missing: None }, is_column: false });
    }
    for statement in statements {
        binder.source = &statement.source;
        for (name, bound) in binder.statement(statement)? {
            let roots: Vec<StepId> = std::iter::once(bound.value).chain(bound.missing).collect();
            let columns = binder.columns_of(&roots);
            binder.results.insert(bound.value, binder.plan.outputs.len());
            binder.plan.outputs.push(Output { name: name.clone(), bound, columns });
            binder.names.insert(name, Named { bound, is_column: false });
        }
    }
    Ok(binder.plan)
}

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
struct Named {
    bound: Bound,
    /// A column of the table, and no result.
    is_column: bool,
}

struct Binder<'a> {
    plan: Plan,
    bindings: &'a Bindings,
    names: HashMap<String, Named>,
    /// The steps that are dates and times.
    clocks: HashMap<StepId, Clock>,
    /// The steps that are results, with their numbers.
    results: HashMap<StepId, usize>,
    /// Every r call of the program draws from a stream of its own.
    random_streams: u32,
    source: &'a str,
}

impl Binder<'_> {
    fn error<T>(&self, span: Span, message: impl Into<String>, help: Option<String>) -> Result<T, ExprError> {
        let error = ExprError::new(self.source, span, message);
        Err(match help {
            Some(help) => error.help(help),
            None => error,
        })
    }

    /// The row's number from 0.
    fn row_index(&mut self) -> StepId {
        if !self.bindings.with_gaps {
            return self.plan.push(Step::RowIndex);
        }
        let number = self.plan.derive(Derived::RowNumber, 0);
        let number = self.plan.push(Step::Column(number));
        self.plan.push(Step::Call(ops::row_index::FUNCTION, vec![number]))
    }

    /// All columns on which steps depend, in order. What an earlier result depends on is known, so that a long list of
    /// results takes no longer for each than a short one.
    fn columns_of(&self, roots: &[StepId]) -> Vec<usize> {
        let (mut open, mut seen, mut columns) = (roots.to_vec(), HashSet::new(), BTreeSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match (self.results.get(&id), &self.plan.steps[id.0]) {
                (Some(result), _) => columns.extend(&self.plan.outputs[*result].columns),
                (None, Step::Column(c) | Step::ColumnMissing(c)) => {
                    columns.insert(*c);
                }
                (None, Step::Call(_, arguments)) => open.extend(arguments),
                (None, _) => {}
            }
        }
        columns.into_iter().collect()
    }

    fn constant(&mut self, value: Value) -> StepId {
        self.plan.push(Step::Constant(value))
    }

    /// A kernel call. Of constants it is computed now.
    fn call(&mut self, function: Function, arguments: Vec<StepId>) -> StepId {
        let constants: Option<Vec<Value>> = arguments
            .iter()
            .map(|a| match self.plan.steps[a.0] {
                Step::Constant(value) => Some(value),
                _ => None,
            })
            .collect();
        if let Some(value) = constants.and_then(|c| crate::steps::single(&function, &c)) {
            return self.constant(value);
        }
        self.plan.push(Step::Call(function, arguments))
    }

    /// The results of a statement: one, or, of `range` and of `quantile` with several probabilities, one for each value.
    fn statement(&mut self, statement: &Statement) -> Result<Vec<(String, Bound)>, ExprError> {
        let name = &statement.name;
        let ExprKind::Call { function: called, arguments, .. } = &statement.value.kind else {
            return Ok(vec![(name.clone(), self.expression(&statement.value)?)]);
        };
        let span = statement.value.span;
        if self.brought(called, span)?.is_some() {
            return Ok(vec![(name.clone(), self.expression(&statement.value)?)]);
        }
        let resolve = || function(called).map(|f| f.resolve(self.source, span, arguments)).transpose();
        let parts = match called.as_str() {
            "range" => resolve()?.map(|call| {
                let part = |function: &str| (function.to_string(), with_name(&call, function));
                vec![part("min"), part("max")]
            }),
            "quantile" => resolve()?.and_then(|call| {
                let ExprKind::Call { function_span, arguments, .. } = &call.kind else { return None };
                let [over, probabilities, skip] = arguments.as_slice() else { return None };
                let ExprKind::Call { function, arguments: all, .. } = &probabilities.value.kind else { return None };
                let part = |p: &Argument| {
                    let arguments = vec![over.clone(), p.clone(), skip.clone()];
                    let kind = ExprKind::Call { function: "quantile".into(), function_span: *function_span, arguments };
                    (self.percentage(&p.value), Expr { kind, span })
                };
                (function == "c").then(|| all.iter().map(part).collect())
            }),
            _ => None,
        };
        let Some(parts) = parts else { return Ok(vec![(name.clone(), self.expression(&statement.value)?)]) };
        let grouping = self.grouping_of(called, arguments)?;
        let mut results = Vec::new();
        for (part, call) in parts {
            results.push((format!("{name}.{part}"), self.resolved(&call, None, grouping)?));
        }
        Ok(results)
    }

    /// `25%` for 0.25.
    fn percentage(&self, probability: &Expr) -> String {
        match probability.kind {
            ExprKind::Number(p) => format!("{}%", (p * 1e9).round() / 1e7),
            _ => self.source[probability.span.start..probability.span.end].to_string(),
        }
    }

    fn expression(&mut self, expr: &Expr) -> Result<Bound, ExprError> {
        match &expr.kind {
            ExprKind::Text(text) => self.error(
                expr.span,
                format!("{text:?} is text, but expressions compute with numbers"),
                Some(
                    "a column of text can be compared: `x == \"a\"`, `x %in% c(\"a\", \"b\")`; a column name with \
                      spaces goes in backticks"
                        .to_string(),
                ),
            ),
            ExprKind::Number(x) => Ok(self.known(Value::F64(*x))),
            ExprKind::Bool(b) => Ok(self.known(Value::Bool(*b))),
            ExprKind::Missing => {
                // R's plain NA is logical; as a number it is one too.
                let value = self.constant(Value::Bool(false));
                let missing = Some(self.constant(Value::Bool(true)));
                Ok(Bound { value, missing })
            }
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Unary(op, inner) => {
                let inner = self.expression(inner)?;
                Ok(match op {
                    UnaryOp::Plus => self.number(inner),
                    UnaryOp::Negate => self.numeric_call(ops::negate::FUNCTION, &[inner]),
                    UnaryOp::Not => {
                        let inner = self.logical(inner);
                        Bound { value: self.call(ops::not::FUNCTION, vec![inner.value]), missing: inner.missing }
                    }
                })
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(bound) = self.text_comparison(*op, a, b)? {
                    return Ok(bound);
                }
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                Ok(self.binary(*op, a, b))
            }
            ExprKind::Call { function, function_span, arguments } => {
                self.function(function, *function_span, expr.span, arguments)
            }
        }
    }

    fn known(&mut self, value: Value) -> Bound {
        Bound { value: self.constant(value), missing: None }
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Bound, ExprError> {
        if let Some(named) = self.names.get(name) {
            return Ok(named.bound);
        }
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        let help = match nearest(name, names.iter().copied()) {
            _ if matches!(name, "true" | "false" | "True" | "False") => {
                Some("truth values are TRUE and FALSE".to_string())
            }
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if self.bindings.columns.is_empty() => None,
            None => Some(format!("there are: {}", shortened(&self.bindings.columns))),
        };
        self.error(span, format!("no column is called `{name}`"), help)
    }

    /// As a number: FALSE is 0, TRUE is 1.
    fn number(&mut self, bound: Bound) -> Bound {
        if let Step::Call(function, arguments) = &self.plan.steps[bound.value.0]
            && !function.is_loaded()
            && function.name() == ops::to_logical::FUNCTION.name()
            && let Some(Step::Column(column)) = arguments.first().map(|a| &self.plan.steps[a.0])
            && self.bindings.truth.get(*column) == Some(&true)
        {
            // The column's own numbers.
            return Bound { value: arguments[0], ..bound };
        }
        match self.plan.scalar(bound.value) {
            Scalar::Bool => Bound { value: self.call(ops::to_number::FUNCTION, vec![bound.value]), ..bound },
            _ => bound,
        }
    }

    /// As a truth value: 0 is FALSE, NaN is missing, all else is TRUE.
    fn logical(&mut self, bound: Bound) -> Bound {
        match self.plan.scalar(bound.value) {
            Scalar::Bool => bound,
            _ => {
                let value = self.call(ops::to_logical::FUNCTION, vec![bound.value]);
                let nan = self.call(ops::not_a_number::FUNCTION, vec![bound.value]);
                Bound { value, missing: self.any_missing([bound.missing, Some(nan)]) }
            }
        }
    }

    /// Where at least one of several is missing.
    fn any_missing(&mut self, parts: impl IntoIterator<Item = Option<StepId>>) -> Option<StepId> {
        let mut all: Option<StepId> = None;
        for part in parts.into_iter().flatten() {
            if self.is_constant(part, false) {
                continue;
            }
            all = Some(match all {
                None => part,
                Some(before) if before == part => part,
                Some(before) => self.call(ops::either::FUNCTION, vec![before, part]),
            });
        }
        all
    }

    fn is_constant(&self, id: StepId, expected: bool) -> bool {
        matches!(self.plan.steps[id.0], Step::Constant(Value::Bool(b)) if b == expected)
    }

    /// A kernel of numbers: missing where an argument is.
    fn numeric_call(&mut self, function: Function, arguments: &[Bound]) -> Bound {
        let arguments: Vec<Bound> = arguments.iter().map(|a| self.number(*a)).collect();
        let value = self.call(function, arguments.iter().map(|a| a.value).collect());
        Bound { value, missing: self.any_missing(arguments.iter().map(|a| a.missing)) }
    }
}

/// The same call of another function.
fn with_name(call: &Expr, name: &str) -> Expr {
    let mut call = call.clone();
    if let ExprKind::Call { function, .. } = &mut call.kind {
        *function = name.to_string();
    }
    call
}

fn shortened(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > 8 { format!(", … ({} in all)", names.len()) } else { String::new() };
    shown.join(", ") + &more
}
