//! `cargo xtask test`: everything that must pass, on a machine that may have nothing but Rust.

use crate::jobs::{Job, Started, side_by_side, start};
use crate::process::{Result, build_examples, cargo, root, run};
use crate::{python, r, system};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package whose tests pytest runs.
const PYTHON: &str = "gristmill-python";
/// The package with tests in R besides.
const R: &str = "gristmill-r";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Install nothing: only say what is missing
    #[arg(long)]
    no_install: bool,
    /// Test only these packages (default: the whole workspace)
    #[arg(short, long)]
    package: Vec<String>,
}

/// What is tested, and with which means.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    install: bool,
    packages: Vec<String>,
}

impl Plan {
    /// Everything.
    pub(crate) fn everything() -> Plan {
        Plan { install: true, packages: Vec::new() }
    }

    fn has(&self, package: &str) -> bool {
        self.packages.is_empty() || self.packages.iter().any(|p| p == package)
    }

    /// What cargo is to test; nothing if all that was asked for is in Python.
    fn scope(&self) -> Option<Vec<&str>> {
        if self.packages.is_empty() {
            return Some(vec!["--workspace"]);
        }
        let of_cargo = self.packages.iter().filter(|p| *p != PYTHON);
        let words: Vec<&str> = of_cargo.flat_map(|p| ["--package", p.as_str()]).collect();
        if words.is_empty() { None } else { Some(words) }
    }

    /// Begins to install what the tests need of the machine; meanwhile they can be compiled.
    pub(crate) fn prepare(&self) -> Started {
        let (install, with_python) = (self.install, self.has(PYTHON));
        start(Job::new("what the tests need of the machine", move || {
            system::provide(install)?;
            if with_python { python::prepare(install) } else { Ok(()) }
        }))
    }

    /// Compiles all tests, then runs them side by side; then what else is given.
    pub(crate) fn run(&self, prepared: Started, and: Vec<Job>) -> Result {
        let scope = self.scope();
        let mut programs = match &scope {
            Some(scope) => test_programs(scope)?,
            None => Vec::new(),
        };
        // The longest take most of a minute and stand first, so that none is left for the end alone.
        programs.sort_by_key(|program| LONG.iter().position(|name| *name == program.name).unwrap_or(LONG.len()));
        let examples = if self.packages.is_empty() { build_own_examples()? } else { Vec::new() };
        prepared.finish()?;
        let mut jobs = Vec::new();
        if self.has(R) {
            r::install_for_tests()?;
            jobs.push(Job::new("the tests in R", r::test));
        }
        if self.has(PYTHON) {
            let (wheel, install) = (python::wheel()?, self.install);
            jobs.push(Job::new("the tests in Python", move || python::test(&wheel, install)));
        }
        // What is one long job comes before the many short ones, which fill the end.
        jobs.extend(and);
        if let Some(scope) = scope {
            let mut doc = cargo(&["test", "--doc"]);
            doc.args(scope);
            jobs.push(Job::new("the examples in the documentation", move || run(&mut doc)));
        }
        jobs.extend(programs.into_iter().map(|program| Job::new(program.name.clone(), move || program.run())));
        if !examples.is_empty() {
            let all = move || examples.iter().try_for_each(|e| run(Command::new(e).current_dir(root())));
            jobs.push(Job::new("the programs in examples", all));
        }
        side_by_side(jobs)
    }
}

/// The test programs that take longest, by the names they are reported under.
const LONG: &[&str] = &["gristmill-engine it", "gristmill c_names", "gristmill-kernel it", "gristmill-glm it"];

/// A test program and what cargo would tell it.
#[derive(Debug, PartialEq)]
struct TestProgram {
    /// Its package, and which of its programs.
    name: String,
    program: PathBuf,
    manifest: PathBuf,
}

impl TestProgram {
    fn run(&self) -> Result {
        let folder = self.manifest.parent().unwrap_or(Path::new("."));
        let mut command = Command::new(&self.program);
        command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).env("CARGO_MANIFEST_PATH", &self.manifest);
        if let Some((package, _)) = self.name.split_once(' ') {
            command.env("CARGO_PKG_NAME", package);
        }
        if let Some(cargo) = std::env::var_os("CARGO") {
            command.env("CARGO", cargo);
        }
        run(&mut command)
    }
}

/// Compiles the tests and gives their programs, in cargo's order. (Not `--all-targets`: that has the benches too.)
fn test_programs(scope: &[&str]) -> Result<Vec<TestProgram>> {
    let mut build = cargo(&["test", "--tests", "--no-run", "--message-format", "json-render-diagnostics"]);
    build.args(scope).stdin(Stdio::null()).stderr(Stdio::inherit());
    crate::jobs::say("xtask: cargo test --tests --no-run");
    let output = build.output().map_err(|e| format!("could not start cargo test: {e}"))?;
    if !output.status.success() {
        return Err(format!("the tests cannot be compiled ({})", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(test_program).collect())
}

/// The test program of one of cargo's messages.
fn test_program(message: &str) -> Option<TestProgram> {
    // Enough of JSON for what cargo writes: no name of ours has a character that is escaped.
    let text = |from: &str, key: &str| {
        let (_, rest) = from.split_once(&format!("\"{key}\":\""))?;
        rest.split_once('"').map(|(value, _)| value.to_string())
    };
    // (Its target may be one that can have tests; whether this is them, the profile says.)
    let profile = message.split_once("\"profile\":{").and_then(|(_, rest)| rest.split_once('}'));
    let is_test = message.starts_with("{\"reason\":\"compiler-artifact\"")
        && profile.is_some_and(|(profile, _)| profile.contains("\"test\":true"));
    let program = text(message, "executable").filter(|_| is_test)?;
    let manifest = PathBuf::from(text(message, "manifest_path")?);
    let (_, target) = message.split_once("\"target\":{")?;
    let package = package_name(&manifest)?;
    let name = format!("{package} {}", text(target, "name")?);
    Some(TestProgram { name, program: program.into(), manifest })
}

/// What a manifest calls its package.
fn package_name(manifest: &Path) -> Option<String> {
    let text = std::fs::read_to_string(manifest).ok()?;
    let (_, package) = text.split_once("[package]")?;
    package.lines().find_map(|line| line.strip_prefix("name = ")).map(|name| name.trim_matches('"').to_string())
}

/// Examples that a test links or runs: `cargo test --tests` does not build them, and the test would, with a target folder of its own.
const FOR_TESTS: &[&str] = &["c_peer"];

/// Builds every program in examples/, each of which asserts what it shows; with them what tests need besides, and the bindings' libraries,
/// whose dependencies are the tests'.
fn build_own_examples() -> Result<Vec<PathBuf>> {
    let folder = root().join("examples");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut names: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned))
        .collect();
    names.sort();
    let all: Vec<&str> = names.iter().map(String::as_str).chain(FOR_TESTS.iter().copied()).collect();
    build_examples(&all, &["--lib"])?;
    Ok(names.into_iter().map(|name| root().join("target/debug/examples").join(name)).collect())
}

pub(crate) fn main(args: &Args) -> Result {
    let plan = Plan { install: !args.no_install, packages: args.package.clone() };
    plan.run(plan.prepare(), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_program_is_read_from_cargos_message() {
        let manifest = root().join("crates/nmath/Cargo.toml");
        let message = |test: &str, executable: &str| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"package_id\":\"x\",\"manifest_path\":\"{}\",\
                 \"target\":{{\"kind\":[\"test\"],\"crate_types\":[\"bin\"],\"name\":\"it\",\"src_path\":\"y\",\"test\":true}},\
                 \"profile\":{{\"opt_level\":\"1\",\"debug_assertions\":true,\"test\":{test}}},\"features\":[],\
                 \"filenames\":[],\"executable\":{executable},\"fresh\":true}}",
                manifest.display()
            )
        };
        let expected =
            TestProgram { name: "gristmill-nmath it".into(), program: "/t/it-1".into(), manifest: manifest.clone() };
        assert_eq!(test_program(&message("true", "\"/t/it-1\"")), Some(expected));
        assert_eq!(test_program(&message("false", "\"/t/it-1\"")), None);
        assert_eq!(test_program(&message("true", "null")), None);
        assert_eq!(test_program("{\"reason\":\"build-finished\",\"success\":true}"), None);
    }

    #[test]
    fn a_plan_for_python_alone_compiles_no_tests() {
        let plan =
            |packages: &[&str]| Plan { install: false, packages: packages.iter().map(|p| p.to_string()).collect() };
        assert_eq!(plan(&[PYTHON]).scope(), None);
        assert_eq!(plan(&[]).scope(), Some(vec!["--workspace"]));
        assert_eq!(plan(&[R, PYTHON]).scope(), Some(vec!["--package", R]));
    }
}
