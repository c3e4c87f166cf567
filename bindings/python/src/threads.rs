//! How many threads large arrays use.

use gristmill::engine::SharedThreads;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

static THREADS: SharedThreads = SharedThreads::new(default_count);

/// From the environment, else all cores. Dask and joblib set `OMP_NUM_THREADS=1` in workers that share a machine.
fn default_count() -> usize {
    ["GRISTMILL_NUM_THREADS", "OMP_NUM_THREADS"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.trim().parse().ok().filter(|&n: &usize| n > 0))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The pool for work that must not run on rayon's own.
pub(crate) fn pool_of_any_size() -> Option<Arc<rayon::ThreadPool>> {
    THREADS.pool_of_any_size()
}

/// The pool, if more than one thread is wanted.
pub(crate) fn pool() -> Option<Arc<rayon::ThreadPool>> {
    THREADS.pool()
}

/// Sets how many threads functions of large arrays use; results do not depend on it.
#[pyfunction]
pub(crate) fn set_num_threads(n: i64) -> PyResult<()> {
    let count = usize::try_from(n).ok().filter(|&n| (1..=4096).contains(&n));
    let count = count
        .ok_or_else(|| PyValueError::new_err(format!("`n` is {n}, but must be a number of threads from 1 to 4096")))?;
    THREADS.set_count(count);
    Ok(())
}

/// How many threads functions of large arrays use.
#[pyfunction]
pub(crate) fn get_num_threads() -> usize {
    THREADS.count()
}
