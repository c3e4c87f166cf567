//! The crate as its users meet it.

mod accuracy;
mod bad_input;
mod fit;
mod formula;
mod limits;
mod same_bits;
mod support;
