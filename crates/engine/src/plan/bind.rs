//! Names to steps.

mod brought;

use super::kernels::kernel;
use super::times::{Clock, parse_time};
use super::{Bound, Derived, Output, Plan, Reduce, Reduction, Running, ScanKind, Step, StepId, Value};
use crate::expr::functions::{function, functions, is_reduction, is_scan, meant};
use crate::expr::{Argument, BinaryOp, Expr, ExprError, ExprKind, Span, Statement, UnaryOp};
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

    fn binary(&mut self, op: BinaryOp, a: Bound, b: Bound) -> Bound {
        match op {
            BinaryOp::Add => self.numeric_call(ops::add::FUNCTION, &[a, b]),
            BinaryOp::Subtract => self.difference(a, b),
            BinaryOp::Multiply => self.numeric_call(ops::multiply::FUNCTION, &[a, b]),
            BinaryOp::Divide => self.numeric_call(ops::divide::FUNCTION, &[a, b]),
            // What `r_pow` computes, but it can be grouped with other arithmetic.
            BinaryOp::Power if matches!(self.plan.steps[b.value.0], Step::Constant(Value::F64(2.0))) => {
                self.numeric_call(ops::multiply::FUNCTION, &[a, a])
            }
            BinaryOp::Power => self.power(a, b),
            BinaryOp::Modulo => self.numeric_call(ops::modulo::FUNCTION, &[a, b]),
            BinaryOp::FloorDivide => self.numeric_call(ops::floor_divide::FUNCTION, &[a, b]),
            BinaryOp::Equal => self.comparison(ops::equal::FUNCTION, a, b),
            BinaryOp::NotEqual => self.comparison(ops::not_equal::FUNCTION, a, b),
            BinaryOp::Less => self.comparison(ops::less::FUNCTION, a, b),
            BinaryOp::LessEqual => self.comparison(ops::less_equal::FUNCTION, a, b),
            BinaryOp::Greater => self.comparison(ops::less::FUNCTION, b, a),
            BinaryOp::GreaterEqual => self.comparison(ops::less_equal::FUNCTION, b, a),
            BinaryOp::And => self.and_or(true, a, b),
            BinaryOp::Or => self.and_or(false, a, b),
            // `text_comparison` takes all of them.
            BinaryOp::In => self.comparison(ops::equal::FUNCTION, a, b),
        }
    }

    /// Of two dates or times in days, as R's differences of dates.
    fn difference(&mut self, a: Bound, b: Bound) -> Bound {
        let (Some(from), Some(to)) = (self.clocks.get(&a.value).copied(), self.clocks.get(&b.value).copied()) else {
            return self.numeric_call(ops::subtract::FUNCTION, &[a, b]);
        };
        let (a, b) = if from == to { (a, b) } else { (self.in_seconds(a, from), self.in_seconds(b, to)) };
        let apart = self.numeric_call(ops::subtract::FUNCTION, &[a, b]);
        if from == Clock::Days && to == Clock::Days {
            return apart;
        }
        let day = self.known(Value::F64(SECONDS_PER_DAY));
        self.numeric_call(ops::divide::FUNCTION, &[apart, day])
    }

    fn in_seconds(&mut self, bound: Bound, clock: Clock) -> Bound {
        match clock {
            Clock::Seconds => bound,
            Clock::Days => {
                let day = self.known(Value::F64(SECONDS_PER_DAY));
                self.numeric_call(ops::multiply::FUNCTION, &[bound, day])
            }
        }
    }

    /// R's `^`: `NA^0` and `1^NA` are 1, because every number in their place gives that.
    fn power(&mut self, a: Bound, b: Bound) -> Bound {
        let (a, b) = (self.number(a), self.number(b));
        let plain = self.numeric_call(gristmill_nmath::r_pow::FUNCTION, &[a, b]);
        let Some(missing) = plain.missing else { return plain };
        let decides = |this: &mut Self, x: Bound, value: f64| {
            let value = this.constant(Value::F64(value));
            let equal = this.call(ops::equal::FUNCTION, vec![x.value, value]);
            match x.missing {
                None => equal,
                Some(missing) => {
                    let there = this.call(ops::not::FUNCTION, vec![missing]);
                    this.call(ops::both::FUNCTION, vec![equal, there])
                }
            }
        };
        let (one, zero) = (decides(self, a, 1.0), decides(self, b, 0.0));
        let decided = self.call(ops::either::FUNCTION, vec![one, zero]);
        let open = self.call(ops::not::FUNCTION, vec![decided]);
        let missing = self.call(ops::both::FUNCTION, vec![missing, open]);
        // The number that stands where a value is missing may be anything, NaN for one, of which no power is 1.
        let one = self.constant(Value::F64(1.0));
        let value = self.call(ops::select_number::FUNCTION, vec![decided, one, plain.value]);
        Bound { value, missing: Some(missing) }
    }

    /// A comparison with text, or `%in%`; `None` if it is neither.
    fn text_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Option<Bound>, ExprError> {
        if op == BinaryOp::In {
            return self.one_of(a, b).map(Some);
        }
        let (other, text, swapped) = match (&a.kind, &b.kind) {
            (ExprKind::Text(_), ExprKind::Text(_)) => return Ok(None),
            (_, ExprKind::Text(text)) => (a, text, false),
            (ExprKind::Text(text), _) => (b, text, true),
            _ => return Ok(None),
        };
        let span = if swapped { a.span } else { b.span };
        if let Some((bound, clock)) = self.clock(other) {
            let Some(time) = parse_time(text, clock) else {
                let help = "write it as \"2024-02-29\" or \"2024-02-29 13:45:00\"".to_string();
                return self.error(span, format!("{text:?} is no date"), Some(help));
            };
            let time = self.known(Value::F64(time));
            let (a, b) = if swapped { (time, bound) } else { (bound, time) };
            return Ok(Some(self.binary(op, a, b)));
        }
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return self.error(
                span,
                format!("`{}` has no meaning for text", op.symbol()),
                Some("text can be compared by `==`, `!=` and `%in%`".to_string()),
            );
        }
        let equal = self.is_one_of(other, vec![text.clone()], span)?;
        let value = if op == BinaryOp::Equal { equal.value } else { self.call(ops::not::FUNCTION, vec![equal.value]) };
        Ok(Some(Bound { value, ..equal }))
    }

    /// The column of dates or times that an expression names.
    fn clock(&self, expr: &Expr) -> Option<(Bound, Clock)> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let bound = self.names.get(name)?.bound;
        Some((bound, *self.clocks.get(&bound.value)?))
    }

    /// `x %in% c(…)`: never missing, as in R.
    fn one_of(&mut self, x: &Expr, set: &Expr) -> Result<Bound, ExprError> {
        let elements: Vec<&Expr> = match &set.kind {
            ExprKind::Call { function, arguments, .. } if function == "c" => {
                arguments.iter().map(|a| &a.value).collect()
            }
            _ => vec![set],
        };
        let words: Option<Vec<String>> = elements
            .iter()
            .map(|e| match &e.kind {
                ExprKind::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        if let Some(words) = words.filter(|words| !words.is_empty() && self.clock(x).is_none()) {
            let test = self.is_one_of(x, words, set.span)?;
            return Ok(self.known_and(test));
        }
        let clock = self.clock(x).map(|c| c.1);
        let x = self.expression(x)?;
        let mut any = self.known(Value::Bool(false));
        for element in elements {
            let time = match (&element.kind, clock) {
                (ExprKind::Text(text), Some(clock)) => parse_time(text, clock),
                _ => None,
            };
            let element_bound = match time {
                Some(time) => self.known(Value::F64(time)),
                None => self.expression(element)?,
            };
            if !self.is_known_now(element_bound) {
                return self.error(
                    element.span,
                    "`%in%` looks for constants, and this is none",
                    Some("write `x %in% c(1, 2)`; compare columns by `==`".to_string()),
                );
            }
            let equal = match element_bound.missing {
                // `NA %in% c(1, NA)` is TRUE.
                Some(_) => x.missing.unwrap_or_else(|| self.constant(Value::Bool(false))),
                // `NaN %in% c(1, NaN)` is TRUE too, though no comparison with NaN is: what is looked for is the value.
                None if self.is_nan(element_bound) => {
                    let nan = self.numeric_call(ops::not_a_number::FUNCTION, &[x]);
                    self.known_and(nan).value
                }
                None => {
                    let equal = self.comparison(ops::equal::FUNCTION, x, element_bound);
                    self.known_and(equal).value
                }
            };
            any.value = self.call(ops::either::FUNCTION, vec![any.value, equal]);
        }
        Ok(any)
    }

    fn is_known_now(&self, bound: Bound) -> bool {
        let constant = |id: StepId| matches!(self.plan.steps[id.0], Step::Constant(_));
        constant(bound.value) && bound.missing.is_none_or(constant)
    }

    /// Whether it is the constant NaN.
    fn is_nan(&self, bound: Bound) -> bool {
        matches!(self.plan.steps[bound.value.0], Step::Constant(Value::F64(x)) if x.is_nan())
    }

    /// FALSE where a truth value is missing.
    fn known_and(&mut self, bound: Bound) -> Bound {
        let Some(missing) = bound.missing else { return bound };
        let there = self.call(ops::not::FUNCTION, vec![missing]);
        Bound { value: self.call(ops::both::FUNCTION, vec![bound.value, there]), missing: None }
    }

    /// Whether the text of a column is one of some words.
    fn is_one_of(&mut self, column: &Expr, words: Vec<String>, span: Span) -> Result<Bound, ExprError> {
        let ExprKind::Name(name) = &column.kind else {
            let help = "the other side must be a column of the table".to_string();
            return self.error(span, "only a column can be compared with text", Some(help));
        };
        let known = self.names.get(name);
        if known.is_some_and(|named| !named.is_column) {
            let help = "compare it with a number, or compare a column of the table".to_string();
            return self.error(span, format!("`{name}` is a result, and results are no text"), Some(help));
        }
        if known.is_none() && !self.bindings.table.contains(name) {
            return self.name(name, column.span);
        }
        let derived = self.plan.derive(Derived::IsOneOf { column: name.clone(), words }, 0);
        let number = self.plan.push(Step::Column(derived));
        let value = self.plan.push(Step::Call(ops::to_logical::FUNCTION, vec![number]));
        Ok(Bound { value, missing: Some(self.plan.push(Step::ColumnMissing(derived))) })
    }

    /// R's comparisons are missing where an operand is, and where one is NaN.
    fn comparison(&mut self, function: Function, a: Bound, b: Bound) -> Bound {
        let plain = self.numeric_call(function, &[a, b]);
        let nan = self.numeric_call(ops::unordered::FUNCTION, &[a, b]).value;
        Bound { value: plain.value, missing: self.any_missing([plain.missing, Some(nan)]) }
    }

    /// R's three-valued `&` and `|`: FALSE & NA is FALSE, TRUE | NA is TRUE.
    fn and_or(&mut self, and: bool, a: Bound, b: Bound) -> Bound {
        let (a, b) = (self.logical(a), self.logical(b));
        let combine = if and { ops::both::FUNCTION } else { ops::either::FUNCTION };
        // A missing operand is taken as the one that does not decide: TRUE for `&`, FALSE for `|`.
        let undecided = self.constant(Value::Bool(and));
        let filled = |this: &mut Self, x: Bound| match x.missing {
            None => x.value,
            Some(m) => this.call(ops::select_logical::FUNCTION, vec![m, undecided, x.value]),
        };
        let (fa, fb) = (filled(self, a), filled(self, b));
        let value = self.call(combine, vec![fa, fb]);
        let Some(some_missing) = self.any_missing([a.missing, b.missing]) else {
            return Bound { value, missing: None };
        };
        // Missing where one is and the other does not decide, which is where the value is the undecided one.
        let open = if and { value } else { self.call(ops::not::FUNCTION, vec![value]) };
        let missing = self.call(ops::both::FUNCTION, vec![some_missing, open]);
        Bound { value, missing: Some(missing) }
    }

    fn function(
        &mut self,
        name: &str,
        name_span: Span,
        span: Span,
        arguments: &[Argument],
    ) -> Result<Bound, ExprError> {
        if let Some(kernel) = self.brought(name, name_span)? {
            return self.brought_call(kernel, span, arguments);
        }
        let Some(r_function) = function(name) else {
            if name == "c" {
                let help = "it stands behind `%in%`, in `by` and in `quantile(x, c(…))`".to_string();
                return self.error(name_span, "`c` makes a list, and a row has one value", Some(help));
            }
            let brought = self.bindings.kernels.iter().map(Function::name);
            let near = nearest(name, functions().iter().map(|f| f.name.as_str()).chain(brought));
            let help = match (meant(name), near) {
                (Some(meant), _) => format!("use {meant}"),
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => "`gristmill functions` lists them all".to_string(),
            };
            return self.error(name_span, format!("no function is called `{name}`"), Some(help));
        };
        // `is.na` of a column of text: there is no number to look at.
        if let ("is.na", [Argument { value: Expr { kind: ExprKind::Name(column), .. }, .. }]) = (name, arguments)
            && self.is_text(column)
        {
            let test = self.is_one_of(&arguments[0].value, Vec::new(), span)?;
            let value = test.missing.unwrap_or_else(|| self.constant(Value::Bool(false)));
            return Ok(Bound { value, missing: None });
        }
        let grouping = self.grouping_of(name, arguments)?;
        let call = r_function.resolve(self.source, span, arguments)?;
        let stream = r_function.is_random().then_some(self.random_streams);
        self.random_streams += u32::from(stream.is_some());
        self.resolved(&call, stream, grouping)
    }

    fn is_text(&self, name: &str) -> bool {
        let place = self.bindings.columns.iter().position(|c| c == name);
        let is_column = self.names.get(name).is_some_and(|named| named.is_column);
        match place {
            Some(place) => is_column && self.bindings.text.get(place) == Some(&true),
            // One whose numbers nothing uses.
            None => !self.names.contains_key(name) && self.bindings.table.iter().any(|c| c == name),
        }
    }

    /// The grouping that a reduction or a running result names, or the one of all that name none.
    fn grouping_of(&mut self, function: &str, arguments: &[Argument]) -> Result<Option<usize>, ExprError> {
        if !is_reduction(function) && !is_scan(function) {
            return Ok(None);
        }
        let named = arguments.iter().find(|a| a.name.as_ref().is_some_and(|(name, _)| name == "by"));
        let Some(by) = named.map(|a| &a.value) else { return Ok(self.plan.by) };
        let parts: Vec<&Expr> = match &by.kind {
            ExprKind::Call { function, arguments, .. } if function == "c" => {
                arguments.iter().map(|a| &a.value).collect()
            }
            _ => vec![by],
        };
        let mut columns = Vec::new();
        for part in parts {
            let ExprKind::Name(name) = &part.kind else {
                let help = "`by = g` or `by = c(g, h)`".to_string();
                return self.error(part.span, "groups are made by columns of the table", Some(help));
            };
            let is_column = self.names.get(name).is_some_and(|named| named.is_column);
            if !is_column && !self.bindings.table.contains(name) {
                if self.names.contains_key(name) {
                    let help = "write the table with it first, or use a column of the table".to_string();
                    return self.error(part.span, format!("`{name}` is a result, and makes no groups"), Some(help));
                }
                self.name(name, part.span)?;
            }
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        let groupings = &mut self.plan.groupings;
        Ok(Some(groupings.iter().position(|g| *g == columns).unwrap_or_else(|| {
            groupings.push(columns);
            groupings.len() - 1
        })))
    }

    /// A call that names a kernel, or one of the few things that are not kernels; `random` is an r call's stream.
    fn resolved(&mut self, call: &Expr, random: Option<u32>, grouping: Option<usize>) -> Result<Bound, ExprError> {
        let ExprKind::Call { function: name, arguments, .. } = &call.kind else {
            return self.error(call.span, "a row of the table of functions is not a call", None);
        };
        if is_scan(name) {
            return self.running(name, call.span, arguments, grouping);
        }
        if is_reduction(name) {
            return self.reduction(name, call.span, arguments, grouping);
        }
        if name == "row" {
            let index = self.row_index();
            let value = self.call(ops::row_number::FUNCTION, vec![index]);
            return Ok(Bound { value, missing: None });
        }
        let mut bound = Vec::with_capacity(arguments.len());
        for argument in arguments {
            bound.push(self.expression(&argument.value)?);
        }
        Ok(match (name.as_str(), bound.as_slice()) {
            ("as.numeric", &[x]) => self.number(x),
            ("ifelse", &[test, yes, no]) => self.if_else(test, yes, no),
            ("xor", &[a, b]) => {
                let (a, b) = (self.logical(a), self.logical(b));
                let value = self.call(ops::exactly_one::FUNCTION, vec![a.value, b.value]);
                Bound { value, missing: self.any_missing([a.missing, b.missing]) }
            }
            ("is.na", &[x]) => {
                let nan = self.test(ops::not_a_number::FUNCTION, x);
                let missing = self.any_missing([x.missing, Some(nan)]);
                let value = missing.unwrap_or_else(|| self.constant(Value::Bool(false)));
                Bound { value, missing: None }
            }
            ("is.nan" | "is.finite" | "is.infinite", &[x]) => {
                let function = match name.as_str() {
                    "is.nan" => ops::not_a_number::FUNCTION,
                    "is.finite" => ops::finite::FUNCTION,
                    _ => ops::infinite::FUNCTION,
                };
                let mut value = self.test(function, x);
                if let Some(missing) = x.missing {
                    let there = self.call(ops::not::FUNCTION, vec![missing]);
                    value = self.call(ops::both::FUNCTION, vec![value, there]);
                }
                Bound { value, missing: None }
            }
            _ => {
                let Some(kernel) = kernel(name) else {
                    return self.error(call.span, format!("there is no kernel `{name}` yet"), None);
                };
                self.kernel_call(kernel, call.span, &bound, random)?
            }
        })
    }

    /// A test of a number that is false for a truth value.
    fn test(&mut self, function: Function, x: Bound) -> StepId {
        match self.plan.scalar(x.value) {
            Scalar::Bool => {
                let finite = function.name() == ops::finite::FUNCTION.name();
                self.constant(Value::Bool(finite))
            }
            _ => self.call(function, vec![x.value]),
        }
    }

    fn if_else(&mut self, test: Bound, yes: Bound, no: Bound) -> Bound {
        let test = self.logical(test);
        let both_logical = self.plan.scalar(yes.value) == Scalar::Bool && self.plan.scalar(no.value) == Scalar::Bool;
        let (yes, no) = if both_logical { (yes, no) } else { (self.number(yes), self.number(no)) };
        let select = if both_logical { ops::select_logical::FUNCTION } else { ops::select_number::FUNCTION };
        let value = self.call(select, vec![test.value, yes.value, no.value]);
        let branch_missing = match (yes.missing, no.missing) {
            (None, None) => None,
            (yes, no) => {
                let never = self.constant(Value::Bool(false));
                let (yes, no) = (yes.unwrap_or(never), no.unwrap_or(never));
                Some(self.call(ops::select_logical::FUNCTION, vec![test.value, yes, no]))
            }
        };
        Bound { value, missing: self.any_missing([test.missing, branch_missing]) }
    }

    fn kernel_call(
        &mut self,
        kernel: Function,
        span: Span,
        arguments: &[Bound],
        random: Option<u32>,
    ) -> Result<Bound, ExprError> {
        let params: Vec<Scalar> = kernel.params().map(|(_, scalar)| scalar).collect();
        let mut steps = Vec::with_capacity(params.len());
        if let Some(stream) = random {
            steps.push(self.constant(Value::U64(self.bindings.seed)));
            steps.push(self.constant(Value::U32(stream)));
            steps.push(self.row_index());
        }
        if params.len() != steps.len() + arguments.len() {
            return self.error(span, format!("the kernel `{}` takes other arguments", kernel.name()), None);
        }
        let mut missing = Vec::new();
        for (param, argument) in params[steps.len()..].iter().zip(arguments) {
            let converted = match param {
                Scalar::Bool => self.logical(*argument),
                _ => self.number(*argument),
            };
            steps.push(converted.value);
            missing.push(converted.missing);
        }
        Ok(Bound { value: self.call(kernel, steps), missing: self.any_missing(missing) })
    }

    fn reduction(
        &mut self,
        name: &str,
        span: Span,
        arguments: &[Argument],
        grouping: Option<usize>,
    ) -> Result<Bound, ExprError> {
        let (over, skip) = match arguments {
            [over, skip] | [over, _, skip] => (Some(&over.value), Some(skip)),
            _ => (None, None),
        };
        let skip_missing = match skip.map(|s| (&s.value.kind, s.value.span)) {
            None => false,
            Some((ExprKind::Bool(skip), _)) => *skip,
            Some((_, at)) if matches!(name, "min" | "max") => {
                let help = format!("`p{name}(a, b)` compares two values row by row");
                return self.error(at, format!("`{name}` combines the rows of one column"), Some(help));
            }
            Some((_, at)) => return self.error(at, "`na.rm` must be TRUE or FALSE", None),
        };
        let over = match over {
            Some(over) => self.expression(over)?,
            // `n()`: every row.
            None => self.known(Value::Bool(true)),
        };
        let reduction = match name {
            "sum" => Reduction::Sum,
            "mean" => Reduction::Mean,
            "var" => Reduction::Var,
            "sd" => Reduction::Sd,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            "prod" => Reduction::Prod,
            "logspace_sum" => Reduction::LogspaceSum,
            "any" => Reduction::Any,
            "all" => Reduction::All,
            "quantile" => Reduction::Quantile(self.probability(&arguments[1].value)?.to_bits()),
            "range" => {
                let help = "use `min` and `max`, or give `range` a result of its own: `r = range(x)`".to_string();
                return self.error(span, "`range` has two values, and a row takes one", Some(help));
            }
            _ => Reduction::Count,
        };
        let over = match reduction {
            Reduction::Count => over,
            Reduction::Any | Reduction::All => {
                let truth = self.logical(over);
                self.number(truth)
            }
            _ => self.number(over),
        };
        let stage = self.plan.stage(over.value).max(over.missing.map_or(0, |m| self.plan.stage(m)));
        let index = self.plan.reductions.len();
        self.plan.reductions.push(Reduce { reduction, over, skip_missing, stage, grouping });
        // Also where these rows have no missing values: the reduction is over all rows, and others may have some. The
        // deviation of one value and the quantile of none are missing in any case.
        let of_few = matches!(reduction, Reduction::Var | Reduction::Sd | Reduction::Quantile(_));
        let can_be_missing = (!skip_missing || of_few) && reduction != Reduction::Count;
        let (value, missing) = match grouping {
            None => (Step::Reduced(index), Step::ReducedMissing(index)),
            Some(_) => {
                let column = self.plan.derive(Derived::OfGroup(index), stage + 1);
                (Step::Column(column), Step::ColumnMissing(column))
            }
        };
        let mut value = self.plan.push(value);
        if matches!(reduction, Reduction::Any | Reduction::All) {
            value = self.plan.push(Step::Call(ops::to_logical::FUNCTION, vec![value]));
        }
        let missing = can_be_missing.then(|| self.plan.push(missing));
        Ok(Bound { value, missing })
    }

    /// A constant between 0 and 1.
    fn probability(&mut self, expr: &Expr) -> Result<f64, ExprError> {
        if matches!(&expr.kind, ExprKind::Call { function, .. } if function == "c") {
            let help = "give each its own call, or `quantile` a result of its own: `q = quantile(x, c(0.25, 0.75))`";
            return self.error(
                expr.span,
                "several quantiles are several values, and a row takes one",
                Some(help.into()),
            );
        }
        let bound = self.expression(expr)?;
        match self.plan.steps[bound.value.0] {
            Step::Constant(Value::F64(p)) if (0.0..=1.0).contains(&p) && bound.missing.is_none() => Ok(p),
            Step::Constant(value) => {
                self.error(expr.span, format!("the probability is {value}, but must be between 0 and 1"), None)
            }
            _ => self.error(expr.span, "the probability of a quantile must be a constant", None),
        }
    }

    fn running(
        &mut self,
        name: &str,
        span: Span,
        arguments: &[Argument],
        grouping: Option<usize>,
    ) -> Result<Bound, ExprError> {
        let Some(over) = arguments.first() else {
            return self.error(span, format!("`{name}` needs a value"), None);
        };
        let kind = match (name, arguments.get(1).map(|a| &a.value)) {
            ("cumsum", _) => ScanKind::Sum,
            ("cumprod", _) => ScanKind::Product,
            (_, Some(distance)) => {
                let bound = self.expression(distance)?;
                match self.plan.steps[bound.value.0] {
                    Step::Constant(Value::F64(n)) if (0.0..=MOST_LAG).contains(&n) && n.fract() == 0.0 => {
                        ScanKind::Lag(n as u64)
                    }
                    Step::Constant(value) => {
                        let rule = format!("`n` of `lag` is {value}, but must be a whole number from 0 to {MOST_LAG}");
                        return self.error(distance.span, rule, None);
                    }
                    _ => return self.error(distance.span, "`n` of `lag` must be a constant", None),
                }
            }
            _ => ScanKind::Lag(1),
        };
        let over = self.expression(&over.value)?;
        let over = self.number(over);
        let stage = self.plan.stage(over.value).max(over.missing.map_or(0, |m| self.plan.stage(m)));
        let index = self.plan.running.len();
        self.plan.running.push(Running { kind, over, grouping });
        let column = self.plan.derive(Derived::Running(index), stage);
        let value = self.plan.push(Step::Column(column));
        Ok(Bound { value, missing: Some(self.plan.push(Step::ColumnMissing(column))) })
    }
}

const SECONDS_PER_DAY: f64 = 86_400.0;
/// So many rows `lag` looks back at most: they are held, for each group.
const MOST_LAG: f64 = 1_000_000.0;

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
