//! `gristmill run`: a kernel over .npy files, without host code: any hand-written annotated one, or an entry point of a text.

mod text;

use super::check_rules::CheckArgs;
use super::kernels::{self, FuelArgs};
use super::output::{Format, write_json};
use super::source::{self, SourceArgs};
use super::{Outcome, Result, findings, isolate};
use gristmill::cl_runtime::{
    Arg, DeviceKernel, ElementType, ElementValue, HostSlice, HostSliceMut, KernelParam, Launch, Origin, ParamKind,
    ParamType,
};
use gristmill_support::{AtomicFile, AtomicFiles};
use gristmill_table_io::npy::{NpyArray, NpyType};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Run a kernel of your own over .npy files
///
/// A .cl file is OpenCL C; the functions that it names in its annotations are taken from the libraries. No host code is
/// needed. The kernel runs in a process of its own, on copies of the arrays with guard zones around them, and twice: if it
/// reads or writes outside its arrays, that is an error and no file is written.
///
/// A .rs file has functions in the kernel language (`gristmill guide kernels-at-run-time`); one with `#[kernel(entry)]` above
/// it is run, on the CPU or on a device. It cannot leave its arrays.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every parameter of the kernel needs a value, by its name:
  buffers      --arg x=in.npy     read; the type must be that of the parameter (`double` is float64)
               --out y=out.npy    written; as many elements as work-items, unless a shape is given
               both               read and written
  numbers      --arg n=100
  local memory --arg tmp=1024     bytes per work-group
A buffer holds a file's elements as they are stored: row by row, or column by column if the file is in Fortran order.

Example:
  gristmill run scale.cl --arg x=x.npy --arg factor=2.5 --out y=y.npy --global 1000
  gristmill run mine.rs --arg x=x.npy --out y=y.npy --global 1000")]
pub(crate) struct Args {
    /// The file with the `__kernel` function, or with the function that has `#[kernel(entry)]` above it
    kernel: PathBuf,
    /// Which kernel, if the file has more than one
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    #[command(flatten)]
    source: SourceArgs,
    /// A parameter's value: a .npy file or a number
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = assignment, allow_hyphen_values = true)]
    args: Vec<(String, String)>,
    /// Where a buffer goes after the run; the shape is like `3x4`
    #[arg(long = "out", value_name = "NAME=FILE[:TYPE][:SHAPE]", value_parser = assignment)]
    outs: Vec<(String, String)>,
    /// The number of work-items, in up to three dimensions: `1000` or `64x64`
    #[arg(long, value_name = "N", value_parser = parse_sizes)]
    global: Sizes,
    /// The size of a work-group (default: the driver chooses)
    #[arg(long, value_name = "N", value_parser = parse_sizes)]
    local: Option<Sizes>,
    /// The device: an index, `cpu`, `gpu`, a part of its name, or PLATFORM:KIND:NAME (default: GRISTMILL_DEVICE; without either, the
    /// best one for a .cl file, none for a .rs file)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Run it once, for a kernel whose results differ from run to run; what it reads outside its arrays is not noticed then
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    check: CheckArgs,
    /// Print where the time went
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    fuel: FuelArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone)]
struct Sizes(Vec<usize>);

fn assignment(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.into(), value.into())),
        _ => Err("it must be NAME=VALUE".into()),
    }
}

fn parse_sizes(text: &str) -> std::result::Result<Sizes, String> {
    let sizes: Option<Vec<usize>> = text.split(['x', ',']).map(|n| n.trim().parse().ok()).collect();
    sizes
        .filter(|s| s.len() <= 3)
        .map(Sizes)
        .ok_or_else(|| "it must be one to three whole numbers, like `1000` or `64x64`".into())
}

/// One parameter with what it was given.
enum Given {
    Value(ElementValue),
    Local(usize),
    In(NpyArray),
    Out(NpyArray),
    InOut(NpyArray),
}

pub(crate) fn run(args: &Args) -> Result {
    if kernels::is_file(&args.kernel.to_string_lossy()) {
        return text::run(args);
    }
    args.fuel.refuse_on_device()?;
    if !isolate::is_inner()
        && let Some(result) = isolate::run(explain)
    {
        return result;
    }
    isolate::end_with_parent();
    let program_source = args.source.assemble(&args.kernel)?;
    let found = args.check.check(&program_source, &args.source.defines());
    if findings::errors(&found) > 0 {
        findings::print(&found, program_source.pieces().len());
        return Err("the program is not complete; --no-check gives it to the device's compiler all the same".into());
    }
    if !program_source.pieces().iter().any(|p| has_kernel(&p.text)) {
        return Err(format!("{}: it has no `__kernel` function", args.kernel.display()).into());
    }
    let device = source::device(args.device.as_deref())?;
    let program = device.build(&program_source.text(), &args.source.options())?;
    for warning in program.warnings() {
        say!("{warning}");
    }
    let own_text = program_source.pieces().last().map_or("", |piece| piece.text.as_str());
    let kernel = entry(args, &program, own_text)?;
    let names: Vec<&str> = kernel.signature().params.iter().map(|p| p.name.as_str()).collect();
    check_names(args, &names, &kernel.signature().to_string())?;
    let items = args.global.0.iter().try_fold(1usize, |a, b| a.checked_mul(*b)).ok_or("--global is too large")?;
    let mut given = kernel.signature().params.iter().map(|p| value(args, p, items)).collect::<Result<Vec<Given>>>()?;

    let mut launch = Launch::grid(&args.global.0);
    if let Some(local) = &args.local {
        launch = launch.local(&local.0);
    }
    announce(&kernel, &given, items)?;
    let mut launch_args = given.iter_mut().map(Given::arg).collect::<Result<Vec<Arg<'_>>>>()?;
    let times = match args.once {
        true => kernel.run_guarded_once(&launch, &mut launch_args)?,
        false => kernel.run_guarded(&launch, &mut launch_args)?,
    };
    drop(launch_args);
    let arrays = names.iter().zip(&given).filter_map(|(name, given)| match given {
        Given::Out(array) | Given::InOut(array) => Some((*name, array)),
        _ => None,
    });
    let written = write_outputs(args, arrays)?;

    let micros = |d: std::time::Duration| d.as_secs_f64() * 1e6;
    match args.format {
        Format::Json => write_json(&json!({
            "kernel": kernel.signature().name,
            "signature": kernel.signature().to_string(),
            "device": super::devices::to_json(device.info()),
            "global": args.global.0,
            "program": { "cached": program.origin() == Origin::DiskCache, "build_us": micros(program.build_time()) },
            "times_us": { "upload": micros(times.upload), "kernel": micros(times.kernel), "download": micros(times.download) },
            "in_place": times.in_place,
            "outputs": written,
        }))?,
        Format::Text if args.times => {
            let origin = if program.origin() == Origin::DiskCache { "loaded from the cache" } else { "built" };
            let text = format!(
                "program   {:>12.1} us  {origin}\nupload    {:>12.1} us\nkernel    {:>12.1} us\ndownload  {:>12.1} us\n",
                micros(program.build_time()),
                micros(times.upload),
                micros(times.kernel),
                micros(times.download)
            );
            super::write_stdout(text.as_bytes())?;
        }
        Format::Text => {}
    }
    Ok(Outcome::Fine)
}

/// Whether the word stands in it, with or without underscores, outside comments: PoCL does not say that a program has no
/// kernel, but names one that it then does not find.
fn has_kernel(text: &str) -> bool {
    has_word(text, |word| matches!(word, "__kernel" | "kernel"))
}

/// Whether a word of the code, outside comments, is of this kind.
fn has_word(text: &str, is_meant: impl Fn(&str) -> bool) -> bool {
    let (mut rest, mut code) = (text, String::with_capacity(text.len()));
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        code.push_str(&rest[..at]);
        code.push(' ');
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_meant)
}

/// For [`explain`], if the kernel ends the process.
fn announce(kernel: &DeviceKernel, given: &[Given], items: usize) -> Result<()> {
    let arrays: Vec<_> = kernel
        .signature()
        .params
        .iter()
        .zip(given)
        .filter_map(|(param, given)| match given {
            Given::In(a) | Given::Out(a) | Given::InOut(a) if a.len() < items => Some(json!([param.name, a.len()])),
            _ => None,
        })
        .collect();
    isolate::announce(&json!({ "kernel": kernel.signature().name, "items": items, "shorter": arrays }))
}

fn explain(signal: &str, plan: Option<serde_json::Value>) -> String {
    let Some(plan) = plan else {
        return format!("the OpenCL driver was ended by {signal} before the kernel was launched");
    };
    let shorter: Vec<String> = plan["shorter"]
        .as_array()
        .map(|list| list.iter().map(|a| format!("`{}` has {}", a[0].as_str().unwrap_or_default(), a[1])).collect())
        .unwrap_or_default();
    let check = if shorter.is_empty() {
        "every array has an element for each work-item, so look at how it computes its indices".to_string()
    } else {
        format!("for {} work-items {} elements", plan["items"], shorter.join(", "))
    };
    let kernel = plan["kernel"].as_str().unwrap_or_default();
    format!(
        "kernel `{kernel}` was ended by {signal}: it reads or writes far outside its arrays; {check}; nothing was written"
    )
}

/// The kernel that `--entry` names, else the only one of the file itself: libraries may bring kernels of their own.
fn entry(args: &Args, program: &gristmill::cl_runtime::Program, own_text: &str) -> Result<DeviceKernel> {
    let all = program.kernel_names();
    let own: Vec<&String> = all.iter().filter(|name| has_word(own_text, |word| word == name.as_str())).collect();
    let name = match (&args.entry, all) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) if own.len() == 1 => own[0],
        (None, []) => return Err(format!("{}: the program has no `__kernel` function", args.kernel.display()).into()),
        (None, names) => {
            let names = names.join(", ");
            return Err(format!(
                "{}: the program has several kernels: choose one with --entry: {names}",
                args.kernel.display()
            )
            .into());
        }
    };
    Ok(program.kernel(name)?)
}

/// Every name is that of a parameter and given once, and every file is written once.
fn check_names(args: &Args, params: &[&str], signature: &str) -> Result<()> {
    for (option, list) in [("--arg", &args.args), ("--out", &args.outs)] {
        for (i, (name, _)) in list.iter().enumerate() {
            if list[..i].iter().any(|(earlier, _)| earlier == name) {
                return Err(format!("{option} {name} was given twice").into());
            }
            if !params.contains(&name.as_str()) {
                return Err(format!("{option} {name}: kernel {signature} has no such parameter").into());
            }
        }
    }
    let outs = args.outs.iter().map(|(name, spec)| (format!("--out {name}"), OutSpec::parse(spec).file));
    super::output::must_differ(outs)
}

fn value(args: &Args, param: &KernelParam, items: usize) -> Result<Given> {
    let find = |list: &[(String, String)]| list.iter().find(|(name, _)| *name == param.name).map(|(_, v)| v.clone());
    let (arg, out) = (find(&args.args), find(&args.outs));
    let name = &param.name;
    match param.kind {
        ParamKind::Value | ParamKind::Local if out.is_some() => {
            Err(format!("--out {name}: `{param}` is not a buffer").into())
        }
        ParamKind::Value => {
            let text = arg.ok_or_else(|| format!("`{param}` has no value: add --arg {name}=NUMBER"))?;
            let ParamType::Number { scalar, lanes: 1 } = param.ty else {
                return Err(format!(
                    "`{param}` is neither a number nor a buffer; such parameters cannot be given here"
                )
                .into());
            };
            Ok(Given::Value(
                scalar_value(&text, scalar).map_err(|rule| format!("--arg {name}={text}: `{param}` {rule}"))?,
            ))
        }
        ParamKind::Local => {
            let text = arg.ok_or_else(|| format!("`{param}` has no size: add --arg {name}=BYTES"))?;
            Ok(Given::Local(
                text.parse().map_err(|_| format!("--arg {name}={text}: `{param}` needs a number of bytes"))?,
            ))
        }
        ParamKind::Unknown => {
            Err(format!("the driver does not say what `{name}` is, so it cannot be given here").into())
        }
        ParamKind::Global { .. } | ParamKind::Constant => {
            let input = arg.map(|file| read(name, param, Path::new(&file), out.is_some())).transpose()?;
            let read_only = param.kind != (ParamKind::Global { read_only: false });
            match (input, out) {
                (None, None) if read_only => Err(format!("`{param}` has no value: add --arg {name}=FILE.npy").into()),
                (None, None) => {
                    Err(format!("`{param}` has no value: add --out {name}=FILE.npy, or --arg {name}=FILE.npy, or both")
                        .into())
                }
                (_, Some(_)) if read_only => Err(format!("--out {name}: the kernel only reads `{param}`").into()),
                (Some(array), None) if read_only => Ok(Given::In(array)),
                (Some(array), _) => Ok(Given::InOut(array)),
                (None, Some(spec)) => {
                    let spec = OutSpec::parse(&spec);
                    let ty = out_type(name, param, spec.ty)?;
                    let shape = spec
                        .shape
                        .unwrap_or_else(|| if args.global.0.len() == 1 { vec![items] } else { args.global.0.clone() });
                    Ok(Given::Out(NpyArray::zeros(ty, &shape).map_err(|e| format!("--out {name}: {e}"))?))
                }
            }
        }
    }
}

impl Given {
    fn arg(&mut self) -> Result<Arg<'_>> {
        Ok(match self {
            Given::Value(x) => Arg::Value(*x),
            Given::Local(bytes) => Arg::Local(*bytes),
            Given::In(a) => Arg::In(HostSlice::from_bytes(a.bytes(), scalar_type(a.ty()))?),
            Given::Out(a) => {
                let ty = scalar_type(a.ty());
                Arg::Out(HostSliceMut::from_bytes(a.bytes_mut(), ty)?)
            }
            Given::InOut(a) => {
                let ty = scalar_type(a.ty());
                Arg::InOut(HostSliceMut::from_bytes(a.bytes_mut(), ty)?)
            }
        })
    }
}

fn read(name: &str, param: &KernelParam, path: &Path, is_written: bool) -> Result<NpyArray> {
    let (path, array) = read_array(name, path, is_written)?;
    if let ParamType::Number { scalar, .. } = param.ty
        && scalar != scalar_type(array.ty())
        && !(array.ty() == NpyType::Bool && scalar == ElementType::I8)
    {
        return Err(format!("--arg {name}={path}: the file holds {}, but `{param}` needs {scalar}", array.ty()).into());
    }
    Ok(array)
}

/// The file's name and its array.
fn read_array(name: &str, path: &Path, is_written: bool) -> Result<(String, NpyArray)> {
    let at = |e: String| format!("--arg {name}={}: {e}", path.display());
    let file = File::open(path).map_err(|e| at(e.to_string()))?;
    let (array, by_columns) = NpyArray::read_as_stored(BufReader::new(file)).map_err(|e| at(e.to_string()))?;
    if by_columns && is_written {
        return Err(at("the array is in Fortran order, and such an array cannot be written; \
                       the kernel must write to another one"
            .into())
        .into());
    }
    if by_columns {
        let shape: Vec<String> = array.shape().iter().map(ToString::to_string).collect();
        say!(
            "note: {} is in Fortran order: the buffer `{name}` holds its {} elements column by column, as the file does",
            path.display(),
            shape.join("x")
        );
    }
    Ok((path.display().to_string(), array))
}

/// `file.npy:f64:3x4`: type and shape may be left out.
struct OutSpec {
    file: PathBuf,
    ty: Option<NpyType>,
    shape: Option<Vec<usize>>,
}

impl OutSpec {
    fn parse(text: &str) -> OutSpec {
        let mut spec = OutSpec { file: PathBuf::new(), ty: None, shape: None };
        let mut rest = text;
        if let Some((before, last)) = rest.rsplit_once(':') {
            let shape: Option<Vec<usize>> = last.split(['x', ',']).map(|n| n.parse().ok()).collect();
            if let Some(shape) = shape {
                (spec.shape, rest) = (Some(shape), before);
            }
        }
        if let Some((before, last)) = rest.rsplit_once(':')
            && let Some(ty) = NpyType::from_name(last)
        {
            (spec.ty, rest) = (Some(ty), before);
        }
        spec.file = PathBuf::from(rest);
        spec
    }
}

fn out_type(name: &str, param: &KernelParam, asked: Option<NpyType>) -> Result<NpyType> {
    match (&param.ty, asked) {
        (ParamType::Number { scalar, .. }, None) => Ok(npy_type(*scalar)),
        (ParamType::Number { scalar, .. }, Some(ty)) if scalar_type(ty) == *scalar => Ok(ty),
        (ParamType::Number { .. }, Some(ty)) => {
            Err(format!("--out {name}: {ty} was asked for, but the kernel writes `{param}`").into())
        }
        (ParamType::Named(_), Some(ty)) => Ok(ty),
        (ParamType::Named(named), None) => Err(format!(
            "--out {name}: what `{named}` is cannot be seen from here: add a type, as in --out {name}=FILE.npy:f64"
        )
        .into()),
    }
}

/// All files appear, or none. What is no file, a pipe say, is written to when they are there: it cannot be taken back.
fn write_outputs<'a>(
    args: &Args,
    arrays: impl Iterator<Item = (&'a str, &'a NpyArray)>,
) -> Result<Vec<serde_json::Value>> {
    let (mut files, mut others) = (AtomicFiles::new(), Vec::new());
    let mut written = Vec::new();
    for (param, array) in arrays {
        let Some((_, spec)) = args.outs.iter().find(|(name, _)| name == param) else { continue };
        let path = OutSpec::parse(spec).file;
        let at = |e: std::io::Error| format!("--out {param}={}: {e}", path.display());
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(format!("--out {param}={}: there is no folder `{}`", path.display(), folder.display()).into());
        }
        let mut bytes = Vec::new();
        array.write(&mut bytes).map_err(at)?;
        match files.write(&path, &bytes) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
                // Only here is it said what else the path leads to, and whether that can be written.
                others.push((AtomicFile::create(&path).map_err(at)?, bytes, path.clone(), param));
            }
            Err(e) => return Err(at(e).into()),
        }
        written.push(json!({ "name": param, "file": path.display().to_string(), "type": array.ty().name(), "shape": array.shape() }));
    }
    files.commit()?;
    for (mut other, bytes, path, name) in others {
        let done = other.write_all(&bytes).and_then(|()| other.commit_durably());
        done.map_err(|e| format!("--out {name}={}: {e}", path.display()))?;
    }
    Ok(written)
}

fn scalar_type(ty: NpyType) -> ElementType {
    match ty {
        NpyType::Bool | NpyType::U8 => ElementType::U8,
        NpyType::I8 => ElementType::I8,
        NpyType::I16 => ElementType::I16,
        NpyType::I32 => ElementType::I32,
        NpyType::I64 => ElementType::I64,
        NpyType::U16 => ElementType::U16,
        NpyType::U32 => ElementType::U32,
        NpyType::U64 => ElementType::U64,
        NpyType::F32 => ElementType::F32,
        NpyType::F64 => ElementType::F64,
    }
}

fn npy_type(ty: ElementType) -> NpyType {
    match ty {
        ElementType::I8 => NpyType::I8,
        ElementType::I16 => NpyType::I16,
        ElementType::I32 => NpyType::I32,
        ElementType::I64 => NpyType::I64,
        ElementType::U8 => NpyType::U8,
        ElementType::U16 => NpyType::U16,
        ElementType::U32 => NpyType::U32,
        ElementType::U64 => NpyType::U64,
        ElementType::F32 => NpyType::F32,
        ElementType::F64 => NpyType::F64,
    }
}

/// A number of the parameter's type, or what it must be instead.
fn scalar_value(text: &str, ty: ElementType) -> std::result::Result<ElementValue, String> {
    let whole = || {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let magnitude: Option<i128> = match digits.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        };
        magnitude.map(|m| sign * m)
    };
    macro_rules! integer {
        ($t:ty) => {
            whole()
                .and_then(|x| <$t>::try_from(x).ok())
                .map(ElementValue::from)
                .ok_or_else(|| format!("needs a whole number from {} to {}", <$t>::MIN, <$t>::MAX))
        };
    }
    match ty {
        ElementType::I8 => integer!(i8),
        ElementType::I16 => integer!(i16),
        ElementType::I32 => integer!(i32),
        ElementType::I64 => integer!(i64),
        ElementType::U8 => integer!(u8),
        ElementType::U16 => integer!(u16),
        ElementType::U32 => integer!(u32),
        ElementType::U64 => integer!(u64),
        ElementType::F32 => text.parse::<f32>().map(ElementValue::from).map_err(|_| "needs a number".into()),
        ElementType::F64 => text.parse::<f64>().map(ElementValue::from).map_err(|_| "needs a number".into()),
    }
}
