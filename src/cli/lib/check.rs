//! `gristmill lib check DIR`

use super::super::findings::{self, Format};
use super::super::{Outcome, Result};
use super::{prelude, problems};
use gristmill_cl_library::{
    Diagnostic, INDEX_RDS, INDEX_TSV, IndexStatus, Library, Severity, check_kernel_dependency_index, check_library,
};
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The library: a directory of .cl files
    dir: PathBuf,
    /// The program_preload_manifest.tsv whose files come first (default: that of the package around DIR)
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Let warnings fail the check too
    #[arg(long)]
    strict: bool,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let library = Library::from_dir(&args.dir)?;
    let prelude = prelude(&args.dir, args.manifest.as_ref());
    let mut found = check_library(&library, &prelude.pieces);
    found.extend(prelude.problem);
    found.extend(index_findings(args, &library)?);
    findings::announce_sort_failure(&found);
    let files = library.shards().len();
    match args.format {
        Format::Text => findings::print_as_data(&found, files)?,
        Format::Json => {
            let errors = findings::errors(&found);
            let counts = json!({"errors": errors, "warnings": found.len() - errors});
            findings::write_json(&problems("check", library.name(), files, &found, counts))?;
        }
    }
    let failed = if args.strict { !found.is_empty() } else { findings::errors(&found) > 0 };
    Ok(if failed { Outcome::ProblemsFound } else { Outcome::Fine })
}

/// An index that is there must be current; none is no problem.
fn index_findings(args: &Args, library: &Library) -> Result<Vec<Diagnostic>> {
    if library.order().is_err() {
        return Ok(Vec::new());
    }
    let check = check_kernel_dependency_index(&args.dir, library)?;
    let mut found = Vec::new();
    for (name, status) in [(INDEX_TSV, check.tsv), (INDEX_RDS, check.rds)] {
        let what = match status {
            IndexStatus::Current | IndexStatus::Missing => continue,
            IndexStatus::Stale(difference) => format!("{name} is stale ({difference})"),
            IndexStatus::Damaged(problem) => format!("{name} cannot be read: {problem}"),
        };
        let help = format!("write it again with `gristmill lib index {}`", args.dir.display());
        found.push(Diagnostic::new("stale-index", Severity::Warning, what).help(help));
    }
    Ok(found)
}
