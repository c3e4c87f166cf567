//! What a fit says about each coefficient, as R's `summary` of a `glm` does.

use crate::data::GlmData;
use crate::fit::{Fit, diagonal};
use crate::model::Family;
use gristmill_nmath as nmath;

/// A fit in numbers for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// One for each column of the model matrix.
    pub coefficients: Vec<CoefficientSummary>,
    /// Where the standard deviations come from.
    pub curvature: Curvature,
    /// The dispersion, by which the covariance is multiplied.
    pub dispersion: f64,
    /// Whether it was estimated from the data. The statistics are then Student's t, else normal.
    pub estimated: bool,
    /// The deviance.
    pub deviance: f64,
    /// The deviance of the model with the intercept and the offset only.
    pub null_deviance: f64,
    /// Rows of positive weight less the coefficients.
    pub residual_degrees: usize,
    /// Rows of positive weight less the intercept.
    pub null_degrees: usize,
    /// Akaike's criterion as R defines it for the family; `None` for quasi families, and with a prior.
    pub aic: Option<f64>,
}

/// Of one coefficient; all NaN if it is aliased.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoefficientSummary {
    /// Its value at the mode.
    pub estimate: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// Their quotient.
    pub z: f64,
    /// The probability of a quotient as far from 0, if the coefficient were 0.
    pub p: f64,
}

/// Where standard deviations come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curvature {
    /// The expected second derivative of the likelihood times the dispersion, as in R: for flat priors.
    Expected,
    /// The exact second derivative of the posterior: Laplace's approximation.
    Exact,
}

impl GlmData {
    /// Whether the prior is flat.
    pub fn flat_prior(&self) -> bool {
        self.flat_prior
    }

    /// Summarises a fit of this data. `intercept` says whether the model has one, for the null deviance.
    ///
    /// With a flat prior the result is R's: the dispersion of the quasi, gamma and gaussian families is estimated by Pearson's
    /// statistic, unless `dispersion` gives it. With a prior the posterior is taken as it is: weights are precisions and
    /// shapes, and the dispersion is 1.
    pub fn summary(&self, fit: &Fit, intercept: bool, dispersion: Option<f64>) -> Summary {
        let flat = self.flat_prior();
        let residual_degrees = fit.rows_used.saturating_sub(fit.rank());
        let family = self.model().family();
        let estimated = flat && dispersion.is_none() && family.has_dispersion();
        let scale = match dispersion {
            Some(given) => given,
            None if !estimated => 1.0,
            None if residual_degrees > 0 => fit.pearson / residual_degrees as f64,
            None => f64::NAN,
        };
        let (curvature, covariance) =
            if flat { (Curvature::Expected, &fit.expected_covariance) } else { (Curvature::Exact, &fit.covariance) };
        let scale_of_covariance = if flat { scale } else { 1.0 };
        let coefficients = fit
            .coefficients
            .iter()
            .zip(diagonal(covariance, fit.coefficients.len()))
            .map(|(estimate, variance)| {
                let sd = (variance * scale_of_covariance).sqrt();
                let z = estimate / sd;
                let tail = if estimated {
                    nmath::pt(-z.abs(), residual_degrees as f64, true, false)
                } else {
                    nmath::pnorm(-z.abs(), 0.0, 1.0, true, false)
                };
                CoefficientSummary { estimate: *estimate, sd, z, p: 2.0 * tail }
            })
            .collect();
        Summary {
            coefficients,
            curvature,
            dispersion: scale,
            estimated,
            deviance: fit.deviance,
            null_deviance: self.null_deviance(intercept),
            residual_degrees,
            null_degrees: fit.rows_used.saturating_sub(usize::from(intercept)),
            aic: if flat { self.aic(fit) } else { None },
        }
    }

    /// As the `aic` functions of R's families define it.
    fn aic(&self, fit: &Fit) -> Option<f64> {
        let used = || self.weights().iter().copied().filter(|w| *w > 0.0);
        let likelihood = match self.model().family() {
            Family::QuasiBinomial | Family::QuasiPoisson | Family::Quasi => return None,
            Family::Binomial | Family::Poisson | Family::NegativeBinomial => 2.0 * fit.value,
            Family::Gaussian => {
                let n = used().count() as f64;
                let logs: f64 = used().map(nmath::log).sum();
                n * (nmath::log(2.0 * std::f64::consts::PI * fit.deviance / n) + 1.0) + 2.0 - logs
            }
            Family::Gamma => {
                let dispersion = fit.deviance / used().sum::<f64>();
                let coefficients: Vec<f64> =
                    fit.coefficients.iter().map(|b| if b.is_nan() { 0.0 } else { *b }).collect();
                let eta = self.linear_predictor(&coefficients).ok()?;
                let log_density = |((y, w), eta): ((&f64, &f64), &f64)| {
                    let scale = self.model().mean(*eta) * dispersion;
                    if *w > 0.0 { w * nmath::dgamma(*y, 1.0 / dispersion, scale, true) } else { 0.0 }
                };
                2.0 - 2.0 * self.y().iter().zip(self.weights()).zip(&eta).map(log_density).sum::<f64>()
            }
            Family::InverseGaussian => {
                let total: f64 = used().sum();
                let row = |i: usize| {
                    let (y, w) = (self.y()[i], self.weights()[i]);
                    if w > 0.0 { w * 3.0 * nmath::log(y) } else { 0.0 }
                };
                let scale = nmath::log(2.0 * std::f64::consts::PI * fit.deviance / total);
                total * (scale + 1.0) + self.sum_over_rows(row) + 2.0
            }
        };
        Some(likelihood + 2.0 * fit.rank() as f64)
    }
}
