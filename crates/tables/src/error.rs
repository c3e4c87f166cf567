//! What can go wrong.

use gristmill_engine::EngineError;
use gristmill_engine::expr::ExprError;
use gristmill_table_io::arrow::error::ArrowError;
use gristmill_table_io::{Format, TableError, UnknownFormat};
use std::error::Error;
use std::fmt;

/// Why a table was not evaluated. No output is made then.
#[derive(Debug)]
#[non_exhaustive]
pub enum EvaluationError {
    /// An expression is wrong.
    Expression(ExprError),
    /// The table cannot be read or written.
    Table(TableError),
    /// The output's name does not tell its format.
    OutputFormat(UnknownFormat),
    /// The expressions cannot be run.
    Engine(EngineError),
    /// Columns do not make a table. Ours to fix.
    Columns(ArrowError),
    /// Reductions over something that can be read only once.
    ReductionOverStream,
    /// Columns are named that are not there.
    NoSuchColumn {
        /// Where.
        option: &'static str,
        /// The name.
        name: String,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// A column is compared with text and holds something else. Compare it with a number.
    NoText {
        /// Its name.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A column of this type makes no groups.
    NoGroups {
        /// The type.
        found: String,
    },
    /// A result has the name of a column that makes the groups, and there is one row for each group: it would take the place of
    /// what tells the groups apart. Whoever names the result has to choose another name.
    ResultIsGroup {
        /// The name.
        name: String,
    },
    /// There are 2^32 groups or more.
    TooManyGroups,
    /// How fields are told apart was said for an input that has none.
    FieldsOfTypedInput,
    /// What is missing was said for an input that says so itself.
    MissingOfTypedInput,
    /// How missing values are written was said for an output that has a sign of its own.
    MissingInTypedOutput {
        /// The output's format.
        format: Format,
    },
    /// Whoever asked for it has no more use for it.
    Stopped,
    /// A piece of the input before this one failed; that error is the one that is reported.
    EarlierPiece,
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationError::Expression(cause) => cause.fmt(f),
            EvaluationError::Table(cause) => cause.fmt(f),
            EvaluationError::OutputFormat(cause) => cause.fmt(f),
            EvaluationError::Engine(cause) => cause.fmt(f),
            EvaluationError::Columns(_) => f.write_str("the results do not make a table"),
            EvaluationError::ReductionOverStream => f.write_str(
                "sum, mean and other functions of all rows need a second pass over the table, which standard input or a pipe \
                 does not allow; give a file, or write nothing but such functions (`--only`), which takes one pass",
            ),
            EvaluationError::NoSuchColumn { option, name, near } => {
                let near = near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                write!(f, "`{option}` names `{name}`, but there is no such column{near}")
            }
            EvaluationError::NoText { column, found } => {
                write!(f, "column `{column}` holds {found} and is compared with text; compare it with a number")
            }
            EvaluationError::NoGroups { found } => {
                write!(f, "a column of {found} makes no groups: text, numbers, truth values and dates do")
            }
            EvaluationError::ResultIsGroup { name } => {
                write!(f, "`{name}` is a result and also the column that makes the groups; give the result another name")
            }
            EvaluationError::TooManyGroups => f.write_str("there are more than 4294967295 groups"),
            EvaluationError::FieldsOfTypedInput => {
                f.write_str("`--delimiter` and `--no-header` are for text tables; leave them out")
            }
            EvaluationError::MissingOfTypedInput => {
                f.write_str("`--na` is for text tables: other inputs say themselves what is missing; leave it out")
            }
            EvaluationError::MissingInTypedOutput { format } => {
                write!(f, "`--na-out` is for text, but the output is {format}, which has a sign of its own")
            }
            EvaluationError::Stopped => f.write_str("the evaluation was stopped before its end"),
            EvaluationError::EarlierPiece => f.write_str("an earlier row could not be read"),
        }
    }
}

impl Error for EvaluationError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Their text is the text of these.
            EvaluationError::Expression(cause) => cause.source(),
            EvaluationError::Table(cause) => cause.source(),
            EvaluationError::OutputFormat(cause) => cause.source(),
            EvaluationError::Engine(cause) => cause.source(),
            EvaluationError::Columns(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<ExprError> for EvaluationError {
    fn from(cause: ExprError) -> EvaluationError {
        EvaluationError::Expression(cause)
    }
}

impl From<TableError> for EvaluationError {
    fn from(cause: TableError) -> EvaluationError {
        EvaluationError::Table(cause)
    }
}

impl From<UnknownFormat> for EvaluationError {
    fn from(cause: UnknownFormat) -> EvaluationError {
        EvaluationError::OutputFormat(cause)
    }
}

impl From<EngineError> for EvaluationError {
    fn from(cause: EngineError) -> EvaluationError {
        EvaluationError::Engine(cause)
    }
}

impl From<ArrowError> for EvaluationError {
    fn from(cause: ArrowError) -> EvaluationError {
        EvaluationError::Columns(cause)
    }
}
