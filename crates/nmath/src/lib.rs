//! R's math library as kernels: special functions, distributions, random numbers.
//!
//! Every function is written once, in the kernel language, from operations that IEEE 754 rounds exactly. So a scalar
//! call, a SIMD loop, a threaded loop and an OpenCL device give the same bits.
//!
//! ```
//! use gristmill_nmath::pnorm;
//!
//! let (lower_tail, log_scale) = (true, false);
//! assert_eq!(pnorm(0.0, 0.0, 1.0, lower_tail, log_scale), 0.5); // a value
//! let (x, mut p) = ([-1.96, 0.0, 1.96], [0.0; 3]);
//! pnorm::map((&x, 0.0, 1.0, true, false), &mut p)?; // a slice; `par_map`: on threads; `on(&device)?.map`: on a device
//! assert_eq!(p[1], 0.5);
//! # Ok::<(), gristmill_kernel::ColumnError>(())
//! ```
//!
//! # Distributions
//! `d…` is the density, `p…` the distribution function, `q…` the quantile, `r…` a random number; parameters are R's. Every `p…` and
//! `q…` takes `lower_tail` and `log_scale`, and computes the tail or logarithm that is asked for, instead of subtracting.
//!
//! | distribution | | | | |
//! |---|---|---|---|---|
//! | normal | [`dnorm`] | [`pnorm`] | [`qnorm`] | [`rnorm`] |
//! | uniform | [`dunif`] | [`punif`] | [`qunif`] | [`runif`] |
//! | exponential | [`dexp`] | [`pexp`] | [`qexp`] | [`rexp`] |
//! | gamma | [`dgamma`] | [`pgamma`] | [`qgamma`] | [`rgamma`] |
//! | chi-squared | [`dchisq`] | [`pchisq`] | [`qchisq`] | [`rchisq`] |
//! | beta | [`dbeta`] | [`pbeta`] | [`qbeta`] | [`rbeta`] |
//! | Student's t | [`dt`] | [`pt`] | [`qt`] | [`rt`] |
//! | F | [`df`] | [`pf`] | [`qf`] | [`rf`] |
//! | lognormal | [`dlnorm`] | [`plnorm`] | [`qlnorm`] | [`rlnorm`] |
//! | weibull | [`dweibull`] | [`pweibull`] | [`qweibull`] | [`rweibull`] |
//! | logistic | [`dlogis`] | [`plogis`] | [`qlogis`] | [`rlogis`] |
//! | cauchy | [`dcauchy`] | [`pcauchy`] | [`qcauchy`] | [`rcauchy`] |
//! | binomial | [`dbinom`] | [`pbinom`] | [`qbinom`] | [`rbinom`] |
//! | negative binomial | [`dnbinom`] | [`pnbinom`] | [`qnbinom`] | [`rnbinom`] |
//! | negative binomial, by its mean | [`dnbinom_mu`] | [`pnbinom_mu`] | [`qnbinom_mu`] | [`rnbinom_mu`] |
//! | poisson | [`dpois`] | [`ppois`] | [`qpois`] | [`rpois`] |
//! | geometric | [`dgeom`] | [`pgeom`] | [`qgeom`] | [`rgeom`] |
//! | hypergeometric | [`dhyper`] | [`phyper`] | [`qhyper`] | [`rhyper`] |
//! | Wilcoxon rank sum | [`dwilcox`] | [`pwilcox`] | [`qwilcox`] | [`rwilcox`] |
//! | Wilcoxon signed rank | [`dsignrank`] | [`psignrank`] | [`qsignrank`] | [`rsignrank`] |
//! | noncentral chi-squared | [`dnchisq`] | [`pnchisq`] | [`qnchisq`] | [`rnchisq`] |
//! | noncentral beta | [`dnbeta`] | [`pnbeta`] | [`qnbeta`] | [`rnbeta`] |
//! | noncentral F | [`dnf`] | [`pnf`] | [`qnf`] | [`rnf`] |
//!
//! # Special functions
//! | topic | functions |
//! |---|---|
//! | exponential | [`exp`], [`expm1`] |
//! | logarithm | [`log`], [`log1p`], [`log2`], [`log10`], [`log1pmx`] |
//! | power | [`pow`], [`r_pow`], [`r_pow_di`] |
//! | roots | [`sqrt`], [`cbrt`] |
//! | trigonometric | [`sin`], [`cos`], [`tan`], [`sinpi`], [`cospi`], [`tanpi`] |
//! | inverse trigonometric | [`asin`], [`acos`], [`atan`], [`atan2`] |
//! | hyperbolic | [`sinh`], [`cosh`], [`tanh`] |
//! | rounding | [`fround`], [`fprec`], [`ftrunc`], [`fsign`], [`sign`], [`fmax2`], [`fmin2`], [`imax2`], [`imin2`] |
//! | gamma function | [`gammafn`], [`lgammafn`], [`lgammafn_sign`], [`lgamma1p`], [`stirlerr`] |
//! | beta function | [`beta`], [`lbeta`], [`choose`], [`lchoose`] |
//! | polygamma | [`digamma`], [`trigamma`], [`tetragamma`], [`pentagamma`], [`psigamma`] |
//! | bessel | [`bessel_i`], [`bessel_j`], [`bessel_k`], [`bessel_y`] |
//! | error function | [`erf`], [`erfc`], [`erfinv`], [`erfcinv`] |
//! | log space | [`log1pexp`], [`log1mexp`], [`logspace_add`], [`logspace_sub`], [`pow1p`] |
//! | deviance | [`bd0`] |
//! | Poisson mass | [`dpois_raw`] |
//! | binomial mass | [`dbinom_raw`] |
//! | random bits | [`philox4x32`] |
//!
//! # Random numbers
//! Each is a function of seed, stream and index, without state (docs/random-numbers.md): [`unif_rand`], [`norm_rand`], [`exp_rand`], [`r_unif_index`], and the `r…` above.
//!
//! # As data, and as parts
//! [`KERNELS`] lists all functions for programs that choose one at run time; [`documentation`] reads what their comments say of
//! R's usage and of their error. [`building_blocks`] are the parts that kernels of your own may want.
#![forbid(unsafe_code)]
// The kernel language has no `clamp` and no `contains`, and a negated comparison is how it includes NaN.
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]
#![allow(clippy::approx_constant)]
// constants are pairs: the leading part is written like the rest
// `pub` says which functions have a name of their own in the exported OpenCL library; only those listed are the crate's.
#![allow(unreachable_pub)]

pub mod building_blocks;
mod dist;
pub mod documentation;
mod list;
mod random;
mod special;

pub use dist::functions::*;
pub use list::{ENTRIES, KERNELS, kernel};
pub use random::functions::*;
pub use special::functions::*;
pub use special::log_sum::logspace_sum;
