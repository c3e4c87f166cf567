//! `#[kernel]`, and what its code needs at run time: lanes, native levels, functions as data.
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
//! // the block loop; `par_map`: on threads; `on(&device)?.map`: there
//! square_plus_one::map((&[1.0, 2.0, 3.0],), &mut y)?;
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
mod exact;
mod function;
#[allow(unsafe_code)]
mod lanes;
#[allow(unsafe_code)]
mod native;
mod shard;

pub use call::{Argument, Arguments, On, Target, TypedCall};
pub use deferred::MOST_PARAMETERS;
pub use function::{Column, ColumnError, ColumnMut, Function, HeldCode, LoadedCode, Native, Stopped};
pub use gristmill_kernel_macros::kernel;
pub use gristmill_scalar::Scalar;
pub use native::Level;
pub use shard::{
    EmittedShard, Item, KernelItem, MarkedText, Param, ShardKey, ShardRef, Signature, TextPart, Type, Value,
    result_type,
};

/// Vector loops of one's own, by the operations that kernels are made of: a body over [`Lanes`](vectors::Lanes), run by
/// [`Level::on_lanes`] with the vectors of the machine.
pub mod vectors {
    pub use crate::lanes::{AnyLanes, Blend, LaneType, Lanes, MAX_LANES};
    pub use crate::native::{Base, Isa, V3, V4};
}

/// What the code that `#[kernel]` emits calls. No part of the interface: it changes with the macro.
#[doc(hidden)]
pub mod __private {
    /// Operations that Rust leaves open or lets panic.
    pub mod exact {
        pub use crate::exact::*;
    }
    /// Loops and values over lanes.
    pub mod lanes {
        pub use crate::lanes::*;
    }
    /// Versions for instruction sets.
    pub mod native {
        pub use crate::native::*;
    }
    /// Checks of what the macro inferred.
    pub mod shard {
        pub use crate::shard::*;
    }
}
