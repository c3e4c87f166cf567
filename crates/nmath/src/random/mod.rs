//! Random numbers: each is a function of seed, stream and index, and of the distribution's parameters.
//!
//! Element `index` of a stream is drawn from its own blocks of Philox4x32-10 (docs/random-numbers.md): it is the same alone,
//! in a block, on a thread or on a device. There is no state. The kernels are re-exported here and at the crate's root.
//!
//! ```
//! use gristmill_nmath::rnorm;
//! let (seed, stream) = (42, 0);
//! let sample: Vec<f64> = (0..1000).map(|index| rnorm(seed, stream, index, 10.0, 2.0)).collect();
//! assert_eq!(sample[700], rnorm(seed, stream, 700, 10.0, 2.0));
//! ```
//! Lowest layer first; a file uses only files listed before it: `bits`, `located`, `gamma_draw`, `small_mean`,
//! `poisson_draw`, `binomial_draw`, `hypergeometric_draw`.

#[cfg(test)]
mod agreement;
mod binomial_draw;
pub mod bits;
pub mod gamma_draw;
mod hypergeometric_draw;
mod located;
pub mod poisson_draw;
mod small_mean;

pub use binomial_draw::rbinom;
pub use bits::{exp_rand, norm_rand, r_unif_index, unif_rand};
pub use gamma_draw::{rbeta, rchisq, rf, rgamma, rt};
pub use hypergeometric_draw::rhyper;
pub use located::{rcauchy, rexp, rgeom, rlnorm, rlogis, rnorm, runif, rweibull};
pub use poisson_draw::{rnbinom, rnbinom_mu, rpois};
