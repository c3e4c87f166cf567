//! The value and the gradient at every point of a grid.

use crate::block::{Scratch, TILE, Tile, block_sums};
use crate::data::GlmData;
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

    /// Both arrays, as [`Evaluation::values`] and [`Evaluation::gradients`] have them.
    pub fn into_parts(self) -> (Vec<f64>, Vec<f64>) {
        (self.values, self.gradients)
    }
}

impl GlmData {
    /// The negative log-posterior and its gradient at every point of a grid, which has a row for each point and a column for
    /// each coefficient. On the threads of the current rayon pool; the result does not depend on how many there are.
    ///
    /// A point with a coordinate that is not finite has NaN as its value and gradient; see [`Evaluation::status`].
    ///
    /// # Errors
    /// [`GlmError::Length`] if the grid does not have one column for each coefficient.
    pub fn evaluate(&self, grid: Matrix<'_>) -> Result<Evaluation, GlmError> {
        self.evaluate_on(Level::best(), grid)
    }

    /// As [`GlmData::evaluate`], with the instruction set given.
    ///
    /// # Errors
    /// As [`GlmData::evaluate`].
    pub fn evaluate_on(&self, level: Level, grid: Matrix<'_>) -> Result<Evaluation, GlmError> {
        self.check_grid(grid)?;
        let (points, n) = (grid.rows(), self.coefficients);
        let mut values = vec![0.0; points];
        // Without coefficients there are no gradients, but chunks need a length.
        let stride = n.max(1);
        let mut gradients = vec![0.0; points * stride];
        let tiles = points.div_ceil(TILE);
        let split = row_split(self.blocks(), tiles, rayon::current_num_threads());
        values.par_chunks_mut(TILE).zip(gradients.par_chunks_mut(TILE * stride)).enumerate().for_each(
            |(t, (values, gradients))| {
                let tile = Tile::new(values.len(), n, |p, j| grid.get(t * TILE + p, j));
                let mut forest = self.tile_sums(level, &tile, 0..self.blocks(), split);
                let sums = forest.finish(tile.sums());
                let mut point = vec![0.0; n];
                for (p, value) in values.iter_mut().enumerate() {
                    let gradient = &mut gradients[p * stride..][..n];
                    for (j, (b, g)) in point.iter_mut().zip(&mut *gradient).enumerate() {
                        *b = grid.get(t * TILE + p, j);
                        *g = sums[(1 + j) * tile.width() + p];
                    }
                    *value = self.add_prior(&point, sums[p], gradient);
                }
            },
        );
        gradients.truncate(points * n);
        Ok(Evaluation { values, gradients, coefficients: n })
    }

    /// The sums over some blocks at the points of a tile, in runs of `2^split` blocks that may be done at the same time.
    pub(crate) fn tile_sums(&self, level: Level, tile: &Tile, blocks: Range<usize>, split: u32) -> Forest {
        let run = |blocks: Range<usize>| {
            let mut forest = Forest::default();
            let mut scratch = Scratch::new();
            for index in blocks {
                let mut sums = forest.buffer(tile.sums());
                block_sums(level, self, index, tile, &mut scratch, &mut sums);
                forest.push(Node { level: 0, index, sums });
            }
            forest
        };
        let (first, last) = (blocks.start >> split, blocks.end.div_ceil(1 << split));
        if last - first <= 1 {
            return run(blocks);
        }
        let parts: Vec<Forest> = (first..last)
            .into_par_iter()
            .map(|i| run((i << split).max(blocks.start)..((i + 1) << split).min(blocks.end)))
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

    /// Adds the prior to the sums over the rows, and makes what left the range of doubles a defined value.
    pub(crate) fn add_prior(&self, point: &[f64], value: f64, gradient: &mut [f64]) -> f64 {
        if point.iter().any(|b| !b.is_finite()) {
            gradient.fill(f64::NAN);
            return f64::NAN;
        }
        let n = self.coefficients;
        let mut prior = 0.0;
        if !self.flat_prior {
            for (j, g) in gradient.iter_mut().enumerate() {
                let row = &self.prior_precision[j * n..(j + 1) * n];
                let mut slope = 0.0;
                for ((p, b), m) in row.iter().zip(point).zip(&self.prior_mean) {
                    slope += p * (b - m);
                }
                prior += slope * (point[j] - self.prior_mean[j]);
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
fn row_split(blocks: usize, tiles: usize, threads: usize) -> u32 {
    let wanted = if tiles >= 4 * threads { 1 } else { (4 * threads).div_ceil(tiles.max(1)) };
    (blocks.div_ceil(wanted).max(1)).next_power_of_two().trailing_zeros()
}
