//! `gristmill program KERNEL.cl --library DIR`: the whole text that a device compiles.

use super::check_rules::CheckArgs;
use super::findings::{self, Format};
use super::source::ProgramArgs;
use super::{Outcome, Result, kernels};
use gristmill_cl_library::{Diagnostic, LibraryError, ProgramPiece, ProgramSource, Severity, write_atomically};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Assemble the whole program text for a kernel, and check that it is complete
///
/// The text is what a device compiles: the configuration, the pieces of the library that the kernel needs in the order in
/// which they need each other, and the kernel. Nothing is compiled here.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernel: a .cl file, with --package a path in the package's tree, or PACKAGE::PATH
    #[arg(value_name = "KERNEL.cl")]
    kernel: String,
    #[command(flatten)]
    program: ProgramArgs,
    /// Define a macro for the check, as the build will: NAME or NAME=VALUE
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    #[command(flatten)]
    check: CheckArgs,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print the program
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let program = match args.program.assemble(&args.kernel) {
        Ok(assembled) => assembled.program,
        Err(error) => {
            let read =
                |file: &str| std::fs::read(file).map(|b| gristmill_cl_library::decode(b).text).unwrap_or_default();
            let Some(found) = error.downcast_ref::<LibraryError>().and_then(|e| findings::from_error(e, read)) else {
                let is_built_in = !args.kernel.contains("::") && kernels::find(&args.kernel).is_ok();
                if is_built_in && !Path::new(&args.kernel).exists() {
                    let help = format!("`gristmill show {}` prints a built-in kernel", args.kernel);
                    return Err(format!("there is no file {}\n  help: {help}", args.kernel).into());
                }
                return Err(error);
            };
            return refuse(args, &found, &ProgramSource::new(Vec::new()));
        }
    };
    let define = |d: &String| match d.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (d.clone(), "1".to_owned()),
    };
    let defines: Vec<(String, String)> = args.defines.iter().map(define).collect();
    let found = args.check.check(&program, &defines);
    if findings::errors(&found) > 0 {
        return refuse(args, &found, &program);
    }
    if args.format == Format::Text {
        findings::print(&found, program.pieces().len());
    }
    let text = program.text();
    let data = match args.format {
        Format::Text => text,
        Format::Json => format!("{:#}\n", to_json(&program, &found, Some(&text))),
    };
    match &args.output {
        Some(path) => write_atomically(path, data.as_bytes())?,
        None => super::write_stdout(data.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// Findings and exit code 1; no program is written.
fn refuse(args: &Args, found: &[Diagnostic], program: &ProgramSource) -> Result {
    findings::announce_sort_failure(found);
    match args.format {
        Format::Text => findings::print(found, program.pieces().len().max(1)),
        Format::Json => findings::write_json(&to_json(program, found, None))?,
    }
    Ok(Outcome::ProblemsFound)
}

fn to_json(program: &ProgramSource, found: &[Diagnostic], text: Option<&str>) -> Value {
    let piece = |p: &ProgramPiece| json!({"layer": p.layer.name(), "path": p.path, "bytes": p.text.len()});
    json!({
        "schema": "gristmill.program/1",
        "pieces": program.pieces().iter().map(piece).collect::<Vec<_>>(),
        "problems": findings::to_json(found),
        "errors": findings::errors(found),
        "warnings": found.iter().filter(|d| d.severity == Severity::Warning).count(),
        "text": text,
    })
}
