//! Kernels as shards of an OpenCL library: what `#[kernel]` holds as data becomes annotated text, which
//! gristmill-cl-library orders and assembles like anybody's.
//!
//! [`Assembly`] makes one program for some kernels; [`export::Tree`] writes all kernels of a crate as `.cl` files.
#![forbid(unsafe_code)]

mod assembly;
pub mod export;

pub use assembly::Assembly;
pub use gristmill_scalar::LAYER_0;
