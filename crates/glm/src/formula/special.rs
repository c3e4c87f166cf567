//! Calls whose arguments are no expressions: `relevel(x, ref = "b")`, `poly(x, 2)`, `bs(x, df = 5)`, `ns(x, knots = c(1, 2))`.

use super::basis::{BasisKind, SplineKind};
use super::parse::variable;
use super::{Transform, Variable};
use gristmill_engine::expr::{ExprError, Span};

/// An argument: its name, and where its value stands.
struct Argument<'a> {
    name: Option<&'a str>,
    value: Span,
}

/// The variable that such a call makes, if the text is one. Its label is left to the caller.
pub(super) fn special_call(source: &str, span: Span) -> Result<Option<Variable>, ExprError> {
    let text = &source[span.start..span.end];
    let Some(open) = text.find('(') else { return Ok(None) };
    let function = text[..open].trim();
    if !["relevel", "poly", "bs", "ns"].contains(&function) || !text.trim_end().ends_with(')') {
        return Ok(None);
    }
    let end = span.start + text.trim_end().len() - 1;
    let arguments = arguments(source, Span { start: span.start + open + 1, end });
    let call = Call { source, span, function };
    let mut rest = arguments.into_iter();
    let first = rest.next().filter(|a| a.name.is_none_or(|n| n == "x") && a.value.start < a.value.end);
    let Some(first) = first else {
        return Err(call.error(span, "has no variable", "write it first"));
    };
    let inner = variable(source, first.value)?;
    let rest: Vec<Argument<'_>> = rest.collect();
    let transform = match function {
        "relevel" => call.relevel(&rest)?,
        "poly" => call.polynomial(&rest)?,
        "bs" => Transform::Basis(BasisKind::BSpline(call.spline(&rest)?)),
        _ => Transform::Basis(BasisKind::Natural(call.spline(&rest)?)),
    };
    if matches!(inner.transform, Transform::Basis(_) | Transform::Relevel(_))
        || (inner.transform == Transform::Factor && function != "relevel")
    {
        return Err(call.error(first.value, "cannot be made of this", "give it a column or an expression"));
    }
    Ok(Some(Variable { transform, ..inner }))
}

/// The arguments of a call, cut at the commas that stand in no bracket and no quotes.
fn arguments(source: &str, span: Span) -> Vec<Argument<'_>> {
    let mut cuts = vec![span.start];
    let (mut depth, mut quoted) = (0, None);
    for (i, c) in source[span.start..span.end].char_indices() {
        match (c, quoted) {
            ('`' | '"' | '\'', None) => quoted = Some(c),
            (c, Some(open)) if c == open => quoted = None,
            ('(', None) => depth += 1,
            (')', None) => depth -= 1,
            (',', None) if depth == 0 => cuts.push(span.start + i + 1),
            _ => {}
        }
    }
    let ends = cuts.iter().skip(1).map(|cut| cut - 1).chain([span.end]);
    cuts.iter().zip(ends).map(|(start, end)| argument(source, Span { start: *start, end })).collect()
}

fn argument(source: &str, span: Span) -> Argument<'_> {
    let text = &source[span.start..span.end];
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    let (name, start) = match text.split_once('=') {
        // `x == 1` is no name.
        Some((name, value)) if is_name(name.trim()) && !value.starts_with('=') => {
            (Some(name.trim()), span.start + name.len() + 1)
        }
        _ => (None, span.start),
    };
    let value = &source[start..span.end];
    let start = start + value.len() - value.trim_start().len();
    Argument { name, value: Span { start, end: start + value.trim().len() } }
}

struct Call<'a> {
    source: &'a str,
    span: Span,
    function: &'a str,
}

impl Call<'_> {
    fn error(&self, span: Span, what: &str, help: &str) -> ExprError {
        ExprError::new(self.source, span, format!("`{}` {what}", self.function)).help(help)
    }

    fn text(&self, argument: &Argument<'_>) -> &str {
        &self.source[argument.value.start..argument.value.end]
    }

    fn number(&self, argument: &Argument<'_>) -> Result<f64, ExprError> {
        let text = self.text(argument).trim_end_matches('L');
        let number = text.parse().ok().filter(|n: &f64| n.is_finite());
        number.ok_or_else(|| self.error(argument.value, "needs a number here", "write it with digits, as in `df = 4`"))
    }

    fn count(&self, argument: &Argument<'_>, least: usize) -> Result<usize, ExprError> {
        let number = self.number(argument)?;
        if number.fract() == 0.0 && number >= least as f64 && number <= 1000.0 {
            Ok(number as usize)
        } else {
            let help = format!("it must be a whole number from {least} to 1000");
            Err(self.error(argument.value, &format!("was given {number}"), &help))
        }
    }

    fn truth(&self, argument: &Argument<'_>) -> Result<bool, ExprError> {
        match self.text(argument) {
            "TRUE" | "T" => Ok(true),
            "FALSE" | "F" => Ok(false),
            _ => Err(self.error(argument.value, "needs `TRUE` or `FALSE` here", "as in `intercept = TRUE`")),
        }
    }

    /// `5` or `c(1, 2.5)`
    fn numbers(&self, argument: &Argument<'_>) -> Result<Vec<f64>, ExprError> {
        let text = self.text(argument);
        let Some(inside) = text.strip_prefix("c(").and_then(|t| t.strip_suffix(')')) else {
            return Ok(vec![self.number(argument)?]);
        };
        let start = argument.value.start + 2;
        let list = arguments(self.source, Span { start, end: start + inside.len() });
        list.iter().map(|a| self.number(a)).collect()
    }

    fn unknown(&self, argument: &Argument<'_>, known: &str) -> ExprError {
        let what = match argument.name {
            Some(name) => format!("has no argument `{name}`"),
            None => "has too many arguments".to_string(),
        };
        self.error(argument.value, &what, &format!("it takes {known}"))
    }

    fn relevel(&self, rest: &[Argument<'_>]) -> Result<Transform, ExprError> {
        let [argument] = rest else {
            return Err(self.error(self.span, "takes a factor and a level", "as in `relevel(g, ref = \"b\")`"));
        };
        if argument.name.is_some_and(|n| n != "ref") {
            return Err(self.unknown(argument, "`ref`"));
        }
        let text = self.text(argument);
        let quoted = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q));
        let level = quoted('"').or_else(|| quoted('\'')).unwrap_or(text);
        Ok(Transform::Relevel(level.to_string()))
    }

    fn polynomial(&self, rest: &[Argument<'_>]) -> Result<Transform, ExprError> {
        let (mut degree, mut raw) = (1, false);
        for (i, argument) in rest.iter().enumerate() {
            match argument.name {
                Some("degree") => degree = self.count(argument, 1)?,
                None if i == 0 => degree = self.count(argument, 1)?,
                Some("raw") => raw = self.truth(argument)?,
                _ => return Err(self.unknown(argument, "a degree and `raw`")),
            }
        }
        Ok(Transform::Basis(BasisKind::Polynomial { degree, raw }))
    }

    fn spline(&self, rest: &[Argument<'_>]) -> Result<SplineKind, ExprError> {
        let mut kind = SplineKind::default();
        for (i, argument) in rest.iter().enumerate() {
            match argument.name {
                Some("df") => kind.df = Some(self.count(argument, 1)?),
                None if i == 0 => kind.df = Some(self.count(argument, 1)?),
                Some("knots") => kind.knots = Some(self.numbers(argument)?),
                Some("degree") if self.function == "bs" => kind.degree = Some(self.count(argument, 1)?),
                Some("intercept") => kind.intercept = self.truth(argument)?,
                Some("Boundary.knots") => match self.numbers(argument)?.as_slice() {
                    [low, high] => kind.boundary = Some((low.min(*high), low.max(*high))),
                    _ => return Err(self.error(argument.value, "has two outer knots", "as in `c(0, 10)`")),
                },
                _ => return Err(self.unknown(argument, "`df`, `knots`, `degree` (bs), `intercept`, `Boundary.knots`")),
            }
        }
        Ok(kind)
    }
}
