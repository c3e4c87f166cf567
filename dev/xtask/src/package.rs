//! `cargo xtask package`: every crate as it would be published, in order; those that need no other are built from it.

use crate::process::{Result, cargo, run};

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
    let mut workspace = vec!["package", "--quiet", "--offline", "--allow-dirty", "--workspace"];
    workspace.extend(TOOLS.iter().flat_map(|tool| ["--exclude", tool]));
    if all {
        return run(&mut cargo(&workspace));
    }
    run(cargo(&workspace).arg("--no-verify"))?;
    let mut leaves = cargo(&["package", "--quiet", "--offline", "--allow-dirty"]);
    run(leaves.args(LEAVES.iter().flat_map(|leaf| ["--package", leaf])))
}

pub(crate) fn main(args: &Args) -> Result {
    package(args.all)
}
