//! Runs of a target: a parent that keeps what it finds, and children that read.

use crate::mutate::{Rng, damaged};
use crate::targets::{PLANTED, TARGETS, Target};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a child ends with after an input that took too long, and after one that panicked.
const TOO_LONG: i32 = 70;
const PANICKED: i32 = 71;
/// A child ends by itself after so many inputs: memory that leaks would end it otherwise.
const INPUTS_OF_A_CHILD: u64 = 50_000;

/// The folder of this package.
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The seeds of a target.
///
/// # Errors
/// When its folder cannot be read.
pub fn seeds(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    if PLANTED.iter().any(|t| t.name == target.name) {
        return Ok(vec![b"planted".to_vec()]);
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(home().join("corpus").join(target.name))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(std::fs::read).collect()
}

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().chain(PLANTED).find(|t| t.name == name)
}

/// How long an input may take: a second, and a second for each megabyte.
fn allowed(size: usize) -> Duration {
    Duration::from_secs(1) + Duration::from_micros(size as u64)
}

/// How much time this process has computed, where the system tells (on Linux, in hundredths of a second); else how much has
/// passed. On a busy machine a reader that waits for its turn is not one that takes long.
fn computed(since: Instant) -> Duration {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return since.elapsed() };
    // Behind the name, which may have blanks, the 12th and 13th fields: in the program, and in the system for it.
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = behind_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// An input that waits is not computed on: this long it may, whatever the machine does besides.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// Reads inputs from number `first` up to `end`; the number and the input stand in `folder/current` meanwhile. A panic and an
/// input that takes too long end the process.
///
/// # Errors
/// When the seeds or the folder cannot be used.
pub fn child(target: &'static Target, seed: u64, first: u64, end: u64, folder: &Path) -> io::Result<()> {
    static STARTED: Mutex<Option<(Instant, usize)>> = Mutex::new(None);
    let beginning = Instant::now();
    let seeds = seeds(target)?;
    std::thread::spawn(move || {
        // The input that was read when last looked, and what had been computed then.
        let mut seen: Option<(Instant, Duration)> = None;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let Some((at, size)) = STARTED.lock().ok().and_then(|s| *s) else { continue };
            let now = computed(beginning);
            let (_, before) = *seen.insert(seen.filter(|s| s.0 == at).unwrap_or((at, now)));
            if now.saturating_sub(before) > allowed(size) || at.elapsed() > LONGEST_WAIT {
                std::process::exit(TOO_LONG);
            }
        }
    });
    // Parsers by descent need a stack that fits their inputs; the command gives its threads as much.
    let reader = std::thread::Builder::new().stack_size(64 << 20);
    let (folder, run) = (folder.to_path_buf(), target.run);
    let reader = reader.spawn(move || -> io::Result<()> {
        let (file, current) = (folder.join("input"), folder.join("current"));
        for number in first..end {
            let mut rng = Rng::new(seed, number);
            let bytes = damaged(&seeds, target.tokens, &mut rng);
            std::fs::write(&file, &bytes)?;
            std::fs::write(&current, number.to_le_bytes())?;
            if let Ok(mut started) = STARTED.lock() {
                *started = Some((Instant::now(), bytes.len()));
            }
            let done = catch_unwind(AssertUnwindSafe(|| run(&bytes, &file, &mut rng)));
            if let Ok(mut started) = STARTED.lock() {
                *started = None;
            }
            if done.is_err() {
                std::process::exit(PANICKED);
            }
        }
        Ok(())
    })?;
    reader.join().unwrap_or_else(|_| Err(io::Error::other("the reading thread ended")))
}

/// What a run tried and found.
#[derive(Debug, Default)]
pub struct Report {
    /// Inputs that were read.
    pub inputs: u64,
    /// How many ended a child in each way.
    pub found: BTreeMap<&'static str, u64>,
    /// Where they are kept.
    pub kept: Vec<PathBuf>,
}

/// Reads inputs in children until there were `inputs` of them or the time is up.
///
/// # Errors
/// When a child cannot be started, or what was found not be kept.
pub fn parent(program: &Path, target: &Target, seed: u64, inputs: u64, time: Duration) -> io::Result<Report> {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }?;
    let start = Instant::now();
    let mut report = Report::default();
    while report.inputs < inputs && start.elapsed() < time {
        let first = report.inputs;
        let end = inputs.min(first + INPUTS_OF_A_CHILD);
        let mut child = Command::new(program)
            .args(["--child", target.name])
            .args([seed, first, end].map(|n| n.to_string()))
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if start.elapsed() > time {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let number = std::fs::read(folder.path().join("current")).ok().and_then(|b| b.try_into().ok());
        let number = number.map_or(first, u64::from_le_bytes);
        let how = match status {
            None => {
                report.inputs = number;
                break;
            }
            Some(status) if status.success() => {
                report.inputs = end;
                continue;
            }
            Some(status) => match status.code() {
                Some(TOO_LONG) => "too long",
                Some(PANICKED) => "panic",
                Some(2) => return Err(io::Error::other("a child could not start; run it by hand to see why")),
                _ => "death",
            },
        };
        report.inputs = number + 1;
        *report.found.entry(how).or_default() += 1;
        let found = home().join("found").join(target.name);
        std::fs::create_dir_all(&found)?;
        let kept = found.join(format!("{}-{seed}-{number}", how.replace(' ', "-")));
        std::fs::copy(folder.path().join("input"), &kept)?;
        let mut message = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            let _ = io::Read::read_to_string(&mut stderr, &mut message);
        }
        writeln!(
            io::stderr(),
            "{}: {how}: {}\n{}",
            target.name,
            kept.display(),
            message.lines().take(3).collect::<Vec<_>>().join("\n")
        )?;
        report.kept.push(kept);
    }
    Ok(report)
}
