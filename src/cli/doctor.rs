//! `gristmill doctor`: looks at everything that kernels need, and says what is wrong and what to do.

use super::output::{Format, bytes, count, table, write_json};
use super::{Outcome, Result, write_stdout};
use gristmill::cl_runtime::{
    DEVICE_VARIABLE, Device, DeviceInfo, NO_CACHE_VARIABLE, ProgramCache, RuntimeError, Selector, self_test, survey,
};
use serde_json::json;

/// Look at everything that kernels need, and say what is wrong
///
/// OpenCL's library, its drivers and devices, double precision, a small program on each device, and the folder for compiled
/// programs. Exit code 1 if something has to be mended; for each problem it says what to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Ok,
    Note,
    Problem,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Problem => "problem",
        }
    }
}

struct Check {
    status: Status,
    what: String,
    found: String,
}

fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    processor(&mut checks);
    if let Some(device) = opencl(&mut checks) {
        exactness(&mut checks, &device);
    }
    cache(&mut checks);
    checks
}

/// What was looked at, for bindings: the status (ok, note or problem), what it is about, and what was found.
pub fn findings() -> Vec<(&'static str, String, String)> {
    checks().into_iter().map(|check| (check.status.name(), check.what, check.found)).collect()
}

pub(crate) fn run(args: &Args) -> Result {
    let checks = checks();
    let problems = checks.iter().filter(|c| c.status == Status::Problem).count();
    match args.format {
        Format::Json => {
            let list: Vec<_> = checks
                .iter()
                .map(|c| json!({ "status": c.status.name(), "check": c.what, "found": c.found }))
                .collect();
            write_json(&json!({ "checks": list, "problems": problems }))?;
        }
        Format::Text => {
            let rows: Vec<Vec<String>> =
                checks.iter().map(|c| vec![c.status.name().into(), c.what.clone(), c.found.clone()]).collect();
            write_stdout(table(&rows, &[]).as_bytes())?;
        }
    }
    Ok(if problems == 0 { Outcome::Fine } else { Outcome::ProblemsFound })
}

fn processor(checks: &mut Vec<Check>) {
    #[cfg(target_arch = "x86_64")]
    let (status, found) = if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        (Status::Ok, "x86-64 with AVX2 and FMA: the fast loops are used")
    } else {
        (Status::Note, "x86-64 without AVX2 and FMA: loops are slower, with the same results")
    };
    #[cfg(not(target_arch = "x86_64"))]
    let (status, found) = (Status::Note, "not x86-64: the portable loops are used, with the same results");
    checks.push(Check { status, what: "processor".into(), found: found.into() });
}

/// The device that would be used, if there is one.
fn opencl(checks: &mut Vec<Check>) -> Option<DeviceInfo> {
    let mut push = |status, what: &str, found: String| checks.push(Check { status, what: what.into(), found });
    let survey = match survey() {
        Ok(survey) => survey,
        Err(error @ RuntimeError::NoLibrary { .. }) => {
            push(Status::Problem, "OpenCL library", error.to_string());
            return None;
        }
        Err(error) => {
            push(Status::Ok, "OpenCL library", "opened".into());
            push(Status::Problem, "OpenCL platforms", error.to_string());
            return None;
        }
    };
    push(Status::Ok, "OpenCL library", "opened".into());
    for platform in &survey.platforms {
        let found = format!("{}, {}", platform.name, platform.version);
        match &platform.error {
            Some(error) => push(Status::Problem, "OpenCL platform", format!("{found}: {error}")),
            None if platform.devices == 0 => push(Status::Note, "OpenCL platform", format!("{found}: no device")),
            None => push(Status::Ok, "OpenCL platform", found),
        }
    }
    for device in &survey.devices {
        let (status, precision) = match (device.fp64, device.fp64_exact) {
            (true, true) => (Status::Ok, "double precision"),
            (true, false) => (Status::Note, "double precision, but without fma, subnormals or rounding to nearest"),
            (false, _) => (Status::Note, "no double precision: it cannot run kernels"),
        };
        let found = format!(
            "{}, {}, {} units, {}, {precision}",
            device.name,
            device.kind,
            device.compute_units,
            bytes(device.memory)
        );
        push(status, &format!("device {}", device.index), found);
    }
    let variable = std::env::var(DEVICE_VARIABLE).unwrap_or_default();
    let from = if variable.is_empty() { "not set".to_string() } else { format!("`{variable}`") };
    if survey.devices.is_empty() {
        push(
            Status::Problem,
            "OpenCL devices",
            RuntimeError::NoDevice { platforms: survey.platforms.into_iter().map(|p| p.name).collect() }.to_string(),
        );
        return None;
    }
    match Selector::from_env().and_then(|s| s.choose(&survey.devices, DEVICE_VARIABLE)) {
        Ok(device) => {
            push(Status::Ok, DEVICE_VARIABLE, format!("{from}: device {} is used", device.index));
            Some(device)
        }
        Err(error) => {
            push(Status::Problem, DEVICE_VARIABLE, error.to_string());
            None
        }
    }
}

fn exactness(checks: &mut Vec<Check>, device: &DeviceInfo) {
    let (status, found) = match Device::open(device).and_then(|d| self_test(&d)) {
        Ok(test) if test.passed() => {
            let names: Vec<&str> = test.operations.iter().map(|o| o.0).collect();
            (Status::Ok, format!("{} on {} inputs: the same bits as on the host", names.join(", "), test.inputs))
        }
        Ok(test) => {
            let bad: Vec<String> = test
                .operations
                .iter()
                .filter(|o| o.1 > 0)
                .map(|o| format!("{} differs on {} of {} inputs", o.0, o.1, test.inputs))
                .collect();
            (Status::Problem, format!("{}; results on this device will differ from those on the host", bad.join(", ")))
        }
        Err(error) => (Status::Problem, error.to_string()),
    };
    checks.push(Check { status, what: "exact operations".into(), found });
}

fn cache(checks: &mut Vec<Check>) {
    let mut push = |status, found: String| checks.push(Check { status, what: "program cache".into(), found });
    let Some(cache) = ProgramCache::from_env() else {
        return push(
            Status::Note,
            format!("off ({NO_CACHE_VARIABLE}, or no home folder): programs are compiled in every process"),
        );
    };
    let entries = cache.check_writable().and_then(|()| cache.entries());
    match entries {
        Ok(entries) => {
            let damaged = entries.iter().filter(|e| e.content.is_err()).count();
            let size = bytes(entries.iter().map(|e| e.size).sum());
            let note = if damaged == 0 {
                String::new()
            } else {
                format!(", {damaged} damaged or not ours (rebuilt when needed)")
            };
            let most = bytes(cache.max_size());
            push(
                Status::Ok,
                format!(
                    "{}: {}, {size} of at most {most}{note}",
                    cache.dir().display(),
                    count(entries.len(), "program")
                ),
            );
        }
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|c| format!(": {c}")).unwrap_or_default();
            push(Status::Problem, format!("{error}{cause}; programs are compiled in every process"));
        }
    }
}
