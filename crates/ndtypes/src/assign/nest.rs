//! Strided and fixed dimensions: one node for all that follow one another, reordered and coalesced.

use gristmill_ckernel::error;
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, KernelRequest};

use super::node::{self, HEADER, Header, Node, Placed, Proto, copy_sources};
use crate::error::Result;
use crate::small::Small;

/// Loops, outermost first. A row is `[size, destination stride, source strides...]`.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    width: usize,
    rows: Words,
}

/// Up to four loops of a unary kernel need no heap.
type Words = Small<isize, 12>;

impl Loops {
    pub(crate) fn new(nsrc: usize) -> Loops {
        Loops { width: 2 + nsrc, rows: Words::new(0) }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.get().len() / self.width
    }

    pub(crate) fn row(&self, i: usize) -> &[isize] {
        &self.rows.get()[i * self.width..(i + 1) * self.width]
    }

    /// Adds an inner loop.
    pub(crate) fn push(&mut self, size: usize, dst_stride: isize, src_strides: impl Iterator<Item = isize>) {
        self.rows.push(size as isize);
        self.rows.push(dst_stride);
        src_strides.for_each(|stride| self.rows.push(stride));
    }

    /// Elements in all; saturates.
    pub(crate) fn elements(&self) -> usize {
        (0..self.len()).fold(1usize, |n, i| n.saturating_mul(self.row(i)[0] as usize))
    }

    /// The loops from `first` on.
    pub(crate) fn tail(&self, first: usize) -> Loops {
        let mut tail = Loops::new(self.width - 2);
        for i in first..self.len() {
            self.row(i).iter().for_each(|&word| tail.rows.push(word));
        }
        tail
    }

    fn swap(&mut self, i: usize, j: usize) {
        let width = self.width;
        for k in 0..width {
            self.rows.get_mut().swap(i * width + k, j * width + k);
        }
    }

    /// Orders the loops by the destination's strides, longest outside. True if that changed the order.
    ///
    /// Not when the destination visits a place twice: then the order is part of the result.
    pub(crate) fn reorder(&mut self) -> bool {
        let n = self.len();
        if n < 2 || (0..n).any(|i| self.row(i)[1] == 0 && self.row(i)[0] != 1) {
            return false;
        }
        let mut changed = false;
        // Insertion sort: stable, and there are few loops.
        for i in 1..n {
            let mut j = i;
            while j > 0 && self.key(j - 1) < self.key(j) {
                self.swap(j - 1, j);
                changed = true;
                j -= 1;
            }
        }
        changed
    }

    fn key(&self, i: usize) -> usize {
        self.row(i)[1].unsigned_abs()
    }

    /// Drops loops of size 1 and joins loops that walk on where the inner one ends, for every operand.
    pub(crate) fn coalesce(&mut self) {
        let (width, n) = (self.width, self.len());
        let rows = self.rows.get_mut();
        let mut kept = 0;
        for i in 0..n {
            let row = i * width;
            if rows[row] == 1 {
                continue;
            }
            if kept > 0 {
                let last = (kept - 1) * width;
                let joins = (1..width).all(|k| rows[row + k].checked_mul(rows[row]) == Some(rows[last + k]));
                if joins && let Some(size) = rows[last].checked_mul(rows[row]) {
                    rows[last] = size;
                    rows.copy_within(row + 1..row + width, last + 1);
                    continue;
                }
            }
            rows.copy_within(row..row + width, kept * width);
            kept += 1;
        }
        self.rows.truncate(kept * width);
    }
}

/// The node: `counts[0]` loops to run and `counts[1]` loops in C order, which exist only when the order differs and
/// the child may fail; then the child, strided.
#[derive(Debug)]
pub(crate) enum Nest {}

impl Nest {
    fn size(nsrc: usize, counts: [usize; 2]) -> usize {
        HEADER + (counts[0] + counts[1]) * (2 + nsrc) * size_of::<isize>()
    }

    unsafe fn child(node: *mut Header) -> *mut CKernelPrefix {
        // SAFETY: rule 1: the child lies behind the words.
        unsafe {
            let counts = (*node).counts.map(usize::from);
            CKernelPrefix::child(node.cast(), Nest::size((*node).nsrc.into(), counts))
        }
    }

    /// Places the node; `child` places what the innermost loop calls, strided.
    /// # Safety
    /// 1. As for `node::place`. 2. `child` places a strided kernel of the family `P` for the loops' elements.
    pub(crate) unsafe fn build<P: Proto>(
        ckb: *mut CKernelBuilder,
        offset: usize,
        loops: &Loops,
        c_order: Option<&Loops>,
        request: KernelRequest,
        child: impl FnOnce(usize) -> Result<Placed>,
    ) -> Result<Placed> {
        let nsrc = loops.width - 2;
        let counts = [loops.len(), c_order.map_or(0, Loops::len)];
        let size = Nest::size(nsrc, counts);
        // SAFETY: (1); with no child built, `destroy` finds a zeroed prefix behind the words, which `place` reserves.
        unsafe {
            node::place::<P, Nest>(ckb, offset, size, nsrc, counts, request)?;
            let words = node::at::<isize>(ckb, offset + HEADER);
            let all = loops.rows.get().iter().chain(c_order.iter().flat_map(|l| l.rows.get()));
            for (i, &word) in all.enumerate() {
                words.add(i).write(word);
            }
            let inner = child(offset + size)?;
            let leaves = loops.elements().saturating_mul(inner.leaves);
            Ok(node::finish(ckb, offset, Placed { leaves, ..inner }))
        }
    }
}

/// What a walk over the loops needs.
struct Walk {
    child: *mut CKernelPrefix,
    fallible: bool,
    /// Leaf elements in one element of the innermost loop.
    unit: usize,
    width: usize,
}

impl Walk {
    /// Runs the loops in `rows`; false if an error is pending. `first` is the index of the first element.
    /// # Safety
    /// 1. The call contract, for all elements of the loops. 2. `src` is as long as the row has source strides.
    unsafe fn run<P: Proto>(&self, rows: &[isize], first: usize, mut dst: *mut u8, src: &mut [*const u8]) -> bool {
        let (row, inner) = rows.split_at(self.width);
        let size = row[0] as usize;
        if inner.is_empty() {
            // SAFETY: (1).
            unsafe { P::strided(self.child, dst, row[1], src.as_ptr(), row[2..].as_ptr(), size) };
            return !(self.fallible && error::pending_from(first.saturating_mul(self.unit)));
        }
        let step = inner.chunks_exact(self.width).fold(1usize, |n, row| n.saturating_mul(row[0] as usize));
        let mut fine = true;
        for i in 0..size {
            // SAFETY: (1), (2).
            fine = unsafe { self.run::<P>(inner, first.saturating_add(i.saturating_mul(step)), dst, src) };
            if !fine {
                break;
            }
            // `wrapping`: what lies after the last element is never used.
            dst = dst.wrapping_offset(row[1]);
            for (pointer, &stride) in src.iter_mut().zip(&row[2..]) {
                *pointer = pointer.wrapping_offset(stride);
            }
        }
        for (pointer, &stride) in src.iter_mut().zip(&row[2..]) {
            *pointer = pointer.wrapping_offset(stride.wrapping_mul(size as isize).wrapping_neg());
        }
        fine
    }
}

impl Node for Nest {
    unsafe fn run<P: Proto>(node: *mut Header, dst: *mut u8, src: *const *const u8) {
        // SAFETY: rules 1 to 7.
        unsafe {
            let (nsrc, counts) = (usize::from((*node).nsrc), (*node).counts.map(usize::from));
            let width = 2 + nsrc;
            let words = node::words(node, (counts[0] + counts[1]) * width);
            let (rows, c_order) = words.split_at(counts[0] * width);
            if rows.chunks_exact(width).any(|row| row[0] == 0) {
                return;
            }
            let elements = rows.chunks_exact(width).fold(1usize, |n, row| n.saturating_mul(row[0] as usize));
            let walk = Walk {
                child: Nest::child(node),
                fallible: (*node).fallible != 0,
                unit: (*node).leaves / elements,
                width,
            };
            if let [size, dst_stride, ..] = *rows
                && counts[0] == 1
                && c_order.is_empty()
            {
                // One loop: the child's call as it is. Its error index is right already.
                return P::strided(walk.child, dst, dst_stride, src, rows[2..].as_ptr(), size as usize);
            }
            let mut sources = copy_sources(src, nsrc);
            if !walk.run::<P>(rows, 0, dst, sources.get_mut()) && !c_order.is_empty() {
                // The loops ran in another order, so the error may not be the first one in C order. Elements are
                // functions of their sources only, so they may be computed once more.
                let found = error::take();
                let mut sources = copy_sources(src, nsrc);
                if walk.run::<P>(c_order, 0, dst, sources.get_mut())
                    && let Some(found) = found
                {
                    let _ = found.record();
                }
            }
        }
    }

    unsafe extern "C" fn destroy(node: *mut CKernelPrefix) {
        // SAFETY: the counts are set with the destructor; the child's prefix exists, perhaps zeroed.
        unsafe { CKernelPrefix::destroy(Nest::child(node.cast())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(rows: &[[isize; 3]]) -> Loops {
        let mut loops = Loops::new(1);
        for &[size, dst, src] in rows {
            loops.push(size as usize, dst, [src].into_iter());
        }
        loops
    }

    #[test]
    fn contiguous_loops_become_one() {
        let mut l = loops(&[[2, 96, 96], [3, 32, 32], [4, 8, 8]]);
        l.coalesce();
        assert_eq!(l.rows.get(), [24, 8, 8]);
    }

    #[test]
    fn a_broadcast_source_keeps_its_loop_apart() {
        let mut l = loops(&[[2, 96, 0], [3, 32, 8], [4, 8, 0]]);
        l.coalesce();
        assert_eq!(l.rows.get(), [2, 96, 0, 3, 32, 8, 4, 8, 0]);
        let mut all = loops(&[[2, 96, 0], [3, 32, 0], [4, 8, 0]]);
        all.coalesce();
        assert_eq!(all.rows.get(), [24, 8, 0]);
    }

    #[test]
    fn fortran_order_becomes_one_loop() {
        let mut l = loops(&[[2, 8, 8], [3, 16, 16], [4, 48, 48], [1, 0, 0], [5, 192, 192]]);
        assert!(l.reorder());
        l.coalesce();
        assert_eq!(l.rows.get(), [120, 8, 8]);
    }

    #[test]
    fn a_destination_that_repeats_is_not_reordered() {
        let mut l = loops(&[[2, 0, 8], [3, 16, 16]]);
        assert!(!l.reorder());
    }
}
