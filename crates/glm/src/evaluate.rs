//! The value and the gradient at every point of a grid.

use crate::block::{Scratch, TILE, Tile, block_sums};
use crate::data::GlmData;
use crate::device::OnDevice;
use crate::error::GlmError;
use crate::matrix::Matrix;
use crate::tree::{Forest, Node};
use gristmill_kernel::Level;
use rayon::prelude::*;
use std::ops::Range;

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

    pub(crate) fn new(points: usize, coefficients: usize) -> Evaluation {
        Evaluation { values: vec![0.0; points], gradients: vec![0.0; points * coefficients], coefficients }
    }

    /// Point `j` from the sums over the rows; `slope(k)` is that of coefficient `k`.
    pub(crate) fn set(&mut self, data: &GlmData, grid: Matrix<'_>, j: usize, value: f64, slope: impl Fn(usize) -> f64) {
        let gradient = &mut self.gradients[j * self.coefficients..(j + 1) * self.coefficients];
        set_point(data, grid, j, &mut self.values[j], gradient, value, slope);
    }

    /// Both arrays, as [`Evaluation::values`] and [`Evaluation::gradients`] have them.
    pub fn into_parts(self) -> (Vec<f64>, Vec<f64>) {
        (self.values, self.gradients)
    }
}

/// Puts the sums over the rows and the prior together at point `j`.
fn set_point(
    data: &GlmData,
    grid: Matrix<'_>,
    j: usize,
    value: &mut f64,
    gradient: &mut [f64],
    sum: f64,
    slope: impl Fn(usize) -> f64,
) {
    let unit = data.model().unit();
    gradient.iter_mut().enumerate().for_each(|(k, g)| *g = slope(k) / unit);
    *value = data.add_prior(grid, j, sum, gradient);
}

impl GlmData {
    /// The negative log-posterior and its gradient at every point of a grid, which has a row for each point and a column for
    /// each coefficient. On the threads of the current rayon pool; the result does not depend on how many there are.
    ///
    /// A point with a coordinate that is not finite has NaN as its value and gradient; see [`Evaluation::status`].
    ///
    /// # Errors
    /// [`GlmError::Length`] if the grid does not have one column for each coefficient; [`GlmError::Device`] if the data is on
    /// a device and it fails; [`GlmError::Stopped`].
    pub fn evaluate(&self, grid: Matrix<'_>) -> Result<Evaluation, GlmError> {
        self.evaluate_on(Level::best(), grid)
    }

    /// As [`GlmData::evaluate`], with the instruction set given; data on a device is evaluated there all the same.
    ///
    /// # Errors
    /// As [`GlmData::evaluate`].
    pub fn evaluate_on(&self, level: Level, grid: Matrix<'_>) -> Result<Evaluation, GlmError> {
        self.check_grid(grid)?;
        let (points, n) = (grid.rows(), self.coefficients);
        let mut evaluation = Evaluation::new(points, n);
        if let Some(device) = &self.device {
            let run = OnDevice::points_per_run(n);
            for first in (0..points).step_by(run) {
                let run = first..points.min(first + run);
                let mut forest = device.sums(self, grid, run.clone(), 0..self.blocks()).map_err(GlmError::Device)?;
                self.check_stop()?;
                let sums = forest.finish((n + 1) * run.len());
                for (p, j) in run.clone().enumerate() {
                    evaluation.set(self, grid, j, sums[p], |k| sums[(1 + k) * run.len() + p]);
                }
            }
            return Ok(evaluation);
        }
        let split = row_split(self.blocks(), points.div_ceil(TILE), rayon::current_num_threads());
        let unit = self.model.unit();
        let tile = |t: usize, values: &mut [f64], gradients: &mut [f64]| {
            let tile = Tile::new(values.len(), n, |p, j| grid.get(t * TILE + p, j) / unit);
            let mut forest = self.tile_sums(level, &tile, 0..self.blocks(), split);
            let sums = forest.finish(tile.sums());
            for (p, value) in values.iter_mut().enumerate() {
                let gradient = &mut gradients[p * n..(p + 1) * n];
                set_point(self, grid, t * TILE + p, value, gradient, sums[p], |k| sums[(1 + k) * tile.width() + p]);
            }
        };
        let values = evaluation.values.par_chunks_mut(TILE);
        if n == 0 {
            values.enumerate().for_each(|(t, values)| tile(t, values, &mut []));
        } else {
            let gradients = evaluation.gradients.par_chunks_mut(TILE * n);
            values.zip(gradients).enumerate().for_each(|(t, (values, gradients))| tile(t, values, gradients));
        }
        self.check_stop()?;
        Ok(evaluation)
    }

    /// The sums over some blocks at the points of a tile, in runs of `2^split` blocks that may be done at the same time.
    pub(crate) fn tile_sums(&self, level: Level, tile: &Tile, blocks: Range<usize>, split: u32) -> Forest {
        // The trees over empty blocks of thousands of tiles would take a second.
        if self.is_stopped() {
            return Forest::default();
        }
        let run = |blocks: Range<usize>| {
            let mut forest = Forest::default();
            let mut scratch = Scratch::new();
            for index in blocks {
                let mut sums = forest.buffer(tile.sums());
                // Nobody will see what is not computed any more.
                if !self.is_stopped() {
                    block_sums(level, self, index, tile, &mut scratch, &mut sums);
                }
                forest.push(Node { level: 0, index: self.first_block + index, sums });
            }
            forest
        };
        // The runs end where nodes of the tree do, so that there is little left to add.
        let (start, end) = (self.first_block + blocks.start, self.first_block + blocks.end);
        let (first, last) = (start >> split, end.div_ceil(1 << split));
        if last - first <= 1 {
            return run(blocks);
        }
        let parts: Vec<Forest> = (first..last)
            .into_par_iter()
            .map(|i| (i << split).max(start)..((i + 1) << split).min(end))
            .map(|part| run(part.start - self.first_block..part.end - self.first_block))
            .collect();
        let mut forest = Forest::default();
        for part in parts {
            part.into_nodes().for_each(|node| forest.push(node));
        }
        forest
    }

    /// Blocks of rows.
    pub(crate) fn blocks(&self) -> usize {
        self.block_constants.len()
    }

    pub(crate) fn check_grid(&self, grid: Matrix<'_>) -> Result<(), GlmError> {
        if grid.columns() == self.coefficients {
            Ok(())
        } else {
            Err(GlmError::Length { what: "grid", given: grid.columns(), expected: self.coefficients })
        }
    }

    /// Adds the prior at point `j` to the sums over the rows, and makes what left the range of doubles a defined value.
    fn add_prior(&self, grid: Matrix<'_>, j: usize, value: f64, gradient: &mut [f64]) -> f64 {
        if grid.row(j).any(|b| !b.is_finite()) {
            gradient.fill(f64::NAN);
            return f64::NAN;
        }
        let mut prior = 0.0;
        if !self.flat_prior {
            let difference: Vec<f64> = grid.row(j).zip(&self.prior_mean).map(|(b, m)| b - m).collect();
            let rows = self.prior_precision.chunks_exact(self.coefficients);
            for ((g, row), d) in gradient.iter_mut().zip(rows).zip(&difference) {
                let slope = row.iter().zip(&difference).fold(0.0, |s, (p, d)| s + p * d);
                prior += slope * d;
                *g += slope;
            }
        }
        let value = value + 0.5 * prior;
        if value.is_finite() && gradient.iter().all(|g| g.is_finite()) {
            return value;
        }
        gradient.fill(f64::NAN);
        f64::INFINITY
    }
}

/// Into runs of how many blocks, as a power of two, the rows of a tile are split so that all threads have work.
pub(crate) fn row_split(blocks: usize, tiles: usize, threads: usize) -> u32 {
    let wanted = if tiles >= 4 * threads { 1 } else { (4 * threads).div_ceil(tiles.max(1)) };
    (blocks.div_ceil(wanted).max(1)).next_power_of_two().trailing_zeros()
}
