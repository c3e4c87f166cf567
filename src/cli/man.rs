//! `gristmill man [COMMAND]`: the manual pages, made of what `--help` says.

use super::{Outcome, Result, write_stdout};
use clap::{Arg, Command, CommandFactory};
use gristmill_support::{AtomicFiles, AtomicFolder};
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them into a folder
///
/// The pages say what `--help` says, in the form that `man` reads.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill man glm | man -l -
  gristmill man --folder ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The command: `glm`, `lib check`; the whole program if not given
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
    /// Write the pages of all commands there: gristmill.1, gristmill-eval.1 and so on
    #[arg(long, value_name = "FOLDER", conflicts_with = "words")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut program = super::Cli::command();
    program.build();
    match &args.folder {
        Some(folder) => {
            let pages = all(&program, "gristmill");
            let pages = pages.iter().map(|(name, command)| (format!("{name}.1"), page(command, name).into_bytes()));
            write_pages(folder, pages).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        None => {
            let (mut command, mut name) = (&program, "gristmill".to_string());
            for word in &args.words {
                command = command.find_subcommand(word).ok_or_else(|| {
                    let names: Vec<&str> = listed(command).map(Command::get_name).collect();
                    let of = name.replace('-', " ");
                    match names.is_empty() {
                        true => format!("`{of}` has no commands of its own, so none called `{word}`"),
                        false => format!("`{of}` has no command `{word}`; it has: `{}`", names.join("`, `")),
                    }
                })?;
                name = format!("{name}-{word}");
            }
            write_stdout(page(command, &name).as_bytes())?;
        }
    }
    Ok(Outcome::Fine)
}

/// All pages, or none: a folder that is not there yet appears with them.
fn write_pages(folder: &Path, pages: impl Iterator<Item = (String, Vec<u8>)>) -> std::io::Result<()> {
    if folder.is_dir() {
        let mut files = AtomicFiles::new();
        for (name, text) in pages {
            files.write(&folder.join(name), &text)?;
        }
        return files.commit().map_err(|e| e.cause);
    }
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut made = AtomicFolder::create(folder)?;
    for (name, text) in pages {
        made.write(Path::new(&name), &text)?;
    }
    made.commit()
}

/// A command and all below it, each with the name of its page.
fn all<'a>(command: &'a Command, name: &str) -> Vec<(String, &'a Command)> {
    let below = listed(command).flat_map(|c| all(c, &format!("{name}-{}", c.get_name())));
    std::iter::once((name.to_string(), command)).chain(below).collect()
}

fn listed(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help")
}

/// Text that roff takes as it is.
fn plain(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    let line = |line: &str| if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_string() };
    escaped.lines().map(line).collect::<Vec<String>>().join("\n")
}

fn page(command: &Command, name: &str) -> String {
    let about = |c: &Command| c.get_about().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(".TH \"{}\" \"1\" \"\" \"gristmill {version}\" \"Gristmill\"\n", plain(&name.to_uppercase()));
    out.push_str(&format!(".SH NAME\n{} \\- {}\n", plain(name), plain(&about(command))));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    out.push_str(&format!(".SH SYNOPSIS\n.nf\n{}\n.fi\n", plain(usage)));
    let long = command.get_long_about().map_or_else(|| about(command), ToString::to_string);
    out.push_str(".SH DESCRIPTION\n");
    for paragraph in long.split("\n\n") {
        out.push_str(&format!(".PP\n{}\n", plain(paragraph.trim())));
    }
    let shown = || command.get_arguments().filter(|a| !a.is_hide_set());
    for (heading, positional) in [("ARGUMENTS", true), ("OPTIONS", false)] {
        let some: Vec<&Arg> = shown().filter(|a| a.is_positional() == positional).collect();
        if !some.is_empty() {
            out.push_str(&format!(".SH {heading}\n"));
            some.into_iter().for_each(|argument| out.push_str(&described(argument)));
        }
    }
    if listed(command).next().is_some() {
        out.push_str(".SH COMMANDS\n");
        for c in listed(command) {
            let page = plain(&format!("{name}-{}", c.get_name()));
            out.push_str(&format!(".TP\n\\fB{page}\\fR(1)\n{}\n", plain(&about(c))));
        }
    }
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        out.push_str(&sections(&after.to_string()));
    }
    if name != "gristmill" {
        out.push_str(".SH SEE ALSO\n\\fBgristmill\\fR(1)\n");
    }
    out
}

fn described(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(|v| format!("\\fI{}\\fR", plain(v))).collect();
    let takes = argument.get_action().takes_values();
    let mut names: Vec<String> = Vec::new();
    names.extend(argument.get_short().map(|c| format!("\\fB\\-{c}\\fR")));
    names.extend(argument.get_long().map(|long| format!("\\fB\\-\\-{}\\fR", plain(long))));
    let mut head = names.join(", ");
    if takes {
        let value = if values.is_empty() { plain(argument.get_id().as_str()) } else { values.join(" ") };
        let optional = argument.get_num_args().is_some_and(|n| n.min_values() == 0) && !names.is_empty();
        match (names.is_empty(), optional) {
            (true, _) => head.push_str(&value),
            (false, true) => head.push_str(&format!("[={value}]")),
            (false, false) => head.push_str(&format!(" {value}")),
        }
    }
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = plain(&help);
    if takes && !argument.is_hide_possible_values_set() {
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|v| !v.is_hide_set())
            .map(|v| match v.get_help() {
                Some(about) => format!("\\fB{}\\fR ({about})", plain(v.get_name())),
                None => format!("\\fB{}\\fR", plain(v.get_name())),
            })
            .collect();
        if !values.is_empty() {
            text.push_str(&format!("\n.br\nValues: {}.", values.join(", ")));
        }
    }
    let defaults: Vec<String> = argument.get_default_values().iter().map(|v| plain(&v.to_string_lossy())).collect();
    if takes && !defaults.is_empty() {
        text.push_str(&format!("\n.br\nDefault: {}.", defaults.join(" ")));
    }
    format!(".TP\n{head}\n{text}\n")
}

/// What stands after the options: a line that ends with a colon begins a section.
fn sections(text: &str) -> String {
    let mut out = String::new();
    let mut open = false;
    let mut close = |out: &mut String, now: bool| {
        if open {
            out.push_str(".fi\n");
        }
        open = now;
    };
    for line in text.lines() {
        match line.strip_suffix(':') {
            Some(title) if !line.starts_with(' ') => {
                close(&mut out, true);
                out.push_str(&format!(".SH {}\n.nf\n", plain(&title.to_uppercase())));
            }
            _ if !line.is_empty() && !line.starts_with(' ') => {
                close(&mut out, false);
                out.push_str(&format!(".PP\n{}\n", plain(line)));
            }
            _ => out.push_str(&format!("{}\n", plain(line))),
        }
    }
    close(&mut out, false);
    out
}
