//! The chi-squared distribution: gamma with shape `df/2` and scale 2.

use gristmill_kernel::kernel;

use super::gamma::random::{Gamma, gamma_eval, gamma_setup};
use super::gamma::{
    DensityScale, ProbabilityScale, density_eval, density_setup, probability_eval, probability_setup, quantile_eval,
};

#[kernel(inline)]
fn chisq_density_setup(df: f64, log: bool) -> DensityScale {
    density_setup(0.5 * df, 2.0, log)
}

#[kernel]
fn chisq_probability_setup(df: f64) -> ProbabilityScale {
    probability_setup(0.5 * df, 2.0)
}

/// The chi-squared density.
///
/// R: `dchisq(x, df, ncp, log = FALSE)`, chi-squared density: `dchisq(x, df, log)`; given
///   `ncp`: `dnchisq(x, df, ncp, log)`.
/// Domain: `df >= 0`, else NaN; `x < 0` gives 0; `df = 0` is a point mass at 0. NaN gives NaN.
/// Method: `dgamma(x, df/2, 2)`; halving is exact.
/// Paper: loader2000.
/// Error: 99 % within 0.53 ulp, at most 0.58 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dchisq(x: f64, df: f64, log: bool) -> f64 {
    density_eval(x, chisq_density_setup(df, log))
}

/// The chi-squared distribution function.
///
/// R: `pchisq(q, df, ncp, lower.tail = TRUE, log.p = FALSE)`, chi-squared distribution function:
///   `pchisq(q, df, lower.tail, log.p)`; given
///   `ncp`: `pnchisq(q, df, ncp, lower.tail, log.p)`.
/// Domain: `df >= 0`, else NaN; `df = 0` is a point mass at 0. NaN gives NaN.
/// Method: `pgamma(x, df/2, 2)`.
/// Paper: temme1994, gil2012.
/// Error: 99 % within 0.77 ulp, at most 1.40 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pchisq(x: f64, df: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, chisq_probability_setup(df), lower, log)
}

/// The chi-squared quantile.
///
/// R: `qchisq(p, df, ncp, lower.tail = TRUE, log.p = FALSE)`, chi-squared quantile: `qchisq(p, df, lower.tail, log.p)`; given
///   `ncp`: `qnchisq(p, df, ncp, lower.tail, log.p)`.
/// Domain: `p` in [0, 1] (log: `<= 0`), `df >= 0`, else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: `qgamma(p, df/2, 2)`.
/// Paper: gil2012.
/// Error: 99 % within 0.57 ulp, at most 0.63 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qchisq(p: f64, df: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, chisq_probability_setup(df), lower, log)
}

/// A chi-squared number.
///
/// R: `rchisq(df, ncp)`, chi-squared random number: `rchisq(df)`; given `ncp`:
///   `rnchisq(df, ncp)`.
/// Domain: `0 <= df < inf`, else NaN; `df = 0` gives 0.
/// Method: [`rgamma`](crate::rgamma) with shape `df/2` and scale 2.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pchisq`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rchisq(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    gamma_eval(seed, stream, index, chisq_setup(df))
}

#[kernel]
fn chisq_setup(df: f64) -> Gamma {
    if df >= 0.0 && df < f64::INFINITY {
        return gamma_setup(0.5 * df, 2.0);
    }
    gamma_setup(f64::NAN, 2.0)
}
