//! `gristmill lib order DIR [--verbose]`

use super::super::findings::{self, Format};
use super::super::{Outcome, Result};
use super::{problems, unordered};
use gristmill_cl_library::{Library, trace};
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The library: a directory of .cl files
    dir: PathBuf,
    /// Show each pass of the sort on stderr
    #[arg(short, long)]
    verbose: bool,
    /// How to print the order
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let library = Library::from_dir(&args.dir)?;
    let order = match library.order() {
        Ok(order) => order,
        Err(error) => {
            if args.verbose {
                let (passes, stuck) = library.order_prefix();
                let names: Vec<String> = stuck.iter().map(|i| format!("{}.cl", library.shards()[*i].stem())).collect();
                say!("{}Stuck: {}", trace(&passes, &library), names.join(", "));
            }
            return unordered(error, &library, "order", args.format);
        }
    };
    if args.verbose {
        super::super::output::write_stderr(&order.trace(&library));
    }
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
