//! Large memory in large pages.

/// Less than this is not worth asking: a system call costs as much as a page fault.
#[cfg(target_os = "linux")]
const WORTH_ASKING: usize = 4 << 20;

/// Asks the system for large pages behind memory that is about to be filled for the first time. It changes no value.
///
/// A page of 4 KB costs a fault of half a microsecond or more when it is first touched, which for a column of numbers is
/// more than most arithmetic; a page of 2 MB costs little more than its zeros. Linux hands them out only to those who ask.
pub fn ask_for_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    if size_of_val(memory) >= WORTH_ASKING {
        const PAGE: usize = 4096;
        let range = memory.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(PAGE);
        let length = range.end as usize - start;
        // SAFETY: the advice concerns pages of `memory` and its last page's rest; MADV_HUGEPAGE leaves all contents alone.
        // A system that refuses it (no such pages) says so in the result, and nothing is lost.
        unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_keeps_its_values() {
        for count in [0, 1, 1000, (8 << 20) + 3] {
            let mut memory: Vec<u8> = (0..count).map(|i| i as u8).collect();
            ask_for_large_pages(&mut memory);
            assert!(memory.iter().enumerate().all(|(i, x)| *x == i as u8));
        }
    }
}
