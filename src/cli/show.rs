//! `gristmill show`: the source of a kernel, as it reaches a device or as it was written.

use super::output::{Format, write_json};
use super::{Outcome, Result, kernels, write_stdout};
use gristmill::kernel_cl::Assembly;
use serde_json::json;

/// Print a kernel's OpenCL C with everything it needs, or where its Rust source is
///
/// The OpenCL C can be pasted into a program of your own. `gristmill functions` lists the kernels that expressions use.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernel, by its name in Rust or in C
    kernel: String,
    /// Which source
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Lang {
    /// A whole OpenCL C program: ready for clBuildProgram, with an elementwise entry point
    #[default]
    Opencl,
    /// The signature, the documentation, and the file and line of the Rust function
    Rust,
}

pub(crate) fn run(args: &Args) -> Result {
    let function = kernels::find(&args.kernel)?;
    let shard = function.shard();
    let (entry, text) = match args.lang {
        Lang::Opencl => {
            let mut program = Assembly::new();
            let entry = program.add_map(shard);
            (Some(entry), program.text())
        }
        Lang::Rust => {
            let params: Vec<String> = function.params().map(|(name, ty)| format!("{name}: {ty}")).collect();
            let results: Vec<String> = function.results().iter().map(ToString::to_string).collect();
            let result = if results.len() == 1 { results[0].clone() } else { format!("({})", results.join(", ")) };
            let doc: String = function
                .doc()
                .lines()
                .map(|l| format!("///{}{l}\n", if l.is_empty() || l.starts_with(' ') { "" } else { " " }))
                .collect();
            let signature = format!("pub fn {}({}) -> {result}", function.name(), params.join(", "));
            (None, format!("// {}:{} ({})\n{doc}#[kernel]\n{signature};\n", shard.file, shard.line, shard.module))
        }
    };
    match args.format {
        Format::Text => write_stdout(text.as_bytes())?,
        Format::Json => write_json(&json!({
            "kernel": function.name(),
            "c_name": function.c_name(),
            "module": shard.module,
            "file": shard.file,
            "line": shard.line,
            "entry": entry,
            "text": text,
        }))?,
    }
    Ok(Outcome::Fine)
}
