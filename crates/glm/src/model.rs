//! Families, links, and what one row contributes.

use crate::error::GlmError;
use crate::kernels::{self, each_row_kernel};
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
                $(if [$name $(, $other)*].iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    return Ok($type::$variant);
                })*
                Err(GlmError::$error { name: name.to_string() })
            }
        }
    };
}

named! {
    /// The distribution of the response. Names are R's, in any case; `FromStr` also takes `negbin`.
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
    Gamma = "Gamma";
    /// Any number, `wt` is the precision.
    Gaussian = "gaussian" | "normal";
    /// Positive, `wt` is the precision: the variance is `mu^3/wt`.
    InverseGaussian = "inverse.gaussian" | "inverse_gaussian";
    /// A count with variance `mu + mu^2/size`.
    NegativeBinomial = "negative.binomial" | "negbin" | "negative_binomial";
    /// No distribution, but a variance that depends on the mean: see [`Variance`].
    Quasi = "quasi";
}

named! {
    /// How the variance of a quasi family depends on the mean. Names are R's.
    Variance, UnknownVariance,
    /// It does not: the quasi-likelihood of the gaussian family.
    Constant = "constant";
    /// `mu(1 - mu)`: that of the binomial family.
    Binomial = "mu(1-mu)";
    /// `mu`: that of the poisson family.
    Mean = "mu";
    /// `mu^2`: that of the gamma family.
    Square = "mu^2";
    /// `mu^3`: that of the inverse gaussian family.
    Cube = "mu^3";
}

named! {
    /// How the mean depends on the linear predictor. Names are R's; `FromStr` also takes those of the powers that have a name of
    /// their own, such as `power(0.5)`.
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
    Log = "log" | "power(0)";
    /// `1/mu`
    Inverse = "inverse" | "power(-1)";
    /// `mu`
    Identity = "identity" | "power(1)";
    /// `sqrt(mu)`
    Sqrt = "sqrt" | "power(0.5)" | "power(1/2)";
    /// `1/mu^2`
    InverseSquare = "1/mu^2" | "power(-2)";
}

/// What a family's likelihood is, but for constants; quasi families share those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likelihood {
    Binomial,
    Poisson,
    Gamma,
    Gaussian,
    InverseGaussian,
    NegativeBinomial,
}

impl Likelihood {
    fn links(self) -> &'static [Link] {
        match self {
            Likelihood::Binomial => &[Link::Logit, Link::Probit, Link::Cloglog, Link::Cauchit, Link::Log],
            Likelihood::Poisson => &[Link::Log, Link::Identity, Link::Sqrt],
            Likelihood::NegativeBinomial => &[Link::Log, Link::Sqrt, Link::Identity],
            Likelihood::Gamma => &[Link::Inverse, Link::Log, Link::Identity],
            Likelihood::Gaussian => &[Link::Identity, Link::Log, Link::Inverse],
            Likelihood::InverseGaussian => &[Link::InverseSquare, Link::Inverse, Link::Identity, Link::Log],
        }
    }
}

/// A quasi family has every link, whatever its variance.
const QUASI_LINKS: &[Link] = &[
    Link::Identity,
    Link::Logit,
    Link::Probit,
    Link::Cloglog,
    Link::Cauchit,
    Link::Log,
    Link::Inverse,
    Link::Sqrt,
    Link::InverseSquare,
];

impl Variance {
    fn likelihood(self) -> Likelihood {
        match self {
            Variance::Constant => Likelihood::Gaussian,
            Variance::Binomial => Likelihood::Binomial,
            Variance::Mean => Likelihood::Poisson,
            Variance::Square => Likelihood::Gamma,
            Variance::Cube => Likelihood::InverseGaussian,
        }
    }
}

/// Which linear predictors a link takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// All.
    Any,
    /// Those above 0.
    Positive,
    /// Those below 0.
    Negative,
    /// All but 0.
    NotZero,
    /// Those between 0 and 1.
    Unit,
    /// Those above 1.
    AboveOne,
}

impl Domain {
    /// Whether it has a predictor.
    pub fn contains(self, eta: f64) -> bool {
        match self {
            Domain::Any => !eta.is_nan(),
            Domain::Positive => eta > 0.0,
            Domain::Negative => eta < 0.0,
            Domain::NotZero => eta != 0.0 && !eta.is_nan(),
            Domain::Unit => eta > 0.0 && eta < 1.0,
            Domain::AboveOne => eta > 1.0,
        }
    }
}

impl Family {
    /// The links that it has, the default of R first.
    pub fn links(self) -> &'static [Link] {
        match self {
            Family::Quasi => QUASI_LINKS,
            _ => self.likelihood(Variance::Constant).links(),
        }
    }

    /// The default of R.
    pub fn default_link(self) -> Link {
        self.links()[0]
    }

    /// The dispersion is a parameter of its own, which R estimates: quasi families, gamma, gaussian and inverse gaussian.
    pub fn has_dispersion(self) -> bool {
        match self {
            Family::QuasiBinomial
            | Family::QuasiPoisson
            | Family::Quasi
            | Family::Gamma
            | Family::Gaussian
            | Family::InverseGaussian => true,
            Family::Binomial | Family::Poisson | Family::NegativeBinomial => false,
        }
    }

    /// Whether it is a quasi family: without a density, and so without AIC.
    pub fn is_quasi(self) -> bool {
        matches!(self, Family::QuasiBinomial | Family::QuasiPoisson | Family::Quasi)
    }

    fn likelihood(self, variance: Variance) -> Likelihood {
        match self {
            Family::Binomial | Family::QuasiBinomial => Likelihood::Binomial,
            Family::Poisson | Family::QuasiPoisson => Likelihood::Poisson,
            Family::Gamma => Likelihood::Gamma,
            Family::Gaussian => Likelihood::Gaussian,
            Family::InverseGaussian => Likelihood::InverseGaussian,
            Family::NegativeBinomial => Likelihood::NegativeBinomial,
            Family::Quasi => variance.likelihood(),
        }
    }
}

/// Which row kernel a model runs.
macro_rules! row_kernel {
    ($($kernel:ident => $row:ident, $curvature:ident;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum RowKernel {
            $($kernel,)*
            /// The kernel that takes these codes of a variance and a link.
            Quasi(i32, i32),
        }
    };
}
each_row_kernel!(row_kernel);

/// A family, its link and what else it needs: the size of a negative binomial, the variance of a quasi family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    family: Family,
    link: Link,
    size: f64,
    variance: Variance,
    constants: bool,
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
                Ok(Model { family, link, size, ..Model::of(family, link) })
            }
            (Family::NegativeBinomial, _) | (_, Some(_)) => Err(GlmError::Size { family, size }),
            (_, None) => Ok(Model::of(family, link)),
        }
    }

    /// A quasi family with this variance; without a link, the identity, as in R.
    pub fn quasi(variance: Variance, link: Option<Link>) -> Model {
        Model { variance, ..Model::of(Family::Quasi, link.unwrap_or(Link::Identity)) }
    }

    fn of(family: Family, link: Link) -> Model {
        Model { family, link, size: 1.0, variance: Variance::Constant, constants: false }
    }

    /// With the constants of the binomial and the poisson density in the values of quasi families, which have none of their own:
    /// so that values can be compared with those of programs that add them.
    #[must_use]
    pub fn with_constants(self) -> Model {
        Model { constants: true, ..self }
    }

    /// The same with another size, if it is a negative binomial.
    pub(crate) fn with_size(self, size: f64) -> Model {
        Model { size, ..self }
    }

    /// How the variance of a quasi family depends on the mean.
    pub fn variance_function(&self) -> Option<Variance> {
        (self.family == Family::Quasi).then_some(self.variance)
    }

    pub(crate) fn likelihood(&self) -> Likelihood {
        self.family.likelihood(self.variance)
    }

    /// Whether the second derivative does not depend on the response: it is then its own expectation.
    pub(crate) fn is_canonical(&self) -> bool {
        matches!(
            self.row_kernel(),
            RowKernel::Logit
                | RowKernel::Poisson
                | RowKernel::GammaInverse
                | RowKernel::Gaussian
                | RowKernel::InverseGaussianSquare
        )
    }

    /// Which linear predictors the link takes.
    pub fn domain(&self) -> Domain {
        match (self.likelihood(), self.link) {
            (Likelihood::Binomial, Link::Log) => Domain::Negative,
            (Likelihood::Gaussian, Link::Inverse) => Domain::NotZero,
            (Likelihood::Gaussian, Link::Identity) => Domain::Any,
            (Likelihood::Binomial, Link::Identity | Link::Sqrt) => Domain::Unit,
            (Likelihood::Binomial, Link::Inverse | Link::InverseSquare) => Domain::AboveOne,
            (_, Link::Inverse | Link::Identity | Link::Sqrt | Link::InverseSquare) => Domain::Positive,
            _ => Domain::Any,
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
        match (self.likelihood(), self.link) {
            (Likelihood::NegativeBinomial, Link::Sqrt) => RowKernel::NegativeBinomialSqrt,
            (Likelihood::NegativeBinomial, Link::Identity) => RowKernel::NegativeBinomialIdentity,
            (Likelihood::NegativeBinomial, _) => RowKernel::NegativeBinomial,
            (Likelihood::Binomial, Link::Probit) => RowKernel::Probit,
            (Likelihood::Binomial, Link::Cloglog) => RowKernel::Cloglog,
            (Likelihood::Binomial, Link::Cauchit) => RowKernel::Cauchit,
            (Likelihood::Binomial, Link::Log) => RowKernel::BinomialLog,
            (Likelihood::Binomial, Link::Logit) => RowKernel::Logit,
            (Likelihood::Poisson, Link::Identity) => RowKernel::PoissonIdentity,
            (Likelihood::Poisson, Link::Sqrt) => RowKernel::PoissonSqrt,
            (Likelihood::Poisson, Link::Log) => RowKernel::Poisson,
            (Likelihood::Gamma, Link::Log) => RowKernel::GammaLog,
            (Likelihood::Gamma, Link::Identity) => RowKernel::GammaIdentity,
            (Likelihood::Gamma, Link::Inverse) => RowKernel::GammaInverse,
            (Likelihood::Gaussian, Link::Log) => RowKernel::GaussianLog,
            (Likelihood::Gaussian, Link::Inverse) => RowKernel::GaussianInverse,
            (Likelihood::Gaussian, Link::Identity) => RowKernel::Gaussian,
            (Likelihood::InverseGaussian, Link::Inverse) => RowKernel::InverseGaussianInverse,
            (Likelihood::InverseGaussian, Link::Identity) => RowKernel::InverseGaussianIdentity,
            (Likelihood::InverseGaussian, Link::Log) => RowKernel::InverseGaussianLog,
            (Likelihood::InverseGaussian, Link::InverseSquare) => RowKernel::InverseGaussianSquare,
            (_, link) => RowKernel::Quasi(self.variance as i32, link as i32),
        }
    }

    /// What is added to the offset before the row kernel: a negative binomial with size `s` and mean `mu` is a binomial of
    /// `y` successes and `s` failures with odds `mu/s`.
    pub(crate) fn shift(&self) -> f64 {
        match (self.family, self.link) {
            (Family::NegativeBinomial, Link::Log) => -nmath::log(self.size),
            _ => 0.0,
        }
    }

    /// What the linear predictor is divided by before the row kernel: where the link is not the logarithm, the odds `mu/s` of a
    /// negative binomial are not a shift of the predictor but another unit of it.
    pub(crate) fn unit(&self) -> f64 {
        match (self.family, self.link) {
            (Family::NegativeBinomial, Link::Identity) => self.size,
            (Family::NegativeBinomial, Link::Sqrt) => self.size.sqrt(),
            _ => 1.0,
        }
    }

    /// The predictor as the row kernel takes it.
    pub(crate) fn kernel_predictor(&self, eta: f64) -> f64 {
        eta / self.unit() + self.shift()
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
                let (a, b) = (wt * y, wt * (1.0 - y));
                let constant = if self.constants { -log_choose(wt, a, b) } else { 0.0 };
                Ok(RowInput { a, b, constant })
            }
            Family::Poisson => {
                let y = whole(y).filter(|y| *y >= 0.0).ok_or(RowProblem::Response)?;
                Ok(RowInput { a: wt, b: wt * y, constant: wt * nmath::lgamma1p(y) })
            }
            Family::QuasiPoisson => {
                response(y >= 0.0)?;
                let constant = if self.constants { wt * nmath::lgamma1p(y) } else { 0.0 };
                Ok(RowInput { a: wt, b: wt * y, constant })
            }
            Family::Quasi => {
                let (inside, a, b) = match self.variance {
                    Variance::Constant => (true, wt, y),
                    Variance::Binomial => ((0.0..=1.0).contains(&y), wt * y, wt * (1.0 - y)),
                    Variance::Mean => (y >= 0.0, wt, wt * y),
                    Variance::Square | Variance::Cube => (y > 0.0, wt, wt * y),
                };
                response(inside)?;
                Ok(RowInput { a, b, constant: 0.0 })
            }
            Family::InverseGaussian => {
                response(y > 0.0)?;
                let constant = 0.5 * (wt / y + nmath::log(2.0 * std::f64::consts::PI / wt) + 3.0 * nmath::log(y));
                Ok(RowInput { a: wt, b: wt * y, constant })
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
    /// domain. Outside of the link's [`Model::domain`] the value is `+inf`.
    pub fn terms(&self, y: f64, wt: f64, eta: f64) -> RowTerms {
        let Ok(row) = self.row_input(y, wt) else {
            return RowTerms { value: f64::NAN, gradient: f64::NAN, hessian: f64::NAN, fisher: f64::NAN };
        };
        self.terms_of(row, eta)
    }

    pub(crate) fn terms_of(&self, row: RowInput, eta: f64) -> RowTerms {
        let RowInput { a, b, constant } = row;
        let at = self.kernel_predictor(eta);
        macro_rules! run {
            ($($kernel:ident => $row:ident, $curvature:ident;)*) => {
                match self.row_kernel() {
                    $(RowKernel::$kernel => (kernels::$row(at, a, b), kernels::$curvature(at, a, b)),)*
                    RowKernel::Quasi(variance, link) => {
                        (kernels::quasi_row(at, a, b, variance, link), kernels::quasi_curvature(at, a, b, variance, link))
                    }
                }
            };
        }
        let ((value, gradient), (hessian, fisher)) = each_row_kernel!(run);
        let unit = self.unit();
        RowTerms {
            value: value + constant,
            gradient: gradient / unit,
            hessian: hessian / unit / unit,
            fisher: fisher / unit / unit,
        }
    }

    /// The mean at a linear predictor: the inverse of the link.
    pub fn mean(&self, eta: f64) -> f64 {
        match self.link {
            Link::Log => nmath::exp(eta),
            Link::Inverse => 1.0 / eta,
            Link::Identity => eta,
            Link::Sqrt => eta * eta,
            Link::InverseSquare => 1.0 / eta.sqrt(),
            Link::Logit | Link::Probit | Link::Cloglog | Link::Cauchit => self.tails(eta).0,
        }
    }

    /// The derivative of the mean with respect to the linear predictor.
    pub fn mean_derivative(&self, eta: f64) -> f64 {
        match self.link {
            Link::Log => nmath::exp(eta),
            Link::Inverse => -1.0 / eta / eta,
            Link::Identity => 1.0,
            Link::Sqrt => 2.0 * eta,
            Link::InverseSquare => -0.5 / (eta * eta.sqrt()),
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
            Link::Sqrt => mean.sqrt(),
            Link::InverseSquare => 1.0 / (mean * mean),
            Link::Logit => nmath::qlogis(mean, 0.0, 1.0, true, false),
            Link::Probit => nmath::qnorm(mean, 0.0, 1.0, true, false),
            Link::Cauchit => nmath::qcauchy(mean, 0.0, 1.0, true, false),
            Link::Cloglog => nmath::log(-nmath::log1p(-mean)),
        }
    }

    /// The family's variance at a mean, without dispersion and weight.
    pub fn variance(&self, mean: f64) -> f64 {
        match self.likelihood() {
            Likelihood::Binomial => mean * (1.0 - mean),
            Likelihood::Poisson => mean,
            Likelihood::Gamma => mean * mean,
            Likelihood::Gaussian => 1.0,
            Likelihood::InverseGaussian => mean * mean * mean,
            Likelihood::NegativeBinomial => mean + mean * mean / self.size,
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
            Link::Log => (nmath::exp(eta), -nmath::expm1(eta)),
            Link::Logit => both(nmath::plogis),
            Link::Identity | Link::Inverse | Link::Sqrt | Link::InverseSquare => {
                let mean = self.mean(eta);
                (mean, 1.0 - mean)
            }
        }
    }

    /// What a row adds to the deviance at a linear predictor: twice the log-likelihood that the saturated model has more.
    /// NaN if the response is not in the family's domain; `+inf` outside of the link's.
    pub fn deviance(&self, y: f64, wt: f64, eta: f64) -> f64 {
        let Ok(row) = self.row_input(y, wt) else { return f64::NAN };
        if wt == 0.0 {
            return 0.0;
        }
        // A mean of 1 is possible where there are no failures.
        let at_end = self.domain() == Domain::Negative && eta == 0.0 && row.b == 0.0;
        if !self.domain().contains(eta) && !at_end {
            return if eta.is_nan() { eta } else { f64::INFINITY };
        }
        match self.likelihood() {
            Likelihood::Binomial => binomial_deviance(row.a, row.b, self.tails(eta), || {
                self.terms_of(RowInput { constant: 0.0, ..row }, eta).value
            }),
            Likelihood::NegativeBinomial => {
                let at = self.kernel_predictor(eta);
                let odds = |m: f64| (m / (1.0 + m), 1.0 / (1.0 + m));
                let tails = match self.link {
                    Link::Identity => odds(at),
                    Link::Sqrt => odds(at * at),
                    _ => (nmath::plogis(at, 0.0, 1.0, true, false), nmath::plogis(at, 0.0, 1.0, false, false)),
                };
                binomial_deviance(row.a, row.b, tails, || self.terms_of(RowInput { constant: 0.0, ..row }, eta).value)
            }
            Likelihood::Poisson => 2.0 * wt * nmath::bd0(y, self.mean(eta)),
            Likelihood::Gamma => {
                let ratio = match self.link {
                    Link::Log => y * nmath::exp(-eta),
                    Link::Inverse => y * eta,
                    _ => y / self.mean(eta),
                };
                2.0 * wt * nmath::bd0(1.0, ratio)
            }
            Likelihood::Gaussian => {
                let residual = y - self.mean(eta);
                wt * residual * residual
            }
            Likelihood::InverseGaussian => {
                // (y/mu - 1)^2/y
                let ratio = match self.link {
                    Link::Log => y * nmath::exp(-eta),
                    Link::Inverse => y * eta,
                    Link::InverseSquare => y * eta.sqrt(),
                    _ => y / self.mean(eta),
                };
                wt * (ratio - 1.0) * (ratio - 1.0) / y
            }
        }
    }
}

/// The logarithm of a binomial coefficient, `n = k + m`, whole or not.
fn log_choose(n: f64, k: f64, m: f64) -> f64 {
    nmath::lgamma1p(n) - nmath::lgamma1p(k) - nmath::lgamma1p(m)
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
