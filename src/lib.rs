//! Write a numerical kernel once; run the same bits everywhere.
//!
//! This crate is the facade: it re-exports the crates of the workspace under short names.
//!
//! | module | what it is for |
//! |---|---|
//! | [`ckernel`] | the C ABI in which kernels are traded |
//! | [`ndtypes`] | array types, views and assignment kernels |
//! | [`cl_library`] | annotated OpenCL C libraries, ordered and assembled |
//! | [`kernel`] | the `#[kernel]` attribute and what it emits |
//! | [`kernel_cl`] | kernels as OpenCL C: one program for some of them, or a tree of files for all |
//! | [`cl_runtime`] | OpenCL devices, programs and buffers |
//! | [`nmath`] | R's math library as kernels |
//! | [`engine`] | expressions over arrays, on threads or a device |
//! | [`tables`] | expressions for every row of a table in a file |
//! | [`glm`] | generalized linear models: formulas, fits, posteriors over grids |
#![forbid(unsafe_code)]

mod builtin;

pub use builtin::BUILTIN_PACKAGES;

pub use gristmill_ckernel as ckernel;
pub use gristmill_cl_library as cl_library;
pub use gristmill_cl_runtime as cl_runtime;
pub use gristmill_engine as engine;
pub use gristmill_glm as glm;
pub use gristmill_kernel as kernel;
pub use gristmill_kernel_cl as kernel_cl;
pub use gristmill_ndtypes as ndtypes;
pub use gristmill_nmath as nmath;
pub use gristmill_tables as tables;
