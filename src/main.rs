//! The `gristmill` command.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    // Before anything else: this process may have been started to try a program from disk, and ends here then.
    gristmill::cl_runtime::allow_trials(&[]);
    gristmill::cli::main()
}
