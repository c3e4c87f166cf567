//! `cargo xtask fuzz`: damaged inputs for every reader and parser, and random kernels, native against interpreter against
//! device, compiled by rustc and as texts at run time. Prints what was tried and found for each.

use crate::process::{Program, Result, cargo, root, run};

pub(crate) const PROGRAM: Program = Program { package: "gristmill-kernel", example: "fuzz" };

/// The same programs as texts at run time.
pub(crate) const AT_RUN_TIME: Program = Program { package: "gristmill-kernel-jit", example: "jit_fuzz" };

/// The target that is not one of damaged inputs: random kernels.
const KERNELS: &str = "kernels";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to feed: csv, tsv, npy, npz, parquet, arrow, arrow_stream, compressed, rds, annotations, opencl, expression,
    /// formula, kernel_language, kernel_text, type_text, manifest, index, or `kernels` (default: all of them)
    targets: Vec<String>,
    /// How long to go on, over all targets
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Inputs for each reader and parser, instead of a time
    #[arg(long)]
    inputs: Option<u64>,
    /// The first seed; without it, 1 for damaged inputs and the time for kernels
    #[arg(long)]
    seed: Option<u64>,
    /// Random kernels per batch
    #[arg(long, default_value_t = 100)]
    programs: u64,
    /// Inputs per random kernel
    #[arg(long, default_value_t = 500)]
    points: u64,
}

/// How many targets the fuzzing program has, so that each gets its part of the time: each has a folder of seeds.
fn readers() -> usize {
    std::fs::read_dir(root().join("fuzz/corpus")).map_or(1, Iterator::count)
}

pub(crate) fn main(args: &Args) -> Result {
    let named: Vec<&String> = args.targets.iter().filter(|t| *t != KERNELS).collect();
    let all = args.targets.is_empty();
    let with_kernels = all || args.targets.iter().any(|t| t == KERNELS);
    let count = if all { readers() } else { named.len() } + usize::from(with_kernels);
    let seconds = (args.minutes * 60.0 / count.max(1) as f64).max(1.0) as u64;
    let mut failed = Vec::new();
    if all || !named.is_empty() {
        let mut command = cargo(&["run", "--quiet", "--package", "gristmill-fuzz", "--bin", "fuzz", "--"]);
        command.args(&named);
        match args.inputs {
            Some(inputs) => command.args(["--inputs", &inputs.to_string()]),
            None => command.args(["--seconds", &seconds.to_string()]),
        };
        if let Some(seed) = args.seed {
            command.args(["--seed", &seed.to_string()]);
        }
        failed.extend(run(&mut command).err());
    }
    if with_kernels {
        // Half of the time for each: rustc takes most of its half.
        let half = (seconds / 2).max(1);
        for (program, points) in [(PROGRAM, args.points), (AT_RUN_TIME, args.points.min(40))] {
            let mut command = program.command();
            let numbers = [("--seconds", Some(half)), ("--seed", args.seed)];
            let sizes = [("--programs", Some(args.programs)), ("--points", Some(points))];
            for (name, value) in numbers.into_iter().chain(sizes) {
                if let Some(value) = value {
                    command.arg(name).arg(value.to_string());
                }
            }
            failed.extend(run(&mut command).err());
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}
