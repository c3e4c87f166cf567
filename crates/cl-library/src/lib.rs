//! Annotated OpenCL C libraries: ordered, indexed, subset, checked and assembled into programs.
//!
//! OpenCL compiles one string; there is no linker and no `#include`. A [`Library`] is a set of [`Shard`]s (`.cl` files, or
//! texts from memory) whose leading comments say what each provides and needs; it knows their [order](Library::order) and the
//! [part](Library::closure) that a kernel needs. A [`Package`] is a directory tree of libraries and kernels. A
//! [`ProgramSource`] is the assembled text. Nothing here needs OpenCL. docs/cl-library.md describes the formats.
#![forbid(unsafe_code)]

mod annotate;
mod annotate_kernels;
mod annotations;
mod assemble;

pub mod builtins;
mod check;
mod cycles;
mod diagnostics;
mod drawing;
mod error;
mod facts;
mod files;
mod folder;
mod graph;
mod index;
mod kernel_library;
pub mod lexer;
mod library;
mod manifest;
mod names;
mod new_package;
mod package;
mod preprocess;
mod program;
pub mod rds;
mod scan;
mod stage;
mod subset;
mod text;

pub use annotate::{Change, LibraryPlan, annotate_library, apply_changes, set_annotations};
pub use annotate_kernels::{KernelCalls, annotate_kernels, refresh_kernels};
pub use annotations::{Annotations, Tag, Value};
pub use assemble::{Assembled, PreludeRequest, ProgramRequest};
pub use check::{PROGRAM_RULES, check_library, check_program, cycle_findings, missing_dependency, strict_findings};
pub use cycles::{CycleProposal, Fragment};
pub use diagnostics::{Diagnostic, Place, Severity};
pub use drawing::{Drawing, Node, NodeKind};
pub use error::{IndexDifference, LibraryError, MissingDependency, Result, SORT_FAILED};
pub use files::write_atomically;
pub use folder::Folder;
pub use graph::{Graph, Order};
pub use index::{
    INDEX_RDS, INDEX_TSV, Index, IndexCheck, IndexMeta, IndexRow, IndexStatus, check_kernel_dependency_index,
    write_kernel_dependency_index,
};
pub use kernel_library::{
    Disk, Files, KernelLibrary, Wanted, default_depends_tag, library_tag, load_library_for_kernel,
    load_library_for_kernel_with, load_wanted_of_folder,
};
pub use library::{Library, Shard, trace};
pub use manifest::{CONFIGURATION_FILE, EntryKind, MANIFEST, MANIFEST_RDS, Manifest, ManifestEntry, ManifestStatus};
pub use new_package::new_package;
pub use package::{BuiltinPackage, Package, Packages, SEARCH_PATH};
pub use program::{Layer, ProgramPiece, ProgramSource, library_pieces};
pub use stage::{Staged, StagedRow, stage};
pub use subset::{Subset, SubsetRow, extract_library_subset};
pub use text::{Decoded, decode, display_path, line_of};
