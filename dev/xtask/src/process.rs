//! Running other programs, and saying so.

use crate::jobs::{redirect, say};
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

/// A program of one of the workspace's packages that a command runs: an example of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program {
    pub(crate) package: &'static str,
    pub(crate) example: &'static str,
}

impl Program {
    /// The program that a build left, to which arguments may be added.
    pub(crate) fn built(self) -> Command {
        Command::new(root().join("target/debug/examples").join(self.example))
    }

    /// The command, to which arguments may be added.
    pub(crate) fn command(self) -> Command {
        cargo(&["run", "--quiet", "--package", self.package, "--example", self.example, "--"])
    }

    /// The same, of the release build.
    pub(crate) fn optimised(self) -> Command {
        cargo(&["run", "--quiet", "--release", "--package", self.package, "--example", self.example, "--"])
    }
}

/// A small example that is built already.
const ANY: &str = "header";

/// Builds examples with the whole workspace, whose features are those of the tests: a package alone would compile what it stands on
/// once more. `and`: with `--lib` the bindings' libraries are built likewise, with `--bin NAME` a program. (There is always an example
/// among it, or cargo would leave out what the tests depend on, and its features.)
pub(crate) fn build_examples(names: &[&str], and: &[&str]) -> Result {
    let mut build = cargo(&["build", "--quiet", "--workspace"]);
    for name in if names.is_empty() { &[ANY] } else { names } {
        build.args(["--example", name]);
    }
    run(build.args(and))
}

/// Prints the command, runs it (in a job, what it prints goes where the job does), and makes a failure an error that names it.
pub(crate) fn run(command: &mut Command) -> Result {
    let line = describe(command);
    say(&format!("xtask: {line}"));
    redirect(command);
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).status().map_err(|e| format!("could not start `{line}`: {e}"))?;
    if !status.success() {
        return Err(format!("`{line}` failed ({status})"));
    }
    say(&format!("xtask: done in {:.1} s", start.elapsed().as_secs_f64()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{accuracy, bench, fuzz, generate, verify};

    /// Whether the package has a program of this kind and name, by what `cargo metadata` prints.
    fn has(metadata: &str, package: &str, kind: &str, name: &str) -> bool {
        // (Where a package is a dependency, no version follows its name.)
        let Some(start) = metadata.find(&format!("{{\"name\":\"{package}\",\"version\"")) else { return false };
        let rest = &metadata[start..];
        let targets = rest.split("\"targets\":[").nth(1).and_then(|t| t.split("\"features\":").next());
        let target = format!("\"kind\":[\"{kind}\"],\"crate_types\":[\"bin\"],\"name\":\"{name}\"");
        targets.is_some_and(|t| t.contains(&target))
    }

    #[test]
    fn every_program_behind_a_command_is_there() {
        let output = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]).output().expect("cargo");
        let metadata = String::from_utf8_lossy(&output.stdout);
        let programs = [accuracy::PROGRAM, fuzz::PROGRAM, fuzz::AT_RUN_TIME, verify::PROGRAM];
        for Program { package, example } in programs.iter().chain(generate::GENERATORS) {
            assert!(has(&metadata, package, "example", example), "{package} has no example `{example}`");
        }
        for (name, package, target, _) in bench::BENCHES {
            assert!(has(&metadata, package, "bench", target), "{package} has no bench `{target}` for `{name}`");
        }
        assert!(!has(&metadata, "gristmill-engine", "example", "header"), "it belongs to another package");
    }
}
