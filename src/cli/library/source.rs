//! `gristmill lib source FILE --package P`

use super::super::source::{PackageArgs, packages};
use super::super::{Outcome, Result, write_stdout};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file: a path, with --package a path in the package's tree, or PACKAGE::PATH
    file: String,
    #[command(flatten)]
    package: PackageArgs,
}

pub(crate) fn run(args: &Args) -> Result {
    let packages = packages();
    let package = args.package.find(&packages)?;
    let (shard, _) = packages.file(&args.file, package.as_ref())?;
    write_stdout(shard.text().as_bytes())?;
    Ok(Outcome::Fine)
}
