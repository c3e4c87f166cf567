//! A dimension where the destination or a source is var: sizes are known, and checked, when a row is run.

use std::sync::Arc;

use gristmill_ckernel::error::{self, ErrorKind};
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, KernelRequest};

use super::node::{self, HEADER, Header, Node, Placed, Proto, copy_sources};
use crate::error::Result;
use crate::memory::MemoryBlock;
use crate::metadata::VarRow;
use crate::small::Small;

/// One operand of the dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// Has fewer dimensions: the same element for the whole row.
    Repeated,
    /// Fixed or strided.
    Strided { size: usize, stride: isize },
    /// Rows of their own; the address of the memory block is 0 for sources.
    Var { stride: isize, offset: isize, block: isize },
}

/// `[kind, size, stride, offset, block]`.
const WORDS: usize = 5;

impl Side {
    fn words(self) -> [isize; WORDS] {
        match self {
            Side::Repeated => [0, 1, 0, 0, 0],
            Side::Strided { size, stride } => [1, size as isize, if size == 1 { 0 } else { stride }, 0, 0],
            Side::Var { stride, offset, block } => [2, 0, stride, offset, block],
        }
    }
}

/// The node: the operands' words, then the child, strided. Owns a reference to the destination's memory block.
#[derive(Debug)]
pub(crate) enum Var {}

/// A source in this row.
#[derive(Clone, Copy)]
struct Row {
    start: *const u8,
    size: usize,
    stride: isize,
    missing: bool,
}

impl Var {
    fn size(nsrc: usize) -> usize {
        HEADER + (1 + nsrc) * WORDS * size_of::<isize>()
    }

    /// Places the node; `child` places what a row calls, strided.
    /// # Safety
    /// 1. As for `node::place`. 2. `child` places a strided kernel of the family `P`. 3. The sides describe the operands;
    ///    the destination's block is 0 or the exposed address of a living `Arc<MemoryBlock>`'s contents.
    pub(crate) unsafe fn build<P: Proto>(
        ckb: *mut CKernelBuilder,
        offset: usize,
        sides: &[Side],
        request: KernelRequest,
        child: impl FnOnce(usize) -> Result<Placed>,
    ) -> Result<Placed> {
        let nsrc = sides.len() - 1;
        let size = Var::size(nsrc);
        // SAFETY: (1) to (3). While its words are zero, `destroy` finds no block and a zeroed child.
        unsafe {
            node::place::<P, Var>(ckb, offset, size, nsrc, [0, 0], request)?;
            let words = node::at::<isize>(ckb, offset + HEADER);
            for (i, word) in sides.iter().flat_map(|s| s.words()).enumerate() {
                words.add(i).write(word);
            }
            // Only the destination's block is kept: nothing is allocated for sources.
            for k in 1..sides.len() {
                words.add(k * WORDS + 4).write(0);
            }
            let block = words.add(4).read();
            if block != 0 {
                Arc::increment_strong_count(std::ptr::with_exposed_provenance::<MemoryBlock>(block as usize));
            }
            let inner = child(offset + size)?;
            Ok(node::finish(ckb, offset, Placed { end: inner.end, fallible: true, leaves: 1 }))
        }
    }

    unsafe fn child(node: *mut Header) -> *mut CKernelPrefix {
        // SAFETY: rule 1.
        unsafe { CKernelPrefix::child(node.cast(), Var::size((*node).nsrc.into())) }
    }
}

fn fail(kind: ErrorKind, message: std::fmt::Arguments<'_>) {
    let _ = error::record(kind, 0, message);
}

fn source(side: &[isize], start: *const u8) -> Row {
    match side[0] {
        2 => {
            // SAFETY: rule 3: an element of a var dimension.
            let row = unsafe { start.cast::<VarRow>().read() };
            Row {
                start: row.begin.cast_const().wrapping_offset(side[3]),
                size: row.size,
                stride: if row.size == 1 { 0 } else { side[2] },
                missing: row.begin.is_null(),
            }
        }
        _ => Row { start, size: side[1] as usize, stride: side[2], missing: false },
    }
}

impl Node for Var {
    unsafe fn run<P: Proto>(node: *mut Header, dst: *mut u8, src: *const *const u8) {
        // SAFETY: rules 1 to 7.
        unsafe {
            let nsrc = usize::from((*node).nsrc);
            let words = node::words(node, (1 + nsrc) * WORDS);
            let (to, from) = words.split_at(WORDS);
            let mut sources = copy_sources(src, nsrc);
            let sources = sources.get_mut();
            let mut strides = Small::<isize, 8>::new(0);
            let (mut missing, mut common) = (0, 1);
            let mut wrong = None;
            for k in 0..nsrc {
                let row = source(&from[k * WORDS..(k + 1) * WORDS], sources[k]);
                if row.missing {
                    missing += 1;
                }
                if row.size != 1 && !row.missing {
                    if common != 1 && common != row.size && wrong.is_none() {
                        wrong = Some((k, row.size, common));
                    }
                    common = if common == 1 { row.size } else { common };
                }
                sources[k] = row.start;
                strides.push(row.stride);
            }
            let row = if to[0] == 2 { Some(dst.cast::<VarRow>().read()) } else { None };
            let allocate = row.is_some_and(|row| row.begin.is_null());
            if missing > 0 {
                if allocate && missing == nsrc {
                    return; // nothing to nothing
                }
                return fail(
                    ErrorKind::Uninitialized,
                    format_args!("a source row of a var dimension is not initialised"),
                );
            }
            let (size, mut start) = match row {
                None => (to[1] as usize, dst),
                Some(row) if !allocate => (row.size, row.begin.wrapping_offset(to[3])),
                Some(_) => (common, std::ptr::null_mut()),
            };
            if allocate && let Some((k, size, common)) = wrong {
                return fail(
                    ErrorKind::Broadcast,
                    format_args!(
                        "the row of source {k} has size {size}, but must have 1 or {common}, as the other sources"
                    ),
                );
            }
            if !allocate {
                for k in 0..nsrc {
                    let row = source(&from[k * WORDS..(k + 1) * WORDS], *src.add(k));
                    if row.size != 1 && row.size != size {
                        return fail(
                            ErrorKind::Broadcast,
                            format_args!(
                                "the row of source {k} has size {}, but must have 1 or {size}, as the destination",
                                row.size
                            ),
                        );
                    }
                }
            }
            if allocate {
                if to[3] != 0 {
                    return fail(
                        ErrorKind::Uninitialized,
                        format_args!(
                            "the destination is a slice (offset {} bytes) of a row that is not initialised",
                            to[3]
                        ),
                    );
                }
                let block = std::ptr::with_exposed_provenance::<MemoryBlock>(to[4] as usize);
                let memory = (to[4] != 0).then(|| (*block).allocate(size.checked_mul(to[2].unsigned_abs())?)).flatten();
                let Some(memory) = memory else {
                    return fail(ErrorKind::OutOfMemory, format_args!("could not allocate a row of {size} elements"));
                };
                start = memory;
            }
            P::strided(Var::child(node), start, to[2], sources.as_ptr(), strides.get().as_ptr(), size);
            if error::pending() {
                return node::inside(format_args!("in a row of {size}"));
            }
            if allocate {
                // Only now: a row that failed stays uninitialised.
                dst.cast::<VarRow>().write(VarRow { begin: start, size });
            }
        }
    }

    unsafe extern "C" fn destroy(node: *mut CKernelPrefix) {
        // SAFETY: the words are zero or complete; the reference was taken in `build`, once.
        unsafe {
            let node: *mut Header = node.cast();
            let block = node::words(node, WORDS)[4];
            CKernelPrefix::destroy(Var::child(node));
            if block != 0 {
                Arc::decrement_strong_count(std::ptr::with_exposed_provenance::<MemoryBlock>(block as usize));
            }
        }
    }
}
