//! The kernel language: restricted Rust to a typed IR to OpenCL C.
#![forbid(unsafe_code)]
