//! How many threads long vectors use.

use gristmill_engine::SharedThreads;
use std::sync::Arc;

/// One, until R says otherwise. Children of `parallel::mclapply` have pools of their own.
static THREADS: SharedThreads = SharedThreads::new(|| 1);

/// The pool, if more than one thread is wanted.
pub(crate) fn pool() -> Option<Arc<rayon::ThreadPool>> {
    THREADS.pool()
}

/// Sets the number of threads if `count` is above 0, and gives what is set; below 0: how many the machine lends this process. R
/// sees to the range.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_set_threads(count: i32) -> i32 {
    if count < 0 {
        return std::thread::available_parallelism().map_or(1, |n| n.get().min(4096) as i32);
    }
    if let Ok(count) = usize::try_from(count)
        && count > 0
    {
        THREADS.set_count(count);
    }
    THREADS.count() as i32
}
