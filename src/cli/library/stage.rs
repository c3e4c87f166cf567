//! `gristmill lib stage LIB --dest DIR [--overwrite]`

use super::super::findings::{self, Format};
use super::super::{Outcome, Result, write_stdout};
use super::{LibraryArgs, problems};
use gristmill_cl_library::stage;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    /// The folder to make: sorted/, unresolved/, sorted.csv and unresolved.csv
    #[arg(long, value_name = "DIR")]
    dest: PathBuf,
    /// Replace a folder that was staged before
    #[arg(long)]
    overwrite: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let folder = args.library.folder()?;
    let staged = stage(&folder, &args.dest, args.overwrite)?;
    let stuck = staged.unresolved().count();
    match args.format {
        Format::Text => {
            write_stdout(staged.report().as_bytes())?;
            say!("{} sorted, {stuck} unresolved", staged.rows.len() - stuck);
        }
        Format::Json => {
            let row = |r: &gristmill_cl_library::StagedRow| -> Value {
                json!({
                    "stem": r.stem, "pass": r.pass, "load_order": r.load_order, "waits_for": r.waits_for,
                    "missing": r.missing, "in_cycle": r.in_cycle,
                })
            };
            let more = json!({"rows": staged.rows.iter().map(row).collect::<Vec<_>>()});
            findings::write_json(&problems("stage", &folder.name(), staged.rows.len(), &[], more))?;
        }
    }
    Ok(if stuck == 0 { Outcome::Fine } else { Outcome::ProblemsFound })
}
