//! The `gristmill` command.
#![forbid(unsafe_code)]
// `println!` and `eprintln!` panic when their reader has gone away: `cli::write_stdout` and `say!` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
