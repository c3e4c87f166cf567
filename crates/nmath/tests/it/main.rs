//! What the functions promise beyond their accuracy, as one program.
#![allow(missing_docs)]
#![allow(clippy::excessive_precision)] // reference values stand with all the digits they were given with

mod bessel;
mod bessel_ends;
mod beta_family;
mod borders;
mod building_blocks;
mod gamma_family;
mod list;
mod log_densities;
mod noncentral;
mod quadrature;
mod random;
mod range_ends;
mod ranks;
mod round_trips;
mod special_functions;
mod special_values;
mod studentised_range;
#[path = "../support/mod.rs"]
mod support;
mod truth;
