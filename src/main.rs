//! The `gristmill` command.
#![forbid(unsafe_code)]
// `println!` and `eprintln!` panic when their reader has gone away: `cli::write_stdout` and `say!` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    // Before anything else: this process may have been started to try a program from disk, and ends here then.
    gristmill::cl_runtime::allow_trials(&[]);
    cli::main()
}
