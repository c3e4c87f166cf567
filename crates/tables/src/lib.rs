//! Expressions for every row of a table in a file: what `gristmill eval` does, as a library.
//!
//! ```
//! use gristmill_tables::Evaluation;
//! # let folder = tempfile::tempdir()?;
//! # let (data, out) = (folder.path().join("data.csv"), folder.path().join("out.csv"));
//! std::fs::write(&data, "name,x\nann,1\nbob,3\n")?;
//! let summary = Evaluation::new(["z = x - mean(x)", "up = z > 0"]).input(&data).output(&out).run()?;
//! assert_eq!(std::fs::read_to_string(&out)?, "name,x,z,up\nann,1,-1,FALSE\nbob,3,1,TRUE\n");
//! assert_eq!((summary.rows, summary.columns), (2, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table is taken in pieces, and each thread carries a piece all the way: it decodes it, evaluates the expressions and
//! encodes the output; the output is written in order. So memory stays bounded, and no result depends on the threads.
//! Nothing is printed: what a user may want to know is in the [`Summary`], and [`Evaluation::run_with`] tells how far it is.
#![forbid(unsafe_code)]

mod codes;
mod error;
mod evaluation;
mod explain;
mod expressions;
mod groups;
mod job;
mod layout;
mod query;
mod source;
mod summary;
mod turns;
mod work;

/// So many rows and fewer are one thread's work, and need no other thread to be stopped: the slowest function takes a tenth of a
/// millisecond for a row.
pub const FEW_ROWS: u64 = 4096;

pub use error::EvaluationError;
pub use evaluation::{Evaluation, Results};
pub use summary::{Cost, Progress, Summary};

pub use gristmill_table_io as io;
