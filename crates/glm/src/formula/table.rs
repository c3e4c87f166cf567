//! The data that formulas are used on, and the values of variables.

use super::parse::{inside, names_in};
use super::{FormulaError, Transform, Variable, deparse};
use gristmill_engine::expr::{Expr, ExprError, ExprKind, Span, Statement, nearest, parse_expression};
use gristmill_engine::plan::{Bindings, bind};
use gristmill_engine::{Engine, InputColumn, ResultValues, Rows};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Named columns of one length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    rows: usize,
    names: Vec<String>,
    columns: Vec<Column>,
    /// Names of columns that were not read: for messages.
    others: Vec<String>,
}

/// The values of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers; a missing one is NaN, which is treated alike.
    Numbers(Vec<f64>),
    /// Texts or truth values: a factor.
    Factor {
        /// The levels, in order, each once.
        levels: Vec<String>,
        /// For each row the number of its level; `None` where it is missing.
        codes: Vec<Option<u32>>,
    },
}

impl Column {
    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Numbers(values) => values.len(),
            Column::Factor { codes, .. } => codes.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A factor of texts. Its levels are sorted by their characters' code points, as R sorts in the C locale.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = Option<&'a str>> + Clone) -> Column {
        let mut numbers: BTreeMap<&str, u32> = texts.clone().into_iter().flatten().map(|t| (t, 0)).collect();
        for (i, number) in numbers.values_mut().enumerate() {
            *number = i as u32;
        }
        let codes = texts.into_iter().map(|t| t.and_then(|t| numbers.get(t).copied())).collect();
        Column::Factor { levels: numbers.into_keys().map(str::to_string).collect(), codes }
    }

    /// A factor of truth values: `FALSE` before `TRUE`.
    pub fn from_truth(values: impl IntoIterator<Item = Option<bool>>) -> Column {
        let codes = values.into_iter().map(|v| v.map(u32::from)).collect();
        Column::Factor { levels: vec!["FALSE".to_string(), "TRUE".to_string()], codes }
    }

    /// A factor whose levels are the different numbers, in rising order.
    fn from_numbers(values: &[f64]) -> Column {
        let mut different: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
        different.sort_by(f64::total_cmp);
        // -0 and 0 are one level, as are numbers that R prints alike.
        let mut levels: Vec<String> = Vec::new();
        let mut ends: Vec<f64> = Vec::new();
        for value in different {
            let text = deparse::number(value);
            if levels.last() == Some(&text) {
                if let Some(end) = ends.last_mut() {
                    *end = value;
                }
            } else {
                levels.push(text);
                ends.push(value);
            }
        }
        let code = |v: &f64| (!v.is_nan()).then(|| ends.partition_point(|e| e.total_cmp(v).is_lt()) as u32);
        Column::Factor { codes: values.iter().map(code).collect(), levels }
    }

    /// Its numbers; truth values are 0 and 1, as in R. `None` for texts.
    pub(super) fn as_numbers(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Column::Numbers(values) => Some(Cow::Borrowed(values)),
            Column::Factor { levels, codes } if levels == &["FALSE", "TRUE"] => {
                Some(codes.iter().map(|c| c.map_or(f64::NAN, f64::from)).collect())
            }
            Column::Factor { .. } => None,
        }
    }

    /// Marks the rows where it is missing.
    pub(super) fn mark_missing(&self, missing: &mut [bool]) {
        match self {
            Column::Numbers(values) => missing.iter_mut().zip(values).for_each(|(m, v)| *m |= v.is_nan()),
            Column::Factor { codes, .. } => missing.iter_mut().zip(codes).for_each(|(m, c)| *m |= c.is_none()),
        }
    }

    /// As a factor with these levels, of which it may have a part; the row and the text of the first that is none of them.
    pub(super) fn with_levels(&self, wanted: &[String]) -> Result<Column, (usize, String)> {
        let factor = match self {
            Column::Numbers(values) => Cow::Owned(Column::from_numbers(values)),
            Column::Factor { .. } => Cow::Borrowed(self),
        };
        let Column::Factor { levels, codes } = factor.as_ref() else { return Ok(self.clone()) };
        let places: Vec<Option<u32>> =
            levels.iter().map(|level| wanted.iter().position(|w| w == level).map(|p| p as u32)).collect();
        let mut new = Vec::with_capacity(codes.len());
        for (row, code) in codes.iter().enumerate() {
            new.push(match code {
                None => None,
                Some(code) => match places[*code as usize] {
                    Some(place) => Some(place),
                    None => return Err((row, levels[*code as usize].clone())),
                },
            });
        }
        Ok(Column::Factor { levels: wanted.to_vec(), codes: new })
    }

    /// As a factor whose first level is this one; `None` if it has no such level.
    fn with_reference(self, reference: &str) -> Option<Column> {
        let factor = match self {
            Column::Numbers(values) => Column::from_numbers(&values),
            factor => factor,
        };
        let Column::Factor { mut levels, codes } = factor else { return None };
        let place = levels.iter().position(|l| l == reference)? as u32;
        levels[..=place as usize].rotate_right(1);
        let new = |code: u32| match code {
            code if code == place => 0,
            code if code < place => code + 1,
            code => code,
        };
        Some(Column::Factor { levels, codes: codes.into_iter().map(|c| c.map(new)).collect() })
    }

    /// The given rows; of a factor, the levels that they have.
    pub(super) fn keep(&self, rows: &[usize]) -> Column {
        match self {
            Column::Numbers(values) => Column::Numbers(rows.iter().map(|r| values[*r]).collect()),
            Column::Factor { levels, codes } => {
                let mut used = vec![false; levels.len()];
                for code in rows.iter().filter_map(|r| codes[*r]) {
                    used[code as usize] = true;
                }
                let mut next = 0;
                let new: Vec<u32> = used
                    .iter()
                    .map(|u| {
                        next += u32::from(*u);
                        next.wrapping_sub(1)
                    })
                    .collect();
                Column::Factor {
                    levels: levels.iter().zip(&used).filter(|(_, u)| **u).map(|(l, _)| l.clone()).collect(),
                    codes: rows.iter().map(|r| codes[*r].map(|c| new[c as usize])).collect(),
                }
            }
        }
    }
}

impl Table {
    /// A table of this many rows and no columns.
    pub fn new(rows: usize) -> Table {
        Table { rows, ..Table::default() }
    }

    /// With one more column.
    ///
    /// # Panics
    /// When it has another number of rows.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, column: Column) -> Table {
        assert_eq!(column.len(), self.rows, "a column has as many values as the table has rows");
        self.names.push(name.into());
        self.columns.push(column);
        self
    }

    /// Names of columns that exist and were not read, because nothing uses them: messages suggest them.
    #[must_use]
    pub fn knowing(mut self, names: Vec<String>) -> Table {
        self.others = names;
        self
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn column(&self, name: &str) -> Option<&Column> {
        self.names.iter().position(|n| n == name).map(|i| &self.columns[i])
    }

    /// The variable's value in every row; `source` is the text in which it stands.
    pub(super) fn evaluate(&self, source: &str, variable: &Variable) -> Result<Cow<'_, Column>, FormulaError> {
        let here = |e: ExprError| inside(source, variable.span, e);
        let expr = parse_expression(&variable.text).map_err(here)?;
        let value = match &expr.kind {
            ExprKind::Name(name) => match self.column(name) {
                Some(column) => Cow::Borrowed(column),
                None => return Err(here(self.no_such_column(&variable.text, name, expr.span)).into()),
            },
            _ => Cow::Owned(self.compute(&variable.text, &expr).map_err(|e| match e {
                FormulaError::Text(e) => FormulaError::Text(here(e)),
                other => other,
            })?),
        };
        Ok(match (&variable.transform, value.as_ref()) {
            (Transform::Factor, Column::Numbers(values)) => Cow::Owned(Column::from_numbers(values)),
            (Transform::Relevel(reference), _) => {
                let levels = match value.as_ref() {
                    Column::Factor { levels, .. } => levels.clone(),
                    Column::Numbers(values) => match Column::from_numbers(values) {
                        Column::Factor { levels, .. } => levels,
                        Column::Numbers(_) => Vec::new(),
                    },
                };
                Cow::Owned(value.into_owned().with_reference(reference).ok_or_else(|| FormulaError::Reference {
                    variable: variable.label.clone(),
                    level: reference.clone(),
                    levels,
                })?)
            }
            _ => value,
        })
    }

    fn no_such_column(&self, text: &str, name: &str, span: Span) -> ExprError {
        let error = ExprError::new(text, span, format!("no column is called `{name}`"));
        let known = if self.others.is_empty() { &self.names } else { &self.others };
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => {
                let shown: Vec<String> = known.iter().take(12).map(|n| format!("`{n}`")).collect();
                let more = if known.len() > 12 { ", …" } else { "" };
                error.help(format!("there are: {}{more}", shown.join(", ")))
            }
        }
    }

    fn compute(&self, text: &str, expr: &Expr) -> Result<Column, FormulaError> {
        self.check_names(text, expr)?;
        let mut used = Vec::new();
        names_in(expr, &mut used);
        used.sort_unstable();
        used.dedup();
        let mut names = Vec::new();
        let mut values: Vec<Cow<'_, [f64]>> = Vec::new();
        for name in used {
            if let Some(numbers) = self.column(&name).and_then(Column::as_numbers) {
                names.push(name);
                values.push(numbers);
            }
        }
        let missing: Vec<Option<Vec<bool>>> = values
            .iter()
            .map(|v| v.iter().any(|x| x.is_nan()).then(|| v.iter().map(|x| x.is_nan()).collect()))
            .collect();
        let bindings = Bindings {
            columns: names,
            with_missing: missing.iter().map(Option::is_some).collect(),
            seed: 1,
            ..Bindings::default()
        };
        let statement = Statement { name: text.to_string(), value: expr.clone(), source: text.to_string() };
        let plan = bind(&[statement], &bindings)?;
        let columns: Vec<InputColumn<'_>> =
            values.iter().zip(&missing).map(|(v, m)| InputColumn { values: v, missing: m.as_deref() }).collect();
        let mut results = Engine::new().run(&plan, &Rows { count: self.rows, first: 0, columns: &columns })?;
        let Some(result) = results.pop() else { return Ok(Column::Numbers(Vec::new())) };
        let is_missing = |row: usize| result.missing.as_ref().is_some_and(|m| m[row]);
        Ok(match result.values {
            ResultValues::F64(mut values) => {
                for (row, value) in values.iter_mut().enumerate() {
                    if is_missing(row) {
                        *value = f64::NAN;
                    }
                }
                Column::Numbers(values)
            }
            ResultValues::Bool(values) => {
                Column::from_truth(values.into_iter().enumerate().map(|(row, v)| (!is_missing(row)).then_some(v)))
            }
        })
    }

    /// Every name is a column of numbers.
    fn check_names(&self, text: &str, expr: &Expr) -> Result<(), ExprError> {
        match &expr.kind {
            ExprKind::Name(name) => match self.column(name) {
                Some(column) if column.as_numbers().is_some() => Ok(()),
                Some(_) => Err(ExprError::new(
                    text,
                    expr.span,
                    format!("`{name}` holds text, but an expression needs numbers"),
                )
                .help(format!("use `{}` as a term of its own: it is a factor", deparse::name(name)))),
                None => Err(self.no_such_column(text, name, expr.span)),
            },
            ExprKind::Unary(_, inner) => self.check_names(text, inner),
            ExprKind::Binary(_, a, b) => {
                self.check_names(text, a)?;
                self.check_names(text, b)
            }
            ExprKind::Call { arguments, .. } => arguments.iter().try_for_each(|a| self.check_names(text, &a.value)),
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Text(_) | ExprKind::Missing => Ok(()),
        }
    }
}
