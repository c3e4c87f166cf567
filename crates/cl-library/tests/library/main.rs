//! The library as its users see it.

mod index;
mod order;
mod packages;
mod support;
