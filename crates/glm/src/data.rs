//! A model's data, checked once.

use crate::device::OnDevice;
use crate::error::GlmError;
use crate::matrix::Matrix;
use crate::model::{Model, RowInput, RowProblem, RowTerms};
use crate::sparse::SparseMatrix;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Rows per block of the sums; part of the definition of the result (docs/glm.md).
pub(crate) const ROW_BLOCK: usize = 64;

/// A model with its rows and its prior, ready to be evaluated at any number of grids.
///
/// The posterior's negative logarithm at coefficients `b` is `(b - m)' P (b - m)/2 - sum log f(y | x b + offset)`, with the
/// constants of the densities, and without that of the prior.
#[derive(Debug, Clone)]
pub struct GlmData {
    pub(crate) model: Model,
    pub(crate) rows: usize,
    pub(crate) coefficients: usize,
    /// Row-major; of a sparse matrix made when somebody asks for it.
    x: OnceLock<Vec<f64>>,
    sparse: Option<Arc<SparseMatrix>>,
    y: Vec<f64>,
    weights: Vec<f64>,
    offset: Vec<f64>,
    /// Where the sum of the linear predictor starts: offset and the model's shift, in the model's unit.
    pub(crate) start: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    constants: Vec<f64>,
    /// The sum of the rows' constants, for each block.
    pub(crate) block_constants: Vec<f64>,
    pub(crate) prior_mean: Vec<f64>,
    /// Row-major, symmetric.
    pub(crate) prior_precision: Vec<f64>,
    pub(crate) flat_prior: bool,
    /// The number of the first block in a larger set of rows.
    pub(crate) first_block: usize,
    pub(crate) device: Option<Arc<OnDevice>>,
    /// True once evaluations and fits are to end.
    stop: Option<Arc<AtomicBool>>,
}

/// The parts of a [`GlmData`], each by its name.
#[derive(Debug, Clone, Copy)]
#[must_use = "`build` makes the data"]
pub struct GlmDataBuilder<'a> {
    model: Model,
    x: Option<ModelMatrix<'a>>,
    y: &'a [f64],
    weights: Option<&'a [f64]>,
    offset: Option<&'a [f64]>,
    prior_mean: Option<&'a [f64]>,
    prior_precision: Option<Matrix<'a>>,
}

#[derive(Debug, Clone, Copy)]
enum ModelMatrix<'a> {
    Dense(Matrix<'a>),
    Sparse(&'a SparseMatrix),
}

impl<'a> GlmDataBuilder<'a> {
    /// The model matrix: a row for each response, a column for each coefficient. Without one there are no coefficients.
    pub fn x(self, x: Matrix<'a>) -> Self {
        Self { x: Some(ModelMatrix::Dense(x)), ..self }
    }

    /// A model matrix most of whose elements are zero; fits take no time for those.
    pub fn sparse_x(self, x: &'a SparseMatrix) -> Self {
        Self { x: Some(ModelMatrix::Sparse(x)), ..self }
    }

    /// The responses.
    pub fn y(self, y: &'a [f64]) -> Self {
        Self { y, ..self }
    }

    /// What weights mean depends on the family: docs/glm.md. 1 if not given.
    pub fn weights(self, weights: &'a [f64]) -> Self {
        Self { weights: Some(weights), ..self }
    }

    /// What is added to the linear predictors; 0 if not given.
    pub fn offset(self, offset: &'a [f64]) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// The mean of the normal prior; 0 if not given.
    pub fn prior_mean(self, mean: &'a [f64]) -> Self {
        Self { prior_mean: Some(mean), ..self }
    }

    /// The precision of the normal prior, symmetric and positive semi-definite; flat if not given.
    pub fn prior_precision(self, precision: Matrix<'a>) -> Self {
        Self { prior_precision: Some(precision), ..self }
    }

    /// Checks and keeps the data.
    ///
    /// # Errors
    /// If a length does not fit the model matrix, a number is not finite, a weight is negative (binomial: not whole), a
    /// response is outside of the family's domain, or the precision is not symmetric and positive semi-definite.
    pub fn build(self) -> Result<GlmData, GlmError> {
        let GlmDataBuilder { model, .. } = self;
        let none = Matrix::row_major(&[], self.y.len(), 0)?;
        let x = self.x.unwrap_or(ModelMatrix::Dense(none));
        let (rows, coefficients) = match x {
            ModelMatrix::Dense(x) => (x.rows(), x.columns()),
            ModelMatrix::Sparse(x) => (x.rows(), x.columns()),
        };
        let strange = match x {
            ModelMatrix::Dense(x) => x.first_non_finite(),
            ModelMatrix::Sparse(x) => x.first_non_finite(),
        };
        if let Some((row, column, value)) = strange {
            return Err(GlmError::NotFinite { what: "x", row, column: Some(column), value });
        }
        let y = checked("y", Some(self.y), rows, 0.0)?;
        let weights = checked("wt", self.weights, rows, 1.0)?;
        let offset = checked("offset", self.offset, rows, 0.0)?;
        let prior_mean = checked("prior_mean", self.prior_mean, coefficients, 0.0)?;
        let prior_precision = match self.prior_precision {
            Some(p) => checked_precision(p, coefficients)?,
            None => vec![0.0; coefficients * coefficients],
        };
        let inputs: Vec<Result<RowInput, RowProblem>> =
            y.par_iter().zip(&weights).with_min_len(1024).map(|(y, wt)| model.row_input(*y, *wt)).collect();
        let (mut a, mut b, mut constants) =
            (Vec::with_capacity(rows), Vec::with_capacity(rows), Vec::with_capacity(rows));
        for (row, input) in inputs.into_iter().enumerate() {
            let (value, weight) = (y[row], weights[row]);
            let input = input.map_err(|problem| match problem {
                RowProblem::Weight => GlmError::Weight { family: model.family(), row, value: weight },
                RowProblem::Response => GlmError::Response { model, row, value, weight },
            })?;
            a.push(input.a);
            b.push(input.b);
            constants.push(input.constant);
        }
        let (dense, sparse) = match x {
            ModelMatrix::Dense(x) => (OnceLock::from(x.to_row_major()), None),
            ModelMatrix::Sparse(x) => (OnceLock::new(), Some(Arc::new(x.clone()))),
        };
        Ok(GlmData {
            model,
            rows,
            coefficients,
            x: dense,
            sparse,
            start: offset.iter().map(|o| model.kernel_predictor(*o)).collect(),
            block_constants: constants.chunks(ROW_BLOCK).map(|block| block.iter().fold(0.0, |s, c| s + c)).collect(),
            y,
            weights,
            offset,
            a,
            b,
            constants,
            prior_mean,
            flat_prior: prior_precision.iter().all(|p| *p == 0.0),
            prior_precision,
            first_block: 0,
            device: None,
            stop: None,
        })
    }
}

impl GlmData {
    /// Names the parts of a model's data one by one.
    ///
    /// ```
    /// use gristmill_glm::{Family, GlmData, Matrix, Model};
    ///
    /// let model = Model::new(Family::Poisson, None, None)?;
    /// let x = Matrix::row_major(&[1.0, 0.0, 1.0, 1.0, 1.0, 2.0], 3, 2)?;
    /// let data = GlmData::builder(model).x(x).y(&[1.0, 3.0, 7.0]).offset(&[0.1, 0.0, 0.2]).build()?;
    /// assert!(data.fit()?.converged());
    /// # Ok::<(), gristmill_glm::GlmError>(())
    /// ```
    pub fn builder<'a>(model: Model) -> GlmDataBuilder<'a> {
        GlmDataBuilder { model, x: None, y: &[], weights: None, offset: None, prior_mean: None, prior_precision: None }
    }

    /// All parts in a row; [`GlmData::builder`] names them.
    ///
    /// Weights are 1 and offsets 0 where they are not given; without a prior mean it is 0, without a precision the prior is
    /// flat. Rows of weight 0 contribute nothing. What weights and responses mean is in docs/glm.md.
    ///
    /// # Errors
    /// As [`GlmDataBuilder::build`].
    pub fn new(
        model: Model,
        x: Matrix<'_>,
        y: &[f64],
        wt: Option<&[f64]>,
        offset: Option<&[f64]>,
        prior_mean: Option<&[f64]>,
        prior_precision: Option<Matrix<'_>>,
    ) -> Result<GlmData, GlmError> {
        let x = Some(ModelMatrix::Dense(x));
        GlmDataBuilder { model, x, y, weights: wt, offset, prior_mean, prior_precision }.build()
    }

    /// Evaluations and fits of this data end soon after `stop` becomes true, with [`GlmError::Stopped`]: before their next block
    /// of rows.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> GlmData {
        GlmData { stop: Some(stop), ..self }
    }

    /// As other data.
    pub(crate) fn stopped_as(self, other: &GlmData) -> GlmData {
        GlmData { stop: other.stop.clone(), ..self }
    }

    /// Whether what is being computed is of no use any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    pub(crate) fn check_stop(&self) -> Result<(), GlmError> {
        if self.is_stopped() { Err(GlmError::Stopped) } else { Ok(()) }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Rows of the model matrix.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of the model matrix.
    pub fn coefficients(&self) -> usize {
        self.coefficients
    }

    /// Row `i` of the model matrix.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn x_row(&self, i: usize) -> &[f64] {
        &self.x()[i * self.coefficients..(i + 1) * self.coefficients]
    }

    /// The model matrix, row-major. Of a sparse one all elements are stored from the first call on.
    pub fn x(&self) -> &[f64] {
        self.x.get_or_init(|| self.sparse.as_ref().map_or_else(Vec::new, |x| x.to_row_major()))
    }

    /// The model matrix, if it was given as a sparse one.
    pub fn sparse(&self) -> Option<&SparseMatrix> {
        self.sparse.as_deref()
    }

    /// The part of each row's value that does not depend on the predictor.
    pub(crate) fn constants(&self) -> &[f64] {
        &self.constants
    }

    /// The responses.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The offsets.
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// The prior's mean.
    pub fn prior_mean(&self) -> &[f64] {
        &self.prior_mean
    }

    /// The prior's precision, row-major; all zeros is a flat prior.
    pub fn prior_precision(&self) -> &[f64] {
        &self.prior_precision
    }

    /// The linear predictor of each row, offset included: a fused multiply-add for each coefficient, in order.
    ///
    /// # Errors
    /// [`GlmError::Length`] if the point does not have one number for each coefficient.
    pub fn linear_predictor(&self, point: &[f64]) -> Result<Vec<f64>, GlmError> {
        self.check_point(point)?;
        let row = |i: usize| match &self.sparse {
            Some(x) => {
                let (places, values) = x.row(i);
                let terms = places.iter().zip(values);
                terms.fold(self.offset[i], |eta, (k, x)| x.mul_add(point[*k as usize], eta))
            }
            None => self.x_row(i).iter().zip(point).fold(self.offset[i], |eta, (x, b)| x.mul_add(*b, eta)),
        };
        Ok((0..self.rows).into_par_iter().with_min_len(1024).map(row).collect())
    }

    pub(crate) fn check_point(&self, point: &[f64]) -> Result<(), GlmError> {
        if point.len() == self.coefficients {
            Ok(())
        } else {
            Err(GlmError::Length { what: "point", given: point.len(), expected: self.coefficients })
        }
    }

    /// What row `i` contributes at the linear predictor `eta`, offset included.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn terms(&self, i: usize, eta: f64) -> RowTerms {
        self.model.terms_of(RowInput { a: self.a[i], b: self.b[i], constant: self.constants[i] }, eta)
    }

    /// What row `i` adds to the deviance at the linear predictor `eta`, offset included.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn deviance(&self, i: usize, eta: f64) -> f64 {
        self.model.deviance(self.y[i], self.weights[i], eta)
    }
}

fn checked(what: &'static str, given: Option<&[f64]>, length: usize, default: f64) -> Result<Vec<f64>, GlmError> {
    let Some(values) = given else { return Ok(vec![default; length]) };
    if values.len() != length {
        return Err(GlmError::Length { what, given: values.len(), expected: length });
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(row) => Err(GlmError::NotFinite { what, row, column: None, value: values[row] }),
        None => Ok(values.to_vec()),
    }
}

fn check_matrix(what: &'static str, m: Matrix<'_>) -> Result<(), GlmError> {
    match m.first_non_finite() {
        Some((row, column, value)) => Err(GlmError::NotFinite { what, row, column: Some(column), value }),
        None => Ok(()),
    }
}

/// The symmetric matrix, row-major.
fn checked_precision(p: Matrix<'_>, n: usize) -> Result<Vec<f64>, GlmError> {
    for given in [p.rows(), p.columns()] {
        if given != n {
            return Err(GlmError::Length { what: "prior_precision", given, expected: n });
        }
    }
    check_matrix("prior_precision", p)?;
    let mut m = p.to_row_major();
    for i in 0..n {
        for j in 0..i {
            let (low, high) = (m[i * n + j], m[j * n + i]);
            // Inverses and products are symmetric up to rounding only.
            let scale = (m[i * n + i].abs() * m[j * n + j].abs()).sqrt().max(low.abs()).max(high.abs());
            if (low - high).abs() > 1e-10 * scale {
                return Err(GlmError::NotSymmetric { row: i, column: j, value: low, mirrored: high });
            }
            let mean = 0.5 * low + 0.5 * high;
            m[i * n + j] = mean;
            m[j * n + i] = mean;
        }
    }
    check_semidefinite(&m, n)?;
    Ok(m)
}

/// Cholesky's decomposition with the largest remaining pivot first: what is left when the pivots vanish must vanish too.
fn check_semidefinite(matrix: &[f64], n: usize) -> Result<(), GlmError> {
    let mut m = matrix.to_vec();
    let mut open: Vec<usize> = (0..n).collect();
    let largest = (0..n).fold(0.0, |s: f64, i| s.max(m[i * n + i].abs()));
    // Rounding of the decomposition is below this; see higham2002, theorem 10.14.
    let tolerance = 16.0 * (n as f64 + 1.0) * f64::EPSILON * largest;
    for pivots in 0..n {
        let lowest = open.iter().map(|&i| m[i * n + i]).fold(f64::INFINITY, f64::min);
        if lowest < -tolerance {
            return Err(GlmError::NotSemidefinite { pivots, value: lowest });
        }
        let (at, &k) = open
            .iter()
            .enumerate()
            .max_by(|a, b| m[a.1 * n + a.1].total_cmp(&m[b.1 * n + b.1]))
            .expect("there are n - pivots open ones");
        open.swap_remove(at);
        let pivot = m[k * n + k];
        if pivot <= tolerance {
            // The largest pivot is 0: so must be all that remains, or a 2 x 2 minor is negative.
            for &i in open.iter().chain([&k]) {
                for &j in open.iter().chain([&k]) {
                    if i != j && m[i * n + j].abs() > tolerance {
                        return Err(GlmError::NotSemidefinite { pivots, value: -m[i * n + j].abs() });
                    }
                }
            }
            return Ok(());
        }
        for &i in &open {
            let factor = m[i * n + k] / pivot;
            for &j in &open {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    Ok(())
}
