//! Annotated OpenCL C libraries: ordered, indexed, subset, checked and assembled into programs.
#![forbid(unsafe_code)]
