//! The command line: one file per command. Data goes to stdout, everything else to stderr.

// First: what it defines, `say!`, is for all that follow.
#[macro_use]
mod output;

mod bench;
mod cache;
mod check_rules;
mod completions;
mod crossover;
mod devices;
pub mod doctor;
mod eval;
mod findings;
mod functions;
#[cfg(feature = "glm")]
pub mod glm;
mod guide;
mod interrupt;
mod isolate;
mod kernels;
mod library;
mod licences;
mod man;
mod named;
mod new;
mod program;
mod run;
mod show;
mod source;
mod threads;
mod verify;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// R's math library over tables, on CPU threads or an OpenCL device: the same bits everywhere
///
/// `eval` computes expressions such as `pnorm((x - mu) / sd)` for every row of a table, `glm` fits models. The functions
/// are kernels that were written once: the same function runs as a call, as a loop over many values, on threads, and as
/// OpenCL C on a device, with the same results to the last bit. `run`, `lib` and `program` do the same for OpenCL code of
/// your own.
#[derive(Debug, Parser)]
#[command(
    name = "gristmill",
    version,
    max_term_width = 100,
    after_help = "Examples:
  gristmill eval 'p = pbinom(killed, beetles, 0.5)' examples/beetles.csv
  gristmill functions pgamma
  gristmill eval --help",
    after_long_help = "Examples:
  gristmill eval 'p = pbinom(killed, beetles, 0.5)' examples/beetles.csv
                                      a probability for every row of a table
  gristmill functions pgamma          what a function takes and gives
  gristmill eval --help               all about one command

Results go to standard output, everything else to standard error.
Exit codes: 0 all is well; 1 the command ran and found problems; 2 it could not run, and made no output.

Environment:
  GRISTMILL_DEVICE     the OpenCL device to use where none is named (`gristmill devices` lists them)
  GRISTMILL_CACHE_DIR  where compiled programs are kept
  GRISTMILL_CACHE_SIZE how many bytes they may take together, such as 500M (default 256M)
  GRISTMILL_NO_CACHE   compile programs anew every time"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

// In the order in which `--help` should list them. What a command says of itself stands with its arguments: a comment here
// would hide it.
#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Args),
    Functions(functions::Args),
    #[cfg(feature = "glm")]
    Glm(Box<glm::Args>),
    Run(run::Args),
    Verify(verify::Args),
    Show(show::Args),
    Devices(devices::Args),
    Doctor(doctor::Args),
    Cache(cache::Args),
    Lib(library::Args),
    Program(program::Args),
    New(new::Args),
    Guide(guide::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
    Licences(licences::Args),
}

/// How a command ended that could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: the command ran, and what it looked at has problems.
    ProblemsFound,
}

/// A command that could not run: exit code 2. The message and its causes go to stderr.
pub type Result<T = Outcome> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The command with the arguments of this process.
pub fn main() -> ExitCode {
    ExitCode::from(run_as(OwnCommand::default(), std::env::args_os()))
}

/// How this command is started again, where that is not by the file of this process and its arguments.
#[derive(Debug, Clone, Default)]
pub struct OwnCommand(pub Option<(PathBuf, Vec<OsString>)>);

/// The command with these arguments, the first of which is its name: for a process that is more than the command.
///
/// The result is the exit code. It may end the process itself, as `--help` does; so does a signal, from now on.
pub fn run_as(program: OwnCommand, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = Cli::parse_from(arguments);
    isolate::start_again_by(program);
    interrupt::clean_up();
    gristmill::engine::keep_freed_memory();
    gristmill::cl_runtime::on_warning(|text| say!("warning: {text}"));
    let result = match arguments.command {
        Command::Eval(args) => eval::run(&args),
        Command::Functions(args) => functions::run(&args),
        #[cfg(feature = "glm")]
        Command::Glm(args) => glm::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Lib(args) => library::run(&args),
        Command::Program(args) => program::run(&args),
        Command::New(args) => new::run(&args),
        Command::Guide(args) => guide::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Licences(args) => licences::run(&args),
    };
    match result {
        Ok(Outcome::Fine) => 0,
        Ok(Outcome::ProblemsFound) => 1,
        Err(error) => {
            interrupt::wait_if_told();
            report(error.as_ref());
            2
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

/// `error: what`, then one `caused by: why` per cause. In colour on a terminal, unless NO_COLOR says otherwise.
fn report(error: &dyn std::error::Error) {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = std::io::stderr().is_terminal() && !plain;
    let (red, bold, end) = if colour { ("\x1b[1;31m", "\x1b[1m", "\x1b[0m") } else { ("", "", "") };
    let text = error.to_string();
    let (first, rest) =
        text.split_once('\n').map_or((text.as_str(), String::new()), |(first, rest)| (first, format!("\n{rest}")));
    say!("{red}error:{end} {bold}{first}{end}{rest}");
    for cause in gristmill_support::causes(error) {
        say!("  caused by: {cause}");
    }
}
