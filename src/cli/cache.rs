//! `gristmill cache`: the programs that are kept on disk.

use super::output::{Format, bytes, count, row, table, write_json};
use super::source::{self, SourceArgs};
use super::{Outcome, Result, write_stdout};
use gristmill::cl_runtime::{CACHE_DIR_VARIABLE, CacheSetting, Device, DeviceOptions, Origin, ProgramCache};
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// How to print
    #[arg(long, value_enum, default_value_t, global = true)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the programs on disk, newest first
    Ls,
    /// Remove all programs from disk
    Clear,
    /// Compile hand-written kernels for a device and keep them on disk, so that their first run does not wait
    Warm(Warm),
}

#[derive(Debug, clap::Args)]
struct Warm {
    /// Files with `__kernel` functions
    #[arg(required = true)]
    kernels: Vec<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    /// The device (default: GRISTMILL_DEVICE)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let cache = ProgramCache::location()
        .ok_or_else(|| format!("there is no home folder to keep programs in; name a folder in {CACHE_DIR_VARIABLE}"))?;
    match &args.action {
        Action::Ls => ls(&cache, args.format),
        Action::Clear => clear(&cache, args.format),
        Action::Warm(warm) => run_warm(warm, &cache, args.format),
    }
}

fn ls(cache: &ProgramCache, format: Format) -> Result {
    let entries = cache.entries()?;
    let damaged = entries.iter().filter(|e| e.content.is_err()).count();
    match format {
        Format::Json => {
            let list: Vec<_> = entries
                .iter()
                .map(|e| {
                    let mut value =
                        json!({ "file": e.path.display().to_string(), "size": e.size, "written": e.modified_unix() });
                    match &e.content {
                        Ok(c) => {
                            value["device"] = json!(c.device);
                            value["platform"] = json!(c.platform);
                            value["driver"] = json!(c.driver);
                            value["options"] = json!(c.options);
                            value["kernels"] = c
                                .kernels
                                .iter()
                                .map(|k| json!({ "name": k.name, "signature": k.to_string() }))
                                .collect();
                        }
                        Err(damage) => value["damage"] = json!(damage.to_string()),
                    }
                    value
                })
                .collect();
            write_json(&json!({ "folder": cache.dir().display().to_string(), "programs": list }))?;
        }
        Format::Text if entries.is_empty() => eprintln!("no programs in {}", cache.dir().display()),
        Format::Text => {
            let mut rows = vec![row(["AGE", "SIZE", "DEVICE", "KERNELS", "OPTIONS"])];
            for e in &entries {
                let mut cells = vec![age(e.modified_unix()), bytes(e.size)];
                match &e.content {
                    Ok(c) => {
                        let names: Vec<&str> = c.kernels.iter().map(|k| k.name.as_str()).collect();
                        let shown = if names.len() > 4 {
                            format!("{}, … ({})", names[..3].join(", "), names.len())
                        } else {
                            names.join(", ")
                        };
                        let added = ["-cl-kernel-arg-info", "-cl-fp32-correctly-rounded-divide-sqrt"];
                        let own: Vec<&str> = c.options.split(' ').filter(|o| !added.contains(o)).collect();
                        cells.extend([c.device.clone(), shown, own.join(" ")]);
                    }
                    Err(damage) => cells.push(format!("({damage})")),
                }
                rows.push(cells);
            }
            write_stdout(table(&rows, &[0, 1]).as_bytes())?;
            eprintln!(
                "{}, {}, in {}",
                count(entries.len(), "program"),
                bytes(entries.iter().map(|e| e.size).sum()),
                cache.dir().display()
            );
        }
    }
    Ok(if damaged == 0 { Outcome::Fine } else { Outcome::ProblemsFound })
}

/// `3 d`
fn age(written: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(written, |d| d.as_secs());
    match now.saturating_sub(written) {
        s if s < 60 => format!("{s} s"),
        s if s < 3600 => format!("{} min", s / 60),
        s if s < 86400 => format!("{} h", s / 3600),
        s => format!("{} d", s / 86400),
    }
}

fn clear(cache: &ProgramCache, format: Format) -> Result {
    let (files, size) = cache.clear()?;
    match format {
        Format::Json => {
            write_json(&json!({ "folder": cache.dir().display().to_string(), "removed": files, "bytes": size }))?
        }
        Format::Text => {
            eprintln!("removed {}, {}, from {}", count(files, "program"), bytes(size), cache.dir().display())
        }
    }
    Ok(Outcome::Fine)
}

fn run_warm(args: &Warm, cache: &ProgramCache, format: Format) -> Result {
    let info = source::device_info(args.device.as_deref())?;
    // Told to keep programs, a cache that cannot is an error, also where GRISTMILL_NO_CACHE is set for other commands.
    let mut options = DeviceOptions::default();
    options.cache = CacheSetting::At(cache.clone().strict(true));
    let device = Device::open_with(&info, options)?;
    let (mut rows, mut list) = (Vec::new(), Vec::new());
    for path in &args.kernels {
        let start = std::time::Instant::now();
        let text = args.source.assemble(path)?.text();
        let program = device.build(&text, &args.source.options()).map_err(|e| format!("{}: {e}", path.display()))?;
        let had = program.origin() == Origin::DiskCache;
        if !had {
            program.save()?;
        }
        let (time, kernels) = (start.elapsed().as_secs_f64() * 1e3, program.kernel_names());
        list.push(
            json!({ "file": path.display().to_string(), "kernels": kernels, "was_cached": had, "time_ms": time }),
        );
        rows.push(vec![
            if had { "had" } else { "built" }.into(),
            format!("{time:.0} ms"),
            path.display().to_string(),
            kernels.join(", "),
        ]);
    }
    match format {
        Format::Json => write_json(&json!({ "folder": cache.dir().display().to_string(), "programs": list }))?,
        Format::Text => write_stdout(table(&rows, &[1]).as_bytes())?,
    }
    Ok(Outcome::Fine)
}
