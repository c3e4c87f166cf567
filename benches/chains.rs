//! `cargo xtask bench chains`: expressions as steps over blocks that stay in the first cache, against the same engine with chains as
//! loops that are compiled at run time; ns per element on one thread, both into memory that is there, in one run.
//!
//! The results are compared bit by bit first. `ratio` says what compiling gains: below 1 the loop is the faster one. `as it is` is the
//! engine left to itself after 10^7 rows, beside the steps: it should never be above 1. docs/expressions.md says what follows.
#![allow(missing_docs)]

use gristmill::engine::expr::parse;
use gristmill::engine::plan::{Bindings, Plan, bind};
use gristmill::engine::{Compiling, Engine, InputColumn, Prepared, ResultColumn, Rows};
use std::sync::Arc;
use std::time::Instant;

/// What fits the second cache, and what does not.
const COUNTS: [usize; 2] = [16_384, 1_000_000];
const ROUNDS: usize = 15;

/// Expressions of `x` and `z`.
const CHAINS: [&[&str]; 17] = [
    &["x + 1"],
    &["x * z + 1"],
    &["(x - 0.3) / 1.7"],
    &["x / z"],
    &["2.5 * x^2 + 1.5 * x + 0.5"],
    &["x * z + x / (z * z + 1) - z"],
    &["((((((x + 1) * z + 2) * x + 3) * z + 4) * x + 5) * z + 6) * x + 7"],
    &["x / z + z / x + 1 / (x * z)"],
    &["x > 0 & z < 1"],
    &["ifelse(x > 0, x * 2, -x)"],
    &["ifelse(x > 1, 1, ifelse(x < -1, -1, x))"],
    &["pmin(pmax(x, -1), 1)"],
    &["sqrt(abs(x * z)) + floor(x)"],
    &["exp(-x * x / 2) * 0.4"],
    &["log(x * x + 1) - 0.5 * log(z * z + 2)"],
    &["pnorm((x - 0.3) / 1.7) * 2 - 1"],
    &["d = x - z", "e = d * d + 2 * d + 1", "f = ifelse(is.nan(e), 0, e / (1 + abs(d)))"],
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

struct Way {
    engine: Engine,
    prepared: Prepared,
    results: Vec<ResultColumn>,
}

impl Way {
    fn new(plan: &Arc<Plan>, when: Compiling) -> Way {
        let engine = Engine::with_threads(1).expect("a thread").compiling(when);
        let prepared = engine.prepare(plan, &[]).expect("kernels");
        Way { engine, prepared, results: Vec::new() }
    }

    fn run(&mut self, rows: &Rows<'_>) {
        self.engine.evaluate_into(&self.prepared, rows, &mut self.results).expect("no kernel fails");
    }
}

fn main() {
    println!(
        "expressions                                                        elements   steps  compiled   ratio  compiling, ms  as it is"
    );
    let (mut faster, mut worst) = (0, 0.0_f64);
    for texts in CHAINS {
        let bindings = Bindings { columns: vec!["x".into(), "z".into()], ..Bindings::default() };
        let statements: Vec<_> = texts.iter().map(|text| parse(text).expect("an expression")).collect();
        let plan = Arc::new(bind(&statements, &bindings).expect("a plan"));
        let mut ways = [Compiling::Never, Compiling::Always, Compiling::WhenItPays].map(|when| Way::new(&plan, when));
        let (x, z) = (column(COUNTS[1], 7), column(COUNTS[1], 11));
        let first = [&x, &z].map(|v| InputColumn { values: &v[..16], missing: None });
        let start = Instant::now();
        ways[1].run(&Rows { count: 16, first: 0, columns: &first });
        let compiling = start.elapsed().as_secs_f64() * 1e3;
        let all = [&x, &z].map(|values| InputColumn { values, missing: None });
        for _ in 0..10 {
            ways[2].run(&Rows { count: COUNTS[1], first: 0, columns: &all });
        }
        for count in COUNTS {
            let columns = [&x, &z].map(|v| InputColumn { values: &v[..count], missing: None });
            let rows = Rows { count, first: 0, columns: &columns };
            ways.iter_mut().for_each(|way| way.run(&rows));
            assert_eq!(format!("{:?}", ways[0].results), format!("{:?}", ways[1].results), "{texts:?}: other bits");
            let calls = (1_000_000 / count).max(1);
            let mut best = [f64::INFINITY; 3];
            // In turns, so that all see the same machine.
            for _ in 0..ROUNDS {
                for (best, way) in best.iter_mut().zip(&mut ways) {
                    *best = best.min(seconds(calls, || way.run(&rows)));
                }
            }
            let [steps, compiled, as_it_is] = best.map(|s| s * 1e9 / count as f64);
            faster += usize::from(compiled < steps);
            worst = worst.max(as_it_is / steps);
            let text: String = texts.join("; ").chars().take(66).collect();
            let (ratio, as_it_is) = (compiled / steps, as_it_is / steps);
            println!("{text:66} {count:8} {steps:7.2} {compiled:9.2} {ratio:7.2} {compiling:14.2} {as_it_is:9.2}");
        }
    }
    let cases = CHAINS.len() * COUNTS.len();
    println!(
        "\nthe compiled loop is the faster one in {faster} of {cases} cases; as it is, at most {worst:.2} of the steps' time"
    );
}
