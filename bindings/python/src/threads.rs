//! How many threads large arrays use.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The pool, the process that it belongs to, and how many threads were asked for.
struct Shared {
    wanted: Option<usize>,
    pool: Option<(u32, Arc<rayon::ThreadPool>)>,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared { wanted: None, pool: None });

/// From the environment, else all cores. Dask and joblib set `OMP_NUM_THREADS=1` in workers that share a machine.
fn default_count() -> usize {
    ["GRISTMILL_NUM_THREADS", "OMP_NUM_THREADS"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.trim().parse().ok().filter(|&n: &usize| n > 0))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The pool for work that must not run on rayon's own, whose threads a child after `fork` does not have.
pub(crate) fn pool_of_any_size() -> Option<Arc<rayon::ThreadPool>> {
    pool().or_else(|| rayon::ThreadPoolBuilder::new().num_threads(1).build().ok().map(Arc::new))
}

/// The pool, if more than one thread is wanted. A child after `fork` has none of its parent's threads and gets a pool of its
/// own; where threads cannot be started, the caller's thread does the work.
pub(crate) fn pool() -> Option<Arc<rayon::ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let count = *shared.wanted.get_or_insert_with(default_count);
    if count < 2 {
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
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(name).build().ok()?);
    shared.pool = Some((process, pool.clone()));
    Some(pool)
}

/// Sets how many threads functions of large arrays use; results do not depend on it.
#[pyfunction]
pub(crate) fn set_num_threads(n: i64) -> PyResult<()> {
    let count = usize::try_from(n).ok().filter(|&n| (1..=4096).contains(&n));
    let count = count
        .ok_or_else(|| PyValueError::new_err(format!("`n` is {n}, but must be a number of threads from 1 to 4096")))?;
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.wanted = Some(count);
    if let Some((owner, pool)) = shared.pool.take()
        && owner != std::process::id()
    {
        std::mem::forget(pool);
    }
    Ok(())
}

/// How many threads functions of large arrays use.
#[pyfunction]
pub(crate) fn get_num_threads() -> usize {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    *shared.wanted.get_or_insert_with(default_count)
}
