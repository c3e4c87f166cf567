//! An allocator that refuses more than a limit: a reader that believes a length in a file dies here, as it would on a
//! small machine, instead of getting memory that it never touches.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may be in use at once.
pub const LIMIT: usize = 1 << 30;

/// The system's allocator with the limit.
#[derive(Debug)]
pub struct Limited {
    used: AtomicUsize,
}

impl Limited {
    /// Nothing is in use.
    #[expect(clippy::new_without_default, reason = "a static needs a constant function")]
    pub const fn new() -> Limited {
        Limited { used: AtomicUsize::new(0) }
    }

    fn take(&self, bytes: usize) -> bool {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.checked_add(bytes).is_some_and(|now| now <= LIMIT);
        if !fits {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }

    fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator with the same arguments, or gives null, which says that there is no
// memory; the counter does not touch what is allocated.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !self.take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is the system's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.give_back(layout.size());
        // SAFETY: the memory came from the system's allocator with this layout.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.take(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the memory came from the system's allocator with this layout.
        let moved = unsafe { System.realloc(memory, layout, size) };
        self.give_back(if moved.is_null() { size } else { layout.size() });
        moved
    }
}
