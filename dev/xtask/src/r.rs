//! The R package: its tests against the workspace's own build, its source package with everything in it, its measurement.

use crate::process::{Result, build_examples, cargo, root, run, works};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run `R CMD check --as-cran` on the package that was made
    #[arg(long)]
    check: bool,
}

/// What a build of the package in place leaves in `src`.
const LEFTOVERS: &[&str] = &["Makevars", "workspace", "target", "cargo-home"];

fn failed<T>(what: &Path) -> impl FnOnce(std::io::Error) -> Result<T> {
    move |e| Err(format!("{}: {e}", what.display()))
}

/// Copies a folder; `wanted` says of every path below it whether it comes along.
fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result {
    std::fs::create_dir_all(to).or_else(failed(to))?;
    let entries = std::fs::read_dir(from).or_else(failed(from))?;
    for entry in entries.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if !wanted(&source) {
            continue;
        }
        if source.is_dir() {
            copy(&source, &target, wanted)?;
        } else {
            std::fs::copy(&source, &target).map(drop).or_else(failed(&source))?;
        }
    }
    Ok(())
}

/// A fresh copy of the package's files in `folder`, with the notices of what it is built from.
fn staged(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<PathBuf> {
    let package = folder.join("gristmill");
    if package.exists() {
        std::fs::remove_dir_all(&package).or_else(failed(&package))?;
    }
    let source = |path: &Path| {
        let is_object = path.extension().is_some_and(|x| x == "o" || x == "so");
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        !is_object && !LEFTOVERS.contains(&name) && wanted(path)
    };
    copy(&root().join("bindings/r"), &package, &source)?;
    let notices = "THIRD-PARTY-NOTICES.md";
    std::fs::copy(root().join(notices), package.join("inst").join(notices)).map(drop).or_else(failed(&package))?;
    Ok(package)
}

/// `R CMD INSTALL` of the package into a library of its own, with the workspace's build of that profile.
fn install(library: &Path, profile: &str) -> Result {
    let package = staged(&root().join("target/r-package"), &|_| true)?;
    std::fs::create_dir_all(library).or_else(failed(library))?;
    let mut command = Command::new("R");
    if profile == "dev" {
        build_examples(&["r_functions"], &["--lib"])?;
        command.env("GRISTMILL_R_LIBRARY", root().join("target/debug/libgristmill_r.a"));
    }
    run(command
        .args(["CMD", "INSTALL", "--no-multiarch"])
        // One word: R ignores `--library DIR` and installs into the machine's own library.
        .arg(format!("--library={}", library.display()))
        .arg(&package)
        .env("GRISTMILL_R_WORKSPACE", root())
        .env("GRISTMILL_R_PROFILE", profile)
        .env("CARGO_TARGET_DIR", root().join("target")))
}

/// The library of R packages that the tests use.
fn tested_library() -> PathBuf {
    root().join("target/r-library")
}

/// Installs the package for its tests. Unoptimised: it shares what the other tests compiled.
pub(crate) fn install_for_tests() -> Result {
    install(&tested_library(), "dev")
}

/// Runs the tests of the installed package, with OpenCL and without.
pub(crate) fn test() -> Result {
    let library = tested_library();
    let nowhere = root().join("target/r-package/no-drivers");
    std::fs::create_dir_all(&nowhere).or_else(failed(&nowhere))?;
    let tests = "options(warn = 1); results <- tinytest::test_package('gristmill', testdir = 'tinytest', at_home = TRUE, verbose = 1); print(summary(results))";
    let command = || {
        let mut command = Command::new("Rscript");
        command.args(["-e", tests]).env("R_LIBS", &library).env("OMP_THREAD_LIMIT", "2").current_dir(&library);
        command
    };
    run(&mut command())?;
    run(command().env("OCL_ICD_VENDORS", &nowhere))
}

/// Ratios of this package's times to those of `stats`, of the optimised build; with `--dev` of the one that the tests use.
pub(crate) fn bench(rest: &[String]) -> Result {
    let is_dev = rest.iter().any(|arg| arg == "--dev");
    let (folder, profile) = if is_dev { ("target/r-library", "dev") } else { ("target/r-library-release", "release") };
    let library = root().join(folder);
    install(&library, profile)?;
    let program = root().join("bindings/r/tools/bench.R");
    run(Command::new("Rscript").arg(program).args(rest).env("R_LIBS", &library))
}

/// The crates that the R library is made of, as folders of the workspace.
fn needed_crates() -> Result<Vec<PathBuf>> {
    let args =
        ["tree", "--package", "gristmill-r", "--edges", "normal,build", "--prefix", "none", "--locked", "--offline"];
    let output = cargo(&args).output().map_err(|e| format!("could not start cargo tree: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let home = format!("{}/", root().display());
    // Ours are followed by their folder: `gristmill-nmath v0.1.0 (/path/crates/nmath)`.
    let folder = |line: &str| Some(PathBuf::from(line.split_once(&format!("({home}"))?.1.split(')').next()?));
    let found: BTreeSet<PathBuf> = text.lines().filter_map(folder).collect();
    Ok(found.into_iter().collect())
}

/// A manifest without what only tests, benches and examples need: their files do not come along.
fn without_tests(manifest: &str) -> String {
    let mut kept = String::new();
    let mut keep = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            let dropped =
                ["[dev-dependencies", "[[bench]]", "[[test]]", "[[example]]", "[target.'cfg(unix)'.dev-dependencies"];
            keep = !dropped.iter().any(|start| line.starts_with(start));
        }
        if keep {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The workspace's manifest with these members alone.
fn trimmed(manifest: &str, members: &[PathBuf]) -> Result<String> {
    let (workspace, _) = manifest.split_once("\n[package]").ok_or("Cargo.toml has no [package]")?;
    let list: Vec<String> = members.iter().map(|m| format!("\"{}\"", m.display())).collect();
    let line = |line: &str| match line {
        _ if line.starts_with("members = ") => Some(format!("members = [{}]", list.join(", "))),
        _ if line.starts_with("default-members = ") => None,
        _ => Some(line.to_string()),
    };
    Ok(workspace.lines().filter_map(line).collect::<Vec<_>>().join("\n") + "\n")
}

/// The workspace as the source package carries it: our crates without their tests, and what they need from others.
fn vendored(folder: &Path) -> Result {
    if folder.exists() {
        std::fs::remove_dir_all(folder).or_else(failed(folder))?;
    }
    let crates = needed_crates()?;
    for member in &crates {
        let (from, to) = (root().join(member), folder.join(member));
        let is_wanted = |path: &Path| {
            let below = path.strip_prefix(&from).unwrap_or(path);
            let first = below.components().next().map(|c| c.as_os_str().to_owned()).unwrap_or_default();
            !["tests", "benches", "examples", "filetests", "target"].iter().any(|skip| first == *skip)
        };
        copy(&from, &to, &is_wanted)?;
        let manifest = to.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).or_else(failed(&manifest))?;
        std::fs::write(&manifest, without_tests(&text)).or_else(failed(&manifest))?;
    }
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).or_else(failed(&root()))?;
    std::fs::write(folder.join("Cargo.toml"), trimmed(&manifest, &crates)?).or_else(failed(folder))?;
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map(drop).or_else(failed(folder))?;
    std::fs::create_dir_all(folder.join(".cargo")).or_else(failed(folder))?;
    let output = Command::new("cargo").args(["vendor", "--quiet", "--offline", "vendor"]).current_dir(folder).output();
    let output = output.map_err(|e| format!("could not start cargo vendor: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo vendor failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let sources = "[source.crates-io]\nreplace-with = \"vendored\"\n\n[source.vendored]\ndirectory = \"vendor\"\n";
    std::fs::write(folder.join(".cargo/config.toml"), sources).or_else(failed(folder))?;
    emptied(folder)
}

/// The systems that the R package is for.
const TARGETS: &[&str] =
    &["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin"];

/// Empties the vendored packages that no target needs (those for Windows are the largest of all): the lock file names them, so
/// cargo wants their manifests, but never compiles them.
fn emptied(folder: &Path) -> Result {
    let mut needed = BTreeSet::new();
    for target in TARGETS {
        let args = ["tree", "--edges", "normal,build", "--prefix", "none", "--offline", "--target", target];
        let output = Command::new("cargo").args(args).current_dir(folder).output();
        let output = output.map_err(|e| format!("could not start cargo tree: {e}"))?;
        if !output.status.success() {
            return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        needed.extend(text.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_string(), words.next()?.trim_start_matches('v').to_string()))
        }));
    }
    let vendor = folder.join("vendor");
    for entry in std::fs::read_dir(&vendor).or_else(failed(&vendor))?.flatten() {
        let package = entry.path();
        let manifest = std::fs::read_to_string(package.join("Cargo.toml")).or_else(failed(&package))?;
        let value = |key: &str| {
            let line = manifest.lines().find(|l| l.starts_with(key))?;
            line.split('"').nth(1).map(str::to_string)
        };
        let (Some(name), Some(version)) = (value("name = "), value("version = ")) else { continue };
        if needed.contains(&(name.clone(), version.clone())) {
            continue;
        }
        let checksums = std::fs::read_to_string(package.join(".cargo-checksum.json")).or_else(failed(&package))?;
        let own =
            checksums.rsplit_once("\"package\":").map(|(_, rest)| rest.trim_end().trim_end_matches('}').to_string());
        let own = own.ok_or_else(|| format!("{}: its checksum is missing", package.display()))?;
        std::fs::remove_dir_all(&package).or_else(failed(&package))?;
        std::fs::create_dir_all(package.join("src")).or_else(failed(&package))?;
        let files = [
            ("Cargo.toml", features_only(&manifest, &name, &version)),
            ("src/lib.rs", String::new()),
            (".cargo-checksum.json", format!("{{\"files\":{{}},\"package\":{own}}}")),
        ];
        for (file, text) in files {
            std::fs::write(package.join(file), text).or_else(failed(&package))?;
        }
    }
    // Cargo reads every manifest once more: what was left out must not be missed.
    let args = ["metadata", "--quiet", "--offline", "--locked", "--format-version", "1"];
    let output = Command::new("cargo").args(args).current_dir(folder).output();
    let output = output.map_err(|e| format!("could not start cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!("the emptied packages cannot be read: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(())
}

/// A manifest whose dependencies and features are kept, because the lock file and other manifests name them, and nothing else.
fn features_only(manifest: &str, name: &str, version: &str) -> String {
    let mut kept = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    let mut keep = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            // Features may name what only the package's tests need.
            let starts = ["[dependencies", "[features", "[target.", "[build-dependencies", "[dev-dependencies"];
            keep = starts.iter().any(|start| line.starts_with(start));
        }
        if keep {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// `cargo xtask r-package`: the source package, in target/r-package.
pub(crate) fn main(args: &Args) -> Result {
    let folder = root().join("target/r-package/release");
    let rust = root().join("bindings/r/src/rust");
    let package = staged(&folder, &|path| !path.starts_with(&rust))?;
    let workspace = folder.join("workspace");
    vendored(&workspace)?;
    let archive = package.join("src/rust/workspace.tar.xz");
    std::fs::create_dir_all(package.join("src/rust")).or_else(failed(&package))?;
    // The same bytes from the same files, whoever makes them and when.
    let same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2026-01-01"];
    run(Command::new("tar")
        .args(same)
        .arg("-cJf")
        .arg(&archive)
        .arg("workspace")
        .current_dir(&folder)
        .env("XZ_OPT", "-9 -T2"))?;
    // The vignettes' engine is the package's own, which R looks for before it installs the package to make them: with the
    // library that is there, because the one of the sources takes many minutes to compile.
    let library = tested_library();
    install(&library, "dev")?;
    run(Command::new("R")
        .args(["CMD", "build", "--no-manual", "gristmill"])
        .env("R_LIBS", &library)
        .env("GRISTMILL_R_LIBRARY", root().join("target/debug/libgristmill_r.a"))
        .current_dir(&folder))?;
    if !args.check {
        return Ok(());
    }
    let version = env!("CARGO_PKG_VERSION");
    run(Command::new("R")
        .args(["CMD", "check", "--as-cran", "--no-manual"])
        .arg(format!("gristmill_{version}.tar.gz"))
        .env("_R_CHECK_CRAN_INCOMING_", "false")
        .env("R_LIBS", &library)
        .current_dir(&folder))
}

/// Whether R and what the tests need of it are here.
pub(crate) fn is_installed() -> bool {
    works("Rscript", &["-e", "library(tinytest)"])
}
