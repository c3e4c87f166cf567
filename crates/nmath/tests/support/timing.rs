//! How long a call takes, on a machine that may be busy, and fast or slow.

use gristmill_nmath::lgammafn;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Whether one of five calls ends within `limit`: a busy machine may interrupt a call, but not each of them.
pub(crate) fn ends_within<T>(limit: Duration, call: impl Fn() -> T) -> bool {
    (0..5).any(|_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed() < limit
    })
}

/// How many times as long as a hundred calls of `lgammafn` a call takes: measured side by side, so that neither the machine nor the
/// build's optimisation counts. A long one is measured some more times, and the least taken: somebody may have interrupted it.
pub(crate) fn relative_time(limit: f64, call: impl Fn()) -> f64 {
    let time = |call: &dyn Fn()| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64()
    };
    let unit = || {
        for _ in 0..100 {
            black_box(lgammafn(black_box(3.7)));
        }
    };
    let once = || time(&call) / time(&unit);
    let first = once();
    if first < 0.1 * limit { first } else { (0..20).map(|_| once()).fold(first, f64::min) }
}
