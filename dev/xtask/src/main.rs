//! The project's own commands. `cargo xtask --help` lists them.
#![forbid(unsafe_code)]

mod accuracy;
mod against;
mod bench;
mod build_times;
mod ci;
mod features;
mod fuzz;
mod generate;
mod jobs;
mod licences;
mod package;
mod process;
mod python;
mod r;
#[cfg(test)]
mod references;
mod system;
mod test;
mod torture;
mod verify;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "The project's own commands")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Install what the tests need and the machine lacks, then run all tests
    Test(test::Args),
    /// What continuous integration runs: formatting, lints, docs, generated files, tests
    Ci,
    /// Write the generated files (C header, exported .cl trees, docs, R's and Python's functions); with --check, say which are stale
    Generate(generate::Args),
    /// Measure, and print ratios of one run
    Bench(bench::Args),
    /// Package every crate as it would be published, and build those that need no other from it
    Package(package::Args),
    /// Make the source package of the R package: all Rust sources in it, so that it builds without a network
    RPackage(r::Args),
    /// Feed every reader and parser damaged inputs, and compare random kernels natively, interpreted and on the device
    Fuzz(fuzz::Args),
    /// Fail every change that a command makes to files, and kill and interrupt it there: nothing may be lost or left
    Torture(torture::Args),
    /// Print how far every function is from the truth, in ulps; with --write, into docs/accuracy.md
    Accuracy(accuracy::Args),
    /// Compare every kernel on every path, bit by bit, with a million inputs; with --write, into docs/verification.md
    Verify(verify::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Test(args) => test::main(&args),
        Command::Ci => ci::main(),
        Command::Generate(args) => generate::main(&args),
        Command::Bench(args) => bench::main(&args),
        Command::Package(args) => package::main(&args),
        Command::RPackage(args) => r::main(&args),
        Command::Fuzz(args) => fuzz::main(&args),
        Command::Torture(args) => torture::main(&args),
        Command::Accuracy(args) => accuracy::main(&args),
        Command::Verify(args) => verify::main(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
