//! Minus the log-likelihood of one row as a function of its linear predictor: one file for each link.
//!
//! `NAME_row(eta, a, b)` gives the value, without the constant that does not depend on `eta`, and its first derivative;
//! `NAME_curvature(eta, a, b)` gives the second derivative and its expectation. What `a` and `b` are made of is in
//! docs/glm.md. The rows are what block loops and devices run, so they have no branches; the curvatures serve fits.
//!
//! Every finite `eta` gives finite results, or the limit that the documentation of the row names.

mod binomial_log;
mod cauchit;
mod cloglog;
mod gamma;
mod gaussian;
mod inverse_gaussian;
mod logit;
mod negative_binomial;
mod poisson;
mod probit;
mod quasi;

pub use binomial_log::{binomial_log_curvature, binomial_log_row};
pub use cauchit::{cauchit_curvature, cauchit_row};
pub use cloglog::{cloglog_curvature, cloglog_row};
pub use gamma::{
    gamma_identity_curvature, gamma_identity_row, gamma_inverse_curvature, gamma_inverse_row, gamma_log_curvature,
    gamma_log_row,
};
pub use gaussian::{
    gaussian_curvature, gaussian_inverse_curvature, gaussian_inverse_row, gaussian_log_curvature, gaussian_log_row,
    gaussian_row,
};
pub use inverse_gaussian::{
    inverse_gaussian_identity_curvature, inverse_gaussian_identity_row, inverse_gaussian_inverse_curvature,
    inverse_gaussian_inverse_row, inverse_gaussian_log_curvature, inverse_gaussian_log_row,
    inverse_gaussian_square_curvature, inverse_gaussian_square_row,
};
pub use logit::{logit_curvature, logit_row, negative_binomial_curvature};
pub use negative_binomial::{
    negative_binomial_identity_curvature, negative_binomial_identity_row, negative_binomial_sqrt_curvature,
    negative_binomial_sqrt_row,
};
pub use poisson::{
    poisson_curvature, poisson_identity_curvature, poisson_identity_row, poisson_row, poisson_sqrt_curvature,
    poisson_sqrt_row,
};
pub use probit::{probit_curvature, probit_row};
pub use quasi::{quasi_curvature, quasi_row};

use gristmill_kernel::kernel;

/// Beyond it `exp` is near the end of the range: what grows like `exp(eta)` stays at its value there, so that no product
/// with a weight of 0 is NaN.
#[kernel]
const EXP_END: f64 = 709.0;

/// The same where the square of `exp(eta)` is needed.
#[kernel]
const SQUARE_EXP_END: f64 = 350.0;

/// Next to 0 the inverse of a predictor leaves the range with its powers: it stays at its value here.
#[kernel]
const INVERSE_END: f64 = 1e-75;

/// Calls a macro with the list of the row kernels that have one family and link: `Name => row, curvature;`. The others are
/// pairs of a variance and a link, which one kernel takes as codes.
macro_rules! each_row_kernel {
    ($then:ident) => {
        $then! {
            Logit => logit_row, logit_curvature;
            Probit => probit_row, probit_curvature;
            Cloglog => cloglog_row, cloglog_curvature;
            Cauchit => cauchit_row, cauchit_curvature;
            BinomialLog => binomial_log_row, binomial_log_curvature;
            Poisson => poisson_row, poisson_curvature;
            PoissonIdentity => poisson_identity_row, poisson_identity_curvature;
            PoissonSqrt => poisson_sqrt_row, poisson_sqrt_curvature;
            GammaLog => gamma_log_row, gamma_log_curvature;
            GammaInverse => gamma_inverse_row, gamma_inverse_curvature;
            GammaIdentity => gamma_identity_row, gamma_identity_curvature;
            Gaussian => gaussian_row, gaussian_curvature;
            GaussianLog => gaussian_log_row, gaussian_log_curvature;
            GaussianInverse => gaussian_inverse_row, gaussian_inverse_curvature;
            InverseGaussianSquare => inverse_gaussian_square_row, inverse_gaussian_square_curvature;
            InverseGaussianInverse => inverse_gaussian_inverse_row, inverse_gaussian_inverse_curvature;
            InverseGaussianIdentity => inverse_gaussian_identity_row, inverse_gaussian_identity_curvature;
            InverseGaussianLog => inverse_gaussian_log_row, inverse_gaussian_log_curvature;
            NegativeBinomial => logit_row, negative_binomial_curvature;
            NegativeBinomialIdentity => negative_binomial_identity_row, negative_binomial_identity_curvature;
            NegativeBinomialSqrt => negative_binomial_sqrt_row, negative_binomial_sqrt_curvature;
        }
    };
}
pub(crate) use each_row_kernel;

/// Of successes and failures those whose probability is the far tail of `|eta|`, and the others; `up`: `eta >= 0`.
#[kernel(inline)]
fn far_and_near(up: bool, successes: f64, failures: f64) -> (f64, f64) {
    (if up { failures } else { successes }, if up { successes } else { failures })
}
