//! The model matrix: which columns a term makes, and their values.

use super::error::MOST_COLUMNS;
use super::parse::variable;
use super::table::{Column, Table};
use super::{Formula, FormulaError, Response, Variable};
use gristmill_engine::expr::Span;

/// What the model takes from the table beside the formula.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Roles {
    /// An expression for the weights; 1 if there is none.
    pub weights: Option<String>,
    /// An expression that is added to the formula's offsets.
    pub offset: Option<String>,
    /// Whether the family is a binomial one: text and `cbind` responses have a meaning.
    pub binomial: bool,
}

impl Roles {
    pub(super) fn texts(&self) -> Vec<&String> {
        self.weights.iter().chain(&self.offset).collect()
    }
}

/// Everything that a fit needs, for the rows without missing values.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The names of the columns, as R prints them.
    pub names: Vec<String>,
    /// The matrix, column after column.
    pub x: Vec<f64>,
    /// The response.
    pub y: Vec<f64>,
    /// The weights; of `cbind`, times the number of trials.
    pub weights: Vec<f64>,
    /// The sum of all offsets.
    pub offset: Vec<f64>,
    /// The rows of the table that are used, from 1.
    pub rows: Vec<usize>,
    /// How many rows were left out because a value is missing.
    pub dropped: usize,
    /// Whether the first column is the intercept.
    pub intercept: bool,
    /// Of a text response, the level that is failure.
    pub failure: Option<String>,
}

/// A variable as a part of one term.
enum Part<'a> {
    Numbers(&'a [f64]),
    /// All levels, or all but the first.
    Levels {
        codes: &'a [Option<u32>],
        first: u32,
        count: usize,
    },
}

impl Part<'_> {
    fn columns(&self) -> usize {
        match self {
            Part::Numbers(_) => 1,
            Part::Levels { first, count, .. } => count - *first as usize,
        }
    }

    /// Multiplies a column by this part's column `k`.
    fn multiply(&self, k: usize, column: &mut [f64]) {
        match self {
            Part::Numbers(values) => column.iter_mut().zip(*values).for_each(|(c, v)| *c *= v),
            Part::Levels { codes, first, .. } => {
                let level = Some(k as u32 + first);
                for (c, code) in column.iter_mut().zip(*codes) {
                    if *code != level {
                        *c = 0.0;
                    }
                }
            }
        }
    }
}

impl Formula {
    /// The model matrix and what belongs to it.
    ///
    /// # Errors
    /// When a name is not a column, a value is infinite, a factor has one level, or no row is left.
    pub fn design(&self, table: &Table, roles: &Roles) -> Result<Design, FormulaError> {
        let value = |v: &Variable| table.evaluate(&self.source, v);
        let response: Vec<Column> = self.response.variables().into_iter().map(value).collect::<Result<_, _>>()?;
        let variables: Vec<Column> = self.variables.iter().map(value).collect::<Result<_, _>>()?;
        let mut offsets: Vec<(String, Column)> = Vec::new();
        for offset in &self.offsets {
            offsets.push((offset.label.clone(), self.numbers(offset, value(offset)?, &self.source)?));
        }
        let role = |text: &String| -> Result<(String, Column), FormulaError> {
            let variable = variable(text, Span { start: 0, end: text.len() })?;
            let values = self.numbers(&variable, table.evaluate(text, &variable)?, text)?;
            Ok((variable.label, values))
        };
        let weights = roles.weights.as_ref().map(role).transpose()?;
        offsets.extend(roles.offset.as_ref().map(role).transpose()?);

        // Also of variables whose terms were all taken away: they are in the model frame of R, too.
        let every: Vec<&Column> =
            response.iter().chain(&variables).chain(offsets.iter().chain(&weights).map(|(_, c)| c)).collect();
        let kept: Vec<usize> = (0..table.rows()).filter(|r| !every.iter().any(|c| c.is_missing(*r))).collect();
        if kept.is_empty() {
            return Err(FormulaError::NoRows { rows: table.rows() });
        }
        let variables: Vec<Column> = variables.iter().map(|c| c.keep(&kept)).collect();
        for (variable, column) in self.variables.iter().zip(&variables) {
            finite(&variable.label, column, &kept)?;
        }

        let mut weights = match weights {
            None => vec![1.0; kept.len()],
            Some((label, column)) => kept_numbers(&label, &column, &kept)?,
        };
        let mut offset = vec![0.0; kept.len()];
        for (label, column) in &offsets {
            for (sum, value) in offset.iter_mut().zip(kept_numbers(label, column, &kept)?) {
                *sum += value;
            }
        }
        let (y, failure) = self.response(&response, roles, &kept, &mut weights)?;
        let (names, x) = self.matrix(&variables, kept.len())?;
        Ok(Design {
            names,
            x,
            y,
            weights,
            offset,
            dropped: table.rows() - kept.len(),
            rows: kept.iter().map(|r| r + 1).collect(),
            intercept: self.intercept,
            failure,
        })
    }

    /// A variable that has to be numbers.
    fn numbers(&self, variable: &Variable, column: Column, source: &str) -> Result<Column, FormulaError> {
        match column.as_numbers() {
            Some(values) => Ok(Column::Numbers(values.into_owned())),
            None => Err(gristmill_engine::expr::ExprError::new(
                source,
                variable.span,
                format!("`{}` holds text, but weights and offsets are numbers", variable.label),
            )
            .into()),
        }
    }

    /// The response as numbers; counts of `cbind` go into the weights.
    fn response(
        &self,
        columns: &[Column],
        roles: &Roles,
        kept: &[usize],
        weights: &mut [f64],
    ) -> Result<(Vec<f64>, Option<String>), FormulaError> {
        match (&self.response, columns) {
            (Response::Pair(a, b), [successes, failures]) => {
                if !roles.binomial {
                    return Err(FormulaError::PairResponse);
                }
                let successes = count_numbers(a, successes, kept)?;
                let failures = count_numbers(b, failures, kept)?;
                let mut y = Vec::with_capacity(kept.len());
                for ((s, f), w) in successes.iter().zip(&failures).zip(weights) {
                    let trials = s + f;
                    *w *= trials;
                    y.push(if trials == 0.0 { 0.0 } else { s / trials });
                }
                Ok((y, None))
            }
            (Response::One(variable), [column]) => match (column.as_numbers(), column) {
                (Some(_), _) => Ok((kept_numbers(&variable.label, column, kept)?, None)),
                (None, Column::Factor { .. }) if roles.binomial => {
                    let Column::Factor { levels, codes } = column.keep(kept) else { return Ok((Vec::new(), None)) };
                    let y = codes.iter().map(|c| f64::from(u8::from(*c != Some(0)))).collect();
                    Ok((y, levels.into_iter().next()))
                }
                _ => Err(FormulaError::TextResponse { variable: variable.label.clone() }),
            },
            // `response` and `columns` are made from one list.
            _ => Err(FormulaError::PairResponse),
        }
    }

    /// For each term, for each of its variables: whether a factor is coded by all its levels instead of by contrasts.
    ///
    /// A factor `v` in a term needs contrasts only, if the columns of an earlier term span what is left of the term
    /// without `v`: the intercept for a main effect, a term that holds all the other variables for an interaction. Without
    /// an intercept the first factor of all is coded by all its levels in its place. See chambers1992, chapter 2.
    fn full_coding(&self, is_factor: &[bool]) -> Vec<Vec<bool>> {
        let mut full: Vec<Vec<bool>> = Vec::with_capacity(self.terms.len());
        for (k, term) in self.terms.iter().enumerate() {
            let spanned = |v: &usize| {
                let mut rest = term.iter().filter(|o| *o != v);
                term.len() == 1
                    || self.terms[..k].iter().any(|t| rest.clone().all(|o| t.contains(o)))
                    || rest.next().is_none()
            };
            full.push(term.iter().map(|v| !spanned(v)).collect());
        }
        if !self.intercept {
            let first = self
                .terms
                .iter()
                .enumerate()
                .find_map(|(k, term)| term.iter().position(|v| is_factor[*v]).map(|place| (k, place)));
            if let Some((k, place)) = first {
                full[k][place] = true;
            }
        }
        full
    }

    fn matrix(&self, variables: &[Column], rows: usize) -> Result<(Vec<String>, Vec<f64>), FormulaError> {
        // A truth value is a factor in a term, whatever it is in an expression.
        let is_factor: Vec<bool> = variables.iter().map(|c| matches!(c, Column::Factor { .. })).collect();
        let full = self.full_coding(&is_factor);
        let mut parts: Vec<Vec<Part<'_>>> = Vec::with_capacity(self.terms.len());
        let mut counts: Vec<u128> = Vec::with_capacity(self.terms.len());
        for (term, full) in self.terms.iter().zip(&full) {
            let mut some = Vec::with_capacity(term.len());
            for (v, full) in term.iter().zip(full) {
                some.push(match &variables[*v] {
                    Column::Numbers(values) => Part::Numbers(values),
                    Column::Factor { levels, codes } => {
                        if levels.len() < 2 {
                            let level = levels.first().cloned().unwrap_or_default();
                            return Err(FormulaError::OneLevel { variable: self.variables[*v].label.clone(), level });
                        }
                        Part::Levels { codes, first: u32::from(!full), count: levels.len() }
                    }
                });
            }
            counts.push(some.iter().fold(1_u128, |n, p| n.saturating_mul(p.columns() as u128)));
            parts.push(some);
        }
        let columns = counts.iter().fold(u128::from(self.intercept), |n, c| n.saturating_add(*c));
        let too_many = || {
            let largest = counts.iter().enumerate().max_by_key(|(_, c)| **c).map_or(0, |(k, _)| k);
            FormulaError::TooManyColumns { columns, rows, term: self.term_label(&self.terms[largest]) }
        };
        if columns > MOST_COLUMNS as u128 {
            return Err(too_many());
        }
        let columns = columns as usize;
        let mut x: Vec<f64> = Vec::new();
        let size = columns.checked_mul(rows).ok_or_else(too_many)?;
        x.try_reserve_exact(size).map_err(|_| too_many())?;
        x.resize(size, 1.0);
        let mut names = Vec::with_capacity(columns);
        let mut places = x.chunks_exact_mut(rows);
        if self.intercept {
            names.push("(Intercept)".to_string());
            places.next();
        }
        for (term, parts) in self.terms.iter().zip(&parts) {
            // The first variable's level changes fastest.
            let mut counter = vec![0; parts.len()];
            for _ in 0..parts.iter().map(Part::columns).product() {
                let Some(column) = places.next() else { break };
                let mut name = Vec::with_capacity(parts.len());
                for ((v, part), k) in term.iter().zip(parts).zip(&counter) {
                    part.multiply(*k, column);
                    let label = &self.variables[*v].label;
                    name.push(match (&variables[*v], part) {
                        (Column::Factor { levels, .. }, Part::Levels { first, .. }) => {
                            format!("{label}{}", levels[k + *first as usize])
                        }
                        _ => label.clone(),
                    });
                }
                names.push(name.join(":"));
                for (place, part) in counter.iter_mut().zip(parts) {
                    *place += 1;
                    if *place < part.columns() {
                        break;
                    }
                    *place = 0;
                }
            }
        }
        Ok((names, x))
    }
}

fn finite(label: &str, column: &Column, kept: &[usize]) -> Result<(), FormulaError> {
    if let Column::Numbers(values) = column
        && let Some(i) = values.iter().position(|v| !v.is_finite())
    {
        return Err(FormulaError::Infinite { variable: label.to_string(), row: kept[i] + 1, value: values[i] });
    }
    Ok(())
}

fn kept_numbers(label: &str, column: &Column, kept: &[usize]) -> Result<Vec<f64>, FormulaError> {
    let values: Vec<f64> = match column.as_numbers() {
        Some(all) => kept.iter().map(|r| all[*r]).collect(),
        None => return Err(FormulaError::TextResponse { variable: label.to_string() }),
    };
    let values = Column::Numbers(values);
    finite(label, &values, kept)?;
    match values {
        Column::Numbers(values) => Ok(values),
        Column::Factor { .. } => Ok(Vec::new()),
    }
}

fn count_numbers(variable: &Variable, column: &Column, kept: &[usize]) -> Result<Vec<f64>, FormulaError> {
    let values = kept_numbers(&variable.label, column, kept)?;
    match values.iter().position(|v| *v < 0.0) {
        None => Ok(values),
        Some(i) => {
            Err(FormulaError::NegativeCount { variable: variable.label.clone(), row: kept[i] + 1, value: values[i] })
        }
    }
}
