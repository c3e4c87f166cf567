//! No call takes long, whatever its arguments: every loop has a bound that is small.
#![allow(missing_docs)]

use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_nmath::KERNELS;
use std::time::Instant;

/// Microseconds. The slowest calls known take a quarter of the first (a hypergeometric tail of 1e14 balls).
const LIMIT: f64 = if cfg!(debug_assertions) { 1000.0 } else { 100.0 };

/// A quantile of a noncentral beta sums up to ten thousand terms in each of sixty steps: the slowest known takes a quarter.
const NONCENTRAL_LIMIT: f64 = 50.0 * LIMIT;

/// A quantile of the studentised range of thousands of means sums over a hundred thousand nodes in each of ten steps.
const RANGE_LIMIT: f64 = 5000.0 * LIMIT;

fn limit(f: &Function) -> f64 {
    match f.module().rsplit("::").next() {
        Some("studentised_range") => RANGE_LIMIT,
        Some(module) if module.starts_with("noncentral_") => NONCENTRAL_LIMIT,
        _ => LIMIT,
    }
}

struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    fn unit(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
    }

    fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (high.ln() - low.ln()) * self.unit()).exp()
    }

    /// Counts, probabilities, logs of probabilities, sizes from one end of the range to the other.
    fn number(&mut self) -> f64 {
        match (self.unit() * 16.0) as u32 {
            0..=2 => self.unit(),
            3 => self.log_uniform(1e-300, 1.0),
            4 => 1.0 - self.log_uniform(1e-16, 0.5),
            5..=7 => self.log_uniform(1.0, 1e9).floor(),
            8 => self.log_uniform(1.0, 1e16).floor(),
            9 => self.log_uniform(1e-3, 1e6),
            10 => self.log_uniform(1e-300, 1e300),
            11 => -self.log_uniform(1e-3, 1e3),
            12 => -self.log_uniform(1e-300, 1e300),
            13 => (self.unit() * 100.0).floor(),
            14 => self.log_uniform(5e-324, 1e-307),
            _ => [0.0, -0.0, 0.5, 1.0, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                [(self.unit() * 8.0) as usize],
        }
    }
}

/// Arguments of one call.
#[derive(Debug)]
enum Argument {
    F64([f64; 1]),
    I32([i32; 1]),
    U32([u32; 1]),
    U64([u64; 1]),
    Bool([bool; 1]),
}

impl Argument {
    fn draw(scalar: Scalar, random: &mut Random) -> Argument {
        match scalar {
            Scalar::I32 => Argument::I32([random.word() as i32]),
            Scalar::U32 => Argument::U32([random.word() as u32]),
            Scalar::U64 => Argument::U64([random.word()]),
            Scalar::Bool => Argument::Bool([random.unit() < 0.5]),
            _ => Argument::F64([random.number()]),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Argument::F64(v) => Column::F64(v),
            Argument::I32(v) => Column::I32(v),
            Argument::U32(v) => Column::U32(v),
            Argument::U64(v) => Column::U64(v),
            Argument::Bool(v) => Column::Bool(v),
        }
    }
}

/// The time of a call in microseconds, the least of `times`.
fn time(f: Function, arguments: &[Argument], times: u32) -> f64 {
    let ins: Vec<Column<'_>> = arguments.iter().map(Argument::column).collect();
    let (mut numbers, mut b, mut words) = ([[0.0]; 4], [0i32], [[0u32]; 4]);
    let mut least = f64::INFINITY;
    for _ in 0..times {
        let mut outs = match f.results().as_slice() {
            [Scalar::F64, Scalar::I32] => vec![ColumnMut::F64(&mut numbers[0]), ColumnMut::I32(&mut b)],
            [Scalar::I32] => vec![ColumnMut::I32(&mut b)],
            all if all.len() <= 4 && all.iter().all(|ty| *ty == Scalar::F64) => {
                numbers.iter_mut().take(all.len()).map(|x| ColumnMut::F64(x)).collect()
            }
            [Scalar::U32, ..] => words.iter_mut().map(|w| ColumnMut::U32(w)).collect(),
            other => panic!("{} gives {other:?}", f.name()),
        };
        let start = Instant::now();
        f.call_at(Level::best(), &ins, &mut outs, 0).expect("the columns fit");
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}

#[test]
fn no_call_of_any_kernel_takes_long() {
    let mut problems = vec![];
    // The work of the rank statistics grows with the sizes; their own tests hold its end.
    let by_size = |f: &Function| f.module().ends_with("::wilcoxon") || f.module().ends_with("::signed_rank");
    for (i, f) in KERNELS.iter().filter(|f| !by_size(f)).enumerate() {
        let mut random = Random(i as u64 + 1);
        for _ in 0..1500 {
            let arguments: Vec<Argument> = f.params().map(|p| Argument::draw(p.1, &mut random)).collect();
            // a busy machine makes single measurements long: only those are repeated
            if time(*f, &arguments, 1) > limit(f) {
                let least = time(*f, &arguments, 20);
                if least > limit(f) {
                    problems.push(format!("{}{arguments:?}: {least:.0} microseconds", f.name()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
