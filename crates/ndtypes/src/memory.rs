//! Memory: the buffer of an owned array, and the blocks behind var dimensions and pointers.

use gristmill_support::ask_for_large_pages;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::sync::{Mutex, PoisonError};

/// Zeroed, aligned memory of one owner.
#[derive(Debug)]
pub(crate) struct Buffer {
    memory: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to the buffer alone, like that of a `Vec<u8>`.
unsafe impl Send for Buffer {}
// SAFETY: as above; a shared buffer hands out a pointer, whose use is under the rules of the views.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// `None` if memory ran out or the size is too large.
    pub(crate) fn zeroed(size: usize, align: usize) -> Option<Buffer> {
        let layout = Layout::from_size_align(size.max(1), align).ok()?;
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            return None;
        }
        // SAFETY: these bytes were just allocated and zeroed, and nobody else knows them yet.
        ask_for_large_pages(unsafe { std::slice::from_raw_parts_mut(memory, layout.size()) });
        Some(Buffer { memory, layout })
    }

    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.memory
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `zeroed`, freed once.
        unsafe { dealloc(self.memory, self.layout) }
    }
}

/// Where the rows of var dimensions and the targets of pointers live.
///
/// It only grows, and is freed as a whole. Several threads may allocate at once.
#[derive(Debug, Default)]
pub struct MemoryBlock {
    chunks: Mutex<Chunks>,
}

#[derive(Debug, Default)]
struct Chunks {
    list: Vec<Buffer>,
    /// Bytes used of the last chunk.
    used: usize,
}

const FIRST_CHUNK: usize = 1024;
const LARGEST_CHUNK: usize = 1 << 20;
const ALIGN: usize = 16;

impl MemoryBlock {
    /// `size` zeroed bytes, aligned to 16, that live as long as the block; `None` if memory ran out.
    pub(crate) fn allocate(&self, size: usize) -> Option<*mut u8> {
        let size = size.max(1).checked_next_multiple_of(ALIGN)?;
        // A thread that panicked here left at most an unused chunk behind.
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let room = chunks.list.last().map_or(0, |chunk| chunk.layout.size() - chunks.used);
        if room < size {
            let doubled =
                chunks.list.last().map_or(FIRST_CHUNK, |c| c.layout.size().saturating_mul(2).min(LARGEST_CHUNK));
            let chunk = Buffer::zeroed(size.max(doubled), ALIGN)?;
            chunks.list.push(chunk);
            chunks.used = 0;
        }
        let start = chunks.used;
        chunks.used += size;
        // In bounds: the last chunk has `size` bytes from `start` on.
        chunks.list.last().map(|chunk| chunk.as_ptr().wrapping_add(start))
    }
}
