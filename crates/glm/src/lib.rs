//! Generalised linear models: the negative log-posterior and its gradient for thousands of coefficient vectors at once.
//!
//! ```
//! use gristmill_glm::{Family, GlmData, Matrix, Model};
//!
//! let model = Model::new(Family::Binomial, None, None)?; // the logit link, as in R
//! let x = Matrix::row_major(&[1.0, -1.0, 1.0, 0.0, 1.0, 2.0], 3, 2)?;
//! let data = GlmData::builder(model).x(x).y(&[0.0, 1.0, 1.0]).build()?;
//! let grid = [0.0, 0.0, 0.5, 1.0];
//! let result = data.evaluate(Matrix::row_major(&grid, 2, 2)?)?;
//! assert_eq!(result.values()[0], 3.0 * std::f64::consts::LN_2);
//! assert_eq!(result.gradient(0), [-0.5, -1.5]);
//! # Ok::<(), gristmill_glm::GlmError>(())
//! ```
//! docs/glm.md has the formulas of every family and link, and the order of operations that makes the result the same
//! bits on any number of threads, from merged parts and on a device.
#![deny(unsafe_code)] // but for what a device's kernels touch, in device.rs

mod anova;
mod block;
mod data;
mod device;
mod error;
mod evaluate;
mod fit;
pub mod formula;
mod influence;
pub mod kernels;
mod linear_algebra;
mod matrix;
mod model;
mod negative_binomial;
mod partial;
mod profile;
mod sparse;
mod summary;
mod tree;

pub use anova::AnovaRow;
pub use data::{GlmData, GlmDataBuilder};
pub use error::GlmError;
pub use evaluate::{Evaluation, PointStatus};
pub use fit::{Fit, FitOutcome, FitProgress};
pub use influence::RowInfluence;
pub use matrix::Matrix;
pub use model::{Domain, Family, Link, Model, RowTerms, Variance};
pub use negative_binomial::NegativeBinomialFit;
pub use partial::Partial;
pub use sparse::SparseMatrix;
pub use summary::{CoefficientSummary, Curvature, Summary};
