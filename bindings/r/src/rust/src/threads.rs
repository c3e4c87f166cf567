//! How many threads long vectors use.

use std::sync::{Arc, Mutex, PoisonError};

/// The pool, the process that it belongs to, and how many threads were asked for.
struct Shared {
    wanted: usize,
    pool: Option<(u32, Arc<rayon::ThreadPool>)>,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { wanted: 1, pool: None });

/// The pool, if more than one thread is wanted. A child after `fork` (parallel::mclapply) has none of its parent's threads and
/// gets a pool of its own; where threads cannot be started, the caller's thread does the work.
pub(crate) fn pool() -> Option<Arc<rayon::ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if shared.wanted < 2 {
        return None;
    }
    let process = std::process::id();
    match &shared.pool {
        Some((owner, pool)) if *owner == process => return Some(pool.clone()),
        // Its threads do not exist here: dropping it would wait for them.
        Some((_, pool)) => std::mem::forget(pool.clone()),
        None => {}
    }
    let name = |i| format!("gristmill-{i}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(shared.wanted).thread_name(name).build().ok()?;
    let pool = Arc::new(pool);
    shared.pool = Some((process, pool.clone()));
    Some(pool)
}

/// Sets the number of threads if `count` is above 0, and gives what is set; below 0: how many the machine lends this process. R
/// sees to the range.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_set_threads(count: i32) -> i32 {
    if count < 0 {
        return std::thread::available_parallelism().map_or(1, |n| n.get().min(4096) as i32);
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Ok(count) = usize::try_from(count)
        && count > 0
        && count != shared.wanted
    {
        shared.wanted = count;
        if let Some((owner, pool)) = shared.pool.take()
            && owner != std::process::id()
        {
            std::mem::forget(pool);
        }
    }
    shared.wanted as i32
}
