//! Sums over some of the rows, to be merged with those of the others.

use crate::block::{TILE, Tile};
use crate::data::{GlmData, ROW_BLOCK};
use crate::device::OnDevice;
use crate::error::GlmError;
use crate::evaluate::Evaluation;
use crate::matrix::Matrix;
use crate::tree::{Forest, Node};
use gristmill_kernel::Level;
use rayon::prelude::*;
use std::ops::Range;

/// What some rows contribute to the values and gradients at a grid.
///
/// Rows can be evaluated in any parts, by any number of processes, and merged to the bits that one evaluation gives: a part
/// holds the nodes of the tree of sums that its rows complete.
///
/// ```
/// use gristmill_glm::{Family, GlmData, Matrix, Model, Partial};
///
/// let x: Vec<f64> = (0..200).flat_map(|i| [1.0, f64::from(i) / 100.0 - 1.0]).collect();
/// let y: Vec<f64> = (0..200).map(|i| f64::from(i % 3)).collect();
/// let model = Model::new(Family::Poisson, None, None)?;
/// let data = GlmData::new(model, Matrix::row_major(&x, 200, 2)?, &y, None, None, None, None)?;
/// let grid = [0.0, 0.0, 0.1, -0.2, 0.3, 0.5];
/// let grid = Matrix::row_major(&grid, 3, 2)?;
///
/// let here = data.partial(grid, 0..128)?;
/// let there = GlmData::new(model, Matrix::row_major(&x[256..], 72, 2)?, &y[128..], None, None, None, None)?
///     .starting_at(128)?
///     .partial(grid, 128..200)?
///     .to_bytes(); // from another machine, say
/// let merged = here.merge(Partial::from_bytes(&there)?)?;
/// assert_eq!(data.finish(grid, merged)?, data.evaluate(grid)?);
/// # Ok::<(), gristmill_glm::GlmError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Partial {
    rows: Range<usize>,
    points: usize,
    coefficients: usize,
    /// Of the model and the grid.
    fingerprint: u64,
    /// Their sums are points x (1 + coefficients).
    forest: Forest,
}

/// Marks the bytes of a [`Partial`], with the version of their layout.
const MAGIC: &[u8; 8] = b"gmglm\0\0\x01";

impl Partial {
    /// The rows that are in it.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Adds the rows that follow.
    ///
    /// # Errors
    /// [`GlmError::PartRows`] if `next` does not start where this ends, [`GlmError::PartOfAnother`] if it is of another model
    /// or grid.
    pub fn merge(mut self, next: Partial) -> Result<Partial, GlmError> {
        if self.fingerprint != next.fingerprint || self.points != next.points || self.coefficients != next.coefficients
        {
            return Err(GlmError::PartOfAnother);
        }
        if self.rows.end != next.rows.start {
            return Err(GlmError::PartRows { end: self.rows.end, start: next.rows.start });
        }
        self.rows.end = next.rows.end;
        for node in next.forest.into_nodes() {
            self.forest.push(node);
        }
        Ok(self)
    }

    /// Merges parts in any order.
    ///
    /// # Errors
    /// As [`Partial::merge`]; [`GlmError::NoParts`] if there are none.
    pub fn merge_all(parts: impl IntoIterator<Item = Partial>) -> Result<Partial, GlmError> {
        let mut parts: Vec<Partial> = parts.into_iter().collect();
        parts.sort_by_key(|part| part.rows.start);
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or(GlmError::NoParts)?;
        parts.try_fold(first, Partial::merge)
    }

    /// The part as bytes, the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut word = |w: u64| bytes.extend(w.to_le_bytes());
        for w in [self.rows.start, self.rows.end, self.points, self.coefficients, self.forest.nodes().len()] {
            word(w as u64);
        }
        word(self.fingerprint);
        for node in self.forest.nodes() {
            word(u64::from(node.level));
            word(node.index as u64);
            node.sums.iter().for_each(|s| word(s.to_bits()));
        }
        bytes
    }

    /// The part that [`Partial::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`GlmError::PartBytes`] if they are not those of a part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Partial, GlmError> {
        let bad = |what: &'static str| GlmError::PartBytes { what };
        let body = bytes.strip_prefix(MAGIC).ok_or(bad("they do not start as a part does"))?;
        if !body.len().is_multiple_of(8) {
            return Err(bad("they end within a number"));
        }
        let mut words = body.chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().expect("8 bytes")));
        let mut next = || words.next().ok_or(bad("they end too early"));
        let mut size = || next().and_then(|w| usize::try_from(w).map_err(|_| bad("a number is too large")));
        let (start, end, points, coefficients, nodes) = (size()?, size()?, size()?, size()?, size()?);
        let fingerprint = next()?;
        let length = coefficients
            .checked_add(1)
            .and_then(|c| c.checked_mul(points))
            .filter(|length| *length <= body.len() / 8)
            .ok_or(bad("they end too early"))?;
        if start > end || !start.is_multiple_of(ROW_BLOCK) {
            return Err(bad("the rows are not a range of blocks"));
        }
        let mut forest = Forest::default();
        let mut block = start / ROW_BLOCK;
        for _ in 0..nodes {
            let (level, index) = (next()?, next()?);
            let node_start = u32::try_from(level)
                .ok()
                .filter(|l| *l < 58)
                .and_then(|l| (index < 1 << (58 - l)).then_some((index as usize) << l));
            if node_start != Some(block) {
                return Err(bad("a sum is not in its place"));
            }
            let mut sums = Vec::with_capacity(length);
            for _ in 0..length {
                sums.push(f64::from_bits(next()?));
            }
            let node = Node { level: level as u32, index: index as usize, sums };
            block = node.end_block();
            let before = forest.nodes().len();
            forest.push(node);
            if forest.nodes().len() != before + 1 {
                return Err(bad("two sums are not added"));
            }
        }
        if words.next().is_some() || block != end.div_ceil(ROW_BLOCK) {
            return Err(bad("the sums do not cover the rows"));
        }
        Ok(Partial { rows: start..end, points, coefficients, fingerprint, forest })
    }
}

impl GlmData {
    /// These rows are those from `first_row` on of a larger set. The numbers of rows in [`GlmData::partial`] are then those of the
    /// larger set, and parts of it that were evaluated elsewhere can be merged.
    ///
    /// # Errors
    /// [`GlmError::RowNumber`] if it is not a multiple of 64, the size of a block.
    pub fn starting_at(mut self, first_row: usize) -> Result<GlmData, GlmError> {
        check_row(first_row)?;
        self.first_block = first_row / ROW_BLOCK;
        Ok(self)
    }

    /// What some rows contribute to the values and gradients at a grid. The prior is added by [`GlmData::finish`].
    ///
    /// # Errors
    /// [`GlmError::Length`] if the grid does not have one column for each coefficient; [`GlmError::Rows`] if there are no
    /// such rows; [`GlmError::RowNumber`] if the first row is not a multiple of 64, or the end neither that nor the end of
    /// the data; [`GlmError::Device`]; [`GlmError::Stopped`].
    pub fn partial(&self, grid: Matrix<'_>, rows: Range<usize>) -> Result<Partial, GlmError> {
        self.check_grid(grid)?;
        let first = self.first_block * ROW_BLOCK;
        let all = first..first + self.rows;
        if rows.start > rows.end || rows.start < all.start || rows.end > all.end {
            return Err(GlmError::Rows { start: rows.start, end: rows.end, first: all.start, last: all.end });
        }
        check_row(rows.start)?;
        if rows.end != all.end {
            check_row(rows.end)?;
        }
        let blocks = (rows.start - first) / ROW_BLOCK..(rows.end - first).div_ceil(ROW_BLOCK);
        let (points, n) = (grid.rows(), self.coefficients);
        let runs = self.runs(Level::best(), grid, blocks)?;
        self.check_stop()?;
        let mut nodes: Vec<Node> = Vec::new();
        for (p, run) in runs {
            for (k, node) in run.nodes().iter().enumerate() {
                if nodes.len() == k {
                    nodes.push(Node { level: node.level, index: node.index, sums: vec![0.0; points * (n + 1)] });
                }
                let width = node.sums.len() / (n + 1);
                for (i, sums) in nodes[k].sums.chunks_exact_mut(n + 1).skip(p.start).take(p.len()).enumerate() {
                    for (j, s) in sums.iter_mut().enumerate() {
                        *s = node.sums[j * width + i];
                    }
                }
            }
        }
        if points == 0 {
            // No run has shown which nodes there are; they hold nothing, but must be in their places.
            let mut empty = Forest::default();
            for index in rows.start / ROW_BLOCK..rows.end.div_ceil(ROW_BLOCK) {
                empty.push(Node { level: 0, index, sums: Vec::new() });
            }
            nodes = empty.into_nodes().collect();
        }
        let mut forest = Forest::default();
        nodes.into_iter().for_each(|node| forest.push(node));
        Ok(Partial { rows, points, coefficients: n, fingerprint: self.fingerprint(grid), forest })
    }

    /// The values and gradients from the sums over all rows: the same bits as [`GlmData::evaluate`].
    ///
    /// Whoever calls it knows that no rows are missing at the end.
    ///
    /// # Errors
    /// [`GlmError::PartOfAnother`] if the part is of another model or grid; [`GlmError::PartRows`] if it does not start with
    /// row 0.
    pub fn finish(&self, grid: Matrix<'_>, part: Partial) -> Result<Evaluation, GlmError> {
        self.check_grid(grid)?;
        if part.points != grid.rows() || part.fingerprint != self.fingerprint(grid) {
            return Err(GlmError::PartOfAnother);
        }
        if part.rows.start != 0 {
            return Err(GlmError::PartRows { end: 0, start: part.rows.start });
        }
        let (points, n) = (grid.rows(), self.coefficients);
        let mut forest = part.forest;
        let sums = forest.finish(points * (n + 1));
        let mut evaluation = Evaluation::new(points, n);
        for (j, sums) in sums.chunks_exact(n + 1).enumerate() {
            evaluation.set(self, grid, j, sums[0], |k| sums[1 + k]);
        }
        Ok(evaluation)
    }

    /// The sums over some blocks, for runs of points.
    fn runs(
        &self,
        level: Level,
        grid: Matrix<'_>,
        blocks: Range<usize>,
    ) -> Result<Vec<(Range<usize>, Forest)>, GlmError> {
        let points = grid.rows();
        if let Some(device) = &self.device {
            let size = OnDevice::points_per_run(self.coefficients);
            return (0..points)
                .step_by(size)
                .map(|p| {
                    let run = p..points.min(p + size);
                    let forest = device.sums(self, grid, run.clone(), blocks.clone()).map_err(GlmError::Device)?;
                    Ok((run, forest))
                })
                .collect();
        }
        let (tiles, unit) = (points.div_ceil(TILE), self.model.unit());
        let split = crate::evaluate::row_split(blocks.len(), tiles, rayon::current_num_threads());
        let sums = (0..tiles)
            .into_par_iter()
            .map(|t| {
                let run = t * TILE..points.min((t + 1) * TILE);
                let tile = Tile::new(run.len(), self.coefficients, |p, j| grid.get(run.start + p, j) / unit);
                (run, self.tile_sums(level, &tile, blocks.clone(), split))
            })
            .collect();
        self.check_stop()?;
        Ok(sums)
    }

    /// Tells models and grids apart: FNV-1a over their numbers.
    fn fingerprint(&self, grid: Matrix<'_>) -> u64 {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut word = |w: u64| hash = (hash ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
        word(self.model.family() as u64);
        word(self.model.link() as u64);
        word(self.model.size().unwrap_or(0.0).to_bits());
        for i in 0..grid.rows() {
            grid.row(i).for_each(|v| word(v.to_bits()));
        }
        hash
    }
}

fn check_row(row: usize) -> Result<(), GlmError> {
    if row.is_multiple_of(ROW_BLOCK) { Ok(()) } else { Err(GlmError::RowNumber { row, block: ROW_BLOCK }) }
}
