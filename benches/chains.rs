//! `cargo xtask bench chains`: chains of an expression as the engine runs them, steps over blocks that stay in the first cache, against
//! the same chain as one loop that is compiled at run time; ns per element on one thread, both into memory that is there, in one run.
//!
//! The results are compared bit by bit first. The ratio says what a compiled loop would gain: below 1 it is the faster one.
//! docs/expressions.md says what follows from it.
#![allow(missing_docs)]

use gristmill::engine::expr::parse;
use gristmill::engine::plan::{Bindings, bind};
use gristmill::engine::{Engine, InputColumn, ResultValues, Rows};
use gristmill::kernel::{Column, ColumnMut};
use gristmill::kernel_jit::KernelSource;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// What fits the second cache, and what does not.
const COUNTS: [usize; 2] = [16_384, 1_000_000];
const ROUNDS: usize = 15;

/// An expression of `x` and `z`, and the same as a function's body.
const CHAINS: [(&str, &str); 9] = [
    ("(x - 0.3) / 1.7", "(x - 0.3) / 1.7"),
    ("2.5 * x^2 + 1.5 * x + 0.5", "2.5 * (x * x) + 1.5 * x + 0.5"),
    ("x * z + x / (z * z + 1) - z", "x * z + x / (z * z + 1.0) - z"),
    (
        "((((((x + 1) * z + 2) * x + 3) * z + 4) * x + 5) * z + 6) * x + 7",
        "((((((x + 1.0) * z + 2.0) * x + 3.0) * z + 4.0) * x + 5.0) * z + 6.0) * x + 7.0",
    ),
    ("ifelse(x > 0, x * 2, -x)", "if x > 0.0 { x * 2.0 } else { -x }"),
    ("sqrt(abs(x * z)) + floor(x)", "(x * z).abs().sqrt() + x.floor()"),
    ("exp(-x * x / 2) * 0.4", "exp(-x * x / 2.0) * 0.4"),
    ("log(x * x + 1) - 0.5 * log(z * z + 2)", "log(x * x + 1.0) - 0.5 * log(z * z + 2.0)"),
    ("pnorm((x - 0.3) / 1.7) * 2 - 1", "pnorm((x - 0.3) / 1.7, 0.0, 1.0, true, false) * 2.0 - 1.0"),
];

/// Seconds of one call: the least of the rounds.
fn seconds(calls: usize, mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn column(count: usize, step: u64) -> Vec<f64> {
    let mut word = step;
    let mut next = || {
        word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (word >> 11) as f64 / (1u64 << 53) as f64 * 6.0 - 3.0
    };
    (0..count).map(|_| next()).collect()
}

fn main() {
    let engine = Engine::with_threads(1).expect("a thread");
    println!(
        "chain                                                              elements   steps  compiled   ratio  compiling, ms"
    );
    let mut faster = 0;
    for (expression, body) in CHAINS {
        let start = Instant::now();
        let text = format!("fn chain(x: f64, z: f64) -> f64 {{ {body} }}");
        let source = KernelSource::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let chain = source.function("chain").expect("it is there");
        let mut first = [0.0; 16];
        chain
            .map(&[Column::F64(&[1.0; 16]), Column::F64(&[2.0; 16])], &mut [ColumnMut::F64(&mut first)])
            .expect("it ends");
        let compiling = start.elapsed().as_secs_f64();
        let bindings = Bindings { columns: vec!["x".into(), "z".into()], ..Bindings::default() };
        let plan = bind(&[parse(expression).expect("an expression")], &bindings).expect("a plan");
        let prepared = engine.prepare(&Arc::new(plan), &[]).expect("kernels");
        for count in COUNTS {
            let (x, z) = (column(count, 7), column(count, 11));
            let columns = [&x, &z].map(|values| InputColumn { values, missing: None });
            let rows = Rows { count, first: 0, columns: &columns };
            let (mut results, mut compiled) = (Vec::new(), vec![0.0; count]);
            let mut steps = || engine.evaluate_into(&prepared, &rows, &mut results).expect("no kernel fails");
            let mut run = || {
                let out = &mut [ColumnMut::F64(black_box(&mut compiled))];
                chain.map(&[Column::F64(&x), Column::F64(&z)], out).expect("it ends");
            };
            steps();
            run();
            let calls = (1_000_000 / count).max(1);
            let mut best = [f64::INFINITY; 2];
            // In turns, so that both see the same machine.
            for _ in 0..ROUNDS {
                best = [best[0].min(seconds(calls, &mut steps)), best[1].min(seconds(calls, &mut run))];
            }
            let ResultValues::F64(values) = &results[0].values else { unreachable!("numbers") };
            assert!(values.iter().zip(&compiled).all(|(a, b)| a.to_bits() == b.to_bits()), "{expression}: other bits");
            let [steps, loops] = best.map(|s| s * 1e9 / count as f64);
            faster += usize::from(loops < steps);
            let compiling = compiling * 1e3;
            println!("{expression:66} {count:8} {steps:7.2} {loops:9.2} {:7.2} {compiling:14.2}", loops / steps);
        }
    }
    println!("\nthe compiled loop is the faster one in {faster} of {} cases", CHAINS.len() * COUNTS.len());
}
