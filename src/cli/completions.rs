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
    let mut program = super::Cli::command();
    clap_complete::generate(args.shell, &mut program, "gristmill", &mut script);
    if args.shell == clap_complete::Shell::Fish {
        script.extend_from_slice(words_for_fish(&program).as_bytes());
    }
    super::write_stdout(&script)?;
    Ok(Outcome::Fine)
}

/// The words that commands take by their place, such as names of functions: what is generated for fish has options only.
fn words_for_fish(program: &clap::Command) -> String {
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let words: Vec<String> = command
            .get_positionals()
            .flat_map(clap::Arg::get_possible_values)
            .map(|value| value.get_name().to_string())
            .collect();
        if !words.is_empty() {
            let (name, words) = (command.get_name(), words.join(" "));
            lines.push_str(&format!(
                "complete -c gristmill -n \"__fish_seen_subcommand_from {name}\" -f -a \"{words}\"\n"
            ));
        }
    }
    lines
}
