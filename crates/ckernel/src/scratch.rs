//! Scratch memory: one arena for each thread, with nested frames.
//!
//! A kernel that needs a buffer takes it from here for the length of a call, never from its own block. So a built
//! kernel is immutable, and many threads may run it at once. Frames end in the reverse order of their beginning.
//! After a thread's first frames the arena has memory at hand, and further frames allocate nothing.

use crate::error::{self, ErrorKind, Recorded};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use std::alloc::{Layout, alloc, dealloc};

/// The first block: enough for a 128-element chunk of 16-byte elements at several depths.
const FIRST_BLOCK: usize = 16 * 1024;
/// An idle thread keeps one block of at most this size.
const KEEP: usize = 1024 * 1024;
/// Frames and blocks are aligned to cache lines.
const ALIGN: usize = 64;
/// The deepest chain of blocks: each doubles the last, so this is never the limit that is met first.
const MAX_BLOCKS: usize = 48;

#[derive(Clone, Copy)]
struct Block {
    memory: *mut u8,
    size: usize,
}

/// The blocks are full up to `top` in block `current`; blocks behind `current` are empty.
struct Arena {
    blocks: [Block; MAX_BLOCKS],
    count: usize,
    current: usize,
    top: usize,
    depth: usize,
}

/// Where the arena stood before a frame began.
#[derive(Clone, Copy)]
struct Mark {
    current: usize,
    top: usize,
}

impl Arena {
    const fn new() -> Self {
        Self {
            blocks: [Block { memory: core::ptr::null_mut(), size: 0 }; MAX_BLOCKS],
            count: 0,
            current: 0,
            top: 0,
            depth: 0,
        }
    }

    /// Begins a frame of `size` bytes. `None` if memory ran out.
    fn push(&mut self, size: usize) -> Option<(*mut u8, Mark)> {
        let mark = Mark { current: self.current, top: self.top };
        // Every frame takes at least one line, so that two frames never share an address.
        let size = size.max(1).checked_next_multiple_of(ALIGN)?;
        while self.current < self.count {
            let block = self.blocks[self.current];
            if block.size - self.top >= size {
                let memory = block.memory.wrapping_add(self.top);
                self.top += size;
                self.depth += 1;
                return Some((memory, mark));
            }
            if self.current + 1 == self.count {
                break;
            }
            self.current += 1;
            self.top = 0;
        }
        let last = if self.count == 0 { FIRST_BLOCK / 2 } else { self.blocks[self.count - 1].size };
        let block_size = size.max(last.saturating_mul(2));
        let memory = match Layout::from_size_align(block_size, ALIGN) {
            // SAFETY: the layout is not empty.
            Ok(layout) if self.count < MAX_BLOCKS => unsafe { alloc(layout) },
            _ => core::ptr::null_mut(),
        };
        if memory.is_null() {
            (self.current, self.top) = (mark.current, mark.top);
            return None;
        }
        self.blocks[self.count] = Block { memory, size: block_size };
        self.current = self.count;
        self.count += 1;
        self.top = size;
        self.depth += 1;
        Some((memory, mark))
    }

    /// Ends the latest frame.
    fn pop(&mut self, mark: Mark) {
        (self.current, self.top) = (mark.current, mark.top);
        self.depth -= 1;
        if self.depth == 0 && (self.count > 1 || (self.count == 1 && self.blocks[0].size > KEEP)) {
            self.settle();
        }
    }

    /// Keeps the largest block if it is not too large, so that the next call finds everything in one block.
    #[cold]
    fn settle(&mut self) {
        let largest = self.blocks[self.count - 1];
        let keep = largest.size <= KEEP;
        for block in &self.blocks[..self.count - usize::from(keep)] {
            free(*block);
        }
        self.blocks[0] = largest;
        self.count = usize::from(keep);
        (self.current, self.top) = (0, 0);
    }
}

fn free(block: Block) {
    if let Ok(layout) = Layout::from_size_align(block.size, ALIGN) {
        // SAFETY: `push` allocated the block with this layout, and its owner forgets it now.
        unsafe { dealloc(block.memory, layout) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.blocks[..self.count].iter().copied().for_each(free);
    }
}

thread_local! {
    static ARENA: UnsafeCell<Arena> = const { UnsafeCell::new(Arena::new()) };
}

fn with_arena<R>(f: impl FnOnce(&mut Arena) -> R) -> Option<R> {
    // SAFETY: the arena belongs to this thread, and no `f` in this module runs foreign code or enters again.
    // (A global allocator that uses this arena would; none may.)
    ARENA.try_with(|arena| f(unsafe { &mut *arena.get() })).ok()
}

fn out_of_memory(size: usize) -> Recorded {
    error::record(
        ErrorKind::OutOfMemory,
        error::NO_ELEMENT,
        format_args!("could not get {size} bytes of scratch memory for a kernel"),
    )
}

/// Ends a frame, also when the frame's code panics.
struct Frame(Mark);

impl Drop for Frame {
    fn drop(&mut self) {
        with_arena(|arena| arena.pop(self.0));
    }
}

/// Runs `f` with `size` bytes of scratch memory, aligned to 64 bytes, with any contents. The memory is `f`'s until it
/// returns; frames inside `f` get other memory.
///
/// # Errors
/// When memory ran out; the error is in the calling thread's slot, and `f` was not called.
pub fn with<R>(size: usize, f: impl FnOnce(&mut [MaybeUninit<u8>]) -> R) -> Result<R, Recorded> {
    match with_arena(|arena| arena.push(size)).flatten() {
        Some((memory, mark)) => {
            let _frame = Frame(mark);
            // SAFETY: the frame has `size` bytes, which nobody else uses before `_frame` is dropped.
            Ok(f(unsafe { core::slice::from_raw_parts_mut(memory.cast(), size) }))
        }
        None => Err(out_of_memory(size)),
    }
}

/// What a frame that C began looks like in memory: a line with the mark, then the caller's bytes.
const HEADER: usize = ALIGN;
const _: () = assert!(size_of::<Mark>() <= HEADER);

/// Begins a frame of `size` bytes of scratch memory, aligned to 64 bytes, in the calling thread's arena.
///
/// Returns NULL, with the reason in the error slot, when memory ran out. Frames end in the reverse order of their
/// beginning, each by `ckernel_scratch_pop`, before the kernel returns.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_scratch_push(size: usize) -> *mut c_void {
    let frame = size.checked_add(HEADER).and_then(|size| with_arena(|arena| arena.push(size)).flatten());
    match frame {
        Some((memory, mark)) => {
            // SAFETY: the frame is aligned and begins with HEADER bytes for the mark.
            unsafe {
                memory.cast::<Mark>().write(mark);
                memory.add(HEADER).cast()
            }
        }
        None => {
            let _ = out_of_memory(size);
            core::ptr::null_mut()
        }
    }
}

/// Ends the frame that `ckernel_scratch_push` began; NULL is ignored.
///
/// # Safety
/// 1. `frame` is NULL, or the latest frame of this thread that was not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_scratch_pop(frame: *mut c_void) {
    if !frame.is_null() {
        // SAFETY: (1), so the mark still lies before the frame.
        let mark = unsafe { frame.byte_sub(HEADER).cast::<Mark>().read() };
        with_arena(|arena| arena.pop(mark));
    }
}
