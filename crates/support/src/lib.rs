//! What several crates share: files that appear whole or not at all, the name somebody probably meant, and large memory in
//! large pages.

mod atomic;
mod large_pages;
mod nearest;

pub use atomic::{AtomicFile, abandon_unfinished, write_atomically};
pub use large_pages::ask_for_large_pages;
pub use nearest::nearest;
