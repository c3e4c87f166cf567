//! The same sums on an OpenCL device.
//!
//! The text of a program is the row kernel of the model, as `#[kernel]` translates it, and two entry points around it. A
//! work-group does one block of rows at [`POINTS`] points: it keeps the rows' values and slopes in local memory, so no
//! number of coefficients is too many. The second entry point adds the blocks of a run by the tree.

use crate::data::{GlmData, ROW_BLOCK};
use crate::error::GlmError;
use crate::kernels::{self, each_row_kernel};
use crate::matrix::Matrix;
use crate::model::RowKernel;
use crate::tree::{Forest, Node};
use gristmill_cl_runtime::{
    Arg, CheckedKernel, Device, DeviceBuffer, ElementType, Launch, Program, Request, RuntimeError, Touched,
};
use gristmill_kernel::{EmittedShard, KernelItem};
use gristmill_kernel_cl::Assembly;
use std::ops::Range;
use std::sync::Arc;

/// Points of a work-group.
const POINTS: usize = 16;
/// Work-items for each point.
const LANES: usize = 4;
/// Doubles that the sums of one launch may take: 32 MB.
const SUMS: usize = 1 << 22;
/// Doubles that the sums of one block may take; points are done in runs that keep to it.
const BLOCK_SUMS: usize = 1 << 18;

/// `ROW`, `ROW_BLOCK`, `POINTS` and `LANES` are defined before it.
const ENTRIES: &str = r#"
__kernel void glm_blocks(ulong rows, ulong n, ulong points, ulong first_block,
    __global const double *x, __global const double *start, __global const double *a, __global const double *b,
    __global const double *constants, __global const double *coefficients, __global double *sums)
{
    __local double values[ROW_BLOCK * POINTS];
    __local double slopes[ROW_BLOCK * POINTS];
    const size_t column = get_local_id(0);
    const size_t lane = get_local_id(1);
    const ulong point = get_global_id(0);
    const ulong block = get_group_id(1);
    const ulong first = (first_block + block) * ROW_BLOCK;
    const ulong count = rows - first < ROW_BLOCK ? rows - first : ROW_BLOCK;
    /* A work-item beyond the last point or row does the last one again, so that all meet at the barriers. */
    __global const double *beta = coefficients + (point < points ? point : points - 1);

    /* Four rows at a time: each coefficient is read once for them. */
    for (ulong r = 4 * lane; r < ROW_BLOCK; r += 4 * LANES) {
        ulong row[4];
        double eta[4];
        for (int i = 0; i < 4; i++) {
            row[i] = first + (r + i < count ? r + i : count - 1);
            eta[i] = start[row[i]];
        }
        for (ulong j = 0; j < n; j++) {
            const double c = beta[j * points];
            for (int i = 0; i < 4; i++) eta[i] = fma(x[row[i] * n + j], c, eta[i]);
        }
        for (int i = 0; i < 4; i++) slopes[(r + i) * POINTS + column] = eta[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Between two barriers there is nothing but the row kernel: a CPU's driver makes vector code of that. */
    for (ulong r = lane; r < ROW_BLOCK; r += LANES) {
        const ulong row = first + (r < count ? r : count - 1);
        const gm_t2_f64_f64 y = ROW(slopes[r * POINTS + column], a[row], b[row]);
        values[r * POINTS + column] = y.v0;
        slopes[r * POINTS + column] = y.v1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (point >= points) return;
    __global double *out = sums + block * (n + 1) * points + point;
    if (lane == 0) {
        double sum = constants[first_block + block];
        for (ulong r = 0; r < count; r++) sum += values[r * POINTS + column];
        out[0] = sum;
    }
    /* Four coefficients at a time: each slope is read once for them. Coefficients beyond the last repeat it. */
    for (ulong j = 4 * lane; j < n; j += 4 * LANES) {
        ulong k[4];
        double sum[4];
        for (int i = 0; i < 4; i++) {
            k[i] = j + i < n ? j + i : n - 1;
            sum[i] = 0.0;
        }
        for (ulong r = 0; r < count; r++) {
            const double d = slopes[r * POINTS + column];
            for (int i = 0; i < 4; i++) sum[i] = fma(x[(first + r) * n + k[i]], d, sum[i]);
        }
        for (int i = 0; i < 4; i++) if (j + i < n) out[(j + i + 1) * points] = sum[i];
    }
}

/* The sums of `blocks` blocks, a power of two, each of `size` numbers: neighbours are added, then their sums, and so on. */
__kernel void glm_tree(ulong blocks, ulong size, __global double *sums, __global double *node)
{
    const ulong i = get_global_id(0);
    if (i >= size) return;
    for (ulong step = 1; step < blocks; step *= 2)
        for (ulong block = 0; block < blocks; block += 2 * step)
            sums[block * size + i] += sums[(block + step) * size + i];
    node[i] = sums[i];
}
"#;

/// A model's data on a device, with its programs.
#[derive(Debug)]
pub(crate) struct OnDevice {
    device: Device,
    blocks: CheckedKernel,
    tree: CheckedKernel,
    x: Arc<DeviceBuffer>,
    start: DeviceBuffer,
    a: DeviceBuffer,
    b: DeviceBuffer,
    constants: DeviceBuffer,
}

fn shard(kernel: RowKernel) -> &'static EmittedShard {
    macro_rules! shards {
        ($($kernel:ident => $row:ident, $curvature:ident;)*) => {
            match kernel {
                $(RowKernel::$kernel => <kernels::$row as KernelItem>::SHARD,)*
                RowKernel::Quasi(..) => <kernels::quasi_row as KernelItem>::SHARD,
            }
        };
    }
    each_row_kernel!(shards)
}

/// The text of the model's program.
pub(crate) fn text(kernel: RowKernel) -> String {
    let mut assembly = Assembly::new();
    let row = assembly.add(shard(kernel));
    let sizes = format!("#define ROW_BLOCK {ROW_BLOCK}\n#define POINTS {POINTS}\n#define LANES {LANES}\n");
    let row = match kernel {
        RowKernel::Quasi(variance, link) => format!("ROW(eta, a, b) {row}(eta, a, b, {variance}, {link})"),
        _ => format!("ROW {row}"),
    };
    assembly.add_entry("glm", format!("#define {row}\n{sizes}{ENTRIES}"));
    assembly.text()
}

/// The entry points of a program of [`text`].
#[expect(unsafe_code, reason = "what hand-written OpenCL C touches is known to its author only")]
fn entries(program: &Program) -> Result<(CheckedKernel, CheckedKernel), RuntimeError> {
    // SAFETY: `ENTRIES` keeps to what the two functions below say, for the launches that they let pass.
    unsafe {
        Ok((
            program.kernel("glm_blocks")?.with_bounds(blocks_touch),
            program.kernel("glm_tree")?.with_bounds(tree_touches),
        ))
    }
}

/// What `glm_blocks` touches: every row from 0 to the last of the last block, all of the design matrix, and a sum for each
/// block, coefficient and point.
fn blocks_touch(request: &Request<'_>) -> Result<Vec<Touched>, String> {
    let [rows, n, points, first_block] = [0, 1, 2, 3].map(|i| request.count(i));
    let (rows, n, points, first_block) = (rows?, n?, points?, first_block?);
    if request.local() != Some(&[POINTS, LANES]) || request.offset() != [0, 0] {
        return Err(format!("work-groups must have {POINTS} x {LANES} work-items, from 0 on"));
    }
    let blocks = (request.global()[1] / LANES) as u128;
    let end = first_block + blocks;
    // The last block has at least one row.
    if points == 0 || blocks == 0 || (end - 1).saturating_mul(ROW_BLOCK as u128) >= rows {
        return Err(format!("{rows} rows do not have block {}, or there is no point", end.saturating_sub(1)));
    }
    let of_a_block = (n + 1).saturating_mul(points);
    let elements =
        [rows.saturating_mul(n), rows, rows, rows, end, n.saturating_mul(points), blocks.saturating_mul(of_a_block)];
    Ok(elements.into_iter().zip(4..).map(|(elements, argument)| Touched { argument, elements }).collect())
}

/// What `glm_tree` touches: the sums of all blocks, and their sum.
fn tree_touches(request: &Request<'_>) -> Result<Vec<Touched>, String> {
    let (blocks, size) = (request.count(0)?, request.count(1)?);
    if !blocks.is_power_of_two() {
        return Err(format!("{blocks} blocks were given, but their number must be a power of two"));
    }
    let sums = Touched { argument: 2, elements: blocks.saturating_mul(size) };
    Ok(vec![sums, Touched { argument: 3, elements: size }])
}

impl OnDevice {
    /// `x` is the model matrix, if it is on the device already.
    fn new(data: &GlmData, device: &Device, x: Option<Arc<DeviceBuffer>>) -> Result<OnDevice, RuntimeError> {
        let program = device.build(&text(data.model.row_kernel()), "")?;
        let (blocks, tree) = entries(&program)?;
        // A buffer has at least one element.
        let upload = |values: &[f64]| device.upload(if values.is_empty() { &[0.0] } else { values });
        Ok(OnDevice {
            blocks,
            tree,
            x: match x {
                Some(x) => x,
                None => Arc::new(upload(data.x())?),
            },
            start: upload(&data.start)?,
            a: upload(&data.a)?,
            b: upload(&data.b)?,
            constants: upload(&data.block_constants)?,
            device: device.clone(),
        })
    }

    /// Points of one run: their sums for one block are within bounds, and they fill whole work-groups.
    pub(crate) fn points_per_run(coefficients: usize) -> usize {
        (BLOCK_SUMS / (coefficients + 1) / POINTS).max(1) * POINTS
    }

    /// The sums over some blocks at some points of a grid, at most [`OnDevice::points_per_run`] of them; of fewer blocks if the
    /// data is stopped.
    pub(crate) fn sums(
        &self,
        data: &GlmData,
        grid: Matrix<'_>,
        points: Range<usize>,
        blocks: Range<usize>,
    ) -> Result<Forest, RuntimeError> {
        let (n, count, unit) = (data.coefficients, points.len(), data.model.unit());
        let mut forest = Forest::default();
        if count == 0 || blocks.is_empty() {
            return Ok(forest);
        }
        let mut coefficients: Vec<f64> =
            (0..n).flat_map(|j| points.clone().map(move |p| grid.get(p, j) / unit)).collect();
        if coefficients.is_empty() {
            coefficients.push(0.0);
        }
        let coefficients = self.device.upload(&coefficients)?;
        let size = (n + 1) * count;
        let most = (SUMS / size).max(1).min(blocks.len());
        let most = 1 << most.ilog2();
        let sums = self.device.allocate(ElementType::F64, most * size)?;
        let mut block = blocks.start;
        while block < blocks.end && !data.is_stopped() {
            // The largest node that starts at this block and ends within the blocks.
            let fitting = (blocks.end - block).min(most).ilog2();
            let level = (data.first_block + block).trailing_zeros().min(fitting);
            let run = 1 << level;
            let launch = Launch::grid(&[count.next_multiple_of(POINTS), run * LANES]).local(&[POINTS, LANES]);
            self.blocks.run(
                &launch,
                &mut [
                    Arg::value(data.rows as u64),
                    Arg::value(n as u64),
                    Arg::value(count as u64),
                    Arg::value(block as u64),
                    Arg::Buffer(&self.x),
                    Arg::Buffer(&self.start),
                    Arg::Buffer(&self.a),
                    Arg::Buffer(&self.b),
                    Arg::Buffer(&self.constants),
                    Arg::Buffer(&coefficients),
                    Arg::Buffer(&sums),
                ],
            )?;
            let mut node = forest.buffer(size);
            self.tree.run(
                &Launch::linear(size),
                &mut [Arg::value(run as u64), Arg::value(size as u64), Arg::Buffer(&sums), Arg::output(&mut node)],
            )?;
            forest.push(Node { level, index: (data.first_block + block) >> level, sums: node });
            block += run;
        }
        Ok(forest)
    }
}

impl GlmData {
    /// Copies the data to a device, where all evaluations are done from now on: the same bits as on the CPU. What the device
    /// cannot do is an error, never a quiet return to the CPU.
    ///
    /// # Errors
    /// [`GlmError::Device`] if the program cannot be built or the device has no room for the data.
    pub fn on_device(mut self, device: &Device) -> Result<GlmData, GlmError> {
        self.device = Some(Arc::new(OnDevice::new(&self, device, None).map_err(GlmError::Device)?));
        Ok(self)
    }

    /// As [`GlmData::on_device`], where the device has the model matrix already: `x` holds the numbers of [`GlmData::x`], in this
    /// order. It is used as it is, without a copy.
    ///
    /// # Errors
    /// As there; [`GlmError::Length`] if it has another number of elements.
    pub fn on_device_of(mut self, x: Arc<DeviceBuffer>) -> Result<GlmData, GlmError> {
        let (given, expected) = (x.len(), self.rows * self.coefficients);
        if given != expected || expected == 0 {
            return Err(GlmError::Length { what: "x", given, expected });
        }
        let device = x.device().clone();
        self.device = Some(Arc::new(OnDevice::new(&self, &device, Some(x)).map_err(GlmError::Device)?));
        Ok(self)
    }

    /// The OpenCL C text that evaluates this model on a device.
    pub fn device_text(&self) -> String {
        text(self.model.row_kernel())
    }
}
