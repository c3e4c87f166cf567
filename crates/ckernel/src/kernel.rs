//! A finished kernel, and what it is called with.

use crate::abi::{CKernelPrefix, FuncProto, KernelRequest, type_id};
use crate::builder::{CKernelBuilder, INLINE_CAPACITY, block_layout};
use crate::deferred::Deferred;
use crate::error::{self, Aside, ErrorKind, KernelError};
use crate::function::Element;
use crate::typed::{Builder, Form, Slot};
use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, align_of, size_of};
use core::ptr::NonNull;

/// A finished kernel: it owns its block, never changes, and may run on many threads at once.
///
/// The block lies in the `Kernel` itself if it has at most 16 words, and then building, moving and calling it needs no
/// heap memory.
pub struct Kernel {
    /// Null if the block is inline.
    heap: *mut u8,
    capacity: usize,
    /// A cell, because data in the block may be atomic.
    inline: UnsafeCell<InlineBlock>,
    form: Form,
    /// Keeps alive what the kernel may refer to, and knows its types.
    source: Option<Deferred>,
}

/// The memory of a block that lies in its `Kernel`.
///
/// A block holds values of any type: some of its bytes are padding, which no integer may be read from, and some are
/// pointers, which an integer would forget the origin of. So moving a `Kernel` must copy bytes as they are, and
/// `MaybeUninit<u8>` is the type whose copies do.
#[repr(C)]
struct InlineBlock {
    /// The alignment that kernels may rely on.
    align: [usize; 0],
    bytes: [MaybeUninit<u8>; INLINE_CAPACITY],
}

impl InlineBlock {
    const EMPTY: InlineBlock = InlineBlock { align: [], bytes: [MaybeUninit::uninit(); INLINE_CAPACITY] };

    /// Copies the bytes at `block` as they are.
    /// # Safety
    /// 1. `block` points to [`INLINE_CAPACITY`] readable bytes.
    unsafe fn copy_of(block: *const u8) -> InlineBlock {
        let mut copy = InlineBlock::EMPTY;
        // SAFETY: (1); the copy is new memory. Bytes of `MaybeUninit<u8>` need not be initialised.
        unsafe { block.cast::<MaybeUninit<u8>>().copy_to_nonoverlapping(copy.bytes.as_mut_ptr(), INLINE_CAPACITY) };
        copy
    }
}

// SAFETY: what a block owns is `Send + Sync` by the bounds of `typed::Node`, or by the contracts of `Builder::push`,
// `Builder::raw` and `Deferred::from_raw`; its functions leave the block unchanged (rule 6 of the call contract).
unsafe impl Send for Kernel {}
// SAFETY: as for Send; scratch memory belongs to the calling thread, never to the block.
unsafe impl Sync for Kernel {}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("form", &format_args!("{}", self.form))
            .field("inline", &self.heap.is_null())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

/// Destructs the builder on the stack, also when building fails or panics.
struct Guard<'a>(&'a mut MaybeUninit<CKernelBuilder>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // SAFETY: `Kernel::build` constructs the builder before it makes the guard.
        unsafe { CKernelBuilder::destruct(self.0.as_mut_ptr()) }
    }
}

impl Kernel {
    /// Builds a kernel: `f` fills the slot at the start of the block.
    ///
    /// # Errors
    /// Those of `f`; also when `f` left a slot open. What was built by then is destroyed.
    pub fn build(
        proto: FuncProto,
        request: KernelRequest,
        f: impl for<'b> FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
    ) -> Result<Self, KernelError> {
        let mut memory = MaybeUninit::uninit();
        // SAFETY: the memory is on this stack frame and is not moved before the guard destructs the builder.
        unsafe { CKernelBuilder::construct(memory.as_mut_ptr()) };
        let guard = Guard(&mut memory);
        let raw = NonNull::from(&mut *guard.0).cast();
        // SAFETY: constructed and zero; only this builder uses it; `f` works for every brand, so this one is new.
        let (mut builder, slot) = unsafe { Builder::from_raw(raw, 0) };
        f(&mut builder, slot)?;
        builder.check_complete(0)?;
        // SAFETY: complete and from now on unchanged, by `check_complete` and the contracts of what `f` called.
        Ok(unsafe { Self::take(raw.as_ptr(), Form { proto, request }) })
    }

    /// Takes the kernel out of a raw builder, which is empty afterwards.
    ///
    /// # Errors
    /// When the builder holds no kernel.
    /// # Safety
    /// 1. `builder` is constructed, and its kernel, if it has one, is complete and was built for `proto` and `request`.
    /// 2. The kernel may be called, and destroyed, by any thread, and be called by several at once.
    pub unsafe fn from_builder(
        builder: *mut CKernelBuilder,
        proto: FuncProto,
        request: KernelRequest,
    ) -> Result<Self, KernelError> {
        // SAFETY: (1).
        unsafe {
            if (*builder).data.is_null() || (*(*builder).data.cast::<CKernelPrefix>()).function.is_null() {
                return Err(KernelError::new(ErrorKind::Uninitialized, "the ckernel builder holds no kernel"));
            }
            let kernel = Self::take(builder, Form { proto, request });
            CKernelBuilder::construct(builder);
            Ok(kernel)
        }
    }

    /// Moves the block out of the builder, which has no memory afterwards.
    unsafe fn take(builder: *mut CKernelBuilder, form: Form) -> Self {
        // SAFETY: callers pass a builder with a complete kernel. Blocks may be moved by copying their bytes; an inline one
        // has all of the builder's.
        unsafe {
            let inline = (*builder).is_inline();
            let kernel = Self {
                heap: if inline { core::ptr::null_mut() } else { (*builder).data },
                capacity: (*builder).capacity as usize,
                inline: UnsafeCell::new(if inline {
                    InlineBlock::copy_of((*builder).data)
                } else {
                    InlineBlock::EMPTY
                }),
                form,
                source: None,
            };
            (*builder).data = core::ptr::null_mut();
            (*builder).capacity = 0;
            kernel
        }
    }

    pub(crate) fn with_source(mut self, source: Deferred) -> Self {
        self.source = Some(source);
        self
    }

    /// The prefix, for calling the kernel from C while this `Kernel` stays where it is.
    #[inline]
    pub fn as_ptr(&self) -> *mut CKernelPrefix {
        if self.heap.is_null() { self.inline.get().cast() } else { self.heap.cast() }
    }

    /// What the kernel was built for.
    pub fn form(&self) -> Form {
        self.form
    }

    /// True if the kernel needs no heap memory.
    pub fn is_inline(&self) -> bool {
        self.heap.is_null()
    }

    #[inline]
    fn expect(&self, proto: FuncProto, request: KernelRequest) -> Result<&CKernelPrefix, KernelError> {
        let called = Form { proto, request };
        if self.form != called && !(proto == FuncProto::Predicate && self.form.proto == proto) {
            return Err(KernelError::new(
                ErrorKind::Type,
                format!("the kernel was built as {}, but called as {called}", self.form),
            ));
        }
        // SAFETY: the block starts with a prefix, and lives as long as `self`.
        Ok(unsafe { &*self.as_ptr() })
    }

    /// Runs a call and turns the error that it recorded into a result.
    #[inline]
    fn run_raw<R>(call: impl FnOnce() -> R) -> Result<R, KernelError> {
        if error::pending() {
            return Self::run_aside(call);
        }
        let result = call();
        if error::pending()
            && let Some(error) = error::take()
        {
            return Err(error);
        }
        Ok(result)
    }

    /// A kernel that has recorded an error may call another kernel before it returns: its error is kept aside.
    #[cold]
    fn run_aside<R>(call: impl FnOnce() -> R) -> Result<R, KernelError> {
        let _aside = Aside::new();
        let result = call();
        error::take().map_or(Ok(result), Err)
    }

    /// Calls a unary single kernel.
    ///
    /// # Errors
    /// What the kernel recorded; also when it was built in another form.
    /// # Safety
    /// 1. The places follow rules 3 to 5 of [`crate::abi`].
    #[inline]
    pub unsafe fn unary_single(&self, dst: *mut u8, src: *const u8) -> Result<(), KernelError> {
        let prefix = self.expect(FuncProto::Unary, KernelRequest::Single)?;
        // SAFETY: (1); the form was checked.
        Self::run_raw(|| unsafe { prefix.unary_single()(dst, src, self.as_ptr()) })
    }

    /// Calls a unary strided kernel.
    ///
    /// # Errors
    /// What the kernel recorded; also when it was built in another form.
    /// # Safety
    /// 1. The places follow rules 3 to 5 of [`crate::abi`].
    #[inline]
    pub unsafe fn unary_strided(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
    ) -> Result<(), KernelError> {
        let prefix = self.expect(FuncProto::Unary, KernelRequest::Strided)?;
        // SAFETY: (1); the form was checked.
        Self::run_raw(|| unsafe { prefix.unary_strided()(dst, dst_stride, src, src_stride, count, self.as_ptr()) })
    }

    /// Calls an expr single kernel.
    ///
    /// # Errors
    /// What the kernel recorded; also when it was built in another form.
    /// # Safety
    /// 1. The arrays and places follow rules 2 to 5 of [`crate::abi`].
    #[inline]
    pub unsafe fn expr_single(&self, dst: *mut u8, src: *const *const u8) -> Result<(), KernelError> {
        let prefix = self.expect(FuncProto::Expr, KernelRequest::Single)?;
        // SAFETY: (1); the form was checked.
        Self::run_raw(|| unsafe { prefix.expr_single()(dst, src, self.as_ptr()) })
    }

    /// Calls an expr strided kernel.
    ///
    /// # Errors
    /// What the kernel recorded; also when it was built in another form.
    /// # Safety
    /// 1. The arrays and places follow rules 2 to 5 of [`crate::abi`].
    #[inline]
    pub unsafe fn expr_strided(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) -> Result<(), KernelError> {
        let prefix = self.expect(FuncProto::Expr, KernelRequest::Strided)?;
        // SAFETY: (1); the form was checked.
        Self::run_raw(|| unsafe { prefix.expr_strided()(dst, dst_stride, src, src_stride, count, self.as_ptr()) })
    }

    /// Calls a binary predicate.
    ///
    /// # Errors
    /// What the kernel recorded; also when it is no predicate.
    /// # Safety
    /// 1. The places follow rules 3 and 5 of [`crate::abi`].
    #[inline]
    pub unsafe fn predicate(&self, src0: *const u8, src1: *const u8) -> Result<bool, KernelError> {
        let prefix = self.expect(FuncProto::Predicate, KernelRequest::Single)?;
        // SAFETY: (1); the form was checked.
        Self::run_raw(|| unsafe { prefix.predicate()(src0, src1, self.as_ptr()) } != 0)
    }

    /// Calls the kernel on Rust data: `dst[i] = f(src[0][i], src[1][i], ...)`, or once for a single kernel.
    ///
    /// # Errors
    /// What the kernel recorded. Before anything is written: a wrong number of sources, a type or a length that differs
    /// from what the kernel takes, a kernel whose types are not known.
    pub fn run(&self, dst: OperandMut<'_>, src: &[Operand<'_>]) -> Result<(), KernelError> {
        let types = self.types()?;
        if self.form.proto == FuncProto::Predicate {
            return Err(KernelError::new(ErrorKind::Type, "the kernel is a binary predicate; use `test`"));
        }
        if src.len() + 1 != types.len() {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("{} sources were given, but the kernel takes {}", src.len(), types.len() - 1),
            ));
        }
        check_type("destination", dst.place.type_id, types[0])?;
        for (k, source) in src.iter().enumerate() {
            check_type(format_args!("source {k}"), source.place.type_id, types[k + 1])?;
            if source.place.count.is_some_and(|count| Some(count) != dst.place.count) {
                return Err(KernelError::new(
                    ErrorKind::Broadcast,
                    format!(
                        "source {k} has {} elements, but the destination has {}",
                        source.place.count.unwrap_or(1),
                        dst.place.count.unwrap_or(1)
                    ),
                ));
            }
        }
        let count = dst.place.count.unwrap_or(1);
        if self.form.request == KernelRequest::Single && count != 1 {
            return Err(KernelError::new(
                ErrorKind::Broadcast,
                format!("the destination has {count} elements, but a single kernel does one"),
            ));
        }
        // SAFETY: types, lengths and the number of sources were checked; `Operand`s stay inside their slices, and an
        // `OperandMut` is disjoint from them by its exclusive borrow. So rules 2 to 5 hold.
        with_arrays(src, |starts, strides| unsafe {
            let (to, step) = (dst.place.start.cast_mut(), dst.place.stride);
            match (self.form.proto, self.form.request) {
                (FuncProto::Unary, KernelRequest::Single) => self.unary_single(to, starts[0]),
                (FuncProto::Unary, KernelRequest::Strided) => {
                    self.unary_strided(to, step, starts[0], strides[0], count)
                }
                (_, KernelRequest::Single) => self.expr_single(to, starts.as_ptr()),
                (_, KernelRequest::Strided) => self.expr_strided(to, step, starts.as_ptr(), strides.as_ptr(), count),
            }
        })
    }

    /// Asks a binary predicate.
    ///
    /// # Errors
    /// What the kernel recorded; also when it is no predicate or takes other types.
    pub fn test<A: Element, B: Element>(&self, a: &A, b: &B) -> Result<bool, KernelError> {
        self.expect(FuncProto::Predicate, KernelRequest::Single)?;
        let types = self.types()?;
        check_type("source 0", A::TYPE_ID, types[0])?;
        check_type("source 1", B::TYPE_ID, types[1])?;
        // SAFETY: the types were checked; references are valid places.
        unsafe { self.predicate((&raw const *a).cast(), (&raw const *b).cast()) }
    }

    fn types(&self) -> Result<&[*const crate::CKernelType], KernelError> {
        self.source.as_ref().map(Deferred::types).ok_or_else(|| {
            KernelError::new(
                ErrorKind::Type,
                "the kernel does not know its types; call it through `unary_strided` and the like",
            )
        })
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: the block is complete and is destroyed once, at its final address; heap memory came from the builder,
        // with this layout.
        unsafe {
            CKernelPrefix::destroy(self.as_ptr());
            if !self.heap.is_null()
                && let Some(layout) = block_layout(self.capacity)
            {
                std::alloc::dealloc(self.heap, layout);
            }
        }
    }
}

const _: () = assert!(INLINE_CAPACITY == size_of::<[usize; 16]>());
const _: () = assert!(size_of::<InlineBlock>() == INLINE_CAPACITY && align_of::<InlineBlock>() == align_of::<usize>());

fn check_type(what: impl fmt::Display, given: usize, expected: *const crate::CKernelType) -> Result<(), KernelError> {
    if given == expected.addr() {
        return Ok(());
    }
    Err(KernelError::new(
        ErrorKind::Type,
        format!("{what} has type {}, but the kernel takes {}", type_id::name(given), type_id::name(expected.addr())),
    ))
}

/// A vector, or an error if memory ran out.
pub(crate) fn try_collect<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, KernelError> {
    let mut vector = Vec::new();
    if vector.try_reserve_exact(items.len()).is_err() {
        return Err(KernelError::new(ErrorKind::OutOfMemory, "memory ran out for the arrays of a kernel call"));
    }
    vector.extend(items);
    Ok(vector)
}

/// Up to this many sources, the arrays for a call lie on the stack.
const STACK_SOURCES: usize = 8;

fn with_arrays(
    src: &[Operand<'_>],
    f: impl FnOnce(&[*const u8], &[isize]) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    if src.len() <= STACK_SOURCES {
        let mut starts = [core::ptr::null(); STACK_SOURCES];
        let mut strides = [0; STACK_SOURCES];
        for (k, source) in src.iter().enumerate() {
            (starts[k], strides[k]) = (source.place.start, source.place.stride);
        }
        f(&starts[..src.len()], &strides[..src.len()])
    } else {
        let starts = try_collect(src.iter().map(|source| source.place.start))?;
        let strides = try_collect(src.iter().map(|source| source.place.stride))?;
        f(&starts, &strides)
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    start: *const u8,
    stride: isize,
    /// `None`: one element, used for every element of the destination.
    count: Option<usize>,
    type_id: usize,
}

impl Place {
    fn slice<T: Element>(start: *const T, len: usize) -> Self {
        Self { start: start.cast(), stride: size_of::<T>() as isize, count: Some(len), type_id: T::TYPE_ID }
    }

    fn strided<T: Element>(
        data: *const T,
        len: usize,
        start: usize,
        stride: isize,
        count: usize,
    ) -> Result<Self, KernelError> {
        let last = match count.saturating_sub(1) {
            steps if steps == 0 || stride == 0 => Some(start),
            steps => isize::try_from(steps)
                .ok()
                .and_then(|steps| stride.checked_mul(steps))
                .and_then(|distance| start.checked_add_signed(distance)),
        };
        if count > 0 && (start >= len || last.is_none_or(|last| last >= len)) {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("{count} elements from {start} with stride {stride} leave the slice, which has {len} elements"),
            ));
        }
        let start = if count == 0 { 0 } else { start };
        Ok(Self {
            start: data.wrapping_add(start).cast(),
            // In bounds for every count above 1; a stride that is never taken need not be representable in bytes.
            stride: stride.saturating_mul(size_of::<T>() as isize),
            count: Some(count),
            type_id: T::TYPE_ID,
        })
    }
}

/// A source of a call: elements of one type in borrowed memory.
#[derive(Debug, Clone, Copy)]
pub struct Operand<'a> {
    place: Place,
    life: PhantomData<&'a [u8]>,
}

impl<'a> Operand<'a> {
    /// All elements of a slice.
    pub fn slice<T: Element>(data: &'a [T]) -> Self {
        Self { place: Place::slice(data.as_ptr(), data.len()), life: PhantomData }
    }

    /// One element, used for every element of the destination.
    pub fn repeat<T: Element>(value: &'a T) -> Self {
        let place = Place { start: (&raw const *value).cast(), stride: 0, count: None, type_id: T::TYPE_ID };
        Self { place, life: PhantomData }
    }

    /// `count` elements of a slice: `data[start]`, `data[start + stride]`, ...; the stride may be zero or negative.
    ///
    /// # Errors
    /// When an element lies outside the slice.
    pub fn strided<T: Element>(data: &'a [T], start: usize, stride: isize, count: usize) -> Result<Self, KernelError> {
        let place = Place::strided(data.as_ptr(), data.len(), start, stride, count)?;
        Ok(Self { place, life: PhantomData })
    }
}

/// The destination of a call: elements of one type in exclusively borrowed memory.
#[derive(Debug)]
pub struct OperandMut<'a> {
    place: Place,
    life: PhantomData<&'a mut [u8]>,
}

impl<'a> OperandMut<'a> {
    /// All elements of a slice.
    pub fn slice<T: Element>(data: &'a mut [T]) -> Self {
        Self { place: Place::slice(data.as_mut_ptr(), data.len()), life: PhantomData }
    }

    /// `count` elements of a slice: `data[start]`, `data[start + stride]`, ...; the stride may be zero or negative.
    ///
    /// # Errors
    /// When an element lies outside the slice.
    pub fn strided<T: Element>(
        data: &'a mut [T],
        start: usize,
        stride: isize,
        count: usize,
    ) -> Result<Self, KernelError> {
        let place = Place::strided(data.as_mut_ptr(), data.len(), start, stride, count)?;
        Ok(Self { place, life: PhantomData })
    }
}
