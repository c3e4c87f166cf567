//! The engine against a naive interpreter, threads and devices against each other, bit for bit.

mod arrays;
mod brought;
mod expressions;
mod hyperbolic;
mod kernels;
mod naive;
mod there;
