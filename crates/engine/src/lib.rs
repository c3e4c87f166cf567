//! Runs kernels and expressions over arrays: blocks, threads, devices.
//!
//! [`expr::parse`] reads R's syntax, [`plan::bind`] resolves the names, [`Engine`] runs the plan.

mod arithmetic;
mod arrays;
#[cfg(feature = "jit")]
mod chains;
mod compensated;
mod crossover;
mod device;
mod engine;
mod error;
mod exec;
pub mod expr;
mod fusion;
mod grouped;
pub mod hyperbolic;
mod memory;
pub mod ops;
mod pass;
pub mod plan;
mod reduce;
mod scan;
mod select;
mod steps;
mod strided;
mod thread_pool;
mod tiered_steps;
pub mod verify;

pub use arrays::{ArrayResult, Compiled};
pub use crossover::{Crossover, Example};
pub use engine::{Engine, Prepared};
pub use error::EngineError;
pub use exec::{InputColumn, ResultColumn, ResultValues, Rows, new_nans};
pub use memory::keep_freed_memory;
pub use pass::{Known, ReductionPass, RowGroups};
pub use reduce::Reduced;
pub use scan::Scan;
pub use steps::Source;
pub use thread_pool::SharedThreads;
pub use tiered_steps::Compiling;
