//! `gristmill program KERNEL.cl --library DIR`: the whole text that a device compiles.

use super::findings::{self, Format};
use super::source::ProgramArgs;
use super::{Outcome, Result};
use gristmill_cl_library::{
    Diagnostic, LibraryError, PROGRAM_RULES, ProgramPiece, ProgramSource, Severity, check_program, write_atomically,
};
use gristmill_support::nearest;
use serde_json::{Value, json};
use std::path::PathBuf;

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
    /// Print the program whatever the check finds, or whatever these rules find: undefined-function, argument-count,
    /// address-space and the other codes of `gristmill guide cl-library`
    #[arg(long, value_name = "RULE,…", num_args = 0..=1, require_equals = true, value_delimiter = ',',
          default_missing_value = ALL, value_parser = rule)]
    no_check: Vec<String>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print the program
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What `--no-check` alone leaves out.
const ALL: &str = "all";

fn rule(text: &str) -> std::result::Result<String, String> {
    if text == ALL || PROGRAM_RULES.contains(&text) {
        return Ok(text.to_owned());
    }
    let nearest = nearest(text, PROGRAM_RULES.iter().copied());
    let hint =
        nearest.map_or_else(|| format!("there are: {}", PROGRAM_RULES.join(", ")), |n| format!("did you mean `{n}`?"));
    Err(format!("there is no rule `{text}`; {hint}"))
}

pub(crate) fn run(args: &Args) -> Result {
    let program = match args.program.assemble(&args.kernel) {
        Ok(assembled) => assembled.program,
        Err(error) => {
            let read =
                |file: &str| std::fs::read(file).map(|b| gristmill_cl_library::decode(b).text).unwrap_or_default();
            let Some(found) = error.downcast_ref::<LibraryError>().and_then(|e| findings::from_error(e, read)) else {
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
    let off = |code: &str| args.no_check.iter().any(|rule| rule == code);
    let mut found = if off(ALL) { Vec::new() } else { check_program(&program, &defines) };
    found.retain(|d| !off(d.code));
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
