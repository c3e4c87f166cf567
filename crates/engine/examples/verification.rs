//! `cargo xtask verify`: every kernel of nmath on every path, bit by bit, and docs/verification.md from it.
//!
//! A million inputs for each of the kernels take long, so a run can be cut into slices: `--seconds` ends it after the
//! kernel that is being compared, and the next run goes on where it stopped. What was compared is kept in
//! target/verification.tsv, and starts anew when this program is another one.
//!
//! `--each` bounds the seconds of one kernel: the quantiles of ranks and ranges, which take a hundred microseconds, have fewer inputs
//! then. How many each had is in the page.

use gristmill_cl_runtime::Device;
use gristmill_engine::verify::{Report, Sampling, verify};
use gristmill_kernel::{Function, Level};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

struct Options {
    points: usize,
    seconds: u64,
    each: f64,
    seed: u64,
    write: bool,
}

fn options() -> Result<Options, String> {
    let mut o = Options { points: 1_000_000, seconds: u64::MAX, each: f64::INFINITY, seed: 1, write: false };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        if a == "--write" {
            o.write = true;
            continue;
        }
        let value = args.next().ok_or(format!("`{a}` needs a value"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{a}` is {value}, but must be a number"))?;
        match a.as_str() {
            "--points" => o.points = number as usize,
            "--seconds" => o.seconds = number,
            "--each" => o.each = number as f64,
            "--seed" => o.seed = number,
            _ => return Err(format!("unknown option `{a}`; there are --points, --seconds, --each, --seed, --write")),
        }
    }
    Ok(o)
}

/// FNV-1a of this program: results of another one do not count.
fn fingerprint() -> Result<u64, String> {
    let bytes =
        std::env::current_exe().and_then(std::fs::read).map_err(|e| format!("cannot read this program: {e}"))?;
    Ok(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)))
}

/// Compares a kernel on so many inputs, or as many as take the seconds that it has: a few tell how long one takes.
fn compare(function: &Function, device: &Device, o: &Options) -> Result<Report, String> {
    const FEW: usize = 10_000;
    let run = |points: usize, seed: u64| {
        verify(function, Some(device), Sampling { points, seed }).map_err(|e| format!("{}: {e}", function.name()))
    };
    if o.each.is_infinite() {
        return run(o.points, o.seed);
    }
    // Once before: a device compiles then.
    run(1, o.seed)?;
    let start = Instant::now();
    let mut report = run(FEW.min(o.points), o.seed)?;
    let possible = FEW as f64 * (o.each / start.elapsed().as_secs_f64() - 1.0);
    let left = (o.points - report.points.min(o.points)).min(possible.max(0.0) as usize);
    if left > 0 {
        let rest = run(left, o.seed + 1)?;
        report.points += rest.points;
        report.paths.iter_mut().zip(rest.paths).for_each(|(all, more)| all.1 += more.1);
        report.first = report.first.or(rest.first);
    }
    Ok(report)
}

/// `points`, then `path=differing` for each path.
fn line(report: &Report) -> String {
    let paths: Vec<String> = report.paths.iter().map(|(p, n)| format!("{p}={n}")).collect();
    format!("{}\t{}", report.points, paths.join("\t"))
}

fn page(o: &Options, device: &Device, done: &BTreeMap<String, String>) -> String {
    let mut paths: Vec<&str> = Vec::new();
    let mut differing = 0;
    for row in done.values() {
        for (path, n) in row.split('\t').skip(1).filter_map(|cell| cell.split_once('=')) {
            if !paths.contains(&path) {
                paths.push(path);
            }
            differing += usize::from(n != "0");
        }
    }
    let levels: Vec<&str> = Level::all().map(Level::name).collect();
    let mut text = format!(
        "# The same bits on every path\n\nWritten by `cargo xtask verify --points {}{} --write`: for every kernel so many inputs (edge cases, the \
         constants of its\nprogram with their neighbours, random bit patterns, subnormals, spaced numbers), and how many results of each path \
         differ in any bit\nfrom the baseline's single calls; NaN payloads do not count. `gristmill verify` does it for a user.\n\n\
         Instruction sets: {}. Device: {}, {}.\n\n{} kernels, {} differences.\n\n| kernel | inputs | {} |\n|---|---:|{}\n",
        o.points,
        if o.each.is_finite() { format!(" --each {}", o.each) } else { String::new() },
        levels.join(", "),
        device.info().platform,
        device.info().platform_version,
        done.len(),
        differing,
        paths.join(" | "),
        "---:|".repeat(paths.len()),
    );
    for function in gristmill_nmath::KERNELS {
        let Some(row) = done.get(function.name()) else { continue };
        let cell = |path: &str| {
            row.split('\t')
                .filter_map(|c| c.split_once('='))
                .find(|c| c.0 == path)
                .map_or("-".into(), |c| c.1.to_string())
        };
        let cells: Vec<String> = paths.iter().map(|p| cell(p)).collect();
        let points = row.split('\t').next().unwrap_or_default();
        let _ = writeln!(text, "| {} | {points} | {} |", function.name(), cells.join(" | "));
    }
    text
}

fn run() -> Result<bool, String> {
    let o = options()?;
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kept = root.join("target/verification.tsv");
    let head = format!("{:016x} {} {} {}", fingerprint()?, o.points, o.each, o.seed);
    let old = std::fs::read_to_string(&kept).unwrap_or_default();
    let mut done: BTreeMap<String, String> = BTreeMap::new();
    if old.lines().next() == Some(head.as_str()) {
        done.extend(old.lines().skip(1).filter_map(|l| l.split_once('\t')).map(|(k, r)| (k.into(), r.into())));
    }
    let device = Device::from_env().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let mut same = true;
    for function in gristmill_nmath::KERNELS {
        if done.contains_key(function.name()) {
            continue;
        }
        if start.elapsed().as_secs() >= o.seconds {
            break;
        }
        let began = Instant::now();
        let report = compare(function, &device, &o)?;
        let verdict = if report.same() { "same" } else { "DIFFERS" };
        let seconds = began.elapsed().as_secs_f64();
        println!("{:16} {verdict} {seconds:6.1} s {:9} inputs", function.name(), report.points);
        if let Some(first) = &report.first {
            println!("  {}: ({})", first.path, first.input.join(", "));
            println!("  single: ({})\n  given:  ({})", first.expected.join(", "), first.given.join(", "));
        }
        same &= report.same();
        done.insert(function.name().to_string(), line(&report));
        let rows: String = done.iter().map(|(k, r)| format!("{k}\t{r}\n")).collect();
        std::fs::write(&kept, format!("{head}\n{rows}"))
            .map_err(|e| format!("cannot write {}: {e}", kept.display()))?;
    }
    let (have, all) = (done.len(), gristmill_nmath::KERNELS.len());
    let seconds = start.elapsed().as_secs_f64();
    println!("{have} of {all} kernels compared, up to {} inputs each, {seconds:.0} s", o.points);
    if o.write {
        if have < all {
            return Err(format!("docs/verification.md is not written: {} kernels are left; run it again", all - have));
        }
        let path = root.join("docs/verification.md");
        std::fs::write(&path, page(&o, &device, &done)).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    // Also what an earlier slice found.
    Ok(same && !done.values().any(|r| r.split('\t').skip(1).any(|c| !c.ends_with("=0"))))
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}
