//! A program from disk is tried in a process of its own first, where its driver may crash on a bad one.
//!
//! The signature of an entry says who wrote it, not that the driver of today can read it: PoCL trusts the lengths in a
//! binary, and ends the process over a wrong one.

use crate::context::Device;
use crate::device::{DeviceInfo, devices};
use crate::raw;
use std::ffi::CString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Set for the process that tries: the device's number and the length of the options.
const VARIABLE: &str = "GRISTMILL_PROGRAM_TRIAL";
/// A driver takes milliseconds; one that takes longer than this never ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// How to start this program again, if it may be: its file, if that is not the one of this process, and the arguments.
static ARGUMENTS: Mutex<Option<(Option<PathBuf>, Vec<String>)>> = Mutex::new(None);

/// Lets the program cache start this program again, with these arguments, to try a program from disk. The second process
/// must come to the same call, early: it does not return there.
///
/// Without it, programs from disk are not used with drivers that may crash on them (PoCL); they are built, which is slower.
pub fn allow_trials(arguments: &[&str]) {
    if let Some(task) = std::env::var_os(VARIABLE) {
        let passed = task.to_str().is_some_and(|task| serve(task).is_some());
        std::process::exit(if passed { 0 } else { 1 });
    }
    remember(None, arguments);
}

/// As [`allow_trials`], for a process whose file does not start it again: an interpreter, say, in an environment of its own.
/// That call is then made with whatever `program` starts.
pub fn allow_trials_by(program: impl Into<PathBuf>, arguments: &[&str]) {
    remember(Some(program.into()), arguments);
}

fn remember(program: Option<PathBuf>, arguments: &[&str]) {
    let arguments = arguments.iter().map(ToString::to_string).collect();
    *ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner) = Some((program, arguments));
}

/// Loads the binary, as [`Device::build`] would.
fn serve(task: &str) -> Option<()> {
    let (index, options) = task.split_once(' ')?;
    let (index, options): (usize, usize) = (index.parse().ok()?, options.parse().ok()?);
    let mut given = Vec::new();
    std::io::stdin().lock().read_to_end(&mut given).ok()?;
    let (options, binary) = given.split_at_checked(options)?;
    let device = devices().ok()?.into_iter().find(|d| d.index == index)?;
    let context = raw::Context::new(device.id).ok()?;
    let program = raw::Program::from_binary(&context, device.id, binary).ok()?;
    program.build(device.id, &CString::new(options).ok()?).ok()?;
    for name in program.kernel_names().ok()? {
        raw::Kernel::new(&program, &CString::new(name).ok()?).ok()?;
    }
    Some(())
}

/// Whether the driver takes the binary, in a process of its own. `false` also where none can be started.
pub(crate) fn passes(device: &Device, options: &str, binary: &[u8]) -> bool {
    let arguments = ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    arguments
        .is_some_and(|(program, arguments)| run(device.info(), program, &arguments, options, binary).unwrap_or(false))
}

fn run(
    device: &DeviceInfo,
    program: Option<PathBuf>,
    arguments: &[String],
    options: &str,
    binary: &[u8],
) -> std::io::Result<bool> {
    let mut child = Command::new(program.map_or_else(std::env::current_exe, Ok)?)
        .args(arguments)
        .env(VARIABLE, format!("{} {}", device.index, options.len()))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A child that crashed early reads nothing: its end says so.
        let _ = stdin.write_all(options.as_bytes()).and_then(|()| stdin.write_all(binary));
    }
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
