//! The raw builder: the memory in which a kernel is put together.

use crate::abi::{Byte, CKernelPrefix, round_up};
use crate::error::{self, ErrorKind};
use core::ffi::c_int;
use core::mem::size_of;
use std::alloc::{Layout, alloc_zeroed, dealloc, realloc};

/// Bytes inside the builder: kernels up to this size need no heap memory.
pub const INLINE_CAPACITY: usize = 16 * size_of::<usize>();

/// The memory in which a kernel is put together: 16 words inside the structure, then the heap.
///
/// All memory that was not written yet is zero. Because `data` may point into the structure itself, a constructed
/// builder must stay where it is.
///
/// # Rules for those who write into it
/// 1. Call `ensure_capacity` (a child follows) or `ensure_capacity_leaf` before writing. A prefix at the offset that a
///    factory was given is there already, so a kernel that is only a function pointer needs neither call.
/// 2. Fetch every pointer into the memory again after either call, and after a child was built: memory moves.
/// 3. Set the destructor before anything that it would have to free.
/// 4. A kernel refers to other places of its block by offsets relative to its own prefix, never by pointers.
/// 5. Offsets of kernels are multiples of 8.
/// 6. After a failed call `data` is null, and the kernel that was being built is destroyed already: return the error.
#[repr(C)]
pub struct CKernelBuilder {
    /// The start of the kernel: `static_data`, or heap memory, or null after an allocation failed.
    pub data: *mut Byte,
    /// The number of bytes at `data`.
    pub capacity: isize,
    // Reached through `data` only: its bytes are values of any type, and some are padding, so it is not to be read as words.
    /// The memory for small kernels.
    pub static_data: [usize; 16],
}

/// Without the memory, whose bytes may be padding.
impl core::fmt::Debug for CKernelBuilder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CKernelBuilder")
            .field("data", &self.data)
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

/// Blocks on the heap have the alignment that kernels may rely on.
pub(crate) fn block_layout(capacity: usize) -> Option<Layout> {
    Layout::from_size_align(capacity, size_of::<usize>()).ok()
}

impl CKernelBuilder {
    /// Makes an empty builder out of the memory at `this`.
    /// # Safety
    /// 1. `this` is writable and aligned; what it held is forgotten.
    /// 2. The builder is not moved before it is destructed.
    pub unsafe fn construct(this: *mut Self) {
        // SAFETY: (1).
        unsafe {
            (&raw mut (*this).static_data).write([0; 16]);
            (&raw mut (*this).capacity).write(INLINE_CAPACITY as isize);
            (&raw mut (*this).data).write((&raw mut (*this).static_data).cast());
        }
    }

    /// True while the kernel lies in the builder itself.
    pub fn is_inline(&self) -> bool {
        core::ptr::eq(self.data, (&raw const self.static_data).cast())
    }

    /// Destroys the kernel and frees the memory. Does nothing after an allocation failed.
    /// # Safety
    /// 1. `this` is a constructed builder, and holds a kernel completely or partly built by the rules, or nothing.
    /// 2. It is not used again before it is constructed anew; destructing it again is harmless.
    pub unsafe fn destruct(this: *mut Self) {
        // SAFETY: (1); the destructor sees the kernel at its final address, before its memory goes.
        unsafe {
            if (*this).data.is_null() {
                return;
            }
            CKernelPrefix::destroy((*this).data.cast());
            Self::release_memory(this);
        }
    }

    /// Frees the memory, not what the kernel in it owns, and leaves `data` null.
    unsafe fn release_memory(this: *mut Self) {
        // SAFETY: `data` is inline, or was allocated with this very layout by `grow`.
        unsafe {
            if !(*this).is_inline()
                && let Some(layout) = block_layout((*this).capacity as usize)
            {
                dealloc((*this).data, layout);
            }
            (*this).data = core::ptr::null_mut();
            (*this).capacity = 0;
        }
    }

    /// Destroys the kernel and makes the builder empty again: inline, zeroed.
    /// # Safety
    /// 1. As for [`destruct`](Self::destruct), whose second rule does not apply.
    pub unsafe fn reset(this: *mut Self) {
        // SAFETY: (1).
        unsafe {
            Self::destruct(this);
            Self::construct(this);
        }
    }

    /// Makes room for `requested` bytes and, behind them, for the zeroed prefix of a child.
    /// # Safety
    /// 1. `this` is a constructed builder that holds a kernel built by the rules so far, or nothing.
    pub unsafe fn ensure_capacity(this: *mut Self, requested: isize) -> Result<(), error::Recorded> {
        match requested.checked_add(size_of::<CKernelPrefix>() as isize).filter(|_| requested >= 0) {
            // SAFETY: (1).
            Some(with_child) => unsafe { Self::ensure_capacity_leaf(this, with_child) },
            // SAFETY: (1).
            None => unsafe { Self::fail_size(this, requested) },
        }
    }

    /// Makes room for `requested` bytes. What was not there before is zero.
    /// # Safety
    /// 1. `this` is a constructed builder that holds a kernel built by the rules so far, or nothing.
    pub unsafe fn ensure_capacity_leaf(this: *mut Self, requested: isize) -> Result<(), error::Recorded> {
        // SAFETY: (1).
        unsafe {
            if requested <= (*this).capacity && requested >= 0 && !(*this).data.is_null() {
                return Ok(());
            }
            Self::grow(this, requested)
        }
    }

    #[cold]
    unsafe fn grow(this: *mut Self, requested: isize) -> Result<(), error::Recorded> {
        // SAFETY: callers pass a constructed builder.
        let (data, capacity) = unsafe { ((*this).data, (*this).capacity) };
        if data.is_null() {
            return Err(error::record(
                ErrorKind::OutOfMemory,
                error::NO_ELEMENT,
                format_args!("the ckernel builder lost its memory in an earlier failure; reset it first"),
            ));
        }
        let old = capacity as usize;
        let wanted =
            usize::try_from(requested).ok().map(|n| n.max(old + old / 2)).filter(|&n| n <= isize::MAX as usize - 7);
        let Some((new, layout)) = wanted.map(round_up).and_then(|n| Some((n, block_layout(n)?))) else {
            // SAFETY: callers pass a constructed builder.
            return unsafe { Self::fail_size(this, requested) };
        };
        // SAFETY: `new > old > 0`; a heap block was allocated with the layout of `old`; the inline words are `old` bytes.
        let moved = unsafe {
            if (*this).is_inline() {
                let moved = alloc_zeroed(layout);
                if !moved.is_null() {
                    core::ptr::copy_nonoverlapping(data, moved, old);
                }
                moved
            } else {
                match block_layout(old) {
                    Some(old_layout) => {
                        let moved = realloc(data, old_layout, new);
                        if !moved.is_null() {
                            moved.add(old).write_bytes(0, new - old);
                        }
                        moved
                    }
                    None => core::ptr::null_mut(),
                }
            }
        };
        if moved.is_null() {
            // SAFETY: a failed allocation leaves the old block as it was, so its kernel can be destroyed.
            unsafe { Self::destruct(this) };
            return Err(error::record(
                ErrorKind::OutOfMemory,
                error::NO_ELEMENT,
                format_args!("could not allocate {new} bytes for a ckernel"),
            ));
        }
        // SAFETY: callers pass a constructed builder; `moved` has `new` bytes.
        unsafe {
            (*this).data = moved;
            (*this).capacity = new as isize;
        }
        Ok(())
    }

    #[cold]
    unsafe fn fail_size(this: *mut Self, requested: isize) -> Result<(), error::Recorded> {
        // SAFETY: callers pass a constructed builder.
        unsafe { Self::destruct(this) };
        Err(error::record(
            ErrorKind::InvalidArgument,
            error::NO_ELEMENT,
            format_args!("the requested ckernel size is {requested} bytes, but must be from 0 to {}", isize::MAX / 2),
        ))
    }
}

/// Makes an empty builder out of the memory at `self`. The builder must not be moved before `ckernel_builder_destruct`.
///
/// # Safety
/// 1. `self_` is writable, aligned memory of the builder's size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_construct(self_: *mut CKernelBuilder) {
    // SAFETY: (1).
    unsafe { CKernelBuilder::construct(self_) }
}

/// Destroys the kernel in the builder and frees the builder's memory.
///
/// # Safety
/// 1. `self_` is a constructed builder whose kernel is completely or partly built by the rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_destruct(self_: *mut CKernelBuilder) {
    // SAFETY: (1).
    unsafe { CKernelBuilder::destruct(self_) }
}

/// Destroys the kernel in the builder and makes the builder empty again.
///
/// # Safety
/// 1. `self_` is a constructed builder whose kernel is completely or partly built by the rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_reset(self_: *mut CKernelBuilder) {
    // SAFETY: (1).
    unsafe { CKernelBuilder::reset(self_) }
}

/// Makes room for `requested_capacity` bytes and, behind them, for the zeroed prefix of a child.
///
/// Returns 0, or -1 with the reason in the error slot; then the kernel was destroyed and `data` is null. Pointers into
/// the builder's memory have to be fetched again after this call.
///
/// # Safety
/// 1. `self_` is a constructed builder whose kernel is completely or partly built by the rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_ensure_capacity(
    self_: *mut CKernelBuilder,
    requested_capacity: isize,
) -> c_int {
    // SAFETY: (1).
    unsafe { CKernelBuilder::ensure_capacity(self_, requested_capacity) }.map_or(-1, |()| 0)
}

/// Makes room for `requested_capacity` bytes, without a child's prefix.
///
/// Returns 0, or -1 with the reason in the error slot; then the kernel was destroyed and `data` is null. Pointers into
/// the builder's memory have to be fetched again after this call.
///
/// # Safety
/// 1. `self_` is a constructed builder whose kernel is completely or partly built by the rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_builder_ensure_capacity_leaf(
    self_: *mut CKernelBuilder,
    requested_capacity: isize,
) -> c_int {
    // SAFETY: (1).
    unsafe { CKernelBuilder::ensure_capacity_leaf(self_, requested_capacity) }.map_or(-1, |()| 0)
}
