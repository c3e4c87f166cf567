//! The Bessel functions.

mod bounded_time;
mod same_bits;
mod special_values;
