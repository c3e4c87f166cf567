//! Ckernels that are a loop over strided elements, of which a single element is a case.
//!
//! The numbers in SAFETY comments are the rules of `gristmill_ckernel::abi`, or those of [`StridedLoop`].

use crate::steps::MOST_OPERANDS;
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{CKernelPrefix, CKernelType, Deferred, FuncProto, PrototypedFunction};

/// What such a ckernel owns, and its loop.
///
/// # Safety
/// 1. [`strided`](Self::strided) is a kernel of the expr prototype for a block that is a `Leaf<Self>` and for elements of
///    the [`types`](Self::types) of what the block owns. Its memory is the calling thread's own.
/// 2. There are at most [`MOST_OPERANDS`] sources.
pub(crate) unsafe trait StridedLoop: Clone + Send + Sync + 'static {
    /// The destination's type, then the sources' types.
    fn types(&self) -> Vec<*const CKernelType>;

    /// Computes `count` elements.
    ///
    /// # Safety
    /// Rules 1 to 5 of the ABI, for a block that is a `Leaf<Self>`.
    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    );

    /// As a ckernel of the expr prototype.
    fn deferred(self) -> Deferred {
        // SAFETY: (1) of the trait; all types are builtin or need no metadata.
        unsafe {
            Deferred::new(FuncProto::Expr, self.types(), move |builder, slot, _, request| {
                let function = PrototypedFunction::expr(request, single::<Self>, Self::strided);
                builder.push::<Leaf<Self>>(slot, function, self.clone()).map(drop)
            })
        }
    }
}

unsafe extern "C" fn single<L: StridedLoop>(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
    let strides = [0; MOST_OPERANDS];
    // SAFETY: the caller's; by (2) of the trait there are enough strides, and one element needs none.
    unsafe { L::strided(dst, 0, src, strides.as_ptr(), 1, self_) }
}
