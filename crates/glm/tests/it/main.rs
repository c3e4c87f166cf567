//! The crate as its users meet it.

mod accuracy;
mod after;
mod bad_input;
mod fit;
mod formula;
mod limits;
mod published;
mod quasi;
mod same_bits;
mod stop;
mod support;
