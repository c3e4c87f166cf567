//! `cargo xtask ci`: what must hold before anything lands.

use crate::jobs::Job;
use crate::process::{Result, cargo, run};
use crate::test::Plan;
use crate::{features, generate, package, torture};
use std::path::Path;

pub(crate) fn main() -> Result {
    let tests = Plan::everything();
    let prepared = tests.prepare();
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]))?;
    features::check()?;
    package::package(false)?;
    doc()?;
    generate::generate(true)?;
    tests.run(prepared, vec![Job::new("torture", torture::short)])
}

/// The documentation without a broken link. To document a crate rustdoc needs those below it, checked; clippy has just done that, and
/// cargo takes its results where the same program with the same arguments would check them now (else all are checked once more).
fn doc() -> Result {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    doc.env("RUSTDOCFLAGS", "--deny warnings");
    let clippy = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("clippy-driver"));
    if let Some(clippy) = clippy.filter(|clippy| clippy.exists()) {
        // How `cargo clippy -- --deny warnings` hands its arguments on.
        let end = "__CLIPPY_HACKERY__";
        doc.env("RUSTC_WORKSPACE_WRAPPER", clippy).env("CLIPPY_ARGS", format!("--deny{end}warnings{end}"));
    }
    run(&mut doc)
}
