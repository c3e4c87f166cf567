//! `cargo xtask torture`: every writing command with every change to its files failing, and killed and interrupted there.
//!
//! A case is a command with the folder that it works in. It is run once undisturbed; what the folder holds before and after
//! are the two states in which it may ever be found. Then it is run again and again, each time from the same start, and
//! - its n-th change to the folder (a write, a rename, a wait for the disk, …) fails, for n = 1, 2, 3 … until there is no
//!   n-th: it has to end with an error that gives the system's reason, and the folder be as before;
//! - it is killed there: the same command has to complete the work and leave nothing but its outputs;
//! - it is told to end there, and at random moments: the folder is as before or as after, and nothing else.

mod cases;
mod folder;
mod trial;

use crate::jobs::say;
use crate::process::{Result, build_examples, root};
use cases::{CASES, Case};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use trial::{Disturbance, Found, Place, Reason, Signal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which commands, by a part of the case's name; without a name, all
    cases: Vec<String>,
    /// Stop after about so many seconds; places and moments are then chosen evenly
    #[arg(long)]
    seconds: Option<f64>,
    /// Random moments for each case
    #[arg(long, default_value_t = 100)]
    moments: u64,
    /// The seed of the random moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Another gristmill than the debug build
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
}

/// What the gate spends on it.
const SHORT: f64 = 25.0;

/// A short run, for the gate.
pub(crate) fn short() -> Result {
    main(&Args { cases: Vec::new(), seconds: Some(SHORT), moments: 6, seed: 1, command: None })
}

pub(crate) fn main(args: &Args) -> Result {
    if !cfg!(target_os = "linux") {
        say("torture needs ptrace as Linux has it: nothing was tried");
        return Ok(());
    }
    let gristmill = match &args.command {
        Some(file) => std::path::absolute(file).map_err(|e| format!("`{}`: {e}", file.display()))?,
        None => {
            build_examples(&[], &["--bin", "gristmill"])?;
            let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
            target.join("debug/gristmill")
        }
    };
    let wanted =
        |case: &&Case| args.cases.is_empty() || args.cases.iter().any(|name| case.name.contains(name.as_str()));
    let cases: Vec<&Case> = CASES.iter().filter(wanted).collect();
    if cases.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|c| c.name).collect();
        return Err(format!("no case is called `{}`; there are: {}", args.cases.join(" "), names.join(", ")));
    }
    let place = Place::new(&gristmill)?;
    say(&format!(
        "{:<34} {:>6} {:>6} {:>7} {:>9} {:>8}  found",
        "case", "places", "failed", "killed", "told to", "moments"
    ));
    let start = Instant::now();
    let mut all = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        // What is left of the time, shared among the cases that are left.
        let time = args.seconds.map(|s| (s - start.elapsed().as_secs_f64()).max(0.1) / (cases.len() - i) as f64);
        let report = torture(&place, case, time.map(Duration::from_secs_f64), args)?;
        let found = if report.found.is_empty() { "nothing".to_string() } else { report.found.len().to_string() };
        say(&format!(
            "{:<34} {:>6} {:>6} {:>7} {:>9} {:>8}  {found}",
            case.name, report.places, report.failed, report.killed, report.told, report.moments
        ));
        report.found.iter().take(3).for_each(|f| say(&f.to_string()));
        all.extend(report.found);
    }
    say(&format!("{:.0} s, seed {}", start.elapsed().as_secs_f64(), args.seed));
    if all.is_empty() { Ok(()) } else { Err(format!("{} of the runs went wrong", all.len())) }
}

/// What was tried with a case, and what went wrong.
#[derive(Debug, Default)]
struct Report {
    /// Changes to the folder in an undisturbed run.
    places: u64,
    failed: u64,
    killed: u64,
    told: u64,
    moments: u64,
    found: Vec<Found>,
}

fn torture(place: &Place, case: &Case, time: Option<Duration>, args: &Args) -> Result<Report> {
    let start = Instant::now();
    let subject = place.subject(case)?;
    let mut report = Report { places: subject.places, ..Report::default() };
    let mut disturbances: Vec<Disturbance> = Vec::new();
    for n in 1..=subject.places {
        disturbances.extend([Reason::Full, Reason::Broken, Reason::Interrupted].map(|r| Disturbance::Fail(n, r)));
        disturbances.extend([Signal::Kill, Signal::Interrupt, Signal::Terminate].map(|s| Disturbance::Tell(n, s)));
    }
    let mut random = Random(args.seed | 1);
    // A little beyond the end, so that the last moments have their share.
    let longest = (subject.time.as_micros() as u64).max(1) * 6 / 5;
    for i in 0..args.moments {
        let signal = [Signal::Interrupt, Signal::Terminate, Signal::Kill][i as usize % 3];
        disturbances.push(Disturbance::Moment(Duration::from_micros(random.below(longest)), signal));
    }
    if time.is_some() {
        random.shuffle(&mut disturbances);
    }
    for disturbance in disturbances {
        if time.is_some_and(|time| start.elapsed() > time) {
            break;
        }
        match disturbance {
            Disturbance::Fail(..) => report.failed += 1,
            Disturbance::Tell(_, Signal::Kill) => report.killed += 1,
            Disturbance::Tell(..) => report.told += 1,
            Disturbance::Moment(..) => report.moments += 1,
        }
        report.found.extend(subject.disturb(disturbance)?);
    }
    Ok(report)
}

/// Numbers that are as good as random here: xorshift.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// Compiles the program that disturbs a command.
fn compile(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("nth_call");
    let source = root().join("dev/xtask/src/torture/nth_call.c");
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(source);
    match command.status() {
        Ok(status) if status.success() => Ok(program),
        Ok(status) => Err(format!("nth_call.c does not compile ({status})")),
        Err(e) => Err(format!("torture needs a C compiler: {e}")),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use cases::{Device, Judge};

    fn planted(script: &'static str, judge: Judge) -> Vec<String> {
        let case =
            Case { name: "planted", words: &[], shell: Some(script), files: &[("out", "old")], judge, ..Case::EMPTY };
        let place = Place::new(Path::new("/bin/sh")).expect("a place");
        let args = Args { cases: Vec::new(), seconds: None, moments: 0, seed: 1, command: None };
        let report = torture(&place, &case, None, &args).expect("a run");
        report.found.iter().map(ToString::to_string).collect()
    }

    /// The harness is worth what it catches: commands that write as one should not.
    #[test]
    fn a_command_that_writes_in_two_steps_is_found() {
        let found = planted(
            "printf 1 > out && printf 2 >> out || { echo 'error: No space left on device'; exit 2; }",
            Judge::Folder,
        );
        assert!(found.iter().any(|f| f.contains("neither as before nor as after")), "{found:?}");
    }

    #[test]
    fn a_command_that_hides_a_failed_write_or_leaves_rubbish_is_found() {
        let found = planted("printf 1 > .x; mv .x out; true", Judge::Folder);
        assert!(found.iter().any(|f| f.contains("ended with 0")), "{found:?}");
        assert!(found.iter().any(|f| f.contains(".x")), "{found:?}");
    }

    #[test]
    fn cases_have_names_of_their_own() {
        let mut names: Vec<&str> = CASES.iter().map(|c| c.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CASES.len());
        assert!(CASES.iter().any(|c| c.device == Device::Used));
    }
}
