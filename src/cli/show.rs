//! `gristmill show`: the source of a kernel, as it reaches a device, as it was written, and in between.

use super::output::{Format, write_json};
use super::{Outcome, Result, kernels, write_stdout};
use gristmill::kernel::{EmittedShard, Function};
use gristmill::kernel_cl::Assembly;
use gristmill::kernel_jit::KernelSource;
use gristmill_support::nearest;
use serde_json::json;
use std::path::Path;

/// Print a kernel's OpenCL C with everything it needs, or its Rust, or what is between them
///
/// The OpenCL C can be pasted into a program of your own. `gristmill functions` lists the kernels that expressions use.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill show pnorm
  gristmill show mine.rs growth --lang ir")]
pub(crate) struct Args {
    /// The kernel, by its name in Rust or in C; or a .rs file with kernels of your own
    kernel: String,
    /// Which kernel of the file, if it has more than one
    name: Option<String>,
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
    /// The function as it was written, with its documentation; of a built-in kernel also the file and line
    Rust,
    /// The typed intermediate form, of a kernel in a file
    Ir,
    /// The machine code of the loop over many elements, of a kernel in a file
    Asm,
}

/// The files of nmath by their names, if this was built in the repository.
const NMATH_FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/nmath_files.rs"));

/// What is printed.
struct Shown {
    shard: &'static EmittedShard,
    /// The file in which it stands.
    file: String,
    /// The elementwise entry point of its program.
    entry: Option<String>,
    text: String,
}

pub(crate) fn run(args: &Args) -> Result {
    let shown = if kernels::is_file(&args.kernel) { in_file(args)? } else { built_in(args)? };
    let Shown { shard, file, entry, text } = shown;
    match args.format {
        Format::Text => write_stdout(text.as_bytes())?,
        Format::Json => write_json(&json!({
            "kernel": shard.name,
            "c_name": shard.c_name(),
            "module": shard.module,
            "file": file,
            "line": shard.line,
            "entry": entry,
            "text": text,
        }))?,
    }
    Ok(Outcome::Fine)
}

/// The program of a function, with its elementwise entry point.
fn elementwise(function: &Function) -> (Option<String>, String) {
    let mut program = Assembly::new();
    let entry = program.add_map(function.shard());
    (Some(entry), program.text())
}

fn built_in(args: &Args) -> Result<Shown> {
    if let Some(name) = &args.name {
        return Err(format!("`{name}` is one too many: only a .rs file has several kernels to choose from").into());
    }
    let function = kernels::find(&args.kernel)?;
    let shard = function.shard();
    let (entry, text) = match args.lang {
        Lang::Opencl => elementwise(&function),
        Lang::Rust => (None, written(&function).unwrap_or_else(|| described(&function))),
        Lang::Ir | Lang::Asm => {
            let what = if args.lang == Lang::Ir { "intermediate form" } else { "machine code" };
            let help = "--lang opencl and --lang rust show it; of a kernel in a .rs file all is shown";
            return Err(format!("`{}` is built in, and its {what} is not kept; {help}", function.name()).into());
        }
    };
    Ok(Shown { shard, file: shard.file.to_string(), entry, text })
}

/// A built-in function as it was written, from its documentation to its last bracket, below where it stands.
fn written(function: &Function) -> Option<String> {
    let shard = function.shard();
    let (_, text) = NMATH_FILES.iter().find(|(name, _)| *name == shard.file)?;
    let lines: Vec<&str> = text.lines().collect();
    let line = lines.iter().skip((shard.line as usize).checked_sub(1)?);
    let head = line.take(40).position(|l| l.contains(&format!("fn {}(", function.name())))? + shard.line as usize - 1;
    let is_before = |l: &&str| l.starts_with("///") || l.starts_with("#[") || l.starts_with("//");
    let first = head - lines[..head].iter().rev().take_while(|l| is_before(l)).count();
    // rustfmt closes a function where it begins.
    let last = head + lines[head..].iter().position(|l| *l == "}" || (l.ends_with('}') && l.starts_with("pub fn")))?;
    Some(format!("// {}:{} ({})\n{}\n", shard.file, shard.line, shard.module, lines[first..=last].join("\n")))
}

/// Where a function stands, its documentation and its signature.
fn described(function: &Function) -> String {
    let shard = function.shard();
    let params: Vec<String> = function.params().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let results: Vec<String> = function.results().iter().map(ToString::to_string).collect();
    let result = if results.len() == 1 { results[0].clone() } else { format!("({})", results.join(", ")) };
    let doc: String = function
        .doc()
        .lines()
        .map(|l| format!("///{}{l}\n", if l.is_empty() || l.starts_with(' ') { "" } else { " " }))
        .collect();
    let signature = format!("pub fn {}({}) -> {result}", function.name(), params.join(", "));
    format!("// {}:{} ({})\n{doc}#[kernel]\n{signature};\n", shard.file, shard.line, shard.module)
}

fn in_file(args: &Args) -> Result<Shown> {
    let source = kernels::read(Path::new(&args.kernel))?;
    let name = name_in(&source, args)?;
    let gone = || format!("{}: `{name}` cannot be shown so", args.kernel);
    let function = source.function(&name);
    let entry_point = source.entries().iter().find(|e| e.name() == name);
    let shard = function.map(|f| f.shard()).or(entry_point.map(|e| e.shard())).ok_or_else(gone)?;
    let (entry, text) = match (args.lang, &function) {
        (Lang::Opencl, Some(function)) => elementwise(function),
        (Lang::Opencl, None) => (None, source.opencl(&name).ok_or_else(gone)?),
        (Lang::Rust, _) => (None, source.rust(&name).ok_or_else(gone)?),
        (Lang::Ir, _) => (None, source.ir(&name).ok_or_else(gone)?),
        (Lang::Asm, _) => (None, source.machine_code(&name)?),
    };
    Ok(Shown { shard, file: args.kernel.clone(), entry, text })
}

/// The kernel that was named, or the only one.
fn name_in(source: &KernelSource, args: &Args) -> Result<String> {
    let all: Vec<&str> = source.function_names().chain(source.entries().iter().map(|e| e.name())).collect();
    let list = || all.join(", ");
    match (&args.name, all.as_slice()) {
        (_, []) => Err(format!("{}: it has no kernel", args.kernel).into()),
        (Some(name), all) if all.contains(&name.as_str()) => Ok(name.clone()),
        (Some(name), _) => {
            let near = nearest(name, all.iter().copied());
            let help = near.map_or_else(|| format!("it has: {}", list()), |near| format!("did you mean `{near}`?"));
            Err(format!("{}: no kernel is called `{name}`; {help}", args.kernel).into())
        }
        (None, [only]) => Ok((*only).to_string()),
        (None, _) => Err(format!("{}: it has several kernels: choose one of {}", args.kernel, list()).into()),
    }
}
