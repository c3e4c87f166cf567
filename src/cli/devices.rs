//! `gristmill devices`: what OpenCL offers, and which device would be used.

use super::output::{Format, bytes, row, table, write_json};
use super::{Outcome, Result, write_stdout};
use gristmill::cl_runtime::{DEVICE_VARIABLE, Device, DeviceInfo, Selector, devices};
use serde_json::json;

/// List the OpenCL devices, and mark the one that is used
///
/// `--device` and GRISTMILL_DEVICE name one by its number in this list, by `cpu` or `gpu`, or by a part of its name.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let devices = match devices() {
        Ok(devices) => devices,
        // For a program, no OpenCL is an answer: an empty list, and why.
        Err(error) if args.format == Format::Json => {
            let reason = error.to_string();
            write_json(&json!({ "devices": [], "selected": null, "selection_error": reason }))?;
            return Ok(Outcome::ProblemsFound);
        }
        Err(error) => return Err(error.into()),
    };
    // A selector that fits nothing is not this command's failure: the list is what its author needs now.
    let chosen = Selector::from_env().and_then(|s| s.choose(&devices, DEVICE_VARIABLE));
    let selected = chosen.as_ref().ok().map(|d| d.index);
    match args.format {
        Format::Json => {
            let list: Vec<_> = devices.iter().map(to_json).collect();
            let error = chosen.as_ref().err().map(ToString::to_string);
            write_json(&json!({ "devices": list, "selected": selected, "selection_error": error }))?;
        }
        Format::Text => {
            let mut rows = vec![row(["", "", "KIND", "FP64", "UNITS", "MEMORY", "NAME", "PLATFORM", "DRIVER"])];
            for d in &devices {
                rows.push(vec![
                    if selected == Some(d.index) { "*".into() } else { String::new() },
                    d.index.to_string(),
                    d.kind.to_string(),
                    if d.fp64 { "yes" } else { "no" }.into(),
                    d.compute_units.to_string(),
                    bytes(d.memory),
                    d.name.clone(),
                    d.platform.clone(),
                    d.driver.clone(),
                ]);
            }
            write_stdout(table(&rows, &[1, 4, 5]).as_bytes())?;
        }
    }
    match chosen {
        Ok(_) => Ok(Outcome::Fine),
        Err(error) => {
            say!("error: {error}");
            Ok(Outcome::ProblemsFound)
        }
    }
}

/// The device that `--device` names, or else GRISTMILL_DEVICE; `None` if neither does. An empty variable names none.
pub(crate) fn wanted(option: Option<&str>) -> Result<Option<Wanted>> {
    match option {
        Some(text) => Ok(Some(Wanted { text: text.into(), from: "--device" })),
        None => match std::env::var_os(DEVICE_VARIABLE).filter(|text| !text.to_string_lossy().trim().is_empty()) {
            None => Ok(None),
            Some(text) => match text.into_string() {
                Ok(text) => Ok(Some(Wanted { text, from: DEVICE_VARIABLE })),
                Err(text) => Err(format!("{DEVICE_VARIABLE} is `{}`, but must be text", text.to_string_lossy()).into()),
            },
        },
    }
}

/// A device that somebody named, and where.
pub(crate) struct Wanted {
    text: String,
    from: &'static str,
}

impl Wanted {
    /// Whether the choice is left to us.
    pub(crate) fn is_auto(&self) -> bool {
        self.text.trim().eq_ignore_ascii_case("auto")
    }

    /// Opens it. Errors say where it was named.
    pub(crate) fn open(&self) -> Result<Device> {
        Ok(Device::open(&Selector::parse(&self.text, self.from)?.choose(&devices()?, self.from)?)?)
    }
}

pub(crate) fn to_json(d: &DeviceInfo) -> serde_json::Value {
    json!({
        "index": d.index,
        "platform": d.platform,
        "platform_version": d.platform_version,
        "name": d.name,
        "vendor": d.vendor,
        "kind": d.kind.name(),
        "version": d.version,
        "c_version": d.c_version,
        "driver": d.driver,
        "compute_units": d.compute_units,
        "memory": d.memory,
        "max_allocation": d.max_allocation,
        "local_memory": d.local_memory,
        "max_work_group": d.max_work_group,
        "fp64": d.fp64,
        "fp64_exact": d.fp64_exact,
        "fp32_exact_divide": d.fp32_exact_divide,
        "unified_memory": d.unified_memory,
        "available": d.available,
        "compiler": d.compiler,
    })
}
