//! `cargo xtask generate`: files that are checked in, but written by a program.

use crate::process::{Program, Result, build_examples, run};
use crate::python;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Change nothing; fail if a file is not what would be written
    #[arg(long)]
    check: bool,
}

/// Each writes its files; with `--check` it compares them.
pub(crate) const GENERATORS: &[Program] = &[
    Program { package: "gristmill-ckernel", example: "header" },
    Program { package: "gristmill-kernel", example: "fuzz_batch" },
    Program { package: "gristmill-nmath", example: "export" },
    Program { package: "gristmill-nmath", example: "picture" },
    Program { package: "gristmill-r", example: "r_functions" },
    crate::accuracy::PROGRAM,
];

/// With `check` every file is looked at, and all that are stale are named.
pub(crate) fn generate(check: bool) -> Result {
    let mut failures: Vec<String> = crate::licences::generate(check).err().into_iter().collect();
    build_examples(&GENERATORS.iter().map(|g| g.example).collect::<Vec<_>>(), &[])?;
    for generator in GENERATORS {
        let mut command = generator.built();
        if check {
            command.arg("--check");
        }
        failures.extend(run(&mut command).err());
        if !check && !failures.is_empty() {
            break;
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

pub(crate) fn main(args: &Args) -> Result {
    generate(args.check)?;
    // Written from the compiled package, which takes another minute; that it is current is one of the package's own tests.
    if args.check { Ok(()) } else { python::generate() }
}
