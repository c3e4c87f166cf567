//! One binary for all integration tests.
#![allow(missing_docs, unreachable_pub)]

mod data;
mod demo;
mod export;
mod fuzz;
mod hygiene;
mod same_bits;
mod shapes;
mod typed_call;
