//! Running other programs, and saying so.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map(PathBuf::from).unwrap_or(here)
}

/// A `cargo` command in the workspace's root.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Prints the command, runs it, and makes a failure an error that names it.
pub(crate) fn run(command: &mut Command) -> Result {
    let line = describe(command);
    eprintln!("xtask: {line}");
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).status().map_err(|e| format!("could not start `{line}`: {e}"))?;
    if !status.success() {
        return Err(format!("`{line}` failed ({status})"));
    }
    eprintln!("xtask: done in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// True when `program ARGS` starts and succeeds; its output is not shown.
pub(crate) fn works(program: &str, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
