//! ns per call of blocks and of single calls against libRmath, in one run: `cargo run --release --example against_rmath`. Read the ratios.
#![allow(missing_docs)]

use gristmill_kernel::native::Level;
use gristmill_kernel::{Column, ColumnMut};
use gristmill_nmath_noncentral::KERNELS;
use libloading::Library;
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 200;

type R2 = unsafe extern "C" fn(f64, f64, f64, i32) -> f64;
type R2Tail = unsafe extern "C" fn(f64, f64, f64, i32, i32) -> f64;
type R3 = unsafe extern "C" fn(f64, f64, f64, f64, i32) -> f64;
type R3Tail = unsafe extern "C" fn(f64, f64, f64, f64, i32, i32) -> f64;

fn nanoseconds(mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / COUNT as f64
    };
    (0..5).map(|_| once(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() {
    // SAFETY: libRmath has no constructor with conditions.
    let library = unsafe { Library::new("libRmath.so") }.expect("libRmath.so is installed");
    println!("function parameters: ns block, ns single, ns libRmath, ratios block and single");
    let cases: &[(&str, &[f64])] = &[
        ("nchisq", &[5.0, 3.0]),
        ("nchisq", &[5.0, 50.0]),
        ("nchisq", &[40.0, 300.0]),
        ("nchisq", &[10.0, 1e4]),
        ("nbeta", &[3.0, 5.0, 3.0]),
        ("nbeta", &[3.0, 5.0, 40.0]),
        ("nbeta", &[20.0, 30.0, 2000.0]),
        ("nf", &[6.0, 10.0, 3.0]),
        ("nf", &[6.0, 10.0, 40.0]),
        ("nf", &[40.0, 60.0, 2000.0]),
    ];
    for (family, parameters) in cases {
        let kernel = |kind: &str| {
            let name = format!("{kind}{family}");
            *KERNELS.iter().find(|f| f.name() == name).expect("a kernel")
        };
        let p: Vec<f64> = (0..COUNT).map(|i| (i as f64 + 0.5) / COUNT as f64).collect();
        let mut x = vec![0.0; COUNT];
        for kind in ["q", "p", "d"] {
            let f = kernel(kind);
            let first = if kind == "q" { p.clone() } else { x.clone() };
            let mut ins: Vec<Column<'_>> = vec![Column::F64(&first)];
            ins.extend(parameters.iter().map(|v| Column::F64(std::slice::from_ref(v))));
            if kind != "d" {
                ins.push(Column::Bool(&[true]));
            }
            ins.push(Column::Bool(&[false]));
            let mut out = vec![0.0; COUNT];
            let block = nanoseconds(|| f.map_on(Level::best(), &ins, &mut [ColumnMut::F64(&mut out)]).expect("fits"));
            let single = nanoseconds(|| {
                for i in 0..COUNT {
                    f.call_at(Level::best(), &ins, &mut [ColumnMut::F64(&mut out)], i).expect("fits");
                }
            });
            let name = format!("{kind}{family}");
            // SAFETY: the signatures are those of Rmath.h.
            let r = unsafe {
                let a = parameters;
                match (a.len(), kind) {
                    (2, "d") => {
                        let g = library.get::<R2>(name.as_bytes()).expect("a function");
                        nanoseconds(|| {
                            first.iter().for_each(|x| {
                                black_box(g(*x, a[0], a[1], 0));
                            })
                        })
                    }
                    (2, _) => {
                        let g = library.get::<R2Tail>(name.as_bytes()).expect("a function");
                        nanoseconds(|| {
                            first.iter().for_each(|x| {
                                black_box(g(*x, a[0], a[1], 1, 0));
                            })
                        })
                    }
                    (_, "d") => {
                        let g = library.get::<R3>(name.as_bytes()).expect("a function");
                        nanoseconds(|| {
                            first.iter().for_each(|x| {
                                black_box(g(*x, a[0], a[1], a[2], 0));
                            })
                        })
                    }
                    _ => {
                        let g = library.get::<R3Tail>(name.as_bytes()).expect("a function");
                        nanoseconds(|| {
                            first.iter().for_each(|x| {
                                black_box(g(*x, a[0], a[1], a[2], 1, 0));
                            })
                        })
                    }
                }
            };
            println!("{name} {parameters:?}: {block:.0} {single:.0} {r:.0}  {:.1} {:.1}", r / block, r / single);
            if kind == "q" {
                x.clone_from(&out);
            }
        }
    }
}
