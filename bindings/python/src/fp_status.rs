//! The processor's floating-point flags, which NumPy looks at after every loop.
//!
//! A loop over lanes computes both sides of a branch and throws one away, so the flags it leaves say nothing about the
//! results. They are put back as they were.

/// Runs `f` and forgets the flags that it raised on this thread.
pub(crate) fn kept<R>(f: impl FnOnce() -> R) -> R {
    let before = status();
    let result = f();
    set_status(before);
    result
}

/// Raises "invalid value", as an operation that makes a NaN of numbers does.
pub(crate) fn raise_invalid() {
    let infinity = std::hint::black_box(f64::INFINITY);
    std::hint::black_box(infinity * std::hint::black_box(0.0));
}

#[cfg(target_arch = "x86_64")]
fn status() -> u32 {
    let mut word = 0u32;
    // SAFETY: stores the thread's control and status word into `word`.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}

#[cfg(target_arch = "x86_64")]
fn set_status(word: u32) {
    // SAFETY: the word was read on this thread by `status`: rounding and masks stay as they are.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
fn status() -> u64 {
    let word: u64;
    // SAFETY: reads the status register.
    unsafe { std::arch::asm!("mrs {}, fpsr", out(reg) word, options(nomem, nostack, preserves_flags)) };
    word
}

#[cfg(target_arch = "aarch64")]
fn set_status(word: u64) {
    // SAFETY: writes back what `status` read.
    unsafe { std::arch::asm!("msr fpsr, {}", in(reg) word, options(nomem, nostack, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn status() {}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn set_status((): ()) {}
