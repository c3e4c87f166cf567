//! Work on several threads whose results are taken in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What the threads share about the order of the items.
struct Queue<R, E> {
    /// The number of the next item to take.
    taken: u64,
    /// The number of the next result to hand on.
    turn: u64,
    /// Results whose turn has not come.
    waiting: BTreeMap<u64, Result<R, E>>,
    /// A thread is handing results on.
    handing_on: bool,
    /// No more items: the end, an error, or a panic.
    closed: bool,
    error: Option<E>,
}

/// Closes the queue when a thread leaves by a panic, so that no other waits for it for ever.
struct CloseOnPanic<'a, R, E>(&'a Mutex<Queue<R, E>>, &'a Condvar);

impl<R, E> Drop for CloseOnPanic<'_, R, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).closed = true;
            self.1.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock is one whose holder panicked; the scope hands that panic on when all threads are done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes items from `next` one after the other, works on them on `threads` threads, and hands the results to `take` in the
/// order of the items. At most `3 * threads` items are between `next` and `take`.
///
/// # Errors
/// The error of the first item, in their order, for which `next`, `work` or `take` fails; `take` has then been given
/// the results of all items before it and of none after it.
pub fn in_order<T, R, E>(
    threads: usize,
    next: impl FnMut() -> Option<Result<T, E>> + Send,
    work: impl Fn(T) -> Result<R, E> + Sync,
    take: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    R: Send,
    E: Send,
{
    let threads = threads.max(1);
    let most = 3 * threads as u64;
    let (next, take) = (Mutex::new(next), Mutex::new(take));
    let queue = Mutex::new(Queue {
        taken: 0,
        turn: 0,
        waiting: BTreeMap::new(),
        handing_on: false,
        closed: false,
        error: None,
    });
    let moved = Condvar::new();
    let worker = || {
        let _guard = CloseOnPanic(&queue, &moved);
        loop {
            let mut next = lock(&next);
            let number = {
                let mut q = lock(&queue);
                while !q.closed && q.taken >= q.turn + most {
                    q = moved.wait(q).unwrap_or_else(PoisonError::into_inner);
                }
                if q.closed {
                    return;
                }
                q.taken += 1;
                q.taken - 1
            };
            let Some(item) = next() else {
                lock(&queue).closed = true;
                moved.notify_all();
                return;
            };
            drop(next);
            let result = item.and_then(&work);
            let mut q = lock(&queue);
            q.waiting.insert(number, result);
            if q.handing_on {
                continue;
            }
            q.handing_on = true;
            while q.error.is_none() {
                let turn = q.turn;
                let Some(result) = q.waiting.remove(&turn) else { break };
                drop(q);
                let done = result.and_then(|r| lock(&take)(r));
                q = lock(&queue);
                q.turn += 1;
                if let Err(e) = done {
                    q.error = Some(e);
                    q.closed = true;
                }
                moved.notify_all();
            }
            q.handing_on = false;
        }
    };
    if threads == 1 {
        worker();
    } else {
        std::thread::scope(|scope| {
            // Where the system allows fewer threads, fewer have to do.
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
            let others: Vec<_> = (1..threads).map_while(spawn).collect();
            worker();
            for other in others {
                if let Err(panic) = other.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
    }
    match queue.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_order_and_few_are_under_way() {
        for threads in [1, 2, 5] {
            let (given, taken) = (AtomicU64::new(0), AtomicU64::new(0));
            let mut found = Vec::new();
            in_order(
                threads,
                || {
                    let item = given.fetch_add(1, Ordering::SeqCst);
                    assert!(item <= taken.load(Ordering::SeqCst) + 3 * threads as u64);
                    (item < 500).then_some(Ok::<u64, ()>(item))
                },
                |item| {
                    // Some items take much longer than others.
                    std::thread::sleep(std::time::Duration::from_micros(if item % 7 == 0 { 300 } else { 1 }));
                    Ok(item * 2)
                },
                |result| {
                    taken.fetch_add(1, Ordering::SeqCst);
                    found.push(result);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(found, (0..500).map(|i| i * 2).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn the_error_is_that_of_the_first_item_that_fails() {
        for threads in [1, 3] {
            let mut item = 0;
            let mut found = Vec::new();
            let result = in_order(
                threads,
                || {
                    item += 1;
                    Some(if item > 60 { Err("late") } else { Ok(item) })
                },
                |item| match item {
                    20 => {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        Err("first")
                    }
                    21 => Err("second"),
                    _ => Ok(item),
                },
                |result| {
                    found.push(result);
                    Ok(())
                },
            );
            assert_eq!(result, Err("first"));
            assert_eq!(found, (1..20).collect::<Vec<i32>>());
        }
    }

    #[test]
    #[should_panic(expected = "at item 5")]
    fn a_panic_ends_all_threads() {
        let mut item = 0;
        let _ = in_order(
            3,
            || {
                item += 1;
                Some(Ok::<i32, ()>(item))
            },
            |item| if item == 5 { panic!("at item {item}") } else { Ok(item) },
            |_| Ok(()),
        );
    }
}
