//! Runs kernels and expressions over arrays: blocks, threads, devices.

pub mod expr;
pub mod npy;
