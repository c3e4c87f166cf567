//! `sum m_i z_i z_i'` and `sum m_i z_i` over the rows of a block, by tiles that stay in registers.
//!
//! Lanes are columns, and each sum takes its rows in order, one fused multiply-add each: neither the instruction set nor the
//! tile changes a bit.

use super::terms::BLOCK;
use gristmill_kernel::Level;
use gristmill_kernel::vectors::{AnyLanes, Lanes};

/// Columns of a tile; rows of a matrix are padded to a multiple of it.
pub(crate) const COLUMNS: usize = 8;

/// A matrix whose rows are padded with zeros.
#[derive(Debug, Clone)]
pub(crate) struct Padded {
    pub(crate) values: Vec<f64>,
    pub(crate) columns: usize,
    pub(crate) stride: usize,
}

impl Padded {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Padded {
        let stride = columns.next_multiple_of(COLUMNS);
        Padded { values: vec![0.0; rows * stride], columns, stride }
    }

    /// Row `i`, without the padding.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.stride..i * self.stride + self.columns]
    }
}

/// Room for the rows of a block, each times its multiplier.
#[derive(Debug)]
pub(crate) struct Multiplied(Vec<f64>);

impl Multiplied {
    pub(crate) fn new(stride: usize) -> Multiplied {
        Multiplied(vec![0.0; BLOCK * stride])
    }
}

/// Adds `sum m_i z_i z_i'` to the tiles of `sums` on and below the diagonal; `sums` has a row of `stride` numbers for each
/// column. `z` has a row of `stride` numbers for each multiplier.
pub(crate) fn add_products(
    level: Level,
    z: &[f64],
    stride: usize,
    multipliers: &[f64],
    scratch: &mut Multiplied,
    sums: &mut [f64],
) {
    if stride == 0 {
        return;
    }
    let body = Products { z, stride, multipliers, scaled: &mut scratch.0, sums };
    level.on_lanes(body).unwrap_or_else(Products::run_by_element);
}

/// Adds `sum m_i z_i` to `sums`.
pub(crate) fn add_rows(level: Level, z: &[f64], stride: usize, multipliers: &[f64], sums: &mut [f64]) {
    if stride == 0 {
        return;
    }
    let body = WeightedSum { z, stride, multipliers, sums };
    level.on_lanes(body).unwrap_or_else(WeightedSum::run_by_element);
}

/// `start_i + sum_j z_ij b_j`, one fused multiply-add for each column, in order.
pub(crate) fn predictors(level: Level, z: &[f64], stride: usize, b: &[f64], start: &[f64], eta: &mut [f64]) {
    let body = Predictors { z, stride, b, start, eta };
    level.on_lanes(body).unwrap_or_else(Predictors::rows);
}

struct Products<'a> {
    z: &'a [f64],
    stride: usize,
    multipliers: &'a [f64],
    scaled: &'a mut [f64],
    sums: &'a mut [f64],
}

impl AnyLanes for Products<'_> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        self.scale();
        // As many sums as the registers hold beside what is multiplied.
        if L::N == 8 { self.tiles::<L, 8, 1>(lanes) } else { self.tiles::<L, 4, 2>(lanes) }
    }
}

impl Products<'_> {
    #[inline(always)]
    fn scale(&mut self) {
        let rows = self.z.chunks_exact(self.stride).zip(self.multipliers);
        for (to, (z, m)) in self.scaled.chunks_exact_mut(self.stride).zip(rows) {
            to.iter_mut().zip(z).for_each(|(t, z)| *t = m * z);
        }
    }

    #[inline(always)]
    fn tiles<L: Lanes, const A: usize, const V: usize>(&mut self, lanes: L) {
        let stride = self.stride;
        let mut a = 0;
        while a < stride {
            let mut b = 0;
            while b < a + A {
                let mut sums = [[lanes.f64_splat(0.0); V]; A];
                let rows = self.z.chunks_exact(stride).zip(self.scaled.chunks_exact(stride));
                for (z, scaled) in rows {
                    let z: [L::F64; V] = core::array::from_fn(
                        #[inline(always)]
                        |v| lanes.f64_load(&z[b + v * L::N..b + (v + 1) * L::N]),
                    );
                    let scaled: &[f64; A] = scaled[a..a + A].first_chunk().expect("A columns");
                    for k in 0..A {
                        let m = lanes.f64_splat(scaled[k]);
                        for v in 0..V {
                            sums[k][v] = lanes.f64_mul_add(m, z[v], sums[k][v]);
                        }
                    }
                }
                for (k, row) in sums.iter().enumerate() {
                    for (v, sum) in row.iter().enumerate() {
                        let at = (a + k) * stride + b + v * L::N;
                        let to = &mut self.sums[at..at + L::N];
                        lanes.f64_store(lanes.f64_add(lanes.f64_load(to), *sum), to);
                    }
                }
                b += COLUMNS;
            }
            a += A;
        }
    }

    fn run_by_element(mut self) {
        self.scale();
        let stride = self.stride;
        for a in 0..stride {
            for b in (0..=a).step_by(COLUMNS) {
                let mut sums = [0.0_f64; COLUMNS];
                let rows = self.z.chunks_exact(stride).zip(self.scaled.chunks_exact(stride));
                for (z, scaled) in rows {
                    for (k, sum) in sums.iter_mut().enumerate() {
                        *sum = scaled[a].mul_add(z[b + k], *sum);
                    }
                }
                for (k, sum) in sums.iter().enumerate() {
                    self.sums[a * stride + b + k] += sum;
                }
            }
        }
    }
}

struct WeightedSum<'a> {
    z: &'a [f64],
    stride: usize,
    multipliers: &'a [f64],
    sums: &'a mut [f64],
}

impl AnyLanes for WeightedSum<'_> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut b = 0;
        while b < self.stride {
            let mut sum = lanes.f64_splat(0.0);
            for (z, m) in self.z.chunks_exact(self.stride).zip(self.multipliers) {
                sum = lanes.f64_mul_add(lanes.f64_splat(*m), lanes.f64_load(&z[b..b + L::N]), sum);
            }
            let to = &mut self.sums[b..b + L::N];
            lanes.f64_store(lanes.f64_add(lanes.f64_load(to), sum), to);
            b += L::N;
        }
    }
}

impl WeightedSum<'_> {
    fn run_by_element(self) {
        for b in 0..self.stride {
            let rows = self.z.chunks_exact(self.stride).zip(self.multipliers);
            self.sums[b] += rows.fold(0.0, |sum, (z, m)| m.mul_add(z[b], sum));
        }
    }
}

struct Predictors<'a> {
    z: &'a [f64],
    stride: usize,
    b: &'a [f64],
    start: &'a [f64],
    eta: &'a mut [f64],
}

impl AnyLanes for Predictors<'_> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        self.rows();
    }
}

impl Predictors<'_> {
    /// Eight rows at a time, whose sums do not wait for each other.
    #[inline(always)]
    fn rows(self) {
        const ROWS: usize = 8;
        let (n, stride) = (self.b.len(), self.stride);
        let mut i = 0;
        while i + ROWS <= self.eta.len() {
            let x: [&[f64]; ROWS] = core::array::from_fn(|r| &self.z[(i + r) * stride..(i + r) * stride + n]);
            let mut sums: [f64; ROWS] = core::array::from_fn(|r| self.start[i + r]);
            for (j, b) in self.b.iter().enumerate() {
                for r in 0..ROWS {
                    sums[r] = x[r][j].mul_add(*b, sums[r]);
                }
            }
            self.eta[i..i + ROWS].copy_from_slice(&sums);
            i += ROWS;
        }
        for i in i..self.eta.len() {
            let x = &self.z[i * stride..i * stride + n];
            self.eta[i] = x.iter().zip(self.b).fold(self.start[i], |sum, (x, b)| x.mul_add(*b, sum));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_gives_the_bits_of_the_plain_sums() {
        for (rows, columns) in [(1, 1), (7, 3), (128, 8), (100, 15), (128, 25)] {
            let mut z = Padded::zeros(rows, columns);
            for i in 0..rows {
                for j in 0..columns {
                    z.values[i * z.stride + j] = ((i * 31 + j * 17) as f64 * 0.37).sin() * 10_f64.powi(j as i32 % 5);
                }
            }
            let m: Vec<f64> = (0..rows).map(|i| (i as f64 * 0.71).cos() + 1.5).collect();
            let b: Vec<f64> = (0..columns).map(|j| (j as f64 * 0.3).cos()).collect();
            for level in Level::all() {
                let mut sums = vec![0.25; z.columns.next_multiple_of(COLUMNS) * z.stride];
                let mut scratch = Multiplied::new(z.stride);
                add_products(level, &z.values, z.stride, &m, &mut scratch, &mut sums);
                let mut sum = vec![0.5; z.stride];
                add_rows(level, &z.values, z.stride, &m, &mut sum);
                let mut eta = vec![0.0; rows];
                predictors(level, &z.values, z.stride, &b, &m, &mut eta);
                for a in 0..columns {
                    let row = |i: usize| z.row(i);
                    for c in 0..=a {
                        let plain = (0..rows).fold(0.0_f64, |s, i| (m[i] * row(i)[a]).mul_add(row(i)[c], s));
                        assert_eq!(
                            sums[a * z.stride + c],
                            0.25 + plain,
                            "{} {rows} x {columns}: {a} {c}",
                            level.name()
                        );
                    }
                    let plain = (0..rows).fold(0.0_f64, |s, i| m[i].mul_add(row(i)[a], s));
                    assert_eq!(sum[a], 0.5 + plain, "{}", level.name());
                }
                for i in 0..rows {
                    let plain = z.row(i).iter().zip(&b).fold(m[i], |s, (x, b)| x.mul_add(*b, s));
                    assert_eq!(eta[i], plain, "{}", level.name());
                }
            }
        }
    }
}
