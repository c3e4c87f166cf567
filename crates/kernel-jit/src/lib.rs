//! Kernels as text at run time: the same language, the same bits, no compiler to install.
//!
//! ```
//! use gristmill_kernel::{Column, ColumnMut};
//! use gristmill_kernel_jit::KernelSource;
//!
//! let source = KernelSource::parse("fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-b * t)) }")?;
//! let growth = source.function("growth").expect("it is there");
//! let mut y = [0.0; 3];
//! growth.map(&[Column::F64(&[0.0, 1.0, 2.0]), Column::F64(&[3.0]), Column::F64(&[1.0])], &mut [ColumnMut::F64(&mut y)])?;
//! assert_eq!(y[0], 1.5);
//! assert!(source.opencl("growth").expect("it is there").contains("growth(double t_, double a_, double b_)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A [`gristmill_kernel::Function`] of such a text is like any other: engines, ckernels and devices take it. Its native code is made
//! by Cranelift (feature `jit`) when it is first called for; where there can be none, the interpreter serves ([`KernelSource::explain`]
//! says so). docs/kernels-at-run-time.md tells the whole story.
#![deny(unsafe_code)]

#[cfg(feature = "jit")]
#[allow(unsafe_code)]
mod codegen;
#[cfg(feature = "jit")]
#[allow(unsafe_code)]
mod compiled;
mod entry;
mod error;
mod externs;
mod interpreted;
mod iterate;
pub mod limits;
mod nesting;
mod shards;
mod source;
mod workshop;

#[cfg(feature = "jit")]
pub use compiled::BlockLoop;
pub use entry::{EntryError, EntryPoint, Slot, SlotType};
pub use error::SourceError;
pub use source::{KernelSource, Lowering};
