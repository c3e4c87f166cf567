//! What can be wrong with a formula, or with the table it is used on.

use gristmill_engine::EngineError;
use gristmill_engine::expr::ExprError;
use std::error::Error;
use std::fmt;

/// Why there is no model matrix.
#[derive(Debug)]
#[non_exhaustive]
pub enum FormulaError {
    /// The text of the formula, or of another expression, has no meaning. Its author has to act.
    Text(ExprError),
    /// An expression could not be computed.
    Engine(EngineError),
    /// An infinite value. The table's author has to act.
    Infinite {
        /// The variable, as R writes it.
        variable: String,
        /// The row of the table, from 1.
        row: usize,
        /// The value.
        value: f64,
    },
    /// A count of `cbind(successes, failures)` is negative.
    NegativeCount {
        /// Which of the two, as written.
        variable: String,
        /// The row of the table, from 1.
        row: usize,
        /// The value.
        value: f64,
    },
    /// A factor with one level in the rows that are used has no contrasts.
    OneLevel {
        /// The factor.
        variable: String,
        /// Its only level.
        level: String,
    },
    /// Every row has a missing value, or there are none.
    NoRows {
        /// How many rows the table has.
        rows: usize,
    },
    /// The formula makes more columns than memory or sense allows.
    TooManyColumns {
        /// How many.
        columns: u128,
        /// How many rows each would have.
        rows: usize,
        /// The term that has the most.
        term: String,
    },
    /// The response is text with this family, which takes numbers only.
    TextResponse {
        /// The response.
        variable: String,
    },
    /// A row has a level that the fit does not know.
    NewLevel {
        /// The factor.
        variable: String,
        /// The row of the table, from 1.
        row: usize,
        /// The level.
        level: String,
    },
    /// A variable that was numbers, or has to be, holds text.
    TextForNumbers {
        /// The variable.
        variable: String,
    },
    /// The values do not bear this polynomial or spline.
    Basis {
        /// The variable.
        variable: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `relevel` names a level that there is not.
    Reference {
        /// The variable.
        variable: String,
        /// The level that is to be the first.
        level: String,
        /// Those that there are.
        levels: Vec<String>,
    },
    /// The response is a pair of counts, which only binomial families have.
    PairResponse,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormulaError::Text(error) => write!(f, "{error}"),
            FormulaError::Engine(_) => write!(f, "a variable of the formula cannot be computed"),
            FormulaError::Infinite { variable, row, value } => {
                write!(f, "`{variable}` is {value} in row {row}, but must be finite (missing values are dropped)")
            }
            FormulaError::NegativeCount { variable, row, value } => {
                write!(f, "`{variable}` is {value} in row {row}, but a count of `cbind` must be >= 0")
            }
            FormulaError::OneLevel { variable, level } => write!(
                f,
                "`{variable}` is `{level}` in every row that is used, but a factor needs two levels or more; \
                 leave it out"
            ),
            FormulaError::NoRows { rows: 0 } => write!(f, "the table has no rows"),
            FormulaError::NoRows { rows } => {
                write!(f, "each of the {rows} rows has a missing value in a variable of the model")
            }
            FormulaError::TooManyColumns { columns, rows, term } => write!(
                f,
                "the formula makes {columns} columns of {rows} rows, most of them for `{term}`; the most is {MOST_COLUMNS} \
                 columns that fit into memory"
            ),
            FormulaError::TextResponse { variable } => write!(
                f,
                "the response `{variable}` is text, which only binomial families take (the first level is failure, all \
                 others are success)"
            ),
            FormulaError::NewLevel { variable, row, level } => {
                write!(f, "`{variable}` is `{level}` in row {row}, which is not a level that the fit has seen")
            }
            FormulaError::TextForNumbers { variable } => write!(f, "`{variable}` holds text, but must be numbers"),
            FormulaError::Basis { variable, reason } => write!(f, "`{variable}` {reason}"),
            FormulaError::Reference { variable, level, levels } => {
                let shown: Vec<String> = levels.iter().take(12).map(|l| format!("`{l}`")).collect();
                let more = if levels.len() > 12 { ", …" } else { "" };
                write!(f, "`{variable}`: no level is called `{level}`; there are: {}{more}", shown.join(", "))
            }
            FormulaError::PairResponse => {
                write!(f, "the response is `cbind(successes, failures)`, which only binomial families take")
            }
        }
    }
}

/// More columns than this are refused: p * p numbers of a covariance matrix would not be of use to anybody.
pub(super) const MOST_COLUMNS: usize = 10_000;

impl Error for FormulaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FormulaError::Engine(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<ExprError> for FormulaError {
    fn from(error: ExprError) -> FormulaError {
        FormulaError::Text(error)
    }
}

impl From<EngineError> for FormulaError {
    fn from(error: EngineError) -> FormulaError {
        FormulaError::Engine(error)
    }
}
