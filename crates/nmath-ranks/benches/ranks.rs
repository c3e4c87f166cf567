//! Nanoseconds of an element of an array of 10,000 and of a single call, against libRmath with its tables warm, at sizes of 50.
#![allow(missing_docs, unsafe_code)]

use gristmill_kernel::{Column, ColumnMut, Level};
use gristmill_nmath_ranks::KERNELS;
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 10_000;

fn nanoseconds(mut work: impl FnMut(), elements: usize) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        work();
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / elements as f64);
    }
    least
}

fn main() {
    // SAFETY: libRmath has no initialisers.
    let rmath = unsafe { libloading::Library::new("libRmath.so") }
        .or_else(|_| unsafe { libloading::Library::new("libRmath.so.1") })
        .expect("libRmath is installed");
    println!("function     array   single   libRmath   ratio of the array");
    for f in KERNELS {
        let name = f.name();
        let signed = name.ends_with("signrank");
        let last = if signed { 1275.0 } else { 2500.0 };
        let unit = |i: usize| (i as f64 + 0.5) / COUNT as f64;
        let first: Vec<f64> = match &name[..1] {
            "q" => (0..COUNT).map(unit).collect(),
            // the values that the statistic usually takes
            _ => (0..COUNT).map(|i| (last * (0.3 + 0.4 * unit(i * 7919 % COUNT))).floor()).collect(),
        };
        let (size, no, yes) = ([50.0], [false], [true]);
        let (seed, stream, index) = ([42u64], [0u32], (0..COUNT as u64).collect::<Vec<_>>());
        let mut ins = match &name[..1] {
            "r" => vec![Column::U64(&seed), Column::U32(&stream), Column::U64(&index)],
            _ => vec![Column::F64(&first)],
        };
        ins.push(Column::F64(&size));
        if !signed {
            ins.push(Column::F64(&size));
        }
        match &name[..1] {
            "d" => ins.push(Column::Bool(&no)),
            "r" => {}
            _ => ins.extend([Column::Bool(&yes), Column::Bool(&no)]),
        }
        let mut out = vec![0.0; COUNT];
        let array = nanoseconds(|| f.map(&ins, &mut [ColumnMut::F64(&mut out)]).expect("fits"), COUNT);
        let single = nanoseconds(
            || {
                for i in 0..100 {
                    f.call_at(Level::best(), &ins, &mut [ColumnMut::F64(&mut out)], i).expect("fits");
                }
            },
            100,
        );
        // SAFETY: the signatures of Rmath.h.
        let theirs = unsafe {
            type F1 = unsafe extern "C" fn(f64) -> f64;
            type F2 = unsafe extern "C" fn(f64, f64) -> f64;
            type D1 = unsafe extern "C" fn(f64, f64, i32) -> f64;
            type D2 = unsafe extern "C" fn(f64, f64, f64, i32) -> f64;
            type P1 = unsafe extern "C" fn(f64, f64, i32, i32) -> f64;
            type P2 = unsafe extern "C" fn(f64, f64, f64, i32, i32) -> f64;
            let n = 1000;
            let any = |call: &dyn Fn(f64) -> f64| {
                nanoseconds(
                    || {
                        for x in first.iter().step_by(COUNT / n) {
                            black_box(call(*x));
                        }
                    },
                    n,
                )
            };
            match (&name[..1], signed) {
                ("d", true) => {
                    let g = rmath.get::<D1>(name.as_bytes()).expect(name);
                    any(&|x| g(x, 50.0, 0))
                }
                ("d", false) => {
                    let g = rmath.get::<D2>(name.as_bytes()).expect(name);
                    any(&|x| g(x, 50.0, 50.0, 0))
                }
                ("r", true) => {
                    let g = rmath.get::<F1>(name.as_bytes()).expect(name);
                    any(&|_| g(50.0))
                }
                ("r", false) => {
                    let g = rmath.get::<F2>(name.as_bytes()).expect(name);
                    any(&|_| g(50.0, 50.0))
                }
                (_, true) => {
                    let g = rmath.get::<P1>(name.as_bytes()).expect(name);
                    any(&|x| g(x, 50.0, 1, 0))
                }
                (_, false) => {
                    let g = rmath.get::<P2>(name.as_bytes()).expect(name);
                    any(&|x| g(x, 50.0, 50.0, 1, 0))
                }
            }
        };
        println!("{name:<10} {array:>7.1} {single:>8.0} {theirs:>10.1} {:>8.1}", theirs / array);
    }
}
