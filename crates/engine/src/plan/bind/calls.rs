//! Calls: of kernels, of the few functions that are none, of reductions and running results.

use super::Binder;
use crate::expr::functions::{function, functions, is_reduction, is_scan, meant};
use crate::expr::{Argument, Expr, ExprError, ExprKind, Span};
use crate::ops;
use crate::plan::kernels::kernel;
use crate::plan::{Bound, Derived, Reduce, Reduction, Running, ScanKind, Step, StepId, Value};
use gristmill_kernel::{Function, Scalar};
use gristmill_support::nearest;

/// So many rows `lag` looks back at most: they are held, for each group.
const MOST_LAG: f64 = 1_000_000.0;

impl Binder<'_> {
    pub(super) fn function(
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
    pub(super) fn grouping_of(&mut self, function: &str, arguments: &[Argument]) -> Result<Option<usize>, ExprError> {
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
    pub(super) fn resolved(
        &mut self,
        call: &Expr,
        random: Option<u32>,
        grouping: Option<usize>,
    ) -> Result<Bound, ExprError> {
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

    pub(super) fn kernel_call(
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
