//! The threads that compute, started while it can still be said what is in the way.

use super::Result;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Each thread has work of its own under way, so memory grows with their number while the speed does not.
const MOST: usize = 1024;

/// A number of threads, as the user gives it.
pub(crate) fn number(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "must be a whole number, 1 or more".to_string())
}

/// Starts the threads for everything that this command computes, reads and writes: as many as `wanted`, or else as there are
/// cores (or RAYON_NUM_THREADS says). It can be done once, and a command runs once.
///
/// Where the system allows fewer, fewer have to do; where it allows none, the one that is there computes.
pub(crate) fn start(wanted: Option<usize>) -> Result<()> {
    let count = match wanted {
        Some(count) if count > MOST => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            return Err(format!(
                "--threads is {count}, but must be at most {MOST}; this machine runs {cores} at a time, and more of them \
                 only take memory"
            )
            .into());
        }
        Some(count) if count > 0 => count,
        _ => usual(),
    };
    let (send, receive) = channel::<rayon::ThreadBuilder>();
    let receive = Arc::new(Mutex::new(receive));
    let mut started = 0;
    while started < count {
        // They are there before the pool is: it takes none at all if one of its own cannot be started.
        let receive = receive.clone();
        let spawned = std::thread::Builder::new().name(format!("worker {started}")).spawn(move || work(&receive));
        if let Err(error) = spawned {
            say!(
                "warning: {started} of {count} threads could be started: {error}; `ulimit -u` or a limit of the container \
                 may be too low"
            );
            break;
        }
        started += 1;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(started.max(1));
    if started == 0 {
        return Ok(pool.use_current_thread().build_global()?);
    }
    // It cannot fail: those who receive wait for it.
    let hand_over = |worker| send.send(worker).map_err(|_| std::io::Error::other("a thread has ended by itself"));
    Ok(pool.spawn_handler(hand_over).build_global()?)
}

fn work(receive: &Mutex<Receiver<rayon::ThreadBuilder>>) {
    let worker = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
    if let Ok(worker) = worker {
        worker.run();
    }
}

fn usual() -> usize {
    let said = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|count| *count > 0);
    said.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).min(MOST)
}
