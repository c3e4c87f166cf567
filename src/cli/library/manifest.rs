//! `gristmill lib manifest write|show|check`

use super::super::findings::Format;
use super::super::output::{row, table, write_json};
use super::super::source::packages;
use super::super::{Outcome, Result, write_stdout};
use gristmill_cl_library::{Manifest, ManifestStatus, Package};
use serde_json::{Value, json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write the manifest (.tsv and .rds) of what comes first in the package's programs; OPENCL.cl is first if it is there
    ///
    /// Without --layer, the lines of a manifest that is there stay, and both files say them.
    Write(WriteArgs),
    /// Print what the manifest names, by layer
    Show(ShowArgs),
    /// Check that both files say the same and that everything they name is there
    Check(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct WriteArgs {
    /// The package: a path, or a name looked for on GRISTMILL_PATH
    package: String,
    /// A .cl file or library of the tree, in order; may be given more than once
    #[arg(long = "layer", value_name = "FILE|LIB")]
    layers: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The package: a path, or a name looked for on GRISTMILL_PATH and among the built-in ones
    package: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.command {
        Command::Write(args) => {
            let package = packages().find(&args.package)?;
            let there = if args.layers.is_empty() { Manifest::of_package(&package)? } else { None };
            let manifest = there.map_or_else(|| Manifest::of_layers(&package, &args.layers), Ok)?;
            manifest.write(&package)?;
            let count = manifest.entries().len();
            let lines = if count == 1 { "line" } else { "lines" };
            say!("wrote program_preload_manifest.tsv and .rds with {count} {lines}");
            Ok(Outcome::Fine)
        }
        Command::Show(args) => show(args, &packages().find(&args.package)?),
        Command::Check(args) => check(args, &packages().find(&args.package)?),
    }
}

fn show(args: &ShowArgs, package: &Package) -> Result {
    let manifest = Manifest::of_package(package)?
        .ok_or_else(|| format!("package `{}` has no manifest; write one with `lib manifest write`", package.name()))?;
    let layers = manifest.layers();
    match args.format {
        Format::Text => {
            let mut rows = vec![row(["RANK", "LAYER", "KIND", "PATH"])];
            for (entry, layer) in manifest.entries().iter().zip(&layers) {
                rows.push(row([&entry.rank.to_string(), layer.name(), entry.kind.name(), &entry.rel_path]));
            }
            write_stdout(table(&rows, &[0]).as_bytes())?;
        }
        Format::Json => {
            let lines: Vec<Value> = manifest
                .entries()
                .iter()
                .zip(&layers)
                .map(|(e, l)| json!({"rank": e.rank, "layer": l.name(), "kind": e.kind.name(), "rel_path": e.rel_path}))
                .collect();
            write_json(&json!({"schema": "gristmill.lib.manifest/1", "package": package.name(), "lines": lines}))?;
        }
    }
    Ok(Outcome::Fine)
}

fn check(args: &ShowArgs, package: &Package) -> Result {
    let status = Manifest::check(package)?;
    let problem = match &status {
        ManifestStatus::Fine => None,
        ManifestStatus::Problem(problem) => Some(problem),
    };
    match args.format {
        Format::Text => {
            if let Some(problem) = problem {
                say!("error[bad-manifest]: {problem}");
            }
        }
        Format::Json => {
            write_json(&json!({"schema": "gristmill.lib.manifest/1", "package": package.name(), "problem": problem}))?;
        }
    }
    Ok(if problem.is_none() { Outcome::Fine } else { Outcome::ProblemsFound })
}
