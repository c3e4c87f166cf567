//! `gristmill lib …`: annotated OpenCL libraries.

mod annotate;
mod check;
mod graph;
mod index;
mod load;
mod order;
mod subset;

use super::findings::{self, Format};
use super::{Outcome, Result};
use gristmill_cl_library::{Diagnostic, Library, LibraryError, Manifest, Package, Piece, Severity, cycle_findings};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Order, index, subset, check and annotate libraries of OpenCL files
///
/// A library is a folder of .cl files whose first lines say what each provides and what it needs (`@provides`, `@depends`).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Check a library: annotations, order, index, and that every function it calls exists
    Check(check::Args),
    /// Print the stems of a library in load order
    Order(order::Args),
    /// Print the text of a whole library in load order
    Load(load::Args),
    /// Write the dependency index (.tsv and .rds), or check whether it is current
    Index(index::Args),
    /// Copy the files that kernels need, with an index for just them
    Subset(subset::Args),
    /// Write @provides, @depends and the kernels' annotations from the code
    Annotate(annotate::Args),
    /// Draw the dependency graph
    Graph(graph::Args),
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Order(args) => order::run(args),
        Command::Load(args) => load::run(args),
        Command::Index(args) => index::run(args),
        Command::Subset(args) => subset::run(args),
        Command::Annotate(args) => annotate::run(args),
        Command::Graph(args) => graph::run(args),
    }
}

/// The prelude of the package that a path belongs to, or that a manifest names.
#[derive(Debug, Default)]
pub(crate) struct Prelude {
    pub(crate) pieces: Vec<Piece>,
    /// Why it could not be loaded.
    pub(crate) problem: Option<Diagnostic>,
}

/// Loads the prelude for a library. A prelude that does not load is a finding, not a reason to look no further.
pub(crate) fn prelude(dir: &Path, manifest: Option<&PathBuf>) -> Prelude {
    match load_prelude(dir, manifest) {
        Ok(pieces) => Prelude { pieces, problem: None },
        Err(error) => {
            let message = format!("the package's prelude cannot be loaded: {}", error.to_string().replace('\n', "; "));
            let problem = Diagnostic::new("bad-prelude", Severity::Warning, message)
                .help("functions and macros of the prelude count as missing");
            Prelude { pieces: Vec::new(), problem: Some(problem) }
        }
    }
}

fn load_prelude(dir: &Path, manifest: Option<&PathBuf>) -> std::result::Result<Vec<Piece>, LibraryError> {
    let inside = manifest.cloned().unwrap_or_else(|| dir.join("x.cl"));
    let inside = inside.parent().map(|p| p.join("x.cl")).unwrap_or(inside);
    let package = Package::containing(inside.parent().unwrap_or(dir));
    let Some(package) = package else {
        return match manifest {
            None => Ok(Vec::new()),
            Some(path) => Err(LibraryError::PackageNotFound {
                package: path.display().to_string(),
                looked: vec!["a `cl` directory around the manifest".to_owned()],
            }),
        };
    };
    let manifest = match manifest {
        Some(path) => Some(Manifest::read(path)?),
        None => Manifest::of_package(&package)?,
    };
    manifest.map_or_else(|| Ok(Vec::new()), |m| m.load(&package))
}

/// Ends a command whose library cannot be ordered: findings on stderr (or as JSON), exit code 1.
fn unordered(error: LibraryError, library: &Library, schema: &str, format: Format) -> Result {
    let found = match &error {
        LibraryError::DependencyCycles { .. } => cycle_findings(library),
        other => match findings::from_error(other, |file| findings::text_in(library, file)) {
            Some(found) => found,
            None => return Err(error.into()),
        },
    };
    failed(&found, library.shards().len(), library.name(), schema, format)
}

fn failed(found: &[Diagnostic], files: usize, library: &str, schema: &str, format: Format) -> Result {
    findings::announce_sort_failure(found);
    match format {
        Format::Text => findings::print(found, files),
        Format::Json => findings::write_json(&problems(schema, library, files, found, json!({})))?,
    }
    Ok(Outcome::ProblemsFound)
}

/// The JSON of every command: its schema, the library, the problems, and what else it has to say.
fn problems(schema: &str, library: &str, files: usize, found: &[Diagnostic], more: Value) -> Value {
    let mut value = json!({
        "schema": format!("gristmill.lib.{schema}/1"),
        "library": library,
        "files": files,
        "problems": findings::to_json(found),
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}
