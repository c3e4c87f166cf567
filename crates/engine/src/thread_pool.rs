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
    /// `fork` does not have. Where the system gives no thread at all, the caller's is the pool, which rayon's own would panic
    /// about; `None` if it is one already, and then it works as such.
    pub fn pool_of_any_size(&self) -> Option<Arc<rayon::ThreadPool>> {
        let one = || rayon::ThreadPoolBuilder::new().num_threads(1);
        self.pool().or_else(|| one().build().or_else(|_| one().use_current_thread().build()).ok().map(Arc::new))
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

    /// A limit of processes counts for users other than root only: root runs this test again as one that has no other.
    #[cfg(target_os = "linux")]
    #[test]
    fn without_any_thread_the_caller_works() {
        use rayon::prelude::*;
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        use std::process::Command;
        const INNER: &str = "GRISTMILL_WITHOUT_THREADS";
        if std::env::var_os(INNER).is_some() {
            static THREADS: SharedThreads = SharedThreads::new(|| 4);
            assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "the limit holds");
            assert!(THREADS.pool().is_none());
            for _ in 0..3 {
                let work = || (0..100_000_u64).into_par_iter().sum::<u64>();
                let sum = THREADS.pool_of_any_size().map_or_else(work, |pool| pool.install(work));
                assert_eq!(sum, 4_999_950_000);
            }
            return;
        }
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0);
        let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
        if !is_root || !is_there("setpriv") || !is_there("prlimit") {
            return;
        }
        // Where that user may read it: not below the folder in which this was built.
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("test");
        std::fs::copy(std::env::current_exe().expect("a name"), &program).expect("copied");
        for path in [folder.path(), &program] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("set");
        }
        let output = Command::new("prlimit")
            .args(["--nproc=1", "setpriv", "--reuid=64322", "--regid=64322", "--clear-groups", "--bounding-set=-all"])
            .arg(program)
            .args(["--test-threads=1", "without_any_thread_the_caller_works"])
            .env(INNER, "1")
            .current_dir("/")
            .output()
            .expect("prlimit");
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }
}
