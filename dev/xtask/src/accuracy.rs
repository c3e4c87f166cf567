//! `cargo xtask accuracy`: how far every function is from the truth.

use crate::process::{Program, Result, run};

pub(crate) const PROGRAM: Program = Program { package: "gristmill-nmath", example: "accuracy" };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which functions; without a name, all
    functions: Vec<String>,
    /// Write docs/accuracy.md instead of printing
    #[arg(long, conflicts_with_all = ["functions", "points"])]
    write: bool,
    /// Also print the worst points of each function named
    #[arg(long)]
    points: bool,
    /// Measure on the points of FOLDER/values (made by dev/oracle/sweep.py) instead of dev/oracle/values
    #[arg(long, value_name = "FOLDER", conflicts_with = "write")]
    from: Option<std::path::PathBuf>,
}

pub(crate) fn main(args: &Args) -> Result {
    let mut command = PROGRAM.command();
    if !args.write {
        command.arg("--print");
    }
    if args.points {
        command.arg("--points");
    }
    if let Some(folder) = &args.from {
        // The example runs elsewhere than the caller.
        command.arg("--from").arg(std::path::absolute(folder).map_err(|e| format!("`{}`: {e}", folder.display()))?);
    }
    run(command.args(&args.functions))
}
