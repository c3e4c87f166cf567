//! The dense linear algebra of the fits. Every sum has a fixed order, so that a fit does not depend on threads.

use gristmill_kernel::Level;
use gristmill_kernel::vectors::{AnyLanes, Lanes};
use rayon::prelude::*;

/// A column whose part outside of the span of those before it is smaller than this, relative to the column, depends on them.
/// The same as in R's `glm.fit`: `min(1e-7, epsilon/1000)` with `epsilon = 1e-8`.
const DEPENDENT: f64 = 1e-11;
/// Below this many multiplications threads cost more than they save.
const WORTH_THREADS: usize = 1 << 16;

/// `sum a[i] b[i]`: eight running sums, then a fixed tree.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (x, y) in a8.iter().zip(b8) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + e) + (c + g)) + ((b + f) + (d + h))) + rest
}

/// The length of a vector; no square leaves the range of doubles.
fn norm(v: &[f64]) -> f64 {
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    if (1e-100..1e100).contains(&largest) {
        return dot(v, v).sqrt();
    }
    let scaled: Vec<f64> = v.iter().map(|x| x / largest).collect();
    largest * dot(&scaled, &scaled).sqrt()
}

/// An upper triangular factor `R` with `R'R = A'A` for the independent columns of `A`.
#[derive(Debug, Clone)]
pub(crate) struct Orthogonal {
    /// Numbers of the independent columns, in rising order.
    pub(crate) kept: Vec<usize>,
    /// Row-major, a row and a column for each kept one; what stands below the diagonal is 0.
    pub(crate) upper: Vec<f64>,
}

/// Gram and Schmidt's orthogonalisation, twice for each column (giraud2005): the columns stay orthogonal to rounding, and
/// the factor is that of a backward stable method. Of dependent columns the first ones are kept, as R does. It ends before its next
/// column where `is_stopped` says so.
pub(crate) fn orthogonalise(columns: Vec<Vec<f64>>, is_stopped: &dyn Fn() -> bool) -> Orthogonal {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut kept = Vec::new();
    let mut coefficients: Vec<Vec<f64>> = Vec::new();
    for (j, mut column) in columns.into_iter().enumerate() {
        if is_stopped() {
            break;
        }
        let before = norm(&column);
        let mut above = vec![0.0; basis.len()];
        for _ in 0..2 {
            let products: Vec<f64> = if basis.len() * column.len() >= WORTH_THREADS {
                basis.par_iter().map(|q| dot(q, &column)).collect()
            } else {
                basis.iter().map(|q| dot(q, &column)).collect()
            };
            for ((q, product), sum) in basis.iter().zip(&products).zip(&mut above) {
                for (c, q) in column.iter_mut().zip(q) {
                    *c -= product * q;
                }
                *sum += product;
            }
        }
        let after = norm(&column);
        if after <= DEPENDENT * before {
            continue;
        }
        column.iter_mut().for_each(|c| *c /= after);
        above.push(after);
        basis.push(column);
        coefficients.push(above);
        kept.push(j);
    }
    let n = kept.len();
    let mut upper = vec![0.0; n * n];
    for (j, column) in coefficients.iter().enumerate() {
        for (i, value) in column.iter().enumerate() {
            upper[i * n + j] = *value;
        }
    }
    Orthogonal { kept, upper }
}

impl Orthogonal {
    pub(crate) fn rank(&self) -> usize {
        self.kept.len()
    }

    /// Solves `R' z = x` in place.
    pub(crate) fn solve_transposed(&self, x: &mut [f64]) {
        let n = self.rank();
        for i in 0..n {
            let value = x[i] / self.upper[i * n + i];
            x[i] = value;
            for (x, r) in x[i + 1..].iter_mut().zip(&self.upper[i * n + i + 1..(i + 1) * n]) {
                *x -= value * r;
            }
        }
    }

    /// The same for each of some rows of `stride` numbers, padded with zeros.
    pub(crate) fn solve_transposed_rows(&self, rows: &mut [f64], stride: usize) {
        let body = SolveRows { factor: self, rows, stride };
        Level::best().on_lanes(body).unwrap_or_else(SolveRows::solve);
    }

    /// `R b`
    pub(crate) fn multiply(&self, b: &[f64]) -> Vec<f64> {
        let n = self.rank();
        (0..n).map(|i| dot(&self.upper[i * n + i..(i + 1) * n], &b[i..])).collect()
    }

    /// Solves `R b = x` in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.rank();
        for i in (0..n).rev() {
            let row = &self.upper[i * n..(i + 1) * n];
            let rest: f64 = (i + 1..n).map(|j| row[j] * x[j]).sum();
            x[i] = (x[i] - rest) / row[i];
        }
    }
}

/// Rows to be solved for, on the widest registers there are; element by element the operations are the same.
struct SolveRows<'a> {
    factor: &'a Orthogonal,
    rows: &'a mut [f64],
    stride: usize,
}

impl AnyLanes for SolveRows<'_> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        self.solve();
    }
}

impl SolveRows<'_> {
    #[inline(always)]
    fn solve(self) {
        let n = self.factor.rank();
        // Four rows at a time: their divisions do not wait for each other.
        let whole = self.rows.len() / (4 * self.stride) * (4 * self.stride);
        let (fours, rest) = self.rows.split_at_mut(whole);
        for four in fours.chunks_exact_mut(4 * self.stride) {
            let (ab, cd) = four.split_at_mut(2 * self.stride);
            let ((a, b), (c, d)) = (ab.split_at_mut(self.stride), cd.split_at_mut(self.stride));
            for i in 0..n {
                let row = &self.factor.upper[i * n..(i + 1) * n];
                for x in [&mut *a, &mut *b, &mut *c, &mut *d] {
                    let value = x[i] / row[i];
                    x[i] = value;
                    x[i + 1..n].iter_mut().zip(&row[i + 1..]).for_each(|(x, r)| *x -= value * r);
                }
            }
        }
        for x in rest.chunks_exact_mut(self.stride) {
            self.factor.solve_transposed(&mut x[..n]);
        }
    }
}

/// Cholesky's lower factor by rows, in order, of a symmetric matrix whose diagonal is 1: columns that depend on those before
/// them are left out.
pub(crate) struct RowCholesky;

impl RowCholesky {
    /// The numbers of the columns whose pivot is at least `smallest`, and their factor, row-major.
    pub(crate) fn of(matrix: &[f64], n: usize, smallest: f64) -> (Vec<usize>, Vec<f64>) {
        let mut kept: Vec<usize> = Vec::new();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for j in 0..n {
            let mut row: Vec<f64> = Vec::with_capacity(kept.len() + 1);
            for (k, above) in kept.iter().zip(&rows) {
                let place = row.len();
                row.push((matrix[j * n + k] - dot(&row, &above[..place])) / above[place]);
            }
            let pivot = matrix[j * n + j] - dot(&row, &row);
            if pivot >= smallest {
                row.push(pivot.sqrt());
                kept.push(j);
                rows.push(row);
            }
        }
        let rank = kept.len();
        let mut lower = vec![0.0; rank * rank];
        for (to, row) in lower.chunks_exact_mut(rank.max(1)).zip(&rows) {
            to[..row.len()].copy_from_slice(row);
        }
        (kept, lower)
    }
}

/// Cholesky's lower factor of a symmetric matrix, row-major.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    lower: Vec<f64>,
    n: usize,
}

impl Cholesky {
    /// `None` if a pivot is not larger than `smallest` times what stood there before: the matrix is not positive definite,
    /// or not enough so.
    pub(crate) fn new(matrix: &[f64], n: usize, smallest: f64) -> Option<Cholesky> {
        let mut lower = matrix.to_vec();
        for j in 0..n {
            let (above, below) = lower.split_at_mut((j + 1) * n);
            let row = &mut above[j * n..];
            let pivot = row[j] - dot(&row[..j], &row[..j]);
            if pivot.is_nan() || pivot <= smallest * row[j].abs() {
                return None;
            }
            row[j] = pivot.sqrt();
            let (left, diagonal) = (&row[..j], row[j]);
            let column = |other: &mut [f64]| other[j] = (other[j] - dot(&other[..j], left)) / diagonal;
            if j * (n - j) >= WORTH_THREADS {
                below.par_chunks_exact_mut(n).with_min_len(64).for_each(column);
            } else {
                below.chunks_exact_mut(n).for_each(column);
            }
        }
        for i in 0..n {
            lower[i * n + i + 1..(i + 1) * n].fill(0.0);
        }
        Some(Cholesky { lower, n })
    }

    /// Solves `A x = b` in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        self.half_solve(x);
        self.transposed_half_solve(x);
    }

    /// Solves `L x = b` in place.
    fn half_solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            x[i] = (x[i] - dot(&self.lower[i * n..i * n + i], &x[..i])) / self.lower[i * n + i];
        }
    }

    /// The inverse of the factor, row-major: lower triangular too.
    pub(crate) fn inverse_of_lower(&self) -> Vec<f64> {
        let n = self.n;
        let mut inverse = vec![0.0; n * n];
        for i in 0..n {
            let (above, row) = inverse.split_at_mut(i * n);
            let row = &mut row[..=i];
            for (k, other) in above.chunks_exact(n).enumerate() {
                let scale = self.lower[i * n + k];
                row[..=k].iter_mut().zip(other).for_each(|(r, o)| *r -= scale * o);
            }
            row[i] = 1.0;
            let diagonal = self.lower[i * n + i];
            row.iter_mut().for_each(|r| *r /= diagonal);
        }
        inverse
    }

    /// Solves `L' x = b` in place.
    fn transposed_half_solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in (0..n).rev() {
            let row = &self.lower[i * n..=i * n + i];
            x[i] /= row[i];
            let value = x[i];
            x[..i].iter_mut().zip(row).for_each(|(x, l)| *x -= value * l);
        }
    }
}

/// Vectors `v` with `sum v v' = A`, for a symmetric positive semi-definite matrix: Cholesky's factor with the largest
/// remaining pivot first, until the pivots vanish (higham2002, section 10.3).
pub(crate) fn semidefinite_factor(matrix: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut m = matrix.to_vec();
    let largest = (0..n).fold(0.0, |s: f64, i| s.max(m[i * n + i]));
    let mut rows = Vec::new();
    loop {
        let next = (0..n).map(|i| (m[i * n + i], i)).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((pivot, k)) = next.filter(|(pivot, _)| *pivot > n as f64 * f64::EPSILON * largest) else {
            return rows;
        };
        let root = pivot.sqrt();
        let row: Vec<f64> = (0..n).map(|j| m[k * n + j] / root).collect();
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] -= row[i] * row[j];
            }
        }
        // What rounding leaves of the pivot's row and column.
        for i in 0..n {
            m[k * n + i] = 0.0;
            m[i * n + k] = 0.0;
        }
        rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern, in [-1, 1).
    fn noise(count: usize, seed: u64) -> Vec<f64> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            })
            .collect()
    }

    #[test]
    fn the_triangular_factor_has_the_gram_matrix_also_of_nearly_dependent_columns() {
        let rows = 50;
        let mut columns: Vec<Vec<f64>> = (0..6).map(|j| noise(rows, j)).collect();
        // Far from orthogonal, but independent; and a column of another size.
        columns[4] = columns[0].iter().zip(&columns[4]).map(|(a, b)| a + 1e-9 * b).collect();
        columns[5].iter_mut().for_each(|v| *v *= 1e150);
        let factor = orthogonalise(columns.clone(), &|| false);
        assert_eq!(factor.kept, [0, 1, 2, 3, 4, 5]);
        // Solving with R must make the columns orthonormal: z = R'^-1 x for each row x.
        let n = factor.rank();
        let mut gram = vec![0.0; n * n];
        for i in 0..rows {
            let mut z: Vec<f64> = columns.iter().map(|c| c[i]).collect();
            factor.solve_transposed(&mut z);
            for a in 0..n {
                for b in 0..n {
                    gram[a * n + b] += z[a] * z[b];
                }
            }
        }
        for a in 0..n {
            for b in 0..n {
                let expected = f64::from(u8::from(a == b));
                assert!((gram[a * n + b] - expected).abs() < 1e-6, "{a} {b} {}", gram[a * n + b]);
            }
        }
    }

    #[test]
    fn dependent_columns_are_found_and_the_first_ones_kept() {
        let a = noise(30, 1);
        let b = noise(30, 2);
        let sum: Vec<f64> = a.iter().zip(&b).map(|(x, y)| 3.0 * x - y / 7.0).collect();
        let zero = vec![0.0; 30];
        let c = noise(30, 3);
        assert_eq!(orthogonalise(vec![a, zero, b, sum, c], &|| false).kept, [0, 2, 4]);
    }

    #[test]
    fn cholesky_solves_and_refuses_what_is_not_positive_definite() {
        let n = 5;
        let columns: Vec<Vec<f64>> = (0..n as u64).map(|j| noise(20, 10 + j)).collect();
        let matrix: Vec<f64> = (0..n * n).map(|k| dot(&columns[k / n], &columns[k % n])).collect();
        let x = noise(n, 99);
        let mut b: Vec<f64> = (0..n).map(|i| dot(&matrix[i * n..(i + 1) * n], &x)).collect();
        Cholesky::new(&matrix, n, 0.0).expect("positive definite").solve(&mut b);
        for (found, expected) in b.iter().zip(&x) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 1.0], 2, 0.0).is_none());
        assert!(Cholesky::new(&[1.0, 1.0, 1.0, 1.0], 2, 1e-14).is_none());
        assert!(Cholesky::new(&[f64::NAN], 1, 0.0).is_none());
    }

    #[test]
    fn a_semidefinite_matrix_is_the_sum_of_its_factors() {
        let n = 4;
        let v = noise(n, 5);
        let w = noise(n, 6);
        let matrix: Vec<f64> = (0..n * n).map(|k| v[k / n] * v[k % n] + w[k / n] * w[k % n]).collect();
        let factor = semidefinite_factor(&matrix, n);
        assert_eq!(factor.len(), 2);
        for k in 0..n * n {
            let sum: f64 = factor.iter().map(|f| f[k / n] * f[k % n]).sum();
            assert!((sum - matrix[k]).abs() < 1e-15, "{sum} {}", matrix[k]);
        }
        assert!(semidefinite_factor(&[0.0; 9], 3).is_empty());
    }
}
