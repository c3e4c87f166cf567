//! The distributions, one per file.

pub mod signed_rank;
pub mod wilcoxon;

pub use signed_rank::{dsignrank, psignrank, qsignrank, rsignrank};
pub use wilcoxon::{dwilcox, pwilcox, qwilcox, rwilcox};
