//! `cargo xtask test`: everything that must pass, on a machine that may have nothing but Rust.

use crate::process::{Result, build_examples, cargo, root, run};
use crate::{python, r, system};
use std::process::Command;

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

pub(crate) fn run_tests(install: bool, packages: &[String]) -> Result {
    system::provide(install)?;
    let is_python = |package: &&String| package.as_str() == PYTHON;
    let of_cargo: Vec<&str> =
        packages.iter().filter(|p| !is_python(p)).flat_map(|p| ["--package", p.as_str()]).collect();
    let scope = if packages.is_empty() { vec!["--workspace"] } else { of_cargo };
    if !scope.is_empty() {
        // Cargo's own runner, so that every machine runs the same thing; tests of one crate share a process and run at once.
        // Not `--all-targets`: that runs the benches too.
        run(cargo(&["test", "--tests"]).args(&scope))?;
        run(cargo(&["test", "--doc"]).args(&scope))?;
    }
    if packages.is_empty() {
        run_examples()?;
    }
    if packages.is_empty() || packages.iter().any(|p| is_python(&p)) {
        python::test(install)?;
    }
    if packages.is_empty() || packages.iter().any(|p| p == R) { r::test() } else { Ok(()) }
}

/// Runs every program in examples/: each asserts what it shows.
fn run_examples() -> Result {
    let folder = root().join("examples");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut names: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned))
        .collect();
    names.sort();
    build_examples(&names.iter().map(String::as_str).collect::<Vec<_>>(), &[])?;
    for name in names {
        run(Command::new(root().join("target/debug/examples").join(name)).current_dir(root()))?;
    }
    Ok(())
}

pub(crate) fn main(args: &Args) -> Result {
    run_tests(!args.no_install, &args.package)
}
