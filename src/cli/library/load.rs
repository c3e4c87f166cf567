//! `gristmill lib load DIR`

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
    /// How to print the text
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let library = args.library.folder()?.library()?;
    let order = match ordered(&library, args.verbose) {
        Ok(order) => order,
        Err(error) => return unordered(error, &library, "load", args.format),
    };
    let text = library.load()?;
    match args.format {
        Format::Text => super::super::write_stdout(text.as_bytes())?,
        Format::Json => {
            let stems: Vec<&str> = order.shards(&library).map(|s| s.stem()).collect();
            let more = json!({"order": stems, "text": text});
            findings::write_json(&problems("load", library.name(), stems.len(), &[], more))?;
        }
    }
    Ok(Outcome::Fine)
}
