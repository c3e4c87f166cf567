//! Columns of random values that favour the corners, and runs of a function over them.

use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_kernel_lang::interp::{Module, RunError, Val};

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
}

const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    5e-324,
    f64::MAX,
    2147483648.0,
    -9.3e18,
    1.8446744073709552e19,
    4503599627370497.5,
    -2.5,
];
const INTS: [i64; 12] = [0, 1, -1, 2, i64::MAX, i64::MIN, i32::MAX as i64, i32::MIN as i64, 63, 64, u32::MAX as i64, 7];

/// A column of values.
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

/// As `each`, of types that operands have: `usize` is not one of them.
macro_rules! each_operand {
    ($data:expr, $v:ident => $e:expr) => {
        match $data {
            Data::F64($v) => $e,
            Data::F32($v) => $e,
            Data::I32($v) => $e,
            Data::I64($v) => $e,
            Data::U32($v) => $e,
            Data::U64($v) => $e,
            Data::Bool($v) => $e,
            Data::Usize(_) => unreachable!("a row of u64"),
        }
    };
}

impl Data {
    pub fn random(scalar: Scalar, n: usize, rng: &mut Rng) -> Data {
        let float = |rng: &mut Rng| match rng.below(4) {
            0 => FLOATS[rng.below(16) as usize],
            1 => f64::from_bits(rng.word()),
            2 => rng.below(20) as f64 - 10.0,
            _ => (rng.word() >> 11) as f64 / (1u64 << 50) as f64 - 4.0,
        };
        let int = |rng: &mut Rng| match rng.below(3) {
            0 => INTS[rng.below(12) as usize],
            1 => rng.word() as i64,
            _ => rng.below(40) as i64 - 20,
        };
        match scalar {
            Scalar::F64 => Data::F64((0..n).map(|_| float(rng)).collect()),
            Scalar::F32 => Data::F32((0..n).map(|_| float(rng) as f32).collect()),
            Scalar::I32 => Data::I32((0..n).map(|_| int(rng) as i32).collect()),
            Scalar::I64 => Data::I64((0..n).map(|_| int(rng)).collect()),
            Scalar::U32 => Data::U32((0..n).map(|_| int(rng) as u32).collect()),
            Scalar::U64 => Data::U64((0..n).map(|_| int(rng) as u64).collect()),
            Scalar::Usize => Data::Usize((0..n).map(|_| int(rng) as usize).collect()),
            Scalar::Bool => Data::Bool((0..n).map(|_| rng.below(2) == 1).collect()),
        }
    }

    pub fn zeros(scalar: Scalar, n: usize) -> Data {
        match scalar {
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

    pub fn column(&self) -> Column<'_> {
        each!(self, v => Column::from(&v[..]))
    }

    pub fn column_mut(&mut self) -> ColumnMut<'_> {
        each!(self, v => ColumnMut::from(&mut v[..]))
    }

    pub fn part(&self, start: usize, len: usize) -> Data {
        let mut d = self.clone();
        each!(&mut d, v => if v.len() > 1 { *v = v[start..start + len].to_vec() });
        d
    }

    pub fn first(&self) -> Data {
        let mut d = self.clone();
        each!(&mut d, v => v.truncate(1));
        d
    }

    /// What [`Data::with_gaps`] made as an operand; `one`: one value for all.
    fn operand(&self, one: bool, n: usize) -> Operand<'_> {
        each_operand!(self, v => match one {
            true => Operand::repeat(&v[0]),
            false => Operand::strided(v, 2 * n - 1, -2, n).expect("inside"),
        })
    }

    /// Backwards, each value twice.
    fn with_gaps(&self) -> Data {
        let mut d = match self {
            Data::Usize(v) => Data::U64(v.iter().map(|x| *x as u64).collect()),
            other => other.clone(),
        };
        each!(&mut d, v => *v = v.iter().rev().flat_map(|x| [*x, *x]).collect());
        d
    }

    pub fn len(&self) -> usize {
        each!(self, v => v.len())
    }

    /// Element `i` as bits; all NaNs are one.
    pub fn bits(&self, i: usize) -> u64 {
        match self {
            Data::F64(v) if v[i].is_nan() => u64::MAX,
            Data::F64(v) => v[i].to_bits(),
            Data::F32(v) if v[i].is_nan() => u64::MAX,
            Data::F32(v) => v[i].to_bits().into(),
            Data::I32(v) => v[i] as u64,
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

    fn value(&self, i: usize) -> Val {
        let i = if self.len() == 1 { 0 } else { i };
        match self {
            Data::F64(v) => Val::F64(v[i]),
            Data::F32(v) => Val::F32(v[i]),
            Data::I32(v) => Val::I32(v[i]),
            Data::I64(v) => Val::I64(v[i]),
            Data::U32(v) => Val::U32(v[i]),
            Data::U64(v) => Val::U64(v[i]),
            Data::Usize(v) => Val::Usize(v[i] as u64),
            Data::Bool(v) => Val::Bool(v[i]),
        }
    }

    fn put(&mut self, i: usize, value: Val) {
        match (self, value) {
            (Data::F64(d), Val::F64(v)) => d[i] = v,
            (Data::F32(d), Val::F32(v)) => d[i] = v,
            (Data::I32(d), Val::I32(v)) => d[i] = v,
            (Data::I64(d), Val::I64(v)) => d[i] = v,
            (Data::U32(d), Val::U32(v)) => d[i] = v,
            (Data::U64(d), Val::U64(v)) => d[i] = v,
            (Data::Usize(d), Val::Usize(v)) => d[i] = v as usize,
            (Data::Bool(d), Val::Bool(v)) => d[i] = v,
            (d, v) => panic!("{v:?} does not fit {d:?}"),
        }
    }
}

pub fn by_interpreter(module: &Module, f: &Function, ins: &[Data], n: usize) -> Result<Vec<Data>, RunError> {
    let mut outs: Vec<Data> = f.results().into_iter().map(|r| Data::zeros(r, n)).collect();
    for i in 0..n {
        match module.call(f.name(), ins.iter().map(|d| d.value(i)).collect(), 1_000_000)? {
            Val::Tuple(items) => outs.iter_mut().zip(items).for_each(|(d, v)| d.put(i, v)),
            v => outs[0].put(i, v),
        }
    }
    Ok(outs)
}

pub fn by_block(f: &Function, ins: &[Data], n: usize) -> Vec<Data> {
    let columns: Vec<Column<'_>> = ins.iter().map(Data::column).collect();
    let mut outs: Vec<Data> = f.results().into_iter().map(|r| Data::zeros(r, n)).collect();
    let mut places: Vec<ColumnMut<'_>> = outs.iter_mut().map(Data::column_mut).collect();
    f.map(&columns, &mut places).expect("the columns fit");
    drop(places);
    outs
}

pub fn by_single(f: &Function, ins: &[Data], n: usize) -> Vec<Data> {
    let columns: Vec<Column<'_>> = ins.iter().map(Data::column).collect();
    let mut outs: Vec<Data> = f.results().into_iter().map(|r| Data::zeros(r, n)).collect();
    let mut places: Vec<ColumnMut<'_>> = outs.iter_mut().map(Data::column_mut).collect();
    for i in 0..n {
        f.call_at(Level::best(), &columns, &mut places, i).expect("the columns fit");
    }
    drop(places);
    outs
}

/// By a strided ckernel over operands with gaps; `None`: it has several results.
pub fn by_strided(f: &Function, ins: &[Data], n: usize) -> Option<Vec<Data>> {
    let kernel = f.deferred().ok()?.instantiate(KernelRequest::Strided).expect("builtin types");
    // Every second place, from the end on.
    let wide: Vec<Data> = ins.iter().map(Data::with_gaps).collect();
    let operands: Vec<Operand<'_>> = wide.iter().zip(ins).map(|(w, d)| w.operand(d.len() == 1 && n > 1, n)).collect();
    let scalar = f.results()[0];
    let mut out = Data::zeros(if scalar == Scalar::Usize { Scalar::U64 } else { scalar }, 3 * n);
    let to = each_operand!(&mut out, v => OperandMut::strided(v, 1, 3, n).expect("inside"));
    kernel.run(to, &operands).expect("it runs");
    let mut dense = Data::zeros(scalar, n);
    for i in 0..n {
        dense.put(
            i,
            match out.value(3 * i + 1) {
                Val::U64(x) if scalar == Scalar::Usize => Val::Usize(x),
                value => value,
            },
        );
    }
    Some(vec![dense])
}

/// The first element where two paths differ.
pub fn difference(ins: &[Data], a: &[Data], b: &[Data], n: usize) -> Option<String> {
    let i = (0..n).find(|&i| a.iter().zip(b).any(|(x, y)| x.bits(i) != y.bits(i)))?;
    let show = |d: &[Data]| d.iter().map(|d| d.show(if d.len() == 1 { 0 } else { i })).collect::<Vec<_>>().join(", ");
    Some(format!("element {i}: f({}) = ({}) or ({})", show(ins), show(a), show(b)))
}

/// Every path of a function against the interpreter; gives how many results were compared, or the first difference.
pub fn judge(module: &Module, f: &Function, rng: &mut Rng, n: usize) -> Result<usize, String> {
    let ins: Vec<Data> = f.params().map(|(_, scalar)| Data::random(scalar, n, rng)).collect();
    let Ok(expected) = by_interpreter(module, f, &ins, n) else { return Ok(0) };
    let mut compared = 0;
    let mut check = |what: &str, ins: &[Data], expected: &[Data], given: &[Data], n: usize| {
        compared += n;
        difference(ins, expected, given, n).map_or(Ok(()), |d| Err(format!("{}: interpreter or {what}: {d}", f.name())))
    };
    check("single", &ins, &expected, &by_single(f, &ins, n), n)?;
    check("block", &ins, &expected, &by_block(f, &ins, n), n)?;
    if let Some(strided) = by_strided(f, &ins, n) {
        check("strided", &ins, &expected, &strided, n)?;
    }
    for len in 1..=9.min(n) {
        let start = rng.below((n - len + 1) as u64) as usize;
        let part = |d: &Data| d.part(start, len);
        let (ins, expected): (Vec<Data>, Vec<Data>) =
            (ins.iter().map(part).collect(), expected.iter().map(part).collect());
        check(&format!("block of {len}"), &ins, &expected, &by_block(f, &ins, len), len)?;
    }
    for _ in 0..2 {
        let mask = rng.word();
        let some = |(k, d): (usize, &Data)| if mask >> (20 + k) & 1 == 1 { d.first() } else { d.clone() };
        let ins: Vec<Data> = ins.iter().enumerate().map(some).collect();
        let Ok(expected) = by_interpreter(module, f, &ins, n) else { continue };
        check("block, some uniform", &ins, &expected, &by_block(f, &ins, n), n)?;
    }
    Ok(compared)
}
