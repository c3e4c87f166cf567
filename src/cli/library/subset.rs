//! `gristmill lib subset KERNEL… --library DIR --dest DIR`

use super::super::findings::{self, Format};
use super::super::source::{PackageArgs, packages};
use super::super::{Outcome, Result};
use super::{failed, problems};
use gristmill_cl_library::{Shard, Subset, display_path};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernels' .cl files; with --package paths in the package's tree, or PACKAGE::PATH
    #[arg(required = true, value_name = "KERNEL")]
    kernels: Vec<String>,
    /// The library with its index: a folder, with --package a folder of the package's tree, or PACKAGE::LIB
    #[arg(long, value_name = "LIB")]
    library: String,
    #[command(flatten)]
    package: PackageArgs,
    /// The folder to copy to; it is made if its parent exists
    #[arg(long, value_name = "DIR")]
    dest: PathBuf,
    /// The kernels' annotation that names what they need, such as depends_nmath (default: the one for this library)
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Replace files that are there with other content
    #[arg(long)]
    overwrite: bool,
    /// Write nothing; say what would be copied
    #[arg(long)]
    plan: bool,
    /// How to print the list of files
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let packages = packages();
    let package = args.package.find(&packages)?;
    let read = |name: &String| Ok(packages.file(name, package.as_ref())?.0);
    let kernels: Vec<Shard> = args.kernels.iter().map(read).collect::<Result<_>>()?;
    let folder = packages.folder(&args.library, package.as_ref())?;
    let name = folder.shown();
    let tag = args.tag.as_deref().map(|t| t.trim_start_matches('@'));
    let subset = Subset { overwrite: args.overwrite, plan_only: args.plan, tag };
    let rows = match subset.extract(&kernels, &folder, &args.dest) {
        Ok(rows) => rows,
        Err(error) => {
            let text =
                |file: &str| kernels.iter().find(|k| k.path() == file).map(|k| k.text().to_owned()).unwrap_or_default();
            let Some(found) = findings::from_error(&error, text) else { return Err(error.into()) };
            return failed(&found, kernels.len(), &name, "subset", args.format);
        }
    };
    match args.format {
        Format::Text => {
            let line = |r: &gristmill_cl_library::SubsetRow| {
                format!("{}\t{}\t{}\t{}\n", r.stem, display_path(&r.source), display_path(&r.dest), r.copied)
            };
            let text = format!("stem\tsource\tdest\tcopied\n{}", rows.iter().map(line).collect::<String>());
            super::super::write_stdout(text.as_bytes())?;
        }
        Format::Json => {
            let rows: Vec<Value> = rows
                .iter()
                .map(|r| json!({"stem": r.stem, "source": display_path(&r.source), "dest": display_path(&r.dest), "copied": r.copied}))
                .collect();
            findings::write_json(&problems("subset", &name, rows.len(), &[], json!({"rows": rows})))?;
        }
    }
    Ok(Outcome::Fine)
}
