//! Bessel functions I, J, K, Y of real order.
#![forbid(unsafe_code)]
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]

pub mod airy;
pub mod debye;
pub mod first_kind;
pub mod modified;
pub mod quadrature;
pub mod recurrence;
pub mod series;
mod tables;
pub mod temme;

pub use first_kind::{bessel_j, bessel_y};
pub use modified::{bessel_i, bessel_k};
