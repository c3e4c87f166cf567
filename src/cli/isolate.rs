//! A command again, in a process of its own: what crashes there is reported here.
//!
//! The second process says on stdout, in one line, what it is about to do; what follows is the command's own output.

use super::{Outcome, OwnCommand, Result};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// Set for the second process.
const VARIABLE: &str = "GRISTMILL_ISOLATED";

/// How to start this command again.
static PROGRAM: OnceLock<OwnCommand> = OnceLock::new();

/// Says how to start this command again. It can be said once, and a command runs once.
pub(crate) fn start_again_by(program: OwnCommand) {
    let _ = PROGRAM.set(program);
}

/// Whether this is the second process.
pub(crate) fn is_inner() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// In the second process: from here on it ends with the first one, and leaves no temporary files then.
pub(crate) fn end_with_parent() {
    let watch = || {
        // The first process never writes: this returns when it is gone.
        let _ = std::io::stdin().lock().read(&mut [0]);
        gristmill_support::abandon_unfinished();
        std::process::exit(2);
    };
    // Without, a kernel of a command that was killed runs to its end: no reason not to run it.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watch);
}

/// In the second process: what is about to happen, for the message if it ends here.
pub(crate) fn announce(plan: &serde_json::Value) -> Result<()> {
    super::write_stdout(format!("{plan}\n").as_bytes())
}

/// Starts this command again and passes on what it says. `explain` makes the message if a signal ended it, from the signal
/// and what it announced. `None`: no process or no thread can be started.
pub(crate) fn run(explain: impl FnOnce(&str, Option<serde_json::Value>) -> String) -> Option<Result> {
    let (program, arguments) = match PROGRAM.get().and_then(|program| program.0.clone()) {
        Some(named) => named,
        None => (std::env::current_exe().ok()?, std::env::args_os().skip(1).collect()),
    };
    let mut inner = Command::new(program)
        .args(arguments)
        .env(VARIABLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // Held until it has ended: see `end_with_parent`.
    let stdin = inner.stdin.take();
    let stderr = inner.stderr.take()?;
    let mut stdout = BufReader::new(inner.stdout.take()?);
    let Ok(messages) = std::thread::Builder::new().name("messages".into()).spawn(move || pass_messages(stderr)) else {
        // Nobody would read what it says: it ends before it has done anything.
        let _ = inner.kill();
        let _ = inner.wait();
        return None;
    };
    let mut plan = String::new();
    let _ = stdout.read_line(&mut plan);
    // A reader that has gone away is the end of the output, not of the work.
    let _ = std::io::copy(&mut stdout, &mut std::io::stdout().lock());
    let status = inner.wait();
    drop(stdin);
    let _ = messages.join();
    Some(match status {
        Ok(status) => conclude(status, |signal| explain(signal, serde_json::from_str(&plan).ok())),
        Err(e) => Err(e.into()),
    })
}

/// Every line but what a driver's compiler counts by itself: `1 error generated.` The errors are in our message.
fn pass_messages(from: impl Read) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        if !is_tally(&line) {
            let _ = std::io::stderr().write_all(&line);
        }
        line.clear();
    }
}

fn is_tally(line: &[u8]) -> bool {
    let Some(words) = std::str::from_utf8(line).ok().and_then(|l| l.trim_end().strip_suffix(" generated.")) else {
        return false;
    };
    words.split(" and ").all(|part| {
        part.split_once(' ').is_some_and(|(count, what)| {
            count.parse::<u32>().is_ok() && matches!(what, "error" | "errors" | "warning" | "warnings")
        })
    })
}

fn conclude(status: ExitStatus, explain: impl FnOnce(&str) -> String) -> Result {
    match status.code() {
        Some(0) => Ok(Outcome::Fine),
        Some(1) => Ok(Outcome::ProblemsFound),
        // It has said why.
        Some(code) => std::process::exit(code),
        None => Err(explain(&signal_name(status)).into()),
    }
}

#[cfg(unix)]
fn signal_name(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    let number = status.signal().unwrap_or(0);
    match signal_hook::low_level::signal_name(number) {
        Some(name) => format!("signal {number} ({name})"),
        None => format!("signal {number}"),
    }
}

#[cfg(not(unix))]
fn signal_name(_: ExitStatus) -> String {
    "an exception".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tallies_of_a_compiler_are_left_out() {
        for line in ["1 error generated.\n", "2 warnings and 13 errors generated.\n", "1 warning generated."] {
            assert!(is_tally(line.as_bytes()), "{line}");
        }
        for line in ["error: 1 error generated.\n", "code generated.\n", "", "7 pages generated.\n", "\u{fffd}"] {
            assert!(!is_tally(line.as_bytes()), "{line}");
        }
    }
}
