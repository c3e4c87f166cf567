//! Runs kernels and expressions over arrays: blocks, threads, devices.
