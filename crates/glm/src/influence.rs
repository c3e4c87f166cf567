//! Residuals of a fit, and how much each row has to say in it.

use crate::data::GlmData;
use crate::fit::Fit;
use rayon::prelude::*;

/// A leverage nearer to 1 is 1: a row that decides a coefficient alone.
const ALONE: f64 = 1e-12;

/// One row of a fit. What R's `residuals`, `hatvalues`, `rstandard` and `cooks.distance` say about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowInfluence {
    /// The linear predictor, offset included.
    pub link: f64,
    /// The mean.
    pub fitted: f64,
    /// The response less the mean.
    pub response: f64,
    /// The same on the scale of the predictor.
    pub working: f64,
    /// The same in units of the family's standard deviation at weight 1.
    pub pearson: f64,
    /// The root of what the row adds to the deviance, with the sign of the residual.
    pub deviance: f64,
    /// The leverage: how far the row's own predictor follows its response.
    pub hat: f64,
    /// The deviance residual over its own standard deviation; NaN, as the next two, where the leverage is 1.
    pub standardised_deviance: f64,
    /// The Pearson residual over its own standard deviation.
    pub standardised_pearson: f64,
    /// How far the coefficients move without the row (cook1977).
    pub cook: f64,
}

impl GlmData {
    /// What each row says about a fit of this data with this dispersion. Rows of weight 0 have leverage 0.
    pub fn influence(&self, fit: &Fit, dispersion: f64) -> Vec<RowInfluence> {
        let known: Vec<f64> = fit.coefficients.iter().map(|b| if b.is_nan() { 0.0 } else { *b }).collect();
        let eta = self.linear_predictor(&known).unwrap_or_default();
        let rank = fit.rank() as f64;
        let row = |(i, eta): (usize, &f64)| {
            let (model, y) = (self.model(), self.y()[i]);
            let terms = self.terms(i, *eta);
            let fitted = model.mean(*eta);
            let residual = y - fitted;
            let sign = if residual < 0.0 { -1.0 } else { 1.0 };
            let pearson = if terms.fisher > 0.0 { sign * (terms.gradient.abs() / terms.fisher.sqrt()) } else { 0.0 };
            let deviance = sign * self.deviance(i, *eta).max(0.0).sqrt();
            let hat = terms.fisher * fit.quadratic(self.row(i));
            let hat = if hat > 1.0 - ALONE { 1.0 } else { hat };
            let scale = (dispersion * (1.0 - hat)).sqrt();
            // A row that has a coefficient to itself has no residual to speak of: what is left of it is rounding.
            let known = |x: f64| if x.is_finite() && hat < 1.0 { x } else { f64::NAN };
            // (y - mean) / (dmean/deta) without the difference, which rounds to 0 where a probability rounds to 1.
            let working = if terms.fisher > 0.0 {
                -terms.gradient / terms.fisher
            } else {
                residual / model.mean_derivative(*eta)
            };
            RowInfluence {
                link: *eta,
                fitted,
                response: residual,
                working,
                pearson,
                deviance,
                hat,
                standardised_deviance: known(deviance / scale),
                standardised_pearson: known(pearson / scale),
                cook: known((pearson / (1.0 - hat)).powi(2) * hat / (dispersion * rank)),
            }
        };
        eta.par_iter().enumerate().with_min_len(64).map(row).collect()
    }

    /// The elements of row `i` of the model matrix other than zero.
    fn row(&self, i: usize) -> Vec<(usize, f64)> {
        match self.sparse() {
            Some(x) => {
                let (places, values) = x.row(i);
                places.iter().map(|k| *k as usize).zip(values.iter().copied()).collect()
            }
            None => self.x_row(i).iter().copied().enumerate().filter(|(_, v)| *v != 0.0).collect(),
        }
    }
}

impl Fit {
    /// `x' C x` with the covariance of the expected information, for a row of a model matrix given by its elements other than
    /// zero; aliased coefficients count for nothing.
    pub fn quadratic(&self, row: impl IntoIterator<Item = (usize, f64)>) -> f64 {
        let n = self.coefficients.len();
        let known: Vec<(usize, f64)> = row.into_iter().filter(|(k, _)| !self.aliased[*k]).collect();
        let along =
            |(a, x): &(usize, f64)| x * known.iter().map(|(b, y)| self.expected_covariance[a * n + b] * y).sum::<f64>();
        known.iter().map(along).sum()
    }
}
