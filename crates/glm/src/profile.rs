//! Intervals of coefficients from the profile of the likelihood: where the deviance, the other coefficients being fitted anew,
//! has risen by as much as the level says (venables2002, section 8.4).

use crate::data::GlmData;
use crate::error::GlmError;
use crate::fit::{Fit, FitOutcome};
use crate::model::Model;
use crate::sparse::SparseMatrix;
use gristmill_nmath as nmath;
use rayon::prelude::*;

/// Refits for one bound, at most.
const MOST_STEPS: usize = 40;

impl GlmData {
    /// The same rows as another model.
    ///
    /// # Errors
    /// If the responses or weights are not of the model's family.
    pub(crate) fn with_model(&self, model: Model) -> Result<GlmData, GlmError> {
        let precision = crate::Matrix::row_major(self.prior_precision(), self.coefficients, self.coefficients)?;
        let data = GlmData::builder(model).y(self.y()).weights(self.weights()).offset(self.offset());
        let data = data.prior_mean(self.prior_mean()).prior_precision(precision);
        let data = match self.sparse() {
            Some(x) => data.sparse_x(x).build()?,
            None => data.x(crate::Matrix::row_major(self.x(), self.rows, self.coefficients)?).build()?,
        };
        Ok(data.stopped_as(self))
    }

    /// For each coefficient the lower and the upper end of its interval of this level (0.95), by the profile of the likelihood
    /// with the dispersion given; NaN where it is aliased or has run away, or the dispersion is NaN, infinite where the deviance never rises so far. Priors are left out.
    ///
    /// # Errors
    /// As [`GlmData::fit`].
    pub fn profile_intervals(&self, fit: &Fit, dispersion: f64, level: f64) -> Result<Vec<(f64, f64)>, GlmError> {
        let target = nmath::qnorm(0.5 + 0.5 * level, 0.0, 1.0, true, false);
        let n = self.coefficients;
        let one = |j: usize| -> Result<(f64, f64), GlmError> {
            let sd = (fit.expected_covariance[j * n + j] * dispersion).sqrt();
            let ran_away = matches!(&fit.outcome, FitOutcome::Separated { coefficients } if coefficients.contains(&j));
            // Without a value, or without rows that tell the dispersion, there is no interval.
            if fit.aliased[j] || ran_away || !sd.is_finite() {
                return Ok((f64::NAN, f64::NAN));
            }
            let column = Column::new(self, j, &fit.aliased);
            let end = |sign: f64| column.end(self, fit, dispersion, sign, sd, target);
            Ok((end(-1.0)?, end(1.0)?))
        };
        (0..n).into_par_iter().map(one).collect()
    }
}

/// A column taken out of the model matrix, with the others that have coefficients of their own: one that depends on this column
/// would take its place.
struct Column {
    number: usize,
    values: Vec<f64>,
    others: usize,
    dense: Vec<f64>,
    sparse: Option<SparseMatrix>,
}

impl Column {
    fn new(data: &GlmData, j: usize, aliased: &[bool]) -> Column {
        let n = data.coefficients;
        let others: Vec<usize> = (0..n).filter(|k| *k != j && !aliased[*k]).collect();
        match data.sparse() {
            Some(x) => {
                let mut new = vec![None; n];
                others.iter().enumerate().for_each(|(place, k)| new[*k] = Some(place as u32));
                let value = |i: usize| {
                    let (places, values) = x.row(i);
                    places.iter().position(|k| *k as usize == j).map_or(0.0, |at| values[at])
                };
                let values = (0..data.rows).map(value).collect();
                let sparse = Some(x.divided(&new, others.len(), &vec![1.0; others.len()]));
                Column { number: j, values, others: others.len(), dense: Vec::new(), sparse }
            }
            None => {
                let rows = || data.x().chunks_exact(n);
                let dense = rows().flat_map(|row| others.iter().map(|k| row[*k])).collect();
                Column {
                    number: j,
                    values: rows().map(|row| row[j]).collect(),
                    others: others.len(),
                    dense,
                    sparse: None,
                }
            }
        }
    }

    /// The fit with the coefficient at a value, the others fitted from where they are near.
    fn refit(&self, data: &GlmData, at: f64, near: &[f64]) -> Result<Fit, GlmError> {
        let offset: Vec<f64> = data.offset().iter().zip(&self.values).map(|(o, x)| o + at * x).collect();
        let rest = GlmData::builder(*data.model()).y(data.y()).weights(data.weights()).offset(&offset);
        let rest = match &self.sparse {
            Some(x) => rest.sparse_x(x).build()?,
            None => rest.x(crate::Matrix::row_major(&self.dense, data.rows, self.others)?).build()?,
        };
        rest.stopped_as(data).fit_near(near)
    }

    /// Where the signed root of the rise of the deviance, which is nearly linear, reaches the target.
    fn end(
        &self,
        data: &GlmData,
        fit: &Fit,
        dispersion: f64,
        sign: f64,
        sd: f64,
        target: f64,
    ) -> Result<f64, GlmError> {
        let (start, far) = (fit.coefficients[self.number], sign * f64::INFINITY);
        let others = fit.coefficients.iter().enumerate().filter(|(k, b)| *k != self.number && !b.is_nan());
        let mut near: Vec<f64> = others.map(|(_, b)| *b).collect();
        let root = |distance: f64, near: &[f64]| -> Result<(f64, Vec<f64>), GlmError> {
            match self.refit(data, start + sign * distance, near) {
                Ok(refit) => {
                    let rise = ((refit.deviance - fit.deviance).max(0.0) / dispersion).sqrt();
                    let known = refit.coefficients.iter().map(|b| if b.is_nan() { 0.0 } else { *b });
                    Ok((if rise.is_nan() { f64::INFINITY } else { rise }, known.collect()))
                }
                // Outside of the link's domain no model is left.
                Err(GlmError::NoStart) => Ok((f64::INFINITY, near.to_vec())),
                Err(error) => Err(error),
            }
        };
        let (mut low, mut low_root) = (0.0, 0.0);
        let mut high: Option<(f64, f64)> = None;
        let mut at = target * sd;
        for _ in 0..MOST_STEPS {
            let (here, coefficients) = root(at, &near)?;
            if (here - target).abs() <= 1e-9 * target {
                return Ok(start + sign * at);
            }
            if here < target {
                (low, low_root) = (at, here);
                // The next refit starts from here, never from beyond the end: there another hill may begin.
                near = coefficients;
            } else {
                high = Some((at, here));
            }
            at = match high {
                // The secant, but never nearer to an end than a tenth: both ends move.
                Some((far, root)) if root.is_finite() => {
                    let share = (target - low_root) / (root - low_root);
                    low + (far - low) * share.clamp(1e-3, 1.0 - 1e-3)
                }
                Some((far, _)) => 0.5 * (low + far),
                None if at > 1e6 * sd => return Ok(far),
                None => at * (target / here.max(0.1 * target)).clamp(1.05, 3.0),
            };
            if let Some((far, _)) = high
                && far - low <= 1e-12 * (start.abs() + far)
            {
                return Ok(start + sign * at);
            }
        }
        Ok(start + sign * at)
    }
}
