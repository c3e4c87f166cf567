//! The library as its users see it.

mod annotate;
mod check;
mod fuzz;
mod index;
mod order;
mod packages;
mod stage;
mod support;
