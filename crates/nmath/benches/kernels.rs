//! `cargo xtask bench kernels [FUNCTION…]`: ns per element of the block loops of the elementary functions on one thread, against
//! a loop over the standard library's function (libm) and NumPy (if python3 has it), in one run; then two threads against
//! one. The figures to read are the ratios; those that have a goal say whether they meet it.
#![allow(missing_docs)]

use gristmill_kernel::{Column, ColumnMut, Function};
use gristmill_nmath as nmath;
use std::collections::HashMap;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const COUNT: usize = 1_000_000;
/// Elements for two threads: more than any cache holds.
const LARGE: usize = 10_000_000;
const ROUNDS: usize = 15;

/// How much faster than libm the block loops of exp and log are meant to be, at least.
const GOAL_LIBM: f64 = 2.0;
/// How much faster two threads are meant to be than one, at least.
const GOAL_THREADS: f64 = 1.7;

/// Counts goals, and says of each whether it is met.
#[derive(Default)]
struct Goals {
    met: usize,
    all: usize,
}

impl Goals {
    fn check(&mut self, value: f64, goal: f64) -> String {
        self.all += 1;
        self.met += usize::from(value >= goal);
        format!("   goal {goal}x: {}", if value >= goal { "met" } else { "MISSED" })
    }
}

/// One line of the table; `low` and `high` bound the first argument.
struct Case {
    name: &'static str,
    /// One call after the other, each direct.
    libm: fn(&[f64], &[f64], &mut [f64]),
    numpy: &'static str,
    low: f64,
    high: f64,
    /// The second argument's range, if there is one.
    second: Option<(f64, f64)>,
}

impl Case {
    /// As compiled in the crate itself.
    fn function(&self) -> Function {
        nmath::kernel(self.name).expect("the cases are kernels")
    }
}

macro_rules! cases {
    ($($name:ident, $libm:expr, $numpy:literal, $low:literal, $high:literal $(, $low2:literal, $high2:literal)?;)*) => {
        &[$(Case {
            name: stringify!($name),
            libm: |x, y, out| {
                for ((x, y), out) in x.iter().zip(y).zip(out) {
                    *out = call($libm, *x, *y);
                }
            },
            numpy: $numpy,
            low: $low,
            high: $high,
            second: [$(Some(($low2, $high2)),)? None][0],
        }),*]
    };
}

const CASES: &[Case] = cases! {
    exp, |x, _| x.exp(), "np.exp(x)", -10.0, 10.0;
    log, |x, _| x.ln(), "np.log(x)", 0.01, 100.0;
    expm1, |x, _| x.exp_m1(), "np.expm1(x)", -2.0, 2.0;
    log1p, |x, _| x.ln_1p(), "np.log1p(x)", -0.9, 5.0;
    pow, |x, y| x.powf(y), "np.power(x, y)", 0.01, 10.0, -5.0, 5.0;
    sin, |x, _| x.sin(), "np.sin(x)", -10.0, 10.0;
    cos, |x, _| x.cos(), "np.cos(x)", -10.0, 10.0;
    tan, |x, _| x.tan(), "np.tan(x)", -10.0, 10.0;
    log2, |x, _| x.log2(), "np.log2(x)", 0.01, 100.0;
    log10, |x, _| x.log10(), "np.log10(x)", 0.01, 100.0;
    cbrt, |x, _| x.cbrt(), "np.cbrt(x)", -50.0, 50.0;
    asin, |x, _| x.asin(), "np.arcsin(x)", -1.0, 1.0;
    acos, |x, _| x.acos(), "np.arccos(x)", -1.0, 1.0;
    atan, |x, _| x.atan(), "np.arctan(x)", -5.0, 5.0;
    atan2, |y, x| y.atan2(x), "np.arctan2(x, y)", -5.0, 5.0, -5.0, 5.0;
    sinh, |x, _| x.sinh(), "np.sinh(x)", -5.0, 5.0;
    cosh, |x, _| x.cosh(), "np.cosh(x)", -5.0, 5.0;
    tanh, |x, _| x.tanh(), "np.tanh(x)", -5.0, 5.0;
};

/// `count` numbers between `low` and `high`, in no order.
fn spread(count: usize, low: f64, high: f64, salt: u64) -> Vec<f64> {
    let mut state = salt;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| low + (high - low) * next()).collect()
}

/// The least time of several rounds, in ns per element.
fn least(count: usize, rounds: usize, mut f: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        f();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / count as f64
}

fn block(function: &Function, columns: &[Vec<f64>], out: &mut [f64]) {
    let inputs: Vec<Column> = columns.iter().map(|c| Column::F64(c)).collect();
    function.map(&inputs, &mut [ColumnMut::F64(out)]).expect("columns of one length");
}

#[inline(always)]
fn call(f: impl Fn(f64, f64) -> f64, x: f64, y: f64) -> f64 {
    f(x, y)
}

/// NumPy's ns per element of each case, as far as python3 and NumPy are there.
fn numpy(cases: &[&Case]) -> HashMap<&'static str, f64> {
    let mut script = format!("import numpy as np, time\nr = np.random.default_rng(1)\nn = {COUNT}\n");
    for case in cases {
        let (low2, high2) = case.second.unwrap_or((0.0, 1.0));
        script += &format!(
            "x = r.uniform({}, {}, n); y = r.uniform({low2}, {high2}, n)\nbest = 9e9\nfor _ in range({ROUNDS}):\n    \
             t = time.perf_counter(); {}; best = min(best, time.perf_counter() - t)\nprint(best * 1e9 / n)\n",
            case.low, case.high, case.numpy
        );
    }
    let Ok(output) = Command::new("python3").args(["-c", &script]).output() else { return HashMap::new() };
    if !output.status.success() {
        return HashMap::new();
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    cases.iter().zip(text.lines()).filter_map(|(c, l)| Some((c.name, l.trim().parse().ok()?))).collect()
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let named = |c: &&Case| wanted.is_empty() || wanted.iter().any(|w| w == c.name);
    let cases: Vec<&Case> = CASES.iter().filter(named).collect();
    let peers = numpy(&cases);
    if peers.is_empty() {
        eprintln!("kernels: python3 has no NumPy: that column is left out");
    }
    println!("ns per element, one thread, {COUNT} elements\n");
    println!("{:8} {:>6} {:>6} {:>7} {:>6} {:>8}", "function", "block", "libm", "ratio", "NumPy", "ratio");
    let mut goals = Goals::default();
    let judged = |name: &str| ["exp", "log"].contains(&name);
    for case in &cases {
        let x = spread(COUNT, case.low, case.high, 1);
        let y = case.second.map_or_else(|| x.clone(), |(low, high)| spread(COUNT, low, high, 2));
        let columns = if case.second.is_some() { vec![x.clone(), y.clone()] } else { vec![x.clone()] };
        let mut out = vec![0.0; COUNT];
        let ours = least(COUNT, ROUNDS, || block(&case.function(), black_box(&columns), black_box(&mut out)));
        let libm = least(COUNT, ROUNDS, || (case.libm)(&x, &y, black_box(&mut out)));
        let name = case.name;
        let (peer, ratio) = peers
            .get(name)
            .map_or(("-".to_string(), "-".to_string()), |p| (format!("{p:.2}"), format!("{:.2}x", p / ours)));
        let mark = if judged(name) { goals.check(libm / ours, GOAL_LIBM) } else { String::new() };
        println!("{name:8} {ours:6.2} {libm:6.2} {:6.2}x {peer:>6} {ratio:>8}{mark}", libm / ours);
    }

    println!("\ntwo threads against one, {LARGE} elements\n");
    println!("{:8} {:>6} {:>6} {:>7}", "function", "one", "two", "ratio");
    for case in cases.iter().filter(|c| judged(c.name)) {
        let x = vec![spread(LARGE, case.low, case.high, 3)];
        let halves: [Vec<Vec<f64>>; 2] = [vec![x[0][..LARGE / 2].to_vec()], vec![x[0][LARGE / 2..].to_vec()]];
        let mut out = vec![0.0; LARGE];
        let one = least(LARGE, 7, || block(&case.function(), black_box(&x), black_box(&mut out)));
        let two = least(LARGE, 7, || {
            let (a, b) = out.split_at_mut(LARGE / 2);
            std::thread::scope(|scope| {
                scope.spawn(|| block(&case.function(), &halves[0], a));
                block(&case.function(), &halves[1], b);
            });
        });
        let mark = goals.check(one / two, GOAL_THREADS);
        println!("{:8} {one:6.2} {two:6.2} {:6.2}x{mark}", case.name, one / two);
    }
    println!("\n{} of {} goals met", goals.met, goals.all);
}
