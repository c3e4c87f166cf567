//! Special functions, one file per topic. The kernels are re-exported here and at the crate's root.
//!
//! Lowest layer first; a file uses only files listed before it:
//! `polynomial` (a macro), [`double_double`], [`scaling`], [`exponential`], [`logarithm`], [`power`],
//! [`constants`], [`extra_precision`], [`trigonometry`], [`stirling`], [`deviance`], [`gamma_function`].

#[macro_use]
mod polynomial;

pub mod constants;
pub mod deviance;
pub mod double_double;
pub mod exponential;
pub mod extra_precision;
pub mod gamma_function;
pub mod logarithm;
pub mod power;
pub mod scaling;
pub mod stirling;
pub mod trigonometry;

pub use deviance::bd0;
pub use exponential::{exp, expm1};
pub use gamma_function::{gammafn, lgamma1p, lgammafn, lgammafn_sign, stirlerr};
pub use logarithm::{log, log1p, log1pmx};
pub use power::pow;
