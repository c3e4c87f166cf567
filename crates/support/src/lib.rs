//! What several crates share: files and folders that appear whole or not at all, the name somebody probably meant, an error with
//! its causes, text of any length in columns, and large memory in large pages.

mod align;
mod atomic_file;
mod atomic_files;
mod atomic_folder;
mod causes;
mod destination;
mod journal;
mod large_pages;
mod nearest;
mod permissions;
mod temporary;
mod unfinished;

pub use align::{align_left, align_right, crop};
pub use atomic_file::{AtomicFile, Unconfirmed, write_atomically};
pub use atomic_files::{AtomicFiles, NotCommitted};
pub use atomic_folder::AtomicFolder;
pub use causes::{causes, with_causes};
pub use destination::writes_into;
pub use large_pages::ask_for_large_pages;
pub use nearest::nearest;
pub use temporary::complete_interrupted;
pub use unfinished::abandon_unfinished;
