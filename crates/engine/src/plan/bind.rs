//! Names to steps.

use super::kernels::kernel;
use super::{Bound, Output, Plan, Reduce, Reduction, Step, StepId, Value};
use crate::expr::functions::{function, functions};
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
    /// The seed of the r functions.
    pub seed: u64,
    /// A name for the row's number from 1, where there are no columns to compute with.
    pub row_name: Option<String>,
}

/// Resolves the statements in order; later ones see the results of earlier ones.
///
/// # Errors
/// The first name, call or argument that has no meaning, with where it stands.
pub fn bind(statements: &[Statement], bindings: &Bindings) -> Result<Plan, ExprError> {
    let mut binder = Binder {
        plan: Plan::default(),
        bindings,
        names: HashMap::new(),
        results: HashMap::new(),
        random_streams: 0,
        source: "",
    };
    for (i, column) in bindings.columns.iter().enumerate() {
        let number = binder.plan.push(Step::Column(i));
        let value = match bindings.truth.get(i) {
            Some(true) => binder.plan.push(Step::Call(ops::to_logical::FUNCTION, vec![number])),
            _ => number,
        };
        let missing = bindings.with_missing.get(i).copied().unwrap_or(false);
        let missing = missing.then(|| binder.plan.push(Step::ColumnMissing(i)));
        binder.names.insert(column.clone(), Bound { value, missing });
    }
    if let Some(name) = &bindings.row_name {
        let index = binder.plan.push(Step::RowIndex);
        let value = binder.plan.push(Step::Call(ops::row_number::FUNCTION, vec![index]));
        binder.names.insert(name.clone(), Bound { value, missing: None });
    }
    for statement in statements {
        binder.source = &statement.source;
        let bound = binder.expression(&statement.value)?;
        let roots: Vec<StepId> = std::iter::once(bound.value).chain(bound.missing).collect();
        let columns = binder.columns_of(&roots);
        binder.results.insert(bound.value, binder.plan.outputs.len());
        binder.plan.outputs.push(Output { name: statement.name.clone(), bound, columns });
        binder.names.insert(statement.name.clone(), bound);
    }
    Ok(binder.plan)
}

struct Binder<'a> {
    plan: Plan,
    bindings: &'a Bindings,
    names: HashMap<String, Bound>,
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
        if let Some(value) = constants.and_then(|c| crate::prepared::single(&function, &c)) {
            return self.constant(value);
        }
        self.plan.push(Step::Call(function, arguments))
    }

    fn expression(&mut self, expr: &Expr) -> Result<Bound, ExprError> {
        match &expr.kind {
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
        if let Some(bound) = self.names.get(name) {
            return Ok(*bound);
        }
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if names.is_empty() => None,
            None => Some(format!("there are: {}", shortened(&self.bindings.columns))),
        };
        self.error(span, format!("no column is called `{name}`"), help)
    }

    /// As a number: FALSE is 0, TRUE is 1.
    fn number(&mut self, bound: Bound) -> Bound {
        if let Step::Call(function, arguments) = &self.plan.steps[bound.value.0]
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
            BinaryOp::Subtract => self.numeric_call(ops::subtract::FUNCTION, &[a, b]),
            BinaryOp::Multiply => self.numeric_call(ops::multiply::FUNCTION, &[a, b]),
            BinaryOp::Divide => self.numeric_call(ops::divide::FUNCTION, &[a, b]),
            // What `r_pow` computes, but it can be grouped with other arithmetic.
            BinaryOp::Power if matches!(self.plan.steps[b.value.0], Step::Constant(Value::F64(2.0))) => {
                self.numeric_call(ops::multiply::FUNCTION, &[a, a])
            }
            BinaryOp::Power => self.numeric_call(gristmill_nmath::r_pow::FUNCTION, &[a, b]),
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
        }
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
        let Some(r_function) = function(name) else {
            let near = nearest(name, functions().iter().map(|f| f.name.as_str()));
            let help =
                near.map_or("`gristmill functions` lists them all".to_string(), |n| format!("did you mean `{n}`?"));
            return self.error(name_span, format!("no function is called `{name}`"), Some(help));
        };
        let call = r_function.resolve(self.source, span, arguments)?;
        let stream = r_function.is_random().then_some(self.random_streams);
        self.random_streams += u32::from(stream.is_some());
        self.resolved(&call, stream)
    }

    /// A call that names a kernel, or one of the few things that are not kernels; `random` is an r call's stream.
    fn resolved(&mut self, call: &Expr, random: Option<u32>) -> Result<Bound, ExprError> {
        let ExprKind::Call { function: name, arguments, .. } = &call.kind else {
            return self.error(call.span, "a row of the table of functions is not a call", None);
        };
        let reduction = match name.as_str() {
            "sum" => Some(Reduction::Sum),
            "mean" => Some(Reduction::Mean),
            "min" => Some(Reduction::Min),
            "max" => Some(Reduction::Max),
            "count" => Some(Reduction::Count),
            _ => None,
        };
        if let Some(reduction) = reduction {
            return self.reduction(reduction, call.span, arguments);
        }
        let mut bound = Vec::with_capacity(arguments.len());
        for argument in arguments {
            bound.push(self.expression(&argument.value)?);
        }
        Ok(match (name.as_str(), bound.as_slice()) {
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
            steps.push(self.plan.push(Step::RowIndex));
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

    fn reduction(&mut self, reduction: Reduction, span: Span, arguments: &[Argument]) -> Result<Bound, ExprError> {
        let [over, skip] = arguments else {
            return self.error(span, "a reduction takes one argument and `na.rm`", None);
        };
        let over = self.expression(&over.value)?;
        let skip_missing = match skip.value.kind {
            ExprKind::Bool(skip) => skip,
            _ => return self.error(skip.value.span, "`na.rm` must be TRUE or FALSE", None),
        };
        let over = if reduction == Reduction::Count { over } else { self.number(over) };
        let stage = self.plan.stage(over.value).max(over.missing.map_or(0, |m| self.plan.stage(m)));
        let index = self.plan.reductions.len();
        // Also where these rows have no missing values: the reduction is over all rows, and others may have some.
        let can_be_missing = !skip_missing && reduction != Reduction::Count;
        self.plan.reductions.push(Reduce { reduction, over, skip_missing, stage });
        let value = self.plan.push(Step::Reduced(index));
        let missing = can_be_missing.then(|| self.plan.push(Step::ReducedMissing(index)));
        Ok(Bound { value, missing })
    }
}

fn shortened(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > 8 { format!(", … ({} in all)", names.len()) } else { String::new() };
    shown.join(", ") + &more
}
