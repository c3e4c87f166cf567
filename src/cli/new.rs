//! `gristmill new PACKAGE`: a package to start from.

use super::{Outcome, Result};
use gristmill_cl_library::new_package;
use std::path::PathBuf;

/// Make a package: a library, a kernel that uses it, manifest, index and a test
///
/// What it makes passes `lib check`, `program` and `run` at once. `gristmill guide cl-library` leads on
/// from there.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to make; its name is that of the package and its library
    #[arg(value_name = "PACKAGE")]
    package: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result {
    let name = new_package(&args.package)?;
    let dir = args.package.display();
    say!("made package `{name}` in {dir}. Try:");
    say!("  gristmill lib check {name} --package {dir}");
    say!("  gristmill program src/{name}_kernel.cl --package {dir} --library {name}");
    say!("  sh {dir}/tests/run.sh");
    Ok(Outcome::Fine)
}
