//! Do all lowerings of a kernel give the same bits? Single calls, block loops, strided ckernels, threads, a device.

use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
use gristmill_cl_runtime::{Device, DeviceFunction, MapError};
use gristmill_kernel::{Column, ColumnError, ColumnMut, Function, Level, Scalar};
use gristmill_kernel_cl::Assembly;

/// How many inputs, and which.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Inputs for each kernel.
    pub points: usize,
    /// Where the random inputs start.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { points: 1_000_000, seed: 1 }
    }
}

/// How one kernel fared.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The kernel's name.
    pub kernel: &'static str,
    /// How many inputs each path had.
    pub points: usize,
    /// Each path that was compared with the scalar function of the baseline, and how many results differ.
    pub paths: Vec<(String, usize)>,
    /// The first difference.
    pub first: Option<Difference>,
}

impl Report {
    /// Every path gave the bits of the scalar function.
    pub fn same(&self) -> bool {
        self.paths.iter().all(|p| p.1 == 0)
    }
}

/// One input for which a path differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The path.
    pub path: String,
    /// The arguments, each with its bits.
    pub input: Vec<String>,
    /// What the scalar function gives.
    pub expected: Vec<String>,
    /// What the path gives.
    pub given: Vec<String>,
}

/// Why a kernel could not be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The device failed, or its compiler refused the kernel.
    #[error(transparent)]
    Device(#[from] MapError),
    /// A lowering refused columns that fit the signature: a bug of ours.
    #[error("kernel `{kernel}` refuses its own columns")]
    Columns {
        /// The kernel.
        kernel: &'static str,
        /// Why.
        source: ColumnError,
    },
    /// A kernel made at run time used up its fuel, or was interrupted.
    #[error("`{kernel}` was interrupted before all inputs were compared")]
    Stopped {
        /// The kernel.
        kernel: &'static str,
    },
    /// The strided ckernel failed: a bug of ours.
    #[error("kernel `{kernel}` fails as a ckernel: {why}")]
    CKernel {
        /// The kernel.
        kernel: &'static str,
        /// Why.
        why: String,
    },
    /// The system does not let the second thread start. The user has to raise a limit, or end something else.
    #[error(
        "a second thread could not be started, so that `{kernel}` cannot be compared on two; raise the limit on processes"
    )]
    Thread {
        /// The kernel.
        kernel: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Inputs that are evaluated together: few enough to stay in the second-level cache, enough for two threads.
const CHUNK: usize = 32_768;
/// How many inputs share their parameters on the path with uniform arguments.
const UNIFORM_RUN: usize = 256;

const UNIFORM: &str = "uniform";
const FLAGS: &str = "uniform flags";
const STRIDED: &str = "strided";
const THREADS: &str = "2 threads";
const DEVICE: &str = "device";

/// Compares every path of one kernel over `plan.points` inputs. NaN payloads do not count.
///
/// The inputs: edge cases; the constants in the kernel's own text and its callees' (where its branches lie), each with four
/// neighbours on both sides; random bit patterns; subnormals; evenly spaced ones.
///
/// # Errors
/// [`VerifyError`] if a path could not run at all. A path that gives other bits is no error: see [`Report::same`].
pub fn verify(function: &Function, device: Option<&Device>, plan: Sampling) -> Result<Report, VerifyError> {
    Ok(verify_together(std::slice::from_ref(function), device, plan)?.remove(0))
}

/// As [`verify`] for a kernel that was made at run time, compared with `reference`, the same kernel by another way: that of the
/// interpreter, say.
///
/// # Errors
/// As [`verify`].
pub fn verify_against(
    reference: &Function,
    function: &Function,
    device: Option<&Device>,
    plan: Sampling,
) -> Result<Report, VerifyError> {
    let device = device.map(|device| DeviceFunction::new(device, function)).transpose()?;
    verify_on(function, Some(reference), device.as_ref(), plan)
}

/// As [`verify`], with one program for all kernels: a compiler reads what they share only once.
///
/// # Errors
/// As [`verify`].
pub fn verify_together(
    functions: &[Function],
    device: Option<&Device>,
    plan: Sampling,
) -> Result<Vec<Report>, VerifyError> {
    let on_device = match device {
        Some(device) => DeviceFunction::together(device, functions)?.into_iter().map(Some).collect(),
        None => vec![None; functions.len()],
    };
    functions.iter().zip(&on_device).map(|(f, device)| verify_on(f, None, device.as_ref(), plan)).collect()
}

fn verify_on(
    function: &Function,
    reference: Option<&Function>,
    device: Option<&DeviceFunction>,
    plan: Sampling,
) -> Result<Report, VerifyError> {
    let kernel = function.name();
    let columns = |source| match source {
        ColumnError::Stopped { kernel } => VerifyError::Stopped { kernel },
        source => VerifyError::Columns { kernel, source },
    };
    let types: Vec<Scalar> = function.params().map(|p| p.1).collect();
    let results = function.results();
    // A ckernel has one destination; `usize` is no builtin type there.
    let strided = match function.deferred() {
        Ok(deferred) if !types.iter().chain(&results).any(|t| *t == Scalar::Usize) => Some(
            deferred
                .instantiate(KernelRequest::Strided)
                .map_err(|e| VerifyError::CKernel { kernel, why: e.to_string() })?,
        ),
        _ => None,
    };
    let mut text = Assembly::new();
    text.add_map(function.shard());
    let mut inputs = Inputs::new(&text.text(), plan.seed);
    let mut report = Report { kernel, points: 0, paths: Vec::new(), first: None };
    while report.points < plan.points {
        let n = CHUNK.min(plan.points - report.points);
        let ins: Vec<Data> = types.iter().map(|t| inputs.column(*t, n)).collect();
        let views: Vec<Column<'_>> = ins.iter().map(Data::column).collect();
        let fresh = || -> Vec<Data> { results.iter().map(|t| Data::zeros(*t, n)).collect() };

        let mut expected = fresh();
        expect(function, reference, &views, &mut expected, n).map_err(columns)?;
        let mut compare = |path: &str, given: &[Data]| record(&mut report, path, &ins, &expected, given, n);

        for level in levels(function) {
            // Code made at run time has one level, and no name for it.
            let of_level = |path: &str| match function.is_loaded() {
                true => path.to_string(),
                false => format!("{path} {}", level.name()),
            };
            if reference.is_some() || !matches!(level, Level::Base) {
                let mut given = fresh();
                each(function, level, &views, &mut given, n).map_err(columns)?;
                compare(&of_level("single"), &given);
            }
            let mut given = fresh();
            function.map_on(level, &views, &mut views_mut(&mut given)).map_err(columns)?;
            compare(&of_level("block"), &given);
        }
        let mut given = fresh();
        two_threads(function, &views, &mut given, n)
            .map_err(|source| VerifyError::Thread { kernel, source })?
            .map_err(columns)?;
        compare(THREADS, &given);
        if let Some(ckernel) = &strided {
            let mut given = fresh();
            run_strided(ckernel, &ins, &mut given[0], n).map_err(|why| VerifyError::CKernel { kernel, why })?;
            compare(STRIDED, &given);
        }
        if let Some(device) = device {
            let mut given = fresh();
            device.map(&views, &mut views_mut(&mut given))?;
            compare(DEVICE, &given);
        }
        if types.len() > 1 {
            uniform(function, reference, &ins, UNIFORM, |i| i > 0, &mut report).map_err(columns)?;
        }
        if types.contains(&Scalar::Bool) && types.iter().filter(|t| **t != Scalar::Bool).count() > 1 {
            uniform(function, reference, &ins, FLAGS, |i| types[i] == Scalar::Bool, &mut report).map_err(columns)?;
        }
        report.points += n;
    }
    Ok(report)
}

/// The instruction sets that a function has code for: what was made at run time was made for the best one.
fn levels(function: &Function) -> Vec<Level> {
    if function.is_loaded() { vec![Level::best()] } else { Level::all().collect() }
}

/// What every path has to give: the results of the reference, else of single calls.
fn expect(
    function: &Function,
    reference: Option<&Function>,
    ins: &[Column<'_>],
    outs: &mut [Data],
    n: usize,
) -> Result<(), ColumnError> {
    match reference {
        Some(reference) => reference.map(ins, &mut views_mut(outs)),
        None => each(function, Level::Base, ins, outs, n),
    }
}

/// One call for each element.
fn each(function: &Function, level: Level, ins: &[Column<'_>], outs: &mut [Data], n: usize) -> Result<(), ColumnError> {
    let mut outs = views_mut(outs);
    (0..n).try_for_each(|i| function.call_at(level, ins, &mut outs, i))
}

fn views_mut(data: &mut [Data]) -> Vec<ColumnMut<'_>> {
    data.iter_mut().map(Data::column_mut).collect()
}

/// An error of the system if no thread can be started.
fn two_threads(
    function: &Function,
    ins: &[Column<'_>],
    outs: &mut [Data],
    n: usize,
) -> std::io::Result<Result<(), ColumnError>> {
    // Not the middle: the halves start and end off the vector's width.
    let cut = n / 2 + n % 7;
    let cut = cut.min(n);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for data in outs {
        let (a, b) = data.split_mut(cut);
        left.push(a);
        right.push(b);
    }
    let part = |start, len| ins.iter().map(|c| c.part(start, len)).collect::<Vec<_>>();
    let (first, second) = (part(0, cut), part(cut, n - cut));
    std::thread::scope(|scope| {
        let work = move || if cut < n { function.map(&second, &mut right) } else { Ok(()) };
        let other = std::thread::Builder::new().spawn_scoped(scope, work)?;
        let here = if cut > 0 { function.map(&first, &mut left) } else { Ok(()) };
        Ok(here.and(other.join().unwrap_or(Ok(()))))
    })
}

/// Sources backwards, every second element; the destination every third.
fn run_strided(ckernel: &gristmill_ckernel::Kernel, ins: &[Data], out: &mut Data, n: usize) -> Result<(), String> {
    let spread: Vec<Data> = ins.iter().map(|d| d.spread(n)).collect();
    let sources = spread.iter().map(|d| d.operand(n)).collect::<Result<Vec<_>, _>>()?;
    let mut wide = Data::zeros(out.scalar(), 3 * n);
    ckernel.run(wide.operand_mut(n)?, &sources).map_err(|e| e.to_string())?;
    out.take_every_third(&wide);
    Ok(())
}

/// Some arguments are one value for all: a block loop does once what depends on them alone.
fn uniform(
    function: &Function,
    reference: Option<&Function>,
    ins: &[Data],
    path: &str,
    same: impl Fn(usize) -> bool,
    report: &mut Report,
) -> Result<(), ColumnError> {
    let (n, results) = (ins[0].column().len(), function.results());
    let mut start = 0;
    while start < n {
        let len = UNIFORM_RUN.min(n - start);
        let part: Vec<Data> =
            ins.iter().enumerate().map(|(i, d)| d.slice(start, if same(i) { 1 } else { len })).collect();
        let views: Vec<Column<'_>> = part.iter().map(Data::column).collect();
        let fresh = || -> Vec<Data> { results.iter().map(|t| Data::zeros(*t, len)).collect() };
        let (mut expected, mut given) = (fresh(), fresh());
        // The reference sees full columns, so that it cannot share anything.
        let full: Vec<Data> = part.iter().map(|d| d.repeated(len)).collect();
        let full_views: Vec<Column<'_>> = full.iter().map(Data::column).collect();
        expect(function, reference, &full_views, &mut expected, len)?;
        for level in levels(function) {
            function.map_on(level, &views, &mut views_mut(&mut given))?;
            record(report, path, &full, &expected, &given, len);
        }
        start += len;
    }
    Ok(())
}

fn record(report: &mut Report, path: &str, ins: &[Data], expected: &[Data], given: &[Data], n: usize) {
    let differs = |i: usize| expected.iter().zip(given).any(|(e, g)| e.bits(i) != g.bits(i));
    let count = (0..n).filter(|i| differs(*i)).count();
    match report.paths.iter_mut().find(|p| p.0 == path) {
        Some(entry) => entry.1 += count,
        None => report.paths.push((path.to_string(), count)),
    }
    if count > 0
        && report.first.is_none()
        && let Some(i) = (0..n).find(|i| differs(*i))
    {
        let show = |list: &[Data]| list.iter().map(|d| d.show(i)).collect();
        report.first =
            Some(Difference { path: path.to_string(), input: show(ins), expected: show(expected), given: show(given) });
    }
}

macro_rules! data {
    ($($variant:ident $t:ty),*) => {
        /// An owned column.
        #[derive(Debug, Clone)]
        enum Data { $($variant(Vec<$t>),)* Usize(Vec<usize>), Bool(Vec<bool>) }

        impl Data {
            fn zeros(ty: Scalar, n: usize) -> Data {
                match ty {
                    $(Scalar::$variant => Data::$variant(vec![Default::default(); n]),)*
                    Scalar::Usize => Data::Usize(vec![0; n]),
                    Scalar::Bool => Data::Bool(vec![false; n]),
                }
            }
            fn scalar(&self) -> Scalar { self.column().scalar() }
            fn column(&self) -> Column<'_> {
                match self {
                    $(Data::$variant(v) => Column::$variant(v),)*
                    Data::Usize(v) => Column::Usize(v),
                    Data::Bool(v) => Column::Bool(v),
                }
            }
            fn column_mut(&mut self) -> ColumnMut<'_> {
                match self {
                    $(Data::$variant(v) => ColumnMut::$variant(v),)*
                    Data::Usize(v) => ColumnMut::Usize(v),
                    Data::Bool(v) => ColumnMut::Bool(v),
                }
            }
            fn split_mut(&mut self, at: usize) -> (ColumnMut<'_>, ColumnMut<'_>) {
                macro_rules! split { ($v:expr, $w:ident) => {{
                    let (a, b) = $v.split_at_mut(at);
                    (ColumnMut::$w(a), ColumnMut::$w(b))
                }}; }
                match self {
                    $(Data::$variant(v) => split!(v, $variant),)*
                    Data::Usize(v) => split!(v, Usize),
                    Data::Bool(v) => split!(v, Bool),
                }
            }
            fn slice(&self, start: usize, len: usize) -> Data {
                match self {
                    $(Data::$variant(v) => Data::$variant(v[start..start + len].to_vec()),)*
                    Data::Usize(v) => Data::Usize(v[start..start + len].to_vec()),
                    Data::Bool(v) => Data::Bool(v[start..start + len].to_vec()),
                }
            }
            /// One value becomes `n`.
            fn repeated(&self, n: usize) -> Data {
                match self {
                    $(Data::$variant(v) => Data::$variant(v.iter().copied().cycle().take(n).collect()),)*
                    Data::Usize(v) => Data::Usize(v.iter().copied().cycle().take(n).collect()),
                    Data::Bool(v) => Data::Bool(v.iter().copied().cycle().take(n).collect()),
                }
            }
            /// Element `i` at `2 * (n - 1 - i)`.
            fn spread(&self, n: usize) -> Data {
                macro_rules! spread { ($v:expr) => {
                    (0..2 * n).map(|j| $v[n - 1 - j / 2]).collect()
                }; }
                match self {
                    $(Data::$variant(v) => Data::$variant(spread!(v)),)*
                    Data::Usize(v) => Data::Usize(spread!(v)),
                    Data::Bool(v) => Data::Bool(spread!(v)),
                }
            }
            fn operand(&self, n: usize) -> Result<Operand<'_>, String> {
                let result = match self {
                    $(Data::$variant(v) => Operand::strided(v, 2 * (n - 1), -2, n),)*
                    Data::Bool(v) => Operand::strided(v, 2 * (n - 1), -2, n),
                    Data::Usize(_) => return Err("usize is no builtin type".into()),
                };
                result.map_err(|e| e.to_string())
            }
            fn operand_mut(&mut self, n: usize) -> Result<OperandMut<'_>, String> {
                let result = match self {
                    $(Data::$variant(v) => OperandMut::strided(v, 0, 3, n),)*
                    Data::Bool(v) => OperandMut::strided(v, 0, 3, n),
                    Data::Usize(_) => return Err("usize is no builtin type".into()),
                };
                result.map_err(|e| e.to_string())
            }
            fn take_every_third(&mut self, wide: &Data) {
                match (self, wide) {
                    $((Data::$variant(v), Data::$variant(w)) => v.iter_mut().zip(w.iter().step_by(3)).for_each(|(v, w)| *v = *w),)*
                    (Data::Bool(v), Data::Bool(w)) => v.iter_mut().zip(w.iter().step_by(3)).for_each(|(v, w)| *v = *w),
                    _ => {}
                }
            }
        }
    };
}
data!(F64 f64, F32 f32, I32 i32, I64 i64, U32 u32, U64 u64);

impl Data {
    /// Element `i` as bits; all NaNs are one.
    fn bits(&self, i: usize) -> u64 {
        match self {
            Data::F64(v) if v[i].is_nan() => f64::NAN.to_bits(),
            Data::F64(v) => v[i].to_bits(),
            Data::F32(v) if v[i].is_nan() => u64::from(f32::NAN.to_bits()),
            Data::F32(v) => u64::from(v[i].to_bits()),
            Data::I32(v) => v[i] as u64,
            Data::I64(v) => v[i] as u64,
            Data::U32(v) => u64::from(v[i]),
            Data::U64(v) => v[i],
            Data::Usize(v) => v[i] as u64,
            Data::Bool(v) => u64::from(v[i]),
        }
    }

    fn show(&self, i: usize) -> String {
        match self {
            Data::F64(v) => format!("{:?} ({:#018x})", v[i], v[i].to_bits()),
            Data::F32(v) => format!("{:?} ({:#010x})", v[i], v[i].to_bits()),
            Data::I32(v) => v[i].to_string(),
            Data::I64(v) => v[i].to_string(),
            Data::U32(v) => v[i].to_string(),
            Data::U64(v) => v[i].to_string(),
            Data::Usize(v) => v[i].to_string(),
            Data::Bool(v) => v[i].to_string(),
        }
    }
}

/// Where inputs come from.
struct Inputs {
    /// The constants of the program: among them are the borders between its branches.
    borders: Vec<f64>,
    state: u64,
    step: u64,
}

const EDGES: [f64; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    10.0,
    100.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    f64::EPSILON,
    709.782712893384,
    -745.1332191019411,
    2_147_483_647.0,
    2_147_483_647.5,
    -2_147_483_648.0,
    4_294_967_295.5,
    9_223_372_036_854_775_807.0,
    18_446_744_073_709_551_615.0,
    0.49999999999999994,
    1.5,
    2.5,
    -1.5,
    4_503_599_627_370_496.5,
    9_007_199_254_740_992.0,
    std::f64::consts::FRAC_1_SQRT_2,
    std::f64::consts::SQRT_2,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::FRAC_PI_4,
];

impl Inputs {
    fn new(text: &str, seed: u64) -> Inputs {
        // Zero is the one state that xorshift never leaves.
        Inputs { borders: hex_floats(text), state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, step: 0 }
    }

    /// xorshift64*
    fn word(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.word() >> 11) % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// One of the neighbours of `x`, up to four places away.
    fn near(&mut self, x: f64) -> f64 {
        f64::from_bits(x.to_bits().wrapping_add(self.below(9) as u64).wrapping_sub(4))
    }

    fn f64(&mut self) -> f64 {
        match self.below(12) {
            0 => EDGES[self.below(EDGES.len())],
            1 => {
                let edge = EDGES[self.below(EDGES.len())];
                self.near(edge)
            }
            2 | 3 if !self.borders.is_empty() => {
                let at = self.below(self.borders.len());
                let border = self.borders[at];
                let near = self.near(border);
                if self.word() & 1 == 0 { near } else { -near }
            }
            2 | 3 => f64::from_bits(self.word()),
            4 => f64::from_bits(self.word()),
            5 => f64::from_bits(self.word() & 0x800f_ffff_ffff_ffff),
            // Spaced: every value of a grid in turn.
            6 => {
                self.step = (self.step + 1) % 160_001;
                self.step as f64 / 100.0 - 800.0
            }
            7 => self.unit(),
            8 => (self.unit() - 0.5) * 16.0,
            9 => (self.unit() - 0.5) * 1600.0,
            10 => self.below(400) as f64 / 4.0,
            // Any magnitude that distributions meet, positive.
            _ => (self.unit() * 80.0 - 40.0).exp2(),
        }
    }

    fn integer(&mut self) -> u64 {
        const EDGES: [u64; 10] = [
            0,
            1,
            u64::MAX,
            i32::MAX as u64,
            i32::MIN as u64,
            u32::MAX as u64,
            1 << 32,
            i64::MAX as u64,
            i64::MIN as u64,
            53,
        ];
        match self.below(4) {
            0 => EDGES[self.below(EDGES.len())],
            1 => (self.below(256) as u64).wrapping_sub(64),
            2 => self.word() >> self.below(64),
            _ => self.word(),
        }
    }

    fn column(&mut self, ty: Scalar, n: usize) -> Data {
        match ty {
            Scalar::F64 => Data::F64((0..n).map(|_| self.f64()).collect()),
            Scalar::F32 => Data::F32(
                (0..n)
                    .map(|i| if i % 4 == 0 { f32::from_bits(self.word() as u32) } else { self.f64() as f32 })
                    .collect(),
            ),
            Scalar::I32 => Data::I32((0..n).map(|_| self.integer() as i32).collect()),
            Scalar::I64 => Data::I64((0..n).map(|_| self.integer() as i64).collect()),
            Scalar::U32 => Data::U32((0..n).map(|_| self.integer() as u32).collect()),
            Scalar::U64 => Data::U64((0..n).map(|_| self.integer()).collect()),
            Scalar::Usize => Data::Usize((0..n).map(|_| self.integer() as usize).collect()),
            Scalar::Bool => Data::Bool((0..n).map(|_| self.word() & 1 == 1).collect()),
        }
    }
}

/// The hexadecimal floats in a program text, `0x1.8p+1`, without repeats.
fn hex_floats(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("0x") {
        let rest = &text[at + 2..];
        let end =
            rest.find(|c: char| !(c.is_ascii_hexdigit() || matches!(c, '.' | 'p' | '+' | '-'))).unwrap_or(rest.len());
        if let Some(value) = hex_float(&rest[..end]) {
            found.push(value.abs());
        }
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// `1.8p+1`: normal numbers as the emitter writes them, with at most 53 bits.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32;
    // In two steps: 2^exponent alone may not be a number.
    let half = exponent / 2;
    Some(digits as f64 * f64::from(half).exp2() * f64::from(exponent - half).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_kernel::kernel;

    /// Branches at 1.5, mixes types, loops.
    #[kernel]
    fn stepped(x: f64, k: i32, flip: bool) -> f64 {
        let mut y: f64 = if x < 1.5 { x } else { x * 0.5 };
        let mut i = 0;
        while i < (k & 7) {
            y = y.mul_add(0.75, 0.1);
            i += 1;
        }
        if flip { -y } else { y }
    }

    #[test]
    fn all_paths_of_a_kernel_give_the_same_bits() {
        let device = Device::from_env().expect("the tests need an OpenCL device (PoCL)");
        let plan = Sampling { points: 100_000, seed: 7 };
        let report = verify(&stepped::FUNCTION, Some(&device), plan).expect("every path runs");
        assert!(report.same(), "{report:?}");
        assert_eq!(report.points, 100_000);
        let paths: Vec<&str> = report.paths.iter().map(|p| p.0.as_str()).collect();
        for path in ["block baseline", UNIFORM, STRIDED, THREADS, DEVICE] {
            assert!(paths.contains(&path), "{path} is missing: {paths:?}");
        }
    }

    #[test]
    fn a_path_that_differs_is_counted_and_its_first_input_shown() {
        let (ins, expected) = ([Data::F64(vec![1.0, 2.0, 3.0])], [Data::F64(vec![0.0, f64::NAN, 5.0])]);
        let given = [Data::F64(vec![-0.0, -f64::NAN, 5.0])];
        let mut report = Report { kernel: "k", points: 0, paths: Vec::new(), first: None };
        record(&mut report, DEVICE, &ins, &expected, &given, 3);
        assert_eq!(report.paths, [(DEVICE.to_string(), 1)], "the sign of zero counts, a NaN's payload does not");
        let first = report.first.clone().expect("one differs");
        assert_eq!(first.input, ["1.0 (0x3ff0000000000000)"]);
        assert_eq!(
            (&first.expected[..], &first.given[..]),
            (&["0.0 (0x0000000000000000)".to_string()][..], &["-0.0 (0x8000000000000000)".to_string()][..])
        );
        assert!(!report.same());
    }

    #[test]
    fn branch_borders_are_found_in_the_text() {
        assert_eq!(
            hex_floats("if (x < 0x1.8p+0) y = -0x1p-1074 * 0x1.fffffffffffffp+1023 + 0xff"),
            [5e-324, 1.5, f64::MAX]
        );
        let mut inputs = Inputs::new("x < 0x1.8p+0", 3);
        let drawn: Vec<u64> = (0..20_000).map(|_| inputs.f64().to_bits()).collect();
        for ulps in 0..9 {
            assert!(drawn.contains(&(1.5f64.to_bits() + ulps - 4)), "{ulps}");
        }
    }
}
