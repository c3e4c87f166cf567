//! The library as its users see it.

mod order;
mod packages;
mod support;
