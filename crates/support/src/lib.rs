//! What several crates share: files that appear whole or not at all, and the name somebody probably meant.
#![forbid(unsafe_code)]

mod atomic;
mod nearest;

pub use atomic::{AtomicFile, write_atomically};
pub use nearest::nearest;
