//! The model matrix: which columns a term makes, and their values.

use super::basis::Basis;
use super::error::MOST_COLUMNS;
use super::parse::variable;
use super::table::{Column, Table};
use super::{Formula, FormulaError, Response, Transform, Variable};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::sparse::SparseMatrix;
use crate::{GlmData, GlmDataBuilder, GlmError};
use gristmill_engine::expr::Span;
use rayon::prelude::*;
use std::borrow::Cow;

/// A matrix of more elements than this is stored by its elements other than zero, if few of them are.
const LARGE: usize = 1 << 22;
/// Few: one in so many.
const FEW: usize = 8;
/// Rows of a task.
const ROWS: usize = 8192;

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
    /// The matrix.
    pub x: DesignMatrix,
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
    /// For each term, in order, its label and how many columns it has.
    pub terms: Vec<(String, usize)>,
    /// What the variables were when the matrix was made: for the same columns of other rows.
    pub frame: Frame,
}

/// The model matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum DesignMatrix {
    /// Column after column.
    Dense(Vec<f64>),
    /// Large, and mostly zeros.
    Sparse(SparseMatrix),
}

/// What a variable is, beyond its values in some rows.
#[derive(Debug, Clone, PartialEq)]
enum State {
    Numbers,
    Levels(Vec<String>),
    Basis(Basis),
}

/// The levels of factors and the constants of polynomials and splines, as the rows of a fit have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    states: Vec<State>,
}

/// The columns of a fitted formula for other rows.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRows {
    /// Column after column; NaN where a variable is missing.
    pub x: DesignMatrix,
    /// The sum of all offsets; NaN where one is missing.
    pub offset: Vec<f64>,
}

impl DesignMatrix {
    /// All elements, column after column.
    pub fn dense(&self) -> Cow<'_, [f64]> {
        match self {
            DesignMatrix::Dense(x) => Cow::Borrowed(x),
            DesignMatrix::Sparse(x) => Cow::Owned(x.to_column_major()),
        }
    }

    /// The first columns.
    #[must_use]
    pub fn first_columns(&self, columns: usize, rows: usize) -> DesignMatrix {
        match self {
            DesignMatrix::Dense(x) => DesignMatrix::Dense(x[..columns * rows].to_vec()),
            DesignMatrix::Sparse(x) => DesignMatrix::Sparse(x.first_columns(columns)),
        }
    }

    /// Data of a model with this matrix of so many rows, on which the other parts can be set.
    ///
    /// # Errors
    /// [`GlmError::MatrixLength`] if it does not have so many.
    pub fn builder(&self, model: Model, rows: usize) -> Result<GlmDataBuilder<'_>, GlmError> {
        let builder = GlmData::builder(model);
        Ok(match self {
            DesignMatrix::Dense(x) => builder.x(Matrix::column_major(x, rows, x.len().checked_div(rows).unwrap_or(0))?),
            DesignMatrix::Sparse(x) => builder.sparse_x(x),
        })
    }
}

impl Design {
    /// The data of a model with this design: matrix, response, weights and offset are set.
    ///
    /// # Errors
    /// [`GlmError::MatrixLength`] if the parts do not fit.
    pub fn builder(&self, model: Model) -> Result<GlmDataBuilder<'_>, GlmError> {
        let data = self.x.builder(model, self.y.len())?;
        Ok(data.y(&self.y).weights(&self.weights).offset(&self.offset))
    }
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
    /// Several columns of numbers.
    Columns(&'a [Vec<f64>]),
}

impl Part<'_> {
    fn columns(&self) -> usize {
        match self {
            Part::Numbers(_) => 1,
            Part::Levels { first, count, .. } => count - *first as usize,
            Part::Columns(columns) => columns.len(),
        }
    }

    /// Multiplies a column by this part's column `k`.
    fn multiply(&self, k: usize, column: &mut [f64]) {
        match self {
            Part::Numbers(values) => column.iter_mut().zip(*values).for_each(|(c, v)| *c *= v),
            Part::Columns(columns) => column.iter_mut().zip(&columns[k]).for_each(|(c, v)| *c *= v),
            Part::Levels { codes, first, .. } => {
                let level = Some(k as u32 + first);
                for (c, code) in column.iter_mut().zip(*codes) {
                    if code.is_none() {
                        *c = f64::NAN;
                    } else if *code != level {
                        *c = 0.0;
                    }
                }
            }
        }
    }

    /// The elements of a row other than zero: for each of `so_far` and of this part's columns, their product and its place.
    fn cross(&self, row: usize, stride: usize, so_far: &[(usize, f64)], to: &mut Vec<(usize, f64)>) {
        to.clear();
        match self {
            Part::Numbers(values) => to.extend(so_far.iter().map(|(place, v)| (*place, v * values[row]))),
            Part::Columns(columns) => {
                for (k, column) in columns.iter().enumerate() {
                    to.extend(so_far.iter().map(|(place, v)| (place + stride * k, v * column[row])));
                }
            }
            Part::Levels { codes, first, .. } => match codes[row] {
                // No level: no column of the term is known.
                None => {
                    for k in 0..self.columns() {
                        to.extend(so_far.iter().map(|(place, _)| (place + stride * k, f64::NAN)));
                    }
                }
                Some(code) if code >= *first => {
                    let k = (code - first) as usize;
                    to.extend(so_far.iter().map(|(place, v)| (place + stride * k, *v)));
                }
                Some(_) => {}
            },
        }
    }
}

/// A variable's values in the rows that are used.
enum Values<'a> {
    Column(Cow<'a, Column>),
    Basis(Vec<Vec<f64>>),
}

impl Formula {
    /// The model matrix and what belongs to it.
    ///
    /// # Errors
    /// When a name is not a column, a value is infinite, a factor has one level, or no row is left.
    pub fn design(&self, table: &Table, roles: &Roles) -> Result<Design, FormulaError> {
        let value = |v: &Variable| table.evaluate(&self.source, v);
        let response: Vec<Cow<'_, Column>> =
            self.response.variables().into_iter().map(value).collect::<Result<_, _>>()?;
        let variables: Vec<Cow<'_, Column>> = self.variables.iter().map(value).collect::<Result<_, _>>()?;
        let offsets = self.offsets(table, roles)?;
        let weights = roles.weights.as_ref().map(|text| role(table, text)).transpose()?;

        // Also of variables whose terms were all taken away: they are in the model frame of R, too.
        let mut missing = vec![false; table.rows()];
        let numbers = offsets.iter().chain(&weights).map(|(_, column)| column);
        response.iter().chain(&variables).chain(numbers).for_each(|column| column.mark_missing(&mut missing));
        let kept: Vec<usize> = missing.iter().enumerate().filter(|(_, m)| !**m).map(|(row, _)| row).collect();
        if kept.is_empty() {
            return Err(FormulaError::NoRows { rows: table.rows() });
        }
        let states = self.states(&variables)?;
        let variables: Vec<Cow<'_, Column>> = variables.into_iter().map(|c| keep(c, &kept)).collect();
        for (variable, column) in self.variables.iter().zip(&variables) {
            finite(&variable.label, column, &kept)?;
        }
        let (states, values) = learnt(states, variables);

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
        let frame = Frame { states };
        let (names, terms, x) = self.matrix(&values, &frame, kept.len())?;
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
            terms,
            frame,
        })
    }

    /// The columns of this formula, as they were fitted, for the rows of another table. A row with a missing value has NaN.
    ///
    /// # Errors
    /// When a name is not a column, a level is not one of the fit, or an expression cannot be computed.
    pub fn new_rows(&self, frame: &Frame, table: &Table, roles: &Roles) -> Result<NewRows, FormulaError> {
        let mut offset = vec![0.0; table.rows()];
        for (_, column) in self.offsets(table, roles)? {
            let numbers = column.as_numbers().unwrap_or_default();
            offset.iter_mut().zip(numbers.iter()).for_each(|(sum, value)| *sum += value);
        }
        let mut values = Vec::with_capacity(self.variables.len());
        for (variable, state) in self.variables.iter().zip(&frame.states) {
            let column = table.evaluate(&self.source, variable)?;
            let label = || variable.label.clone();
            let numbers = || column.as_numbers().ok_or_else(|| FormulaError::TextForNumbers { variable: label() });
            values.push(match state {
                State::Numbers => Values::Column(Cow::Owned(Column::Numbers(numbers()?.into_owned()))),
                State::Basis(basis) => Values::Basis(basis.evaluate(&numbers()?)),
                State::Levels(levels) => {
                    let unknown = |(row, level)| FormulaError::NewLevel { variable: label(), row: row + 1, level };
                    Values::Column(Cow::Owned(column.with_levels(levels).map_err(unknown)?))
                }
            });
        }
        let (_, _, x) = self.matrix(&values, frame, table.rows())?;
        Ok(NewRows { x, offset })
    }

    /// The names that new rows need: those of the terms and the offsets.
    ///
    /// # Errors
    /// When a text is not an expression.
    pub fn names_of_terms(&self, roles: &Roles) -> Result<Vec<String>, FormulaError> {
        self.names_in(self.variables.iter().chain(&self.offsets), roles.offset.iter())
    }

    /// Offsets of the formula and of the roles, with their labels.
    fn offsets<'a>(&self, table: &'a Table, roles: &Roles) -> Result<Vec<(String, Cow<'a, Column>)>, FormulaError> {
        let mut offsets: Vec<(String, Cow<'a, Column>)> = Vec::new();
        for offset in &self.offsets {
            let column = table.evaluate(&self.source, offset)?;
            offsets.push((offset.label.clone(), numbers(offset, column, &self.source)?));
        }
        offsets.extend(roles.offset.as_ref().map(|text| role(table, text)).transpose()?);
        Ok(offsets)
    }

    /// What is learnt from all values of the variables.
    fn states(&self, variables: &[Cow<'_, Column>]) -> Result<Vec<State>, FormulaError> {
        let state = |(variable, column): (&Variable, &Cow<'_, Column>)| match (&variable.transform, column.as_ref()) {
            (Transform::Basis(kind), Column::Numbers(values)) => {
                let wrong = |reason| FormulaError::Basis { variable: variable.label.clone(), reason };
                Ok(State::Basis(kind.learn(values).map_err(wrong)?))
            }
            (Transform::Basis(_), _) => Err(FormulaError::TextForNumbers { variable: variable.label.clone() }),
            (_, Column::Factor { .. }) => Ok(State::Levels(Vec::new())),
            (_, Column::Numbers(_)) => Ok(State::Numbers),
        };
        self.variables.iter().zip(variables).map(state).collect()
    }

    /// The response as numbers; counts of `cbind` go into the weights.
    fn response(
        &self,
        columns: &[Cow<'_, Column>],
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
            (Response::One(variable), [column]) => match (column.as_numbers(), column.as_ref()) {
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

    /// The names of the columns, the labels of the terms with the number of their columns, and the matrix.
    #[expect(clippy::type_complexity, reason = "three parts of one thing that only the callers here take apart")]
    fn matrix(
        &self,
        values: &[Values<'_>],
        frame: &Frame,
        rows: usize,
    ) -> Result<(Vec<String>, Vec<(String, usize)>, DesignMatrix), FormulaError> {
        // A truth value is a factor in a term, whatever it is in an expression.
        let is_factor: Vec<bool> = frame.states.iter().map(|s| matches!(s, State::Levels(_))).collect();
        let full = self.full_coding(&is_factor);
        let mut parts: Vec<Vec<Part<'_>>> = Vec::with_capacity(self.terms.len());
        let mut counts: Vec<u128> = Vec::with_capacity(self.terms.len());
        for (term, full) in self.terms.iter().zip(&full) {
            let mut some = Vec::with_capacity(term.len());
            for (v, full) in term.iter().zip(full) {
                some.push(match (&values[*v], &frame.states[*v]) {
                    (Values::Basis(columns), _) => Part::Columns(columns),
                    (Values::Column(column), State::Levels(levels)) => {
                        if levels.len() < 2 {
                            let level = levels.first().cloned().unwrap_or_default();
                            return Err(FormulaError::OneLevel { variable: self.variables[*v].label.clone(), level });
                        }
                        let codes: &[Option<u32>] = match column.as_ref() {
                            Column::Factor { codes, .. } => codes,
                            Column::Numbers(_) => &[],
                        };
                        Part::Levels { codes, first: u32::from(!full), count: levels.len() }
                    }
                    (Values::Column(column), _) => Part::Numbers(match column.as_ref() {
                        Column::Numbers(values) => values,
                        Column::Factor { .. } => &[],
                    }),
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
        let names = self.column_names(&parts, frame);
        let terms = self.term_labels().into_iter().zip(counts.iter().map(|c| *c as usize)).collect();
        let of_term = |parts: &Vec<Part<'_>>| -> usize {
            let each = |p: &Part<'_>| if let Part::Columns(columns) = p { columns.len() } else { 1 };
            parts.iter().map(each).product()
        };
        let in_a_row = parts.iter().map(of_term).sum::<usize>() + usize::from(self.intercept);
        if columns.saturating_mul(rows) > LARGE && in_a_row * FEW <= columns {
            return Ok((names, terms, DesignMatrix::Sparse(self.sparse(&parts, columns, rows))));
        }
        let mut x: Vec<f64> = Vec::new();
        let size = columns.checked_mul(rows).ok_or_else(too_many)?;
        x.try_reserve_exact(size).map_err(|_| too_many())?;
        x.resize(size, 1.0);
        // For each column its term, and the number of the column within it.
        let mut places: Vec<Option<(usize, usize)>> = vec![None; usize::from(self.intercept)];
        for (t, count) in counts.iter().enumerate() {
            places.extend((0..*count as usize).map(|k| Some((t, k))));
        }
        x.par_chunks_exact_mut(rows.max(1)).zip(places).for_each(|(column, place)| {
            let Some((t, mut k)) = place else { return };
            // The first variable's level changes fastest.
            for part in &parts[t] {
                part.multiply(k % part.columns(), column);
                k /= part.columns();
            }
        });
        Ok((names, terms, DesignMatrix::Dense(x)))
    }

    fn column_names(&self, parts: &[Vec<Part<'_>>], frame: &Frame) -> Vec<String> {
        let mut names = Vec::new();
        if self.intercept {
            names.push("(Intercept)".to_string());
        }
        for (term, parts) in self.terms.iter().zip(parts) {
            for k in 0..parts.iter().map(Part::columns).product() {
                let mut rest: usize = k;
                let mut name = Vec::with_capacity(parts.len());
                for (v, part) in term.iter().zip(parts) {
                    let (label, place) = (&self.variables[*v].label, rest % part.columns());
                    rest /= part.columns();
                    name.push(match (&frame.states[*v], part) {
                        (State::Levels(levels), Part::Levels { first, .. }) => {
                            format!("{label}{}", levels[place + *first as usize])
                        }
                        (State::Basis(basis), _) if basis.columns() > 1 => format!("{label}{}", place + 1),
                        _ => label.clone(),
                    });
                }
                names.push(name.join(":"));
            }
        }
        names
    }

    fn sparse(&self, parts: &[Vec<Part<'_>>], columns: usize, rows: usize) -> SparseMatrix {
        let some = |first: usize| {
            let mut matrix = SparseMatrix::new(columns);
            let (mut row, mut here, mut next) = (Vec::new(), Vec::new(), Vec::new());
            for i in first..rows.min(first + ROWS) {
                row.clear();
                if self.intercept {
                    row.push((0, 1.0));
                }
                let mut start = usize::from(self.intercept);
                for parts in parts {
                    here.clear();
                    here.push((start, 1.0));
                    let mut stride = 1;
                    for part in parts {
                        part.cross(i, stride, &here, &mut next);
                        std::mem::swap(&mut here, &mut next);
                        stride *= part.columns();
                    }
                    row.extend_from_slice(&here);
                    start += stride;
                }
                row.sort_unstable_by_key(|(place, _)| *place);
                matrix.push_row(row.iter().copied());
            }
            matrix
        };
        let parts: Vec<SparseMatrix> = (0..rows.div_ceil(ROWS)).into_par_iter().map(|b| some(b * ROWS)).collect();
        let mut all = SparseMatrix::new(columns);
        parts.iter().for_each(|part| all.append(part));
        all
    }
}

/// Weights or an offset that are given beside the formula.
fn role<'a>(table: &'a Table, text: &str) -> Result<(String, Cow<'a, Column>), FormulaError> {
    let variable = variable(text, Span { start: 0, end: text.len() })?;
    let column = table.evaluate(text, &variable)?;
    let values = numbers(&variable, column, text)?;
    Ok((variable.label, values))
}

/// A variable that has to be numbers.
fn numbers<'a>(variable: &Variable, column: Cow<'a, Column>, source: &str) -> Result<Cow<'a, Column>, FormulaError> {
    if matches!(column.as_ref(), Column::Numbers(_)) {
        return Ok(column);
    }
    match column.as_numbers() {
        Some(values) => Ok(Cow::Owned(Column::Numbers(values.into_owned()))),
        None => Err(gristmill_engine::expr::ExprError::new(
            source,
            variable.span,
            format!("`{}` holds text, but weights and offsets are numbers", variable.label),
        )
        .into()),
    }
}

/// The given rows of a column; of a factor, with the levels that they have.
fn keep<'a>(column: Cow<'a, Column>, kept: &[usize]) -> Cow<'a, Column> {
    match column.as_ref() {
        Column::Numbers(values) if kept.len() == values.len() => column,
        _ => Cow::Owned(column.keep(kept)),
    }
}

/// The columns of bases, and the levels that are left.
fn learnt<'a>(states: Vec<State>, columns: Vec<Cow<'a, Column>>) -> (Vec<State>, Vec<Values<'a>>) {
    let each = |(state, column): (State, Cow<'a, Column>)| match (state, column.as_ref()) {
        (State::Basis(basis), Column::Numbers(values)) => {
            let values = Values::Basis(basis.evaluate(values));
            (State::Basis(basis), values)
        }
        (State::Levels(_), Column::Factor { levels, .. }) => (State::Levels(levels.clone()), Values::Column(column)),
        (state, _) => (state, Values::Column(column)),
    };
    states.into_iter().zip(columns).map(each).unzip()
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
