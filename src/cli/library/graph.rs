//! `gristmill lib graph DIR [--kernel K] --format dot|svg|html|json`

use super::super::source::packages;
use super::super::{Outcome, Result};
use super::LibraryArgs;
use gristmill_cl_library::{Drawing, default_depends_tag, write_atomically};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill lib graph nmath::nmath --format html -o nmath.html")]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    /// Mark what this kernel needs
    #[arg(long, value_name = "KERNEL")]
    kernel: Option<String>,
    /// The kernel's annotation that names what it needs, such as depends_nmath (default: the one for this library)
    #[arg(long, value_name = "TAG", requires = "kernel")]
    tag: Option<String>,
    /// What to draw: html is one page for a browser
    #[arg(long, value_enum, default_value_t = Kind::Dot)]
    format: Kind,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Dot,
    Svg,
    Html,
    Json,
}

pub(crate) fn run(args: &Args) -> Result {
    let packages = packages();
    let package = args.library.package.find(&packages)?;
    let library = packages.folder(&args.library.name, package.as_ref())?.library()?;
    let kernel = args.kernel.as_ref().map(|name| packages.file(name, package.as_ref())).transpose()?.map(|(k, _)| k);
    let tag = kernel.as_ref().map(|k| args.tag.clone().unwrap_or_else(|| default_depends_tag(k, library.name())));
    let drawing = Drawing::new(&library, kernel.as_ref().zip(tag.as_deref()));
    let text = match args.format {
        Kind::Dot => drawing.dot(),
        Kind::Svg => drawing.svg(),
        Kind::Html => drawing.html(),
        Kind::Json => drawing.json(),
    };
    match &args.output {
        Some(path) => write_atomically(path, text.as_bytes())?,
        None => super::super::write_stdout(text.as_bytes())?,
    }
    Ok(Outcome::Fine)
}
