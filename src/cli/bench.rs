//! `gristmill bench`: measurements that the command itself uses.

use super::crossover;
use super::output::{count_with_separators, table};
use super::{Outcome, Result, write_stdout};
use gristmill::cl_runtime::{CacheSetting, Device, DeviceOptions};
use gristmill::engine::{Crossover, Engine};

/// Measure from how many rows on a device is faster than the CPU
///
/// `--crossover` measures what a program's build, a launch and a byte cost on the device, and how fast it computes beside
/// the CPU's threads. The figures are stored; `--device auto` decides by them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill bench --crossover
  gristmill eval --device auto 'p = pgamma(x, 3)' data.parquet -o out.parquet")]
pub(crate) struct Args {
    /// Measure from how many rows on the device is faster than the CPU, and store it
    #[arg(long, required = true)]
    crossover: bool,
    /// The OpenCL device: a number, `cpu`, `gpu` or a part of its name; see `gristmill devices`
    /// (default: GRISTMILL_DEVICE)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Compare with this many CPU threads; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result {
    let cpu = match args.threads {
        Some(threads) => Engine::with_threads(threads)?,
        None => Engine::new(),
    };
    let info = super::source::device_info(args.device.as_deref())?;
    let mut options = DeviceOptions::default();
    // What a build takes is measured, not what the cache saves.
    options.cache = CacheSetting::Off;
    let measured = Crossover::measure(&cpu, Device::open_with(&info, options)?)?;
    let path = crossover::store(&info, &measured)?;
    let mut text = format!(
        "{}\n  a build {:.3} s, a launch {:.1} us, a gigabyte {:.3} s; computes {:.2} times as fast as {} CPU threads\n",
        info.label(),
        measured.build,
        measured.launch * 1e6,
        measured.per_byte * 1e9,
        measured.speed,
        measured.threads,
    );
    let mut rows = vec![vec!["expression".into(), "CPU ns/row".into(), "device pays from".into()]];
    for example in measured.examples(&cpu)? {
        let from = example.break_even.map_or("never".into(), |rows| format!("{} rows", count_with_separators(rows)));
        rows.push(vec![example.expression.into(), format!("{:.2}", example.per_row * 1e9), from]);
    }
    text.push_str(&table(&rows, &[1, 2]));
    write_stdout(text.as_bytes())?;
    say!("stored in {}", path.display());
    Ok(Outcome::Fine)
}
