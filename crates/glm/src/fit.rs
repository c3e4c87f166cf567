//! The posterior's mode, and the normal distribution around it (Laplace's approximation).

use crate::data::GlmData;
use crate::error::GlmError;
use crate::linear_algebra::{Cholesky, Orthogonal, dot, orthogonalise, semidefinite_factor};
use crate::matrix::Matrix;
use crate::model::Family;
use rayon::prelude::*;

/// Rows per block of the sums: fixed, so that the fit does not depend on threads.
const BLOCK: usize = 512;
/// Steps before the search is given up. A finite mode takes about ten; a separation takes about forty to be sure of.
const MOST_ITERATIONS: usize = 100;
/// A full Newton step of this length, in standard deviations, leaves an error of its square: the search is done.
const LAST_STEP: f64 = 1e-7;
/// A step of this length changes the posterior by less than rounding does. If the rows' predictors still move then, the
/// posterior has no mode: it rises all the way to infinity.
const NO_GAIN: f64 = 1e-8;
/// Of a predictor, relative to 1 plus its size: not moving any more, and moving.
const STANDS_STILL: f64 = 1e-6;
const MOVES: f64 = 1e-4;
/// A direction that keeps less than this of its curvature when the others are taken into account is flat.
const FLAT: f64 = 1e-13;

/// A mode and what is known around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The coefficients; NaN for those that are aliased.
    pub coefficients: Vec<f64>,
    /// Coefficients whose columns depend on earlier columns: they have no value of their own, as in R.
    pub aliased: Vec<bool>,
    /// The inverse of the exact second derivative of the negative log-posterior, row-major: the covariance of Laplace's
    /// approximation. NaN for aliased coefficients.
    pub covariance: Vec<f64>,
    /// The same with the expected second derivative of the likelihood. With a flat prior and times the dispersion it is what
    /// R calls `vcov`; for canonical links both are equal.
    pub expected_covariance: Vec<f64>,
    /// The negative log-posterior at the mode.
    pub value: f64,
    /// Twice the log-likelihood that the saturated model has more.
    pub deviance: f64,
    /// Pearson's statistic: the sum of squared residuals, each divided by its variance.
    pub pearson: f64,
    /// Rows of positive weight.
    pub rows_used: usize,
    /// How many steps were taken.
    pub iterations: usize,
    /// How the search ended.
    pub outcome: FitOutcome,
}

/// How the search for the mode ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FitOutcome {
    /// At the mode.
    Converged,
    /// There is no mode: the likelihood rises as these coefficients go to infinity together, because a combination of
    /// columns separates the responses (or a group has zero counts only). A prior gives them a mode.
    Separated {
        /// The coefficients that have no finite value.
        coefficients: Vec<usize>,
    },
    /// The steps ran out, or none of them raised the posterior.
    NotConverged {
        /// The length of the last step, in standard deviations.
        last_step: f64,
    },
}

impl Fit {
    /// Whether the search ended at a mode.
    pub fn converged(&self) -> bool {
        self.outcome == FitOutcome::Converged
    }

    /// How many coefficients have a value of their own.
    pub fn rank(&self) -> usize {
        self.aliased.iter().filter(|a| !**a).count()
    }

    /// The standard deviations of Laplace's approximation; NaN for aliased coefficients.
    pub fn standard_deviations(&self) -> Vec<f64> {
        diagonal(&self.covariance, self.coefficients.len()).map(f64::sqrt).collect()
    }
}

pub(crate) fn diagonal(matrix: &[f64], n: usize) -> impl Iterator<Item = f64> + '_ {
    (0..n).map(move |i| matrix[i * n + i])
}

/// Value, gradient and curvature at one point, in the coordinates of the search.
struct Local {
    value: f64,
    gradient: Vec<f64>,
    exact: Vec<f64>,
    expected: Vec<f64>,
    /// Pearson's statistic.
    pearson: f64,
}

/// The posterior in coordinates in which the weighted model matrix is orthonormal: `g = R b`, where `R` is the triangular
/// factor of the model matrix, each row times the root of its weight, with the prior's factor below it. A matrix `X'X` of
/// squared condition is never formed.
struct Search<'a> {
    data: &'a GlmData,
    factor: Orthogonal,
    /// `x R^-1` for the independent columns, row-major.
    z: Vec<f64>,
    /// The prior's precision in these coordinates.
    precision: Vec<f64>,
}

impl GlmData {
    /// Finds the posterior's mode by Newton's method on the exact second derivative (Fisher's where that is not positive
    /// definite), with steps halved until the posterior rises.
    ///
    /// Columns that depend on earlier ones are left out, as in R, unless the prior tells them apart. A search that ends
    /// elsewhere than at a mode is a [`FitOutcome`], not an error: the place where it stopped is still of interest.
    ///
    /// # Errors
    /// [`GlmError::NoStart`] if no coefficients are found at which the posterior is finite (inverse link).
    pub fn fit(&self) -> Result<Fit, GlmError> {
        let search = Search::new(self);
        let start = search.start()?;
        Ok(search.run(start))
    }

    /// The deviance of the model without columns: the intercept only, if there is one, and the offset. As R's
    /// `null.deviance`; infinite or NaN where R has no finite one.
    pub fn null_deviance(&self, intercept: bool) -> f64 {
        if !intercept {
            return (0..self.rows()).map(|i| self.deviance(i, self.offset()[i])).sum();
        }
        let ones = vec![1.0; self.rows()];
        let fit = Matrix::row_major(&ones, self.rows(), 1)
            .and_then(|x| {
                GlmData::new(*self.model(), x, self.y(), Some(self.weights()), Some(self.offset()), None, None)
            })
            .and_then(|data| data.fit());
        fit.map_or(f64::NAN, |f| f.deviance)
    }
}

impl<'a> Search<'a> {
    fn new(data: &'a GlmData) -> Search<'a> {
        let (rows, n) = (data.rows(), data.coefficients());
        let below = semidefinite_factor(data.prior_precision(), n);
        let roots: Vec<f64> = data.weights().iter().map(|w| w.sqrt()).collect();
        let columns = (0..n)
            .map(|j| (0..rows).map(|i| roots[i] * data.x_row(i)[j]).chain(below.iter().map(|v| v[j])).collect())
            .collect();
        let factor = orthogonalise(columns);
        let rank = factor.rank();
        let mut z = vec![0.0; rows * rank];
        if rank > 0 {
            z.par_chunks_mut(rank).enumerate().with_min_len(BLOCK).for_each(|(i, z)| {
                let x = data.x_row(i);
                for (z, k) in z.iter_mut().zip(&factor.kept) {
                    *z = x[*k];
                }
                factor.solve_transposed(z);
            });
        }
        let mut precision = vec![0.0; rank * rank];
        for row in &below {
            let mut v: Vec<f64> = factor.kept.iter().map(|k| row[*k]).collect();
            factor.solve_transposed(&mut v);
            for i in 0..rank {
                for j in 0..rank {
                    precision[i * rank + j] += v[i] * v[j];
                }
            }
        }
        Search { data, factor, z, precision }
    }

    fn rank(&self) -> usize {
        self.factor.rank()
    }

    fn z_row(&self, i: usize) -> &[f64] {
        &self.z[i * self.rank()..(i + 1) * self.rank()]
    }

    /// The coefficients of all columns; those of dependent columns are 0.
    fn expand(&self, kept: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.data.coefficients()];
        for (k, b) in self.factor.kept.iter().zip(kept) {
            all[*k] = *b;
        }
        all
    }

    fn predictors(&self, kept: &[f64]) -> Vec<f64> {
        self.data.linear_predictor(&self.expand(kept)).unwrap_or_default()
    }

    /// `P (b - m)` for the kept coefficients.
    fn prior_slope(&self, kept: &[f64]) -> Vec<f64> {
        let n = self.data.coefficients();
        let mut difference = self.expand(kept);
        for (d, m) in difference.iter_mut().zip(self.data.prior_mean()) {
            *d -= m;
        }
        self.factor.kept.iter().map(|k| dot(&self.data.prior_precision()[k * n..(k + 1) * n], &difference)).collect()
    }

    fn prior_value(&self, kept: &[f64]) -> f64 {
        let n = self.data.coefficients();
        let mut difference = self.expand(kept);
        for (d, m) in difference.iter_mut().zip(self.data.prior_mean()) {
            *d -= m;
        }
        0.5 * (0..n)
            .map(|i| difference[i] * dot(&self.data.prior_precision()[i * n..(i + 1) * n], &difference))
            .sum::<f64>()
    }

    /// The negative log-posterior, and how far rounding may have moved it.
    fn value(&self, kept: &[f64]) -> (f64, f64) {
        let eta = self.predictors(kept);
        let sums: Vec<(f64, f64)> = eta
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, eta)| {
                let mut sum = (0.0, 0.0);
                for (k, eta) in eta.iter().enumerate() {
                    let value = self.data.terms(block * BLOCK + k, *eta).value;
                    sum.0 += value;
                    sum.1 += value.abs();
                }
                sum
            })
            .collect();
        let prior = self.prior_value(kept);
        let (value, size) = sums.iter().fold((prior, prior), |s, v| (s.0 + v.0, s.1 + v.1));
        (value, 16.0 * f64::EPSILON * size)
    }

    fn local(&self, kept: &[f64]) -> Local {
        let rank = self.rank();
        let eta = self.predictors(kept);
        let blocks: Vec<Local> = eta
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(block, eta)| {
                let mut sum = Local {
                    value: 0.0,
                    gradient: vec![0.0; rank],
                    exact: vec![0.0; rank * rank],
                    expected: vec![0.0; rank * rank],
                    pearson: 0.0,
                };
                for (k, eta) in eta.iter().enumerate() {
                    let i = block * BLOCK + k;
                    let terms = self.data.terms(i, *eta);
                    let z = self.z_row(i);
                    sum.value += terms.value;
                    if terms.fisher > 0.0 {
                        sum.pearson += terms.gradient / terms.fisher * terms.gradient;
                    }
                    for a in 0..rank {
                        sum.gradient[a] += terms.gradient * z[a];
                        let (exact, expected) = (terms.hessian * z[a], terms.fisher * z[a]);
                        for (b, z) in z[..=a].iter().enumerate() {
                            sum.exact[a * rank + b] += exact * z;
                            sum.expected[a * rank + b] += expected * z;
                        }
                    }
                }
                sum
            })
            .collect();
        let mut slope = self.prior_slope(kept);
        self.factor.solve_transposed(&mut slope);
        let mut all = Local {
            value: self.prior_value(kept),
            gradient: slope,
            exact: self.precision.clone(),
            expected: self.precision.clone(),
            pearson: 0.0,
        };
        for block in blocks {
            all.value += block.value;
            all.pearson += block.pearson;
            all.gradient.iter_mut().zip(block.gradient).for_each(|(s, v)| *s += v);
            all.exact.iter_mut().zip(block.exact).for_each(|(s, v)| *s += v);
            all.expected.iter_mut().zip(block.expected).for_each(|(s, v)| *s += v);
        }
        for a in 0..rank {
            for b in 0..a {
                all.exact[b * rank + a] = all.exact[a * rank + b];
                all.expected[b * rank + a] = all.expected[a * rank + b];
            }
        }
        all
    }

    /// Where to begin: one step of weighted least squares from the responses themselves, as R does; the prior's mean if that
    /// is better; for the inverse link a constant predictor if neither is in its domain.
    fn start(&self) -> Result<Vec<f64>, GlmError> {
        let data = self.data;
        let towards = |i: usize| {
            let (y, w) = (data.y()[i], data.weights()[i]);
            let mean = match data.model().family() {
                Family::Binomial | Family::QuasiBinomial => (w * y + 0.5) / (w + 1.0),
                Family::Poisson | Family::QuasiPoisson => y + 0.1,
                Family::NegativeBinomial => y.max(1.0 / 6.0),
                Family::Gamma | Family::Gaussian => y,
            };
            let eta = data.model().predictor(mean);
            let terms = data.terms(i, eta);
            let usable = w > 0.0 && terms.fisher > 0.0 && terms.fisher.is_finite() && terms.gradient.is_finite();
            if usable { (terms.fisher, eta - terms.gradient / terms.fisher - data.offset()[i]) } else { (0.0, 0.0) }
        };
        let mut candidates = vec![self.least_squares(towards)];
        let mean: Vec<f64> = self.factor.kept.iter().map(|k| data.prior_mean()[*k]).collect();
        candidates.push(Some(mean));
        let total: f64 = data.weights().iter().sum();
        let average = data.y().iter().zip(data.weights()).map(|(y, w)| y * w).sum::<f64>() / total;
        let constant = data.model().predictor(average);
        candidates.push(self.least_squares(|i| (data.weights()[i], constant - data.offset()[i])));
        let mut best: Option<(f64, Vec<f64>)> = None;
        for candidate in candidates.into_iter().flatten() {
            let (value, _) = self.value(&candidate);
            if value.is_finite() && best.as_ref().is_none_or(|(lowest, _)| value < *lowest) {
                best = Some((value, candidate));
            }
        }
        best.map(|(_, start)| start).ok_or(GlmError::NoStart)
    }

    /// The coefficients that bring the predictors nearest to targets: `(weight, target)` for each row.
    fn least_squares(&self, row: impl Fn(usize) -> (f64, f64)) -> Option<Vec<f64>> {
        let rank = self.rank();
        let mut matrix = self.precision.clone();
        let mean = vec![0.0; rank];
        // minus the slope of the prior at 0
        let mut right = self.prior_slope(&mean);
        self.factor.solve_transposed(&mut right);
        right.iter_mut().for_each(|r| *r = -*r);
        for i in 0..self.data.rows() {
            let (weight, target) = row(i);
            if weight == 0.0 {
                continue;
            }
            let z = self.z_row(i);
            for a in 0..rank {
                right[a] += weight * target * z[a];
                for b in 0..rank {
                    matrix[a * rank + b] += weight * z[a] * z[b];
                }
            }
        }
        let mut solution = right;
        Cholesky::new(&matrix, rank, 0.0)?.solve(&mut solution);
        self.factor.solve(&mut solution);
        solution.iter().all(|s| s.is_finite()).then_some(solution)
    }

    fn run(&self, start: Vec<f64>) -> Fit {
        let mut kept = start;
        let mut outcome = FitOutcome::NotConverged { last_step: f64::INFINITY };
        let mut iterations = 0;
        while iterations < MOST_ITERATIONS {
            let here = self.local(&kept);
            let Some((step, newton)) = self.step(&here) else {
                outcome = self.flat(&here);
                break;
            };
            let squared = dot(&here.gradient, &step);
            let length = squared.max(0.0).sqrt() / self.unit(&here);
            let movement = self.movement(&kept, &step);
            if length <= NO_GAIN && movement > MOVES {
                outcome = FitOutcome::Separated { coefficients: self.moving(&step) };
                break;
            }
            iterations += 1;
            let Some(next) = self.descend(&kept, &here, &step, squared) else {
                // No step is better. Near the mode this is rounding; elsewhere the search has failed.
                outcome = if length <= 1e-4 && movement <= 1e-3 {
                    FitOutcome::Converged
                } else {
                    FitOutcome::NotConverged { last_step: length }
                };
                break;
            };
            kept = next;
            if newton && length <= LAST_STEP && movement <= STANDS_STILL {
                outcome = FitOutcome::Converged;
                break;
            }
            outcome = FitOutcome::NotConverged { last_step: length };
        }
        self.finish(&kept, iterations, outcome)
    }

    /// The step downhill (to be subtracted), and whether it is Newton's. `None` if the posterior is flat in some direction.
    fn step(&self, here: &Local) -> Option<(Vec<f64>, bool)> {
        let rank = self.rank();
        let mut step = here.gradient.clone();
        if let Some(exact) = Cholesky::new(&here.exact, rank, FLAT) {
            exact.solve(&mut step);
            return Some((step, true));
        }
        let expected = Cholesky::new(&here.expected, rank, FLAT)?;
        expected.solve(&mut step);
        Some((step, false))
    }

    /// The posterior is flat in some direction: which coefficients can move along it?
    fn flat(&self, here: &Local) -> FitOutcome {
        let rank = self.rank();
        // One step of inverse iteration with a little curvature added: mostly the flat directions.
        let mut matrix = here.expected.clone();
        let little = FLAT * diagonal(&here.expected, rank).fold(f64::MIN_POSITIVE, f64::max);
        for i in 0..rank {
            matrix[i * rank + i] += 4.0 * little;
        }
        let mut direction: Vec<f64> = (0..rank).map(|i| 1.0 + 0.1 * i as f64).collect();
        match Cholesky::new(&matrix, rank, 0.0) {
            Some(factor) => factor.solve(&mut direction),
            None => return FitOutcome::NotConverged { last_step: f64::INFINITY },
        }
        FitOutcome::Separated { coefficients: self.moving(&direction) }
    }

    /// How many of the posterior's standard deviations are one of the data's. Weights of 1 are precisions or shapes of 1; where
    /// the residuals are larger than that, so are the standard deviations, and so is what rounding does to a step.
    fn unit(&self, here: &Local) -> f64 {
        if self.data.model().family().has_dispersion() {
            (here.pearson / self.data.rows() as f64).sqrt().max(1.0)
        } else {
            1.0
        }
    }

    /// The largest change of a predictor under a step, relative to 1 plus its size.
    fn movement(&self, kept: &[f64], step: &[f64]) -> f64 {
        let eta = self.predictors(kept);
        let mut largest = 0.0;
        for (i, eta) in eta.iter().enumerate() {
            if self.data.weights()[i] > 0.0 {
                largest = f64::max(largest, dot(self.z_row(i), step).abs() / (1.0 + eta.abs()));
            }
        }
        largest
    }

    /// The coefficients that a direction moves, by what they do to the predictors.
    fn moving(&self, direction: &[f64]) -> Vec<usize> {
        let mut step = direction.to_vec();
        self.factor.solve(&mut step);
        let effects: Vec<f64> = self
            .factor
            .kept
            .iter()
            .zip(&step)
            .map(|(k, s)| {
                let largest = (0..self.data.rows()).fold(0.0, |m: f64, i| m.max(self.data.x_row(i)[*k].abs()));
                largest * s.abs()
            })
            .collect();
        let largest = effects.iter().fold(0.0, |m: f64, e| m.max(*e));
        let moves = |(k, e): (&usize, &f64)| (*e > 1e-3 * largest).then_some(*k);
        self.factor.kept.iter().zip(&effects).filter_map(moves).collect()
    }

    /// The point after the step, halved until the posterior is higher there.
    fn descend(&self, kept: &[f64], here: &Local, step: &[f64], squared: f64) -> Option<Vec<f64>> {
        let mut by = step.to_vec();
        self.factor.solve(&mut by);
        let mut part = 1.0;
        for _ in 0..60 {
            let next: Vec<f64> = kept.iter().zip(&by).map(|(b, s)| b - part * s).collect();
            let (value, rounding) = self.value(&next);
            // Armijo's rule, up to what rounding does to both values.
            if value <= here.value - 1e-4 * part * squared + 2.0 * rounding {
                return Some(next);
            }
            part *= 0.5;
        }
        None
    }

    fn finish(&self, kept: &[f64], iterations: usize, outcome: FitOutcome) -> Fit {
        let data = self.data;
        let n = data.coefficients();
        let here = self.local(kept);
        let eta = self.predictors(kept);
        let mut coefficients = vec![f64::NAN; n];
        let mut aliased = vec![true; n];
        for (k, b) in self.factor.kept.iter().zip(kept) {
            coefficients[*k] = *b;
            aliased[*k] = false;
        }
        let deviance = eta.iter().enumerate().map(|(i, eta)| data.deviance(i, *eta)).sum();
        Fit {
            coefficients,
            aliased,
            covariance: self.covariance(&here.exact),
            expected_covariance: self.covariance(&here.expected),
            value: here.value,
            deviance,
            pearson: here.pearson,
            rows_used: data.weights().iter().filter(|w| **w > 0.0).count(),
            iterations,
            outcome,
        }
    }

    /// The inverse of a matrix of the search's coordinates, for all coefficients; NaN if it is not positive definite.
    fn covariance(&self, matrix: &[f64]) -> Vec<f64> {
        let (n, rank) = (self.data.coefficients(), self.rank());
        let mut all = vec![f64::NAN; n * n];
        let Some(factor) = Cholesky::new(matrix, rank, 0.0) else { return all };
        // b = R^-1 L'^-1 e for independent e of variance 1; column k of the map is that of the k-th unit vector.
        let mut maps: Vec<Vec<f64>> = Vec::with_capacity(rank);
        for k in 0..rank {
            let mut column = vec![0.0; rank];
            column[k] = 1.0;
            factor.transposed_half_solve(&mut column);
            self.factor.solve(&mut column);
            maps.push(column);
        }
        for (i, a) in self.factor.kept.iter().enumerate() {
            for (j, b) in self.factor.kept.iter().enumerate() {
                all[a * n + b] = maps.iter().map(|m| m[i] * m[j]).sum();
            }
        }
        all
    }
}
