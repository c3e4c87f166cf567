//! How many OpenCL objects are alive: tests hold that none is lost.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many handles of each kind are alive in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveObjects {
    /// `cl_context`
    pub contexts: usize,
    /// `cl_command_queue`
    pub queues: usize,
    /// `cl_program`
    pub programs: usize,
    /// `cl_kernel`
    pub kernels: usize,
    /// `cl_mem`
    pub buffers: usize,
    /// `cl_event`
    pub events: usize,
}

pub(crate) static CONTEXTS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static QUEUES: AtomicUsize = AtomicUsize::new(0);
pub(crate) static PROGRAMS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static KERNELS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static BUFFERS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static EVENTS: AtomicUsize = AtomicUsize::new(0);

/// How many OpenCL objects this process holds. For tests and for `gristmill doctor`.
pub fn live_objects() -> LiveObjects {
    let count = |c: &AtomicUsize| c.load(Ordering::Relaxed);
    LiveObjects {
        contexts: count(&CONTEXTS),
        queues: count(&QUEUES),
        programs: count(&PROGRAMS),
        kernels: count(&KERNELS),
        buffers: count(&BUFFERS),
        events: count(&EVENTS),
    }
}
