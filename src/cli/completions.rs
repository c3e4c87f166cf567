//! `gristmill completions SHELL`: a completion script on stdout.

use super::{Outcome, Result};
use clap::CommandFactory;

/// Print a completion script for your shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill completions bash > ~/.local/share/bash-completion/completions/gristmill
  gristmill completions zsh > ~/.zfunc/_gristmill
  gristmill completions fish > ~/.config/fish/completions/gristmill.fish")]
pub(crate) struct Args {
    /// The shell to write for
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "gristmill", &mut script);
    super::write_stdout(&script)?;
    Ok(Outcome::Fine)
}
