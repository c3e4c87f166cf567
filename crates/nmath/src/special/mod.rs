//! Special functions, one file per topic. The kernels are re-exported here and at the crate's root.
//!
//! Lowest layer first; a file uses only files listed before it:
//! `polynomial` (a macro), [`double_double`], [`scaling`], [`exponential`], [`logarithm`], [`power`].

#[macro_use]
mod polynomial;

pub mod double_double;
pub mod exponential;
pub mod logarithm;
pub mod power;
pub mod scaling;

pub use exponential::{exp, expm1};
pub use logarithm::{log, log1p, log1pmx};
pub use power::pow;
