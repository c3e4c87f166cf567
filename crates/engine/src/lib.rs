//! Runs kernels and expressions over arrays: blocks, threads, devices.
//!
//! [`expr::parse`] reads R's syntax, [`plan::bind`] resolves the names, [`Engine`] runs the plan.

mod arithmetic;
mod arrays;
mod crossover;
mod device;
mod engine;
mod error;
mod exec;
pub mod expr;
pub mod ops;
pub mod plan;
mod prepared;
mod reduce;
pub mod verify;

pub use arrays::{ArrayResult, Compiled};
pub use crossover::{Crossover, Example};
pub use engine::{Engine, Prepared};
pub use error::EngineError;
pub use exec::{InputColumn, ReductionPass, ResultColumn, ResultValues, Rows};
pub use prepared::Source;
pub use reduce::Reduced;
