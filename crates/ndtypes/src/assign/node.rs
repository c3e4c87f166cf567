//! What all inner kernels share: the header, the two families of prototypes, the strided loop.
//!
//! A node is a [`Header`], then words of its own, then its children. The number of words is only known at run time, so
//! nodes are placed through the raw builder, by its rules: destructor first, offsets relative to the node, pointers
//! fetched again after every growth.
//!
//! # Contract of a node call
//! That of `gristmill_ckernel::abi` (rules 1 to 7); `SAFETY` comments lean on those numbers.

use gristmill_ckernel::error::{self, ErrorKind, KernelError};
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, FuncProto, KernelRequest};

use crate::error::Result;
use crate::small::Small;

/// The start of every node.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Header {
    prefix: CKernelPrefix,
    /// Sources.
    pub(crate) nsrc: u16,
    /// Whether a call may record an error: parents of infallible kernels need not look.
    pub(crate) fallible: u16,
    /// Counts of the node's own.
    pub(crate) counts: [u16; 2],
    /// Leaf elements in one call of the single form: what an error's index is counted in. A var row counts as one.
    pub(crate) leaves: usize,
}

pub(crate) const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == 32);

/// What was placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// Just behind it, from the start of the builder.
    pub(crate) end: usize,
    pub(crate) fallible: bool,
    pub(crate) leaves: usize,
}

/// One of the two families of prototypes that nodes have.
pub(crate) trait Proto: 'static {
    const PROTO: FuncProto;
    /// Calls a single kernel of this family. Safety: rules 1 to 7.
    unsafe fn single(child: *mut CKernelPrefix, dst: *mut u8, src: *const *const u8);
    /// Calls a strided kernel of this family. Safety: rules 1 to 7.
    unsafe fn strided(
        child: *mut CKernelPrefix,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    );
    /// Sets the function of a node.
    fn install<N: Node>(prefix: &mut CKernelPrefix, request: KernelRequest);
}

/// One source, by value.
#[derive(Debug)]
pub(crate) enum Unary {}
/// Any number of sources, by arrays.
#[derive(Debug)]
pub(crate) enum Expr {}

/// An inner kernel.
pub(crate) trait Node: 'static {
    /// One call. Safety: rules 1 to 7, for a completely built node of this type.
    unsafe fn run<P: Proto>(node: *mut Header, dst: *mut u8, src: *const *const u8);
    /// Frees what the node and its children own. Safety: called once, perhaps on a partly built node.
    unsafe extern "C" fn destroy(node: *mut CKernelPrefix);
}

impl Proto for Unary {
    const PROTO: FuncProto = FuncProto::Unary;
    #[inline(always)]
    unsafe fn single(child: *mut CKernelPrefix, dst: *mut u8, src: *const *const u8) {
        // SAFETY: the caller's contract.
        unsafe { (*child).unary_single()(dst, *src, child) }
    }
    #[inline(always)]
    unsafe fn strided(
        child: *mut CKernelPrefix,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) {
        // SAFETY: the caller's contract.
        unsafe { (*child).unary_strided()(dst, dst_stride, *src, *src_stride, count, child) }
    }
    fn install<N: Node>(prefix: &mut CKernelPrefix, request: KernelRequest) {
        unsafe extern "C" fn single<N: Node>(dst: *mut u8, src: *const u8, node: *mut CKernelPrefix) {
            // SAFETY: rules 1 to 7.
            unsafe { N::run::<Unary>(node.cast(), dst, &raw const src) }
        }
        unsafe extern "C" fn strided<N: Node>(
            dst: *mut u8,
            dst_stride: isize,
            src: *const u8,
            src_stride: isize,
            count: usize,
            node: *mut CKernelPrefix,
        ) {
            // SAFETY: rules 1 to 7.
            unsafe { each::<Unary, N>(node.cast(), dst, dst_stride, &raw const src, &raw const src_stride, count) }
        }
        match request {
            KernelRequest::Single => prefix.set_unary_single(single::<N>),
            KernelRequest::Strided => prefix.set_unary_strided(strided::<N>),
        }
    }
}

impl Proto for Expr {
    const PROTO: FuncProto = FuncProto::Expr;
    #[inline(always)]
    unsafe fn single(child: *mut CKernelPrefix, dst: *mut u8, src: *const *const u8) {
        // SAFETY: the caller's contract.
        unsafe { (*child).expr_single()(dst, src, child) }
    }
    #[inline(always)]
    unsafe fn strided(
        child: *mut CKernelPrefix,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) {
        // SAFETY: the caller's contract.
        unsafe { (*child).expr_strided()(dst, dst_stride, src, src_stride, count, child) }
    }
    fn install<N: Node>(prefix: &mut CKernelPrefix, request: KernelRequest) {
        unsafe extern "C" fn single<N: Node>(dst: *mut u8, src: *const *const u8, node: *mut CKernelPrefix) {
            // SAFETY: rules 1 to 7.
            unsafe { N::run::<Expr>(node.cast(), dst, src) }
        }
        unsafe extern "C" fn strided<N: Node>(
            dst: *mut u8,
            dst_stride: isize,
            src: *const *const u8,
            src_stride: *const isize,
            count: usize,
            node: *mut CKernelPrefix,
        ) {
            // SAFETY: rules 1 to 7.
            unsafe { each::<Expr, N>(node.cast(), dst, dst_stride, src, src_stride, count) }
        }
        match request {
            KernelRequest::Single => prefix.set_expr_single(single::<N>),
            KernelRequest::Strided => prefix.set_expr_strided(strided::<N>),
        }
    }
}

/// Source pointers that a node may advance; the caller's array stays as it is (rule 6).
pub(crate) type Sources = Small<*const u8, 8>;

/// A copy of the source pointers.
/// # Safety
/// 1. `src` has `count` entries.
#[inline]
pub(crate) unsafe fn copy_sources(src: *const *const u8, count: usize) -> Sources {
    // SAFETY: (1).
    Small::copy(std::ptr::null(), unsafe { std::slice::from_raw_parts(src, count) })
}

/// The strided form of a node: one call for each element, up to the first error.
unsafe fn each<P: Proto, N: Node>(
    node: *mut Header,
    mut dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
) {
    // SAFETY: rules 1 and 2.
    let (fallible, leaves, mut sources) =
        unsafe { ((*node).fallible != 0, (*node).leaves, copy_sources(src, (*node).nsrc.into())) };
    let sources = sources.get_mut();
    for i in 0..count {
        // SAFETY: rules 1 to 7, for element i.
        unsafe { N::run::<P>(node, dst, sources.as_ptr()) };
        if fallible && error::pending_from(i.saturating_mul(leaves)) {
            return;
        }
        dst = dst.wrapping_offset(dst_stride);
        for (k, pointer) in sources.iter_mut().enumerate() {
            // SAFETY: rule 2. `wrapping`: the pointer after the last element is never used.
            *pointer = pointer.wrapping_offset(unsafe { *src_stride.add(k) });
        }
    }
}

/// Makes room for a node of `size` bytes with a child behind it, and sets its header, destructor first.
/// # Safety
/// 1. `ckb` is a constructed builder; a zeroed prefix is at `offset`; the node's words follow before anything uses it.
/// 2. `N::destroy` accepts the node while its words are still zero.
pub(crate) unsafe fn place<P: Proto, N: Node>(
    ckb: *mut CKernelBuilder,
    offset: usize,
    size: usize,
    nsrc: usize,
    counts: [usize; 2],
    request: KernelRequest,
) -> Result<()> {
    let too_many = |n: usize| {
        u16::try_from(n).map_err(|_| {
            KernelError::new(
                ErrorKind::InvalidArgument,
                format!("{n} operands or dimensions are too many for a kernel; at most 65535"),
            )
        })
    };
    let (nsrc, counts) = (too_many(nsrc)?, [too_many(counts[0])?, too_many(counts[1])?]);
    // SAFETY: (1), (2).
    unsafe {
        CKernelBuilder::ensure_capacity(ckb, (offset + size) as isize).map_err(KernelError::from)?;
        let header = &mut *at::<Header>(ckb, offset);
        header.prefix.destructor = Some(N::destroy);
        P::install::<N>(&mut header.prefix, request);
        (header.nsrc, header.counts) = (nsrc, counts);
    }
    Ok(())
}

/// A place in the block. Fetch it again after anything was built.
/// # Safety
/// 1. `ckb` holds at least `offset` bytes and a `T`.
#[inline]
pub(crate) unsafe fn at<T>(ckb: *mut CKernelBuilder, offset: usize) -> *mut T {
    // SAFETY: (1); offsets are multiples of 8.
    unsafe { (*ckb).data.add(offset).cast() }
}

/// The words behind a node's header.
/// # Safety
/// 1. The node has `count` words, and they are not changed while the slice lives.
#[inline]
pub(crate) unsafe fn words<'a>(node: *mut Header, count: usize) -> &'a [isize] {
    // SAFETY: (1).
    unsafe { std::slice::from_raw_parts(node.byte_add(HEADER).cast(), count) }
}

/// Sets what is known once the children are built.
/// # Safety
/// 1. A header is at `offset`.
pub(crate) unsafe fn finish(ckb: *mut CKernelBuilder, offset: usize, placed: Placed) -> Placed {
    // SAFETY: (1).
    let header = unsafe { &mut *at::<Header>(ckb, offset) };
    header.fallible = placed.fallible.into();
    header.leaves = placed.leaves;
    placed
}

/// Rewrites the pending error of an element inside a row or a field: its place goes into the message, and for the
/// parents it is one element.
#[cold]
pub(crate) fn inside(what: std::fmt::Arguments<'_>) {
    if let Some(error) = error::take() {
        let _ = match error.element() {
            Some(element) => {
                error::record(error.kind(), 0, format_args!("{what}, element {element}: {}", error.message()))
            }
            None => error::record(error.kind(), 0, format_args!("{what}: {}", error.message())),
        };
    }
}
