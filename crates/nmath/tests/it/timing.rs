//! How long a call takes, on a machine that may be busy.

use std::time::{Duration, Instant};

/// Whether one of five calls ends within `limit`: a busy machine may interrupt a call, but not each of them.
pub(crate) fn ends_within<T>(limit: Duration, call: impl Fn() -> T) -> bool {
    (0..5).any(|_| {
        let start = Instant::now();
        std::hint::black_box(call());
        start.elapsed() < limit
    })
}
