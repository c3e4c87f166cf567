//! `gristmill lib check DIR`

use super::super::findings::{self, Format};
use super::super::source::PreludeArgs;
use super::super::{Outcome, Result};
use super::{LibraryArgs, prelude, problems};
use gristmill_cl_library::{
    Diagnostic, Folder, INDEX_RDS, INDEX_TSV, IndexStatus, Library, Severity, check_library, strict_findings,
};
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    prelude: PreludeArgs,
    /// Let warnings fail the check too, and ask that every file says what it provides, lists the header and includes what
    /// `@includes` says
    #[arg(long)]
    strict: bool,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let folder = args.library.folder()?;
    let library = folder.library()?;
    let prelude = prelude(&folder, &args.prelude)?;
    let mut found = check_library(&library, &prelude.pieces);
    found.extend(prelude.problem);
    if args.strict {
        found.extend(strict_findings(&library));
    }
    found.extend(index_findings(&folder, &library)?);
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
fn index_findings(folder: &Folder, library: &Library) -> Result<Vec<Diagnostic>> {
    if library.order().is_err() {
        return Ok(Vec::new());
    }
    let check = folder.check_index(library)?;
    let mut found = Vec::new();
    for (name, status) in [(INDEX_TSV, check.tsv), (INDEX_RDS, check.rds)] {
        let what = match status {
            IndexStatus::Current | IndexStatus::Missing => continue,
            IndexStatus::Stale(difference) => format!("{name} is stale ({difference})"),
            IndexStatus::Damaged(problem) => format!("{name} cannot be read: {problem}"),
        };
        let help = format!("write it again with `gristmill lib index {}`", folder.shown());
        found.push(Diagnostic::new("stale-index", Severity::Warning, what).help(help));
    }
    Ok(found)
}
