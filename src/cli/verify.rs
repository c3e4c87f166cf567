//! `gristmill verify`: do all lowerings of the kernels give the same bits here?

use super::kernels::{self, Chosen, FuelArgs};
use super::named::named;
use super::output::{Format, count, table, write_json};
use super::source;
use super::{Outcome, Result, write_stdout};
use gristmill::cl_runtime::{Device, RuntimeError};
use gristmill::engine::verify::{Report, Sampling, verify, verify_against};
use gristmill::nmath::KERNELS;
use serde_json::json;
use std::io::IsTerminal;

/// Compare single calls, block loops, strided ckernels, threads and a device, bit by bit
///
/// Every kernel gets the same inputs on every path, edge cases among them, and every result has to be the same to the last
/// bit. Exit code 1 if one differs: then a driver or a compiler has a bug, and the inputs are printed. Kernels of your own, in a .rs
/// file, are compared with the interpreter.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernels, and .rs files with kernels of your own, of which names behind them choose some; all that are built in if none is
    /// named, which takes some minutes (--points 1e4: seconds)
    #[arg(hide_possible_values = true, value_parser = named::<String>(KERNELS.iter().map(|k| k.name())))]
    kernels: Vec<String>,
    /// The device (default: GRISTMILL_DEVICE, else the best one; without any, the other paths are compared)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Leave the device out
    #[arg(long, conflicts_with = "device")]
    no_device: bool,
    /// Inputs for each kernel (default: 1000000, of those in files 20000)
    #[arg(long, value_name = "N", value_parser = points)]
    points: Option<usize>,
    #[command(flatten)]
    fuel: FuelArgs,
    /// Where the random inputs start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let chosen = kernels::chosen(&args.kernels)?;
    let device = open_device(args)?;
    args.fuel.set();
    let mut reports: Vec<Report> = Vec::new();
    let bar = progress(args, chosen.len());
    for Chosen { function, interpreted } in &chosen {
        bar.set_message(function.name());
        // The interpreter, with which kernels of files are compared, takes microseconds for each.
        let usual = if interpreted.is_some() { 20_000 } else { 1_000_000 };
        let plan = Sampling { points: args.points.unwrap_or(usual), seed: args.seed };
        let report = match interpreted {
            Some(reference) => verify_against(reference, function, device.as_ref(), plan),
            None => verify(function, device.as_ref(), plan),
        };
        reports.push(report.map_err(|e| args.fuel.explain(e))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let differing = reports.iter().filter(|r| !r.same()).count();
    match args.format {
        Format::Json => write_json(&to_json(&reports, device.as_ref()))?,
        Format::Text => write_stdout(to_text(&reports).as_bytes())?,
    }
    if args.format == Format::Text {
        match differing {
            0 => say!("{}: all paths give the same bits", compared(&reports)),
            _ => say!("{differing} of {} kernels differ", reports.len()),
        }
    }
    Ok(if differing == 0 { Outcome::Fine } else { Outcome::ProblemsFound })
}

/// `3 kernels, 1000 inputs each`
fn compared(reports: &[Report]) -> String {
    let (least, most) = reports.iter().fold((usize::MAX, 0), |(a, b), r| (a.min(r.points), b.max(r.points)));
    let inputs = if least >= most { most.to_string() } else { format!("{least} to {most}") };
    format!("{}, {inputs} inputs each", count(reports.len(), "kernel"))
}

/// `1000`, `1e6`
fn points(text: &str) -> std::result::Result<usize, String> {
    let number = super::output::whole_number(text)?;
    usize::try_from(number).map_err(|_| format!("{number} is more than this machine counts"))
}

/// Which kernel is compared, where a person waits for more than a few.
fn progress(args: &Args, kernels: usize) -> indicatif::ProgressBar {
    if kernels < 3 || args.format == Format::Json || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(kernels as u64);
    let style = indicatif::ProgressStyle::with_template("{bar:40} {pos} of {len} kernels, {msg}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
}

/// A machine without OpenCL has nothing to compare there, and is told so; a device that was named must serve.
fn open_device(args: &Args) -> Result<Option<Device>> {
    if args.no_device {
        return Ok(None);
    }
    let named = args.device.is_some() || super::devices::wanted(None)?.is_some();
    match source::device(args.device.as_deref()) {
        Ok(device) => Ok(Some(device)),
        Err(error) => match error.downcast_ref::<RuntimeError>() {
            Some(
                RuntimeError::NoLibrary { .. }
                | RuntimeError::NoPlatform { .. }
                | RuntimeError::NoDevice { .. }
                | RuntimeError::NoThreads { .. }
                | RuntimeError::NoFp64 { .. },
            ) if !named => {
                say!("note: no device is compared: {error}");
                Ok(None)
            }
            _ => Err(error),
        },
    }
}

fn to_text(reports: &[Report]) -> String {
    let mut paths: Vec<&str> = Vec::new();
    for (path, _) in reports.iter().flat_map(|r| &r.paths) {
        if !paths.contains(&path.as_str()) {
            paths.push(path);
        }
    }
    let mut rows = vec![["KERNEL", "POINTS"].iter().chain(&paths).map(ToString::to_string).collect::<Vec<_>>()];
    for report in reports {
        let mut row = vec![report.kernel.to_string(), report.points.to_string()];
        row.extend(
            paths.iter().map(|p| report.paths.iter().find(|q| q.0 == *p).map_or("-".into(), |q| q.1.to_string())),
        );
        rows.push(row);
    }
    let right: Vec<usize> = (1..paths.len() + 2).collect();
    let mut text = table(&rows, &right);
    for report in reports {
        if let Some(first) = &report.first {
            text.push_str(&format!(
                "\n{}({})\n  single: {}\n  {}: {}\n",
                report.kernel,
                first.input.join(", "),
                first.expected.join(", "),
                first.path,
                first.given.join(", ")
            ));
        }
    }
    text
}

fn to_json(reports: &[Report], device: Option<&Device>) -> serde_json::Value {
    let list: Vec<_> = reports
        .iter()
        .map(|r| {
            let paths: serde_json::Map<String, serde_json::Value> =
                r.paths.iter().map(|(p, n)| (p.clone(), json!(n))).collect();
            let first = r
                .first
                .as_ref()
                .map(|f| json!({ "path": f.path, "input": f.input, "expected": f.expected, "given": f.given }));
            json!({ "kernel": r.kernel, "points": r.points, "differing": paths, "first": first, "same": r.same() })
        })
        .collect();
    json!({ "device": device.map(|d| super::devices::to_json(d.info())), "kernels": list })
}
