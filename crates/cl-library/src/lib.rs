//! Annotated OpenCL C libraries: ordered, indexed, subset, checked and assembled into programs.
//!
//! OpenCL compiles one string; there is no linker and no `#include`. A [`Library`] is a set of [`Shard`]s (`.cl` files, or
//! texts from memory) whose leading comments say what each provides and needs; it knows their [order](Library::order) and the
//! [part](Library::closure) that a kernel needs. A [`Package`] is a directory tree of libraries and kernels. A
//! [`ProgramSource`] is the assembled text. Nothing here needs OpenCL. docs/cl-library.md describes the formats.
#![forbid(unsafe_code)]

mod annotate;
mod annotations;
mod atomic;
pub mod builtins;
mod check;
mod cycles;
mod diagnostics;
mod drawing;
mod error;
mod index;
pub mod lexer;
mod library;
mod package;
mod preprocess;
mod program;
pub mod rds;
mod scan;
mod text;

pub use annotate::{Change, KernelCalls, LibraryPlan, annotate_kernels, annotate_library, set_annotations};
pub use annotations::{Annotations, Tag, Value};
pub use atomic::write as write_atomically;
pub use check::{check_library, check_program, cycle_findings, missing_dependency};
pub use cycles::{CycleProposal, Fragment};
pub use diagnostics::{Diagnostic, Place, Severity};
pub use drawing::{Drawing, Node, NodeKind};
pub use error::{IndexDifference, LibraryError, MissingDependency, Result, SORT_FAILED};
pub use index::{
    Disk, Files, INDEX_RDS, INDEX_TSV, Index, IndexCheck, IndexMeta, IndexRow, IndexStatus, KernelLibrary, SubsetRow,
    check_kernel_dependency_index, default_depends_tag, extract_library_subset, load_library_for_kernel,
    load_library_for_kernel_with, write_kernel_dependency_index,
};
pub use library::{Graph, Library, Order, Shard, trace};
pub use package::{BuiltinPackage, Package, Packages, SEARCH_PATH};
pub use program::{EntryKind, Layer, MANIFEST, Manifest, ManifestEntry, Piece, ProgramSource, library_pieces};
pub use text::{Decoded, decode, display_path, line_of};
