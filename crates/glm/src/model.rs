//! Families, links, and what one row contributes.

use crate::error::GlmError;
use crate::kernels;
use gristmill_nmath as nmath;
use std::fmt;
use std::str::FromStr;

macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $error:ident, $($(#[$variant_doc:meta])* $variant:ident = $name:literal $(| $other:literal)*;)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$variant_doc])* $variant),* }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name in R.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = GlmError;
            fn from_str(name: &str) -> Result<$type, GlmError> {
                match name {
                    $($name $(| $other)* => Ok($type::$variant),)*
                    _ => Err(GlmError::$error { name: name.to_string() }),
                }
            }
        }
    };
}

named! {
    /// The distribution of the response. Names are R's; `FromStr` also takes `gamma` and `negbin`.
    Family, UnknownFamily,
    /// A proportion of `wt` trials.
    Binomial = "binomial";
    /// A proportion; its likelihood is that of the binomial family without the constant, for any weight.
    QuasiBinomial = "quasibinomial";
    /// A count.
    Poisson = "poisson";
    /// Zero or positive; its likelihood is that of the Poisson family without the constant.
    QuasiPoisson = "quasipoisson";
    /// Positive, `wt` is the shape.
    Gamma = "Gamma" | "gamma";
    /// Any number, `wt` is the precision.
    Gaussian = "gaussian";
    /// A count with variance `mu + mu^2/size`.
    NegativeBinomial = "negative.binomial" | "negbin";
}

named! {
    /// How the mean depends on the linear predictor. Names are R's.
    Link, UnknownLink,
    /// `log(mu/(1 - mu))`
    Logit = "logit";
    /// The normal quantile.
    Probit = "probit";
    /// `log(-log(1 - mu))`
    Cloglog = "cloglog";
    /// The Cauchy quantile.
    Cauchit = "cauchit";
    /// `log(mu)`
    Log = "log";
    /// `1/mu`
    Inverse = "inverse";
    /// `mu`
    Identity = "identity";
}

impl Family {
    /// The links that it has here, the default of R first.
    pub fn links(self) -> &'static [Link] {
        match self {
            Family::Binomial | Family::QuasiBinomial => &[Link::Logit, Link::Probit, Link::Cloglog, Link::Cauchit],
            Family::Poisson | Family::QuasiPoisson | Family::NegativeBinomial => &[Link::Log],
            Family::Gamma => &[Link::Inverse, Link::Log],
            Family::Gaussian => &[Link::Identity],
        }
    }

    /// The default of R.
    pub fn default_link(self) -> Link {
        self.links()[0]
    }

    /// The dispersion is a parameter of its own, which R estimates: quasi families, gamma and gaussian.
    pub fn has_dispersion(self) -> bool {
        match self {
            Family::QuasiBinomial | Family::QuasiPoisson | Family::Gamma | Family::Gaussian => true,
            Family::Binomial | Family::Poisson | Family::NegativeBinomial => false,
        }
    }
}

/// Which row kernel a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKernel {
    Logit,
    Probit,
    Cloglog,
    Cauchit,
    Poisson,
    GammaLog,
    GammaInverse,
    Gaussian,
}

/// A family, its link and, for a negative binomial, its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    family: Family,
    link: Link,
    size: f64,
}

/// What one row contributes at some linear predictor: minus its log-likelihood with derivatives in the predictor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowTerms {
    /// Minus the log-likelihood, constants included.
    pub value: f64,
    /// The first derivative.
    pub gradient: f64,
    /// The second derivative; negative where the likelihood is not log-concave (cauchit).
    pub hessian: f64,
    /// The expectation of the second derivative: the weight of Fisher scoring, `wt (dmu/deta)^2 / V(mu)`.
    pub fisher: f64,
}

/// A row as the kernels take it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowInput {
    pub(crate) a: f64,
    pub(crate) b: f64,
    /// The part of the value that does not depend on the predictor.
    pub(crate) constant: f64,
}

/// What is wrong with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowProblem {
    Weight,
    Response,
}

impl Model {
    /// A model; without a link, that of R's default.
    ///
    /// # Errors
    /// If the family does not have the link, or if the size is not a positive number where the family has one, or is given
    /// where it has none.
    pub fn new(family: Family, link: Option<Link>, size: Option<f64>) -> Result<Model, GlmError> {
        let link = link.unwrap_or(family.default_link());
        if !family.links().contains(&link) {
            return Err(GlmError::LinkOfFamily { family, link });
        }
        match (family, size) {
            (Family::NegativeBinomial, Some(size)) if size > 0.0 && size.is_finite() => {
                Ok(Model { family, link, size })
            }
            (Family::NegativeBinomial, _) | (_, Some(_)) => Err(GlmError::Size { family, size }),
            (_, None) => Ok(Model { family, link, size: 1.0 }),
        }
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The link.
    pub fn link(&self) -> Link {
        self.link
    }

    /// The size of a negative binomial.
    pub fn size(&self) -> Option<f64> {
        (self.family == Family::NegativeBinomial).then_some(self.size)
    }

    pub(crate) fn row_kernel(&self) -> RowKernel {
        match (self.family, self.link) {
            (Family::NegativeBinomial, _) | (_, Link::Logit) => RowKernel::Logit,
            (_, Link::Probit) => RowKernel::Probit,
            (_, Link::Cloglog) => RowKernel::Cloglog,
            (_, Link::Cauchit) => RowKernel::Cauchit,
            (Family::Gamma, Link::Log) => RowKernel::GammaLog,
            (_, Link::Inverse) => RowKernel::GammaInverse,
            (_, Link::Identity) => RowKernel::Gaussian,
            (_, Link::Log) => RowKernel::Poisson,
        }
    }

    /// What is added to the offset before the row kernel: a negative binomial with size `s` and mean `mu` is a binomial of
    /// `y` successes and `s` failures with odds `mu/s`.
    pub(crate) fn shift(&self) -> f64 {
        if self.family == Family::NegativeBinomial { -nmath::log(self.size) } else { 0.0 }
    }

    /// Checks a response and its weight, both finite, and brings them into the form of the kernels. Rows of weight 0
    /// contribute nothing.
    pub(crate) fn row_input(&self, y: f64, wt: f64) -> Result<RowInput, RowProblem> {
        if wt < 0.0 {
            return Err(RowProblem::Weight);
        }
        if wt == 0.0 {
            return Ok(RowInput::default());
        }
        let response = |inside: bool| if inside { Ok(()) } else { Err(RowProblem::Response) };
        match self.family {
            Family::Binomial => {
                let trials = whole(wt).ok_or(RowProblem::Weight)?;
                response((0.0..=1.0).contains(&y))?;
                let successes = whole(y * wt).ok_or(RowProblem::Response)?;
                Ok(RowInput { a: successes, b: trials - successes, constant: -nmath::lchoose(trials, successes) })
            }
            Family::QuasiBinomial => {
                response((0.0..=1.0).contains(&y))?;
                Ok(RowInput { a: wt * y, b: wt * (1.0 - y), constant: 0.0 })
            }
            Family::Poisson => {
                let y = whole(y).filter(|y| *y >= 0.0).ok_or(RowProblem::Response)?;
                Ok(RowInput { a: wt, b: wt * y, constant: wt * nmath::lgamma1p(y) })
            }
            Family::QuasiPoisson => {
                response(y >= 0.0)?;
                Ok(RowInput { a: wt, b: wt * y, constant: 0.0 })
            }
            Family::Gamma => {
                response(y > 0.0)?;
                let log_y = nmath::log(y);
                // lgamma(wt) - wt log(wt) without its cancelling parts
                let shape_part = nmath::stirlerr(wt) + 0.5 * nmath::log(2.0 * std::f64::consts::PI / wt) - wt;
                Ok(RowInput { a: wt, b: wt * y, constant: shape_part + log_y - wt * log_y })
            }
            Family::Gaussian => {
                let constant = 0.5 * nmath::log(2.0 * std::f64::consts::PI) - 0.5 * nmath::log(wt);
                Ok(RowInput { a: wt, b: y, constant })
            }
            Family::NegativeBinomial => {
                let y = whole(y).filter(|y| *y >= 0.0).ok_or(RowProblem::Response)?;
                // gamma(y + s) / (gamma(s) y!) = 1/(y B(s, y))
                let constant = if y > 0.0 { wt * (nmath::log(y) + nmath::lbeta(self.size, y)) } else { 0.0 };
                Ok(RowInput { a: wt * y, b: wt * self.size, constant })
            }
        }
    }

    /// What a row contributes at the linear predictor `eta` (offset included): NaN if the response is not in the family's
    /// domain. Outside of the domain of the inverse link, `eta <= 0`, the value is `+inf`.
    pub fn terms(&self, y: f64, wt: f64, eta: f64) -> RowTerms {
        let Ok(row) = self.row_input(y, wt) else {
            return RowTerms { value: f64::NAN, gradient: f64::NAN, hessian: f64::NAN, fisher: f64::NAN };
        };
        self.terms_of(row, eta)
    }

    pub(crate) fn terms_of(&self, row: RowInput, eta: f64) -> RowTerms {
        let RowInput { a, b, constant } = row;
        let at = eta + self.shift();
        let ((value, gradient), (hessian, fisher)) = match self.row_kernel() {
            RowKernel::Logit => (kernels::logit_row(at, a, b), kernels::logit_curvature(at, a, b)),
            RowKernel::Probit => (kernels::probit_row(at, a, b), kernels::probit_curvature(at, a, b)),
            RowKernel::Cloglog => (kernels::cloglog_row(at, a, b), kernels::cloglog_curvature(at, a, b)),
            RowKernel::Cauchit => (kernels::cauchit_row(at, a, b), kernels::cauchit_curvature(at, a, b)),
            RowKernel::Poisson => (kernels::poisson_row(at, a, b), kernels::poisson_curvature(at, a, b)),
            RowKernel::GammaLog => (kernels::gamma_log_row(at, a, b), kernels::gamma_log_curvature(at, a, b)),
            RowKernel::GammaInverse => {
                (kernels::gamma_inverse_row(at, a, b), kernels::gamma_inverse_curvature(at, a, b))
            }
            RowKernel::Gaussian => (kernels::gaussian_row(at, a, b), kernels::gaussian_curvature(at, a, b)),
        };
        // The number of trials of a negative binomial is random: its expectation is size/q.
        let fisher =
            if self.family == Family::NegativeBinomial { b * nmath::plogis(at, 0.0, 1.0, true, false) } else { fisher };
        RowTerms { value: value + constant, gradient, hessian, fisher }
    }

    /// The mean at a linear predictor: the inverse of the link.
    pub fn mean(&self, eta: f64) -> f64 {
        match self.link {
            Link::Log => nmath::exp(eta),
            Link::Inverse => 1.0 / eta,
            Link::Identity => eta,
            _ => self.tails(eta).0,
        }
    }

    /// The derivative of the mean with respect to the linear predictor.
    pub fn mean_derivative(&self, eta: f64) -> f64 {
        match self.link {
            Link::Log => nmath::exp(eta),
            Link::Inverse => -1.0 / eta / eta,
            Link::Identity => 1.0,
            Link::Logit => nmath::dlogis(eta, 0.0, 1.0, false),
            Link::Probit => nmath::dnorm(eta, 0.0, 1.0, false),
            Link::Cauchit => nmath::dcauchy(eta, 0.0, 1.0, false),
            Link::Cloglog => {
                let x = nmath::exp(eta);
                if x > 800.0 { 0.0 } else { x * nmath::exp(-x) }
            }
        }
    }

    /// The linear predictor at a mean: the link function.
    pub fn predictor(&self, mean: f64) -> f64 {
        match self.link {
            Link::Log => nmath::log(mean),
            Link::Inverse => 1.0 / mean,
            Link::Identity => mean,
            Link::Logit => nmath::qlogis(mean, 0.0, 1.0, true, false),
            Link::Probit => nmath::qnorm(mean, 0.0, 1.0, true, false),
            Link::Cauchit => nmath::qcauchy(mean, 0.0, 1.0, true, false),
            Link::Cloglog => nmath::log(-nmath::log1p(-mean)),
        }
    }

    /// The family's variance at a mean, without dispersion and weight.
    pub fn variance(&self, mean: f64) -> f64 {
        match self.family {
            Family::Binomial | Family::QuasiBinomial => mean * (1.0 - mean),
            Family::Poisson | Family::QuasiPoisson => mean,
            Family::Gamma => mean * mean,
            Family::Gaussian => 1.0,
            Family::NegativeBinomial => mean + mean * mean / self.size,
        }
    }

    /// Both binomial probabilities, each with full relative accuracy.
    fn tails(&self, eta: f64) -> (f64, f64) {
        let both =
            |f: fn(f64, f64, f64, bool, bool) -> f64| (f(eta, 0.0, 1.0, true, false), f(eta, 0.0, 1.0, false, false));
        match self.link {
            Link::Probit => both(nmath::pnorm),
            Link::Cauchit => both(nmath::pcauchy),
            Link::Cloglog => {
                let x = nmath::exp(eta);
                (-nmath::expm1(-x), nmath::exp(-x))
            }
            _ => both(nmath::plogis),
        }
    }

    /// What a row adds to the deviance at a linear predictor: twice the log-likelihood that the saturated model has more.
    /// NaN if the response is not in the family's domain; `+inf` outside of the domain of the inverse link.
    pub fn deviance(&self, y: f64, wt: f64, eta: f64) -> f64 {
        let Ok(row) = self.row_input(y, wt) else { return f64::NAN };
        if wt == 0.0 {
            return 0.0;
        }
        match self.family {
            Family::Binomial | Family::QuasiBinomial => binomial_deviance(row.a, row.b, self.tails(eta), || {
                self.terms_of(RowInput { constant: 0.0, ..row }, eta).value
            }),
            Family::NegativeBinomial => {
                let odds = eta + self.shift();
                let tails = (nmath::plogis(odds, 0.0, 1.0, true, false), nmath::plogis(odds, 0.0, 1.0, false, false));
                binomial_deviance(row.a, row.b, tails, || self.terms_of(RowInput { constant: 0.0, ..row }, eta).value)
            }
            Family::Poisson | Family::QuasiPoisson => 2.0 * wt * nmath::bd0(y, nmath::exp(eta)),
            Family::Gamma if self.link == Link::Log => 2.0 * wt * nmath::bd0(1.0, y * nmath::exp(-eta)),
            Family::Gamma if eta > 0.0 => 2.0 * wt * nmath::bd0(1.0, y * eta),
            Family::Gamma => f64::INFINITY,
            Family::Gaussian => wt * (y - eta) * (y - eta),
        }
    }
}

/// `2 (k log(k/(n p)) + m log(m/(n q)))`, `n = k + m`; `value` is `-k log p - m log q`, for where `p` or `q` underflows.
fn binomial_deviance(k: f64, m: f64, (p, q): (f64, f64), value: impl FnOnce() -> f64) -> f64 {
    let n = k + m;
    if p.min(q) > 1e-290 {
        return 2.0 * (nmath::bd0(k, n * p) + nmath::bd0(m, n * q));
    }
    let entropy = |c: f64| if c > 0.0 { c * nmath::log(c / n) } else { 0.0 };
    2.0 * (value() + entropy(k) + entropy(m))
}

/// The whole number that `x` is up to 1e-7 of itself, as R's densities see it.
fn whole(x: f64) -> Option<f64> {
    let rounded = x.round_ties_even();
    ((x - rounded).abs() <= 1e-7 * x.abs().max(1.0)).then_some(rounded)
}
