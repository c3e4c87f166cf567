//! `cargo xtask bench jit`: how long a text takes to become code, and ns per element of its block loop on one thread, against the same
//! function under `#[kernel]` (AVX2), the interpreter, NumPy and numba (if python3 has them), in one run. The figures to read are the
//! ratios; those that have a goal say whether they meet it.
#![allow(missing_docs)]

use gristmill_kernel::{Column, ColumnMut, Function, Level, kernel};
use gristmill_kernel_jit::KernelSource;
use gristmill_nmath::{exp, log, pnorm};
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const COUNT: usize = 1_000_000;
/// Elements for the interpreter, which is slow, and of a first result.
const FEW: usize = 2_000;
const ROUNDS: usize = 9;

/// The least speed, as a part of the speed under `#[kernel]` with AVX2.
const GOAL_COMPILED: f64 = 0.5;
/// How much less time to the first result than numba.
const GOAL_FIRST: f64 = 50.0;
/// Operations, and the most ms that compiling them may take.
const GOAL_COMPILE: [(usize, f64); 3] = [(30, 1.0), (300, 5.0), (3000, 50.0)];

/// A function as `#[kernel]` and as text.
macro_rules! both {
    ($text:ident, $($item:tt)*) => {
        #[kernel]
        $($item)*
        const $text: &str = stringify!($($item)*);
    };
}

both! { GROWTH, fn growth(t: f64, a: f64, b: f64) -> f64 {
    a / (1.0 + exp(-b * t))
} }

both! { HORNER, fn horner(x: f64) -> f64 {
    let mut y: f64 = 0.05;
    y = y.mul_add(x, -0.05263157894736842);
    y = y.mul_add(x, 0.05555555555555555);
    y = y.mul_add(x, -0.058823529411764705);
    y = y.mul_add(x, 0.0625);
    y = y.mul_add(x, -0.06666666666666667);
    y = y.mul_add(x, 0.07142857142857142);
    y = y.mul_add(x, -0.07692307692307693);
    y = y.mul_add(x, 0.08333333333333333);
    y = y.mul_add(x, -0.09090909090909091);
    y = y.mul_add(x, 0.1);
    y = y.mul_add(x, -0.1111111111111111);
    y = y.mul_add(x, 0.125);
    y = y.mul_add(x, -0.14285714285714285);
    y = y.mul_add(x, 0.16666666666666666);
    y = y.mul_add(x, -0.2);
    y = y.mul_add(x, 0.25);
    y = y.mul_add(x, -0.3333333333333333);
    y = y.mul_add(x, 0.5);
    y = y.mul_add(x, -1.0);
    y.mul_add(x, 1.0)
} }

both! { MANDELBROT, fn mandelbrot(re: f64, im: f64) -> f64 {
    let mut x = 0.0;
    let mut y = 0.0;
    let mut n = 0;
    while n < 100 && x * x + y * y <= 4.0 {
        let t = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = t;
        n += 1;
    }
    n as f64
} }

both! { CALL, fn call(s: f64, k: f64, t: f64, r: f64, v: f64) -> f64 {
    let spread = v * t.sqrt();
    let d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread;
    let d2 = d1 - spread;
    s * pnorm(d1, 0.0, 1.0, true, false) - k * exp(-r * t) * pnorm(d2, 0.0, 1.0, true, false)
} }

struct Case {
    what: &'static str,
    name: &'static str,
    text: &'static str,
    compiled: Function,
    /// Of each argument; equal bounds: one value for all.
    ranges: &'static [(f64, f64)],
    /// The body of a function of NumPy arrays.
    numpy: &'static str,
    /// A function of scalars for `numba.vectorize`.
    numba: &'static str,
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            what: "logistic growth",
            name: "growth",
            text: GROWTH,
            compiled: growth::FUNCTION,
            ranges: &[(-5.0, 5.0), (3.0, 3.0), (1.5, 1.5)],
            numpy: "lambda t, a, b: a / (1.0 + np.exp(-b * t))",
            numba: "lambda t, a, b: a / (1.0 + math.exp(-b * t))",
        },
        Case {
            what: "Horner, degree 20",
            name: "horner",
            text: HORNER,
            compiled: horner::FUNCTION,
            ranges: &[(-1.0, 1.0)],
            numpy: "lambda x: np.polyval(C, x)",
            numba: "HORNER",
        },
        Case {
            what: "Mandelbrot, 100 rounds",
            name: "mandelbrot",
            text: MANDELBROT,
            compiled: mandelbrot::FUNCTION,
            ranges: &[(-2.0, 0.5), (-1.25, 1.25)],
            numpy: "MANDELBROT",
            numba: "MANDELBROT_ONE",
        },
        Case {
            what: "Black-Scholes",
            name: "call",
            text: CALL,
            compiled: call::FUNCTION,
            ranges: &[(50.0, 150.0), (100.0, 100.0), (0.1, 2.0), (0.03, 0.03), (0.2, 0.2)],
            numpy: "CALL",
            numba: "CALL_ONE",
        },
    ]
}

const PYTHON: &str = r#"
import math, time, sys
import numpy as np
try:
    from scipy.special import ndtr
except ImportError:
    ndtr = None
C = [0.05] + [(-1.0) ** k / (20 - k) for k in range(1, 20)] + [1.0]

def MANDELBROT(re, im):
    x = np.zeros_like(re); y = np.zeros_like(re); n = np.zeros_like(re)
    for _ in range(100):
        inside = x * x + y * y <= 4.0
        n += inside
        t = np.where(inside, x * x - y * y + re, x)
        y = np.where(inside, 2.0 * x * y + im, y)
        x = t
    return n

def CALL(s, k, t, r, v):
    spread = v * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / spread
    return s * ndtr(d1) - k * np.exp(-r * t) * ndtr(d1 - spread)

def HORNER(x):
    y = 0.05
    for c in COEFFICIENTS:
        y = y * x + c
    return y
COEFFICIENTS = tuple(C[1:])

def MANDELBROT_ONE(re, im):
    x = 0.0; y = 0.0; n = 0
    while n < 100 and x * x + y * y <= 4.0:
        t = x * x - y * y + re
        y = 2.0 * x * y + im
        x = t
        n += 1
    return float(n)

def CALL_ONE(s, k, t, r, v):
    spread = v * math.sqrt(t)
    d1 = (math.log(s / k) + (r + 0.5 * v * v) * t) / spread
    d2 = d1 - spread
    return s * 0.5 * math.erfc(-d1 / math.sqrt(2.0)) - k * math.exp(-r * t) * 0.5 * math.erfc(-d2 / math.sqrt(2.0))

def least(f, rounds):
    best = 9e9
    for _ in range(rounds):
        start = time.perf_counter(); f(); best = min(best, time.perf_counter() - start)
    return best
"#;

/// What Python's paths take: ns per element, and ms to the first result of numba; `NaN` where there is none.
fn python(case: &Case) -> [f64; 3] {
    let mut script = PYTHON.to_string();
    script += &format!("rng = np.random.default_rng(1); n = {COUNT}\n");
    let columns: Vec<String> = case
        .ranges
        .iter()
        .map(|(low, high)| if low == high { format!("{low}") } else { format!("rng.uniform({low}, {high}, n)") })
        .collect();
    script += &format!("args = [{}]\n", columns.join(", "));
    script += &format!("f = {}\nprint('numpy', least(lambda: f(*args), 5) * 1e9 / n)\n", case.numpy);
    script += &format!(
        "few = [a[:{FEW}] if np.ndim(a) else a for a in args]\nimport numba\nstart = time.perf_counter()\n\
         g = numba.vectorize({})\ng(*few)\n\
         print('first', (time.perf_counter() - start) * 1e3)\nprint('numba', least(lambda: g(*args), 5) * 1e9 / n)\n",
        case.numba
    );
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(python).args(["-c", &script]).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    ["numpy", "numba", "first"]
        .map(|what| text.lines().find_map(|l| l.strip_prefix(what)?.trim().parse().ok()).unwrap_or(f64::NAN))
}

/// `count` numbers between `low` and `high`, in no order.
fn spread(count: usize, low: f64, high: f64, salt: u64) -> Vec<f64> {
    let mut state = salt;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| low + (high - low) * next()).collect()
}

/// The least seconds of several rounds.
fn least(rounds: usize, mut f: impl FnMut()) -> f64 {
    (0..rounds).fold(f64::INFINITY, |best, _| {
        let start = Instant::now();
        f();
        best.min(start.elapsed().as_secs_f64())
    })
}

fn goal(is_met: bool, text: &str) -> String {
    format!("goal {text}: {}", if is_met { "met" } else { "MISSED" })
}

/// A function of so many operations, different in each round: the same text is compiled once.
fn long(operations: usize, round: usize) -> String {
    let lines: String = (0..operations / 3)
        .map(|k| format!("    y = (y * x + {k}.5).{}();\n", if k % 4 == 0 { "sqrt" } else { "abs" }))
        .collect();
    format!("fn long(x: f64) -> f64 {{\n    let mut y = {round}.25;\n{lines}    y\n}}\n")
}

fn main() {
    println!("compiling a block loop, least of 15 texts (read and checked before):");
    for (operations, most) in GOAL_COMPILE {
        let mut round = 0;
        let (mut reading, mut compiling) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..15 {
            round += 1;
            let text = long(operations, round);
            let start = Instant::now();
            let source = KernelSource::parse(&text).expect("a program");
            reading = reading.min(start.elapsed().as_secs_f64() * 1e3);
            let start = Instant::now();
            black_box(source.explain("long"));
            compiling = compiling.min(start.elapsed().as_secs_f64() * 1e3);
        }
        let verdict = goal(compiling < most, &format!("under {most} ms"));
        println!("  {operations:5} operations: {compiling:8.2} ms (read in {reading:.2} ms)   {verdict}");
    }
    let avx2 = Level::all().find(|l| matches!(l, Level::V3(_))).unwrap_or(Level::best());
    println!("\nns per element of {COUNT} on one thread, least of {ROUNDS} rounds; `#[kernel]` on {}:", avx2.name());
    for case in cases() {
        let columns: Vec<Vec<f64>> = case
            .ranges
            .iter()
            .enumerate()
            .map(|(k, (low, high))| if low == high { vec![*low] } else { spread(COUNT, *low, *high, k as u64 + 1) })
            .collect();
        let ins: Vec<Column<'_>> = columns.iter().map(|c| Column::F64(c)).collect();
        let (mut by_text, mut by_rust) = (vec![1.0; COUNT], vec![1.0; COUNT]);
        let few: Vec<Column<'_>> = ins.iter().map(|c| c.part(0, FEW)).collect();
        let start = Instant::now();
        let source = KernelSource::parse(case.text).expect("a program");
        let function = source.function(case.name).expect("it is there");
        function.map(&few, &mut [ColumnMut::F64(&mut by_text[..FEW])]).expect("the columns fit");
        let first = start.elapsed().as_secs_f64() * 1e3;
        let (mut jit, mut rust) = (f64::INFINITY, f64::INFINITY);
        // One after the other in each round: what disturbs the machine disturbs both.
        for _ in 0..ROUNDS {
            let ns = |seconds: f64| seconds * 1e9 / COUNT as f64;
            jit = jit.min(ns(least(1, || {
                function.map(&ins, &mut [ColumnMut::F64(&mut by_text)]).expect("the columns fit");
            })));
            rust = rust.min(ns(least(1, || {
                case.compiled.map_on(avx2, &ins, &mut [ColumnMut::F64(&mut by_rust)]).expect("the columns fit");
            })));
        }
        let same = by_text.iter().zip(&by_rust).all(|(a, b)| a.to_bits() == b.to_bits());
        let slow = source.interpreted(case.name).expect("it is there");
        let interpreter = least(1, || {
            slow.map(&few, &mut [ColumnMut::F64(&mut by_rust[..FEW])]).expect("the columns fit");
        }) * 1e9
            / FEW as f64;
        let [numpy, numba, numba_first] = python(&case);
        println!(
            "{}: {}, bits {}",
            case.what,
            source.explain(case.name).expect("there"),
            if same { "equal" } else { "DIFFER" }
        );
        println!("  text {jit:.2} ns, first result of {FEW} elements after {first:.1} ms");
        println!(
            "  #[kernel] {rust:.2} ns: text has {:.2} of its speed   {}",
            rust / jit,
            goal(rust / jit >= GOAL_COMPILED, "0.5")
        );
        println!("  interpreter {interpreter:.0} ns: {:.0}x", interpreter / jit);
        println!("  NumPy {numpy:.2} ns: {:.1}x", numpy / jit);
        if numba.is_nan() {
            println!("  numba: not installed");
        } else {
            let ratio = numba_first / first;
            println!("  numba {numba:.2} ns: {:.1}x   {}", numba / jit, goal(numba > jit, "faster"));
            println!(
                "  numba's first result after {numba_first:.0} ms: {ratio:.0}x   {}",
                goal(ratio >= GOAL_FIRST, "50x less")
            );
        }
    }
}
