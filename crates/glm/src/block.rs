//! One block of rows at a tile of points: what all of the time is spent in.

use crate::data::{GlmData, ROW_BLOCK};
use crate::kernels;
use crate::model::RowKernel;
use gristmill_kernel::Level;
use gristmill_kernel::native::{Base, Body, Isa};

/// Points per group: two AVX2 registers.
pub(crate) const GROUP: usize = 8;
/// Groups per tile, at most.
pub(crate) const GROUPS: usize = 4;
/// Points per tile, at most: a block's linear predictors are 16 KB and stay in the first-level cache.
pub(crate) const TILE: usize = GROUP * GROUPS;

/// The coefficients of up to [`TILE`] points, for each group of points a run of coefficients; missing points are 0.
#[derive(Debug)]
pub(crate) struct Tile {
    /// 1, 2 or 4.
    groups: usize,
    coefficients: usize,
    /// `[group][coefficient][point of the group]`
    packed: Vec<[f64; GROUP]>,
}

impl Tile {
    /// `coefficient(point, j)` for `points` points.
    pub(crate) fn new(points: usize, coefficients: usize, coefficient: impl Fn(usize, usize) -> f64) -> Tile {
        let groups = points.div_ceil(GROUP).next_power_of_two();
        let mut packed = vec![[0.0; GROUP]; groups * coefficients];
        for point in 0..points {
            for j in 0..coefficients {
                packed[point / GROUP * coefficients + j][point % GROUP] = coefficient(point, j);
            }
        }
        Tile { groups, coefficients, packed }
    }

    /// Points with those that fill the last group.
    pub(crate) fn width(&self) -> usize {
        self.groups * GROUP
    }

    /// Numbers of a block's sums: the value and the gradient of each point, `[1 + coefficients][width]`.
    pub(crate) fn sums(&self) -> usize {
        (1 + self.coefficients) * self.width()
    }

    fn group(&self, g: usize) -> &[[f64; GROUP]] {
        &self.packed[g * self.coefficients..(g + 1) * self.coefficients]
    }
}

/// Room for a block's linear predictors and their derivatives.
#[derive(Debug)]
pub(crate) struct Scratch(Vec<f64>);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch(vec![0.0; ROW_BLOCK * TILE])
    }
}

/// The sums of block `block` at the points of a tile, into `sums`.
pub(crate) fn block_sums(
    level: Level,
    data: &GlmData,
    block: usize,
    tile: &Tile,
    scratch: &mut Scratch,
    sums: &mut [f64],
) {
    let first = block * ROW_BLOCK;
    let end = data.rows.min(first + ROW_BLOCK);
    let n = data.coefficients;
    let rows = Rows {
        x: &data.x[first * n..end * n],
        start: &data.start[first..end],
        a: &data.a[first..end],
        b: &data.b[first..end],
        constant: data.block_constants[block],
        coefficients: n,
    };
    macro_rules! run {
        ($($kernel:ident => $row:ident,)*) => {
            match data.model.row_kernel() {
                $(RowKernel::$kernel => {
                    struct K;
                    impl RowFunction for K {
                        #[inline(always)]
                        fn call<I: Isa>(isa: I, eta: f64, a: f64, b: f64) -> (f64, f64) {
                            kernels::$row::call(isa, eta, a, b)
                        }
                    }
                    let body = BlockBody::<K> { rows, tile, scratch, sums, kernel: core::marker::PhantomData };
                    match level {
                        Level::V4(isa) => isa.enter(body),
                        Level::V3(isa) => isa.enter(body),
                        Level::Base => Base.enter(body),
                    }
                })*
            }
        };
    }
    run! {
        Logit => logit_row,
        Probit => probit_row,
        Cloglog => cloglog_row,
        Cauchit => cauchit_row,
        Poisson => poisson_row,
        GammaLog => gamma_log_row,
        GammaInverse => gamma_inverse_row,
        Gaussian => gaussian_row,
    }
}

/// A row kernel, inlined for an instruction set.
trait RowFunction {
    fn call<I: Isa>(isa: I, eta: f64, a: f64, b: f64) -> (f64, f64);
}

/// The rows of one block.
#[derive(Clone, Copy)]
struct Rows<'a> {
    x: &'a [f64],
    start: &'a [f64],
    a: &'a [f64],
    b: &'a [f64],
    constant: f64,
    coefficients: usize,
}

struct BlockBody<'a, K> {
    rows: Rows<'a>,
    tile: &'a Tile,
    scratch: &'a mut Scratch,
    sums: &'a mut [f64],
    kernel: core::marker::PhantomData<K>,
}

impl<K: RowFunction> Body for BlockBody<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let BlockBody { rows, tile, scratch, sums, .. } = self;
        let (count, width) = (rows.start.len(), tile.width());
        let eta = &mut scratch.0[..count * width];
        predictors(rows, tile, eta);

        let (values, gradients) = sums.split_at_mut(width);
        values.fill(rows.constant);
        for ((eta, &a), &b) in eta.chunks_exact_mut(width).zip(rows.a).zip(rows.b) {
            for (eta, value) in eta.iter_mut().zip(values.iter_mut()) {
                let (v, d) = K::call(isa, *eta, a, b);
                *value += v;
                *eta = d;
            }
        }

        let mut j = 0;
        while j + 4 <= rows.coefficients {
            for g in 0..tile.groups {
                gradient_block::<4, 1>(rows, eta, width, j, g, gradients);
            }
            j += 4;
        }
        // As many sums as hide the latency of an addition.
        match (rows.coefficients - j, tile.groups) {
            (3, groups) => (0..groups).for_each(|g| gradient_block::<3, 1>(rows, eta, width, j, g, gradients)),
            (2, 4) => {
                gradient_block::<2, 2>(rows, eta, width, j, 0, gradients);
                gradient_block::<2, 2>(rows, eta, width, j, 2, gradients);
            }
            (2, 2) => gradient_block::<2, 2>(rows, eta, width, j, 0, gradients),
            (2, _) => gradient_block::<2, 1>(rows, eta, width, j, 0, gradients),
            (1, 4) => gradient_block::<1, 4>(rows, eta, width, j, 0, gradients),
            (1, 2) => gradient_block::<1, 2>(rows, eta, width, j, 0, gradients),
            (1, _) => gradient_block::<1, 1>(rows, eta, width, j, 0, gradients),
            _ => {}
        }
    }
}

/// `eta = start + x b`, a fused multiply-add for each coefficient, in order.
#[inline(always)]
fn predictors(rows: Rows<'_>, tile: &Tile, eta: &mut [f64]) {
    let (count, width) = (rows.start.len(), tile.width());
    for g in 0..tile.groups {
        let mut i = 0;
        while i + 4 <= count {
            predictor_block::<4>(rows, tile.group(g), i, &mut eta[i * width + g * GROUP..], width);
            i += 4;
        }
        while i < count {
            predictor_block::<1>(rows, tile.group(g), i, &mut eta[i * width + g * GROUP..], width);
            i += 1;
        }
    }
}

/// `R` rows from row `i` on, one group of points.
#[inline(always)]
fn predictor_block<const R: usize>(rows: Rows<'_>, group: &[[f64; GROUP]], i: usize, eta: &mut [f64], width: usize) {
    let n = rows.coefficients;
    let x: [&[f64]; R] = core::array::from_fn(|r| &rows.x[(i + r) * n..(i + r + 1) * n][..group.len()]);
    let mut sums: [[f64; GROUP]; R] = core::array::from_fn(|r| [rows.start[i + r]; GROUP]);
    for (j, b) in group.iter().enumerate() {
        for r in 0..R {
            for p in 0..GROUP {
                sums[r][p] = x[r][j].mul_add(b[p], sums[r][p]);
            }
        }
    }
    for r in 0..R {
        eta[r * width..][..GROUP].copy_from_slice(&sums[r]);
    }
}

/// The sums over the rows of `x d` for `J` coefficients from `j` on and `G` groups of points from `g` on: a fused
/// multiply-add for each row, in order.
#[inline(always)]
fn gradient_block<const J: usize, const G: usize>(
    rows: Rows<'_>,
    slopes: &[f64],
    width: usize,
    j: usize,
    g: usize,
    gradients: &mut [f64],
) {
    let mut sums = [[[0.0f64; GROUP]; G]; J];
    for (x, d) in rows.x.chunks_exact(rows.coefficients).zip(slopes.chunks_exact(width)) {
        let x: &[f64; J] = x[j..].first_chunk().expect("j + J coefficients");
        let d = &d[g * GROUP..(g + G) * GROUP];
        for jj in 0..J {
            for gg in 0..G {
                for p in 0..GROUP {
                    sums[jj][gg][p] = x[jj].mul_add(d[gg * GROUP + p], sums[jj][gg][p]);
                }
            }
        }
    }
    for jj in 0..J {
        for gg in 0..G {
            gradients[(j + jj) * width + (g + gg) * GROUP..][..GROUP].copy_from_slice(&sums[jj][gg]);
        }
    }
}
