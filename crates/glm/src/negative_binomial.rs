//! Negative binomial models whose size is estimated with the coefficients, as MASS's `glm.nb` does (venables2002, section 7.4).

use crate::data::GlmData;
use crate::error::GlmError;
use crate::fit::Fit;
use crate::model::{Family, Link, Model};
use gristmill_nmath as nmath;

/// Rounds of coefficients and size, in turn.
const MOST_ROUNDS: usize = 50;
/// Newton's steps for the size at given means.
const MOST_STEPS: usize = 100;
/// A larger size is a Poisson model: the likelihood rises as the size goes to infinity.
const LARGEST: f64 = 1e8;

/// A fit with its size.
#[derive(Debug, Clone)]
pub struct NegativeBinomialFit {
    /// The data, as a model of the size that was found.
    pub data: GlmData,
    /// The coefficients.
    pub fit: Fit,
    /// The size, R's theta.
    pub size: f64,
    /// Its standard error from the observed information.
    pub size_sd: f64,
    /// Whether the search ended at a finite size; otherwise the counts vary no more than a Poisson model says.
    pub converged: bool,
}

impl GlmData {
    /// The size that the likelihood of a negative binomial model of these counts is highest for, with its coefficients. Weights
    /// count copies of rows. The family of this data does not matter, nor its size: counts, columns and the link do (the
    /// logarithm where a negative binomial has no such link).
    ///
    /// # Errors
    /// If the responses are not counts, or as [`GlmData::fit`].
    pub fn fit_negative_binomial(&self) -> Result<NegativeBinomialFit, GlmError> {
        let link = Some(self.model().link()).filter(|link| Family::NegativeBinomial.links().contains(link));
        let link = Some(link.unwrap_or(Link::Log));
        let poisson = self.with_model(Model::new(Family::Poisson, link, None)?)?;
        let mut means = poisson.means(&poisson.fit()?);
        let model = Model::new(Family::NegativeBinomial, link, Some(1.0))?;
        let mut last: Option<f64> = None;
        let mut round = 0;
        loop {
            let (size, size_sd) = self.best_size(&means, last);
            let finite = size < LARGEST;
            let data = self.with_model(model.with_size(size))?;
            let fit = data.fit()?;
            let done = last.is_some_and(|before| (size - before).abs() <= 1e-10 * size);
            round += 1;
            if done || !finite || round == MOST_ROUNDS {
                let converged = done && finite && fit.converged();
                return Ok(NegativeBinomialFit { data, fit, size, size_sd, converged });
            }
            means = data.means(&fit);
            last = Some(size);
        }
    }

    fn means(&self, fit: &Fit) -> Vec<f64> {
        let known: Vec<f64> = fit.coefficients.iter().map(|b| if b.is_nan() { 0.0 } else { *b }).collect();
        let eta = self.linear_predictor(&known).unwrap_or_default();
        eta.into_iter().map(|eta| self.model().mean(eta)).collect()
    }

    /// The size with the highest likelihood at given means, and its standard error: Newton's method on its logarithm.
    fn best_size(&self, means: &[f64], start: Option<f64>) -> (f64, f64) {
        let (y, w) = (self.y(), self.weights());
        let score = |size: f64| {
            let slope = self.sum_over_rows(|i| {
                let sum = means[i] + size;
                // digamma(size + y) - digamma(size) + log(size/sum) + 1 - (y + size)/sum
                let ratio = nmath::log1p(-means[i] / sum) + (means[i] - y[i]) / sum;
                w[i] * (nmath::digamma(size + y[i]) - nmath::digamma(size) + ratio)
            });
            let information = self.sum_over_rows(|i| {
                let sum = means[i] + size;
                let tri = nmath::trigamma(size) - nmath::trigamma(size + y[i]);
                w[i] * (tri - 1.0 / size + 2.0 / sum - (y[i] + size) / (sum * sum))
            });
            (slope, information)
        };
        let mut size = start.unwrap_or_else(|| {
            let total = self.sum_over_rows(|i| w[i]);
            let excess = self.sum_over_rows(|i| w[i] * (y[i] / means[i] - 1.0).powi(2));
            (total / excess).clamp(1e-3, 1e6)
        });
        for _ in 0..MOST_STEPS {
            let (slope, information) = score(size);
            // In log(size), with the curvature of a minimum: d2/dlog2 = size^2 information - size slope.
            let curvature = size * size * information - size * slope;
            let step = if curvature > 0.0 { size * slope / curvature } else { slope.signum() };
            let step = step.clamp(-2.0, 2.0);
            size *= step.exp();
            if size > LARGEST || step.abs() < 1e-12 {
                break;
            }
        }
        let (_, information) = score(size);
        (size, 1.0 / information.sqrt())
    }
}
