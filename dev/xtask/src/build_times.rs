//! `cargo xtask bench build`: a release build from nothing, and the crates that took longest.
//!
//! Seconds on a busy machine say little; the processor's seconds, which are summed over all crates, stay about the same.

use crate::process::{Result, cargo, root, run};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench build", about = "A release build from nothing, and where its time goes")]
struct Args {
    /// Build with these features alone, such as `cli`, instead of all
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// How many crates to list
    #[arg(long, default_value_t = 25)]
    top: usize,
}

/// One compilation, as cargo's own report has it.
#[derive(Debug, PartialEq)]
struct Unit {
    name: String,
    start: f64,
    seconds: f64,
}

pub(crate) fn main(words: &[String]) -> Result {
    let args = <Args as clap::Parser>::try_parse_from(std::iter::once(&"build".to_string()).chain(words));
    let args = match args {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => return error.print().map_err(|e| e.to_string()),
        Err(error) => return Err(error.to_string()),
    };
    let target = root().join("target/bench-build");
    if target.exists() {
        std::fs::remove_dir_all(&target).map_err(|e| format!("`{}`: {e}", target.display()))?;
    }
    let mut command =
        cargo(&["build", "--release", "--locked", "--timings", "--package", "gristmill", "--bin", "gristmill"]);
    command.arg("--target-dir").arg(&target);
    if let Some(features) = &args.features {
        command.args(["--no-default-features", "--features", features]);
    }
    let (start, before) = (Instant::now(), processor_seconds());
    run(&mut command)?;
    let wall = start.elapsed().as_secs_f64();
    let mut units = units(&report(&target)?);
    units.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    println!("{:8} {:>8}  crate", "start", "seconds");
    for unit in units.iter().take(args.top) {
        println!("{:8.1} {:8.1}  {}", unit.start, unit.seconds, unit.name);
    }
    let all: f64 = units.iter().map(|u| u.seconds).sum();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{wall:.0} s on {cores} cores for {} compilations of {all:.0} s together", units.len());
    if let (Some(before), Some(after)) = (before, processor_seconds()) {
        println!("{:.0} s of processor time", after - before);
    }
    Ok(())
}

/// The report of the one build in the folder.
fn report(target: &Path) -> Result<String> {
    let folder = target.join("cargo-timings");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut pages: Vec<PathBuf> = files.flatten().map(|f| f.path()).collect();
    pages.sort();
    let page = pages.last().ok_or_else(|| format!("`{}` has no report", folder.display()))?;
    std::fs::read_to_string(page).map_err(|e| format!("`{}`: {e}", page.display()))
}

/// The compilations in cargo's page: the objects of its `UNIT_DATA`, one field to a line.
fn units(page: &str) -> Vec<Unit> {
    let Some((_, data)) = page.split_once("UNIT_DATA = [") else { return Vec::new() };
    let data = data.split("\n];").next().unwrap_or(data);
    let field = |object: &str, name: &str| {
        let line = object.lines().find_map(|l| l.trim().strip_prefix(&format!("\"{name}\": ")).map(str::to_owned));
        line.map(|l| l.trim_end_matches(',').trim_matches('"').to_owned())
    };
    let number = |object: &str, name: &str| field(object, name).and_then(|text| text.parse::<f64>().ok());
    data.split("\n  {")
        .filter_map(|object| {
            // " (custom build)" and the like tell two compilations of one package apart.
            let name = format!("{}{}", field(object, "name")?, field(object, "target").unwrap_or_default());
            Some(Unit { name, start: number(object, "start")?, seconds: number(object, "duration")? })
        })
        .collect()
}

/// The time that processors spent on the children of this process that have ended, where the system tells.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which may contain anything, is in parentheses; then come state, parent and so on. See proc(5): fields 16 and
    // 17 are in ticks, of which there are a hundred in a second on every Linux.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(13);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_of_cargos_page_are_read() {
        let page = "<script>\nconst UNIT_DATA = [\n  {\n    \"i\": 0,\n    \"name\": \"libc\",\n    \"version\": \"0.2.0\",\n    \
                    \"mode\": \"run-custom-build\",\n    \"target\": \" build script (run)\",\n    \"start\": 0.1,\n    \
                    \"duration\": 2.25,\n    \"rmeta_time\": null\n  },\n  {\n    \"i\": 1,\n    \"name\": \"syn\",\n    \
                    \"target\": \"\",\n    \"start\": 1.5,\n    \"duration\": 9.0,\n    \"unblocked_units\": [\n      3\n    ]\n  \
                    }\n];\nconst CONCURRENCY_DATA = [\n];\n";
        let unit = |name: &str, start, seconds| Unit { name: name.to_string(), start, seconds };
        assert_eq!(units(page), [unit("libc build script (run)", 0.1, 2.25), unit("syn", 1.5, 9.0)]);
        assert_eq!(units("nothing"), []);
    }
}
