//! Text to terms: R's formula operators `+ - * / : ^ %in%`, with their precedences.

use super::deparse;
use super::special::special_call;
use super::{Formula, Response, Transform, Variable};
use gristmill_engine::expr::{Expr, ExprError, ExprKind, Span, parse_expression};

/// Brackets nested deeper than this are refused, so that no input can exhaust the stack.
const DEEPEST: usize = 200;
/// `a * b * …` doubles with every factor: more terms than this are refused.
const MOST_TERMS: usize = 5000;

pub(super) fn parse(source: &str, columns: &[String]) -> Result<Formula, ExprError> {
    let Some(tilde) = top_level_tilde(source)? else {
        return Err(ExprError::new(source, Span { start: source.len(), end: source.len() }, "the formula has no `~`")
            .help("write `response ~ terms`, as in `admit ~ gre + gpa`"));
    };
    let response = response(source, tilde)?;
    let mut parser = Parser { source, at: tilde + 1, depth: 0, columns, excluded: Vec::new(), variables: Vec::new() };
    for variable in response.variables() {
        names_in(
            &parse_expression(&variable.text).map_err(|e| inside(source, variable.span, e))?,
            &mut parser.excluded,
        );
    }
    parser.formula(response)
}

/// An error in a piece of the formula, pointing into the whole.
pub(super) fn inside(source: &str, piece: Span, error: ExprError) -> ExprError {
    let span = Span { start: piece.start + error.span.start, end: piece.start + error.span.end };
    ExprError { source: source.to_string(), span, ..error }
}

/// Every name that an expression uses.
pub(super) fn names_in(expr: &Expr, names: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Name(name) => names.push(name.clone()),
        ExprKind::Unary(_, inner) => names_in(inner, names),
        ExprKind::Binary(_, a, b) => {
            names_in(a, names);
            names_in(b, names);
        }
        ExprKind::Call { arguments, .. } => arguments.iter().for_each(|a| names_in(&a.value, names)),
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Text(_) | ExprKind::Missing => {}
    }
}

/// Where the `~` is; backticks may hold one that is not meant.
fn top_level_tilde(source: &str) -> Result<Option<usize>, ExprError> {
    let mut found = None;
    let mut quoted = false;
    for (i, c) in source.char_indices() {
        match c {
            '`' => quoted = !quoted,
            '~' if !quoted => match found {
                None => found = Some(i),
                Some(_) => return Err(ExprError::new(source, Span { start: i, end: i + 1 }, "a second `~`")),
            },
            _ => {}
        }
    }
    Ok(found)
}

fn response(source: &str, tilde: usize) -> Result<Response, ExprError> {
    let text = &source[..tilde];
    let start = text.len() - text.trim_start().len();
    let span = Span { start, end: start + text.trim().len() };
    let text = text.trim();
    if text.is_empty() {
        return Err(ExprError::new(source, Span { start: tilde, end: tilde + 1 }, "the formula has no response")
            .help("write `response ~ terms`, as in `admit ~ gre + gpa`"));
    }
    let expr = parse_expression(text).map_err(|e| inside(source, span, e))?;
    let ExprKind::Call { function, arguments, .. } = &expr.kind else {
        return Ok(Response::One(variable(source, span)?));
    };
    if function != "cbind" {
        return Ok(Response::One(variable(source, span)?));
    }
    let part = |e: &Expr| variable(source, Span { start: span.start + e.span.start, end: span.start + e.span.end });
    match arguments.as_slice() {
        [successes, failures] => Ok(Response::Pair(part(&successes.value)?, part(&failures.value)?)),
        other => {
            Err(ExprError::new(source, span, format!("`cbind` has {} columns here, but must have two", other.len()))
                .help("write `cbind(successes, failures)`"))
        }
    }
}

impl Response {
    pub(super) fn variables(&self) -> Vec<&Variable> {
        match self {
            Response::One(variable) => vec![variable],
            Response::Pair(a, b) => vec![a, b],
        }
    }
}

/// The variable whose text stands at `span`.
pub(super) fn variable(source: &str, span: Span) -> Result<Variable, ExprError> {
    let text = &source[span.start..span.end];
    if let Some(call) = special_call(source, span)? {
        return Ok(Variable { label: deparse::expression(text), ..call });
    }
    let expr = parse_expression(text).map_err(|e| inside(source, span, e))?;
    let mut inner = span;
    let mut transform = Transform::None;
    if let ExprKind::Call { function, arguments, .. } = &expr.kind
        && ["I", "factor", "as.factor"].contains(&function.as_str())
    {
        let [argument] = arguments.as_slice() else {
            let message = format!("`{function}` has {} arguments here, but takes one", arguments.len());
            return Err(ExprError::new(source, span, message));
        };
        let at = argument.value.span;
        inner = Span { start: span.start + at.start, end: span.start + at.end };
        if function != "I" {
            transform = Transform::Factor;
        }
    }
    Ok(Variable {
        label: deparse::expression(text),
        text: source[inner.start..inner.end].to_string(),
        span: inner,
        transform,
    })
}

/// What a part of the right side stands for.
#[derive(Debug, Clone, Default)]
struct Terms {
    /// Numbers of variables in rising order, in the order of appearance; none is empty.
    terms: Vec<Vec<usize>>,
    /// Whether it asks for an intercept (`1`) or for none (`0`, `-1`).
    intercept: Option<bool>,
    offsets: Vec<Variable>,
}

impl Terms {
    fn one(term: Vec<usize>) -> Terms {
        Terms { terms: vec![term], ..Terms::default() }
    }
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    depth: usize,
    columns: &'a [String],
    /// What `.` leaves out: the names of the response.
    excluded: Vec<String>,
    variables: Vec<Variable>,
}

impl Parser<'_> {
    /// Reads the right side and puts the formula together.
    fn formula(mut self, response: Response) -> Result<Formula, ExprError> {
        let all = self.sum()?;
        if let Some(c) = self.peek() {
            let help = "<>=!&|".contains(c).then_some(ARITHMETIC);
            return self.error(self.here(), format!("expected `+` or another operator, found {}", self.found()), help);
        }
        let mut terms = all.terms;
        // Stable: terms of one length stay in the order of appearance.
        terms.sort_by_key(Vec::len);
        Ok(Formula {
            source: self.source.to_string(),
            response,
            variables: self.variables,
            terms,
            intercept: all.intercept.unwrap_or(true),
            offsets: all.offsets,
        })
    }

    fn error<T>(&self, span: Span, message: impl Into<String>, help: Option<&str>) -> Result<T, ExprError> {
        let error = ExprError::new(self.source, span, message);
        Err(match help {
            Some(help) => error.help(help),
            None => error,
        })
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, symbol: &str) -> bool {
        self.peek();
        let here = self.rest().starts_with(symbol);
        self.at += if here { symbol.len() } else { 0 };
        here
    }

    fn here(&self) -> Span {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Span { start: self.at, end: self.at + length }
    }

    fn found(&self) -> String {
        match self.rest().chars().next() {
            None => "the end".to_string(),
            Some(c) => format!("`{c}`"),
        }
    }

    /// `a + b - c`
    fn sum(&mut self) -> Result<Terms, ExprError> {
        let mut all = Terms::default();
        let mut minus = match self.peek() {
            Some('-') => self.take("-"),
            Some('+') => !self.take("+"),
            _ => false,
        };
        loop {
            let start = self.at;
            let part = self.product()?;
            if minus {
                let span = Span { start, end: self.at };
                self.subtract(&mut all, &part, span)?;
            } else {
                self.add(&mut all, part)?;
            }
            if self.take("+") {
                minus = false;
            } else if self.take("-") {
                minus = true;
            } else {
                return Ok(all);
            }
        }
    }

    fn add(&self, all: &mut Terms, part: Terms) -> Result<(), ExprError> {
        all.intercept = part.intercept.or(all.intercept);
        for offset in part.offsets {
            if !all.offsets.contains(&offset) {
                all.offsets.push(offset);
            }
        }
        self.push_all(&mut all.terms, part.terms)
    }

    fn push_all(&self, terms: &mut Vec<Vec<usize>>, more: Vec<Vec<usize>>) -> Result<(), ExprError> {
        for term in more {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        if terms.len() > MOST_TERMS {
            let span = Span { start: 0, end: self.at };
            return self.error(span, format!("the formula has more than {MOST_TERMS} terms"), None);
        }
        Ok(())
    }

    fn subtract(&self, all: &mut Terms, part: &Terms, span: Span) -> Result<(), ExprError> {
        if !part.offsets.is_empty() {
            return self.error(span, "an offset cannot be taken away", Some("leave it out of the formula"));
        }
        all.terms.retain(|t| !part.terms.contains(t));
        // `- 1` takes the intercept away, `- 0` brings it back.
        all.intercept = part.intercept.map(|wanted| !wanted).or(all.intercept);
        Ok(())
    }

    /// `a * b`, `a / b`
    fn product(&mut self) -> Result<Terms, ExprError> {
        let start = self.at;
        let mut left = self.nested()?;
        loop {
            let crossed = self.take("*");
            if !crossed && !self.take("/") {
                return Ok(left);
            }
            let right = self.nested()?;
            self.only_terms(&left, &right, start)?;
            if crossed {
                let both = self.interaction(&left, &right)?;
                self.push_all(&mut left.terms, right.terms)?;
                self.push_all(&mut left.terms, both.terms)?;
            } else {
                // a / b is a + (all variables of a):b.
                let mut every: Vec<usize> = left.terms.iter().flatten().copied().collect();
                every.sort_unstable();
                every.dedup();
                let both = self.interaction(&Terms::one(every), &right)?;
                self.push_all(&mut left.terms, both.terms)?;
            }
        }
    }

    /// `a %in% b`: the same as `a:b`.
    fn nested(&mut self) -> Result<Terms, ExprError> {
        let start = self.at;
        let mut left = self.colon()?;
        while self.take("%in%") {
            let right = self.colon()?;
            self.only_terms(&left, &right, start)?;
            left = self.interaction(&left, &right)?;
        }
        Ok(left)
    }

    /// `a:b`
    fn colon(&mut self) -> Result<Terms, ExprError> {
        let start = self.at;
        let mut left = self.power()?;
        while self.take(":") {
            let right = self.power()?;
            self.only_terms(&left, &right, start)?;
            left = self.interaction(&left, &right)?;
        }
        Ok(left)
    }

    /// `(a + b)^2`
    fn power(&mut self) -> Result<Terms, ExprError> {
        let start = self.at;
        let base = self.atom()?;
        if !self.take("^") && !self.rest().starts_with("**") {
            return Ok(base);
        }
        self.take("**");
        self.peek();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let span = Span { start: self.at, end: (self.at + digits).max(self.here().end) };
        let exponent: u32 = match self.rest()[..digits].parse() {
            Ok(n @ 1..) => n,
            _ => return self.error(span, "`^` in a formula takes a whole number >= 1", Some(ARITHMETIC)),
        };
        self.at += digits;
        self.only_terms(&base, &Terms::default(), start)?;
        let mut all = base.clone();
        for _ in 1..exponent {
            let before = all.terms.len();
            let both = self.interaction(&all, &base)?;
            self.push_all(&mut all.terms, both.terms)?;
            if all.terms.len() == before {
                break; // every interaction of these terms is there
            }
        }
        Ok(all)
    }

    /// Numbers and offsets have no interactions.
    fn only_terms(&self, left: &Terms, right: &Terms, start: usize) -> Result<(), ExprError> {
        let span = Span { start, end: self.at };
        if left.intercept.or(right.intercept).is_some() {
            return self.error(span, "a number cannot be part of an interaction", Some(ARITHMETIC));
        }
        if !left.offsets.is_empty() || !right.offsets.is_empty() {
            return self.error(span, "an offset cannot be part of an interaction", Some("add it: `+ offset(…)`"));
        }
        Ok(())
    }

    fn interaction(&self, left: &Terms, right: &Terms) -> Result<Terms, ExprError> {
        let mut terms = Vec::new();
        for a in &left.terms {
            let mut some = Vec::with_capacity(right.terms.len());
            for b in &right.terms {
                let mut both = [a.as_slice(), b.as_slice()].concat();
                both.sort_unstable();
                both.dedup();
                some.push(both);
            }
            self.push_all(&mut terms, some)?;
        }
        Ok(Terms { terms, ..Terms::default() })
    }

    fn atom(&mut self) -> Result<Terms, ExprError> {
        let Some(c) = self.peek() else {
            return self.error(self.here(), "expected a column or a call, found the end", None);
        };
        let start = self.at;
        match c {
            '(' => self.brackets(),
            '0'..='9' => self.constant(),
            '`' => {
                let Some(length) = self.rest()[1..].find('`') else {
                    let span = Span { start, end: self.source.len() };
                    return self.error(span, "a backtick is open to the end", None);
                };
                self.at += length + 2;
                self.variable(Span { start, end: self.at })
            }
            c if is_name_part(c) => {
                self.at += self.rest().find(|c| !is_name_part(c)).unwrap_or(self.rest().len());
                let name = &self.source[start..self.at];
                if name == "." {
                    return self.every_column();
                }
                let is_offset = name == "offset";
                if self.rest().trim_start().starts_with('(') {
                    self.take("(");
                    let open = self.at;
                    self.skip_to_closing(start)?;
                    if is_offset {
                        return self.offset(Span { start: open, end: self.at - 1 });
                    }
                }
                self.variable(Span { start, end: self.at })
            }
            '<' | '>' | '=' | '!' | '&' | '|' => {
                self.error(self.here(), format!("`{c}` is not a formula operator"), Some(ARITHMETIC))
            }
            _ => self.error(self.here(), format!("expected a column or a call, found `{c}`"), None),
        }
    }

    fn brackets(&mut self) -> Result<Terms, ExprError> {
        let open = self.here();
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error(open, format!("the formula is nested deeper than {DEEPEST}"), None);
        }
        self.take("(");
        let inner = self.sum()?;
        if !self.take(")") {
            let message = format!("expected `)`, found {}", self.found());
            let help = format!("the bracket opened at character {} is not closed", open.start + 1);
            return self.error(self.here(), message, Some(&help));
        }
        self.depth -= 1;
        Ok(inner)
    }

    /// `1` or `0`.
    fn constant(&mut self) -> Result<Terms, ExprError> {
        let start = self.at;
        self.at += self.rest().find(|c: char| !is_name_part(c)).unwrap_or(self.rest().len());
        let intercept = match &self.source[start..self.at] {
            "1" => true,
            "0" => false,
            other => {
                let message = format!("`{other}` is not a term: only 1 and 0 are, for the intercept");
                return self.error(Span { start, end: self.at }, message, Some(ARITHMETIC));
            }
        };
        Ok(Terms { intercept: Some(intercept), ..Terms::default() })
    }

    /// `.`: every column that the response does not use.
    fn every_column(&mut self) -> Result<Terms, ExprError> {
        let mut all = Terms::default();
        for column in self.columns {
            if !self.excluded.contains(column) {
                let label = deparse::name(column);
                let text = format!("`{column}`");
                let span = Span { start: self.at - 1, end: self.at };
                let number = self.number_of(Variable { label, text, span, transform: Transform::None });
                all.terms.push(vec![number]);
            }
        }
        Ok(all)
    }

    /// After the opening bracket of a call: to behind the closing one.
    fn skip_to_closing(&mut self, call: usize) -> Result<(), ExprError> {
        let mut depth = 1;
        let mut quoted = None;
        for (i, c) in self.rest().char_indices() {
            match (c, quoted) {
                ('`' | '"' | '\'', None) => quoted = Some(c),
                (c, Some(open)) if c == open => quoted = None,
                ('(', None) => depth += 1,
                (')', None) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += i + 1;
                return Ok(());
            }
        }
        self.error(Span { start: call, end: self.source.len() }, "the bracket of this call is not closed", None)
    }

    fn offset(&mut self, inner: Span) -> Result<Terms, ExprError> {
        let text = &self.source[inner.start..inner.end];
        let start = inner.start + (text.len() - text.trim_start().len());
        let span = Span { start, end: start + text.trim().len() };
        let offset = variable(self.source, span)?;
        Ok(Terms { offsets: vec![offset], ..Terms::default() })
    }

    fn variable(&mut self, span: Span) -> Result<Terms, ExprError> {
        let variable = variable(self.source, span)?;
        let number = self.number_of(variable);
        Ok(Terms::one(vec![number]))
    }

    /// The variable's number; one of the same label is the same variable.
    fn number_of(&mut self, variable: Variable) -> usize {
        match self.variables.iter().position(|v| v.label == variable.label) {
            Some(number) => number,
            None => {
                self.variables.push(variable);
                self.variables.len() - 1
            }
        }
    }
}

const ARITHMETIC: &str = "arithmetic on columns goes into `I(…)`, as in `I(x / 2)` or `I(x > 3)`";

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(source: &str) -> String {
        let columns: Vec<String> = ["y", "a", "b", "my col"].map(String::from).to_vec();
        let formula = parse(source, &columns).unwrap_or_else(|e| panic!("{e}"));
        format!("{}{}", if formula.intercept { "1 " } else { "" }, formula.term_labels().join(" "))
    }

    // The right sides are R's `attr(terms(f), "term.labels")`.
    #[test]
    fn operators_expand_as_in_r() {
        for (formula, expanded) in [
            ("y ~ a*b", "1 a b a:b"),
            ("y ~ b + a:b", "1 b b:a"),
            ("y ~ a*b*c - a", "1 b c a:b a:c b:c a:b:c"),
            ("y ~ (a+b+c)^2", "1 a b c a:b a:c b:c"),
            ("y ~ (a + b)/x", "1 a b a:b:x"),
            ("y ~ a/x", "1 a a:x"),
            ("y ~ a %in% b", "1 a:b"),
            ("y ~ a - 1 + b", "a b"),
            ("y ~ a + 0 + 1", "1 a"),
            ("y ~ -1 + a", "a"),
            ("y ~ a - 0", "1 a"),
            ("y ~ 0", ""),
            ("y ~ 1", "1 "),
            ("y ~ a + a + I( x^2 ) + I(x ^ 2)", "1 a I(x^2)"),
            ("y ~ . - b", "1 a `my col`"),
            ("y ~ `my col`:a", "1 `my col`:a"),
            ("log(y) ~ offset(log(b)) + a", "1 a"),
            ("cbind(y, b - y) ~ .", "1 a `my col`"),
            ("y ~ a^3", "1 a"),
            ("y ~ (a - 1)", "a"),
        ] {
            assert_eq!(terms(formula), expanded, "{formula}");
        }
    }

    #[test]
    fn wrong_formulas_are_errors_at_the_right_place() {
        let shown = |source: &str| parse(source, &[]).expect_err(source).to_string();
        assert!(shown("a + b").contains("the formula has no `~`"));
        assert!(shown("~ a").contains("the formula has no response"));
        assert!(shown("y ~").contains("found the end"));
        assert!(shown("y ~ a ~ b").contains("a second `~`\n  y ~ a ~ b\n        ^"));
        assert!(shown("y ~ a b").contains("found `b`\n  y ~ a b\n        ^"));
        assert!(shown("y ~ (a + b").contains("the bracket opened at character 5 is not closed"));
        assert!(shown("y ~ log(a").contains("is not closed"));
        assert!(shown("y ~ a / 2").contains("I(x / 2)"));
        assert!(shown("y ~ a > 2").contains("found `>`"));
        assert!(shown("y ~ a ^ b").contains("whole number"));
        assert!(shown("y ~ 1:a").contains("a number cannot be part of an interaction"));
        assert!(shown("y ~ a:offset(b)").contains("an offset cannot be part"));
        assert!(shown("y ~ I(a + )").contains("found the end") || shown("y ~ I(a + )").contains("found `)`"));
        assert!(shown("y ~ I(a b)").contains("\n  y ~ I(a b)\n          ^"), "{}", shown("y ~ I(a b)"));
        assert!(shown("cbind(y) ~ a").contains("must have two"));
        assert!(shown("y ~ `a").contains("backtick"));
        assert!(shown(&format!("y ~ {}", "(".repeat(100_000))).contains("nested deeper"));
        let many: Vec<String> = (0..40).map(|i| format!("v{i}")).collect();
        assert!(shown(&format!("y ~ {}", many.join("*"))).contains("more than 5000 terms"));
    }
}
