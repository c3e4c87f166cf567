//! Kernels around kernels: adapters between prototypes and requests, chains, constants.
//!
//! Each function here fills a slot with a parent. Those with one child return the child's slot. They need to know the
//! sizes of elements, never their types; [`Deferred`] has the typed forms.

use crate::abi::{CKernelPrefix, CKernelType, FuncProto, KernelRequest, type_id};
use crate::deferred::{Deferred, Metadata};
use crate::error::{self, ErrorKind, KernelError};
use crate::function::Element;
use crate::kernel::try_collect;
use crate::scratch;
use crate::typed::{Branch, Builder, Leaf, Parent, PrototypedFunction, Slot};
use core::mem::size_of;

/// Chains run through their buffer in chunks of this many elements.
pub const CHUNK: usize = 128;

/// Makes a unary kernel look like an expr kernel with one source. Returns the slot of the unary kernel, which needs the
/// same request.
///
/// # Errors
/// When memory ran out.
/// # Safety
/// 1. The slot's owner expects an expr kernel with this request, and the slot returned is filled with a unary one.
pub unsafe fn unary_as_expr<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    request: KernelRequest,
) -> Result<Slot<'b>, KernelError> {
    unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; the child is a unary kernel with the same request.
        unsafe {
            let child = Parent::<()>::child(self_);
            (*child).unary_single()(dst, *src, child);
        }
    }
    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: as in `single`.
        unsafe {
            let child = Parent::<()>::child(self_);
            (*child).unary_strided()(dst, dst_stride, *src, *src_stride, count, child);
        }
    }
    // SAFETY: (1).
    let parent = unsafe { builder.push::<Parent<()>>(slot, PrototypedFunction::expr(request, single, strided), ())? };
    builder.child(parent, 0)
}

/// Makes an expr kernel with one source look like a unary kernel. Returns the slot of the expr kernel, which needs the
/// same request.
///
/// # Errors
/// When memory ran out.
/// # Safety
/// 1. The slot's owner expects a unary kernel with this request, and the slot returned is filled with an expr one that
///    has one source.
pub unsafe fn expr_as_unary<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    request: KernelRequest,
) -> Result<Slot<'b>, KernelError> {
    unsafe extern "C" fn single(dst: *mut u8, src: *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; the child is an expr kernel with one source and the same request.
        unsafe {
            let child = Parent::<()>::child(self_);
            (*child).expr_single()(dst, &src, child);
        }
    }
    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: as in `single`.
        unsafe {
            let child = Parent::<()>::child(self_);
            (*child).expr_strided()(dst, dst_stride, &src, &src_stride, count, child);
        }
    }
    // SAFETY: (1).
    let parent = unsafe { builder.push::<Parent<()>>(slot, PrototypedFunction::unary(request, single, strided), ())? };
    builder.child(parent, 0)
}

/// Makes a strided kernel out of one that does single elements, by a loop. Returns the slot of the single kernel. With
/// [`KernelRequest::Single`] nothing is needed, and the slot comes back as it was.
///
/// The loop stops at the first error, which gets the element's index.
///
/// # Errors
/// When memory ran out; also for a predicate, which has no strided form.
/// # Safety
/// 1. The slot's owner expects a kernel of `proto` with `request` and `sources` sources (1 if unary); the slot returned
///    is filled with a single kernel of the same prototype and sources.
pub unsafe fn loop_over_single<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    proto: FuncProto,
    sources: usize,
    request: KernelRequest,
) -> Result<Slot<'b>, KernelError> {
    unsafe extern "C" fn unary(
        mut dst: *mut u8,
        dst_stride: isize,
        mut src: *const u8,
        src_stride: isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract; the child is a unary single kernel.
        unsafe {
            let child = Parent::<usize>::child(self_);
            let function = (*child).unary_single();
            for i in 0..count {
                function(dst, src, child);
                if error::pending() {
                    return error::set_pending_element(i);
                }
                dst = dst.wrapping_offset(dst_stride);
                src = src.wrapping_offset(src_stride);
            }
        }
    }
    unsafe extern "C" fn expr(
        mut dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract; the child is an expr single kernel with as many sources.
        unsafe {
            let child = Parent::<usize>::child(self_);
            let function = (*child).expr_single();
            let sources = Parent::<usize>::of(self_).data;
            with_pointers(src, sources, |pointers| {
                for i in 0..count {
                    function(dst, pointers.as_ptr(), child);
                    if error::pending() {
                        return error::set_pending_element(i);
                    }
                    dst = dst.wrapping_offset(dst_stride);
                    for (k, pointer) in pointers.iter_mut().enumerate() {
                        *pointer = pointer.wrapping_offset(*src_stride.add(k));
                    }
                }
            });
        }
    }
    let function = match (request, proto) {
        (KernelRequest::Single, _) => return Ok(slot),
        (_, FuncProto::Unary) => PrototypedFunction::UnaryStrided(unary),
        (_, FuncProto::Expr) => PrototypedFunction::ExprStrided(expr),
        (_, FuncProto::Predicate) => {
            return Err(KernelError::new(ErrorKind::Type, "a binary predicate has no strided form"));
        }
    };
    // SAFETY: (1).
    let parent = unsafe { builder.push::<Parent<usize>>(slot, function, sources)? };
    builder.child(parent, 0)
}

/// Runs `f` with a copy of the source pointers that it may advance: the caller's array stays as it is (rule 6).
/// # Safety
/// 1. `src` has `sources` entries.
unsafe fn with_pointers(src: *const *const u8, sources: usize, f: impl FnOnce(&mut [*const u8])) {
    const STACK: usize = 8;
    if sources <= STACK {
        let mut pointers = [core::ptr::null(); STACK];
        // SAFETY: (1).
        unsafe { core::ptr::copy_nonoverlapping(src, pointers.as_mut_ptr(), sources) };
        f(&mut pointers[..sources]);
    } else {
        // Without memory the error is in the slot, and nothing is called.
        let _ = scratch::with(sources * size_of::<*const u8>(), |memory| {
            let pointers = memory.as_mut_ptr().cast::<*const u8>();
            // SAFETY: (1); the frame is aligned to 64 bytes, has room for all, and is initialised by the copy.
            let pointers = unsafe {
                core::ptr::copy_nonoverlapping(src, pointers, sources);
                core::slice::from_raw_parts_mut(pointers, sources)
            };
            f(pointers);
        });
    }
}

/// The bytes of one element.
#[derive(Debug, Clone)]
enum Value {
    /// The first `u8` of them count.
    Small(u8, [u8; 16]),
    Large(Box<[u8]>),
}

impl Value {
    fn new(bytes: &[u8]) -> Self {
        let mut small = [0; 16];
        match small.get_mut(..bytes.len()) {
            Some(start) => {
                start.copy_from_slice(bytes);
                Self::Small(bytes.len() as u8, small)
            }
            None => Self::Large(bytes.into()),
        }
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Small(length, bytes) => &bytes[..usize::from(*length)],
            Self::Large(bytes) => bytes,
        }
    }
}

/// Fills a slot with a kernel that writes the same bytes to every element; the sources are ignored.
///
/// # Errors
/// When memory ran out; also for a predicate.
/// # Safety
/// 1. The slot's owner expects a kernel of `proto` with `request`, for a destination whose elements are valid when
///    they hold `value`.
pub unsafe fn constant<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    proto: FuncProto,
    request: KernelRequest,
    value: &[u8],
) -> Result<(), KernelError> {
    unsafe fn fill(mut dst: *mut u8, dst_stride: isize, count: usize, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; every element has as many bytes as the value.
        unsafe {
            let value = Leaf::<Value>::of(self_).data.bytes();
            for _ in 0..count {
                core::ptr::copy_nonoverlapping(value.as_ptr(), dst, value.len());
                dst = dst.wrapping_offset(dst_stride);
            }
        }
    }
    unsafe extern "C" fn unary_single(dst: *mut u8, _: *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract.
        unsafe { fill(dst, 0, 1, self_) }
    }
    unsafe extern "C" fn unary_strided(
        dst: *mut u8,
        dst_stride: isize,
        _: *const u8,
        _: isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract.
        unsafe { fill(dst, dst_stride, count, self_) }
    }
    unsafe extern "C" fn expr_single(dst: *mut u8, _: *const *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract.
        unsafe { fill(dst, 0, 1, self_) }
    }
    unsafe extern "C" fn expr_strided(
        dst: *mut u8,
        dst_stride: isize,
        _: *const *const u8,
        _: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract.
        unsafe { fill(dst, dst_stride, count, self_) }
    }
    let function = match proto {
        FuncProto::Unary => PrototypedFunction::unary(request, unary_single, unary_strided),
        FuncProto::Expr => PrototypedFunction::expr(request, expr_single, expr_strided),
        FuncProto::Predicate => {
            return Err(KernelError::new(ErrorKind::Type, "a binary predicate writes nothing, so it cannot fill"));
        }
    };
    // SAFETY: (1).
    unsafe { builder.push::<Leaf<Value>>(slot, function, Value::new(value)).map(drop) }
}

/// What a chain knows.
#[derive(Debug, Clone, Copy)]
struct Chain {
    /// Bytes from one element of the buffer to the next.
    element: usize,
    /// Sources of the first kernel.
    sources: usize,
    /// The buffer is zeroed before the first kernel writes to it.
    zeroed: bool,
}

/// How two kernels are chained.
#[derive(Debug, Clone, Copy)]
pub struct ChainLayout {
    /// The prototype of the chain and of its first kernel: unary or expr. The second kernel is unary.
    pub proto: FuncProto,
    /// The number of sources of the first kernel; 1 if it is unary.
    pub sources: usize,
    /// The size of an element between the two kernels, in bytes: a multiple of its alignment, which is at most 64.
    pub element_size: usize,
    /// The buffer has to hold zeros before the first kernel writes to it.
    pub zeroed: bool,
}

/// Fills a slot with a chain: the first kernel writes to a buffer, the second reads from it. `first` and `second` fill
/// the slots of the two kernels, each with the same request as the chain.
///
/// The buffer holds [`CHUNK`] elements (one, for a single kernel) and comes from the calling thread's scratch arena,
/// so that one chain may run on many threads at once. The first error stops the chain; elements before its chunk have
/// been written, later chunks have not.
///
/// # Errors
/// Those of the two factories; an element size that overflows the buffer; a predicate; when memory ran out.
/// # Safety
/// 1. The slot's owner expects a kernel of `layout.proto` with `request`; the factories place kernels of the prototypes
///    that `layout` names, with `request`, whose common element type has the given size.
pub unsafe fn chain<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    layout: ChainLayout,
    request: KernelRequest,
    first: impl FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
    second: impl FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    type Node = Branch<Chain, 2>;

    /// Runs `f` with a buffer for `count` elements; without memory, the error is in the slot.
    fn with_buffer(chain: &Chain, count: usize, f: impl FnOnce(*mut u8)) {
        let _ = scratch::with(chain.element * count, |buffer| f(buffer.as_mut_ptr().cast()));
    }

    /// The first kernel's call for `count` elements into the buffer is `fill(buffer, start, count)`.
    unsafe fn in_chunks(
        mut dst: *mut u8,
        dst_stride: isize,
        count: usize,
        self_: *mut CKernelPrefix,
        mut fill: impl FnMut(*mut u8, isize, usize, *mut CKernelPrefix),
    ) {
        if count == 0 {
            return;
        }
        // SAFETY: the call contract; the node is complete, and its children have the prototypes it was built for.
        unsafe {
            let chain = &Node::of(self_).data;
            let (first, second) = (Node::child(self_, 0), Node::child(self_, 1));
            let step = chain.element as isize;
            with_buffer(chain, count.min(CHUNK), |buffer| {
                let mut start = 0;
                while start < count {
                    let chunk = (count - start).min(CHUNK);
                    if chain.zeroed {
                        buffer.write_bytes(0, chain.element * chunk);
                    }
                    fill(buffer, step, chunk, first);
                    if error::pending_from(start) {
                        return;
                    }
                    (*second).unary_strided()(dst, dst_stride, buffer, step, chunk, second);
                    if error::pending_from(start) {
                        return;
                    }
                    dst = dst.wrapping_offset(dst_stride.wrapping_mul(chunk as isize));
                    start += chunk;
                }
            });
        }
    }

    unsafe fn once(dst: *mut u8, self_: *mut CKernelPrefix, fill: impl FnOnce(*mut u8, *mut CKernelPrefix)) {
        // SAFETY: as in `in_chunks`.
        unsafe {
            let chain = &Node::of(self_).data;
            let (first, second) = (Node::child(self_, 0), Node::child(self_, 1));
            with_buffer(chain, 1, |buffer| {
                if chain.zeroed {
                    buffer.write_bytes(0, chain.element);
                }
                fill(buffer, first);
                if !error::pending() {
                    (*second).unary_single()(dst, buffer, second);
                }
            });
        }
    }

    unsafe extern "C" fn unary_single(dst: *mut u8, src: *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; the first child is a unary single kernel.
        unsafe { once(dst, self_, |buffer, first| (*first).unary_single()(buffer, src, first)) }
    }

    unsafe extern "C" fn unary_strided(
        dst: *mut u8,
        dst_stride: isize,
        mut src: *const u8,
        src_stride: isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract; the first child is a unary strided kernel.
        unsafe {
            in_chunks(dst, dst_stride, count, self_, |buffer, step, chunk, first| {
                (*first).unary_strided()(buffer, step, src, src_stride, chunk, first);
                src = src.wrapping_offset(src_stride.wrapping_mul(chunk as isize));
            });
        }
    }

    unsafe extern "C" fn expr_single(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; the first child is an expr single kernel.
        unsafe { once(dst, self_, |buffer, first| (*first).expr_single()(buffer, src, first)) }
    }

    unsafe extern "C" fn expr_strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: the call contract; the first child is an expr strided kernel with as many sources.
        unsafe {
            with_pointers(src, Node::of(self_).data.sources, |pointers| {
                in_chunks(dst, dst_stride, count, self_, |buffer, step, chunk, first| {
                    (*first).expr_strided()(buffer, step, pointers.as_ptr(), src_stride, chunk, first);
                    for (k, pointer) in pointers.iter_mut().enumerate() {
                        *pointer = pointer.wrapping_offset((*src_stride.add(k)).wrapping_mul(chunk as isize));
                    }
                });
            });
        }
    }

    if layout.element_size > isize::MAX as usize / CHUNK {
        return Err(KernelError::new(
            ErrorKind::InvalidArgument,
            format!(
                "the buffer's element size is {} bytes, but must be at most {}",
                layout.element_size,
                isize::MAX as usize / CHUNK
            ),
        ));
    }
    let function = match layout.proto {
        FuncProto::Unary => PrototypedFunction::unary(request, unary_single, unary_strided),
        FuncProto::Expr => PrototypedFunction::expr(request, expr_single, expr_strided),
        FuncProto::Predicate => {
            return Err(KernelError::new(
                ErrorKind::Type,
                "a binary predicate writes nothing, so it cannot be chained",
            ));
        }
    };
    let data = Chain { element: layout.element_size, sources: layout.sources, zeroed: layout.zeroed };
    // SAFETY: (1).
    let node = unsafe { builder.push::<Node>(slot, function, data)? };
    let slot = builder.child(node, 0)?;
    first(builder, slot)?;
    let slot = builder.child(node, 1)?;
    second(builder, slot)
}

fn wrong_proto(what: &str, deferred: &Deferred, expected: &str) -> KernelError {
    KernelError::new(
        ErrorKind::Type,
        format!("{what} is {:?} with {} types, but must be {expected}", deferred.proto(), deferred.types().len()),
    )
}

impl Deferred {
    /// This unary kernel as an expr kernel with one source.
    ///
    /// # Errors
    /// When it is not unary.
    pub fn as_expr(&self) -> Result<Deferred, KernelError> {
        if self.proto() != FuncProto::Unary {
            return Err(wrong_proto("the kernel", self, "unary"));
        }
        let child = self.clone();
        // SAFETY: the types are the same, and the prototypes were checked.
        Ok(unsafe {
            Self::new(FuncProto::Expr, self.types(), move |builder, slot, metadata, request| {
                let slot = unary_as_expr(builder, slot, request)?;
                builder.deferred(slot, &child, metadata, request)
            })
        })
    }

    /// This expr kernel with one source as a unary kernel.
    ///
    /// # Errors
    /// When it is no expr kernel, or has another number of sources.
    pub fn as_unary(&self) -> Result<Deferred, KernelError> {
        if self.proto() != FuncProto::Expr || self.types().len() != 2 {
            return Err(wrong_proto("the kernel", self, "an expr kernel with one source"));
        }
        let child = self.clone();
        // SAFETY: the types are the same, and the prototypes were checked.
        Ok(unsafe {
            Self::new(FuncProto::Unary, self.types(), move |builder, slot, metadata, request| {
                let slot = expr_as_unary(builder, slot, request)?;
                builder.deferred(slot, &child, metadata, request)
            })
        })
    }

    /// This kernel, asked for single kernels only: a strided one is a loop around the single one. For foreign kernels
    /// that have no strided form.
    ///
    /// # Errors
    /// When it is a predicate.
    pub fn loop_over_single(&self) -> Result<Deferred, KernelError> {
        if self.proto() == FuncProto::Predicate {
            return Err(wrong_proto("the kernel", self, "unary or expr"));
        }
        let child = self.clone();
        // SAFETY: prototype and types are the same.
        Ok(unsafe {
            Self::new(self.proto(), self.types(), move |builder, slot, metadata, request| {
                let slot = loop_over_single(builder, slot, child.proto(), child.types().len() - 1, request)?;
                builder.deferred(slot, &child, metadata, KernelRequest::Single)
            })
        })
    }

    /// An expr kernel that writes `value` to every element, for sources of the given types, which it ignores.
    pub fn constant<T: Element>(value: T, sources: &[*const CKernelType]) -> Deferred {
        let types: Vec<_> = [crate::builtin_type(T::TYPE_ID)].iter().chain(sources).copied().collect();
        // SAFETY: a scalar's bytes are initialised; the destination has this type.
        unsafe {
            Self::new(FuncProto::Expr, types, move |builder, slot, _, request| {
                let bytes = core::slice::from_raw_parts((&raw const value).cast::<u8>(), size_of::<T>());
                constant(builder, slot, FuncProto::Expr, request, bytes)
            })
        }
    }

    /// This kernel and then `second`, a unary kernel or an expr kernel with one source, through a buffer of elements of
    /// a builtin type.
    ///
    /// # Errors
    /// When this kernel's destination and the second one's source differ in type, or the type is not builtin (use
    /// [`adapt::chain`](chain)), or a prototype does not fit.
    ///
    /// ```
    /// use gristmill_ckernel::{Deferred, KernelRequest, Operand, OperandMut};
    ///
    /// let half = Deferred::unary(|x: i32| f64::from(x) / 2.0);
    /// let floor = Deferred::unary(|x: f64| x.floor() as i64);
    /// let kernel = half.chain(&floor)?.instantiate(KernelRequest::Strided)?;
    /// let mut dst = [0_i64; 3];
    /// kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&[7, 8, -3])])?;
    /// assert_eq!(dst, [3, 4, -2]);
    /// # Ok::<(), gristmill_ckernel::KernelError>(())
    /// ```
    pub fn chain(&self, second: &Deferred) -> Result<Deferred, KernelError> {
        if self.proto() == FuncProto::Predicate {
            return Err(wrong_proto("the first kernel", self, "unary or expr"));
        }
        let second = match second.proto() {
            FuncProto::Unary => second.clone(),
            FuncProto::Expr if second.types().len() == 2 => second.as_unary()?,
            _ => return Err(wrong_proto("the second kernel", second, "unary, or an expr kernel with one source")),
        };
        let (from, to) = (self.types()[0], second.types()[1]);
        if from != to {
            return Err(KernelError::new(
                ErrorKind::Type,
                format!(
                    "the first kernel's destination is {}, but the second kernel's source is {}",
                    type_id::name(from.addr()),
                    type_id::name(to.addr())
                ),
            ));
        }
        let Some(element_size) = type_id::size(from.addr()) else {
            return Err(KernelError::new(
                ErrorKind::NotImplemented,
                "the type between the two kernels is not builtin; use `adapt::chain`, which takes an element size",
            ));
        };
        let layout = ChainLayout { proto: self.proto(), sources: self.types().len() - 1, element_size, zeroed: false };
        let mut types = self.types().to_vec();
        types[0] = second.types()[0];
        let first = self.clone();
        // SAFETY: prototypes, the types on both sides of the buffer and its element size were checked. The first
        // kernel's destination is builtin, so its metadata is null; so is the second one's source.
        Ok(unsafe {
            Self::new(self.proto(), types, move |builder, slot, metadata, request| {
                let second_metadata = [metadata.get(0), core::ptr::null()];
                // Builtin types have no metadata, and then building a chain allocates nothing.
                let first_metadata = match metadata.is_none() {
                    true => Vec::new(),
                    false => try_collect((0..layout.sources + 1).map(|k| match k {
                        0 => core::ptr::null(),
                        _ => metadata.get(k),
                    }))?,
                };
                let for_first = if metadata.is_none() { metadata } else { Metadata::new(&first_metadata) };
                chain(
                    builder,
                    slot,
                    layout,
                    request,
                    |builder, slot| builder.deferred(slot, &first, for_first, request),
                    |builder, slot| builder.deferred(slot, &second, Metadata::new(&second_metadata), request),
                )
            })
        })
    }
}
