//! Comparisons with text, dates and times written as text, and `%in%`.

use super::Binder;
use crate::expr::{BinaryOp, Expr, ExprError, ExprKind, Span};
use crate::ops;
use crate::plan::times::{Clock, parse_time};
use crate::plan::{Bound, Derived, Step, StepId, Value};

impl Binder<'_> {
    /// A comparison with text, or `%in%`; `None` if it is neither.
    pub(super) fn text_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Option<Bound>, ExprError> {
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
    pub(super) fn is_one_of(&mut self, column: &Expr, words: Vec<String>, span: Span) -> Result<Bound, ExprError> {
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
}
