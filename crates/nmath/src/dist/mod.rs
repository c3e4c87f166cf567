//! Distributions, one file each: density, distribution function, quantile. The kernels are re-exported here and at the
//! crate's root.

pub mod beta_dist;
pub mod binomial;
pub mod cauchy;
pub mod chi_squared;
pub mod exponential_dist;
pub mod f_dist;
pub mod gamma_dist;
pub mod geometric;
pub mod hypergeometric;
pub mod logistic;
pub mod lognormal;
pub mod negative_binomial;
pub mod negative_binomial_mu;
pub mod normal;
pub mod poisson;
pub mod student_t;
pub mod uniform;
pub mod weibull;

pub use beta_dist::{dbeta, pbeta, qbeta};
pub use binomial::{dbinom, pbinom, qbinom};
pub use cauchy::{dcauchy, pcauchy, qcauchy};
pub use chi_squared::{dchisq, pchisq, qchisq};
pub use exponential_dist::{dexp, pexp, qexp};
pub use f_dist::{df, pf, qf};
pub use gamma_dist::{dgamma, pgamma, qgamma};
pub use geometric::{dgeom, pgeom, qgeom};
pub use hypergeometric::{dhyper, phyper, qhyper};
pub use logistic::{dlogis, plogis, qlogis};
pub use lognormal::{dlnorm, plnorm, qlnorm};
pub use negative_binomial::{dnbinom, pnbinom, qnbinom};
pub use negative_binomial_mu::{dnbinom_mu, pnbinom_mu, qnbinom_mu};
pub use normal::{dnorm, pnorm, qnorm};
pub use poisson::{dpois, ppois, qpois};
pub use student_t::{dt, pt, qt};
pub use uniform::{dunif, punif, qunif};
pub use weibull::{dweibull, pweibull, qweibull};
