//! Assignment kernels by native code: one compiled loop over elements instead of a tree that is walked for each.
//!
//! A tree calls one kernel for each field of each struct. Where there are many elements, one loop that was compiled for this
//! layout is several times faster. So the tree's build asks
//! here when it knows of [`WORTH_COMPILING`] elements or more ([`choose`]), and [`create_jit_assignment`] does so whatever
//! their number.
//!
//! The compiled loop never has the last word. In front of an element that breaks a rule of the error mode, or that it cannot
//! convert itself, it stops before it has written any of it, and the tree, which stands behind it in the same kernel, does
//! that element. So results, errors, their texts and what has been written by then are the tree's.
//!
//! Layouts with addresses in them (var dimensions, pointers), conversions of 128-bit integers and long inner dimensions are
//! left to the tree.

mod code;
mod convert;
mod moves;
mod node;

use std::sync::{Arc, Mutex, PoisonError};

use gristmill_ckernel::{Kernel, KernelRequest};

use self::code::Code;
use self::moves::Moves;
use crate::assign::build::{Context, Operand, build};
use crate::assign::node::Unary;
use crate::assign::{Assign, is_plain, take_kernel};
use crate::convert::ErrorMode;
use crate::error::{Error, Result, argument};
use crate::metadata::{Metadata, metadata_words};
use crate::types::Type;

/// From this number of elements on a loop is compiled for them: about where compiling it takes as long as what it saves
/// (`cargo xtask bench ckernel`).
pub(crate) const WORTH_COMPILING: usize = 50_000;
/// From this number of elements on a loop that has been compiled before is used.
const WORTH_FINDING: usize = 256;
/// Loops that are remembered.
const REMEMBERED: usize = 64;
/// Set, nothing is compiled: to see what that costs, or if a machine's code cannot be trusted.
const NO_JIT: &str = "GRISTMILL_NO_JIT";

/// Why there is no compiled loop, in words.
pub(crate) type Refused = String;

/// What a loop is compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    dst: Type,
    dst_words: Box<[isize]>,
    src: Type,
    src_words: Box<[isize]>,
    mode: ErrorMode,
}

impl Layout {
    fn is(&self, dst: &Operand<'_>, src: &Operand<'_>, mode: ErrorMode) -> bool {
        self.mode == mode
            && self.dst == *dst.ty
            && self.src == *src.ty
            && *self.dst_words == dst.words[..self.dst_words.len()]
            && *self.src_words == src.words[..self.src_words.len()]
    }
}

type Made = std::result::Result<Arc<Code>, Refused>;

/// The loops that were compiled or refused last, the latest last.
static KNOWN: Mutex<Vec<(Layout, Made)>> = Mutex::new(Vec::new());

/// The loop for this layout. It is compiled if it is not known yet and there are `elements` enough; `None`: there are not.
fn code_for(dst: &Operand<'_>, src: &Operand<'_>, mode: ErrorMode, elements: usize) -> Option<Made> {
    // Whoever panicked while holding the lock had not begun to change the list.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(k) = known.iter().rposition(|(layout, _)| layout.is(dst, src, mode)) {
        let entry = known.remove(k);
        let made = entry.1.clone();
        known.push(entry);
        return Some(made);
    }
    if elements < WORTH_COMPILING {
        return None;
    }
    let made = if std::env::var_os(NO_JIT).is_some_and(|v| !v.is_empty()) {
        Err(format!("{NO_JIT} is set"))
    } else {
        Moves::of(dst, src).and_then(|moves| Code::compile(moves, mode)).map(Arc::new)
    };
    let words = |operand: &Operand<'_>| operand.words[..metadata_words(operand.ty)].into();
    let layout =
        Layout { dst: dst.ty.clone(), dst_words: words(dst), src: src.ty.clone(), src_words: words(src), mode };
    if known.len() == REMEMBERED {
        drop(known.remove(0));
    }
    known.push((layout, made.clone()));
    Some(made)
}

/// Whether a compiled loop beats the tree: where that calls a kernel for each field of an element. Scalars have the tree's vector
/// loops; where their bytes are swapped as well, compiling a loop pays only from hundreds of thousands of elements on.
fn is_worth_it(dst: &Operand<'_>, src: &Operand<'_>) -> bool {
    let is_copied = || dst.ty == src.ty && is_plain(dst.ty) && same_words(dst, src);
    matches!(dst.ty, Type::Struct(_)) && !is_copied()
}

fn same_words(dst: &Operand<'_>, src: &Operand<'_>) -> bool {
    let count = metadata_words(dst.ty);
    dst.words[..count] == src.words[..count]
}

/// The compiled loop for a leaf of `elements` elements, if that is the better choice.
pub(crate) fn choose(dst: &Operand<'_>, src: &Operand<'_>, mode: ErrorMode, elements: usize) -> Option<Arc<Code>> {
    if elements < WORTH_FINDING || !is_worth_it(dst, src) {
        return None;
    }
    code_for(dst, src, mode, elements)?.ok()
}

pub(crate) use self::node::place;

/// An assignment kernel by native code: unary, from elements of type `src` to elements of type `dst`, with this metadata.
///
/// [`crate::assign`] and [`crate::assignment`] choose such kernels themselves where there are elements enough; this makes
/// one for whoever calls it with elements from elsewhere. It computes and reports exactly what the kernel of
/// [`crate::assignment`] does. The code is shared by all kernels of the same layout and freed after the last of them.
///
/// # Errors
/// Those of [`crate::assignment`]; [`Error::NotCompiled`] with the reason where that has to serve instead.
///
/// ```
/// use gristmill_ckernel::KernelRequest;
/// use gristmill_ndtypes::{ErrorMode, Metadata, Type, create_jit_assignment};
/// let dst: Type = "{x: float64, n: int32}".parse()?;
/// let src: Type = "{n: byteswap[int64], x: byteswap[float32]}".parse()?;
/// let metadata = (Metadata::contiguous(&dst, &[])?, Metadata::contiguous(&src, &[])?);
/// let made = create_jit_assignment(
///     (&dst, &metadata.0),
///     (&src, &metadata.1),
///     ErrorMode::default(),
///     KernelRequest::Strided,
/// );
/// assert!(made.is_ok() || std::env::var_os("GRISTMILL_NO_JIT").is_some());
/// # Ok::<(), gristmill_ndtypes::Error>(())
/// ```
pub fn create_jit_assignment(
    dst: (&Type, &Metadata),
    src: (&Type, &Metadata),
    mode: ErrorMode,
    request: KernelRequest,
) -> Result<Kernel> {
    for (name, (ty, metadata)) in [("the destination", &dst), ("the source", &src)] {
        if metadata.words().len() != metadata_words(ty) {
            return Err(argument(
                format!("the metadata of {name}"),
                format!("{} words", metadata.words().len()),
                format!("{}, as its type `{ty}` has", metadata_words(ty)),
            ));
        }
    }
    let whole = [Operand { ty: dst.0, words: dst.1.words() }, Operand { ty: src.0, words: src.1.words() }];
    let assign = Assign { mode };
    let context = Context { leaves: &assign, whole: &whole, label: "the source" };
    context.check_ranks()?;
    let tree = |ckb, offset, request| {
        // SAFETY: `take_kernel` hands over a constructed builder; the words fit the types, and `Metadata` keeps their blocks.
        unsafe { build::<Unary>(ckb, offset, &context, &whole, 0, request) }
    };
    let made = code_for(&whole[0], &whole[1], mode, usize::MAX).unwrap_or_else(|| Err("nothing was compiled".into()));
    // SAFETY: both place a unary kernel for this request at offset 0; the code was compiled for these operands.
    unsafe {
        match made {
            Ok(code) => take_kernel::<Unary>(request, |ckb| {
                place(ckb, 0, code, request, |child| tree(ckb, child, KernelRequest::Strided))
            }),
            // What cannot be assigned at all is the tree's to explain.
            Err(reason) => {
                take_kernel::<Unary>(request, |ckb| tree(ckb, 0, request)).and(Err(Error::NotCompiled { reason }))
            }
        }
        .map(|(kernel, _)| kernel)
    }
}
