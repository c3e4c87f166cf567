//! Special functions, one file per topic. The kernels are re-exported here and at the crate's root.
//!
//! Lowest layer first; a file uses only files listed before it:
//! `polynomial` (a macro), `conventions`, [`powers_of_two`], [`double_double`], [`scaling`], [`exponential`], [`logarithm`], [`power`], [`roots`],
//! [`constants`], [`extra_precision`], [`trigonometric_pairs`], [`trigonometric`],
//! [`inverse_trigonometric`], [`hyperbolic`], [`exponential_tail`], [`log_space`], [`log_sum`],
//! `error_tables`, `mills_tables`, [`error_function`], `circular_triple`, `digamma_zeros`, [`polygamma`], [`rounding`], [`stirling`], [`deviance`], [`gamma_function`],
//! [`poisson_mass`], [`normal_tail`], [`incomplete_gamma`], [`location_scale`],
//! [`philox`], `beta_tables`, [`binomial_kernel`], [`beta_constant`], `beta_zeros`, `gamma_step`, [`beta_function`], [`incomplete_beta`], [`beta_point`],
//! `beta_quantile_small`, [`beta_quantile_tiny`], [`beta_quantile`], [`student_tail`], [`f_ratio`], [`hypergeometric_sum`], [`negative_binomial_kernel`], [`discrete_quantile`], [`bessel`], `debye_remainder`,
//! `contour`, `fine_logarithms`, `noncentral_sums`, `mixture_levels`, `noncentral_ratio`, `log_nodes`, `noncentral_t_series`, `noncentral_t_far`, `noncentral_t_few`, `scaled_pair`, `complex_pair`, `rank_counts`, `rank_circle`, `rank_masses`.

#[macro_use]
mod polynomial;

pub mod bessel;
pub mod beta_constant;
pub mod beta_function;
pub mod beta_point;
pub mod beta_quantile;
pub(crate) mod beta_quantile_small;
pub mod beta_quantile_tiny;
mod beta_tables;
pub(crate) mod beta_zeros;
pub mod binomial_kernel;
pub(crate) mod circular_triple;
pub(crate) mod complex_pair;
pub mod constants;
pub(crate) mod contour;
pub(crate) mod conventions;
pub(crate) mod debye_remainder;
pub mod deviance;
pub(crate) mod digamma_zeros;
pub mod discrete_quantile;
pub mod double_double;
pub mod error_function;
mod error_tables;
pub mod exponential;
pub mod exponential_tail;
pub mod extra_precision;
pub mod f_ratio;
pub(crate) mod fine_logarithms;
pub mod gamma_function;
pub(crate) mod gamma_step;
pub mod hyperbolic;
pub mod hypergeometric_sum;
pub mod incomplete_beta;
pub mod incomplete_gamma;
pub mod inverse_trigonometric;
pub mod location_scale;
pub(crate) mod log_nodes;
pub mod log_space;
pub mod log_sum;
pub mod logarithm;
mod mills_tables;
pub(crate) mod mixture_levels;
pub mod negative_binomial_kernel;
pub(crate) mod noncentral_ratio;
pub(crate) mod noncentral_sums;
pub(crate) mod noncentral_t_far;
pub(crate) mod noncentral_t_few;
pub(crate) mod noncentral_t_series;
pub mod normal_tail;
pub mod philox;
pub mod poisson_mass;
pub mod polygamma;
pub mod power;
pub mod powers_of_two;
pub(crate) mod rank_circle;
pub(crate) mod rank_counts;
pub(crate) mod rank_masses;
pub mod roots;
pub mod rounding;
pub(crate) mod scaled_pair;
pub mod scaling;
pub mod stirling;
pub mod student_tail;
pub mod trigonometric;
pub mod trigonometric_pairs;

crate::list::functions! { special:
    exponential: exp expm1;
    logarithm: log log1p log2 log10 log1pmx;
    power: pow r_pow r_pow_di;
    roots: sqrt cbrt;
    trigonometric: sin cos tan sinpi cospi tanpi;
    inverse_trigonometric: asin acos atan atan2;
    hyperbolic: sinh cosh tanh;
    rounding: fround fprec ftrunc fsign sign fmax2 fmin2 imax2 imin2;
    gamma_function: gammafn lgammafn lgammafn_sign gamma_sign lgamma1p stirlerr lgammacor;
    beta_function: beta lbeta choose lchoose lfastchoose;
    polygamma: digamma trigamma tetragamma pentagamma psigamma scaled_psigamma log_minus_digamma digamma_and_derivatives;
    bessel: bessel_i bessel_j bessel_k bessel_y;
    error_function: erf erfc erfinv erfcinv;
    log_space: log1pexp log1mexp logspace_add logspace_sub pow1p;
    deviance: bd0 ebd0;
    poisson_mass: dpois_raw;
    binomial_kernel: dbinom_raw;
    philox: philox4x32;
}
