//! Annotated OpenCL C libraries: ordered, indexed, subset, checked and assembled into programs.
//!
//! OpenCL compiles one string; there is no linker and no `#include`. A [`Library`] is a set of [`Shard`]s (`.cl` files, or
//! texts from memory) whose leading comments say what each provides and needs; it knows their [order](Library::order) and the
//! [part](Library::closure) that a kernel needs. A [`Package`] is a directory tree of libraries and kernels. A
//! [`ProgramSource`] is the assembled text. Nothing here needs OpenCL. docs/cl-library.md describes the formats.
#![forbid(unsafe_code)]

mod annotations;
mod atomic;
mod error;
mod index;
mod library;
mod nearest;
mod package;
mod program;
pub mod rds;
mod text;

pub use annotations::{Annotations, Tag, Value};
pub use error::{IndexDifference, LibraryError, MissingDependency, Result, SORT_FAILED};
pub use index::{
    Disk, Files, INDEX_RDS, INDEX_TSV, Index, IndexCheck, IndexMeta, IndexRow, IndexStatus, KernelLibrary, SubsetRow,
    check_kernel_dependency_index, default_depends_tag, extract_library_subset, load_library_for_kernel,
    load_library_for_kernel_with, write_kernel_dependency_index,
};
pub use library::{Graph, Library, Order, Shard};
pub use package::{BuiltinPackage, Package, Packages, SEARCH_PATH};
pub use program::{EntryKind, Layer, MANIFEST, Manifest, ManifestEntry, Piece, ProgramSource, library_pieces};
pub use text::{Decoded, decode, display_path, line_of};
