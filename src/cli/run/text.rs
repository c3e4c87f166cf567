//! `gristmill run mine.rs`: an entry point of a text of kernels over .npy files, on the CPU or on a device.
//!
//! A text can neither read nor write outside of its arguments, so that nothing is guarded here.

use super::{Args, OutSpec, check_names, npy_type, read_array, scalar_type, scalar_value, write_outputs};
use crate::cli::output::{Format, write_json};
use crate::cli::{Outcome, Result, kernels};
use gristmill::cl_runtime::{Arg, Device, ElementType, ElementValue, HostSlice, HostSliceMut, Launch, entry_signature};
use gristmill::kernel::Scalar;
use gristmill::kernel_jit::{EntryError, EntryPoint, KernelSource, Slot, SlotType};
use gristmill_support::nearest;
use gristmill_table_io::npy::{NpyArray, NpyType};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// One parameter with what it was given.
enum Given {
    /// A number; a truth value is 0 or 1.
    Value(ElementValue),
    In(NpyArray),
    /// Written, and perhaps read.
    Out(NpyArray),
}

pub(super) fn run(args: &Args) -> Result {
    if args.source.is_given() || args.check.is_given() {
        return Err(
            "--library, --package, --tag, --manifest, --layer, --option and --no-check are for .cl files: a text of kernels knows \
                    all functions by their names"
                .into(),
        );
    }
    let file = args.kernel.display().to_string();
    let source = kernels::read(&args.kernel)?;
    let entry = entry(args, &source)?;
    let [items] = args.global.0[..] else {
        return Err("an entry point has one index: --global must be one number".into());
    };
    let names: Vec<&str> = entry.params().iter().map(|(name, _)| *name).collect();
    check_names(args, &names, &signature(entry))?;
    let mut given = entry.params().iter().map(|p| value(args, *p, items)).collect::<Result<Vec<Given>>>()?;

    args.fuel.set();
    let device = match crate::cli::devices::wanted(args.device.as_deref())? {
        Some(device) => Some(device.open()?),
        None => None,
    };
    let start = Instant::now();
    match &device {
        Some(device) => {
            args.fuel.refuse_on_device()?;
            on_device(args, entry, device, items, &mut given)?;
        }
        None => {
            kernels::note_if_interpreted(&args.kernel);
            on_cpu(entry, items, &mut given).map_err(|e| {
                let why = if e == EntryError::Stopped { stopped(entry) } else { e.to_string() };
                args.fuel.explain(format!("{file}: {why}"))
            })?;
        }
    }
    let time = start.elapsed();
    let arrays = names.iter().zip(&given).filter_map(|(name, given)| match given {
        Given::Out(array) => Some((*name, array)),
        _ => None,
    });
    let written = write_outputs(args, arrays)?;
    report(args, entry, device.as_ref(), items, time, &written)
}

fn stopped(entry: &EntryPoint) -> String {
    format!("`{}` was interrupted before its results were complete", entry.name())
}

fn report(
    args: &Args,
    entry: &EntryPoint,
    device: Option<&Device>,
    items: usize,
    time: Duration,
    written: &[serde_json::Value],
) -> Result {
    let micros = time.as_secs_f64() * 1e6;
    match args.format {
        Format::Json => write_json(&json!({
            "kernel": entry.name(),
            "signature": signature(entry),
            "device": device.map(|d| crate::cli::devices::to_json(d.info())),
            "global": [items],
            "times_us": { "all": micros },
            "outputs": written,
        }))?,
        Format::Text if args.times => {
            crate::cli::write_stdout(format!("kernel    {micros:>12.1} us\n").as_bytes())?;
        }
        Format::Text => {}
    }
    Ok(Outcome::Fine)
}

/// The entry point that `--entry` names, else the only one.
fn entry<'s>(args: &Args, source: &'s KernelSource) -> Result<&'s EntryPoint> {
    let (all, file) = (source.entries(), args.kernel.display());
    let names = || all.iter().map(EntryPoint::name).collect::<Vec<_>>();
    match (&args.entry, all) {
        (_, []) => {
            let of_numbers = match source.function_names().next() {
                Some(name) => {
                    format!("; `{name}` and its like are called by expressions: gristmill eval --kernels {file}")
                }
                None => String::new(),
            };
            Err(format!("{file}: it has no entry point, a function with `#[kernel(entry)]` above it{of_numbers}")
                .into())
        }
        (Some(name), all) => all.iter().find(|e| e.name() == name).ok_or_else(|| {
            let near = nearest(name, names());
            let help =
                near.map_or_else(|| format!("it has: {}", names().join(", ")), |n| format!("did you mean `{n}`?"));
            format!("{file}: no entry point is called `{name}`; {help}").into()
        }),
        (None, [only]) => Ok(only),
        (None, _) => {
            Err(format!("{file}: it has several entry points: choose one with --entry: {}", names().join(", ")).into())
        }
    }
}

/// `axpy(i: usize, a: f64, x: &[f64], y: &mut [f64])`
fn signature(entry: &EntryPoint) -> String {
    let params: Vec<String> = entry.params().iter().map(|p| parameter(*p)).collect();
    format!("{}({})", entry.name(), params.join(", "))
}

fn parameter((name, ty): (&str, SlotType)) -> String {
    match ty {
        SlotType::Value(scalar) => format!("{name}: {scalar}"),
        SlotType::Slice(scalar, false) => format!("{name}: &[{scalar}]"),
        SlotType::Slice(scalar, _) => format!("{name}: &mut [{scalar}]"),
        _ => name.to_string(),
    }
}

fn value(args: &Args, param: (&str, SlotType), items: usize) -> Result<Given> {
    let (name, shown) = (param.0, parameter(param));
    let find = |list: &[(String, String)]| list.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let (arg, out) = (find(&args.args), find(&args.outs));
    let (scalar, is_written) = match param.1 {
        SlotType::Value(_) if out.is_some() => return Err(format!("--out {name}: `{shown}` is not a slice").into()),
        SlotType::Value(scalar) => {
            let text = arg.ok_or_else(|| format!("`{shown}` has no value: add --arg {name}=NUMBER"))?;
            let number = number(&text, scalar).map_err(|rule| format!("--arg {name}={text}: `{shown}` {rule}"))?;
            return Ok(Given::Value(number));
        }
        SlotType::Slice(scalar, is_written) => (scalar, is_written),
        _ => {
            return Err(
                format!("`{shown}` is neither a number nor a slice; such parameters cannot be given here").into()
            );
        }
    };
    let ty = array_type(scalar);
    let input = arg.map(|file| read_array(name, Path::new(&file), out.is_some())).transpose()?;
    if let Some((path, array)) = &input
        && array.ty() != ty
    {
        return Err(format!("--arg {name}={path}: the file holds {}, but `{shown}` needs {ty}", array.ty()).into());
    }
    let input = input.map(|(_, array)| array);
    match (input, out) {
        (None, None) if !is_written => Err(format!("`{shown}` has no value: add --arg {name}=FILE.npy").into()),
        (None, None) => {
            Err(format!("`{shown}` has no value: add --out {name}=FILE.npy, or --arg {name}=FILE.npy, or both").into())
        }
        (_, Some(_)) if !is_written => Err(format!("--out {name}: the kernel only reads `{shown}`").into()),
        (Some(array), None) if !is_written => Ok(Given::In(array)),
        (Some(array), _) => Ok(Given::Out(array)),
        (None, Some(spec)) => {
            let spec = OutSpec::parse(&spec);
            if let Some(asked) = spec.ty.filter(|asked| *asked != ty) {
                return Err(format!("--out {name}: {asked} was asked for, but the kernel writes `{shown}`").into());
            }
            let shape = spec.shape.unwrap_or_else(|| vec![items]);
            Ok(Given::Out(NpyArray::zeros(ty, &shape).map_err(|e| format!("--out {name}: {e}"))?))
        }
    }
}

fn array_type(scalar: Scalar) -> NpyType {
    if scalar == Scalar::Bool { NpyType::Bool } else { npy_type(ElementType::by_value(scalar)) }
}

fn number(text: &str, scalar: Scalar) -> std::result::Result<ElementValue, String> {
    match (scalar, text) {
        (Scalar::Bool, "true" | "1") => Ok(1i32.into()),
        (Scalar::Bool, "false" | "0") => Ok(0i32.into()),
        (Scalar::Bool, _) => Err("needs true or false".into()),
        _ => scalar_value(text, ElementType::by_value(scalar)),
    }
}

/// The bits of a value, in the low bytes.
fn word(value: ElementValue) -> u64 {
    match value {
        ElementValue::F64(x) => x.to_bits(),
        ElementValue::F32(x) => u64::from(x.to_bits()),
        ElementValue::I64(x) => x as u64,
        ElementValue::I32(x) => x as u64,
        ElementValue::U64(x) => x,
        ElementValue::U32(x) => u64::from(x),
        ElementValue::I16(x) => x as u64,
        ElementValue::I8(x) => x as u64,
        ElementValue::U16(x) => u64::from(x),
        ElementValue::U8(x) => u64::from(x),
    }
}

fn on_cpu(entry: &EntryPoint, items: usize, given: &mut [Given]) -> std::result::Result<(), EntryError> {
    let mut slots: Vec<Slot<'_>> = given
        .iter_mut()
        .map(|given| match given {
            Given::Value(value) => Slot::Value(word(*value)),
            Given::In(array) => Slot::In(array.bytes()),
            Given::Out(array) => Slot::Out(array.bytes_mut()),
        })
        .collect();
    entry.launch(items as u64, &mut slots)
}

fn on_device(args: &Args, entry: &EntryPoint, device: &Device, items: usize, given: &mut [Given]) -> Result<()> {
    if items == 0 {
        return Ok(());
    }
    let mut assembly = gristmill::kernel_cl::Assembly::new();
    assembly.add(entry.shard());
    let program = device.build(&assembly.text(), "")?;
    let signature =
        entry_signature(entry.shard()).ok_or("the entry point takes something that a device cannot be given")?;
    let kernel = program.kernel_with(&signature)?;
    let mut launch = Launch::grid(&[items]);
    if let Some(local) = &args.local {
        launch = launch.local(&local.0);
    }
    let mut launch_args = vec![Arg::value(items as u64)];
    for given in given {
        match given {
            Given::Value(value) => launch_args.push(Arg::Value(*value)),
            Given::In(array) => {
                let count = array.len() as u64;
                launch_args.push(Arg::In(HostSlice::from_bytes(array.bytes(), scalar_type(array.ty()))?));
                launch_args.push(Arg::value(count));
            }
            Given::Out(array) => {
                let (count, ty) = (array.len() as u64, scalar_type(array.ty()));
                launch_args.push(Arg::InOut(HostSliceMut::from_bytes(array.bytes_mut(), ty)?));
                launch_args.push(Arg::value(count));
            }
        }
    }
    kernel.run_guarded_once(&launch, &mut launch_args)?;
    Ok(())
}
