//! The kernel: the compiled loop, and behind it the tree for elements that the loop leaves to it.

use std::sync::Arc;

use gristmill_ckernel::error;
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, KernelError, KernelRequest};

use super::code::Code;
use crate::assign::node::{self, Placed};
use crate::error::Result;

/// Its start; the tree, strided, follows.
#[repr(C)]
struct Compiled {
    prefix: CKernelPrefix,
    /// Of an `Arc`, owned; null while the kernel is being built.
    code: *const Code,
    /// Leaf elements in one element: what an error's index is counted in.
    leaves: usize,
}

const SIZE: usize = size_of::<Compiled>();

/// Elements that the tree takes at most before the loop is tried again.
const MOST_BY_TREE: usize = 64;

unsafe fn tree(kernel: *mut CKernelPrefix) -> *mut CKernelPrefix {
    // SAFETY: rule 1: the child lies behind the start.
    unsafe { CKernelPrefix::child(kernel, SIZE) }
}

unsafe extern "C" fn strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    kernel: *mut CKernelPrefix,
) {
    // SAFETY: rules 1 to 7. The loop reads and writes the bytes of `Moves` of each element, which are those that the tree
    // would read and write; the steps past the last element are never used.
    unsafe {
        let Compiled { code, leaves, .. } = &*kernel.cast::<Compiled>();
        let (code, leaves) = (&**code, *leaves);
        let tree = tree(kernel);
        let by_tree = (*tree).unary_strided();
        if code.may_overlap(dst, dst_stride, src, src_stride, count) {
            // In place the order of steps is part of the result.
            return by_tree(dst, dst_stride, src, src_stride, count, tree);
        }
        let at = |i: usize| {
            let i = i as isize;
            (dst.wrapping_offset(dst_stride.wrapping_mul(i)), src.wrapping_offset(src_stride.wrapping_mul(i)))
        };
        let (mut done, mut few) = (0, 1);
        loop {
            let (to, from) = at(done);
            let compiled = code.run(to, dst_stride, from, src_stride, count - done);
            done += compiled;
            if done >= count {
                return;
            }
            // An element for the tree. Where one follows another, more of them at once.
            few = if compiled == 0 { (2 * few).min(MOST_BY_TREE) } else { 1 };
            let next = few.min(count - done);
            let (to, from) = at(done);
            by_tree(to, dst_stride, from, src_stride, next, tree);
            if error::pending_from(done.saturating_mul(leaves)) {
                return;
            }
            done += next;
            if done == count {
                return;
            }
        }
    }
}

unsafe extern "C" fn single(dst: *mut u8, src: *const u8, kernel: *mut CKernelPrefix) {
    // SAFETY: rules 1 to 7, for one element.
    unsafe { strided(dst, 0, src, 0, 1, kernel) }
}

unsafe extern "C" fn destroy(kernel: *mut CKernelPrefix) {
    // SAFETY: called once; the child's prefix exists, perhaps zeroed; the reference was taken in `place`.
    unsafe {
        CKernelPrefix::destroy(tree(kernel));
        let code = (*kernel.cast::<Compiled>()).code;
        if !code.is_null() {
            drop(Arc::from_raw(code));
        }
    }
}

/// Places the kernel; `child` places the tree for the same elements, strided.
/// # Safety
/// 1. `ckb` is a constructed builder; a zeroed prefix is at `offset`. 2. `code` was compiled for what `child` assigns.
pub(crate) unsafe fn place(
    ckb: *mut CKernelBuilder,
    offset: usize,
    code: Arc<Code>,
    request: KernelRequest,
    child: impl FnOnce(usize) -> Result<Placed>,
) -> Result<Placed> {
    // SAFETY: (1): destructor first; places are fetched again after the child was built.
    unsafe {
        CKernelBuilder::ensure_capacity(ckb, (offset + SIZE) as isize).map_err(KernelError::from)?;
        let own = &mut *node::at::<Compiled>(ckb, offset);
        own.prefix.destructor = Some(destroy);
        own.code = Arc::into_raw(code);
        match request {
            KernelRequest::Single => own.prefix.set_unary_single(single),
            KernelRequest::Strided => own.prefix.set_unary_strided(strided),
        }
        let placed = child(offset + SIZE)?;
        (*node::at::<Compiled>(ckb, offset)).leaves = placed.leaves;
        Ok(placed)
    }
}
