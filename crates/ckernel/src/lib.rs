//! The ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.

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
pub use typed::{Builder, Function, Handle, Slot};
