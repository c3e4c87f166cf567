//! `gristmill functions [NAME]`: what expressions can call.

use super::output::{Format, row, table, write_json};
use super::{Outcome, Result};
use gristmill::engine::expr::functions::{RFunction, function, functions};
use gristmill::engine::expr::nearest;
use gristmill::nmath;

/// List the functions that expressions can call, or show one in full
///
/// Names, arguments and defaults are those of R. `gristmill eval` and `gristmill glm` call them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The function to show: its arguments, domain, method and error
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
                let near = nearest(name, functions().iter().map(|f| f.name.as_str()));
                let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                return Err(format!("no function is called `{name}`{near}").into());
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
            .map(|f| serde_json::json!({ "name": f.name, "usage": f.usage, "about": f.about }))
            .collect();
        return write_json(&serde_json::Value::from(all));
    }
    let rows: Vec<Vec<String>> = functions.iter().map(|f| row([f.usage.as_str(), f.about.as_str()])).collect();
    super::write_stdout(table(&rows, &[]).as_bytes())
}

fn show(function: &RFunction, format: Format) -> Result<()> {
    let kernels: Vec<gristmill::kernel::Function> =
        function.kernels().into_iter().filter_map(|name| nmath::kernel(&name)).collect();
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
        for line in kernel.doc().lines() {
            text.push_str(&format!("  {}\n", line.trim_end()).replace("  \n", "\n"));
        }
    }
    super::write_stdout(text.as_bytes())
}
