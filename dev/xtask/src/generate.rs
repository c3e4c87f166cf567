//! `cargo xtask generate`: files that are checked in, but written by a program.

use crate::process::{Result, cargo, run};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Change nothing; fail if a file is not what would be written
    #[arg(long)]
    check: bool,
}

/// One generator each: the package and the example of it that writes the files (with `--check`: compares them).
const GENERATORS: &[(&str, &str)] = &[
    ("gristmill-ckernel", "header"), //
    ("gristmill-kernel", "fuzz_batch"),
    ("gristmill-nmath", "export"),
];

pub(crate) fn generate(check: bool) -> Result {
    for (package, example) in GENERATORS {
        let mut command = cargo(&["run", "--quiet", "--package", package, "--example", example, "--"]);
        if check {
            command.arg("--check");
        }
        run(&mut command)?;
    }
    Ok(())
}

pub(crate) fn main(args: &Args) -> Result {
    generate(args.check)
}
