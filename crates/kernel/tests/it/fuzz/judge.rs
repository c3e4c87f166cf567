//! Three judges over random programs: native code, the interpreter, the device.

use crate::data::{Data, Rng};
use gristmill_kernel::Scalar;
use gristmill_kernel_lang::interp::{Module, RunError, Val};
use gristmill_kernel_lang::ir::{Func, Ty};

pub fn scalar(ty: &Ty) -> Scalar {
    match ty {
        Ty::F64 => Scalar::F64,
        Ty::F32 => Scalar::F32,
        Ty::I32 => Scalar::I32,
        Ty::I64 => Scalar::I64,
        Ty::U32 => Scalar::U32,
        Ty::U64 => Scalar::U64,
        Ty::Usize => Scalar::Usize,
        Ty::Bool => Scalar::Bool,
        other => panic!("`{}` is no scalar", other.spell()),
    }
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
        (Data::Bool(d), Val::Bool(v)) => d[i] = v,
        (d, v) => panic!("{v:?} does not fit {d:?}"),
    }
}

/// Inputs in which zeros and NaN meet often.
pub fn inputs(f: &Func, rng: &mut Rng, n: usize) -> Vec<Data> {
    let mut ins: Vec<Data> = f.params.iter().map(|p| rng.column(scalar(&p.ty), n)).collect();
    for i in 0..n / 4 {
        let zeros = [0.0, -0.0, f64::NAN];
        for d in &mut ins {
            if let Data::F64(v) = d {
                v[i] = zeros[rng.below(3) as usize];
            }
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

/// The first element where two judges differ.
pub fn difference(ins: &[Data], a: &[Data], b: &[Data], n: usize) -> Option<String> {
    (0..n).find(|&i| a.iter().zip(b).any(|(x, y)| x.bits(i) != y.bits(i))).map(|i| {
        let show = |d: &[Data]| d.iter().map(|d| d.show(i)).collect::<Vec<_>>().join(", ");
        format!("f({}) = ({}) or ({})", show(ins), show(a), show(b))
    })
}
