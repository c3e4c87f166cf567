//! Measurements of devices on disk, and the choice between CPU and device that leans on them.

use super::Result;
use gristmill::cl_runtime::{CACHE_DIR_VARIABLE, DeviceInfo, ProgramCache};
use gristmill::engine::Crossover;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The file's name, in the folder of the compiled programs.
const FILE: &str = "crossover.json";

/// Where measurements are kept.
fn cache() -> Result<ProgramCache> {
    Ok(ProgramCache::location()
        .ok_or_else(|| format!("there is no folder for measurements: set {CACHE_DIR_VARIABLE} to one"))?)
}

fn is_of(entry: &Value, device: &DeviceInfo, threads: usize) -> bool {
    entry["device"] == device.label() && entry["driver"] == device.driver && entry["threads"] == threads
}

fn entries() -> Result<Vec<Value>> {
    let Some(text) = cache()?.read_file(FILE)? else { return Ok(Vec::new()) };
    // A file that is not ours, or of another version, is the same as none: it is measured anew.
    let entries = serde_json::from_slice::<Value>(&text).ok().filter(|v| v["version"] == 1);
    Ok(entries.and_then(|v| v["measurements"].as_array().cloned()).unwrap_or_default())
}

/// Keeps a measurement, in place of an older one of the same device, driver and number of threads.
pub(crate) fn store(device: &DeviceInfo, measured: &Crossover) -> Result<PathBuf> {
    let mut entries = entries()?;
    entries.retain(|e| !is_of(e, device, measured.threads));
    entries.push(json!({
        "device": device.label(),
        "driver": device.driver,
        "threads": measured.threads,
        "build_seconds": measured.build,
        "launch_seconds": measured.launch,
        "seconds_per_byte": measured.per_byte,
        "speed": measured.speed,
    }));
    let text = serde_json::to_string_pretty(&json!({ "version": 1, "measurements": entries }))?;
    let cache = cache()?;
    cache.write_file(FILE, format!("{text}\n").as_bytes())?;
    Ok(cache.dir().join(FILE))
}

/// The stored measurement of a device, if there is one.
pub(crate) fn load(device: &DeviceInfo, threads: usize) -> Result<Option<Crossover>> {
    let number = |entry: &Value, key: &str| entry[key].as_f64().filter(|x| x.is_finite() && *x >= 0.0);
    // A file that cannot be read, or is not ours, is the same as none too.
    let entries = entries().unwrap_or_default();
    let Some(entry) = entries.iter().find(|e| is_of(e, device, threads)) else { return Ok(None) };
    let read = || {
        Some(Crossover {
            threads,
            build: number(entry, "build_seconds")?,
            launch: number(entry, "launch_seconds")?,
            per_byte: number(entry, "seconds_per_byte")?,
            speed: number(entry, "speed")?,
        })
    };
    Ok(read())
}
