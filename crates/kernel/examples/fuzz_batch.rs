//! Writes the random kernels that the tests compile: `cargo run -p gristmill-kernel --example fuzz_batch -- [--check]`.

#[path = "../tests/it/data.rs"]
#[allow(dead_code, unreachable_pub)]
mod data;
#[path = "../tests/it/fuzz/generate.rs"]
#[allow(unreachable_pub)]
mod generate;

use std::process::ExitCode;

fn main() -> ExitCode {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fuzz/batch.rs");
    let text = format!("#![allow(warnings, overflowing_literals, clippy::all)]\n{}", generate::module(1, 40, false));
    if std::env::args().any(|a| a == "--check") {
        if std::fs::read_to_string(path).is_ok_and(|found| found == text) {
            return ExitCode::SUCCESS;
        }
        eprintln!("{path} is not what the generator writes; run `cargo xtask generate`");
        return ExitCode::FAILURE;
    }
    match std::fs::write(path, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("cannot write {path}: {e}");
            ExitCode::FAILURE
        }
    }
}
