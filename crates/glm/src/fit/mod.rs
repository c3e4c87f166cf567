//! The posterior's mode, and the normal distribution around it (Laplace's approximation).

mod border;
mod coordinates;
mod gram;
mod terms;

use crate::data::GlmData;
use crate::error::GlmError;
use crate::linear_algebra::{Cholesky, dot, semidefinite_factor};
use crate::matrix::Matrix;
use crate::model::{Domain, Likelihood};
pub(crate) use coordinates::Coordinates;
use coordinates::{Curvatures, Pass, Sums};
use rayon::prelude::*;

/// Rows per block of plain sums: fixed, so that they do not depend on threads.
const BLOCK: usize = 1024;
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

/// How far a search is: one call for each step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitProgress {
    /// How many steps were taken.
    pub iterations: usize,
    /// The length of the last one, in standard deviations; the search ends near 1e-7.
    pub last_step: f64,
}

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
    /// The likelihood is highest at the border of the link's domain: there the means of these rows end (at 1 with the log link of
    /// a binomial, at 0 with the identity link of counts). No slope is 0 there, and standard errors say little.
    Border {
        /// The rows whose predictors are at the border.
        rows: Vec<usize>,
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

/// Value, gradient and curvature at one place, in the coordinates of the search, prior included.
struct Local {
    /// The place.
    at: Vec<f64>,
    /// The linear predictors there, with the model's shift.
    eta: Vec<f64>,
    sums: Sums,
}

/// The posterior in coordinates in which the weighted model matrix is orthonormal, or nearly so; a matrix `X'X` of squared
/// condition decides no step.
struct Search<'a> {
    data: &'a GlmData,
    coordinates: Coordinates,
    /// The prior's precision in these coordinates.
    precision: Vec<f64>,
    /// See [`Pass::barrier`].
    barrier: f64,
}

/// Where a search ended.
struct Ended {
    here: Local,
    iterations: usize,
    outcome: FitOutcome,
    /// Whether a step was shortened because it led out of the link's domain.
    met_border: bool,
}

impl GlmData {
    /// Finds the posterior's mode by Newton's method on the exact second derivative (Fisher's where that is not positive
    /// definite), with steps halved until the posterior rises.
    ///
    /// Columns that depend on earlier ones are left out, as in R, unless the prior tells them apart. A search that ends
    /// elsewhere than at a mode is a [`FitOutcome`], not an error: the place where it stopped is still of interest.
    ///
    /// On the threads of the current rayon pool; the result does not depend on how many there are. Each step is one pass over
    /// the data.
    ///
    /// # Errors
    /// [`GlmError::NoStart`] if no coefficients are found at which the posterior is finite (links with a domain);
    /// [`GlmError::Stopped`].
    pub fn fit(&self) -> Result<Fit, GlmError> {
        self.fit_with(|_| {})
    }

    /// As [`GlmData::fit`]; `progress` is called after every step.
    ///
    /// # Errors
    /// As [`GlmData::fit`].
    pub fn fit_with(&self, progress: impl FnMut(FitProgress)) -> Result<Fit, GlmError> {
        let search = Search::new(self);
        self.check_stop()?;
        let start = search.start()?;
        search.run(start, progress)
    }

    /// As [`GlmData::fit`], from coefficients that are near: a likelihood with several hills is climbed where it was climbed before.
    pub(crate) fn fit_near(&self, coefficients: &[f64]) -> Result<Fit, GlmError> {
        let search = Search::new(self);
        let kept: Vec<f64> = search.coordinates.kept().iter().map(|k| coefficients[*k]).collect();
        let near = search.local(search.coordinates.place_of(&kept), None, Curvatures::Exact);
        // From far down the usual start may be the better one: where all probabilities are 0 or 1, no slope leads back.
        let start = match search.start() {
            Ok(usual) if !near.sums.value.is_finite() || usual.sums.value < near.sums.value => usual,
            Err(error) if !near.sums.value.is_finite() => return Err(error),
            _ => near,
        };
        search.run(start, |_| {})
    }

    /// The deviance of the model without columns: the intercept only, if there is one, and the offset. As R's
    /// `null.deviance`; infinite or NaN where R has no finite one.
    pub fn null_deviance(&self, intercept: bool) -> f64 {
        let constant = |eta: f64| self.sum_over_rows(|i| self.deviance(i, eta));
        if !intercept {
            return self.sum_over_rows(|i| self.deviance(i, self.offset()[i]));
        }
        let first = self.offset().first().copied().unwrap_or(0.0);
        if self.offset().iter().all(|o| *o == first) {
            // One mean for all rows is the mean of the responses, whatever the family and the link.
            let total: f64 = self.sum_over_rows(|i| self.weights()[i]);
            let mean = self.sum_over_rows(|i| self.weights()[i] * self.y()[i]) / total;
            return constant(self.model().predictor(mean));
        }
        let ones = vec![1.0; self.rows()];
        let fit = Matrix::row_major(&ones, self.rows(), 1)
            .and_then(|x| {
                let data = GlmData::builder(*self.model()).x(x).y(self.y());
                data.weights(self.weights()).offset(self.offset()).build()
            })
            .and_then(|data| data.stopped_as(self).fit());
        fit.map_or(f64::NAN, |f| f.deviance)
    }

    /// The sum of a number of each row: blocks in order, whatever the threads.
    pub(crate) fn sum_over_rows(&self, row: impl Fn(usize) -> f64 + Sync) -> f64 {
        let blocks: Vec<f64> = (0..self.rows().div_ceil(BLOCK))
            .into_par_iter()
            .map(|b| (b * BLOCK..self.rows().min((b + 1) * BLOCK)).map(&row).sum())
            .collect();
        blocks.iter().sum()
    }
}

impl<'a> Search<'a> {
    fn new(data: &'a GlmData) -> Search<'a> {
        let below = semidefinite_factor(data.prior_precision(), data.coefficients());
        let coordinates = Coordinates::new(data, &below);
        let rank = coordinates.rank();
        let mut precision = vec![0.0; rank * rank];
        for row in &below {
            let mut v: Vec<f64> = coordinates.kept().iter().map(|k| row[*k]).collect();
            coordinates.slopes(&mut v);
            for i in 0..rank {
                for j in 0..rank {
                    precision[i * rank + j] += v[i] * v[j];
                }
            }
        }
        Search { data, coordinates, precision, barrier: 0.0 }
    }

    fn rank(&self) -> usize {
        self.coordinates.rank()
    }

    /// The coefficients of all columns at a place; those of dependent columns are 0.
    fn coefficients(&self, place: &[f64]) -> Vec<f64> {
        let mut kept = place.to_vec();
        self.coordinates.to_coefficients(&mut kept);
        self.expand(&kept)
    }

    fn expand(&self, kept: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.data.coefficients()];
        for (k, b) in self.coordinates.kept().iter().zip(kept) {
            all[*k] = *b;
        }
        all
    }

    /// The prior's value at coefficients, and its slopes in the search's coordinates.
    fn prior(&self, coefficients: &[f64]) -> (f64, Vec<f64>) {
        let n = self.data.coefficients();
        if self.data.flat_prior() {
            return (0.0, vec![0.0; self.rank()]);
        }
        let difference: Vec<f64> = coefficients.iter().zip(self.data.prior_mean()).map(|(b, m)| b - m).collect();
        let slope = |i: usize| dot(&self.data.prior_precision()[i * n..(i + 1) * n], &difference);
        let value = 0.5 * (0..n).map(|i| difference[i] * slope(i)).sum::<f64>();
        let mut slopes: Vec<f64> = self.coordinates.kept().iter().map(|k| slope(*k)).collect();
        self.coordinates.slopes(&mut slopes);
        (value, slopes)
    }

    /// With the prior.
    fn complete(&self, mut sums: Sums, coefficients: &[f64]) -> Sums {
        let (value, slopes) = self.prior(coefficients);
        sums.value += value;
        sums.size += value;
        sums.gradient.iter_mut().zip(slopes).for_each(|(g, s)| *g += s);
        for matrix in [&mut sums.exact, &mut sums.expected].into_iter().flatten() {
            matrix.iter_mut().zip(&self.precision).for_each(|(m, p)| *m += p);
        }
        sums
    }

    fn local(&self, place: Vec<f64>, before: Option<&[f64]>, curvatures: Curvatures) -> Local {
        let mut eta = vec![0.0; self.data.rows()];
        let pass = Pass { curvatures, before, barrier: self.barrier };
        let sums = self.coordinates.pass(self.data, &place, &mut eta, pass);
        let sums = self.complete(sums, &self.coefficients(&place));
        Local { at: place, eta, sums }
    }

    /// Where to begin: one step of weighted least squares from the responses themselves, as R does; the prior's mean if that
    /// is better; for links with a domain a constant predictor if neither is in it.
    fn start(&self) -> Result<Local, GlmError> {
        let data = self.data;
        let unit = data.model().unit();
        let towards = |i: usize| {
            let (y, w) = (data.y()[i], data.weights()[i]);
            let mean = match data.model().likelihood() {
                Likelihood::Binomial => (w * y + 0.5) / (w + 1.0),
                Likelihood::Poisson => y + 0.1,
                Likelihood::NegativeBinomial => y.max(1.0 / 6.0),
                Likelihood::Gamma | Likelihood::Gaussian | Likelihood::InverseGaussian => y,
            };
            let eta = data.model().predictor(mean);
            let terms = data.terms(i, eta);
            let usable = w > 0.0 && terms.fisher > 0.0 && terms.fisher.is_finite() && terms.gradient.is_finite();
            let target = eta - terms.gradient / terms.fisher - data.offset()[i];
            if usable { (terms.fisher * unit * unit, target / unit) } else { (0.0, 0.0) }
        };
        let first = self.least_squares(towards);
        data.check_stop()?;
        let first = first.map(|place| self.local(place, None, Curvatures::Exact));
        if data.flat_prior() && first.as_ref().is_some_and(|first| first.sums.value.is_finite()) {
            // What is good enough for R; the prior's mean says nothing here.
            return first.ok_or(GlmError::NoStart);
        }
        let kept: Vec<f64> = self.coordinates.kept().iter().map(|k| data.prior_mean()[*k]).collect();
        let total = data.sum_over_rows(|i| data.weights()[i]);
        let average = data.sum_over_rows(|i| data.weights()[i] * data.y()[i]) / total;
        let constant = data.model().predictor(average);
        let level = self.least_squares(|i| (data.weights()[i], (constant - data.offset()[i]) / unit));
        let others = [Some(self.coordinates.place_of(&kept)), level];
        let others = others.into_iter().flatten().map(|place| self.local(place, None, Curvatures::Exact));
        let mut best: Option<Local> = None;
        for candidate in first.into_iter().chain(others) {
            let value = candidate.sums.value;
            if value.is_finite() && best.as_ref().is_none_or(|best| value < best.sums.value) {
                best = Some(candidate);
            }
        }
        best.ok_or(GlmError::NoStart)
    }

    /// The place that brings the predictors nearest to targets: `(weight, target)` for each row.
    fn least_squares(&self, row: impl Fn(usize) -> (f64, f64) + Sync) -> Option<Vec<f64>> {
        let rank = self.rank();
        let (mut matrix, mut right) = self.coordinates.least_squares(self.data, row);
        matrix.iter_mut().zip(&self.precision).for_each(|(m, p)| *m += p);
        // minus the slope of the prior at 0
        let (_, slopes) = self.prior(&vec![0.0; self.data.coefficients()]);
        right.iter_mut().zip(slopes).for_each(|(r, s)| *r -= s);
        Cholesky::new(&matrix, rank, 0.0)?.solve(&mut right);
        right.iter().all(|s| s.is_finite()).then_some(right)
    }

    fn run(mut self, start: Local, mut progress: impl FnMut(FitProgress)) -> Result<Fit, GlmError> {
        let mut ended = self.climb(start, &mut progress);
        let has_border = matches!(self.data.model().domain(), Domain::Positive | Domain::Negative);
        if has_border && ended.met_border && matches!(ended.outcome, FitOutcome::NotConverged { .. }) {
            ended = self.along_the_border(ended, &mut progress)?;
        }
        self.data.check_stop()?;
        Ok(self.finish(ended))
    }

    fn climb(&self, start: Local, progress: &mut impl FnMut(FitProgress)) -> Ended {
        let (mut here, mut met_border) = (start, false);
        let mut outcome = FitOutcome::NotConverged { last_step: f64::INFINITY };
        let mut iterations = 0;
        while iterations < MOST_ITERATIONS && !self.data.is_stopped() {
            let Some((step, newton)) = self.step(&mut here) else {
                outcome = self.flat(&here);
                break;
            };
            let squared = dot(&here.sums.gradient, &step);
            let length = squared.max(0.0).sqrt() / self.unit(&here);
            let next = self.descend(&here, &step, squared, &mut met_border);
            let movement = match &next {
                Some((part, next)) => next.sums.movement / part,
                None => self.movement(&here, &step),
            };
            if length <= NO_GAIN && movement > MOVES {
                outcome = FitOutcome::Separated { coefficients: self.moving(&step) };
                break;
            }
            iterations += 1;
            let Some((_, next)) = next else {
                // No step is better. Near the mode this is rounding; elsewhere the search has failed.
                outcome = if length <= 1e-4 && movement <= 1e-3 {
                    FitOutcome::Converged
                } else {
                    FitOutcome::NotConverged { last_step: length }
                };
                break;
            };
            here = next;
            progress(FitProgress { iterations, last_step: length });
            if newton && length <= LAST_STEP && movement <= STANDS_STILL {
                outcome = FitOutcome::Converged;
                break;
            }
            outcome = FitOutcome::NotConverged { last_step: length };
        }
        Ended { here, iterations, outcome, met_border }
    }

    /// The step downhill (to be subtracted), and whether it is Newton's. `None` if the posterior is flat in some direction.
    fn step(&self, here: &mut Local) -> Option<(Vec<f64>, bool)> {
        let rank = self.rank();
        let mut step = here.sums.gradient.clone();
        if let Some(exact) = here.sums.exact.as_ref().and_then(|m| Cholesky::new(m, rank, FLAT)) {
            exact.solve(&mut step);
            return Some((step, true));
        }
        if self.data.model().is_canonical() {
            here.sums.expected = here.sums.exact.clone();
            return None;
        }
        let again = self.local(here.at.clone(), None, Curvatures::Expected);
        here.sums.expected = again.sums.expected;
        let expected = Cholesky::new(here.sums.expected.as_ref()?, rank, FLAT)?;
        expected.solve(&mut step);
        Some((step, false))
    }

    /// The posterior is flat in some direction: which coefficients can move along it?
    fn flat(&self, here: &Local) -> FitOutcome {
        let rank = self.rank();
        let failed = FitOutcome::NotConverged { last_step: f64::INFINITY };
        let Some(expected) = &here.sums.expected else { return failed };
        // One step of inverse iteration with a little curvature added: mostly the flat directions.
        let mut matrix = expected.clone();
        let little = FLAT * diagonal(expected, rank).fold(f64::MIN_POSITIVE, f64::max);
        for i in 0..rank {
            matrix[i * rank + i] += 4.0 * little;
        }
        let mut direction: Vec<f64> = (0..rank).map(|i| 1.0 + 0.1 * i as f64).collect();
        match Cholesky::new(&matrix, rank, 0.0) {
            Some(factor) => factor.solve(&mut direction),
            None => return failed,
        }
        FitOutcome::Separated { coefficients: self.moving(&direction) }
    }

    /// How many of the posterior's standard deviations are one of the data's. Weights of 1 are precisions or shapes of 1; where
    /// the residuals are larger than that, so are the standard deviations, and so is what rounding does to a step.
    fn unit(&self, here: &Local) -> f64 {
        if self.data.model().family().has_dispersion() {
            (here.sums.pearson / self.data.rows() as f64).sqrt().max(1.0)
        } else {
            1.0
        }
    }

    /// The largest change of a predictor under a step, relative to 1 plus its size.
    fn movement(&self, here: &Local, step: &[f64]) -> f64 {
        let moved = |i: usize| self.coordinates.along(i, step).abs() / (1.0 + here.eta[i].abs());
        let used = (0..self.data.rows()).into_par_iter().filter(|i| self.data.weights()[*i] > 0.0);
        used.map(moved).reduce(|| 0.0, f64::max)
    }

    /// The coefficients that a direction moves, by what they do to the predictors.
    fn moving(&self, direction: &[f64]) -> Vec<usize> {
        let mut step = direction.to_vec();
        self.coordinates.to_coefficients(&mut step);
        let mut largest = vec![0.0; self.data.coefficients()];
        match self.data.sparse() {
            Some(x) => (0..x.rows()).for_each(|i| {
                let (places, values) = x.row(i);
                places.iter().zip(values).for_each(|(k, v)| largest[*k as usize] = v.abs().max(largest[*k as usize]));
            }),
            None => (0..self.data.rows()).for_each(|i| {
                largest.iter_mut().zip(self.data.x_row(i)).for_each(|(m, v): (&mut f64, _)| *m = m.max(v.abs()));
            }),
        }
        let effects: Vec<f64> = self.coordinates.kept().iter().zip(&step).map(|(k, s)| largest[*k] * s.abs()).collect();
        let most = effects.iter().fold(0.0, |m: f64, e| m.max(*e));
        let moves = |(k, e): (&usize, &f64)| (*e > 1e-3 * most).then_some(*k);
        self.coordinates.kept().iter().zip(&effects).filter_map(moves).collect()
    }

    /// What part of the step raises the posterior, and what is there. The first try is nearly always good, so it is a whole
    /// pass: that of the next step.
    fn descend(&self, here: &Local, step: &[f64], squared: f64, met_border: &mut bool) -> Option<(f64, Local)> {
        let mut part = 1.0;
        for tries in 0..60 {
            if self.data.is_stopped() {
                return None;
            }
            let place: Vec<f64> = here.at.iter().zip(step).map(|(g, s)| g - part * s).collect();
            let curvatures = if tries == 0 { Curvatures::Exact } else { Curvatures::None };
            let mut next = self.local(place, Some(&here.eta), curvatures);
            if !next.sums.value.is_finite() {
                *met_border = true;
                part *= 0.5;
                continue;
            }
            let rounding = 16.0 * f64::EPSILON * next.sums.size;
            // Armijo's rule, up to what rounding does to both values.
            if next.sums.value <= here.sums.value - 1e-4 * part * squared + 2.0 * rounding {
                if tries > 0 {
                    next = self.local(next.at, Some(&here.eta), Curvatures::Exact);
                }
                return Some((part, next));
            }
            part *= 0.5;
        }
        None
    }

    fn finish(&self, ended: Ended) -> Fit {
        let Ended { here, iterations, outcome, .. } = ended;
        let data = self.data;
        let n = data.coefficients();
        let Local { at: mut kept, mut eta, sums: search } = here;
        self.coordinates.to_coefficients(&mut kept);
        let curvatures = if data.model().is_canonical() { Curvatures::Exact } else { Curvatures::Both };
        let mut all = |kept: &[f64]| {
            let coefficients = self.expand(kept);
            let sums = self.coordinates.pass_at_coefficients(data, &coefficients, &mut eta, curvatures);
            self.complete(sums, &coefficients)
        };
        let mut sums = all(&kept);
        if !sums.value.is_finite() {
            // At the border of the link's domain rounding decides the side: what the search saw is what counts.
            sums = search;
        }
        // The search's coordinates are rounded: a last step by the slopes at the coefficients themselves.
        if outcome == FitOutcome::Converged
            && let Some(factor) = sums.exact.as_ref().and_then(|m| Cholesky::new(m, self.rank(), FLAT))
        {
            let mut step = sums.gradient.clone();
            factor.solve(&mut step);
            self.coordinates.to_coefficients(&mut step);
            let polished: Vec<f64> = kept.iter().zip(&step).map(|(b, s)| b - s).collect();
            let there = all(&polished);
            let rounding = 32.0 * f64::EPSILON * there.size;
            if there.value.is_finite() && there.value <= sums.value + rounding {
                (kept, sums) = (polished, there);
            }
        }
        let mut coefficients = vec![f64::NAN; n];
        let mut aliased = vec![true; n];
        for (k, b) in self.coordinates.kept().iter().zip(&kept) {
            coefficients[*k] = *b;
            aliased[*k] = false;
        }
        let (shift, unit) = (data.model().shift(), data.model().unit());
        let deviance = data.sum_over_rows(|i| data.deviance(i, (eta[i] - shift) * unit));
        let exact = sums.exact.unwrap_or_default();
        let covariance = self.covariance(&exact);
        let expected_covariance = match &sums.expected {
            Some(expected) => self.covariance(expected),
            None => covariance.clone(),
        };
        Fit {
            coefficients,
            aliased,
            covariance,
            expected_covariance,
            value: sums.value,
            deviance,
            pearson: sums.pearson,
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
        // With A = L L' the variance of b = T g is (L^-1 T')' (L^-1 T'): the rows of L^-1, each taken to coefficients.
        let mut rows = factor.inverse_of_lower();
        rows.par_chunks_mut(rank.max(1)).for_each(|row| self.coordinates.to_coefficients(row));
        let product: Vec<Vec<f64>> = (0..rank)
            .into_par_iter()
            .map(|i| {
                let mut sums = vec![0.0; i + 1];
                for row in rows.chunks_exact(rank) {
                    let scale = row[i];
                    sums.iter_mut().zip(row).for_each(|(s, v)| *s += scale * v);
                }
                sums
            })
            .collect();
        let kept = self.coordinates.kept();
        for (i, row) in product.iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                all[kept[i] * n + kept[j]] = *value;
                all[kept[j] * n + kept[i]] = *value;
            }
        }
        all
    }
}
