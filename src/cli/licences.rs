//! `gristmill licences`: what the command is made of, and under which terms.

use super::{Outcome, Result, write_stdout};

/// Print the licences of gristmill and of the packages that it contains
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Written by `cargo xtask generate`; in the command itself, because it is often copied alone.
const NOTICES: &str = include_str!("../../THIRD-PARTY-NOTICES.md");
const OWN: [(&str, &str); 2] =
    [("MIT", include_str!("../../LICENSE-MIT")), ("Apache-2.0", include_str!("../../LICENSE-APACHE"))];

pub(crate) fn run(_: &Args) -> Result {
    let own = OWN.map(|(name, text)| format!("\n### Gristmill, {name}\n\n````text\n{}\n````\n", text.trim_end()));
    write_stdout(format!("{NOTICES}{}", own.concat()).as_bytes())?;
    Ok(Outcome::Fine)
}
