//! What can be wrong with a model, its data or a grid.

use crate::model::{Family, Link, Model, Variance};
use gristmill_cl_runtime::RuntimeError;
use std::error::Error;
use std::fmt;

/// Why a model cannot be evaluated. Row, column and point numbers start at 0, in the message at 1.
#[derive(Debug)]
#[non_exhaustive]
pub enum GlmError {
    /// No family has this name. The caller's fault.
    UnknownFamily {
        /// The name.
        name: String,
    },
    /// No link has this name. The caller's fault.
    UnknownLink {
        /// The name.
        name: String,
    },
    /// The family does not have this link. The caller's fault.
    LinkOfFamily {
        /// The family.
        family: Family,
        /// The link.
        link: Link,
    },
    /// No variance function has this name. The caller's fault.
    UnknownVariance {
        /// The name.
        name: String,
    },
    /// The size of a negative binomial model is missing or not a positive number, or another family was given one.
    Size {
        /// The family.
        family: Family,
        /// What was given.
        size: Option<f64>,
    },
    /// A matrix's data does not have one element for each row and column. The caller's fault.
    MatrixLength {
        /// Elements of the data.
        length: usize,
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// An argument has another length than the model matrix says. The caller's fault.
    Length {
        /// Which argument.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length it should have.
        expected: usize,
    },
    /// An element is not a finite number. The data's fault.
    NotFinite {
        /// Which argument.
        what: &'static str,
        /// Its row.
        row: usize,
        /// Its column, in a matrix.
        column: Option<usize>,
        /// What it is.
        value: f64,
    },
    /// A weight is negative, or, for a binomial response, not a whole number. The data's fault.
    Weight {
        /// The family.
        family: Family,
        /// The row.
        row: usize,
        /// The weight.
        value: f64,
    },
    /// A response is outside of the family's domain. The data's fault.
    Response {
        /// The model.
        model: Model,
        /// The row.
        row: usize,
        /// The response.
        value: f64,
        /// Its weight.
        weight: f64,
    },
    /// The prior's precision is not symmetric. The caller's fault.
    NotSymmetric {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The element.
        value: f64,
        /// The element on the other side.
        mirrored: f64,
    },
    /// The prior's precision has a negative eigenvalue. The caller's fault.
    NotSemidefinite {
        /// How many leading pivots are not negative.
        pivots: usize,
        /// The pivot that is.
        value: f64,
    },
    /// No coefficients were found at which the posterior is finite: the link does not take the predictors of all rows. The
    /// data's fault, or the offset's.
    NoStart,
    /// Somebody wanted it to end: [`crate::GlmData::stopped_by`]. Nobody's fault.
    Stopped,
    /// The data does not have these rows. The caller's fault.
    Rows {
        /// Where they start.
        start: usize,
        /// Where they end.
        end: usize,
        /// Where those of the data start.
        first: usize,
        /// Where those of the data end.
        last: usize,
    },
    /// A part starts or ends within a block of rows. The caller's fault.
    RowNumber {
        /// The row.
        row: usize,
        /// Rows of a block.
        block: usize,
    },
    /// Two parts do not follow each other. The caller's fault.
    PartRows {
        /// Where the rows before it end.
        end: usize,
        /// Where the part starts.
        start: usize,
    },
    /// A part belongs to another model or grid. The caller's fault.
    PartOfAnother,
    /// There are no parts to merge. The caller's fault.
    NoParts,
    /// The bytes are not those of a part. The fault of whoever sent them.
    PartBytes {
        /// What is wrong with them.
        what: &'static str,
    },
    /// The device cannot be used, or failed.
    Device(RuntimeError),
}

impl fmt::Display for GlmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlmError::UnknownFamily { name } => {
                write!(f, "no family is called `{name}`; there are: ")?;
                list(f, Family::ALL)
            }
            GlmError::UnknownLink { name } => {
                write!(f, "no link is called `{name}`; there are: ")?;
                list(f, Link::ALL)
            }
            GlmError::LinkOfFamily { family, link } => {
                write!(f, "the family `{family}` has no link `{link}`; it has: ")?;
                list(f, family.links())
            }
            GlmError::UnknownVariance { name } => {
                write!(f, "no variance is called `{name}`; there are: ")?;
                list(f, Variance::ALL)
            }
            GlmError::Size { family: Family::NegativeBinomial, size: None } => {
                write!(f, "the family `negative.binomial` needs its size, a positive number")
            }
            GlmError::Size { family: Family::NegativeBinomial, size: Some(size) } => {
                write!(f, "the size of the negative binomial family is {size}, but must be positive and finite")
            }
            GlmError::Size { family, .. } => {
                write!(f, "the family `{family}` was given a size, but only `negative.binomial` has one")
            }
            GlmError::MatrixLength { length, rows, columns } => {
                write!(f, "a matrix of {rows} rows and {columns} columns was given {length} elements")
            }
            GlmError::Length { what, given, expected } => {
                write!(f, "`{what}` has length {given}, but must have {expected}")
            }
            GlmError::NotFinite { what, row, column: Some(column), value } => {
                write!(f, "`{what}` is {value} in row {}, column {}, but must be finite", row + 1, column + 1)
            }
            GlmError::NotFinite { what, row, column: None, value } => {
                write!(f, "`{what}` is {value} in row {}, but must be finite", row + 1)
            }
            GlmError::Weight { family: Family::Binomial, row, value } => write!(
                f,
                "the weight is {value} in row {}, but of the family `binomial` it is the number of trials: a whole \
                 number, not negative",
                row + 1
            ),
            GlmError::Weight { row, value, .. } => {
                write!(f, "the weight is {value} in row {}, but must not be negative", row + 1)
            }
            GlmError::Response { model, row, value, weight } => {
                let family = model.family();
                write!(f, "the response is {value} in row {}, but of the family `{family}` it must be ", row + 1)?;
                match (family, model.variance_function()) {
                    (Family::Binomial, _) if *weight == 1.0 => write!(f, "0 or 1, as the row has weight 1"),
                    (Family::Binomial, _) => write!(f, "a proportion of {weight} trials, the row's weight"),
                    (Family::QuasiBinomial, _) | (_, Some(Variance::Binomial)) => write!(f, "between 0 and 1"),
                    (Family::Poisson | Family::NegativeBinomial, _) => write!(f, "a whole number, not negative"),
                    (Family::QuasiPoisson, _) | (_, Some(Variance::Mean)) => write!(f, "zero or positive"),
                    (Family::Gamma | Family::InverseGaussian, _) | (_, Some(Variance::Square | Variance::Cube)) => {
                        write!(f, "positive")
                    }
                    (Family::Gaussian | Family::Quasi, _) => write!(f, "finite"),
                }
            }
            GlmError::NotSymmetric { row, column, value, mirrored } => write!(
                f,
                "the prior precision is not symmetric: it is {value} in row {}, column {}, but {mirrored} in row {}, \
                 column {}",
                row + 1,
                column + 1,
                column + 1,
                row + 1
            ),
            GlmError::Stopped => write!(f, "the evaluation was stopped before its end"),
            GlmError::NoStart => write!(
                f,
                "no coefficients were found at which every row has a finite likelihood; the link takes positive predictors \
                 only (of a binomial with the log link, negative ones): add an intercept, or take another link"
            ),
            GlmError::NotSemidefinite { pivots, value } => write!(
                f,
                "the prior precision is not positive semi-definite: after {pivots} pivots the next one is {value}"
            ),
            GlmError::Rows { start, end, first, last } => {
                write!(f, "there are no rows {start}..{end}: the data has the rows {first}..{last}")
            }
            GlmError::RowNumber { row, block } => write!(
                f,
                "a part of the rows starts or ends at {row}, but must do so at a multiple of {block} or at the last row"
            ),
            GlmError::PartRows { end, start } => {
                write!(f, "a part starts at row {start}, but the rows before it end at {end}")
            }
            GlmError::PartOfAnother => write!(f, "a part was evaluated for another model or at another grid"),
            GlmError::NoParts => write!(f, "there are no parts to merge"),
            GlmError::PartBytes { what } => write!(f, "the bytes are not those of a part: {what}"),
            GlmError::Device(_) => write!(f, "the device cannot evaluate the model"),
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "`{item}`")?;
    }
    Ok(())
}

impl Error for GlmError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            GlmError::Device(cause) => Some(cause),
            _ => None,
        }
    }
}
