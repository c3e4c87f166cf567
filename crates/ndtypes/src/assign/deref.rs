//! Pointers: operands that are followed before the child is called.

use std::sync::Arc;

use gristmill_ckernel::error::{self, ErrorKind};
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, KernelRequest};

use super::node::{self, HEADER, Header, Node, Placed, Proto, copy_sources};
use crate::error::Result;
use crate::memory::MemoryBlock;

/// What happens to one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Follow {
    /// Handed on as it is.
    No,
    /// Followed to `*p + offset`; a null destination gets a new target of `size` bytes from the block, if there is one.
    Yes { offset: isize, block: isize, size: usize },
}

/// `[followed, offset, block, size]`.
const WORDS: usize = 4;

/// The node: the operands' words, then the child, single. Owns a reference to the destination's memory block.
#[derive(Debug)]
pub(crate) enum Deref {}

impl Deref {
    fn size(nsrc: usize) -> usize {
        HEADER + (1 + nsrc) * WORDS * size_of::<isize>()
    }

    /// Places the node; `child` places the kernel for the targets, single.
    /// # Safety
    /// 1. As for `node::place`. 2. `child` places a single kernel of the family `P`. 3. The destination's block is 0 or the
    ///    exposed address of a living `Arc<MemoryBlock>`'s contents.
    pub(crate) unsafe fn build<P: Proto>(
        ckb: *mut CKernelBuilder,
        offset: usize,
        operands: &[Follow],
        request: KernelRequest,
        child: impl FnOnce(usize) -> Result<Placed>,
    ) -> Result<Placed> {
        let nsrc = operands.len() - 1;
        let size = Deref::size(nsrc);
        // SAFETY: (1) to (3). While its words are zero, `destroy` finds no block and a zeroed child.
        unsafe {
            node::place::<P, Deref>(ckb, offset, size, nsrc, [0, 0], request)?;
            let words = node::at::<isize>(ckb, offset + HEADER);
            for (k, operand) in operands.iter().enumerate() {
                if let Follow::Yes { offset, block, size } = *operand {
                    let own = words.add(k * WORDS);
                    own.write(1);
                    own.add(1).write(offset);
                    own.add(3).write(size as isize);
                    if k == 0 && block != 0 {
                        Arc::increment_strong_count(std::ptr::with_exposed_provenance::<MemoryBlock>(block as usize));
                        own.add(2).write(block);
                    }
                }
            }
            let inner = child(offset + size)?;
            Ok(node::finish(ckb, offset, Placed { fallible: true, ..inner }))
        }
    }

    unsafe fn child(node: *mut Header) -> *mut CKernelPrefix {
        // SAFETY: rule 1.
        unsafe { CKernelPrefix::child(node.cast(), Deref::size((*node).nsrc.into())) }
    }
}

impl Node for Deref {
    unsafe fn run<P: Proto>(node: *mut Header, dst: *mut u8, src: *const *const u8) {
        // SAFETY: rules 1 to 7.
        unsafe {
            let nsrc = usize::from((*node).nsrc);
            let words = node::words(node, (1 + nsrc) * WORDS);
            let mut sources = copy_sources(src, nsrc);
            let sources = sources.get_mut();
            for (k, pointer) in sources.iter_mut().enumerate() {
                let own = &words[(k + 1) * WORDS..];
                if own[0] != 0 {
                    let target = pointer.cast::<*const u8>().read();
                    if target.is_null() {
                        let _ = error::record(
                            ErrorKind::Uninitialized,
                            0,
                            format_args!("the pointer of source {k} is null"),
                        );
                        return;
                    }
                    *pointer = target.wrapping_offset(own[1]);
                }
            }
            let mut to = dst;
            let mut fresh = None;
            if words[0] != 0 {
                let mut target = dst.cast::<*mut u8>().read();
                if target.is_null() {
                    let block = std::ptr::with_exposed_provenance::<MemoryBlock>(words[2] as usize);
                    let memory =
                        (words[2] != 0 && words[1] == 0).then(|| (*block).allocate(words[3] as usize)).flatten();
                    let Some(memory) = memory else {
                        let _ = error::record(
                            ErrorKind::Uninitialized,
                            0,
                            format_args!("the destination's pointer is null, and no target could be allocated"),
                        );
                        return;
                    };
                    fresh = Some(memory);
                    target = memory;
                }
                to = target.wrapping_offset(words[1]);
            }
            P::single(Deref::child(node), to, sources.as_ptr());
            if let Some(memory) = fresh
                && !error::pending()
            {
                dst.cast::<*mut u8>().write(memory);
            }
        }
    }

    unsafe extern "C" fn destroy(node: *mut CKernelPrefix) {
        // SAFETY: the words are zero or complete; the reference was taken in `build`, once.
        unsafe {
            let node: *mut Header = node.cast();
            let block = node::words(node, WORDS)[2];
            CKernelPrefix::destroy(Deref::child(node));
            if block != 0 {
                Arc::decrement_strong_count(std::ptr::with_exposed_provenance::<MemoryBlock>(block as usize));
            }
        }
    }
}
