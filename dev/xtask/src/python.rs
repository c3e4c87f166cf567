//! The Python package: an environment of its own, the wheel, its tests.

use crate::jobs::say;
use crate::process::{Result, root, run, works};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests cannot do without.
const NEEDED: &[&str] = &["maturin>=1.9,<2", "numpy", "pytest", "scipy"];
/// What the package must get along with: a test that needs one of them passes over it where it could not be installed.
const NEIGHBOURS: &[&str] =
    &["pandas", "polars", "pyarrow", "xarray", "dask[array]", "distributed", "pyopencl", "matplotlib"];
/// What the package is measured against.
const RIVALS: &[&str] = &["pandas", "polars", "numexpr"];
/// The minor version of the oldest Python 3 that the package is for, and what its oldest NumPy is called there.
const OLDEST: (u32, &str) = (10, "numpy==1.23.5");
/// Tests that need nothing but NumPy, for the other Pythons: what touches the interpreter and NumPy's C interface.
const ESSENTIAL: &[&str] =
    &["test_ufuncs.py", "test_deferred.py", "test_functions.py", "test_random.py", "test_glm.py"];

/// The environment of the package's tests.
fn environment() -> PathBuf {
    root().join("target/python-package")
}

/// Makes the environment of the tests, with all that they need.
pub(crate) fn prepare(install: bool) -> Result {
    provide(&environment(), install, NEIGHBOURS).map(drop)
}

/// Builds the wheel that is tested, in the environment that was prepared. Unoptimised: it shares what the other tests compiled.
pub(crate) fn wheel() -> Result<PathBuf> {
    let environment = environment();
    build(&environment, &environment.join("bin/python"), "dev")
}

/// Installs the wheel and runs its tests; then those that need NumPy alone on the oldest and the newest Python that can be found.
pub(crate) fn test(wheel: &Path, install: bool) -> Result {
    let python = environment().join("bin/python");
    put(&python, wheel)?;
    run(command(&python, &["-m", "pytest", "--quiet"]).current_dir(root().join("bindings/python")))?;
    test_on_others(&python, wheel, install)
}

/// Writes Python's functions and type stubs, from the compiled package.
pub(crate) fn generate() -> Result {
    prepare(true)?;
    let python = environment().join("bin/python");
    put(&python, &wheel()?)?;
    run(command(&python, &[]).arg(root().join("bindings/python/tools/generate.py")))
}

/// Builds the optimised wheel and runs the measurement; with `--dev` as its first argument the unoptimised one, to see that it works.
pub(crate) fn bench(rest: &[String]) -> Result {
    let (profile, rest) = match rest.split_first() {
        Some((first, rest)) if first == "--dev" => ("dev", rest),
        _ => ("release", rest),
    };
    let environment = root().join("target/python-bench");
    let python = provide(&environment, true, RIVALS)?;
    put(&python, &build(&environment, &python, profile)?)?;
    run(command(&python, &[]).arg(root().join("bindings/python/tools/bench.py")).args(rest))
}

fn build(environment: &Path, python: &Path, profile: &str) -> Result<PathBuf> {
    let wheels = environment.join("wheels");
    // Older wheels of the same name would be ambiguous.
    let _ = std::fs::remove_dir_all(&wheels);
    let manifest = root().join("bindings/python/Cargo.toml");
    run(command(python, &["-m", "maturin", "build", "--profile", profile, "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--out")
        .arg(&wheels)
        .env("CARGO_TARGET_DIR", root().join("target")))?;
    wheels
        .read_dir()
        .map_err(|e| format!("could not read {}: {e}", wheels.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|x| x == "whl"))
        .ok_or_else(|| format!("maturin left no wheel in {}", wheels.display()))
}

fn put(python: &Path, wheel: &Path) -> Result {
    run(command(python, &["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).arg(wheel))
}

/// The same wheel on the oldest Python with the oldest NumPy, and on the newest with the newest.
fn test_on_others(tested: &Path, wheel: &Path, install: bool) -> Result {
    let found = pythons();
    let own = version(tested);
    let names =
        |versions: &mut dyn Iterator<Item = u32>| versions.map(|v| format!("3.{v}")).collect::<Vec<_>>().join(", ");
    say(&format!("xtask: Python {} can be found here", names(&mut found.keys().copied())));
    let ends = [found.first_key_value(), found.last_key_value()];
    for (minor, program) in ends.into_iter().flatten().filter(|(minor, _)| Some(**minor) != own) {
        let numpy = if *minor == OLDEST.0 { OLDEST.1 } else { "numpy" };
        let environment = root().join(format!("target/python-package-3.{minor}"));
        let python = environment.join("bin/python");
        let is_there = works(&python.display().to_string(), &["-c", "import numpy, pytest"]);
        if !is_there && !install {
            say(&format!("xtask: Python 3.{minor} has no environment, and --no-install was given; it is passed over"));
            continue;
        }
        if !is_there {
            let made = run(Command::new(program).args(["-m", "venv"]).arg(&environment))
                .and_then(|()| run(&mut command(&python, &["-m", "pip", "install", "--quiet", numpy, "pytest"])));
            if let Err(reason) = made {
                say(&format!("xtask: Python 3.{minor} has no environment ({reason}); it is passed over"));
                continue;
            }
        }
        put(&python, wheel)?;
        let tests = ESSENTIAL.iter().map(|name| Path::new("tests").join(name));
        run(command(&python, &["-m", "pytest", "--quiet"]).args(tests).current_dir(root().join("bindings/python")))?;
    }
    Ok(())
}

/// The Pythons that can make environments, by minor version: those on the path, and pyenv's.
fn pythons() -> BTreeMap<u32, PathBuf> {
    let pyenv = std::env::var_os("PYENV_ROOT")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".pyenv")))
        .and_then(|folder| folder.join("versions").read_dir().ok());
    let of_pyenv = pyenv.into_iter().flatten().flatten().map(|entry| entry.path().join("bin/python3"));
    let on_path = (OLDEST.0..OLDEST.0 + 20).map(|minor| PathBuf::from(format!("python3.{minor}")));
    let all = on_path.chain([PathBuf::from("python3")]).chain(of_pyenv);
    let mut found = BTreeMap::new();
    for program in all {
        if let Some(minor) = version(&program).filter(|minor| *minor >= OLDEST.0) {
            found.entry(minor).or_insert(program);
        }
    }
    found
}

/// The minor version of a Python 3 that can make environments.
fn version(python: &Path) -> Option<u32> {
    let program = "import ensurepip, sys, venv; print(sys.version_info[1] if sys.version_info[0] == 3 else '')";
    let done = Command::new(python).args(["-c", program]).output().ok().filter(|done| done.status.success())?;
    String::from_utf8_lossy(&done.stdout).trim().parse().ok()
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
    let missing = |package: &&&str| !has(package.split('[').next().unwrap_or(package));
    let wanted: Vec<&&str> = if install { others.iter().filter(missing).collect() } else { Vec::new() };
    // All at once is the quickest; one that cannot be had must not keep the others away.
    let fetch = |packages: &[&&str]| run(command(&python, &["-m", "pip", "install", "--quiet"]).args(packages));
    if wanted.is_empty() || fetch(&wanted).is_ok() {
        return Ok(python);
    }
    for package in wanted {
        if fetch(&[package]).is_err() {
            say(&format!("xtask: {package} could not be installed; the tests that need it are passed over"));
        }
    }
    Ok(python)
}
