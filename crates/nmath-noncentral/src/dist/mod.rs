//! The distributions, one file each: density, distribution function, quantile.

pub mod noncentral_beta;
pub mod noncentral_chi_squared;
pub mod noncentral_f;

pub use noncentral_beta::{dnbeta, pnbeta, qnbeta};
pub use noncentral_chi_squared::{dnchisq, pnchisq, qnchisq};
pub use noncentral_f::{dnf, pnf, qnf};
