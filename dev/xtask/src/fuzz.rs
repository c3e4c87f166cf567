//! `cargo xtask fuzz`: random kernels, native against interpreter against device, until the time is up.

use crate::process::{Program, Result, run};

pub(crate) const PROGRAM: Program = Program { package: "gristmill-kernel", example: "fuzz" };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long to go on
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// The first seed; without it, the time
    #[arg(long)]
    seed: Option<u64>,
    /// Programs per batch
    #[arg(long, default_value_t = 100)]
    programs: u64,
    /// Inputs per program
    #[arg(long, default_value_t = 500)]
    points: u64,
}

pub(crate) fn main(args: &Args) -> Result {
    let mut command = PROGRAM.command();
    let numbers = [("--seconds", Some(args.seconds)), ("--seed", args.seed)];
    for (name, value) in
        numbers.into_iter().chain([("--programs", Some(args.programs)), ("--points", Some(args.points))])
    {
        if let Some(value) = value {
            command.arg(name).arg(value.to_string());
        }
    }
    run(&mut command)
}
