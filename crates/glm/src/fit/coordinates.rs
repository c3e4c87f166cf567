//! The coordinates in which a fit searches, and the passes over the rows in them.
//!
//! A dense model matrix is replaced by one whose columns are nearly orthonormal, `z = x R^-1`, so that no matrix of squared
//! condition decides a step. A sparse one stays sparse: its columns are divided by their lengths.

use super::gram::{Multiplied, Padded, add_products, add_rows, predictors};
use super::terms::{BLOCK, Terms};
use crate::data::GlmData;
use crate::linear_algebra::{Orthogonal, RowCholesky, dot, orthogonalise};
use crate::sparse::SparseMatrix;
use gristmill_kernel::Level;
use rayon::prelude::*;

/// Rows of one task, at least: each has sums of its own.
const TASK: usize = 2048;
/// Numbers that the sums of all tasks together may take: 64 MB.
const SUMS: usize = 1 << 23;
/// A pivot of the scaled Gram matrix from here on is far above its rounding: the matrix decides which columns are independent,
/// and the columns divided by its factor are orthonormal to 1e-5. Below, they are orthogonalised one by one.
const CERTAIN: f64 = 1e-9;
/// The same for sparse matrices, which cannot be orthogonalised: what is left of a column of zeros and ones that depends on
/// others is rounding, 1e-13 or so.
const SPARSE_DEPENDENT: f64 = 1e-10;

/// Which second derivatives a pass adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Curvatures {
    None,
    Exact,
    Expected,
    Both,
}

/// What a pass over the rows is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub(crate) curvatures: Curvatures,
    /// The predictors of the place where the step started.
    pub(crate) before: Option<&'a [f64]>,
    /// By how much of its distance's logarithm each row is kept away from the border of the link's domain; 0 if it is not.
    pub(crate) barrier: f64,
}

impl Pass<'_> {
    /// These derivatives, from nowhere, as near to the border as it may be.
    pub(crate) fn of(curvatures: Curvatures) -> Pass<'static> {
        Pass { curvatures, before: None, barrier: 0.0 }
    }
}

/// The sums of a pass, in the coordinates of the search and without the prior.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    pub(crate) value: f64,
    /// The sum of the absolute values: what rounding is measured by.
    pub(crate) size: f64,
    pub(crate) pearson: f64,
    /// The largest change of a predictor, relative to 1 plus its size before.
    pub(crate) movement: f64,
    pub(crate) gradient: Vec<f64>,
    /// Rank x rank, both triangles.
    pub(crate) exact: Option<Vec<f64>>,
    pub(crate) expected: Option<Vec<f64>>,
}

#[derive(Debug)]
pub(crate) enum Coordinates {
    Dense { factor: Orthogonal, z: Padded },
    Sparse { kept: Vec<usize>, lengths: Vec<f64>, z: SparseMatrix },
}

impl Coordinates {
    /// `below` are rows under the model matrix: the prior's factor.
    pub(crate) fn new(data: &GlmData, below: &[Vec<f64>]) -> Coordinates {
        match data.sparse() {
            Some(x) => Coordinates::sparse(data, x, below),
            None => Coordinates::dense(data, below),
        }
    }

    fn dense(data: &GlmData, below: &[Vec<f64>]) -> Coordinates {
        let mut factor = factor_of_gram(data, below).unwrap_or_else(|| {
            let roots: Vec<f64> = data.weights().iter().map(|w| w.sqrt()).collect();
            let column = |j: usize| {
                let rows = (0..data.rows()).map(|i| roots[i] * data.x_row(i)[j]);
                rows.chain(below.iter().map(|v| v[j])).collect()
            };
            orthogonalise((0..data.coefficients()).into_par_iter().map(column).collect(), &|| data.is_stopped())
        });
        let mut z = Padded::zeros(data.rows(), factor.rank());
        if factor.rank() > 0 {
            let stride = z.stride;
            z.values.par_chunks_mut(BLOCK * stride).enumerate().for_each(|(block, z)| {
                if data.is_stopped() {
                    return;
                }
                for (k, z) in z.chunks_exact_mut(stride).enumerate() {
                    let x = data.x_row(block * BLOCK + k);
                    for (z, k) in z.iter_mut().zip(&factor.kept) {
                        *z = x[*k];
                    }
                }
                factor.solve_transposed_rows(z, stride);
            });
        }
        // Predictors are in the model's unit, coefficients are not.
        let unit = data.model().unit();
        factor.upper.iter_mut().for_each(|u| *u /= unit);
        Coordinates::Dense { factor, z }
    }

    fn sparse(data: &GlmData, x: &SparseMatrix, below: &[Vec<f64>]) -> Coordinates {
        let n = data.coefficients();
        let mut gram = sparse_gram(x, data.weights());
        add_outer(&mut gram, below, n);
        let lengths: Vec<f64> = (0..n).map(|j| gram[j * n + j].sqrt()).collect();
        divide(&mut gram, &lengths);
        let (kept, _) = RowCholesky::of(&gram, n, SPARSE_DEPENDENT);
        let mut new = vec![None; n];
        for (place, k) in kept.iter().enumerate() {
            new[*k] = Some(place as u32);
        }
        let lengths: Vec<f64> = kept.iter().map(|k| lengths[*k]).collect();
        let z = x.divided(&new, kept.len(), &lengths);
        let unit = data.model().unit();
        let lengths = lengths.into_iter().map(|l| l / unit).collect();
        Coordinates::Sparse { kept, lengths, z }
    }

    /// Numbers of the independent columns.
    pub(crate) fn kept(&self) -> &[usize] {
        match self {
            Coordinates::Dense { factor, .. } => &factor.kept,
            Coordinates::Sparse { kept, .. } => kept,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        self.kept().len()
    }

    /// From a place in these coordinates to coefficients, in place.
    pub(crate) fn to_coefficients(&self, place: &mut [f64]) {
        match self {
            Coordinates::Dense { factor, .. } => factor.solve(place),
            Coordinates::Sparse { lengths, .. } => place.iter_mut().zip(lengths).for_each(|(g, l)| *g /= l),
        }
    }

    /// From coefficients to a place.
    pub(crate) fn place_of(&self, coefficients: &[f64]) -> Vec<f64> {
        match self {
            Coordinates::Dense { factor, .. } => factor.multiply(coefficients),
            Coordinates::Sparse { lengths, .. } => coefficients.iter().zip(lengths).map(|(b, l)| b * l).collect(),
        }
    }

    /// From slopes along coefficients to slopes along coordinates, in place.
    pub(crate) fn slopes(&self, slopes: &mut [f64]) {
        match self {
            Coordinates::Dense { factor, .. } => factor.solve_transposed(slopes),
            Coordinates::Sparse { lengths, .. } => slopes.iter_mut().zip(lengths).for_each(|(s, l)| *s /= l),
        }
    }

    /// Row `i` times a direction.
    pub(crate) fn along(&self, i: usize, direction: &[f64]) -> f64 {
        match self {
            Coordinates::Dense { z, .. } => dot(z.row(i), direction),
            Coordinates::Sparse { z, .. } => {
                let (places, values) = z.row(i);
                places.iter().zip(values).map(|(k, v)| v * direction[*k as usize]).sum()
            }
        }
    }

    /// One pass over the data: the predictors at a place, into `eta`, and the sums there.
    pub(crate) fn pass(&self, data: &GlmData, place: &[f64], eta: &mut [f64], pass: Pass<'_>) -> Sums {
        let level = Level::best();
        match self {
            Coordinates::Dense { z, .. } => {
                let from_z = |first: usize, eta: &mut [f64]| {
                    let start = &data.start[first..first + eta.len()];
                    predictors(level, &z.values[first * z.stride..], z.stride, place, start, eta);
                };
                dense_pass(data, z, eta, pass, &from_z)
            }
            Coordinates::Sparse { z, .. } => sparse_pass(data, z, place, eta, pass),
        }
    }

    /// The same at coefficients (of all columns): of a dense matrix the predictors come from its own columns, which rounding
    /// has not touched.
    pub(crate) fn pass_at_coefficients(
        &self,
        data: &GlmData,
        coefficients: &[f64],
        eta: &mut [f64],
        curvatures: Curvatures,
    ) -> Sums {
        match self {
            Coordinates::Dense { z, .. } => {
                let (n, unit) = (data.coefficients(), data.model().unit());
                let coefficients: Vec<f64> = coefficients.iter().map(|b| b / unit).collect();
                let from_x = |first: usize, eta: &mut [f64]| {
                    let start = &data.start[first..first + eta.len()];
                    predictors(Level::best(), &data.x()[first * n..], n, &coefficients, start, eta);
                };
                dense_pass(data, z, eta, Pass::of(curvatures), &from_x)
            }
            Coordinates::Sparse { kept, .. } => {
                let kept: Vec<f64> = kept.iter().map(|k| coefficients[*k]).collect();
                self.pass(data, &self.place_of(&kept), eta, Pass::of(curvatures))
            }
        }
    }

    /// The sums of weighted least squares: `sum w z z'`, both triangles, and `sum w t z`; `row` tells weight and target.
    pub(crate) fn least_squares(
        &self,
        data: &GlmData,
        row: impl Fn(usize) -> (f64, f64) + Sync,
    ) -> (Vec<f64>, Vec<f64>) {
        let level = Level::best();
        let pairs: Vec<(f64, f64)> = (0..data.rows()).into_par_iter().with_min_len(BLOCK).map(&row).collect();
        match self {
            Coordinates::Dense { z, .. } => {
                let task = task_rows(data.rows(), z.stride);
                let parts: Vec<(Vec<f64>, Vec<f64>)> = pairs
                    .par_chunks(task)
                    .enumerate()
                    .map(|(t, pairs)| {
                        let mut sums = (vec![0.0; z.stride * z.stride], vec![0.0; z.stride]);
                        let mut scratch = Multiplied::new(z.stride);
                        for (block, pairs) in pairs.chunks(BLOCK).enumerate() {
                            if data.is_stopped() {
                                break;
                            }
                            let first = t * task + block * BLOCK;
                            let rows = &z.values[first * z.stride..(first + pairs.len()) * z.stride];
                            let weights: Vec<f64> = pairs.iter().map(|p| p.0).collect();
                            let targets: Vec<f64> = pairs.iter().map(|p| p.0 * p.1).collect();
                            add_products(level, rows, z.stride, &weights, &mut scratch, &mut sums.0);
                            add_rows(level, rows, z.stride, &targets, &mut sums.1);
                        }
                        sums
                    })
                    .collect();
                let mut sums = (vec![0.0; z.stride * z.stride], vec![0.0; z.stride]);
                for part in parts {
                    add(&mut sums.0, &part.0);
                    add(&mut sums.1, &part.1);
                }
                sums.1.truncate(z.columns);
                (square(&sums.0, z.columns, z.stride), sums.1)
            }
            Coordinates::Sparse { z, .. } => {
                let weights: Vec<f64> = pairs.iter().map(|p| p.0).collect();
                let mut right = vec![0.0; z.columns()];
                for (i, (weight, target)) in pairs.iter().enumerate() {
                    let (places, values) = z.row(i);
                    places.iter().zip(values).for_each(|(k, v)| right[*k as usize] += weight * target * v);
                }
                (sparse_gram(z, &weights), right)
            }
        }
    }
}

/// Rows of a task: a function of the sizes alone, so that sums do not depend on threads.
fn task_rows(rows: usize, width: usize) -> usize {
    let tasks = (SUMS / (width * width).max(1)).clamp(1, 256);
    rows.div_ceil(tasks).next_multiple_of(BLOCK).max(TASK)
}

fn add(to: &mut [f64], more: &[f64]) {
    to.iter_mut().zip(more).for_each(|(t, m)| *t += m);
}

/// `sum v v'` of some rows, added to a square matrix.
fn add_outer(gram: &mut [f64], rows: &[Vec<f64>], n: usize) {
    for row in rows {
        for (i, a) in row.iter().enumerate() {
            gram[i * n..(i + 1) * n].iter_mut().zip(row).for_each(|(g, b)| *g += a * b);
        }
    }
}

/// Divides rows and columns by lengths.
fn divide(gram: &mut [f64], lengths: &[f64]) {
    for (row, a) in gram.chunks_exact_mut(lengths.len()).zip(lengths) {
        row.iter_mut().zip(lengths).for_each(|(g, b)| *g = *g / a / b);
    }
}

/// Both triangles of what the tiles hold on and below the diagonal.
fn square(tiles: &[f64], n: usize, stride: usize) -> Vec<f64> {
    let mut all = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            all[i * n + j] = tiles[i * stride + j];
            all[j * n + i] = tiles[i * stride + j];
        }
    }
    all
}

/// The triangular factor by way of the Gram matrix: one pass over the data. `None` where that is not certain to tell which
/// columns depend on others.
fn factor_of_gram(data: &GlmData, below: &[Vec<f64>]) -> Option<Orthogonal> {
    let (n, level) = (data.coefficients(), Level::best());
    if n == 0 {
        return Some(Orthogonal { kept: Vec::new(), upper: Vec::new() });
    }
    let width = Padded::zeros(0, n).stride;
    let task = task_rows(data.rows(), width);
    let parts: Vec<Vec<f64>> = data
        .weights()
        .par_chunks(task)
        .enumerate()
        .map(|(t, weights)| {
            let mut sums = vec![0.0; width * width];
            let mut scratch = Multiplied::new(width);
            let mut rows = Padded::zeros(BLOCK, n);
            for (block, weights) in weights.chunks(BLOCK).enumerate() {
                if data.is_stopped() {
                    break;
                }
                for (k, row) in rows.values.chunks_exact_mut(width).take(weights.len()).enumerate() {
                    row[..n].copy_from_slice(data.x_row(t * task + block * BLOCK + k));
                }
                let rows = &rows.values[..weights.len() * width];
                add_products(level, rows, width, weights, &mut scratch, &mut sums);
            }
            sums
        })
        .collect();
    let mut sums = vec![0.0; width * width];
    parts.iter().for_each(|part| add(&mut sums, part));
    let mut gram = square(&sums, n, width);
    add_outer(&mut gram, below, n);
    let lengths: Vec<f64> = (0..n).map(|j| gram[j * n + j].sqrt()).collect();
    if !lengths.iter().all(|l| (1e-140..1e140).contains(l)) {
        return None;
    }
    divide(&mut gram, &lengths);
    let (kept, lower) = RowCholesky::of(&gram, n, CERTAIN);
    if kept.len() < n {
        return None;
    }
    let mut upper = vec![0.0; n * n];
    for i in 0..n {
        for j in i..n {
            upper[i * n + j] = lower[j * n + i] * lengths[j];
        }
    }
    Some(Orthogonal { kept, upper })
}

/// What a task of a pass works with.
struct Task {
    terms: Terms,
    sums: Sums,
}

impl Task {
    fn new(rank: usize, width: usize, curvatures: Curvatures) -> Task {
        let matrix = |wanted: bool| wanted.then(|| vec![0.0; width * width]);
        Task {
            terms: Terms::new(),
            sums: Sums {
                value: 0.0,
                size: 0.0,
                pearson: 0.0,
                movement: 0.0,
                gradient: vec![0.0; rank],
                exact: matrix(matches!(curvatures, Curvatures::Exact | Curvatures::Both)),
                expected: matrix(matches!(curvatures, Curvatures::Expected | Curvatures::Both)),
            },
        }
    }

    /// The terms of a block of rows from `first` on, and their sums.
    fn block(&mut self, data: &GlmData, first: usize, eta: &[f64], pass: Pass<'_>) {
        let rows = first..first + eta.len();
        self.terms.compute(Level::best(), data.model().row_kernel(), eta, &data.a[rows.clone()], &data.b[rows.clone()]);
        for (k, i) in rows.clone().enumerate() {
            let value = self.terms.value[k] + data.constants()[i];
            self.sums.value += value;
            self.sums.size += value.abs();
            let (slope, fisher) = (self.terms.slope[k], self.terms.fisher[k]);
            if fisher > 0.0 {
                self.sums.pearson += slope / fisher * slope;
            }
        }
        if pass.barrier > 0.0 {
            self.keep_off_the_border(eta, &data.weights()[rows.clone()], pass.barrier);
        }
        if let Some(before) = pass.before {
            for ((new, old), weight) in eta.iter().zip(&before[rows.clone()]).zip(&data.weights()[rows]) {
                let moved = (new - old).abs() / (1.0 + old.abs());
                if *weight > 0.0 && moved > self.sums.movement {
                    self.sums.movement = moved;
                }
            }
        }
    }

    /// Adds `-barrier log|eta|` to rows that count. Links whose domain has a border have it at 0.
    fn keep_off_the_border(&mut self, eta: &[f64], weights: &[f64], barrier: f64) {
        for (k, (eta, weight)) in eta.iter().zip(weights).enumerate() {
            if *weight > 0.0 {
                let value = -barrier * eta.abs().ln();
                self.sums.value += value;
                self.sums.size += value.abs();
                self.terms.slope[k] -= barrier / eta;
                self.terms.hessian[k] += barrier / eta / eta;
                self.terms.fisher[k] += barrier / eta / eta;
            }
        }
    }
}

/// The sums of all tasks, in order.
fn total(parts: Vec<Sums>) -> Option<Sums> {
    let mut parts = parts.into_iter();
    let mut all = parts.next()?;
    for part in parts {
        all.value += part.value;
        all.size += part.size;
        all.pearson += part.pearson;
        all.movement = all.movement.max(part.movement);
        add(&mut all.gradient, &part.gradient);
        for (to, more) in [(&mut all.exact, part.exact), (&mut all.expected, part.expected)] {
            if let (Some(to), Some(more)) = (to, more) {
                add(to, &more);
            }
        }
    }
    Some(all)
}

fn dense_pass(
    data: &GlmData,
    z: &Padded,
    eta: &mut [f64],
    pass: Pass<'_>,
    predict: &(impl Fn(usize, &mut [f64]) + Sync),
) -> Sums {
    let (level, width, curvatures) = (Level::best(), z.stride, pass.curvatures);
    let rows = task_rows(data.rows(), width);
    let parts: Vec<Sums> = eta
        .par_chunks_mut(rows)
        .enumerate()
        .map(|(t, eta)| {
            let mut task = Task::new(width, width, curvatures);
            let mut scratch = Multiplied::new(width);
            for (block, eta) in eta.chunks_mut(BLOCK).enumerate() {
                if data.is_stopped() {
                    break;
                }
                let first = t * rows + block * BLOCK;
                predict(first, eta);
                let count = eta.len();
                task.block(data, first, eta, pass);
                let z = &z.values[first * width..(first + count) * width];
                let Task { terms, sums } = &mut task;
                add_rows(level, z, width, &terms.slope[..count], &mut sums.gradient);
                for (sums, weights) in [(&mut sums.exact, &terms.hessian), (&mut sums.expected, &terms.fisher)] {
                    if let Some(sums) = sums {
                        add_products(level, z, width, &weights[..count], &mut scratch, sums);
                    }
                }
            }
            task.sums
        })
        .collect();
    let mut all = total(parts).unwrap_or_else(|| Task::new(width, width, curvatures).sums);
    all.gradient.truncate(z.columns);
    all.exact = all.exact.map(|m| square(&m, z.columns, width));
    all.expected = all.expected.map(|m| square(&m, z.columns, width));
    all
}

fn sparse_pass(data: &GlmData, z: &SparseMatrix, place: &[f64], eta: &mut [f64], pass: Pass<'_>) -> Sums {
    let curvatures = pass.curvatures;
    let n = z.columns();
    let rows = task_rows(data.rows(), n);
    let parts: Vec<Sums> = eta
        .par_chunks_mut(rows)
        .enumerate()
        .map(|(t, eta)| {
            let mut task = Task::new(n, n, curvatures);
            for (block, eta) in eta.chunks_mut(BLOCK).enumerate() {
                if data.is_stopped() {
                    break;
                }
                let first = t * rows + block * BLOCK;
                for (k, eta) in eta.iter_mut().enumerate() {
                    let (places, values) = z.row(first + k);
                    let terms = places.iter().zip(values);
                    *eta = terms.fold(data.start[first + k], |sum, (k, v)| sum + v * place[*k as usize]);
                }
                let count = eta.len();
                task.block(data, first, eta, pass);
                let Task { terms, sums } = &mut task;
                for k in 0..count {
                    let (places, values) = z.row(first + k);
                    for (place, value) in places.iter().zip(values) {
                        sums.gradient[*place as usize] += terms.slope[k] * value;
                    }
                    for (sums, weights) in [(&mut sums.exact, &terms.hessian), (&mut sums.expected, &terms.fisher)] {
                        if let Some(sums) = sums {
                            add_sparse_row(sums, n, places, values, weights[k]);
                        }
                    }
                }
            }
            task.sums
        })
        .collect();
    let mut all = total(parts).unwrap_or_else(|| Task::new(n, n, curvatures).sums);
    all.exact = all.exact.map(|m| square(&m, n, n));
    all.expected = all.expected.map(|m| square(&m, n, n));
    all
}

/// Adds `w z z'` to the lower triangle.
fn add_sparse_row(sums: &mut [f64], n: usize, places: &[u32], values: &[f64], weight: f64) {
    for (k, (a, value)) in places.iter().zip(values).enumerate() {
        let scaled = weight * value;
        let row = &mut sums[*a as usize * n..];
        for (b, other) in places[..=k].iter().zip(values) {
            row[*b as usize] += scaled * other;
        }
    }
}

/// `sum w x x'`, both triangles.
fn sparse_gram(x: &SparseMatrix, weights: &[f64]) -> Vec<f64> {
    let n = x.columns();
    let rows = task_rows(x.rows(), n);
    let parts: Vec<Vec<f64>> = weights
        .par_chunks(rows)
        .enumerate()
        .map(|(t, weights)| {
            let mut sums = vec![0.0; n * n];
            for (k, weight) in weights.iter().enumerate() {
                let (places, values) = x.row(t * rows + k);
                add_sparse_row(&mut sums, n, places, values, *weight);
            }
            sums
        })
        .collect();
    let mut sums = vec![0.0; n * n];
    parts.iter().for_each(|part| add(&mut sums, part));
    square(&sums, n, n)
}
