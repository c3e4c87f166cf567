//! What OpenCL shows of itself, as records for R: `opencl_device_info()`, `sitrep()` and their kin.

use crate::devices;
use crate::text::{Text, records};
use gristmill_cl_runtime::{DeviceInfo, ProgramCache, RuntimeError, self_test, survey};
use gristmill_kernel::Level;
use std::panic::catch_unwind;

/// A record of a device: its fields by the names that R knows (devices.R).
fn device_record(device: &DeviceInfo, chosen: bool) -> Vec<String> {
    vec![
        "device".into(),
        device.index.to_string(),
        device.platform.clone(),
        device.platform_version.clone(),
        device.name.clone(),
        device.vendor.clone(),
        device.kind.name().into(),
        device.version.clone(),
        device.c_version.clone(),
        device.driver.clone(),
        device.compute_units.to_string(),
        device.memory.to_string(),
        device.max_allocation.to_string(),
        device.local_memory.to_string(),
        device.max_work_group.to_string(),
        device.fp64.to_string(),
        device.fp64_exact.to_string(),
        device.unified_memory.to_string(),
        chosen.to_string(),
    ]
}

/// `library` (status, why not), `platform` (name, version, number of devices, error), `device` (see above).
fn survey_text() -> String {
    let chosen = devices::device().ok().map(|d| d.info().index);
    let survey = match survey() {
        Ok(survey) => survey,
        Err(error) => {
            let status = if matches!(error, RuntimeError::NoLibrary { .. }) { "missing" } else { "opened" };
            return records([vec!["library".to_string(), status.to_string(), error.to_string()]]);
        }
    };
    let mut rows = vec![vec!["library".to_string(), "opened".to_string(), String::new()]];
    rows.extend(survey.platforms.iter().map(|p| {
        let error = p.error.as_ref().map(ToString::to_string).unwrap_or_default();
        vec!["platform".to_string(), p.name.clone(), p.version.clone(), p.devices.to_string(), error]
    }));
    rows.extend(survey.devices.iter().map(|d| device_record(d, chosen == Some(d.index))));
    records(rows)
}

/// Status (`ok`, `note`, `problem`), what, found: what a look at the process itself says.
fn check_text() -> String {
    let mut rows: Vec<[String; 3]> = vec![];
    let mut push = |status: &str, what: &str, found: String| rows.push([status.into(), what.into(), found]);
    push("ok", "processor", format!("block loops use {}", Level::best().name()));
    match devices::device() {
        Ok(device) => match self_test(&device) {
            Ok(test) if test.passed() => {
                push("ok", "exact operations", format!("{} inputs: the same bits as on the host", test.inputs));
            }
            Ok(test) => {
                let bad: Vec<String> = test
                    .operations
                    .iter()
                    .filter(|o| o.1 > 0)
                    .map(|o| format!("{} differs on {} inputs", o.0, o.1))
                    .collect();
                push("problem", "exact operations", format!("{}: results on this device will differ", bad.join(", ")));
            }
            Err(error) => push("problem", "exact operations", error.to_string()),
        },
        Err(reason) => push("note", "device", reason),
    }
    match ProgramCache::from_env() {
        None => push("note", "program cache", "off: programs are compiled in every process".into()),
        Some(cache) => match cache.check_writable() {
            Ok(()) => push("ok", "program cache", cache.dir().display().to_string()),
            Err(error) => push("problem", "program cache", format!("{error}; programs are compiled in every process")),
        },
    }
    records(rows)
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_survey_records() -> *mut Text {
    Text::lend(catch_unwind(survey_text).unwrap_or_default())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_check_records() -> *mut Text {
    Text::lend(catch_unwind(check_text).unwrap_or_default())
}
