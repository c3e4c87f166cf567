//! What the noncentral distributions are built on. Lowest layer first: `polynomial` (a macro), [`debye`], [`contour`],
//! [`noncentral_sums`], [`noncentral_ratio`].

#[path = "../../../nmath/src/special/polynomial.rs"]
#[macro_use]
mod polynomial;

pub mod contour;
pub mod debye;
pub mod noncentral_ratio;
pub mod noncentral_sums;
