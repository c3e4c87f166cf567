//! `cargo xtask package`: every crate as it would be published, in order; those that need no other are built from it.

use crate::process::{Result, cargo, root, run};

/// What others of ours do not need to be there for: cheap to build from the packaged sources, in CI too.
const LEAVES: &[&str] = &["gristmill-scalar", "gristmill-support", "gristmill-ckernel"];

/// Not published.
const TOOLS: &[&str] = &["xtask", "gristmill-fuzz", "gristmill-python", "gristmill-r"];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build every crate from its packaged sources, not only those that need no other
    #[arg(long)]
    all: bool,
}

pub(crate) fn package(all: bool) -> Result {
    // Cargo orders the crates itself and lets each find the others as if they were published. `--allow-dirty`: what is
    // packaged is the working tree, as everything else that the gate looks at.
    let package = |rest: &[&str]| {
        let mut command = cargo(&["package", "--quiet", "--offline", "--allow-dirty"]);
        // A folder of its own: ckernel's library for C has one name for all builds, and that from the packaged sources would take
        // the place of the workspace's.
        run(command.args(rest).env("CARGO_TARGET_DIR", root().join("target/packages")))
    };
    let mut workspace = vec!["--workspace"];
    workspace.extend(TOOLS.iter().flat_map(|tool| ["--exclude", tool]));
    if all {
        return package(&workspace);
    }
    workspace.push("--no-verify");
    package(&workspace)?;
    package(&LEAVES.iter().flat_map(|leaf| ["--package", leaf]).collect::<Vec<_>>())
}

pub(crate) fn main(args: &Args) -> Result {
    package(args.all)
}
