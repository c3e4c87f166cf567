//! What `#[kernel]` emits into a crate: shards, signatures, exact operations, native lowerings.
//!
//! ```
//! use gristmill_kernel::kernel;
//!
//! /// `x * x + 1`
//! #[kernel(inline)]
//! pub fn square_plus_one(x: f64) -> f64 {
//!     x.mul_add(x, 1.0)
//! }
//!
//! assert_eq!(square_plus_one(2.0), 5.0); // a plain call
//! let mut y = [0.0; 3];
//! square_plus_one::map((&[1.0, 2.0, 3.0],), &mut y)?; // the block loop
//! assert_eq!(y, [2.0, 5.0, 10.0]);
//! let f = square_plus_one::FUNCTION; // the same as data
//! let mut program = gristmill_kernel_cl::Assembly::new(); // the same as OpenCL C
//! assert_eq!(program.add(f.shard()), "square_plus_one");
//! assert!(program.text().contains("fma(x_, x_, 0x1p+0)"));
//! # Ok::<(), gristmill_kernel::ColumnError>(())
//! ```
//! docs/kernel-language.md is the reference of the language.
#![deny(unsafe_code)]

mod call;
#[allow(unsafe_code)]
mod deferred;
pub mod exact;
mod function;
#[allow(unsafe_code)]
pub mod lanes;
#[allow(unsafe_code)]
pub mod native;
pub mod shard;

pub use call::Argument;
pub use function::{Column, ColumnError, ColumnMut, Function, HeldCode, LoadedCode, Native, Stopped};
pub use gristmill_kernel_macros::kernel;
pub use gristmill_scalar::Scalar;
pub use native::Level;
pub use shard::{EmittedShard, Item, KernelItem, Param, ShardKey, Signature, TextPart, Type, Value};
