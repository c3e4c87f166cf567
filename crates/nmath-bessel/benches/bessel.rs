//! `cargo bench -p gristmill-nmath-bessel`: ns per element on one thread against libRmath, which is opened at run time; arrays of 4096
//! with one order for all and with an order for each, and single calls. The figures to read are the ratios of one run.
#![allow(missing_docs)]

use gristmill_kernel::{Column, ColumnMut, Function, Level};
use gristmill_nmath_bessel::{bessel_i, bessel_j, bessel_k, bessel_y};
use libloading::{Library, Symbol};
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 4096;

/// Least and largest argument, least and largest order.
const CASES: &[(f64, f64, f64, f64)] = &[
    (0.0, 1.0, 0.0, 2.0),
    (0.0, 10.0, 0.0, 0.0),
    (0.0, 20.0, 0.0, 5.0),
    (0.0, 50.0, 2.5, 2.5),
    (1.0, 8.0, 0.3, 0.3),
    (8.0, 23.0, 0.3, 0.3),
    (5.0, 60.0, 7.25, 7.25),
    (0.0, 100.0, 0.0, 40.0),
    (10.0, 25.0, 20.0, 20.0),
    (20.0, 60.0, 30.0, 30.0),
    (50.0, 150.0, 100.0, 100.0),
    (100.0, 1000.0, 0.0, 0.0),
    (100.0, 1000.0, 3.3, 3.3),
    (1000.0, 10_000.0, 1.0, 1.0),
    (0.0, 2000.0, 0.0, 1000.0),
];

enum Peer<'l> {
    Two(Symbol<'l, extern "C" fn(f64, f64) -> f64>),
    Three(Symbol<'l, extern "C" fn(f64, f64, f64) -> f64>),
}

impl Peer<'_> {
    fn call(&self, x: f64, nu: f64) -> f64 {
        match self {
            Peer::Two(f) => f(x, nu),
            Peer::Three(f) => f(x, nu, 2.0),
        }
    }
}

/// The least time of `rounds` runs, in ns per element.
fn least(rounds: usize, mut run: impl FnMut()) -> f64 {
    let one = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / COUNT as f64
    };
    (0..rounds).map(|_| one(&mut run)).fold(f64::INFINITY, f64::min)
}

fn single(name: &str, x: f64, nu: f64) -> f64 {
    match name {
        "bessel_i" => bessel_i(x, nu, 2.0),
        "bessel_j" => bessel_j(x, nu),
        "bessel_k" => bessel_k(x, nu, 2.0),
        _ => bessel_y(x, nu),
    }
}

fn main() {
    // SAFETY: libRmath's initialisers do nothing, and the signatures are those of Rmath.h.
    let library = unsafe { Library::new("libRmath.so.1") }.or_else(|_| unsafe { Library::new("libRmath.so") });
    let functions: [(Function, bool); 4] = [
        (bessel_i::FUNCTION, true),
        (bessel_j::FUNCTION, false),
        (bessel_k::FUNCTION, true),
        (bessel_y::FUNCTION, false),
    ];
    println!("function  x from..to            nu from..to        array   single        R   R/array  R/single");
    for (function, scaled) in functions {
        let name = function.name();
        let peer = library.as_ref().ok().and_then(|l| {
            // SAFETY: as above.
            unsafe {
                if scaled {
                    l.get(name.as_bytes()).ok().map(Peer::Three)
                } else {
                    l.get(name.as_bytes()).ok().map(Peer::Two)
                }
            }
        });
        for &(x0, x1, nu0, nu1) in CASES {
            // Weyl's sequences: evenly spread, no order
            let unit = |i: usize, step: f64| (i as f64 * step + 0.5 * step).fract();
            let x: Vec<f64> = (0..COUNT).map(|i| x0 + (x1 - x0) * unit(i, 0.618_033_988_749_894_9)).collect();
            let mut nu: Vec<f64> = (0..COUNT).map(|i| nu0 + (nu1 - nu0) * unit(i, 0.414_213_562_373_095_05)).collect();
            if nu0 == nu1 {
                nu.truncate(1);
            }
            let of = |i: usize| nu[if nu.len() == 1 { 0 } else { i }];
            let mut out = vec![0.0; COUNT];
            let array = least(20, || {
                let expo = [2.0];
                let mut ins = vec![Column::F64(&x), Column::F64(&nu)];
                if scaled {
                    ins.push(Column::F64(&expo));
                }
                function.map_on(Level::best(), &ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
            });
            let alone = least(10, || {
                for (i, &x) in x.iter().enumerate() {
                    black_box(single(name, black_box(x), of(i)));
                }
            });
            let theirs = peer.as_ref().map_or(f64::NAN, |p| {
                least(5, || {
                    for (i, &x) in x.iter().enumerate() {
                        black_box(p.call(black_box(x), of(i)));
                    }
                })
            });
            println!(
                "{name}  {x0:8.1}..{x1:8.1}  {nu0:8.2}..{nu1:8.2}  {array:8.1} {alone:8.1} {theirs:8.1}  {:8.2}  {:8.2}",
                theirs / array,
                theirs / alone
            );
        }
    }
}
