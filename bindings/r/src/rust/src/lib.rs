//! The static library behind the R package: a small C interface without any of R's own.
//!
//! C reads R's objects and calls these functions with pointers and lengths; they compute, and put the reason of a failure into
//! a `error::ErrorText`. No panic leaves them (`error::guarded`), and none of them calls R: an R error is a jump over the
//! frames below it, which must not be Rust's. The declarations are in `gristmill_r.h`.

mod devices;
mod error;
mod eval;
mod glm;
mod library;
mod map;
mod report;
mod runner;
mod text;
mod threads;
mod value;
mod vectors;
