//! The ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.
//!
//! A kernel is a block of memory that starts with a function pointer and a destructor; a deferred kernel is a typed
//! factory that fills such a block when it is told which form is wanted. Both cross the C ABI, so C code, a JIT and Rust
//! closures trade kernels as equals. The contract, with all layouts and rules, is docs/ckernel-abi.md.
//!
//! | layer | for | modules |
//! |---|---|---|
//! | safe | kernels from closures, chains, calls on slices | [`Deferred`], [`Kernel`], [`Operand`] |
//! | typed | kernels as trees of Rust values in one block | [`typed`], [`adapt`] |
//! | raw | what C sees | [`abi`], [`builder`], [`error`], [`scratch`], [`capi`] |
//!
//! # Kernels from closures
//! A closure over scalars becomes both forms of a kernel. Errors name their element; a panic becomes an error.
//! ```
//! use gristmill_ckernel::{Deferred, ErrorKind, KernelError, KernelRequest, Operand, OperandMut};
//!
//! let half = Deferred::unary(|x: i32| match x % 2 {
//!     0 => Ok(x / 2),
//!     _ => Err(KernelError::new(ErrorKind::Fractional, format!("{x} is odd"))),
//! });
//! let kernel = half.instantiate(KernelRequest::Strided)?;
//! let mut dst = [0; 3];
//! kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&[2, 4, -6])])?;
//! assert_eq!(dst, [1, 2, -3]);
//!
//! let error = kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&[2, 4, 7])]).unwrap_err();
//! assert_eq!(error.to_string(), "element 2: 7 is odd");
//! # Ok::<(), KernelError>(())
//! ```
//!
//! # To C and back
//! [`Deferred::into_raw`] gives C the structure of the ABI, [`Deferred::from_raw`] takes one.
//! ```
//! use gristmill_ckernel::{Deferred, KernelRequest, Operand, OperandMut, type_id};
//!
//! let raw = Deferred::expr(|x: f64, n: i32| x.powi(n)).into_raw();
//! assert_eq!((raw.ckernel_funcproto, raw.data_types_size), (1, 3));
//! // SAFETY: `into_raw` made it, and nobody freed it.
//! let back = unsafe { Deferred::from_raw(raw)? };
//! assert_eq!(back.types()[2].addr(), type_id::INT32);
//! let mut dst = [0.0];
//! back.instantiate(KernelRequest::Single)?
//!     .run(OperandMut::slice(&mut dst), &[Operand::repeat(&1.5), Operand::repeat(&2)])?;
//! assert_eq!(dst, [2.25]);
//! # Ok::<(), gristmill_ckernel::KernelError>(())
//! ```
//!
//! # The typed builder
//! A parent with one child, as the pointer kernels of the ABI's documents: the source is a pointer to the element.
//! ```
//! use gristmill_ckernel::typed::{Leaf, Parent};
//! use gristmill_ckernel::{CKernelPrefix, FuncProto, PrototypedFunction, Kernel, KernelRequest};
//!
//! unsafe extern "C" fn through_pointer(dst: *mut u8, src: *const u8, self_: *mut CKernelPrefix) {
//!     // SAFETY: the call contract: the source is a pointer, the child takes what it points to.
//!     unsafe {
//!         let child = Parent::<()>::child(self_);
//!         (*child).unary_single()(dst, *src.cast::<*const u8>(), child);
//!     }
//! }
//! unsafe extern "C" fn scaled(dst: *mut u8, src: *const u8, self_: *mut CKernelPrefix) {
//!     // SAFETY: the call contract, for f64; the block is a leaf with the factor.
//!     unsafe { *dst.cast::<f64>() = *src.cast::<f64>() * *Leaf::<Box<f64>>::of(self_).data }
//! }
//!
//! let kernel = Kernel::build(FuncProto::Unary, KernelRequest::Single, |builder, slot| {
//!     // SAFETY: the functions fit their nodes, and change nothing.
//!     unsafe {
//!         let parent = builder.push::<Parent<()>>(slot, PrototypedFunction::UnarySingle(through_pointer), ())?;
//!         let slot = builder.child(parent, 0)?;
//!         // The box is freed with the kernel, or at once if there is no room.
//!         builder.push::<Leaf<Box<f64>>>(slot, PrototypedFunction::UnarySingle(scaled), Box::new(10.0))?;
//!     }
//!     Ok(())
//! })?;
//! let (x, mut y) = (4.5_f64, 0.0_f64);
//! let pointer = &raw const x;
//! // SAFETY: the source is a pointer to an f64, the destination an f64.
//! unsafe { kernel.unary_single((&raw mut y).cast(), (&raw const pointer).cast())? };
//! assert_eq!(y, 45.0);
//! # Ok::<(), gristmill_ckernel::KernelError>(())
//! ```

pub mod abi;
pub mod adapt;
pub mod builder;
pub mod capi;
mod deferred;
pub mod error;
mod function;
mod kernel;
pub mod scratch;
pub mod typed;

pub use abi::{
    ABI_VERSION, BUILTIN_TYPE_LIMIT, BinaryPredicate, CKernelDestructor, CKernelPrefix, CKernelType, DeferredCKernel,
    ExprSingle, ExprStrided, FuncProto, InstantiateFn, KernelRequest, UnarySingle, UnaryStrided, abi_version,
    builtin_type, round_up, type_id,
};
pub use builder::{CKernelBuilder, INLINE_CAPACITY};
pub use deferred::{Deferred, Metadata};
pub use error::{ErrorKind, KernelError, Recorded};
pub use function::{Element, Outcome, ScalarFn, guard};
pub use kernel::{Kernel, Operand, OperandMut};
pub use typed::{Builder, Handle, PrototypedFunction, Slot};
