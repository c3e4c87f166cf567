//! From operands to nodes: alignment of dimensions, broadcasting, the choice of the node for each level.

use gristmill_ckernel::{CKernelBuilder, KernelRequest};

use super::deref::{Deref, Follow};
use super::nest::{Loops, Nest};
use super::node::{Placed, Proto};
use super::var::{Side, Var};
use crate::array::shape_of;
use crate::error::{Error, Result, argument};
use crate::metadata::{extent_of, metadata_words};
use crate::small::Small;
use crate::types::{Primitive, Type};

/// A type with its metadata.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) words: &'a [isize],
}

static FILLER: Type = Type::Primitive(Primitive::Bool);

/// The operands of a kernel, the destination first.
pub(crate) type Operands<'a> = Small<Operand<'a>, 4>;

pub(crate) fn operands<'a>(list: &[Operand<'a>]) -> Operands<'a> {
    Small::copy(Operand { ty: &FILLER, words: &[] }, list)
}

/// What is under the dimensions: a conversion, or a deferred kernel that is lifted.
pub(crate) trait Leaves {
    /// Dimensions of operand `k` that belong to the leaf.
    fn ndim(&self, k: usize) -> usize;
    /// Whether operand `k`, without dimensions to lift over, has the leaf's own type.
    fn is_leaf(&self, k: usize, ty: &Type) -> bool;
    /// Whether a call may record an error.
    fn may_fail(&self, operands: &[Operand<'_>]) -> bool;
    /// Places the leaf; it will be called for about so many `elements`.
    /// # Safety
    /// 1. `ckb` is a constructed builder; a zeroed prefix is at `offset`. 2. The words fit the types.
    unsafe fn place(
        &self,
        ckb: *mut CKernelBuilder,
        offset: usize,
        operands: &[Operand<'_>],
        request: KernelRequest,
        elements: usize,
    ) -> Result<Placed>;
}

/// What stays the same from level to level.
pub(crate) struct Context<'a> {
    pub(crate) leaves: &'a dyn Leaves,
    /// The whole operands, for messages.
    pub(crate) whole: &'a [Operand<'a>],
    /// What to call source `k` in messages: "source", "the source's field `x`".
    pub(crate) label: &'a str,
}

impl Context<'_> {
    /// Dimensions of operand `k` that are left to lift over.
    fn ndim(&self, k: usize, operand: &Operand<'_>) -> usize {
        operand.ty.ndim().saturating_sub(self.leaves.ndim(k))
    }

    pub(crate) fn source(&self, k: usize) -> String {
        if self.whole.len() > 2 { format!("{} {}", self.label, k - 1) } else { self.label.to_owned() }
    }

    fn broadcast_error(&self, k: usize, axis: Option<usize>, src_size: usize, dst_size: usize) -> Error {
        let shape = |k: usize| shape_of(self.whole[k].ty, self.whole[k].words, self.leaves.ndim(k));
        Error::Broadcast { argument: self.source(k), src: shape(k), dst: shape(0), axis, src_size, dst_size }
    }

    /// How many elements the leaf is called for, as far as sizes are known: a var row counts as one.
    fn elements(&self) -> usize {
        let mut operand = self.whole[0];
        let mut elements = 1usize;
        for _ in 0..self.ndim(0, &self.whole[0]) {
            if let Type::Fixed(..) | Type::Strided(_) = operand.ty {
                elements = elements.saturating_mul(usize::try_from(operand.words[0]).unwrap_or(0));
            }
            operand = inner(&operand);
        }
        elements
    }

    /// No source has more dimensions than the destination.
    pub(crate) fn check_ranks(&self) -> Result<()> {
        let dst = self.ndim(0, &self.whole[0]);
        match (1..self.whole.len()).find(|&k| self.ndim(k, &self.whole[k]) > dst) {
            Some(k) => Err(self.broadcast_error(k, None, 0, 0)),
            None => Ok(()),
        }
    }
}

/// The loops of the leading strided dimensions, and what is inside them.
pub(crate) struct LoopPlan<'a> {
    pub(crate) loops: Loops,
    /// The loops in C order, if `loops` are in another one and the leaf may fail.
    pub(crate) c_order: Option<Loops>,
    pub(crate) rest: Operands<'a>,
    pub(crate) axis: usize,
}

fn strided(operand: &Operand<'_>, what: &str) -> Result<Option<(usize, isize)>> {
    match operand.ty {
        Type::Fixed(..) | Type::Strided(_) => {
            let size = usize::try_from(operand.words[0])
                .map_err(|_| argument(format!("the size of a dimension of {what}"), operand.words[0], "at least 0"))?;
            Ok(Some((size, operand.words[1])))
        }
        _ => Ok(None),
    }
}

fn inner<'a>(operand: &Operand<'a>) -> Operand<'a> {
    let words = match operand.ty {
        Type::Var(_) => 3,
        _ => 2,
    };
    match operand.ty.inner() {
        Some(ty) => Operand { ty, words: &operand.words[words..] },
        None => *operand,
    }
}

/// Takes off as many dimensions as are strided or fixed for every operand that has them.
pub(crate) fn plan<'a>(context: &Context<'_>, whole: &[Operand<'a>], mut axis: usize) -> Result<LoopPlan<'a>> {
    let mut rest = operands(whole);
    let mut loops = Loops::new(whole.len() - 1);
    loop {
        let level = rest.get_mut();
        let ndim = context.ndim(0, &level[0]);
        if ndim == 0 {
            break;
        }
        let has = |k: usize, operand: &Operand<'_>| context.ndim(k, operand) == ndim;
        if (0..level.len()).any(|k| has(k, &level[k]) && matches!(level[k].ty, Type::Var(_) | Type::Pointer(_))) {
            break;
        }
        let Some((size, dst_stride)) = strided(&level[0], "the destination")? else { break };
        let mut strides = Small::<isize, 8>::new(0);
        for (k, operand) in level.iter().enumerate().skip(1) {
            let stride = match strided(operand, "a source")?.filter(|_| has(k, operand)) {
                None => 0,
                Some((1, _)) => 0, // whatever the metadata says
                Some((n, stride)) if n == size => stride,
                Some((n, _)) => return Err(context.broadcast_error(k, Some(axis), n, size)),
            };
            strides.push(stride);
        }
        loops.push(size, dst_stride, strides.get().iter().copied());
        for (k, operand) in level.iter_mut().enumerate() {
            if has(k, operand) {
                *operand = inner(operand);
            }
        }
        axis += 1;
    }
    let mut c_order = loops.clone();
    let permuted = loops.reorder();
    loops.coalesce();
    let keep = permuted && context.leaves.may_fail(rest.get());
    if keep {
        c_order.coalesce();
    }
    Ok(LoopPlan { loops, c_order: keep.then_some(c_order), rest, axis })
}

/// Builds the kernel for these operands.
/// # Safety
/// 1. `ckb` is a constructed builder; a zeroed prefix is at `offset`. 2. The words fit the types. 3. The addresses of
///    memory blocks in the destination's words are exposed addresses of living `Arc<MemoryBlock>`s.
pub(crate) unsafe fn build<P: Proto>(
    ckb: *mut CKernelBuilder,
    offset: usize,
    context: &Context<'_>,
    whole: &[Operand<'_>],
    axis: usize,
    request: KernelRequest,
) -> Result<Placed> {
    let ndim = context.ndim(0, &whole[0]);
    let follows = |k: usize| {
        matches!(whole[k].ty, Type::Pointer(_))
            && context.ndim(k, &whole[k]) == ndim
            && (ndim > 0 || !context.leaves.is_leaf(k, whole[k].ty))
    };
    if (0..whole.len()).any(follows) {
        // SAFETY: (1) to (3).
        return unsafe { build_deref::<P>(ckb, offset, context, whole, axis, request, &follows) };
    }
    if ndim == 0 {
        // SAFETY: (1), (2).
        return unsafe { context.leaves.place(ckb, offset, whole, request, context.elements()) };
    }
    let plan = plan(context, whole, axis)?;
    if plan.axis == axis {
        // SAFETY: (1) to (3).
        return unsafe { build_var::<P>(ckb, offset, context, whole, axis, request) };
    }
    if plan.loops.len() == 0 {
        // Only dimensions of size 1: nothing to loop over.
        // SAFETY: (1) to (3).
        return unsafe { build::<P>(ckb, offset, context, plan.rest.get(), plan.axis, request) };
    }
    // SAFETY: (1) to (3); the child is built strided.
    unsafe {
        Nest::build::<P>(ckb, offset, &plan.loops, plan.c_order.as_ref(), request, |child| {
            build::<P>(ckb, child, context, plan.rest.get(), plan.axis, KernelRequest::Strided)
        })
    }
}

/// As [`build`], strided, with the loops from `first` on of a plan.
/// # Safety
/// As [`build`].
pub(crate) unsafe fn build_tail<P: Proto>(
    ckb: *mut CKernelBuilder,
    context: &Context<'_>,
    plan: &LoopPlan<'_>,
    first: usize,
) -> Result<Placed> {
    let rest = plan.rest.get();
    let tail = plan.loops.tail(first);
    let strided = KernelRequest::Strided;
    // SAFETY: the caller's contract.
    unsafe {
        if tail.len() == 0 {
            return build::<P>(ckb, 0, context, rest, plan.axis, strided);
        }
        Nest::build::<P>(ckb, 0, &tail, None, strided, |child| {
            build::<P>(ckb, child, context, rest, plan.axis, strided)
        })
    }
}

unsafe fn build_var<P: Proto>(
    ckb: *mut CKernelBuilder,
    offset: usize,
    context: &Context<'_>,
    whole: &[Operand<'_>],
    axis: usize,
    request: KernelRequest,
) -> Result<Placed> {
    let ndim = context.ndim(0, &whole[0]);
    let mut sides = Small::<Side, 4>::new(Side::Repeated);
    let mut level = operands(whole);
    for (k, operand) in level.get_mut().iter_mut().enumerate() {
        if context.ndim(k, operand) < ndim {
            sides.push(Side::Repeated);
            continue;
        }
        sides.push(match strided(operand, "an operand")? {
            Some((size, stride)) => Side::Strided { size, stride },
            None => Side::Var { stride: operand.words[1], offset: operand.words[2], block: operand.words[0] },
        });
        *operand = inner(operand);
    }
    // A strided destination fixes the size: strided sources can be checked now.
    if let Side::Strided { size, .. } = sides.get()[0] {
        for (k, side) in sides.get().iter().enumerate().skip(1) {
            if let Side::Strided { size: n, .. } = *side
                && n != 1
                && n != size
            {
                return Err(context.broadcast_error(k, Some(axis), n, size));
            }
        }
    }
    // SAFETY: the caller's contract; the child is built strided.
    unsafe {
        Var::build::<P>(ckb, offset, sides.get(), request, |child| {
            build::<P>(ckb, child, context, level.get(), axis + 1, KernelRequest::Strided)
        })
    }
}

unsafe fn build_deref<P: Proto>(
    ckb: *mut CKernelBuilder,
    offset: usize,
    context: &Context<'_>,
    whole: &[Operand<'_>],
    axis: usize,
    request: KernelRequest,
    follows: &dyn Fn(usize) -> bool,
) -> Result<Placed> {
    let mut list = Small::<Follow, 4>::new(Follow::No);
    let mut level = operands(whole);
    for (k, operand) in level.get_mut().iter_mut().enumerate() {
        if !follows(k) {
            list.push(Follow::No);
            continue;
        }
        let target = inner(operand);
        let size = extent_of(target.ty, target.words).size;
        list.push(Follow::Yes { offset: operand.words[1], block: operand.words[0], size });
        *operand = target;
    }
    // SAFETY: the caller's contract; the child is built single.
    unsafe {
        Deref::build::<P>(ckb, offset, list.get(), request, |child| {
            build::<P>(ckb, child, context, level.get(), axis, KernelRequest::Single)
        })
    }
}

/// The words of a struct's field `index`, and its data offset.
pub(crate) fn field<'a>(fields: &'a [crate::types::Field], words: &'a [isize], index: usize) -> (Operand<'a>, isize) {
    let skip: usize = fields.len() + fields[..index].iter().map(|f| metadata_words(&f.ty)).sum::<usize>();
    (Operand { ty: &fields[index].ty, words: &words[skip..] }, words[index])
}
