//! The parallel call: the outermost loops are split over threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use gristmill_ckernel::error::{self, KernelError};
use gristmill_ckernel::{CKernelPrefix, Deferred, FuncProto, Kernel, KernelRequest};
use rayon::prelude::*;

use crate::array::{ArrayMut, ArrayRef};
use crate::assign::build::{Context, LoopPlan, Operand, build_tail, plan};
use crate::assign::nest::Loops;
use crate::assign::node::{Expr, Proto, Unary, copy_sources};
use crate::assign::{Assign, assign, take_kernel};
use crate::convert::ErrorMode;
use crate::error::Result;
use crate::lift::{LiftedLeaves, apply, sources};

/// When and how finely to split.
#[derive(Clone, Copy, Debug)]
pub struct Parallel {
    /// Fewer elements than this run on the calling thread.
    pub threshold: usize,
    /// A piece of work has at least about this many elements.
    pub grain: usize,
}

impl Default for Parallel {
    /// Below 64 Ki elements a copy takes less time than waking a thread.
    fn default() -> Parallel {
        Parallel { threshold: 1 << 16, grain: 1 << 14 }
    }
}

/// As [`assign`], on the threads of the current rayon pool.
///
/// # Errors
/// Those of [`assign`], and the same one: of several failing elements, the first in C order is reported. When there is
/// one, later elements may have been written.
pub fn par_assign(dst: &mut ArrayMut<'_>, src: &ArrayRef<'_>, mode: ErrorMode, parallel: Parallel) -> Result<()> {
    let leaves = Assign { mode };
    let outcome = {
        let whole = [dst.operand(), src.operand()];
        let context = Context { leaves: &leaves, whole: &whole, label: "the source" };
        // SAFETY: as in `assign`.
        unsafe { run::<Unary>(&context, &whole, dst.data, &[src.data], parallel)? }
    };
    match outcome {
        Outcome::Done => Ok(()),
        Outcome::Failed(error) => Err(error.into()),
        Outcome::Sequential => assign(dst, src, mode),
    }
}

/// As [`apply`], on the threads of the current rayon pool.
///
/// # Errors
/// Those of [`apply`], and the same one: of several failing elements, the first in C order is reported. When there is
/// one, later elements may have been written.
pub fn par_apply(kernel: &Deferred, dst: &mut ArrayMut<'_>, src: &[&ArrayRef<'_>], parallel: Parallel) -> Result<()> {
    let lifted = LiftedLeaves::new(kernel)?;
    let outcome = {
        let whole = lifted.arrays(dst, src)?;
        let label = if src.len() > 1 { "source" } else { "the source" };
        let context = Context { leaves: lifted.leaves(), whole: whole.get(), label };
        let starts = sources(src);
        // SAFETY: as in `apply`; a deferred kernel's kernels may be called by several threads at once.
        unsafe {
            match kernel.proto() {
                FuncProto::Unary => run::<Unary>(&context, whole.get(), dst.data, starts.get(), parallel)?,
                _ => run::<Expr>(&context, whole.get(), dst.data, starts.get(), parallel)?,
            }
        }
    };
    match outcome {
        Outcome::Done => Ok(()),
        Outcome::Failed(error) => Err(error.into()),
        Outcome::Sequential => apply(kernel, dst, src),
    }
}

enum Outcome {
    Done,
    Failed(KernelError),
    /// Not split, or an error in loops that are not in C order: the sequential call decides.
    Sequential,
}

/// The pieces of the work: each is a run of the split loop inside one turn of the loops outside of it.
struct Pieces<'p> {
    loops: &'p Loops,
    /// Loops outside the split one.
    outer: usize,
    /// Elements of the split loop in a piece, and pieces of one turn.
    chunk: usize,
    per_turn: usize,
    turns: usize,
}

impl<'p> Pieces<'p> {
    fn new(loops: &'p Loops, parallel: Parallel) -> Option<Pieces<'p>> {
        let total = loops.elements();
        if loops.len() == 0 || total == 0 || total < parallel.threshold || rayon::current_num_threads() < 2 {
            return None;
        }
        // Some pieces more than threads, so that no thread waits long for the last one.
        let wanted = (total / parallel.grain.max(1)).clamp(1, 8 * rayon::current_num_threads());
        let (mut outer, mut turns) = (0, 1usize);
        while outer + 1 < loops.len() && turns.saturating_mul(loops.row(outer)[0] as usize) < wanted {
            turns *= loops.row(outer)[0] as usize;
            outer += 1;
        }
        let size = loops.row(outer)[0] as usize;
        let chunk = size.div_ceil(wanted.div_ceil(turns).clamp(1, size));
        let per_turn = size.div_ceil(chunk);
        (turns * per_turn > 1).then_some(Pieces { loops, outer, chunk, per_turn, turns })
    }

    fn count(&self) -> usize {
        self.turns * self.per_turn
    }

    /// Of piece `i`: the byte offset for each operand, how many elements of the split loop, the index of the first.
    fn get(&self, i: usize) -> (Vec<isize>, usize, usize) {
        let row = self.loops.row(self.outer);
        let start = i % self.per_turn * self.chunk;
        let size = row[0] as usize;
        let mut offsets: Vec<isize> = row[1..].iter().map(|&stride| stride * start as isize).collect();
        let (mut turn, mut index, mut scale) = (i / self.per_turn, start, size);
        for l in (0..self.outer).rev() {
            let row = self.loops.row(l);
            let position = turn % row[0] as usize;
            turn /= row[0] as usize;
            index += position * scale;
            scale *= row[0] as usize;
            for (offset, &stride) in offsets.iter_mut().zip(&row[1..]) {
                *offset += stride * position as isize;
            }
        }
        (offsets, self.chunk.min(size - start), index)
    }
}

/// The addresses of a call, which threads share.
struct Call<'c> {
    dst: *mut u8,
    src: &'c [*const u8],
    kernel: &'c Kernel,
}

// SAFETY: pieces write disjoint elements of the destination, whose elements do not overlap (invariant 3 of the view);
// sources are only read; a `Kernel` may be called by many threads.
unsafe impl Sync for Call<'_> {}

impl Call<'_> {
    /// Safety: the piece is one of `Pieces`, and no other thread has it.
    unsafe fn run<P: Proto>(&self, offsets: &[isize], row: &[isize], count: usize) -> Option<KernelError> {
        let child: *mut CKernelPrefix = self.kernel.as_ptr();
        // SAFETY: the offsets are those of elements of the views.
        unsafe {
            let mut starts = copy_sources(self.src.as_ptr(), self.src.len());
            for (pointer, &offset) in starts.get_mut().iter_mut().zip(&offsets[1..]) {
                *pointer = pointer.wrapping_offset(offset);
            }
            let before = error::take();
            P::strided(
                child,
                self.dst.wrapping_offset(offsets[0]),
                row[1],
                starts.get().as_ptr(),
                row[2..].as_ptr(),
                count,
            );
            let found = error::take();
            if let Some(before) = before {
                let _ = before.record();
            }
            found
        }
    }
}

/// # Safety
/// 1. `dst` and `src` are the data of views with these operands, and the call keeps the ABI's rules.
unsafe fn run<P: Proto>(
    context: &Context<'_>,
    whole: &[Operand<'_>],
    dst: *mut u8,
    src: &[*const u8],
    parallel: Parallel,
) -> Result<Outcome> {
    context.check_ranks()?;
    let plan: LoopPlan<'_> = plan(context, whole, 0)?;
    let Some(pieces) = Pieces::new(&plan.loops, parallel) else { return Ok(Outcome::Sequential) };
    // SAFETY: (1); the tail is built strided, at offset 0.
    let (kernel, placed) = unsafe {
        take_kernel::<P>(KernelRequest::Strided, |ckb| build_tail::<P>(ckb, context, &plan, pieces.outer + 1))?
    };
    let unit = placed.leaves;
    let call = Call { dst, src, kernel: &kernel };
    let row = plan.loops.row(pieces.outer);
    // The first failing piece; pieces behind it need not run.
    let failed = AtomicUsize::new(usize::MAX);
    let first = (0..pieces.count())
        .into_par_iter()
        .filter_map(|i| {
            if i > failed.load(Ordering::Relaxed) {
                return None;
            }
            let (offsets, count, index) = pieces.get(i);
            // SAFETY: (1); each piece is run once.
            let error = unsafe { call.run::<P>(&offsets, row, count) }?;
            failed.fetch_min(i, Ordering::Relaxed);
            let first = index.saturating_mul(unit);
            let error = match error.element() {
                Some(element) => error.at(first.saturating_add(element)),
                None => error,
            };
            Some((i, error))
        })
        .min_by_key(|(i, _)| *i);
    Ok(match first {
        None => Outcome::Done,
        Some(_) if plan.c_order.is_some() => Outcome::Sequential,
        Some((_, error)) => Outcome::Failed(error),
    })
}
