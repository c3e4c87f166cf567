//! Runs kernels and expressions over arrays: blocks, threads, devices.
//!
//! [`expr::parse`] reads R's syntax, [`plan::bind`] resolves the names, [`Engine`] runs the plan.
//! ```
//! use gristmill_engine::plan::{Bindings, bind};
//! use gristmill_engine::{Engine, InputColumn, ResultValues, Rows, expr::parse};
//!
//! let bindings = Bindings { columns: vec!["x".into(), "mu".into()], ..Bindings::default() };
//! let plan = bind(&[parse("d = x - mu")?, parse("p = pnorm(d)")?], &bindings)?;
//! let x = InputColumn { values: &[3.0, 5.0], missing: None };
//! let mu = InputColumn { values: &[3.0, f64::INFINITY], missing: None };
//! let rows = Rows { count: 2, first: 0, columns: &[x, mu] };
//! let results = Engine::new().evaluate(&plan, &rows, &[])?;
//! assert_eq!(results[1].values, ResultValues::F64(vec![0.5, 0.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
