//! `gristmill lib …`: annotated OpenCL libraries.

mod annotate;
mod check;
mod for_kernel;
mod graph;
mod index;
mod load;
mod manifest;
mod order;
mod source;
mod stage;
mod subset;

use super::findings::{self, Format};
use super::source::{PackageArgs, PreludeArgs, packages};
use super::{Outcome, Result};
use gristmill_cl_library::{
    Diagnostic, Folder, Library, LibraryError, Order, ProgramPiece, Severity, cycle_findings, trace,
};
use serde_json::{Value, json};

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
    /// Print one file of a package
    Source(source::Args),
    /// Print what a kernel needs of its libraries, in load order
    ForKernel(for_kernel::Args),
    /// Write the dependency index (.tsv and .rds), or check whether it is current
    Index(index::Args),
    /// Copy the files that kernels need, with an index for just them
    Subset(subset::Args),
    /// Copy a library's files into sorted/ and unresolved/, and say which pass took each
    Stage(stage::Args),
    /// Write, show or check the manifest of what comes first in a package's programs
    Manifest(manifest::Args),
    /// Write @provides, @depends and the kernels' annotations from the code
    Annotate(annotate::Args),
    /// Draw the dependency graph
    Graph(graph::Args),
}

/// What most of the commands are about.
#[derive(Debug, clap::Args)]
struct LibraryArgs {
    /// The library: a folder of .cl files, with --package a folder of the package's tree, or PACKAGE::LIB such as the
    /// built-in nmath::nmath
    #[arg(value_name = "LIB")]
    name: String,
    #[command(flatten)]
    package: PackageArgs,
}

impl LibraryArgs {
    fn folder(&self) -> Result<Folder> {
        self.package.folder(&self.name)
    }
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Order(args) => order::run(args),
        Command::Load(args) => load::run(args),
        Command::Index(args) => index::run(args),
        Command::Source(args) => source::run(args),
        Command::ForKernel(args) => for_kernel::run(args),
        Command::Stage(args) => stage::run(args),
        Command::Manifest(args) => manifest::run(args),
        Command::Subset(args) => subset::run(args),
        Command::Annotate(args) => annotate::run(args),
        Command::Graph(args) => graph::run(args),
    }
}

/// The prelude of the package that a path belongs to, or that a manifest names.
#[derive(Debug, Default)]
pub(crate) struct Prelude {
    pub(crate) pieces: Vec<ProgramPiece>,
    /// Why it could not be loaded.
    pub(crate) problem: Option<Diagnostic>,
}

/// Loads the prelude for a library. A package's own prelude that does not load is a finding, not a reason to look no
/// further; one that the user named must load.
pub(crate) fn prelude(folder: &Folder, args: &PreludeArgs) -> Result<Prelude> {
    match args.request().load(&packages(), std::slice::from_ref(folder), None) {
        Ok(pieces) => Ok(Prelude { pieces, problem: None }),
        Err(error) if args.is_explicit() => Err(error.into()),
        Err(error) => {
            let message = format!("the package's prelude cannot be loaded: {}", error.to_string().replace('\n', "; "));
            let problem = Diagnostic::new("bad-prelude", Severity::Warning, message)
                .help("functions and macros of the prelude count as missing");
            Ok(Prelude { pieces: Vec::new(), problem: Some(problem) })
        }
    }
}

/// The order, with its passes on stderr if they are asked for; also as far as they go.
fn ordered(library: &Library, verbose: bool) -> std::result::Result<Order, LibraryError> {
    let order = library.order();
    if verbose {
        match &order {
            Ok(order) => super::output::write_stderr(&order.trace(library)),
            Err(_) => {
                let (passes, stuck) = library.order_prefix();
                let names: Vec<String> = stuck.iter().map(|i| format!("{}.cl", library.shards()[*i].stem())).collect();
                say!("{}Stuck: {}", trace(&passes, library), names.join(", "));
            }
        }
    }
    order
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
