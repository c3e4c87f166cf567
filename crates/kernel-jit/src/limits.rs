//! How long a kernel may run: fuel for each call, and a flag that stops all.
//!
//! Loops count their rounds, and ask now and then. A kernel that was stopped gives an error, not a result.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static FUEL: AtomicI64 = AtomicI64::new(i64::MAX);

/// Stops every kernel made at run time, on every thread, until [`resume`].
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Lets kernels run again.
pub fn resume() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}

/// How many rounds of loops a call may make from now on, roughly; `None`: any number.
pub fn set_fuel(rounds: Option<u64>) {
    FUEL.store(rounds.map_or(i64::MAX, |r| i64::try_from(r).unwrap_or(i64::MAX)), Ordering::Relaxed);
}

pub(crate) fn fuel() -> i64 {
    FUEL.load(Ordering::Relaxed)
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
