//! Runs kernels and expressions over arrays: blocks, threads, devices.
//!
//! [`expr::parse`] reads R's syntax, [`plan::bind`] resolves the names, [`Engine`] runs the plan.

mod device;
mod device_function;
mod engine;
mod error;
mod exec;
pub mod expr;
pub mod npy;
pub mod ops;
pub mod plan;
mod reduce;
pub mod verify;

pub use device_function::{DeviceFunction, MapError, elementwise_signature, entry_signature};
pub use engine::Engine;
pub use error::EngineError;
pub use exec::{InputColumn, ReductionPass, ResultColumn, ResultValues, Rows};
pub use reduce::Reduced;
