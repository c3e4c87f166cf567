//! The value and the gradient at every point of a grid.

use crate::data::{GlmData, ROW_BLOCK};
use crate::error::GlmError;
use crate::kernels;
use crate::matrix::Matrix;
use crate::model::RowKernel;

/// Values and gradients at the points of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    values: Vec<f64>,
    /// One row for each point.
    gradients: Vec<f64>,
    coefficients: usize,
}

/// Why a point has no finite value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointStatus {
    /// It has: value and gradient are finite.
    Finite,
    /// The density is 0 there, or its logarithm leaves the range of doubles: the value is `+inf`, the gradient NaN.
    Infinite,
    /// A coordinate of the point is not finite: the value and the gradient are NaN.
    BadPoint,
}

impl Evaluation {
    /// The negative log-posterior at each point.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The gradients, one after the other: row-major, points x coefficients.
    pub fn gradients(&self) -> &[f64] {
        &self.gradients
    }

    /// The gradient at point `j`.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn gradient(&self, j: usize) -> &[f64] {
        assert!(j < self.values.len(), "there is no point {j}");
        &self.gradients[j * self.coefficients..(j + 1) * self.coefficients]
    }

    /// Why point `j` has no finite value, if it has none.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn status(&self, j: usize) -> PointStatus {
        match self.values[j] {
            v if v.is_nan() => PointStatus::BadPoint,
            f64::INFINITY => PointStatus::Infinite,
            _ => PointStatus::Finite,
        }
    }

    /// Both arrays, as [`Evaluation::values`] and [`Evaluation::gradients`] have them.
    pub fn into_parts(self) -> (Vec<f64>, Vec<f64>) {
        (self.values, self.gradients)
    }
}

impl GlmData {
    /// The negative log-posterior and its gradient at every point of a grid, which has a row for each point and a column for
    /// each coefficient.
    ///
    /// A point with a coordinate that is not finite has NaN as its value and gradient; see [`Evaluation::status`].
    ///
    /// # Errors
    /// [`GlmError::Length`] if the grid does not have one column for each coefficient.
    pub fn evaluate(&self, grid: Matrix<'_>) -> Result<Evaluation, GlmError> {
        if grid.columns() != self.coefficients {
            return Err(GlmError::Length { what: "grid", given: grid.columns(), expected: self.coefficients });
        }
        let (points, n) = (grid.rows(), self.coefficients);
        let mut values = vec![0.0; points];
        let mut gradients = vec![0.0; points * n];
        for j in 0..points {
            let point: Vec<f64> = grid.row(j).collect();
            values[j] = self.evaluate_point(&point, &mut gradients[j * n..(j + 1) * n]);
        }
        Ok(Evaluation { values, gradients, coefficients: n })
    }

    fn evaluate_point(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let n = self.coefficients;
        let mut value = 0.0;
        gradient.fill(0.0);
        for (block, constant) in self.block_constants.iter().enumerate() {
            let first = block * ROW_BLOCK;
            let mut sum = *constant;
            let mut slopes = vec![0.0; n];
            for i in first..self.rows.min(first + ROW_BLOCK) {
                let row = self.x_row(i);
                let eta = row.iter().zip(point).fold(self.start[i], |eta, (x, b)| x.mul_add(*b, eta));
                let (v, d) = self.row(i, eta);
                sum += v;
                for (s, x) in slopes.iter_mut().zip(row) {
                    *s = x.mul_add(d, *s);
                }
            }
            value += sum;
            for (g, s) in gradient.iter_mut().zip(slopes) {
                *g += s;
            }
        }
        self.add_prior(point, value, gradient)
    }

    fn row(&self, i: usize, eta: f64) -> (f64, f64) {
        let (a, b) = (self.a[i], self.b[i]);
        match self.model.row_kernel() {
            RowKernel::Logit => kernels::logit_row(eta, a, b),
            RowKernel::Probit => kernels::probit_row(eta, a, b),
            RowKernel::Cloglog => kernels::cloglog_row(eta, a, b),
            RowKernel::Cauchit => kernels::cauchit_row(eta, a, b),
            RowKernel::Poisson => kernels::poisson_row(eta, a, b),
            RowKernel::GammaLog => kernels::gamma_log_row(eta, a, b),
            RowKernel::GammaInverse => kernels::gamma_inverse_row(eta, a, b),
            RowKernel::Gaussian => kernels::gaussian_row(eta, a, b),
        }
    }

    /// Adds the prior to the sums over the rows, and makes what left the range of doubles a defined value.
    fn add_prior(&self, point: &[f64], value: f64, gradient: &mut [f64]) -> f64 {
        if point.iter().any(|b| !b.is_finite()) {
            gradient.fill(f64::NAN);
            return f64::NAN;
        }
        let n = self.coefficients;
        let mut prior = 0.0;
        let difference: Vec<f64> = point.iter().zip(&self.prior_mean).map(|(b, m)| b - m).collect();
        for (j, g) in gradient.iter_mut().enumerate() {
            let row = &self.prior_precision[j * n..(j + 1) * n];
            let slope = row.iter().zip(&difference).fold(0.0, |s: f64, (p, d)| p.mul_add(*d, s));
            prior = slope.mul_add(difference[j], prior);
            *g += slope;
        }
        let value = value + 0.5 * prior;
        if value.is_finite() && gradient.iter().all(|g| g.is_finite()) {
            return value;
        }
        gradient.fill(f64::NAN);
        f64::INFINITY
    }
}
