//! Whether a device computes as IEEE 754 and OpenCL demand: a small program whose bits are known.

use crate::context::Device;
use crate::error::Result;
use crate::kernel::Arg;

/// The operations that kernels are made of, as a device does them against as the host does them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfTest {
    /// How many inputs each operation had.
    pub inputs: usize,
    /// Each operation, and for how many inputs its bits differ. A NaN equals every NaN.
    pub operations: Vec<(&'static str, usize)>,
}

impl SelfTest {
    /// No bit differs.
    pub fn passed(&self) -> bool {
        self.operations.iter().all(|(_, differing)| *differing == 0)
    }
}

const TEXT: &str = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void gristmill_self_test(ulong n, __global const double* x, __global const double* y, __global const double* z,
        __global double* product_sum, __global double* quotient, __global double* root, __global double* fused,
        __global double* difference) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    product_sum[i] = x[i] * y[i] + z[i];
    quotient[i] = x[i] / y[i];
    root[i] = sqrt(x[i]);
    fused[i] = fma(x[i], y[i], z[i]);
    difference[i] = x[i] - y[i];
}
";

type Operation = (&'static str, fn(f64, f64, f64) -> f64);
const OPERATIONS: [Operation; 5] = [
    ("x * y + z", |x, y, z| x * y + z),
    ("x / y", |x, y, _| x / y),
    ("sqrt(x)", |x, _, _| x.sqrt()),
    ("fma(x, y, z)", f64::mul_add),
    ("x - y", |x, y, _| x - y),
];

/// Runs the operations that must be exactly rounded over edge cases and random bit patterns, on the device and on the host.
///
/// # Errors
/// If the device cannot build or run it.
pub fn self_test(device: &Device) -> Result<SelfTest> {
    const EDGES: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        3.0,
        f64::MAX,
        -f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    for a in EDGES {
        for b in EDGES {
            for c in EDGES {
                for (column, value) in columns.iter_mut().zip([a, b, c]) {
                    column.push(value);
                }
            }
        }
    }
    // xorshift64*; half of the numbers near 1, where contraction shows, half any bits.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut word = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    for i in 0..20_000 {
        for column in &mut columns {
            let bits = word();
            column.push(if i % 2 == 0 {
                f64::from_bits(bits)
            } else {
                (bits >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
            });
        }
    }
    let [x, y, z] = &columns;
    let n = x.len();
    let mut results = vec![vec![0.0; n]; OPERATIONS.len()];
    let kernel = device.build(TEXT, "")?.kernel("gristmill_self_test")?;
    let mut args = vec![Arg::Count, Arg::input(x), Arg::input(y), Arg::input(z)];
    args.extend(results.iter_mut().map(|r| Arg::output(r)));
    // SAFETY: `TEXT` compares its index with the number of elements, which every array has, and keeps what is `const`.
    unsafe { kernel.run_elementwise(n, &mut args)? };
    drop(args);
    let operations = OPERATIONS
        .iter()
        .zip(&results)
        .map(|((name, operation), result)| {
            let differs = |i: &usize| {
                let (host, device): (f64, f64) = (operation(x[*i], y[*i], z[*i]), result[*i]);
                host.to_bits() != device.to_bits() && !(host.is_nan() && device.is_nan())
            };
            (*name, (0..n).filter(differs).count())
        })
        .collect();
    Ok(SelfTest { inputs: n, operations })
}
