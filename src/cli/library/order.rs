//! `gristmill lib order DIR [--verbose]`

use super::super::findings::{self, Format};
use super::super::source::PackageArgs;
use super::super::{Outcome, Result};
use super::{ordered, problems, unordered};
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The library: a folder of .cl files, with --package a folder of the package's tree, or PACKAGE::LIB such as the
    /// built-in nmath::nmath
    #[arg(value_name = "LIB")]
    library: String,
    #[command(flatten)]
    package: PackageArgs,
    /// Show each pass of the sort on stderr
    #[arg(short, long)]
    verbose: bool,
    /// How to print the order
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let library = args.package.folder(&args.library)?.library()?;
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
