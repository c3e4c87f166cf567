//! `gristmill program KERNEL.cl --library DIR`: the whole text that a device compiles.

use super::findings::{self, Format};
use super::{Outcome, Result};
use gristmill_cl_library::{
    Diagnostic, Index, Layer, Library, LibraryError, MANIFEST, Manifest, Package, Packages, Piece, ProgramSource,
    Severity, Shard, check_program, default_depends_tag, library_pieces, load_library_for_kernel, write_atomically,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Assemble the whole program text for a kernel, and check that it is complete
///
/// The text is what a device compiles: the configuration, the pieces of the library that the kernel needs in the order in
/// which they need each other, and the kernel. Nothing is compiled here.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernel: a .cl file, or with --package a path in the package's tree
    #[arg(value_name = "KERNEL.cl")]
    kernel: String,
    /// The library: a directory of .cl files, or with --package a directory of the package's tree
    #[arg(long, value_name = "DIR")]
    library: Option<String>,
    /// The package: a path, or a name looked for on GRISTMILL_PATH and among the built-in ones (default: the one around
    /// the library or the kernel)
    #[arg(long, value_name = "P")]
    package: Option<String>,
    /// The kernel's annotation that names what it needs, such as depends_nmath (default: the one for this library)
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The manifest of the prelude (default: the package's program_preload_manifest.tsv, if it has one)
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Define a macro for the check, as the build will: NAME or NAME=VALUE
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Print the program even if a function is missing or defined twice
    #[arg(long)]
    no_check: bool,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print the program
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let kernel_and_program = assemble(args);
    let program = match kernel_and_program {
        Ok(program) => program,
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
    let found = if args.no_check { Vec::new() } else { check_program(&program, &defines) };
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
    let piece = |p: &Piece| json!({"layer": p.layer.name(), "path": p.path, "bytes": p.text.len()});
    json!({
        "schema": "gristmill.program/1",
        "pieces": program.pieces().iter().map(piece).collect::<Vec<_>>(),
        "problems": findings::to_json(found),
        "errors": findings::errors(found),
        "warnings": found.iter().filter(|d| d.severity == Severity::Warning).count(),
        "text": text,
    })
}

fn assemble(args: &Args) -> Result<ProgramSource> {
    let packages = Packages::from_env(gristmill::BUILTIN_PACKAGES);
    let named = args.package.as_deref().map(|p| packages.find(p)).transpose()?;
    let kernel = match &named {
        Some(package) if !Path::new(&args.kernel).is_file() => package.shard(&args.kernel)?,
        _ => Shard::read(Path::new(&args.kernel))?,
    };
    let around = |path: &Path| path.is_dir().then(|| Package::containing(path)).flatten();
    let package = named.or_else(|| around(Path::new(args.library.as_deref()?))).or_else(|| {
        around(Path::new(&args.kernel).parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))
    });
    let mut pieces = Vec::new();
    match (&args.manifest, &package) {
        (Some(path), Some(package)) => pieces.extend(Manifest::read(path)?.load(package)?),
        (Some(path), None) => {
            return Err(format!("{} needs a package whose files it names; give --package", path.display()).into());
        }
        (None, Some(package)) => {
            if let Some(manifest) = Manifest::of_package(package)? {
                pieces.extend(manifest.load(package)?);
            }
        }
        (None, None) => {}
    }
    if let Some(library) = &args.library {
        let real = |p: &Piece| std::fs::canonicalize(&p.path).unwrap_or_else(|_| p.path.clone().into());
        let there: Vec<PathBuf> = pieces.iter().map(real).collect();
        let needed = needed_of_library(args, &kernel, library, package.as_ref())?;
        // What the prelude holds already is not there twice.
        pieces.extend(needed.into_iter().filter(|p| !there.contains(&real(p))));
    }
    pieces.push(Piece::new(Layer::Kernel, &kernel));
    Ok(ProgramSource::new(pieces))
}

/// The library files that the kernel needs: by the index if there is one, else by sorting.
fn needed_of_library(args: &Args, kernel: &Shard, library: &str, package: Option<&Package>) -> Result<Vec<Piece>> {
    let direct = Path::new(library);
    let in_package = package.and_then(|p| p.root()).map(|root| root.join(library));
    let dir = if direct.is_dir() { Some(direct.to_path_buf()) } else { in_package.filter(|d| d.is_dir()) };
    let name = direct.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_else(|| library.to_owned());
    let tag = args.tag.as_deref().map(|t| t.trim_start_matches('@').to_owned());
    let tag = tag.unwrap_or_else(|| default_depends_tag(kernel, &name));
    if let Some(dir) = &dir {
        match Index::read(dir) {
            Ok(index) => {
                let loaded = load_library_for_kernel(kernel, dir, &tag, Some(&index))?;
                return Ok(loaded.shards().iter().map(|s| Piece::new(Layer::Library, s)).collect());
            }
            Err(LibraryError::MissingIndex { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let names = kernel.annotations().list(&tag);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let loaded = match (&dir, package) {
        (Some(dir), _) => Library::from_dir(dir)?,
        (None, Some(package)) => package.library(library)?,
        (None, None) => {
            return Err(format!(
                "{library} is not a directory, and no package was given ({MANIFEST} was not looked for)"
            )
            .into());
        }
    };
    Ok(library_pieces(&loaded, &names).map_err(|error| at_kernel(error, kernel, &tag))?)
}

/// Names that a kernel asks for in vain stand in the kernel.
fn at_kernel(error: LibraryError, kernel: &Shard, tag: &str) -> LibraryError {
    match error {
        LibraryError::MissingDependencies { mut missing } => {
            for one in missing.iter_mut().filter(|m| m.line == 0) {
                if let Some(value) = kernel.annotations().values(tag).into_iter().find(|v| v.text == one.name) {
                    (one.line, one.column) = (value.line, value.column);
                }
                one.file = kernel.path().to_owned();
                one.needed_by = kernel.stem().to_owned();
                one.tag = tag.to_owned();
            }
            LibraryError::MissingDependencies { missing }
        }
        other => other,
    }
}
