//! What the lowerings cost: one call, block loop, uniform parameters hoisted. Figures are ns per element, minima of one run.
#![allow(missing_docs)]

#[path = "../tests/it/demo.rs"]
#[allow(dead_code, unreachable_pub)]
mod demo;
#[path = "../tests/it/shapes.rs"]
#[allow(dead_code, unreachable_pub)]
mod shapes;

use gristmill_kernel::{Column, ColumnMut, Function, Level};
use std::hint::black_box;
use std::time::Instant;

const N: usize = 4096;

fn time(mut f: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..8 {
            f();
        }
        best = best.min(start.elapsed().as_secs_f64() / (8 * N) as f64);
    }
    best * 1e9
}

fn block(f: &Function, level: Level, ins: &[Column<'_>]) -> f64 {
    let mut y = vec![0.0; N];
    time(|| f.map_on(level, black_box(ins), &mut [ColumnMut::F64(&mut y)]).expect("the columns fit"))
}

fn main() {
    let x: Vec<f64> = (0..N).map(|i| (i as f64 - 2048.0) * 0.005).collect();
    let ones = vec![1.5; N];
    let mut y = vec![0.0; N];
    let libm = time(|| {
        for (y, x) in black_box(&mut y).iter_mut().zip(black_box(&x)) {
            *y = x.exp();
        }
    });
    let call = time(|| {
        for (y, x) in black_box(&mut y).iter_mut().zip(black_box(&x)) {
            *y = demo::exp(*x);
        }
    });
    let base = time(|| {
        for (y, x) in black_box(&mut y).iter_mut().zip(black_box(&x)) {
            *y = demo::exp::base(*x);
        }
    });
    println!("exp: libm {libm:.2}, call {call:.2}, call without FMA {base:.2}");
    println!("exp: block {:.2}", block(&demo::exp::FUNCTION, Level::best(), &[Column::F64(&x)]));
    let (one, no) = ([1.5], [false]);
    let uniform = [Column::F64(&x), Column::F64(&one), Column::F64(&one), Column::Bool(&no)];
    let varying = [Column::F64(&x), Column::F64(&ones), Column::F64(&ones), Column::Bool(&no)];
    for f in [demo::dnorm::FUNCTION, shapes::split_kernel::FUNCTION, shapes::split_masked::FUNCTION] {
        let (u, v) = (block(&f, Level::best(), &uniform), block(&f, Level::best(), &varying));
        println!("{}: block, uniform parameters {u:.2}, varying {v:.2}", f.name());
    }
    let masked = [Column::F64(&x), Column::F64(&ones)];
    println!("masked_kernel: block {:.2}", block(&shapes::masked_kernel::FUNCTION, Level::best(), &masked));
}
