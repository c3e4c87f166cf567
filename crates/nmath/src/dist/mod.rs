//! Distributions, one file each: density, distribution function, quantile. The kernels are re-exported here and at the
//! crate's root.

pub mod cauchy;
pub mod chi_squared;
pub mod exponential_dist;
pub mod gamma_dist;
pub mod geometric;
pub mod logistic;
pub mod lognormal;
pub mod normal;
pub mod poisson;
pub mod uniform;
pub mod weibull;

pub use cauchy::{dcauchy, pcauchy, qcauchy};
pub use chi_squared::{dchisq, pchisq, qchisq};
pub use exponential_dist::{dexp, pexp, qexp};
pub use gamma_dist::{dgamma, pgamma, qgamma};
pub use geometric::{dgeom, pgeom, qgeom};
pub use logistic::{dlogis, plogis, qlogis};
pub use lognormal::{dlnorm, plnorm, qlnorm};
pub use normal::{dnorm, pnorm, qnorm};
pub use poisson::{dpois, ppois, qpois};
pub use uniform::{dunif, punif, qunif};
pub use weibull::{dweibull, pweibull, qweibull};
