//! What the tests of this crate share.
#![allow(dead_code, unreachable_pub)]

use gristmill_ckernel::typed::{Leaf, Node, Parent};
use gristmill_ckernel::{
    Builder, CKernelBuilder, CKernelPrefix, Handle, KernelError, KernelRequest, PrototypedFunction, Recorded, Slot,
};
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::process::Command;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A raw builder that is destructed when it goes.
pub struct RawBuilder(Box<MaybeUninit<CKernelBuilder>>);

impl RawBuilder {
    pub fn new() -> Self {
        let mut memory = Box::new(MaybeUninit::uninit());
        // SAFETY: the box stays where it is.
        unsafe { CKernelBuilder::construct(memory.as_mut_ptr()) };
        Self(memory)
    }

    pub fn as_mut_ptr(&mut self) -> *mut CKernelBuilder {
        self.0.as_mut_ptr()
    }

    pub fn ensure_capacity(&mut self, requested: isize) -> Result<(), Recorded> {
        // SAFETY: constructed.
        unsafe { CKernelBuilder::ensure_capacity(self.as_mut_ptr(), requested) }
    }

    pub fn ensure_capacity_leaf(&mut self, requested: isize) -> Result<(), Recorded> {
        // SAFETY: constructed.
        unsafe { CKernelBuilder::ensure_capacity_leaf(self.as_mut_ptr(), requested) }
    }

    pub fn reset(&mut self) {
        // SAFETY: constructed.
        unsafe { CKernelBuilder::reset(self.as_mut_ptr()) }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the builder's memory has this many bytes, all initialised.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.capacity as usize) }
    }

    /// Runs a factory at an offset.
    pub fn build(
        &mut self,
        offset: usize,
        f: impl for<'b> FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
    ) -> Result<usize, KernelError> {
        // SAFETY: constructed, and zero where nothing was placed; `f` works for every brand.
        let (mut builder, slot) = unsafe { Builder::from_raw(NonNull::new(self.as_mut_ptr()).unwrap(), offset) };
        f(&mut builder, slot)?;
        Ok(builder.end())
    }

    pub fn place_tracked(&mut self, offset: usize, tracked: &Tracked) {
        self.build(offset, |builder, slot| {
            // SAFETY: never called.
            unsafe { builder.push::<Leaf<Tracked>>(slot, nothing(), tracked.clone()).map(drop) }
        })
        .unwrap();
    }
}

impl Deref for RawBuilder {
    type Target = CKernelBuilder;
    fn deref(&self) -> &CKernelBuilder {
        // SAFETY: constructed.
        unsafe { self.0.assume_init_ref() }
    }
}

impl Drop for RawBuilder {
    fn drop(&mut self) {
        // SAFETY: constructed; destructing again is harmless.
        unsafe {
            CKernelBuilder::destruct(self.as_mut_ptr());
            CKernelBuilder::destruct(self.as_mut_ptr());
        }
    }
}

/// A resource that counts its copies. The first one, from `new`, does not count.
pub struct Tracked {
    counts: Arc<[AtomicUsize; 2]>,
    seen: bool,
}

impl Tracked {
    pub fn new() -> Self {
        Self { counts: Arc::new([const { AtomicUsize::new(0) }; 2]), seen: false }
    }

    pub fn clone_unseen(&self) -> Self {
        Self { counts: self.counts.clone(), seen: false }
    }

    pub fn alive(&self) -> usize {
        self.counts[0].load(Ordering::SeqCst) - self.dropped()
    }

    pub fn dropped(&self) -> usize {
        self.counts[1].load(Ordering::SeqCst)
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        self.counts[0].fetch_add(1, Ordering::SeqCst);
        Self { counts: self.counts.clone(), seen: true }
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        if self.seen {
            self.counts[1].fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// The function of kernels that are never called.
pub fn nothing() -> PrototypedFunction {
    unsafe extern "C" fn nothing(_: *mut u8, _: *const u8, _: *mut CKernelPrefix) {}
    PrototypedFunction::UnarySingle(nothing)
}

/// Fills a slot with a node that is never called.
pub fn inert<'b, N: Node<Data = Tracked>>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
) -> Result<Handle<'b, N>, KernelError> {
    // SAFETY: never called.
    unsafe { builder.push::<N>(slot, nothing(), Tracked::new()) }
}

/// Copies int32.
pub unsafe extern "C" fn copy_i32(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    _: *mut CKernelPrefix,
) {
    for i in 0..count as isize {
        // SAFETY: the call contract.
        unsafe { *dst.offset(i * dst_stride).cast::<i32>() = *src.offset(i * src_stride).cast::<i32>() }
    }
}

/// Calls the child of a `Parent<usize>` with the same arguments.
pub unsafe extern "C" fn pass_on(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: the call contract; the child is unary strided.
    unsafe {
        let child = Parent::<usize>::child(self_);
        (*child).unary_strided()(dst, dst_stride, src, src_stride, count, child);
    }
}

/// One dimension of an array.
#[derive(Debug, Clone, Copy)]
pub struct Dim {
    pub size: usize,
    pub dst_stride: isize,
    pub src_stride: isize,
}

unsafe extern "C" fn dim_single(dst: *mut u8, src: *const u8, self_: *mut CKernelPrefix) {
    // SAFETY: the call contract; the child is unary strided.
    unsafe {
        let dim = Parent::<Dim>::of(self_).data;
        let child = Parent::<Dim>::child(self_);
        (*child).unary_strided()(dst, dim.dst_stride, src, dim.src_stride, dim.size, child);
    }
}

unsafe extern "C" fn dim_strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    for i in 0..count as isize {
        // SAFETY: the call contract.
        unsafe { dim_single(dst.offset(i * dst_stride), src.offset(i * src_stride), self_) }
    }
}

/// The copy of an int32 array of some dimensions, built as the types are nested.
pub fn nested_copy<'b>(
    builder: &mut Builder<'b>,
    slot: Slot<'b>,
    dims: &[Dim],
    request: KernelRequest,
) -> Result<(), KernelError> {
    // SAFETY: every dimension's child is unary strided.
    unsafe {
        match dims.split_first() {
            Some((&dim, rest)) => {
                let function = PrototypedFunction::unary(request, dim_single, dim_strided);
                let node = builder.push::<Parent<Dim>>(slot, function, dim)?;
                let slot = builder.child(node, 0)?;
                nested_copy(builder, slot, rest, KernelRequest::Strided)
            }
            None => builder.push::<Leaf<()>>(slot, PrototypedFunction::UnaryStrided(copy_i32), ()).map(drop),
        }
    }
}

/// Visits every index of an array in order.
pub fn for_each_index(sizes: &[usize], visit: &mut dyn FnMut(&[usize])) {
    let total: usize = sizes.iter().product();
    for flat in 0..total {
        let mut rest = flat;
        let mut index: Vec<usize> = sizes
            .iter()
            .rev()
            .map(|&size| {
                let i = rest % size;
                rest /= size;
                i
            })
            .collect();
        index.reverse();
        visit(&index);
    }
}

/// A kernel's block, on its own.
pub struct Moved(Vec<u64>);

impl Moved {
    pub fn ptr(&self) -> *mut CKernelPrefix {
        self.0.as_ptr().cast_mut().cast()
    }
}

impl Drop for Moved {
    fn drop(&mut self) {
        // SAFETY: the block was moved here, so it is destroyed here.
        unsafe { CKernelPrefix::destroy(self.ptr()) }
    }
}

/// Builds a kernel at an offset, behind a neighbour, then moves it out by `memcpy`; the place it leaves is overwritten.
pub fn place_at_offset_and_move(
    offset: usize,
    f: impl for<'b> FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
) -> Moved {
    let mut builder = RawBuilder::new();
    builder.ensure_capacity(offset as isize).unwrap();
    let end = builder.build(offset, f).unwrap();
    let size = end - offset;
    let mut block = vec![0_u64; size.div_ceil(8)];
    let bytes = builder.bytes();
    // SAFETY: both have `size` bytes.
    unsafe { std::ptr::copy_nonoverlapping(bytes[offset..end].as_ptr(), block.as_mut_ptr().cast(), size) };
    // Whatever still pointed into the old place would now find nonsense. The root stays empty: nothing is destroyed.
    bytes[offset.max(16)..].fill(0xA5);
    if offset < 16 {
        bytes[..16].fill(0);
    }
    Moved(block)
}

pub fn under_valgrind() -> bool {
    std::env::var_os("GRISTMILL_VALGRIND").is_some()
}

/// Runs this test program again under valgrind, without the test that asks for it.
pub fn run_under_valgrind(skip: &str) {
    if under_valgrind() || !Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: there is no valgrind");
        return;
    }
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"])
        .arg(std::env::current_exe().unwrap())
        .args(["--test-threads=1", "--skip", skip])
        .envs([("GRISTMILL_VALGRIND", "1"), ("PROPTEST_CASES", "8"), ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "valgrind: {}\n{text}", output.status);
    assert!(text.contains("test result: ok"), "{text}");
}
