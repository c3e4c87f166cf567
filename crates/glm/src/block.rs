//! One block of rows at a tile of points: what all of the time is spent in.

use crate::data::{GlmData, ROW_BLOCK};
use crate::kernels::{self, each_row_kernel};
use crate::model::RowKernel;
use gristmill_kernel::Level;
use gristmill_kernel::vectors::Base;
use gristmill_kernel::vectors::{AnyLanes, Lanes, MAX_LANES};

/// Points per group: two AVX2 registers, or one of AVX-512.
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
        x: &data.x()[first * n..end * n],
        start: &data.start[first..end],
        a: &data.a[first..end],
        b: &data.b[first..end],
        constant: data.block_constants[block],
        coefficients: n,
    };
    macro_rules! run {
        ($($kernel:ident => $row:ident, $curvature:ident;)*) => {
            match data.model.row_kernel() {
                $(RowKernel::$kernel => {
                    struct K;
                    impl RowFunction for K {
                        #[inline(always)]
                        fn call(&self, eta: f64, a: f64, b: f64) -> (f64, f64) {
                            kernels::$row::call(Base, eta, a, b)
                        }
                        #[inline(always)]
                        fn lanes<L: Lanes>(&self, lanes: L, eta: L::F64, a: L::F64, b: L::F64) -> (L::F64, L::F64) {
                            kernels::$row::lanes_call(lanes, lanes.mask_splat(true), eta, a, b)
                        }
                    }
                    let body = BlockBody { rows, tile, scratch, sums, kernel: K };
                    level.on_lanes(body).unwrap_or_else(BlockBody::run_by_element);
                })*
                RowKernel::Quasi(variance, link) => {
                    let body = BlockBody { rows, tile, scratch, sums, kernel: Quasi { variance, link } };
                    level.on_lanes(body).unwrap_or_else(BlockBody::run_by_element);
                }
            }
        };
    }
    each_row_kernel!(run);
}

/// A row kernel: for one element, and on lanes.
trait RowFunction {
    fn call(&self, eta: f64, a: f64, b: f64) -> (f64, f64);
    fn lanes<L: Lanes>(&self, lanes: L, eta: L::F64, a: L::F64, b: L::F64) -> (L::F64, L::F64);
}

/// The kernel for any variance with any link: element by element, as its branches differ from model to model only.
struct Quasi {
    variance: i32,
    link: i32,
}

impl RowFunction for Quasi {
    #[inline(always)]
    fn call(&self, eta: f64, a: f64, b: f64) -> (f64, f64) {
        kernels::quasi_row(eta, a, b, self.variance, self.link)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(&self, lanes: L, eta: L::F64, a: L::F64, b: L::F64) -> (L::F64, L::F64) {
        let (eta, a, b) = (lanes.f64_array(eta), lanes.f64_array(a), lanes.f64_array(b));
        let (mut values, mut slopes) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
        for i in 0..L::N {
            (values[i], slopes[i]) = self.call(eta[i], a[i], b[i]);
        }
        (lanes.f64_load(&values), lanes.f64_load(&slopes))
    }
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
    kernel: K,
}

impl<K: RowFunction> AnyLanes for BlockBody<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let BlockBody { rows, tile, scratch, sums, kernel } = self;
        let width = tile.width();
        let eta = &mut scratch.0[..rows.start.len() * width];
        let (values, gradients) = sums.split_at_mut(width);
        // Two vectors side by side, if the tile is that wide: as many sums as hide the latency of an addition.
        if width.is_multiple_of(2 * L::N) {
            on_lanes::predictors::<L, 2>(lanes, rows, tile, eta);
            on_lanes::rows(lanes, &kernel, rows, eta, values);
            on_lanes::gradients::<L, 2>(lanes, rows, eta, width, gradients);
        } else {
            on_lanes::predictors::<L, 1>(lanes, rows, tile, eta);
            on_lanes::rows(lanes, &kernel, rows, eta, values);
            on_lanes::gradients::<L, 1>(lanes, rows, eta, width, gradients);
        }
    }
}

/// The three steps of a block over the lanes of an instruction set; a lane is a point.
mod on_lanes {
    use super::{GROUP, Lanes, RowFunction, Rows, Tile};

    /// `eta = start + x b`, a fused multiply-add for each coefficient, in order: four rows and `V` vectors at a time.
    #[inline(always)]
    pub(super) fn predictors<L: Lanes, const V: usize>(lanes: L, rows: Rows<'_>, tile: &Tile, eta: &mut [f64]) {
        let (count, width) = (rows.start.len(), tile.width());
        let mut point = 0;
        while point < width {
            // Groups are never narrower than vectors.
            let groups: [&[[f64; GROUP]]; V] = core::array::from_fn(
                #[inline(always)]
                |v| &tile.group((point + v * L::N) / GROUP)[..rows.coefficients],
            );
            let mut i = 0;
            while i + 4 <= count {
                predictor_block::<L, 4, V>(lanes, rows, groups, i, point, &mut eta[i * width..(i + 4) * width]);
                i += 4;
            }
            while i < count {
                predictor_block::<L, 1, V>(lanes, rows, groups, i, point, &mut eta[i * width..(i + 1) * width]);
                i += 1;
            }
            point += V * L::N;
        }
    }

    #[inline(always)]
    fn predictor_block<L: Lanes, const R: usize, const V: usize>(
        lanes: L,
        rows: Rows<'_>,
        groups: [&[[f64; GROUP]]; V],
        i: usize,
        point: usize,
        eta: &mut [f64],
    ) {
        let n = rows.coefficients;
        let x: [&[f64]; R] = core::array::from_fn(
            #[inline(always)]
            |r| &rows.x[(i + r) * n..(i + r + 1) * n],
        );
        let mut sums: [[L::F64; V]; R] = core::array::from_fn(
            #[inline(always)]
            |r| [lanes.f64_splat(rows.start[i + r]); V],
        );
        for j in 0..n {
            let b: [L::F64; V] = core::array::from_fn(
                #[inline(always)]
                |v| lanes.f64_load(&groups[v][j][(point + v * L::N) % GROUP..]),
            );
            for r in 0..R {
                let x = lanes.f64_splat(x[r][j]);
                for v in 0..V {
                    sums[r][v] = lanes.f64_mul_add(x, b[v], sums[r][v]);
                }
            }
        }
        let width = eta.len() / R;
        for r in 0..R {
            for v in 0..V {
                lanes.f64_store(sums[r][v], &mut eta[r * width + point + v * L::N..]);
            }
        }
    }

    /// The row kernel: adds the values, and puts the slopes in place of the predictors.
    #[inline(always)]
    pub(super) fn rows<L: Lanes, K: RowFunction>(
        lanes: L,
        kernel: &K,
        rows: Rows<'_>,
        eta: &mut [f64],
        values: &mut [f64],
    ) {
        values.fill(rows.constant);
        for ((eta, &a), &b) in eta.chunks_exact_mut(values.len()).zip(rows.a).zip(rows.b) {
            let (a, b) = (lanes.f64_splat(a), lanes.f64_splat(b));
            for (eta, values) in eta.chunks_exact_mut(L::N).zip(values.chunks_exact_mut(L::N)) {
                let (value, slope) = kernel.lanes(lanes, lanes.f64_load(eta), a, b);
                lanes.f64_store(lanes.f64_add(lanes.f64_load(values), value), values);
                lanes.f64_store(slope, eta);
            }
        }
    }

    /// The sums over the rows of `x d`: a fused multiply-add for each row, in order: four coefficients and `V` vectors at a time.
    #[inline(always)]
    pub(super) fn gradients<L: Lanes, const V: usize>(
        lanes: L,
        rows: Rows<'_>,
        slopes: &[f64],
        width: usize,
        gradients: &mut [f64],
    ) {
        let n = rows.coefficients;
        let mut j = 0;
        while j < n {
            let mut point = 0;
            while point < width {
                let to = &mut gradients[j * width..];
                match n - j {
                    1 => gradient_block::<L, 1, V>(lanes, rows, slopes, width, j, point, to),
                    2 => gradient_block::<L, 2, V>(lanes, rows, slopes, width, j, point, to),
                    3 => gradient_block::<L, 3, V>(lanes, rows, slopes, width, j, point, to),
                    _ => gradient_block::<L, 4, V>(lanes, rows, slopes, width, j, point, to),
                }
                point += V * L::N;
            }
            j += 4;
        }
    }

    #[inline(always)]
    fn gradient_block<L: Lanes, const J: usize, const V: usize>(
        lanes: L,
        rows: Rows<'_>,
        slopes: &[f64],
        width: usize,
        j: usize,
        point: usize,
        to: &mut [f64],
    ) {
        let mut sums = [[lanes.f64_splat(0.0); V]; J];
        for (x, d) in rows.x.chunks_exact(rows.coefficients).zip(slopes.chunks_exact(width)) {
            let x: &[f64; J] = x[j..].first_chunk().expect("j + J coefficients");
            let d = &d[point..point + V * L::N];
            for jj in 0..J {
                let x = lanes.f64_splat(x[jj]);
                for v in 0..V {
                    sums[jj][v] = lanes.f64_mul_add(x, lanes.f64_load(&d[v * L::N..]), sums[jj][v]);
                }
            }
        }
        for jj in 0..J {
            for v in 0..V {
                lanes.f64_store(sums[jj][v], &mut to[jj * width + point + v * L::N..]);
            }
        }
    }
}

impl<K: RowFunction> BlockBody<'_, K> {
    /// The same for the target's own instruction set, whatever it has.
    fn run_by_element(self) {
        let BlockBody { rows, tile, scratch, sums, kernel } = self;
        let width = tile.width();
        let eta = &mut scratch.0[..rows.start.len() * width];
        predictors(rows, tile, eta);
        let (values, gradients) = sums.split_at_mut(width);
        values.fill(rows.constant);
        for ((eta, &a), &b) in eta.chunks_exact_mut(width).zip(rows.a).zip(rows.b) {
            for (eta, value) in eta.iter_mut().zip(values.iter_mut()) {
                let (v, d) = kernel.call(*eta, a, b);
                *value += v;
                *eta = d;
            }
        }
        let mut j = 0;
        while j < rows.coefficients {
            for g in 0..tile.groups {
                match rows.coefficients - j {
                    1 => gradient_block::<1>(rows, eta, width, j, g, gradients),
                    2 => gradient_block::<2>(rows, eta, width, j, g, gradients),
                    3 => gradient_block::<3>(rows, eta, width, j, g, gradients),
                    _ => gradient_block::<4>(rows, eta, width, j, g, gradients),
                }
            }
            j += 4;
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

/// The sums over the rows of `x d` for `J` coefficients from `j` on and group `g` of the points: a fused multiply-add for
/// each row, in order.
#[inline(always)]
fn gradient_block<const J: usize>(
    rows: Rows<'_>,
    slopes: &[f64],
    width: usize,
    j: usize,
    g: usize,
    gradients: &mut [f64],
) {
    let mut sums = [[0.0f64; GROUP]; J];
    for (x, d) in rows.x.chunks_exact(rows.coefficients).zip(slopes.chunks_exact(width)) {
        let x: &[f64; J] = x[j..].first_chunk().expect("j + J coefficients");
        let d = &d[g * GROUP..(g + 1) * GROUP];
        for jj in 0..J {
            for p in 0..GROUP {
                sums[jj][p] = x[jj].mul_add(d[p], sums[jj][p]);
            }
        }
    }
    for jj in 0..J {
        gradients[(j + jj) * width + g * GROUP..][..GROUP].copy_from_slice(&sums[jj]);
    }
}
