//! The command line: one file per command. Data goes to stdout, everything else to stderr.

mod bench;
mod cache;
mod completions;
mod crossover;
mod devices;
mod doctor;
mod eval;
mod findings;
mod functions;
mod glm;
mod kernels;
mod lib;
mod output;
mod program;
mod run;
mod show;
mod source;
mod verify;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Write a numerical kernel once; run the same bits everywhere.
#[derive(Debug, Parser)]
#[command(name = "gristmill", version, about, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

// One line per command, in the order in which `--help` should list them.
#[derive(Debug, Subcommand)]
enum Command {
    /// Evaluate expressions for every row of a table
    Eval(eval::Args),
    /// List the functions that expressions can call, or show one in full
    Functions(functions::Args),
    /// Fit a generalized linear model, or evaluate its posterior at a grid of coefficients
    Glm(Box<glm::Args>),
    /// Run a hand-written kernel over .npy files
    Run(run::Args),
    /// Compare single calls, block loops, strided ckernels, threads and a device, bit by bit
    Verify(verify::Args),
    /// Print a kernel's OpenCL C with everything it needs, or where its Rust source is
    Show(show::Args),
    /// List the OpenCL devices, and mark the one that is used
    Devices(devices::Args),
    /// Look at everything that kernels need, and say what is wrong
    Doctor(doctor::Args),
    /// List, remove or prepare the compiled programs on disk
    Cache(cache::Args),
    /// Order, index, subset, check and annotate libraries of OpenCL files
    Lib(lib::Args),
    /// Assemble the whole program text for a kernel, and check that it is complete
    Program(program::Args),
    /// Measure from how many rows on a device is faster than the CPU
    Bench(bench::Args),
    /// Print a completion script for your shell
    Completions(completions::Args),
}

/// How a command ended that could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: the command ran, and what it looked at has problems.
    ProblemsFound,
}

/// A command that could not run: exit code 2. The message and its causes go to stderr.
pub(crate) type Result<T = Outcome> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Eval(args) => eval::run(&args),
        Command::Functions(args) => functions::run(&args),
        Command::Glm(args) => glm::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Lib(args) => lib::run(&args),
        Command::Program(args) => program::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args),
    };
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::ProblemsFound) => ExitCode::from(1),
        Err(error) => {
            report(error.as_ref());
            ExitCode::from(2)
        }
    }
}

/// Writes data to stdout. A reader that has gone away (`gristmill … | head`) is the end of the work, not an error.
pub(crate) fn write_stdout(data: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(data).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// `error: what`, then one `caused by: why` per cause.
fn report(error: &dyn std::error::Error) {
    eprintln!("error: {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        eprintln!("  caused by: {inner}");
        cause = inner.source();
    }
}
