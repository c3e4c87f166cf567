//! `gristmill functions [NAME]`: what expressions can call.

use super::named::named;
use super::output::{Format, row, table, write_json};
use super::{Outcome, Result};
use gristmill::engine::expr::functions::{RFunction, function, functions, is_reduction, is_scan, meant};
use gristmill::engine::expr::nearest;
use gristmill::nmath;
use std::io::IsTerminal;

/// List the functions that expressions can call, or show one in full
///
/// Names, arguments and defaults are those of R. `gristmill eval` and `gristmill glm` call them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill functions pgamma
  gristmill functions --search bessel")]
pub(crate) struct Args {
    /// The function to show: its arguments, domain, method and error
    #[arg(hide_possible_values = true, value_parser = named::<String>(functions().iter().map(|f| f.name.as_str())))]
    name: Option<String>,
    /// List only the functions whose name or description has this text
    #[arg(long, value_name = "TEXT", conflicts_with = "name")]
    search: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.name {
        None => {
            let found = found(args.search.as_deref());
            if found.is_empty() {
                let text = args.search.as_deref().unwrap_or_default();
                return Err(format!(
                    "no function has `{text}` in its name or description; `gristmill functions` lists all"
                )
                .into());
            }
            list(&found, args.format)?;
        }
        Some(name) => {
            let Some(found) = function(name) else {
                let near = || nearest(name, functions().iter().map(|f| f.name.as_str()));
                let help = match meant(name) {
                    Some(meant) => format!("; use {meant}"),
                    None => near().map_or(String::new(), |n| format!("; did you mean `{n}`?")),
                };
                let search = match found(Some(name)).is_empty() {
                    true => String::new(),
                    false => format!("; `gristmill functions --search {name}` looks in descriptions"),
                };
                return Err(format!("no function is called `{name}`{help}{search}").into());
            };
            show(found, args.format)?;
        }
    }
    Ok(Outcome::Fine)
}

/// The functions whose name or description has a text, whatever its case.
fn found(text: Option<&str>) -> Vec<&'static RFunction> {
    let text = text.unwrap_or_default().to_lowercase();
    let has = |f: &&RFunction| f.usage.to_lowercase().contains(&text) || f.about.to_lowercase().contains(&text);
    functions().iter().filter(has).collect()
}

fn list(functions: &[&RFunction], format: Format) -> Result<()> {
    if format == Format::Json {
        let all: Vec<serde_json::Value> = functions
            .iter()
            .map(|f| serde_json::json!({ "name": f.name, "group": Group::of(f).name(), "usage": f.usage, "about": f.about }))
            .collect();
        return write_json(&serde_json::Value::from(all));
    }
    let mut text = String::new();
    for (group, title) in GROUPS {
        let some = functions.iter().filter(|f| Group::of(f) == *group);
        let rows: Vec<Vec<String>> = some.map(|f| row([&format!("  {}", f.usage), f.about.as_str()])).collect();
        if !rows.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{title}\n{}", fitted(&rows)));
        }
    }
    super::write_stdout(text.as_bytes())
}

/// Two columns, or, where a terminal has no room for both, what the function is about below how it is called.
fn fitted(rows: &[Vec<String>]) -> String {
    let wide = table(rows, &[]);
    let terminal = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    let terminal = terminal.map(|(terminal_size::Width(width), _)| usize::from(width));
    match terminal {
        Some(width) if wide.lines().any(|line| line.chars().count() > width) => {
            rows.iter().map(|cells| format!("{}\n      {}\n", cells[0], cells[1])).collect()
        }
        _ => wide,
    }
}

/// What belongs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Distribution,
    Rows,
    Truth,
    Elementary,
    Special,
    NameInC,
}

const GROUPS: &[(Group, &str)] = &[
    (Group::Elementary, "Elementary functions"),
    (Group::Rows, "Over all rows, or the rows of a group"),
    (Group::Truth, "Truth values and missing values"),
    (Group::Distribution, "Distributions: density d, distribution function p, quantile q, random number r"),
    (Group::Special, "Special functions"),
    (Group::NameInC, "By their names in C"),
];

impl Group {
    fn of(f: &RFunction) -> Group {
        const ELEMENTARY: &[&str] = &[
            "sqrt", "exp", "expm1", "log", "log1p", "log2", "log10", "abs", "sign", "floor", "ceiling", "trunc",
            "round", "signif", "pmin", "pmax", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh",
            "cosh", "tanh", "asinh", "acosh", "atanh", "sinpi", "cospi", "tanpi",
        ];
        let name = f.name.as_str();
        // `dnorm` is one of `dnorm`, `pnorm`, `qnorm` and `rnorm`.
        let of_distribution = ["d", "p", "q", "r"]
            .iter()
            .filter_map(|letter| name.strip_prefix(letter))
            .any(|rest| ["p", "q"].iter().all(|letter| function(&format!("{letter}{rest}")).is_some()));
        match name {
            _ if ELEMENTARY.contains(&name) => Group::Elementary,
            _ if of_distribution => Group::Distribution,
            "row" => Group::Rows,
            _ if is_reduction(name) || is_scan(name) => Group::Rows,
            "ifelse" | "xor" | "as.numeric" => Group::Truth,
            _ if name.starts_with("is.") => Group::Truth,
            _ if f.about.contains("by its name in C") => Group::NameInC,
            _ => Group::Special,
        }
    }

    /// For programs.
    fn name(self) -> &'static str {
        match self {
            Group::Elementary => "elementary",
            Group::Rows => "rows",
            Group::Truth => "truth",
            Group::Distribution => "distribution",
            Group::Special => "special",
            Group::NameInC => "name in C",
        }
    }
}

fn show(function: &RFunction, format: Format) -> Result<()> {
    let mut kernels: Vec<gristmill::kernel::Function> =
        function.kernels().into_iter().filter_map(|name| nmath::kernel(&name)).collect();
    kernels.sort_by_key(|kernel| kernel.name() != function.name);
    if format == Format::Json {
        let kernels: Vec<serde_json::Value> = kernels
            .iter()
            .map(|k| {
                let parameters: Vec<serde_json::Value> = k
                    .params()
                    .map(|(name, scalar)| serde_json::json!({ "name": name, "type": scalar.name() }))
                    .collect();
                serde_json::json!({ "name": k.name(), "c_name": k.c_name(), "parameters": parameters, "doc": k.doc() })
            })
            .collect();
        return write_json(&serde_json::json!({
            "name": function.name, "usage": function.usage, "about": function.about, "kernels": kernels,
        }));
    }
    let mut text = format!("{}\n{}\n", function.usage, function.about);
    for kernel in kernels {
        let parameters: Vec<String> =
            kernel.params().map(|(name, scalar)| format!("{name}: {}", scalar.name())).collect();
        text.push_str(&format!("\nkernel {}({})\n", kernel.name(), parameters.join(", ")));
        for line in for_a_terminal(kernel.doc()).lines() {
            text.push_str(&format!("  {}\n", line.trim_end()).replace("  \n", "\n"));
        }
    }
    super::write_stdout(text.as_bytes())
}

/// The documentation of a kernel without links, and without the section that says how R calls it: that is above already.
fn for_a_terminal(doc: &str) -> String {
    let mut of_r = false;
    let mut text = String::new();
    for line in doc.lines() {
        // A section goes on in lines that are indented.
        of_r = line.starts_with("R:") || (of_r && line.starts_with(' '));
        if !of_r {
            text.push_str(&without_links(line));
            text.push('\n');
        }
    }
    text
}

/// ``[`name`]`` and ``[`name`](path)`` as `` `name` ``.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("[`") {
        let (before, link) = rest.split_at(start);
        let Some((name, after)) = link[2..].split_once('`').filter(|(_, after)| after.starts_with(']')) else {
            text.push_str(&rest[..start + 2]);
            rest = &link[2..];
            continue;
        };
        text.push_str(&format!("{before}`{name}`"));
        let after = &after[1..];
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(after, |(_, behind)| behind);
    }
    text + rest
}
