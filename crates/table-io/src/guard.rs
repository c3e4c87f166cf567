//! Damaged files as errors: the readers of Parquet and Arrow files take some of what a file says for granted, and panic if
//! it is wrong.

use crate::columnar::damaged;
use crate::error::TableError;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread will become an error: then nothing is printed about it.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what reads a file of another program; a panic becomes an error. Whatever it was reading must not be used again.
pub(crate) fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                before(info);
            }
        }));
    });
    let outside = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outside);
    done.unwrap_or_else(|panic| Err(damaged(path, Damaged(text(panic.as_ref())))))
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A file that says something impossible.
#[derive(Debug, thiserror::Error)]
#[error("the file is damaged: {0}")]
pub(crate) struct Damaged(String);

impl Damaged {
    pub(crate) fn new(what: impl Into<String>) -> Damaged {
        Damaged(what.into())
    }
}
