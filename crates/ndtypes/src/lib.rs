//! Primitive and dimension types, metadata, array views, assignment kernels, lifting and broadcasting.
//!
//! - [`Type`] and its text form, [`Metadata`], the views [`ArrayRef`] and [`ArrayMut`], the owned [`Array`].
//! - [`assign`] converts and broadcasts one array into another under an [`ErrorMode`]; [`assignment`] is the same as a
//!   deferred kernel.
//! - [`apply`] runs a deferred kernel over arrays; [`lift`] makes a deferred kernel over arrays of it; [`call`] runs one
//!   that is for arrays already.
//! - [`par_assign`] and [`par_apply`] do the same on many threads.
//! - With the feature `jit`, large arrays of structs are assigned by loops that are compiled for their layout; `create_jit_assignment` makes such a kernel.
//!
//! docs/ndtypes.md has the conversion matrix, the layout of metadata and the rules of broadcasting.
//!
//! ```
//! use gristmill_ckernel::Deferred;
//! use gristmill_ndtypes::{Array, Type, apply};
//!
//! let add = Deferred::expr(|x: i32, y: i32| x + y);
//! let rows = Array::from_value(&"2 * var * int32".parse()?, vec![vec![1, 2, 3], vec![4]])?;
//! let columns = Array::from_value(&"strided * 1 * int32".parse()?, [[5], [6]])?;
//! let mut sum = Array::zeros(&"strided * var * int32".parse()?, &[2])?;
//! apply(&add, &mut sum.view_mut(), &[&rows.view(), &columns.view()])?;
//! assert_eq!(sum.to_value().to_string(), "[[6, 7, 8], [10]]");
//! # Ok::<(), gristmill_ndtypes::Error>(())
//! ```

mod array;
mod assign;
pub mod convert;
pub mod error;
#[cfg(feature = "jit")]
mod jit;
mod lift;
mod memory;
mod metadata;
mod parallel;
mod small;
pub mod types;
mod value;

pub use array::{Array, ArrayMut, ArrayRef, Element};
pub use assign::{assign, assignment};
pub use convert::{ErrorMode, Fault};
pub use error::{Error, Result, Shape};
#[cfg(feature = "jit")]
pub use jit::create_jit_assignment;
pub use lift::{apply, call, lift};
pub use memory::MemoryBlock;
pub use metadata::{Metadata, metadata_words};
pub use parallel::{Parallel, par_apply, par_assign};
pub use types::{Field, Primitive, Type};
pub use value::Value;
