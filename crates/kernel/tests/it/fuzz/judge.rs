//! Three judges over random programs: native code, the interpreter, the device.

use crate::data::{Data, OnDevice, Rng, by_block, by_single};
use gristmill_kernel::{Function, Level, Scalar};
use gristmill_kernel_lang::interp::{Module, RunError, Val};
use gristmill_kernel_lang::ir::{Func, Ty};

pub fn scalar(ty: &Ty) -> Scalar {
    ty.scalar().unwrap_or_else(|| panic!("`{}` is no scalar", ty.spell()))
}

pub fn results(f: &Func) -> Vec<Scalar> {
    match &f.ret {
        Ty::Tuple(items) => items.iter().map(scalar).collect(),
        ty => vec![scalar(ty)],
    }
}

fn value(d: &Data, i: usize) -> Val {
    match d {
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

fn put(d: &mut Data, i: usize, v: Val) {
    match (d, v) {
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

/// A quarter in which zeros and NaN meet often, a quarter in which neighbours are equal, so that they go the same way
/// together, and the rest without any pattern.
pub fn inputs(f: &Func, rng: &mut Rng, n: usize) -> Vec<Data> {
    let mut ins: Vec<Data> = f.params.iter().map(|p| rng.column(scalar(&p.ty), n)).collect();
    let zeros = [0.0, -0.0, f64::NAN];
    for d in &mut ins {
        if let Data::F64(v) = d {
            v[..n / 4].iter_mut().for_each(|x| *x = zeros[rng.below(3) as usize]);
        }
        for i in n / 4..n / 2 {
            d.copy_within(i & !31, i);
        }
    }
    ins
}

/// One call for each element.
pub fn interpret(module: &Module, name: &str, ins: &[Data], n: usize) -> Result<Vec<Data>, RunError> {
    let f = module.function(name).expect("it is there");
    let mut outs: Vec<Data> = results(f).iter().map(|r| Data::zeros(*r, n)).collect();
    for i in 0..n {
        let args = ins.iter().map(|d| value(d, i)).collect();
        match module.call(name, args, 1_000_000)? {
            Val::Tuple(items) => outs.iter_mut().zip(items).for_each(|(d, v)| put(d, i, v)),
            v => put(&mut outs[0], i, v),
        }
    }
    Ok(outs)
}

/// How many steps the interpreter takes for each element.
pub fn steps(module: &Module, name: &str, ins: &[Data], n: usize) -> Result<Vec<u64>, RunError> {
    (0..n)
        .map(|i| module.call_counted(name, ins.iter().map(|d| value(d, i)).collect(), 1_000_000).map(|r| r.1))
        .collect()
}

/// The first element where two judges differ.
pub fn difference(ins: &[Data], a: &[Data], b: &[Data], n: usize) -> Option<String> {
    (0..n).find(|&i| a.iter().zip(b).any(|(x, y)| x.bits(i) != y.bits(i))).map(|i| {
        let show = |d: &[Data]| d.iter().map(|d| d.show(i)).collect::<Vec<_>>().join(", ");
        format!("f({}) = ({}) or ({})", show(ins), show(a), show(b))
    })
}

/// Some arguments with one value for all elements: as a column of one, and as a column that repeats it.
fn some_uniform(ins: &[Data], rng: &mut Rng) -> (Vec<Data>, Vec<Data>) {
    let mask = rng.word();
    let pick = |uniform: fn(&Data) -> Data| -> Vec<Data> {
        let choose = |(i, d): (usize, &Data)| if mask >> (20 + i) & 1 == 1 { uniform(d) } else { d.clone() };
        ins.iter().enumerate().map(choose).collect()
    };
    (pick(Data::first), pick(Data::repeated))
}

/// What was compared, and what differed.
#[derive(Default)]
pub struct Verdict {
    /// Results compared with the interpreter's.
    pub compared: usize,
    pub differences: Vec<String>,
}

/// One kernel on every path against the interpreter: single calls and block loops of every instruction set, with all
/// arguments varying and with some of them uniform, blocks of every small length, and the device.
pub fn judge(
    module: &Module,
    (k, f): (usize, &Function),
    device: &OnDevice,
    rng: &mut Rng,
    n: usize,
    verdict: &mut Verdict,
) -> Result<(), RunError> {
    let func = module.function(f.name()).expect("the same text");
    let mut check = |what: &str, ins: &[Data], expected: &[Data], given: &[Data], n: usize| {
        verdict.compared += n;
        if let Some(first) = difference(ins, expected, given, n) {
            verdict.differences.push(format!("{}: interpreter or {what}: {first}", f.name()));
        }
    };
    let ins = inputs(func, rng, n);
    let expected = interpret(module, f.name(), &ins, n)?;
    check("device", &ins, &expected, &device.run(k, f, &ins, n), n);
    for level in Level::all() {
        let name = level.name();
        check(&format!("{name} single"), &ins, &expected, &by_single(f, level, &ins, n), n);
        check(&format!("{name} block"), &ins, &expected, &by_block(f, level, &ins, n), n);
        // The ends of blocks: every number of elements up to two vectors of the widest kind, from anywhere.
        for len in 1..=33.min(n) {
            let start = rng.below((n - len + 1) as u64) as usize;
            let part = |d: &Data| d.part(start, len);
            let (ins, expected): (Vec<Data>, Vec<Data>) =
                (ins.iter().map(part).collect(), expected.iter().map(part).collect());
            check(&format!("{name} block of {len}"), &ins, &expected, &by_block(f, level, &ins, len), len);
        }
    }
    for _ in 0..2 {
        let (short, long) = some_uniform(&ins, rng);
        let m = (n / 2).max(1);
        let part = |d: &Data| if d.len() == 1 { d.clone() } else { d.part(0, m) };
        let (short, long): (Vec<Data>, Vec<Data>) = (short.iter().map(part).collect(), long.iter().map(part).collect());
        let expected = interpret(module, f.name(), &long, m)?;
        for level in Level::all() {
            let what = format!("{} block, some uniform", level.name());
            check(&what, &long, &expected, &by_block(f, level, &short, m), m);
        }
        check("device, some uniform", &long, &expected, &device.run(k, f, &short, m), m);
    }
    Ok(())
}

/// The text of one function of a module, for reports.
pub fn text_of<'a>(module: &'a str, name: &str) -> &'a str {
    let Some(at) = module.find(&format!("fn {name}(")) else { return "" };
    let start = module[..at].rfind("#[kernel").unwrap_or(at);
    let end = module[at..].find("\n}\n").map_or(module.len(), |e| at + e + 3);
    &module[start..end]
}
