//! The parts of Apache Arrow that tables are made of, under the names that the crate `arrow` gives them.
//!
//! That crate brings arithmetic, string functions and regular expressions along, which take as long to build as much of the
//! rest of this workspace and which nothing here calls; so its parts are taken one by one.

/// Arrays and what builds them.
pub mod array {
    pub use arrow_array::builder::*;
    pub use arrow_array::cast::AsArray;
    pub use arrow_array::*;
}

/// The memory behind arrays.
pub mod buffer {
    pub use arrow_buffer::*;
}

/// Joining.
pub mod compute {
    pub use arrow_select::concat::{concat, concat_batches};
    pub use arrow_select::filter::{filter, filter_record_batch};
    pub use arrow_select::take::take;
}

/// Types and schemas.
pub mod datatypes {
    pub use arrow_array::ArrowPrimitiveType;
    pub use arrow_array::types::*;
    pub use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
}

/// What can go wrong.
pub mod error {
    pub use arrow_schema::ArrowError;
}

/// Arrays of other programs in this process: the C data interface.
pub mod ffi {
    pub use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
    pub use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
}

/// The IPC formats.
#[cfg(feature = "arrow")]
pub mod ipc {
    pub use arrow_ipc::*;
}
