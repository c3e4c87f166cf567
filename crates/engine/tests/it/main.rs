//! The engine against a naive interpreter, threads and devices against each other, bit for bit.

mod expressions;
mod kernels;
mod naive;
