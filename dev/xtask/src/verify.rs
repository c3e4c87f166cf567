//! `cargo xtask verify`: every kernel on every path with many inputs, bit by bit; in slices if asked.

use crate::process::{Program, Result, run};

pub(crate) const PROGRAM: Program = Program { package: "gristmill-engine", example: "verification" };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Inputs for each kernel
    #[arg(long, default_value_t = 1_000_000)]
    points: u64,
    /// Stop after so many seconds; the next run goes on from there
    #[arg(long)]
    seconds: Option<u64>,
    /// Seconds for one kernel: those that take longer have fewer inputs
    #[arg(long)]
    each: Option<u64>,
    /// When all kernels are done, write docs/verification.md
    #[arg(long)]
    write: bool,
}

pub(crate) fn main(args: &Args) -> Result {
    let mut command = PROGRAM.optimised();
    command.arg("--points").arg(args.points.to_string());
    if let Some(seconds) = args.seconds {
        command.arg("--seconds").arg(seconds.to_string());
    }
    if let Some(each) = args.each {
        command.arg("--each").arg(each.to_string());
    }
    if args.write {
        command.arg("--write");
    }
    run(&mut command)
}
