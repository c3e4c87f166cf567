//! Model formulas as in R: `admit ~ gre + gpa + rank`, and the model matrix they make of a table.
//!
//! [`Formula::parse`] reads the text; [`Formula::design`] makes the matrix, the response, the weights and the offset of a
//! [`Table`], with R's coding of factors, R's names and R's treatment of missing values. docs/glm.md has the rules.

mod basis;
mod deparse;
mod design;
mod error;
mod parse;
mod special;
mod table;

pub use design::{Design, DesignMatrix, Frame, NewRows, Roles};
pub use error::FormulaError;
pub use table::{Column, Table};

use basis::BasisKind;
use gristmill_engine::expr::{Span, parse_expression};

/// A formula that has been read; its names are not yet looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The whole text.
    source: String,
    response: Response,
    /// Each once, in the order in which they appear.
    variables: Vec<Variable>,
    /// Numbers of variables in rising order; shorter terms first, then in the order of appearance.
    terms: Vec<Vec<usize>>,
    intercept: bool,
    offsets: Vec<Variable>,
}

/// The left side.
#[derive(Debug, Clone, PartialEq)]
enum Response {
    One(Variable),
    /// `cbind(successes, failures)`.
    Pair(Variable, Variable),
}

/// A column, or an expression over columns.
#[derive(Debug, Clone, PartialEq)]
struct Variable {
    /// As R prints it.
    label: String,
    /// The text to evaluate: without `I()`, `factor()`, `poly()` and so on.
    text: String,
    /// Where that text stands in the formula.
    span: Span,
    transform: Transform,
}

/// What is made of a variable's values.
#[derive(Debug, Clone, PartialEq)]
enum Transform {
    None,
    /// `factor(x)`: its values are levels, also where they are numbers.
    Factor,
    /// `relevel(x, ref = "b")`: a factor with another first level.
    Relevel(String),
    /// `poly(x, 2)` and so on: several columns.
    Basis(BasisKind),
}

impl Formula {
    /// Reads a formula; `columns` are the names that `.` stands for (less those of the response).
    ///
    /// # Errors
    /// Where the text has no meaning, and why.
    pub fn parse(source: &str, columns: &[String]) -> Result<Formula, FormulaError> {
        Ok(parse::parse(source, columns)?)
    }

    /// Whether there is an intercept.
    pub fn intercept(&self) -> bool {
        self.intercept
    }

    /// The labels of the terms without the intercept, as R's `attr(terms(f), "term.labels")`.
    pub fn term_labels(&self) -> Vec<String> {
        self.terms.iter().map(|t| self.term_label(t)).collect()
    }

    /// The names that the formula and these expressions use, each once: the columns to read.
    ///
    /// # Errors
    /// When a text is not an expression.
    pub fn names_used(&self, roles: &Roles) -> Result<Vec<String>, FormulaError> {
        let variables = self.response.variables().into_iter().chain(&self.variables).chain(&self.offsets);
        self.names_in(variables, roles.texts().into_iter())
    }

    fn names_in<'a>(
        &self,
        variables: impl Iterator<Item = &'a Variable>,
        roles: impl Iterator<Item = &'a String>,
    ) -> Result<Vec<String>, FormulaError> {
        let mut names = Vec::new();
        let texts = variables.map(|v| (v.text.as_str(), &self.source, v.span));
        let roles = roles.map(|t| (t.as_str(), t, Span { start: 0, end: t.len() }));
        for (text, source, span) in texts.chain(roles) {
            let expr = parse_expression(text).map_err(|e| parse::inside(source, span, e))?;
            parse::names_in(&expr, &mut names);
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn term_label(&self, term: &[usize]) -> String {
        let labels: Vec<&str> = term.iter().map(|v| self.variables[*v].label.as_str()).collect();
        labels.join(":")
    }
}
