//! `gristmill cache`: the programs that are kept on disk.

use super::output::{Format, bytes, count, row, table, write_json};
use super::source::{self, SourceArgs};
use super::{Outcome, Result, kernels, write_stdout};
use gristmill::cl_runtime::{
    CACHE_DIR_VARIABLE, CacheSetting, Device, DeviceFunction, DeviceOptions, Origin, Program, ProgramCache,
};
use gristmill::engine::expr::{Statement, parse};
use gristmill::engine::plan::{Bindings, bind};
use gristmill::engine::{Engine, InputColumn, Rows};
use gristmill::kernel::{Column, ColumnMut, Function, Scalar};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// List, remove or prepare the compiled programs on disk
///
/// A program for an OpenCL device is compiled once and kept: in the folder GRISTMILL_CACHE_DIR, or the user's cache folder.
/// Only what this user wrote is ever used, from a folder that nobody else can change. Together the programs take at most
/// GRISTMILL_CACHE_SIZE bytes (such as `500M`; default 256M): what was not used for longest goes first. Nothing here has to be
/// looked after.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// How to print
    #[arg(long, value_enum, default_value_t, global = true)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the programs on disk, the last used first
    Ls,
    /// Remove all programs from disk
    Clear,
    /// Compile kernels and expressions for a device and keep them on disk, so that their first run does not wait
    Warm(Box<Warm>),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill cache warm cubes.cl --library lib
  gristmill cache warm pnorm qnorm
  gristmill cache warm --eval 'p = pbinom(killed, beetles, 0.5)' --table examples/beetles.csv")]
struct Warm {
    /// Files with `__kernel` functions, or names of functions: see `gristmill functions`
    #[arg(required_unless_present_any = ["all", "eval"], value_name = "KERNEL")]
    kernels: Vec<String>,
    /// Every function of gristmill, each in a program of its own
    #[arg(long)]
    all: bool,
    /// An expression as `gristmill eval` takes it; several make one program
    #[arg(long, value_name = "EXPRESSION")]
    eval: Vec<String>,
    /// The table whose columns the expressions name
    #[arg(long, value_name = "FILE", requires = "eval")]
    table: Option<PathBuf>,
    /// The seed of the random numbers in the expressions
    #[arg(long, default_value_t = 1, value_name = "SEED", requires = "eval")]
    seed: u64,
    #[command(flatten)]
    source: SourceArgs,
    /// The device (default: GRISTMILL_DEVICE)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let cache = ProgramCache::location()
        .ok_or_else(|| format!("there is no home folder to keep programs in; name a folder in {CACHE_DIR_VARIABLE}"))?;
    match &args.action {
        Action::Ls => ls(&cache, args.format),
        Action::Clear => clear(&cache, args.format),
        Action::Warm(warm) => run_warm(warm, &cache, args.format),
    }
}

fn ls(cache: &ProgramCache, format: Format) -> Result {
    let entries = cache.entries()?;
    let damaged = entries.iter().filter(|e| e.content.is_err()).count();
    match format {
        Format::Json => {
            let list: Vec<_> = entries
                .iter()
                .map(|e| {
                    let mut value =
                        json!({ "file": e.path.display().to_string(), "size": e.size, "used": e.used_unix() });
                    match &e.content {
                        Ok(c) => {
                            value["written"] = json!(c.written);
                            value["device"] = json!(c.device);
                            value["platform"] = json!(c.platform);
                            value["driver"] = json!(c.driver);
                            value["options"] = json!(c.options);
                            value["kernels"] = c
                                .kernels
                                .iter()
                                .map(|k| json!({ "name": k.name, "signature": k.to_string() }))
                                .collect();
                        }
                        Err(damage) => value["damage"] = json!(damage.to_string()),
                    }
                    value
                })
                .collect();
            write_json(&json!({
                "folder": cache.dir().display().to_string(),
                "limit": cache.max_size(),
                "programs": list,
            }))?;
        }
        Format::Text if entries.is_empty() => say!("no programs in {}", cache.dir().display()),
        Format::Text => {
            let mut rows = vec![row(["USED", "SIZE", "DEVICE", "KERNELS", "OPTIONS"])];
            for e in &entries {
                let mut cells = vec![age(e.used_unix()), bytes(e.size)];
                match &e.content {
                    Ok(c) => {
                        let names: Vec<&str> = c.kernels.iter().map(|k| k.name.as_str()).collect();
                        let shown = if names.len() > 4 {
                            format!("{}, … ({})", names[..3].join(", "), names.len())
                        } else {
                            names.join(", ")
                        };
                        let added = ["-cl-kernel-arg-info", "-cl-fp32-correctly-rounded-divide-sqrt"];
                        let own: Vec<&str> = c.options.split(' ').filter(|o| !added.contains(o)).collect();
                        cells.extend([c.device.clone(), shown, own.join(" ")]);
                    }
                    Err(damage) => cells.push(format!("({damage})")),
                }
                rows.push(cells);
            }
            write_stdout(table(&rows, &[0, 1]).as_bytes())?;
            say!(
                "{}, {} of at most {}, in {}",
                count(entries.len(), "program"),
                bytes(entries.iter().map(|e| e.size).sum()),
                bytes(cache.max_size()),
                cache.dir().display()
            );
        }
    }
    Ok(if damaged == 0 { Outcome::Fine } else { Outcome::ProblemsFound })
}

/// `3 d` ago.
fn age(used: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(used, |d| d.as_secs());
    match now.saturating_sub(used) {
        s if s < 60 => format!("{s} s"),
        s if s < 3600 => format!("{} min", s / 60),
        s if s < 86400 => format!("{} h", s / 3600),
        s => format!("{} d", s / 86400),
    }
}

fn clear(cache: &ProgramCache, format: Format) -> Result {
    let (files, size) = cache.clear()?;
    match format {
        Format::Json => {
            write_json(&json!({ "folder": cache.dir().display().to_string(), "removed": files, "bytes": size }))?
        }
        Format::Text => {
            say!("removed {}, {}, from {}", count(files, "program"), bytes(size), cache.dir().display())
        }
    }
    Ok(Outcome::Fine)
}

fn run_warm(args: &Warm, cache: &ProgramCache, format: Format) -> Result {
    let info = source::device_info(args.device.as_deref())?;
    // Told to keep programs, a cache that cannot is an error, also where GRISTMILL_NO_CACHE is set for other commands.
    let mut options = DeviceOptions::default();
    options.cache = CacheSetting::At(cache.clone().strict(true));
    let device = Device::open_with(&info, options)?;
    let mut warmed = Warmed::default();
    let mut functions: Vec<Function> = Vec::new();
    for word in &args.kernels {
        let path = PathBuf::from(word);
        if path.extension().is_none_or(|e| e != "cl") && !path.exists() {
            functions.push(kernels::find(word)?);
            continue;
        }
        let start = Instant::now();
        let text = args.source.assemble(&path)?.text();
        let program = device.build(&text, &args.source.options()).map_err(|e| format!("{word}: {e}"))?;
        warmed.keep(("file", word), &program, start, || Ok(()))?;
    }
    if args.all {
        functions = gristmill::nmath::KERNELS.to_vec();
    }
    for function in functions {
        let start = Instant::now();
        let on_device = DeviceFunction::new(&device, &function)?;
        warmed.keep(("function", function.name()), on_device.kernel().program(), start, || run_once(&on_device))?;
    }
    warm_expressions(args, &device, &mut warmed)?;
    match format {
        Format::Json => write_json(&json!({ "folder": cache.dir().display().to_string(), "programs": warmed.list }))?,
        Format::Text => write_stdout(table(&warmed.rows, &[1]).as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// What was compiled or found.
#[derive(Default)]
struct Warmed {
    rows: Vec<Vec<String>>,
    list: Vec<serde_json::Value>,
}

impl Warmed {
    /// Writes a program to disk unless it is there. `launch` runs it once before: some drivers compile a kernel only then.
    fn keep(
        &mut self,
        (kind, name): (&str, &str),
        program: &Program,
        start: Instant,
        launch: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let had = program.origin() == Origin::DiskCache;
        if !had {
            launch()?;
            program.save()?;
        }
        let (time, kernels) = (start.elapsed().as_secs_f64() * 1e3, program.kernel_names());
        self.list.push(json!({ kind: name, "kernels": kernels, "was_cached": had, "time_ms": time }));
        self.rows.push(vec![
            if had { "had" } else { "built" }.into(),
            format!("{time:.0} ms"),
            name.to_string(),
            kernels.join(", "),
        ]);
        Ok(())
    }
}

/// One element of zeros.
fn run_once(on_device: &DeviceFunction) -> Result<()> {
    let column = |scalar: Scalar| match scalar {
        Scalar::F64 => Column::F64(&[0.0]),
        Scalar::F32 => Column::F32(&[0.0]),
        Scalar::I32 => Column::I32(&[0]),
        Scalar::I64 => Column::I64(&[0]),
        Scalar::U32 => Column::U32(&[0]),
        Scalar::U64 => Column::U64(&[0]),
        Scalar::Usize => Column::Usize(&[0]),
        Scalar::Bool => Column::Bool(&[false]),
    };
    let ins: Vec<Column<'_>> = on_device.function().params().map(|(_, scalar)| column(scalar)).collect();
    let results = on_device.function().results();
    // One place of each type for each result; only the one of its type is used.
    let mut places: Vec<_> = results
        .iter()
        .map(|_| ([0.0_f64], [0.0_f32], [0_i32], [0_i64], [0_u32], [0_u64], [0_usize], [false]))
        .collect();
    let mut outs: Vec<ColumnMut<'_>> = places
        .iter_mut()
        .zip(&results)
        .map(|(p, scalar)| match scalar {
            Scalar::F64 => ColumnMut::F64(&mut p.0),
            Scalar::F32 => ColumnMut::F32(&mut p.1),
            Scalar::I32 => ColumnMut::I32(&mut p.2),
            Scalar::I64 => ColumnMut::I64(&mut p.3),
            Scalar::U32 => ColumnMut::U32(&mut p.4),
            Scalar::U64 => ColumnMut::U64(&mut p.5),
            Scalar::Usize => ColumnMut::Usize(&mut p.6),
            Scalar::Bool => ColumnMut::Bool(&mut p.7),
        })
        .collect();
    on_device.map(&ins, &mut outs)?;
    Ok(())
}

/// The programs that `gristmill eval` makes of the expressions: where no value is missing, and where any may be.
fn warm_expressions(args: &Warm, device: &Device, warmed: &mut Warmed) -> Result<()> {
    if args.eval.is_empty() {
        return Ok(());
    }
    let statements: Vec<Statement> = args.eval.iter().map(|e| parse(e)).collect::<std::result::Result<_, _>>()?;
    let mut opened = args.table.as_ref().map(|path| gristmill_table_io::open(path, None)).transpose()?;
    let columns = opened.as_ref().map_or(Vec::new(), |o| o.columns().to_vec());
    let row_name = args.table.is_none().then(|| "i".to_string());
    let bindings = |columns: Vec<String>, with_missing, truth| Bindings {
        columns,
        with_missing,
        truth,
        seed: args.seed,
        row_name: row_name.clone(),
        ..Bindings::default()
    };
    let mut used = bind(&statements, &bindings(columns.clone(), Vec::new(), Vec::new()))?.columns_used();
    used.sort_unstable();
    let used: Vec<String> = used.into_iter().map(|c| columns[c].clone()).collect();
    let truth = opened.as_mut().map(|o| o.survey(&used)).transpose()?.unwrap_or_default().truth;
    let engine = Engine::new().on_device(device.clone());
    let variants: &[bool] = if used.is_empty() { &[false] } else { &[false, true] };
    for missing in variants {
        let plan = bind(&statements, &bindings(used.clone(), vec![*missing; used.len()], truth.clone()))?;
        if plan.derived().len() > 0 {
            return Err(
                "text, groups, lag and running sums are computed before the program runs; leave them out".into()
            );
        }
        if !plan.reductions.is_empty() {
            return Err("sum, mean and other functions of all rows become constants of the program when the table has been read, \
                        so that it cannot be compiled before; leave them out"
                .into());
        }
        let start = Instant::now();
        let program = device.build(&engine.device_text(&plan, &[])?, "")?;
        let name = format!("{}{}", args.eval.join("; "), if *missing { " (with missing values)" } else { "" });
        let is_missing = [false];
        let inputs: Vec<InputColumn<'_>> =
            used.iter().map(|_| InputColumn { values: &[0.0], missing: missing.then_some(&is_missing[..]) }).collect();
        let launch = || {
            engine.evaluate(&plan, &Rows { first: 0, count: 1, columns: &inputs }, &[])?;
            Ok(())
        };
        warmed.keep(("expressions", &name), &program, start, launch)?;
    }
    Ok(())
}
