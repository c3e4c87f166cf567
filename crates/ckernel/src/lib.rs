//! The ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.

pub mod abi;
pub mod builder;
pub mod error;
pub mod scratch;

pub use abi::{
    ABI_VERSION, BinaryPredicate, CKernelDestructor, CKernelPrefix, CKernelType, DeferredCKernel, ExprSingle,
    ExprStrided, FuncProto, InstantiateFn, KernelRequest, UnarySingle, UnaryStrided, abi_version, builtin_type,
    round_up, type_id,
};
pub use builder::{CKernelBuilder, INLINE_CAPACITY};
pub use error::{ErrorKind, KernelError, Recorded};
