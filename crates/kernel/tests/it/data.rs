//! Owned columns, random inputs that favour the corners, and runs on an OpenCL device.

use gristmill_cl_runtime::{Arg, Device, Launch};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_kernel_cl::Assembly;

/// An owned column.
#[derive(Debug, Clone)]
pub enum Data {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Usize(Vec<usize>),
    Bool(Vec<bool>),
}

macro_rules! each {
    ($data:expr, $v:ident => $e:expr) => {
        match $data {
            Data::F64($v) => $e,
            Data::F32($v) => $e,
            Data::I32($v) => $e,
            Data::I64($v) => $e,
            Data::U32($v) => $e,
            Data::U64($v) => $e,
            Data::Usize($v) => $e,
            Data::Bool($v) => $e,
        }
    };
}

impl Data {
    pub fn zeros(ty: Scalar, n: usize) -> Data {
        match ty {
            Scalar::F64 => Data::F64(vec![0.0; n]),
            Scalar::F32 => Data::F32(vec![0.0; n]),
            Scalar::I32 => Data::I32(vec![0; n]),
            Scalar::I64 => Data::I64(vec![0; n]),
            Scalar::U32 => Data::U32(vec![0; n]),
            Scalar::U64 => Data::U64(vec![0; n]),
            Scalar::Usize => Data::Usize(vec![0; n]),
            Scalar::Bool => Data::Bool(vec![false; n]),
        }
    }

    pub fn len(&self) -> usize {
        each!(self, v => v.len())
    }

    pub fn column(&self) -> Column<'_> {
        each!(self, v => Column::from(&v[..]))
    }

    pub fn column_mut(&mut self) -> ColumnMut<'_> {
        each!(self, v => ColumnMut::from(&mut v[..]))
    }

    /// The first value only.
    pub fn first(&self) -> Data {
        let mut d = self.clone();
        each!(&mut d, v => v.truncate(1));
        d
    }

    /// The first value everywhere.
    pub fn repeated(&self) -> Data {
        let mut d = self.clone();
        each!(&mut d, v => { let x = v[0]; v.fill(x); });
        d
    }

    /// `len` values from `start` on.
    pub fn part(&self, start: usize, len: usize) -> Data {
        let mut d = self.clone();
        each!(&mut d, v => *v = v[start..start + len].to_vec());
        d
    }

    /// Element `to` becomes what `from` is.
    pub fn copy_within(&mut self, from: usize, to: usize) {
        each!(self, v => v[to] = v[from]);
    }

    /// Element `i` as bits; all NaNs are one.
    pub fn bits(&self, i: usize) -> u64 {
        match self {
            Data::F64(v) if v[i].is_nan() => f64::NAN.to_bits(),
            Data::F64(v) => v[i].to_bits(),
            Data::F32(v) if v[i].is_nan() => f32::NAN.to_bits().into(),
            Data::F32(v) => v[i].to_bits().into(),
            Data::I32(v) => v[i] as u32 as u64,
            Data::I64(v) => v[i] as u64,
            Data::U32(v) => v[i].into(),
            Data::U64(v) => v[i],
            Data::Usize(v) => v[i] as u64,
            Data::Bool(v) => v[i].into(),
        }
    }

    pub fn show(&self, i: usize) -> String {
        each!(self, v => format!("{:?}", v[i]))
    }
}

/// xorshift64*: inputs for tests.
pub struct Rng(pub u64);

impl Rng {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.word() >> 11) % n
    }

    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    pub fn f64(&mut self) -> f64 {
        const EDGES: &[f64] = &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            -5e-324,
            2.225073858507201e-308,
            709.782712893384,
            709.7827128933841,
            -745.1332191019411,
            -745.1332191019412,
            2147483647.0,
            2147483647.5,
            2147483648.0,
            -2147483648.0,
            -2147483649.0,
            4294967295.5,
            4294967296.0,
            9223372036854775807.0,
            -9223372036854775808.0,
            18446744073709551615.0,
            18446744073709549568.0,
            0.49999999999999994,
            1.5,
            2.5,
            -0.5,
            -1.5,
            4503599627370496.5,
            std::f64::consts::FRAC_1_SQRT_2,
            std::f64::consts::SQRT_2,
        ];
        let edge = |r: &mut Rng| EDGES[r.below(EDGES.len() as u64) as usize];
        match self.below(10) {
            // Zeros and NaN often, so that two arguments meet in them.
            0 => [0.0, -0.0, f64::NAN][self.below(3) as usize],
            1 | 2 => edge(self),
            3 => f64::from_bits(edge(self).to_bits().wrapping_add(self.below(9)).wrapping_sub(4)),
            4 | 5 => f64::from_bits(self.word()),
            6 => f64::from_bits(self.word() & 0x800f_ffff_ffff_ffff), // subnormals
            7 => (self.unit() - 0.5) * 1600.0,
            8 => (self.unit() - 0.5) * 8.0,
            _ => self.below(200) as f64 / 4.0 - 10.0,
        }
    }

    fn f32(&mut self) -> f32 {
        // Subnormal f32 are left out: OpenCL lets a device flush them (docs/kernel-language.md#f32).
        let x = if self.below(3) == 0 { f32::from_bits(self.word() as u32) } else { self.f64() as f32 };
        if x.is_subnormal() { 0.0 } else { x }
    }

    fn int(&mut self) -> u64 {
        const EDGES: [u64; 8] =
            [0, 1, u64::MAX, i32::MAX as u64, i32::MIN as u64, u32::MAX as u64, i64::MAX as u64, i64::MIN as u64];
        match self.below(4) {
            0 => self.below(64).wrapping_sub(16),
            1 => EDGES[self.below(8) as usize],
            _ => self.word(),
        }
    }

    pub fn column(&mut self, ty: Scalar, n: usize) -> Data {
        match ty {
            Scalar::F64 => Data::F64((0..n).map(|_| self.f64()).collect()),
            Scalar::F32 => Data::F32((0..n).map(|_| self.f32()).collect()),
            Scalar::I32 => Data::I32((0..n).map(|_| self.int() as i32).collect()),
            Scalar::I64 => Data::I64((0..n).map(|_| self.int() as i64).collect()),
            Scalar::U32 => Data::U32((0..n).map(|_| self.int() as u32).collect()),
            Scalar::U64 => Data::U64((0..n).map(|_| self.int()).collect()),
            Scalar::Usize => Data::Usize((0..n).map(|_| self.int() as usize).collect()),
            Scalar::Bool => Data::Bool((0..n).map(|_| self.below(2) == 1).collect()),
        }
    }
}

/// One call for each element.
pub fn by_single(f: &Function, level: Level, ins: &[Data], n: usize) -> Vec<Data> {
    let columns: Vec<Column> = ins.iter().map(Data::column).collect();
    let mut outs: Vec<Data> = f.results().iter().map(|r| Data::zeros(*r, n)).collect();
    let mut places: Vec<ColumnMut> = outs.iter_mut().map(Data::column_mut).collect();
    for i in 0..n {
        f.call_at(level, &columns, &mut places, i).expect("the columns fit");
    }
    outs
}

/// The block loop.
pub fn by_block(f: &Function, level: Level, ins: &[Data], n: usize) -> Vec<Data> {
    let columns: Vec<Column> = ins.iter().map(Data::column).collect();
    let mut outs: Vec<Data> = f.results().iter().map(|r| Data::zeros(*r, n)).collect();
    let mut places: Vec<ColumnMut> = outs.iter_mut().map(Data::column_mut).collect();
    f.map_on(level, &columns, &mut places).expect("the columns fit");
    outs
}

/// Inputs as a device wants them: usize as u64, bool as one byte.
pub enum Host {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    U8(Vec<u8>),
}

impl Host {
    pub fn new(d: &Data) -> Host {
        match d.clone() {
            Data::F64(v) => Host::F64(v),
            Data::F32(v) => Host::F32(v),
            Data::I32(v) => Host::I32(v),
            Data::I64(v) => Host::I64(v),
            Data::U32(v) => Host::U32(v),
            Data::U64(v) => Host::U64(v),
            Data::Usize(v) => Host::U64(v.into_iter().map(|x| x as u64).collect()),
            Data::Bool(v) => Host::U8(v.into_iter().map(u8::from).collect()),
        }
    }

    pub fn arg(&mut self, output: bool) -> Arg<'_> {
        macro_rules! arms {
            ($($v:ident)*) => { match self {
                $(Host::$v(v) => if output { Arg::output(v) } else { Arg::input(v) },)*
            } };
        }
        arms!(F64 F32 I32 I64 U32 U64 U8)
    }

    pub fn data(self, ty: Scalar) -> Data {
        match (self, ty) {
            (Host::U64(v), Scalar::Usize) => Data::Usize(v.into_iter().map(|x| x as usize).collect()),
            (Host::U8(v), _) => Data::Bool(v.into_iter().map(|x| x != 0).collect()),
            (Host::F64(v), _) => Data::F64(v),
            (Host::F32(v), _) => Data::F32(v),
            (Host::I32(v), _) => Data::I32(v),
            (Host::I64(v), _) => Data::I64(v),
            (Host::U32(v), _) => Data::U32(v),
            (Host::U64(v), _) => Data::U64(v),
        }
    }
}

/// A program with an elementwise entry point for each function.
pub struct OnDevice {
    program: gristmill_cl_runtime::Program,
    entries: Vec<String>,
}

impl OnDevice {
    pub fn build(functions: &[Function]) -> OnDevice {
        let mut assembly = Assembly::new();
        let entries = functions.iter().map(|f| assembly.add_map(f.shard())).collect();
        let device = Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`");
        let program = device.build(&assembly.text(), "").unwrap_or_else(|e| panic!("{e}\n{}", assembly.text()));
        OnDevice { program, entries }
    }

    /// Runs function `k` of the list.
    pub fn run(&self, k: usize, f: &Function, ins: &[Data], n: usize) -> Vec<Data> {
        let kernel = self.program.kernel(&self.entries[k]).expect("it is there");
        let mut hosts: Vec<Host> = ins.iter().map(Host::new).collect();
        let strides: Vec<i64> = ins.iter().map(|d| i64::from(d.len() == n)).collect();
        let types = f.results();
        let mut outs: Vec<Host> = types.iter().map(|r| Host::new(&Data::zeros(*r, n))).collect();
        let mut args = vec![Arg::value(n as u64)];
        for (h, s) in hosts.iter_mut().zip(strides) {
            args.push(h.arg(false));
            args.push(Arg::value(s));
        }
        args.extend(outs.iter_mut().map(|h| h.arg(true)));
        kernel.run_guarded_once(&Launch::linear(n), &mut args).expect("it runs");
        outs.into_iter().zip(types).map(|(h, ty)| h.data(ty)).collect()
    }
}

/// Fails with the first input whose results differ.
pub fn assert_same(f: &Function, what: &str, ins: &[Data], expected: &[Data], given: &[Data], n: usize) {
    for i in 0..n {
        for (a, b) in expected.iter().zip(given) {
            if a.bits(i) != b.bits(i) {
                let at = |d: &Data| if d.len() == 1 { 0 } else { i };
                let shown: Vec<String> = ins.iter().map(|d| d.show(at(d))).collect();
                panic!(
                    "{}({}): {what} gives {} ({:#x}), the scalar function {} ({:#x})",
                    f.name(),
                    shown.join(", "),
                    b.show(i),
                    b.bits(i),
                    a.show(i),
                    a.bits(i)
                );
            }
        }
    }
}

#[test]
fn a_typed_call_takes_slices_and_numbers_and_gives_the_bits_of_single_calls() {
    use crate::shapes::{dd_sum3, split_kernel};
    let x: Vec<f64> = (0..37).map(|i| 0.25 * f64::from(i) - 4.0).collect();
    let log = [true, false].repeat(19);
    let mut y = vec![0.0; x.len()];
    split_kernel::map((&x, 0.5, &x[..], &log[..37]), &mut y).expect("they fit");
    for i in 0..x.len() {
        assert_eq!(y[i].to_bits(), split_kernel(x[i], 0.5, x[i], log[i]).to_bits(), "{i}");
    }
    let (mut hi, mut lo) = ([0.0; 3], [0.0; 3]);
    dd_sum3::map((&[1.0, 2.0, f64::NAN], 1e-20, 3.0), (&mut hi, &mut lo)).expect("they fit");
    assert_eq!((hi[1], lo[1]), dd_sum3(2.0, 1e-20, 3.0));
    let error = split_kernel::map((&x, 0.5, &[1.0, 2.0], false), &mut y).expect_err("of two lengths");
    assert_eq!(error.to_string(), "`sd` of `split_kernel` has 2 values, but must have 37 or one");
}
