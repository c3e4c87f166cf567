//! `gristmill lib order DIR [--verbose]`

use super::super::findings::{self, Format};
use super::super::{Outcome, Result};
use super::{LibraryArgs, ordered, problems, unordered};
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    /// Show each pass of the sort on stderr
    #[arg(short, long)]
    verbose: bool,
    /// How to print the order
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let library = args.library.folder()?.library()?;
    let order = match ordered(&library, args.verbose) {
        Ok(order) => order,
        Err(error) => return unordered(error, &library, "order", args.format),
    };
    let stems: Vec<&str> = order.shards(&library).map(|s| s.stem()).collect();
    match args.format {
        Format::Text => {
            super::super::write_stdout(stems.iter().map(|s| format!("{s}\n")).collect::<String>().as_bytes())?
        }
        Format::Json => {
            let passes: Vec<Vec<String>> = order.passes().iter().map(|p| library.stems(p)).collect();
            let more = json!({"order": stems, "passes": passes});
            findings::write_json(&problems("order", library.name(), stems.len(), &[], more))?;
        }
    }
    Ok(Outcome::Fine)
}
