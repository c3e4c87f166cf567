//! One run of a command that is disturbed, and whether what it left is right.

use super::cases::{Case, Device, Judge};
use super::folder::State;
use crate::process::Result;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Why a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Full,
    Broken,
    /// A signal came: to be done again, for most calls.
    Interrupted,
}

impl Reason {
    /// The system's number, and what it says (on Linux).
    fn error(self) -> (i32, &'static str) {
        match self {
            Reason::Full => (28, "No space left on device"),
            Reason::Broken => (5, "Input/output error"),
            Reason::Interrupted => (4, "Interrupted system call"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Kill,
    Interrupt,
    Terminate,
}

impl Signal {
    fn number(self) -> i32 {
        match self {
            Signal::Kill => 9,
            Signal::Interrupt => 2,
            Signal::Terminate => 15,
        }
    }
}

/// What happens to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// Its n-th change to the folder fails.
    Fail(u64, Reason),
    /// It gets a signal just before its n-th change.
    Tell(u64, Signal),
    /// It gets a signal after some time.
    Moment(Duration, Signal),
}

/// Something that went wrong.
#[derive(Debug)]
pub(super) struct Found {
    case: &'static str,
    disturbance: Disturbance,
    /// The call that was disturbed.
    call: String,
    wrong: String,
    said: String,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Found { case, disturbance, call, wrong, said } = self;
        write!(
            f,
            "  {case}: {disturbance:?} at `{call}`: {wrong}\n    it said: {}",
            said.trim().replace('\n', "\n    ")
        )
    }
}

/// Where commands are disturbed: the program that does it, and a folder for them.
#[derive(Debug)]
pub(super) struct Place {
    gristmill: PathBuf,
    disturber: PathBuf,
    folder: PathBuf,
}

impl Place {
    pub(super) fn new(gristmill: &Path) -> Result<Place> {
        let started = std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos());
        let name = format!("gristmill-torture-{}-{started}", std::process::id());
        // Links in the way would make paths look foreign to the disturber.
        let temporary = std::env::temp_dir();
        let temporary = fs::canonicalize(&temporary).map_err(|e| format!("`{}`: {e}", temporary.display()))?;
        let folder = temporary.join(name);
        fs::create_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
        let disturber = super::compile(&folder)?;
        Ok(Place { gristmill: gristmill.to_path_buf(), disturber, folder })
    }

    /// Prepares a case: its folder before and after, and how long it takes.
    pub(super) fn subject<'a>(&'a self, case: &'a Case) -> Result<Subject<'a>> {
        let mut subject = Subject {
            place: self,
            case,
            work: self.folder.join("work"),
            start: State::default(),
            before: State::default(),
            after: State::default(),
            code: 0,
            places: 0,
            time: Duration::ZERO,
        };
        State::default().put(&subject.work)?;
        fs::create_dir(subject.work.join("tmp")).map_err(|e| format!("tmp: {e}"))?;
        for (name, content) in case.files {
            let path = subject.work.join(name);
            let parent = path.parent().unwrap_or(&subject.work);
            fs::create_dir_all(parent).and_then(|()| fs::write(&path, content)).map_err(|e| format!("{name}: {e}"))?;
        }
        for words in case.prepare {
            let output = subject.run(Command::new(&self.gristmill).args(*words))?;
            if !output.status.success() {
                return Err(format!("{}: `{}` failed: {}", case.name, words.join(" "), said(&output)));
            }
        }
        subject.start = State::of(&subject.work)?;
        subject.before = subject.state()?;
        // Once without being watched, for its time and what it leaves, twice because the first run warms caches.
        for _ in 0..2 {
            subject.start.put(&subject.work)?;
            let start = Instant::now();
            let output = subject.run(&mut subject.command())?;
            subject.time = start.elapsed();
            let code = output.status.code();
            subject.code =
                code.filter(|c| *c < 2).ok_or(format!("{} fails undisturbed: {}", case.name, said(&output)))?;
        }
        subject.after = subject.state()?;
        subject.start.put(&subject.work)?;
        let (_, call) = subject.disturbed(Disturbance::Tell(u64::MAX >> 1, Signal::Kill))?;
        let places = call.strip_prefix("none ").and_then(|n| n.trim().parse().ok());
        subject.places = places.ok_or(format!("{}: the disturber counted nothing: {call}", case.name))?;
        Ok(subject)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What stays is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A case that is ready to be disturbed.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    place: &'a Place,
    case: &'a Case,
    work: PathBuf,
    /// What every run starts from.
    start: State,
    /// What of it is compared.
    before: State,
    after: State,
    /// What it ends with undisturbed.
    code: i32,
    /// Changes to the folder in an undisturbed run.
    pub(super) places: u64,
    /// How long an undisturbed run takes.
    pub(super) time: Duration,
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

impl Subject<'_> {
    fn words(&self) -> Vec<&str> {
        match self.case.shell {
            Some(script) => vec!["-c", script],
            None => self.case.words.to_vec(),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.place.gristmill);
        command.args(self.words());
        command
    }

    /// Runs a command in the folder, without what the user's environment says.
    fn run(&self, command: &mut Command) -> Result<Output> {
        for variable in ["GRISTMILL_DEVICE", "GRISTMILL_CACHE_STRICT", "GRISTMILL_PATH", "GRISTMILL_NO_CACHE"] {
            command.env_remove(variable);
        }
        // What drivers keep, and the key that signs programs, is not what is looked at.
        let elsewhere = self.place.folder.join("elsewhere");
        let temporary = match self.case.device {
            Device::Unused => self.work.join("tmp"),
            Device::Used => elsewhere.join("tmp"),
        };
        fs::create_dir_all(&temporary).map_err(|e| format!("{}: {e}", temporary.display()))?;
        command
            .current_dir(&self.work)
            .env("GRISTMILL_CACHE_DIR", self.work.join("cache"))
            .env("XDG_DATA_HOME", elsewhere.join("data"))
            .env("POCL_CACHE_DIR", elsewhere.join("pocl"))
            .env("TMPDIR", temporary)
            .env("SOURCE_DATE_EPOCH", "1000000000")
            // While the case is prepared it may not be there yet.
            .stdin(match self.case.stdin.map(|name| File::open(self.work.join(name))) {
                Some(Ok(file)) => file.into(),
                _ => Stdio::null(),
            })
            .stderr(Stdio::piped());
        match self.case.stdout {
            Some(name) => {
                let file = File::create(self.work.join(name)).map_err(|e| format!("{name}: {e}"))?;
                command.stdout(file);
            }
            None => {
                command.stdout(Stdio::piped());
            }
        }
        let child = command.spawn().map_err(|e| format!("cannot start {}: {e}", self.case.name))?;
        child.wait_with_output().map_err(|e| e.to_string())
    }

    fn state(&self) -> Result<State> {
        let state = State::of(&self.work)?;
        // The two files of the cache differ from run to run: they are judged by the command itself.
        Ok(if self.case.judge == Judge::Cache { state.without("cache") } else { state })
    }

    /// Runs the command disturbed; also the call at which it was.
    fn disturbed(&self, disturbance: Disturbance) -> Result<(Output, String)> {
        let report = self.place.folder.join("report");
        let (n, how, number) = match disturbance {
            Disturbance::Fail(n, reason) => (n, "error", reason.error().0),
            Disturbance::Tell(n, signal) => (n, "signal", signal.number()),
            Disturbance::Moment(time, signal) => (time.as_micros() as u64, "after", signal.number()),
        };
        fs::write(&report, format!("{n} µs")).map_err(|e| e.to_string())?;
        let mut command = Command::new(&self.place.disturber);
        command.arg(&self.work).arg(&report).args([n.to_string(), how.to_string(), number.to_string()]);
        command.arg(&self.place.gristmill).args(self.words());
        let output = self.run(&mut command)?;
        let call = fs::read_to_string(&report).map_err(|e| e.to_string())?;
        let call = call.replace(&format!("{}/", self.work.display()), "").trim().to_string();
        if output.status.code() == Some(125) {
            return Err(format!("the disturber failed: {}", said(&output)));
        }
        Ok((output, call))
    }

    /// Disturbs the command once, from the start.
    pub(super) fn disturb(&self, disturbance: Disturbance) -> Result<Option<Found>> {
        self.start.put(&self.work)?;
        let (output, call) = self.disturbed(disturbance)?;
        let killed = matches!(disturbance, Disturbance::Tell(_, Signal::Kill) | Disturbance::Moment(_, Signal::Kill));
        let wrong = match disturbance {
            _ if output.status.code().is_none() && killed => self.wrong_after_kill()?,
            Disturbance::Fail(_, reason) => self.wrong_after_failure(&output, &call, reason)?,
            _ => self.wrong_after_signal(&output)?,
        };
        let wrong = wrong.or_else(|| said(&output).contains("panicked").then(|| "it panicked".to_string()));
        Ok(wrong.map(|wrong| Found { case: self.case.name, disturbance, call, wrong, said: said(&output) }))
    }

    /// What is wrong with the folder, which has to be in one of these states.
    fn wrong_state(&self, allowed: &[&State]) -> Result<Option<String>> {
        if self.case.judge == Judge::Redirected {
            return Ok(None);
        }
        let state = self.state()?;
        if allowed.contains(&&state) {
            return self.wrong_cache();
        }
        let (before, after) = (state.differences(&self.before), state.differences(&self.after));
        Ok(Some(match (before.is_empty(), after.is_empty()) {
            (true, _) => "it is as before".to_string(),
            (_, true) => "it is as after".to_string(),
            _ => {
                format!("the folder is neither as before nor as after: against before {before}, against after {after}")
            }
        }))
    }

    /// Whether the cache holds something damaged.
    fn wrong_cache(&self) -> Result<Option<String>> {
        if self.case.judge != Judge::Cache {
            return Ok(None);
        }
        let mut list = Command::new(&self.place.gristmill);
        list.args(["cache", "ls"]);
        let output = self.run(&mut list)?;
        Ok((!output.status.success())
            .then(|| format!("the cache is damaged: {}{}", String::from_utf8_lossy(&output.stdout), said(&output))))
    }

    fn wrong_after_failure(&self, output: &Output, call: &str, reason: Reason) -> Result<Option<String>> {
        let Some(code) = output.status.code() else { return Ok(Some(format!("it ended by {}", output.status))) };
        if code == self.code {
            // It may have found another way, or done without: the outputs show it.
            let is_seen =
                self.case.judge == Judge::Redirected && !call.starts_with("none") && reason != Reason::Interrupted;
            if is_seen {
                return Ok(Some(format!("it ended with {code}, as if nothing had failed")));
            }
            // What could not be removed stays for the next run.
            if call.starts_with("unlink") || call.starts_with("rmdir") {
                return Ok(None);
            }
            let wrong = self.wrong_state(&[&self.after])?;
            return Ok(wrong.map(|wrong| format!("it ended with {code}, but {wrong}")));
        }
        let text = said(output);
        if !text.contains("error: ") || !text.contains(reason.error().1) {
            return Ok(Some(format!("its message does not give the reason, `{}`", reason.error().1)));
        }
        if text.contains("no output was made") && self.before != self.after && self.state()? == self.after {
            return Ok(Some("it says that no output was made, but it was".to_string()));
        }
        // What could not be removed, or be let go, may stay for the next run.
        if call.starts_with("unlink") || call.starts_with("rmdir") {
            return Ok(None);
        }
        // The last step of an output that waits for the disk: the file is there, and only the folder's own entry may be lost.
        if call.starts_with("fsync") && self.is_folder(call) {
            return self.wrong_state(&[&self.before, &self.after]);
        }
        self.wrong_state(&[&self.before])
    }

    /// Whether a call was done to a folder.
    fn is_folder(&self, call: &str) -> bool {
        call.split_once(' ').is_some_and(|(_, path)| self.work.join(path).is_dir())
    }

    fn wrong_after_signal(&self, output: &Output) -> Result<Option<String>> {
        match output.status.code() {
            None => self.wrong_state(&[&self.before, &self.after]),
            Some(code) if code == self.code => self.wrong_state(&[&self.after]),
            Some(code) => Ok(Some(format!("it ended with {code}"))),
        }
    }

    /// Whatever a kill leaves, no output is in part, and the same command completes the work.
    fn wrong_after_kill(&self) -> Result<Option<String>> {
        if self.case.judge == Judge::Redirected {
            return Ok(None);
        }
        let state = self.state()?.without_temporaries();
        let is_done = state == self.after;
        if self.case.judge == Judge::Folder && !is_done && state != self.before {
            let (before, after) = (state.differences(&self.before), state.differences(&self.after));
            return Ok(Some(format!(
                "the folder is neither as before nor as after: against before {before}, against after {after}"
            )));
        }
        if is_done && self.case.is_once {
            return Ok(None);
        }
        let again = self.run(&mut self.command())?;
        if again.status.code() != Some(self.code) {
            return Ok(Some(format!("the next run ended with {}: {}", again.status, said(&again))));
        }
        let wrong = self.wrong_state(&[&self.after])?;
        Ok(wrong.map(|wrong| format!("after the next run {wrong}")))
    }
}
