//! Threads for a host that may fork: R's and Python's users do.

use std::sync::{Arc, Mutex, PoisonError};

/// A pool of threads that is made when it is needed, again after its size was changed, and again in a child after `fork`, which
/// has none of its parent's threads. A static of this type is what a binding needs.
///
/// ```
/// use gristmill_engine::SharedThreads;
///
/// static THREADS: SharedThreads = SharedThreads::new(|| 2);
/// assert_eq!(THREADS.count(), 2);
/// let pool = THREADS.pool().expect("two threads");
/// assert_eq!(pool.install(rayon::current_num_threads), 2);
/// THREADS.set_count(1);
/// assert!(THREADS.pool().is_none(), "the caller's thread is enough");
/// ```
#[derive(Debug)]
pub struct SharedThreads {
    default: fn() -> usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// How many were asked for; `None`: nobody did yet.
    wanted: Option<usize>,
    /// The pool, and the process that it belongs to.
    pool: Option<(u32, Arc<rayon::ThreadPool>)>,
}

impl SharedThreads {
    /// As many threads as `default` says when they are first needed.
    pub const fn new(default: fn() -> usize) -> SharedThreads {
        SharedThreads { default, state: Mutex::new(State { wanted: None, pool: None }) }
    }

    /// How many threads there are to be.
    pub fn count(&self) -> usize {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner).wanted.get_or_insert_with(self.default)
    }

    /// From now on so many. Work that is under way keeps those that it has.
    pub fn set_count(&self, count: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.wanted.replace(count) == Some(count) {
            return;
        }
        if let Some((owner, pool)) = state.pool.take()
            && owner != std::process::id()
        {
            // Its threads do not exist here: dropping it would wait for them.
            std::mem::forget(pool);
        }
    }

    /// The pool; `None` where one thread is enough or no threads can be started: the caller's does the work then.
    pub fn pool(&self) -> Option<Arc<rayon::ThreadPool>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let count = *state.wanted.get_or_insert_with(self.default);
        if count < 2 {
            return None;
        }
        let process = std::process::id();
        match &state.pool {
            Some((owner, pool)) if *owner == process => return Some(pool.clone()),
            // As in `set_count`.
            Some((_, pool)) => std::mem::forget(pool.clone()),
            None => {}
        }
        let name = |i| format!("gristmill-{i}");
        let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(name).build().ok()?);
        state.pool = Some((process, pool.clone()));
        Some(pool)
    }

    /// As [`SharedThreads::pool`], of one thread too: for work that must not run on rayon's own pool, whose threads a child after
    /// `fork` does not have.
    pub fn pool_of_any_size(&self) -> Option<Arc<rayon::ThreadPool>> {
        self.pool().or_else(|| rayon::ThreadPoolBuilder::new().num_threads(1).build().ok().map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_is_made_once_and_again_when_its_size_changes() {
        static THREADS: SharedThreads = SharedThreads::new(|| 1);
        assert!(THREADS.pool().is_none());
        assert_eq!(THREADS.pool_of_any_size().expect("a thread").current_num_threads(), 1);
        THREADS.set_count(3);
        let first = THREADS.pool().expect("three threads");
        assert_eq!((first.current_num_threads(), THREADS.count()), (3, 3));
        assert!(Arc::ptr_eq(&first, &THREADS.pool().expect("the same")));
        THREADS.set_count(3);
        assert!(Arc::ptr_eq(&first, &THREADS.pool().expect("the same")), "nothing was changed");
        THREADS.set_count(2);
        assert_eq!(THREADS.pool().expect("two threads").current_num_threads(), 2);
        assert_eq!(first.install(rayon::current_num_threads), 3, "who has the first one keeps it");
    }
}
