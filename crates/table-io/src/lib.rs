//! Tables in files, read and written in batches, so that memory stays bounded for files larger than memory.
//!
//! [`open`] finds the format, [`Opened::columns`] tells the names, [`Opened::batches`] reads: the columns that are asked
//! for as numbers, the others carried along as they are. [`TableWriter`] writes to a temporary name and renames at the end.
//!
//! # Features
//! Both are on by default. Without one, its format is still known by name, and the message says what the build lacks.
//!
//! | feature | what it is for |
//! |---|---|
//! | `parquet` | Apache Parquet |
//! | `arrow` | Apache Arrow IPC, also called Feather |
#![forbid(unsafe_code)]
// What serves the columnar formats stays where it is; without them nobody calls it.
#![cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]

#[cfg(not(all(feature = "parquet", feature = "arrow")))]
mod absent;
pub mod arrow;
mod batch;
mod columnar;
mod compression;
mod csv;
mod display;
mod error;
mod format;
mod guard;
#[cfg(feature = "arrow")]
mod ipc;
mod json;
mod limits;
mod memory;
pub mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod pipeline;
mod read;
mod section;
mod stamp;
mod to_numbers;
mod to_text;
mod write;

#[cfg(not(feature = "arrow"))]
use absent::ipc;
#[cfg(not(feature = "parquet"))]
use absent::parquet;

pub use batch::{Batch, Batches, Carry, Lines, Note, Notes, Origin, Piece, Size, Stored, Survey, Time, Wanted};
pub use compression::Compression;
pub use csv::types::{Missing, column_of_texts};
pub use error::TableError;
pub use format::{Format, UnknownFormat};
pub use limits::{Limit, Limits};
pub use memory::{Collected, MemoryTable};
pub use parquet::read::StoredRows;
pub use pipeline::in_order;
pub use read::{Opened, ReadOptions, open, open_all, open_memory};
pub use stamp::FileStamp;
pub use to_numbers::{numbers, texts};
pub use to_text::Texts;
pub use write::{Encoded, Encoder, TableWriter};
