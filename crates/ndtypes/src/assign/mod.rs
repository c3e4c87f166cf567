//! Assignment kernels: one type to another, whatever lies between.

pub(crate) mod build;
mod deref;
pub(crate) mod leaf;
pub(crate) mod nest;
pub(crate) mod node;
mod structs;
mod var;

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use gristmill_ckernel::adapt::{self, ChainLayout};
use gristmill_ckernel::error;
use gristmill_ckernel::{
    Builder, CKernelBuilder, CKernelPrefix, Deferred, FuncProto, Kernel, KernelError, KernelRequest, Slot,
};

use self::build::{Context, Leaves, Operand, build};
use self::leaf::Leaf;
use self::node::{Placed, Proto, Unary};
use crate::array::{ArrayMut, ArrayRef};
use crate::convert::ErrorMode;
use crate::error::{Error, Result};
use crate::lift;
use crate::types::{Primitive, Type};

/// Assigns `src` to `dst`, converting under `mode` and broadcasting `src`.
///
/// # Errors
/// Before anything is written: types that cannot be assigned, shapes that do not broadcast. While running: a value that
/// breaks the mode's rule, a var row of the wrong size. docs/ndtypes.md says what has been written then.
///
/// ```
/// use gristmill_ndtypes::{ArrayMut, ArrayRef, ErrorMode, assign};
/// let mut dst = [0i8; 3];
/// let src = [3.5, 1.0, -120.0];
/// let mut to = ArrayMut::from_slice(&mut dst)?;
/// assert!(assign(&mut to, &ArrayRef::from_slice(&src)?, ErrorMode::Fractional).is_err());
/// assign(&mut to, &ArrayRef::from_slice(&src)?, ErrorMode::Overflow)?;
/// assert_eq!(dst, [3, 1, -120]);
/// # Ok::<(), gristmill_ndtypes::Error>(())
/// ```
pub fn assign(dst: &mut ArrayMut<'_>, src: &ArrayRef<'_>, mode: ErrorMode) -> Result<()> {
    let operands = [dst.operand(), src.operand()];
    let leaves = Assign { mode };
    let context = Context { leaves: &leaves, whole: &operands, label: "the source" };
    context.check_ranks()?;
    // SAFETY: the words fit the types, and the views keep them and their memory blocks alive. The kernel is called on
    // the views' own data: rules 3 to 5 are their invariants, and an exclusive view is disjoint from every other.
    unsafe {
        with_kernel(
            |ckb| build::<Unary>(ckb, 0, &context, &operands, 0, KernelRequest::Single),
            |kernel| (*kernel).unary_single()(dst.data, src.data, kernel),
        )
    }
}

/// A deferred assignment kernel: unary, from `src` to `dst`, for any metadata of these types.
///
/// # Errors
/// When these types cannot be assigned, whatever the metadata.
pub fn assignment(dst: &Type, src: &Type, mode: ErrorMode) -> Result<Deferred> {
    lift::assignment(dst, src, mode)
}

/// Builds a kernel on the stack, calls it, destroys it.
/// # Safety
/// 1. `make` places a kernel at offset 0, and `call` calls it by the ABI's rules.
pub(crate) unsafe fn with_kernel(
    make: impl FnOnce(*mut CKernelBuilder) -> Result<Placed>,
    call: impl FnOnce(*mut CKernelPrefix),
) -> Result<()> {
    struct Guard<'a>(&'a mut MaybeUninit<CKernelBuilder>);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            // SAFETY: constructed below, before the guard exists.
            unsafe { CKernelBuilder::destruct(self.0.as_mut_ptr()) }
        }
    }
    let mut memory = MaybeUninit::uninit();
    // SAFETY: the builder stays where it is until the guard destructs it.
    unsafe { CKernelBuilder::construct(memory.as_mut_ptr()) };
    let guard = Guard(&mut memory);
    let ckb = guard.0.as_mut_ptr();
    // This may run inside a kernel that has an error pending: set it aside.
    let before = error::take();
    let made = make(ckb);
    if made.is_ok() {
        // SAFETY: (1); a successful build leaves a complete kernel.
        call(unsafe { (*ckb).data.cast() });
    }
    let found = error::take();
    if let Some(before) = before {
        let _ = before.record();
    }
    made?;
    found.map_or(Ok(()), |e| Err(e.into()))
}

/// Builds a kernel of its own, and says what was placed.
/// # Safety
/// 1. `make` places a kernel of the family `P` and this request at offset 0.
pub(crate) unsafe fn take_kernel<P: Proto>(
    request: KernelRequest,
    make: impl FnOnce(*mut CKernelBuilder) -> Result<Placed>,
) -> Result<(Kernel, Placed)> {
    let mut memory = MaybeUninit::<CKernelBuilder>::uninit();
    let ckb = memory.as_mut_ptr();
    // SAFETY: constructed, used and destructed in this frame; by (1) the kernel is complete when it is taken out.
    unsafe {
        CKernelBuilder::construct(ckb);
        let made = make(ckb).and_then(|placed| Ok((Kernel::from_builder(ckb, P::PROTO, request)?, placed)));
        CKernelBuilder::destruct(ckb);
        made
    }
}

/// The leaves of an assignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assign {
    pub(crate) mode: ErrorMode,
}

/// A scalar type, and whether its bytes are swapped.
pub(crate) fn scalar(ty: &Type) -> Option<(Primitive, bool)> {
    match *ty {
        Type::Primitive(s) | Type::Unaligned(s) => Some((s, false)),
        Type::Swapped(s) => Some((s, s.word() > 1)),
        _ => None,
    }
}

/// Whether a struct's bytes can be copied as they are: only scalars and bytes inside, at the same offsets.
pub(crate) fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Primitive(_) | Type::Unaligned(_) | Type::Swapped(_) | Type::Bytes(_) => true,
        Type::Struct(s) => s.fields().iter().all(|f| is_plain(&f.ty)),
        _ => false,
    }
}

impl Leaves for Assign {
    fn ndim(&self, _: usize) -> usize {
        0
    }

    fn is_leaf(&self, _: usize, _: &Type) -> bool {
        false
    }

    fn may_fail(&self, operands: &[Operand<'_>]) -> bool {
        match (scalar(operands[0].ty), scalar(operands[1].ty)) {
            (Some((d, _)), Some((s, _))) => leaf::convert(d, s, self.mode).fallible,
            _ => true,
        }
    }

    unsafe fn place(
        &self,
        ckb: *mut CKernelBuilder,
        offset: usize,
        operands: &[Operand<'_>],
        request: KernelRequest,
        elements: usize,
    ) -> Result<Placed> {
        let (dst, src) = (&operands[0], &operands[1]);
        #[cfg(feature = "jit")]
        if let Some(code) = crate::jit::choose(dst, src, self.mode, elements) {
            // SAFETY: the caller's contract; the code was compiled for these operands and this mode. The tree behind it is
            // for one element, as far as its build knows.
            return unsafe {
                crate::jit::place(ckb, offset, code, request, |child| {
                    self.place(ckb, child, operands, KernelRequest::Strided, 1)
                })
            };
        }
        #[cfg(not(feature = "jit"))]
        let _ = elements;
        // SAFETY: the caller's contract, in every arm.
        unsafe {
            if let (Some(d), Some(s)) = (scalar(dst.ty), scalar(src.ty)) {
                return place_scalar(ckb, offset, d, s, self.mode, request);
            }
            match (dst.ty, src.ty) {
                (Type::Bytes(d), Type::Bytes(s)) if d.size() == s.size() => place_bytes(ckb, offset, d.size(), request),
                (Type::Struct(to), Type::Struct(_)) if dst.ty == src.ty && is_plain(dst.ty) => {
                    let count = crate::metadata::metadata_words(dst.ty);
                    if dst.words[..count] == src.words[..count] {
                        let size = crate::metadata::extent_of(dst.ty, dst.words).size;
                        return place_bytes(ckb, offset, size, request);
                    }
                    structs::place(self, ckb, offset, dst, to, src, request)
                }
                (Type::Struct(to), _) => structs::place(self, ckb, offset, dst, to, src, request),
                (Type::Bytes(_), Type::Bytes(_)) => Err(cannot(dst.ty, src.ty, "the sizes differ")),
                (_, Type::Struct(_)) => Err(cannot(dst.ty, src.ty, "a struct is no scalar; assign one of its fields")),
                _ => Err(cannot(dst.ty, src.ty, "there is no conversion between bytes and numbers")),
            }
        }
    }
}

fn cannot(dst: &Type, src: &Type, reason: &str) -> Error {
    Error::CannotAssign { dst: dst.to_string(), src: src.to_string(), reason: reason.into() }
}

/// A leaf is its function pointer; the prefix is there already.
unsafe fn place_leaf(ckb: *mut CKernelBuilder, offset: usize, leaf: Leaf, request: KernelRequest) -> Placed {
    // SAFETY: the caller's contract: a prefix is at `offset`.
    let prefix = unsafe { &mut *node::at::<CKernelPrefix>(ckb, offset) };
    match request {
        KernelRequest::Single => prefix.set_unary_single(leaf.single),
        KernelRequest::Strided => prefix.set_unary_strided(leaf.strided),
    }
    Placed { end: offset + size_of::<CKernelPrefix>(), fallible: leaf.fallible, leaves: 1 }
}

unsafe fn place_scalar(
    ckb: *mut CKernelBuilder,
    offset: usize,
    dst: (Primitive, bool),
    src: (Primitive, bool),
    mode: ErrorMode,
    request: KernelRequest,
) -> Result<Placed> {
    let only = match (dst, src) {
        ((d, false), (s, false)) => Some(leaf::convert(d, s, mode)),
        ((d, to), (s, from)) if d == s => Some(if to == from { leaf::copy(d.size()) } else { leaf::swap(d) }),
        _ => None,
    };
    if let Some(only) = only {
        // SAFETY: the caller's contract.
        return Ok(unsafe { place_leaf(ckb, offset, only, request) });
    }
    // Swap, convert, swap, through buffers. Only the middle one may fail.
    let convert = leaf::convert(dst.0, src.0, mode);
    let Some(raw) = NonNull::new(ckb) else {
        return Err(KernelError::new(error::ErrorKind::InvalidArgument, "the builder is null").into());
    };
    let through = |scalar: Primitive| ChainLayout {
        proto: FuncProto::Unary,
        sources: 1,
        element_size: scalar.size(),
        zeroed: false,
    };
    // SAFETY: the caller's contract; the brand is this call's own. Every step is a unary kernel with this request, and
    // each buffer has the element type that one step writes and the next reads.
    unsafe {
        let (mut builder, slot) = Builder::from_raw(raw, offset);
        match (src.1, dst.1) {
            (true, true) => {
                adapt::chain(
                    &mut builder,
                    slot,
                    through(src.0),
                    request,
                    |b, s| step(b, s, leaf::swap(src.0), request),
                    |b, s| {
                        adapt::chain(
                            b,
                            s,
                            through(dst.0),
                            request,
                            |b, s| step(b, s, convert, request),
                            |b, s| step(b, s, leaf::swap(dst.0), request),
                        )
                    },
                )?;
            }
            (true, false) => {
                adapt::chain(
                    &mut builder,
                    slot,
                    through(src.0),
                    request,
                    |b, s| step(b, s, leaf::swap(src.0), request),
                    |b, s| step(b, s, convert, request),
                )?;
            }
            _ => {
                adapt::chain(
                    &mut builder,
                    slot,
                    through(dst.0),
                    request,
                    |b, s| step(b, s, convert, request),
                    |b, s| step(b, s, leaf::swap(dst.0), request),
                )?;
            }
        }
        Ok(Placed { end: builder.end(), fallible: true, leaves: 1 })
    }
}

/// Fills a slot with a leaf.
fn step<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    leaf: Leaf,
    request: KernelRequest,
) -> std::result::Result<(), KernelError> {
    // SAFETY: a leaf is a complete unary kernel without data, and may be called by several threads at once.
    unsafe { builder.raw(slot, |ckb, offset| Ok(place_leaf(ckb, offset, leaf, request).end)) }
}

/// What a copy of any number of bytes knows.
#[repr(C)]
struct Copy {
    prefix: CKernelPrefix,
    size: usize,
}

/// Copies elements of `size` bytes.
unsafe fn place_bytes(ckb: *mut CKernelBuilder, offset: usize, size: usize, request: KernelRequest) -> Result<Placed> {
    unsafe extern "C" fn single(dst: *mut u8, src: *const u8, kernel: *mut CKernelPrefix) {
        // SAFETY: rules 1, 3 and 4: the same place, or disjoint.
        unsafe { std::ptr::copy(src, dst, (*kernel.cast::<Copy>()).size) }
    }
    unsafe extern "C" fn strided(
        mut dst: *mut u8,
        dst_stride: isize,
        mut src: *const u8,
        src_stride: isize,
        count: usize,
        kernel: *mut CKernelPrefix,
    ) {
        // SAFETY: rules 1, 3 and 4.
        unsafe {
            let size = (*kernel.cast::<Copy>()).size;
            if (dst_stride, src_stride) == (size as isize, size as isize) {
                return std::ptr::copy(src, dst, size * count);
            }
            for _ in 0..count {
                std::ptr::copy(src, dst, size);
                dst = dst.wrapping_offset(dst_stride);
                src = src.wrapping_offset(src_stride);
            }
        }
    }
    if matches!(size, 1 | 2 | 4 | 8 | 16) {
        // SAFETY: the caller's contract.
        return Ok(unsafe { place_leaf(ckb, offset, leaf::copy(size), request) });
    }
    let end = offset + size_of::<Copy>();
    // SAFETY: the caller's contract.
    unsafe {
        CKernelBuilder::ensure_capacity_leaf(ckb, end as isize).map_err(KernelError::from)?;
        (*node::at::<Copy>(ckb, offset)).size = size;
        Ok(Placed { end, ..place_leaf(ckb, offset, Leaf { single, strided, fallible: false }, request) })
    }
}
