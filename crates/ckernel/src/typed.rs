//! The typed builder: kernels as trees of Rust values in one block.
//!
//! A node is a prefix, Rust data, and its children behind it. Every Rust value may be moved by `memcpy`, so any
//! `Send + Sync` type can be a node's data; what it owns (a JIT handle, an `Arc`) is dropped exactly once, by the
//! node's destructor, whether the kernel is finished or abandoned half-way.
//!
//! The builder hands out [`Handle`]s, which are offsets, and lends references only until the next call that may move
//! the block. [`Slot`]s are the places where a kernel is expected; each can be filled once.

use crate::abi::{CKernelPrefix, FuncProto, KernelRequest, round_up};
use crate::builder::CKernelBuilder;
use crate::deferred::{Deferred, Metadata};
use crate::error::{ErrorKind, KernelError};
use crate::function::swallow;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::mem::{align_of, needs_drop, size_of};
use core::ptr::NonNull;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes a lifetime invariant, so that each builder has handles and slots of its own type.
type Brand<'b> = PhantomData<fn(&'b ()) -> &'b ()>;

/// Puts one kernel together in the memory of a [`CKernelBuilder`].
///
/// The lifetime `'b` is the builder's identity: handles and slots of one builder do not fit another.
pub struct Builder<'b> {
    raw: NonNull<CKernelBuilder>,
    /// Where the next kernel goes.
    end: usize,
    /// A slot was handed out and is not filled yet.
    open: bool,
    /// The node whose child has to come next, directly behind it.
    owed: Option<usize>,
    /// Children that nodes still need.
    missing: usize,
    /// A factory failed: the kernel must not be finished, even if the error was ignored.
    failed: bool,
    brand: Brand<'b>,
}

/// A place where a kernel is expected: 16 zeroed bytes in the block, which the parent knows already.
#[must_use = "the kernel is incomplete until the slot is filled"]
pub struct Slot<'b> {
    offset: usize,
    brand: Brand<'b>,
}

/// A node in the block, by its offset: it stays valid when the block moves.
pub struct Handle<'b, N> {
    offset: usize,
    brand: Brand<'b>,
    node: PhantomData<fn() -> N>,
}

impl<N> Clone for Handle<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Handle<'_, N> {}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("end", &self.end).field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl fmt::Debug for Slot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(&self.offset).finish()
    }
}

impl<N> fmt::Debug for Handle<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.offset).finish()
    }
}

impl Slot<'_> {
    /// Where the kernel will lie, in bytes from the start of the block.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl<N> Handle<'_, N> {
    /// Where the node lies, in bytes from the start of the block.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// A kernel function with its prototype.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum PrototypedFunction {
    UnarySingle(crate::UnarySingle),
    UnaryStrided(crate::UnaryStrided),
    ExprSingle(crate::ExprSingle),
    ExprStrided(crate::ExprStrided),
    Predicate(crate::BinaryPredicate),
}

impl PrototypedFunction {
    /// The pointer for the prefix.
    pub fn as_ptr(self) -> *mut c_void {
        match self {
            Self::UnarySingle(f) => f as *mut c_void,
            Self::UnaryStrided(f) => f as *mut c_void,
            Self::ExprSingle(f) => f as *mut c_void,
            Self::ExprStrided(f) => f as *mut c_void,
            Self::Predicate(f) => f as *mut c_void,
        }
    }

    /// The unary function for a request.
    pub fn unary(request: KernelRequest, single: crate::UnarySingle, strided: crate::UnaryStrided) -> Self {
        match request {
            KernelRequest::Single => Self::UnarySingle(single),
            KernelRequest::Strided => Self::UnaryStrided(strided),
        }
    }

    /// The expr function for a request.
    pub fn expr(request: KernelRequest, single: crate::ExprSingle, strided: crate::ExprStrided) -> Self {
        match request {
            KernelRequest::Single => Self::ExprSingle(single),
            KernelRequest::Strided => Self::ExprStrided(strided),
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The layouts that a node can have: [`Leaf`], [`Parent`], [`Branch`].
pub trait Node: sealed::Sealed + Sized + 'static {
    /// What the node holds besides prefix and child offsets.
    type Data: Send + Sync + 'static;
    #[doc(hidden)]
    const CHILDREN: usize;
    /// The only child lies directly behind the node, so that its offset is not stored.
    #[doc(hidden)]
    const BEHIND: bool;
    #[doc(hidden)]
    fn new(function: *mut c_void, data: Self::Data) -> Self;
    #[doc(hidden)]
    fn data(&self) -> &Self::Data;
    #[doc(hidden)]
    fn data_mut(&mut self) -> &mut Self::Data;
    #[doc(hidden)]
    fn child_entry(&mut self, index: usize) -> Option<&mut usize>;
}

/// A kernel without children: prefix, data.
#[repr(C)]
#[derive(Debug)]
pub struct Leaf<K> {
    prefix: CKernelPrefix,
    /// The kernel's data.
    pub data: K,
}

/// A kernel with one child, which lies directly behind it.
#[repr(C)]
#[derive(Debug)]
pub struct Parent<K> {
    prefix: CKernelPrefix,
    /// The kernel's data.
    pub data: K,
}

/// A kernel with `N` children, at stored offsets relative to its own prefix.
#[repr(C)]
#[derive(Debug)]
pub struct Branch<K, const N: usize> {
    prefix: CKernelPrefix,
    /// 0 until the child has its place.
    children: [usize; N],
    /// The kernel's data.
    pub data: K,
}

/// Drops a node's data. A destructor must not unwind; the panic hook has reported the panic by then.
unsafe fn drop_data<K>(data: *mut K) {
    // SAFETY: callers pass the initialised data of a node that is being destroyed.
    swallow(catch_unwind(AssertUnwindSafe(|| unsafe { data.drop_in_place() })));
}

impl<K> Leaf<K> {
    /// The node at a prefix.
    /// # Safety
    /// 1. `self_` is the prefix of a `Leaf<K>` that lives, unmoved, for `'a`.
    #[inline]
    pub unsafe fn of<'a>(self_: *mut CKernelPrefix) -> &'a Self {
        // SAFETY: (1).
        unsafe { &*self_.cast() }
    }

    unsafe extern "C" fn destructor(self_: *mut CKernelPrefix) {
        // SAFETY: only `Leaf<K>::new` sets this destructor, and a destructor is called once.
        unsafe { drop_data(&raw mut (*self_.cast::<Self>()).data) }
    }
}

impl<K> Parent<K> {
    /// Where the child lies behind the parent's prefix.
    pub const CHILD_OFFSET: usize = round_up(size_of::<Self>());

    /// The node at a prefix.
    /// # Safety
    /// 1. `self_` is the prefix of a `Parent<K>` that lives, unmoved, for `'a`.
    #[inline]
    pub unsafe fn of<'a>(self_: *mut CKernelPrefix) -> &'a Self {
        // SAFETY: (1).
        unsafe { &*self_.cast() }
    }

    /// The child of the node at a prefix.
    /// # Safety
    /// 1. `self_` is the prefix of a `Parent<K>` in a block.
    #[inline]
    pub unsafe fn child(self_: *mut CKernelPrefix) -> *mut CKernelPrefix {
        // SAFETY: (1); the builder makes room for the child together with the parent.
        unsafe { CKernelPrefix::child(self_, Self::CHILD_OFFSET) }
    }

    unsafe extern "C" fn destructor(self_: *mut CKernelPrefix) {
        // SAFETY: only `Parent<K>::new` sets this destructor, and a destructor is called once. The child's prefix is
        // there, zeroed or set.
        unsafe {
            CKernelPrefix::destroy(Self::child(self_));
            drop_data(&raw mut (*self_.cast::<Self>()).data);
        }
    }
}

impl<K, const N: usize> Branch<K, N> {
    /// The node at a prefix.
    /// # Safety
    /// 1. `self_` is the prefix of a `Branch<K, N>` that lives, unmoved, for `'a`.
    #[inline]
    pub unsafe fn of<'a>(self_: *mut CKernelPrefix) -> &'a Self {
        // SAFETY: (1).
        unsafe { &*self_.cast() }
    }

    /// A child of the node at a prefix.
    /// # Safety
    /// 1. `self_` is the prefix of a complete `Branch<K, N>` in a block. 2. `index < N`.
    #[inline]
    pub unsafe fn child(self_: *mut CKernelPrefix, index: usize) -> *mut CKernelPrefix {
        // SAFETY: (1), (2); the offset is relative to the node's own prefix.
        unsafe {
            CKernelPrefix::child(self_, *(&raw const (*self_.cast::<Self>()).children).cast::<usize>().add(index))
        }
    }

    unsafe extern "C" fn destructor(self_: *mut CKernelPrefix) {
        // SAFETY: only `Branch<K, N>::new` sets this destructor, and a destructor is called once. An offset that was
        // not set is 0; the others lead to a prefix, zeroed or set.
        unsafe {
            for offset in (*self_.cast::<Self>()).children {
                CKernelPrefix::destroy_child(self_, offset);
            }
            drop_data(&raw mut (*self_.cast::<Self>()).data);
        }
    }
}

const fn assert_alignment<K>() {
    assert!(
        align_of::<K>() <= align_of::<usize>(),
        "a kernel block is aligned to pointers only: box data that needs more"
    );
}

impl<K> sealed::Sealed for Leaf<K> {}
impl<K: Send + Sync + 'static> Node for Leaf<K> {
    type Data = K;
    const CHILDREN: usize = 0;
    const BEHIND: bool = false;
    fn new(function: *mut c_void, data: K) -> Self {
        const { assert_alignment::<K>() };
        // Nothing to drop: no destructor, so that the kernel is a function pointer only.
        let destructor = needs_drop::<K>().then_some(Self::destructor as _);
        Self { prefix: CKernelPrefix { function, destructor }, data }
    }
    fn data(&self) -> &K {
        &self.data
    }
    fn data_mut(&mut self) -> &mut K {
        &mut self.data
    }
    fn child_entry(&mut self, _: usize) -> Option<&mut usize> {
        None
    }
}

impl<K> sealed::Sealed for Parent<K> {}
impl<K: Send + Sync + 'static> Node for Parent<K> {
    type Data = K;
    const CHILDREN: usize = 1;
    const BEHIND: bool = true;
    fn new(function: *mut c_void, data: K) -> Self {
        const { assert_alignment::<K>() };
        Self { prefix: CKernelPrefix { function, destructor: Some(Self::destructor) }, data }
    }
    fn data(&self) -> &K {
        &self.data
    }
    fn data_mut(&mut self) -> &mut K {
        &mut self.data
    }
    fn child_entry(&mut self, _: usize) -> Option<&mut usize> {
        None
    }
}

impl<K, const N: usize> sealed::Sealed for Branch<K, N> {}
impl<K: Send + Sync + 'static, const N: usize> Node for Branch<K, N> {
    type Data = K;
    const CHILDREN: usize = N;
    const BEHIND: bool = false;
    fn new(function: *mut c_void, data: K) -> Self {
        const { assert_alignment::<K>() };
        Self { prefix: CKernelPrefix { function, destructor: Some(Self::destructor) }, children: [0; N], data }
    }
    fn data(&self) -> &K {
        &self.data
    }
    fn data_mut(&mut self) -> &mut K {
        &mut self.data
    }
    fn child_entry(&mut self, index: usize) -> Option<&mut usize> {
        self.children.get_mut(index)
    }
}

fn misuse(message: String) -> KernelError {
    KernelError::new(ErrorKind::InvalidArgument, message)
}

impl<'b> Builder<'b> {
    /// A typed view of a raw builder, and the slot at `offset`.
    /// # Safety
    /// 1. `raw` is a constructed builder, which nobody else touches for `'b`.
    /// 2. `offset` is a multiple of 8; the 16 bytes there exist and, like all bytes behind them, are zero.
    /// 3. `'b` is used for no other builder.
    pub unsafe fn from_raw(raw: NonNull<CKernelBuilder>, offset: usize) -> (Self, Slot<'b>) {
        let builder = Self { raw, end: offset, open: true, owed: None, missing: 0, failed: false, brand: PhantomData };
        (builder, Slot { offset, brand: PhantomData })
    }

    /// Just behind the last kernel that was placed, in bytes from the start of the block.
    pub fn end(&self) -> usize {
        self.end
    }

    fn data(&self) -> Result<*mut u8, KernelError> {
        // SAFETY: (1) of `from_raw`.
        let data = unsafe { (*self.raw.as_ptr()).data };
        if data.is_null() {
            return Err(KernelError::new(
                ErrorKind::OutOfMemory,
                "the kernel that was being built was destroyed when memory ran out",
            ));
        }
        Ok(data)
    }

    /// Fills a slot with a node.
    ///
    /// # Errors
    /// When memory ran out. `data` and everything built so far has been dropped.
    /// # Safety
    /// 1. `function` is correct for a block that starts with `N` and for the prototype that the slot's owner expects,
    ///    once the node's children are filled with what `function` calls.
    /// 2. `function` may be called by several threads at once.
    pub unsafe fn push<N: Node>(
        &mut self,
        slot: Slot<'b>,
        function: PrototypedFunction,
        data: N::Data,
    ) -> Result<Handle<'b, N>, KernelError> {
        let end = slot.offset + round_up(size_of::<N>());
        let raw = self.raw.as_ptr();
        let requested = isize::try_from(end).unwrap_or(isize::MAX);
        // SAFETY: (1) of `from_raw`. A failure destroys what was built; `data` is dropped by leaving.
        unsafe {
            if N::CHILDREN > 0 {
                CKernelBuilder::ensure_capacity(raw, requested)?;
            } else {
                CKernelBuilder::ensure_capacity_leaf(raw, requested)?;
            }
            // Destructor and data are set in one step that cannot fail.
            (*raw).data.add(slot.offset).cast::<N>().write(N::new(function.as_ptr(), data));
        }
        self.open = false;
        self.end = end;
        self.missing += N::CHILDREN;
        if N::BEHIND {
            self.owed = Some(slot.offset);
        }
        Ok(Handle { offset: slot.offset, brand: PhantomData, node: PhantomData })
    }

    /// The slot of a node's child. Children are placed one after another: a slot has to be filled before the next is
    /// taken, and the child of a [`Parent`] comes directly behind it.
    ///
    /// # Errors
    /// When another slot is open, when there is no such child or it has its place already, when memory ran out.
    pub fn child<N: Node>(&mut self, parent: Handle<'b, N>, index: usize) -> Result<Slot<'b>, KernelError> {
        let offset = parent.offset;
        if self.open {
            return Err(misuse(format!("the slot at offset {} is open; fill it before taking another", self.end)));
        }
        if index >= N::CHILDREN {
            return Err(misuse(format!("child index is {index}, but the node has {} children", N::CHILDREN)));
        }
        if let Some(owed) = self.owed.filter(|&owed| owed != offset) {
            return Err(misuse(format!("the node at offset {owed} needs its child next, not the node at {offset}")));
        }
        if N::BEHIND {
            if self.owed.is_none() {
                return Err(misuse(format!("the node at offset {offset} has its child already")));
            }
            self.owed = None;
        } else {
            let place = self.end;
            let with_prefix = isize::try_from(place + size_of::<CKernelPrefix>()).unwrap_or(isize::MAX);
            // SAFETY: (1) of `from_raw`.
            unsafe { CKernelBuilder::ensure_capacity_leaf(self.raw.as_ptr(), with_prefix)? };
            match self.node_mut(parent)?.child_entry(index) {
                Some(entry) if *entry == 0 => *entry = place - offset,
                _ => return Err(misuse(format!("child {index} of the node at offset {offset} has its place already"))),
            }
        }
        self.missing -= 1;
        self.open = true;
        Ok(Slot { offset: self.end, brand: PhantomData })
    }

    fn node_mut<N: Node>(&mut self, handle: Handle<'b, N>) -> Result<&mut N, KernelError> {
        // SAFETY: the brand says that this builder made the handle, so an `N` was written at its offset; it lives while
        // the block does, and the borrow ends before anything can move it.
        Ok(unsafe { &mut *self.data()?.add(handle.offset).cast() })
    }

    /// The data of a node.
    ///
    /// # Errors
    /// When the kernel is gone because memory ran out.
    pub fn get<N: Node>(&self, handle: Handle<'b, N>) -> Result<&N::Data, KernelError> {
        // SAFETY: as in `node_mut`.
        Ok(unsafe { &*self.data()?.add(handle.offset).cast::<N>() }.data())
    }

    /// The data of a node, to be changed while the kernel is built.
    ///
    /// # Errors
    /// When the kernel is gone because memory ran out.
    pub fn get_mut<N: Node>(&mut self, handle: Handle<'b, N>) -> Result<&mut N::Data, KernelError> {
        Ok(self.node_mut(handle)?.data_mut())
    }

    /// Fills a slot by a factory that works on the raw builder. The factory gets the builder and the slot's offset, and
    /// returns the offset just behind what it placed.
    ///
    /// # Errors
    /// Those of the factory; also when it placed nothing, or reports an end that cannot be.
    /// # Safety
    /// 1. The factory follows the rules of [`CKernelBuilder`], and places a kernel of the prototype that the slot's
    ///    owner expects, which may be called by several threads at once.
    pub unsafe fn raw(
        &mut self,
        slot: Slot<'b>,
        factory: impl FnOnce(*mut CKernelBuilder, usize) -> Result<usize, KernelError>,
    ) -> Result<(), KernelError> {
        let result = self.fill_raw(slot, factory);
        self.failed |= result.is_err();
        result
    }

    fn fill_raw(
        &mut self,
        slot: Slot<'b>,
        factory: impl FnOnce(*mut CKernelBuilder, usize) -> Result<usize, KernelError>,
    ) -> Result<(), KernelError> {
        let end = factory(self.raw.as_ptr(), slot.offset)?;
        let data = self.data()?;
        // SAFETY: (1) of `from_raw`; the slot's prefix exists.
        let (capacity, function) = unsafe {
            ((*self.raw.as_ptr()).capacity as usize, (*data.add(slot.offset).cast::<CKernelPrefix>()).function)
        };
        let least = slot.offset + size_of::<CKernelPrefix>();
        // The kernel is in the block, whatever else is wrong: the slot must not be filled again.
        self.open = false;
        self.end = round_up(end.clamp(least, capacity.max(least)));
        if end < least || end > capacity {
            return Err(misuse(format!(
                "the kernel at offset {} reports its end at {end}, but must end between {least} and the capacity, \
                 {capacity}",
                slot.offset
            )));
        }
        if function.is_null() {
            return Err(KernelError::new(
                ErrorKind::Uninitialized,
                format!("the kernel at offset {} has no function", slot.offset),
            ));
        }
        Ok(())
    }

    /// Fills a slot with a kernel from a deferred kernel.
    ///
    /// # Errors
    /// Those of the deferred kernel; also when the number of metadata pointers is wrong.
    /// # Safety
    /// 1. The deferred kernel has the prototype and the types that the slot's owner expects.
    /// 2. The metadata fits the types, and outlives the kernel.
    pub unsafe fn deferred(
        &mut self,
        slot: Slot<'b>,
        deferred: &Deferred,
        metadata: Metadata<'_>,
        request: KernelRequest,
    ) -> Result<(), KernelError> {
        let missing = self.missing;
        // SAFETY: (1), (2).
        let result = unsafe { deferred.place(self, slot, metadata, request) };
        self.failed |= result.is_err();
        result.and_then(|()| self.check_complete(missing))
    }

    /// What must hold once the slot that was open at the beginning is filled.
    pub(crate) fn check_complete(&self, missing_before: usize) -> Result<(), KernelError> {
        self.data()?;
        if self.failed {
            return Err(misuse("a part of the kernel could not be built".to_owned()));
        }
        let missing = self.missing.saturating_sub(missing_before) + usize::from(self.open);
        if missing > 0 {
            return Err(KernelError::new(
                ErrorKind::Uninitialized,
                format!("the kernel is incomplete: {missing} of its slots were not filled"),
            ));
        }
        Ok(())
    }
}

/// What a block was built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The family of prototypes.
    pub proto: FuncProto,
    /// Single or strided.
    pub request: KernelRequest,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.proto, self.request) {
            (FuncProto::Unary, KernelRequest::Single) => "unary single",
            (FuncProto::Unary, KernelRequest::Strided) => "unary strided",
            (FuncProto::Expr, KernelRequest::Single) => "expr single",
            (FuncProto::Expr, KernelRequest::Strided) => "expr strided",
            (FuncProto::Predicate, _) => "binary predicate",
        })
    }
}
