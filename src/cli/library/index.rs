//! `gristmill lib index DIR [--check]`

use super::super::findings::{self, Format};
use super::super::{Outcome, Result};
use super::{LibraryArgs, ordered, problems, unordered};
use gristmill_cl_library::{INDEX_RDS, INDEX_TSV, Index, IndexStatus};
use serde_json::{Value, json};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    /// Write nothing; fail if an index file is missing, stale or damaged
    #[arg(long)]
    check: bool,
    /// Show each pass of the sort on stderr
    #[arg(short, long)]
    verbose: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let folder = args.library.folder()?;
    let library = folder.library()?;
    if let Err(error) = ordered(&library, args.verbose) {
        return unordered(error, &library, "index", args.format);
    }
    let index = match Index::of_library(&library) {
        Ok(index) => index,
        Err(error) => return unordered(error, &library, "index", args.format),
    };
    let before = if args.check { folder.check_index(&library)? } else { folder.write_index()?.1 };
    let current = before.is_current();
    let files = [(INDEX_TSV, &before.tsv), (INDEX_RDS, &before.rds)];
    match args.format {
        Format::Text if args.check => {
            for (name, status) in files {
                if *status != IndexStatus::Current {
                    say!("{}: {}", folder.path_of(name).display(), describe(status));
                }
            }
        }
        Format::Text if current => say!("both index files are current"),
        Format::Text => say!("wrote {INDEX_TSV} and {INDEX_RDS} for {} files", index.rows().len()),
        Format::Json => {
            let rows: Vec<Value> =
                index.rows().iter().map(|r| json!({"stem": r.stem, "all_depends": r.all_depends})).collect();
            let more = json!({
                "current": current,
                "written": !args.check && !current,
                "tsv": to_json(&before.tsv),
                "rds": to_json(&before.rds),
                "rows": rows,
            });
            findings::write_json(&problems("index", library.name(), index.rows().len(), &[], more))?;
        }
    }
    Ok(if args.check && !current { Outcome::ProblemsFound } else { Outcome::Fine })
}

fn describe(status: &IndexStatus) -> String {
    match status {
        IndexStatus::Current => "current".to_owned(),
        IndexStatus::Missing => "missing".to_owned(),
        IndexStatus::Stale(difference) => format!("stale ({difference})"),
        IndexStatus::Damaged(problem) => format!("damaged ({problem})"),
    }
}

fn to_json(status: &IndexStatus) -> Value {
    match status {
        IndexStatus::Current => json!({"state": "current"}),
        IndexStatus::Missing => json!({"state": "missing"}),
        IndexStatus::Stale(d) => {
            json!({"state": "stale", "added": d.added, "removed": d.removed, "changed": d.changed})
        }
        IndexStatus::Damaged(problem) => json!({"state": "damaged", "problem": problem}),
    }
}
