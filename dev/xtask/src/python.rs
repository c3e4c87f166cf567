//! The Python package: an environment of its own, the wheel, its tests.

use crate::process::{Result, root, run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests cannot do without.
const NEEDED: &[&str] = &["maturin>=1.9,<2", "numpy", "pytest", "scipy"];
/// What the package must get along with: a test that needs one of them passes over it where it could not be installed.
const NEIGHBOURS: &[&str] =
    &["pandas", "polars", "pyarrow", "xarray", "dask[array]", "distributed", "pyopencl", "matplotlib"];
/// What the package is measured against.
const RIVALS: &[&str] = &["pandas", "polars", "numexpr"];

/// Builds the wheel (unoptimised: it shares what the other tests compiled), installs it and runs its tests.
pub(crate) fn test(install: bool) -> Result {
    let environment = root().join("target/python-package");
    let python = provide(&environment, install, NEIGHBOURS)?;
    build_and_install(&environment, &python, "dev")?;
    run(command(&python, &["-m", "pytest", "--quiet"]).current_dir(root().join("bindings/python")))
}

/// Builds the optimised wheel and runs the measurement.
pub(crate) fn bench(rest: &[String]) -> Result {
    let environment = root().join("target/python-bench");
    let python = provide(&environment, true, RIVALS)?;
    build_and_install(&environment, &python, "release")?;
    run(command(&python, &[]).arg(root().join("bindings/python/tools/bench.py")).args(rest))
}

fn build_and_install(environment: &Path, python: &Path, profile: &str) -> Result {
    let wheels = environment.join("wheels");
    // Older wheels of the same name would be ambiguous.
    let _ = std::fs::remove_dir_all(&wheels);
    let manifest = root().join("bindings/python/Cargo.toml");
    run(command(python, &["-m", "maturin", "build", "--profile", profile, "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--out")
        .arg(&wheels)
        .env("CARGO_TARGET_DIR", root().join("target")))?;
    let wheel = wheels
        .read_dir()
        .map_err(|e| format!("could not read {}: {e}", wheels.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|x| x == "whl"))
        .ok_or_else(|| format!("maturin left no wheel in {}", wheels.display()))?;
    run(command(python, &["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).arg(wheel))
}

fn command(python: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.args(args);
    command
}

/// The environment's Python; packages that are there already are not fetched again.
fn provide(environment: &Path, install: bool, others: &[&str]) -> Result<PathBuf> {
    let python = environment.join("bin/python");
    let program = python.display().to_string();
    let has = |module: &str| works(&program, &["-c", &format!("import {module}")]);
    let all = ["maturin", "numpy", "pytest", "scipy"].iter().all(|module| has(module));
    if !all && !install {
        return Err(format!(
            "the tests of the Python package need {} in {}, and --no-install was given; leave it out",
            NEEDED.join(", "),
            environment.display()
        ));
    }
    if !all {
        run(Command::new("python3").args(["-m", "venv"]).arg(environment))?;
        run(command(&python, &["-m", "pip", "install", "--quiet"]).args(NEEDED))?;
    }
    for package in others {
        let module = package.split('[').next().unwrap_or(package);
        if install && !has(module) && run(&mut command(&python, &["-m", "pip", "install", "--quiet", package])).is_err()
        {
            eprintln!("xtask: {package} could not be installed; the tests that need it are passed over");
        }
    }
    Ok(python)
}
