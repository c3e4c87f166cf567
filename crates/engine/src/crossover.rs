//! When a device pays: what it costs to use one, measured, against what the CPU takes for the same rows.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::exec::{InputColumn, Rows};
use crate::expr::parse;
use crate::plan::{Bindings, Plan, bind};
use gristmill_cl_runtime::Device;
use std::sync::Arc;
use std::time::Instant;

/// Rows of a large launch, and rows of one whose size does not matter.
const MANY: usize = 1 << 18;
const FEW: usize = 256;
/// Rows that come to a device at once from a file; each launch has its own cost.
const ROWS_PER_LAUNCH: u64 = 1 << 17;
/// An expression that is all transfer, and one that is all computing.
const LIGHT: &str = "x + 1";
const HEAVY: &str = "pnorm(x) * pnorm(x + 0.5) + dnorm(x - 0.5) * plogis(x) + exp(x) * log(abs(x) + 1)";

/// What a device costs, beside the CPU of the same machine. All times are in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossover {
    /// How many threads the CPU had.
    pub threads: usize,
    /// Building a program that is in no cache.
    pub build: f64,
    /// A launch, however few rows it has.
    pub launch: f64,
    /// Moving a byte to or from the device.
    pub per_byte: f64,
    /// How many times as fast as all CPU threads together the device computes.
    pub speed: f64,
}

/// An expression of one column, and when a device pays for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Example {
    /// The expression.
    pub expression: &'static str,
    /// Seconds that the CPU's threads take for a row.
    pub per_row: f64,
    /// From how many rows on the device is faster; `None`: never.
    pub break_even: Option<u64>,
}

impl Crossover {
    /// Measures a device against this engine's threads. Takes a second or so, and the time of two builds.
    ///
    /// # Errors
    /// When the device fails.
    pub fn measure(cpu: &Engine, device: Device) -> Result<Crossover, EngineError> {
        let on_device = Engine::new().on_device(device);
        let x: Vec<f64> = (0..MANY).map(|i| (i % 4096) as f64 / 512.0 - 4.0).collect();
        let (light, heavy) = (sample_plan(LIGHT), sample_plan(HEAVY));
        let start = Instant::now();
        on_device.prepare(&heavy, &[])?;
        let build = start.elapsed().as_secs_f64();
        let launch = seconds(&on_device, &light, &x[..FEW])?;
        let moved = (seconds(&on_device, &light, &x)? - launch).max(0.0);
        let computed = (seconds(&on_device, &heavy, &x)? - launch - moved).max(1e-9);
        let on_cpu = seconds(cpu, &heavy, &x)?;
        Ok(Crossover {
            threads: cpu.on_threads(rayon::current_num_threads),
            build,
            launch,
            // One column in, one out.
            per_byte: moved / (MANY * 2 * size_of::<f64>()) as f64,
            speed: on_cpu / computed,
        })
    }

    /// How many seconds the device takes for so many rows, where the CPU's threads take `cpu_per_row` seconds for a row
    /// and a row is `bytes_per_row` bytes of input and output.
    pub fn device_seconds(&self, rows: u64, cpu_per_row: f64, bytes_per_row: usize) -> f64 {
        let launches = rows.div_ceil(ROWS_PER_LAUNCH) as f64;
        let per_row = bytes_per_row as f64 * self.per_byte + cpu_per_row / self.speed;
        self.build + launches * self.launch + rows as f64 * per_row
    }

    /// Whether the device is faster.
    pub fn device_pays(&self, rows: u64, cpu_per_row: f64, bytes_per_row: usize) -> bool {
        self.device_seconds(rows, cpu_per_row, bytes_per_row) < rows as f64 * cpu_per_row
    }

    /// From how many rows on the device is faster; `None`: never.
    pub fn break_even(&self, cpu_per_row: f64, bytes_per_row: usize) -> Option<u64> {
        // The difference is a straight line but for the steps of the launches: double until it pays, then halve.
        let pays = |rows: u64| self.device_pays(rows, cpu_per_row, bytes_per_row);
        let mut high = 1_u64;
        while !pays(high) {
            high = high.checked_mul(2).filter(|rows| *rows < 1 << 50)?;
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if pays(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// What `bench --crossover` shows as examples.
    ///
    /// # Errors
    /// When a kernel fails.
    pub fn examples(&self, cpu: &Engine) -> Result<Vec<Example>, EngineError> {
        let x: Vec<f64> = (0..MANY).map(|i| (i % 4096) as f64 / 512.0 - 4.0).collect();
        [LIGHT, "pnorm(x)", HEAVY]
            .into_iter()
            .map(|text| {
                let per_row = seconds(cpu, &sample_plan(text), &x)? / MANY as f64;
                Ok(Example { expression: text, per_row, break_even: self.break_even(per_row, 2 * size_of::<f64>()) })
            })
            .collect()
    }
}

fn sample_plan(text: &str) -> Arc<Plan> {
    let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
    // The expressions are those above.
    let plan = parse(text).and_then(|statement| bind(&[statement], &bindings));
    Arc::new(plan.unwrap_or_else(|e| unreachable!("{e}")))
}

/// The least of a few runs of a plan that is prepared already.
fn seconds(engine: &Engine, plan: &Arc<Plan>, x: &[f64]) -> Result<f64, EngineError> {
    let prepared = engine.prepare(plan, &[])?;
    let columns = [InputColumn { values: x, missing: None }];
    let rows = Rows { count: x.len(), first: 0, columns: &columns };
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        std::hint::black_box(engine.evaluate_prepared(&prepared, &rows)?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GPU: Crossover = Crossover { threads: 2, build: 0.1, launch: 1e-4, per_byte: 1e-10, speed: 20.0 };

    #[test]
    fn the_break_even_is_where_the_device_begins_to_pay() {
        for per_row in [5e-9, 5e-8, 1e-6] {
            let rows = GPU.break_even(per_row, 16).unwrap();
            assert!(GPU.device_pays(rows, per_row, 16) && !GPU.device_pays(rows - 1, per_row, 16), "{per_row}");
        }
        // Dearer rows pay sooner.
        assert!(GPU.break_even(1e-6, 16) < GPU.break_even(5e-8, 16));
    }

    #[test]
    fn a_device_that_computes_or_moves_too_slowly_never_pays() {
        assert_eq!(Crossover { speed: 0.9, ..GPU }.break_even(1e-6, 16), None);
        // Moving 16 bytes takes 1.6 ns, computing on the CPU 1 ns.
        assert_eq!(GPU.break_even(1e-9, 16), None);
    }
}
