//! A kernel of any program text on a device: for R code, and for the C code of packages that link to this one.

use crate::devices::{build_together, device};
use crate::error::with_causes;
use crate::map::NA_INTEGER;
use crate::value::{Arguments, Input, Operation, Output, Problem};
use gristmill_cl_runtime::{
    Arg, DeviceKernel, ElementType, ElementValue, KernelParam, Launch, ParamKind, ParamType, RuntimeError,
};
use std::ffi::{CStr, c_char, c_int, c_void};

pub(crate) fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "kernel_run" => run,
        "device_problem" => device_problem,
        "device_units" => device_units,
        "device_build" => device_build,
        _ => return None,
    })
}

fn words(error: RuntimeError) -> Problem {
    with_causes(&error)
}

/// An array of R in the type that the kernel wants.
enum Buffer {
    Doubles(Vec<f64>),
    Floats(Vec<f32>),
    Integers(Vec<i32>),
}

impl Buffer {
    fn new(param: &KernelParam, input: &Input<'_>) -> Result<Buffer, Problem> {
        let kind = match &param.ty {
            ParamType::Number { scalar, lanes: 1 } => *scalar,
            _ => ElementType::F64,
        };
        let name = &param.name;
        match (kind, input) {
            (ElementType::F64, Input::Doubles(x)) => Ok(Buffer::Doubles(x.to_vec())),
            (ElementType::F64, Input::Integers(x) | Input::Logicals(x)) => {
                Ok(Buffer::Doubles(x.iter().map(|x| if *x == NA_INTEGER { f64::NAN } else { f64::from(*x) }).collect()))
            }
            (ElementType::F32, Input::Doubles(x)) => Ok(Buffer::Floats(x.iter().map(|x| *x as f32).collect())),
            (ElementType::I32, Input::Integers(x) | Input::Logicals(x)) => Ok(Buffer::Integers(x.to_vec())),
            (ElementType::I32, Input::Doubles(x)) => {
                let whole = |x: &f64| {
                    let fits = x.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(x);
                    fits.then_some(*x as i32)
                        .ok_or_else(|| format!("`{name}` is {x}, but must be whole numbers of 32 bits"))
                };
                Ok(Buffer::Integers(x.iter().map(whole).collect::<Result<_, _>>()?))
            }
            (kind, _) => Err(format!(
                "`{name}` points to {}, for which R has no vectors; use double, float or int",
                kind.c_name()
            )),
        }
    }

    fn output(self) -> Output {
        match self {
            Buffer::Doubles(x) => Output::Doubles(x),
            Buffer::Floats(x) => Output::Doubles(x.into_iter().map(f64::from).collect()),
            Buffer::Integers(x) => Output::Integers(x),
        }
    }
}

fn scalar(param: &KernelParam, input: &Input<'_>) -> Result<ElementValue, Problem> {
    let name = &param.name;
    let x = match input {
        Input::Doubles([x]) => *x,
        Input::Integers([x]) | Input::Logicals([x]) => f64::from(*x),
        _ => return Err(format!("`{name}` is a number in the kernel, but a vector of another length was given")),
    };
    let whole = |low: f64, high: f64| {
        let fits = x.fract() == 0.0 && x >= low && x <= high;
        if fits { Ok(x) } else { Err(format!("`{name}` is {x}, which the kernel's type cannot hold")) }
    };
    let kind = match &param.ty {
        ParamType::Number { scalar, lanes: 1 } => *scalar,
        _ => return Err(format!("`{name}` is of a type that R has no numbers for")),
    };
    Ok(match kind {
        ElementType::F64 => ElementValue::F64(x),
        ElementType::F32 => ElementValue::F32(x as f32),
        ElementType::I8 => ElementValue::I8(whole(-128.0, 127.0)? as i8),
        ElementType::I16 => ElementValue::I16(whole(-32768.0, 32767.0)? as i16),
        ElementType::I32 => ElementValue::I32(whole(f64::from(i32::MIN), f64::from(i32::MAX))? as i32),
        ElementType::I64 => ElementValue::I64(whole(-9007199254740992.0, 9007199254740992.0)? as i64),
        ElementType::U8 => ElementValue::U8(whole(0.0, 255.0)? as u8),
        ElementType::U16 => ElementValue::U16(whole(0.0, 65535.0)? as u16),
        ElementType::U32 => ElementValue::U32(whole(0.0, f64::from(u32::MAX))? as u32),
        ElementType::U64 => ElementValue::U64(whole(0.0, 9007199254740992.0)? as u64),
    })
}

/// What became of an argument.
enum Place {
    Value(ElementValue),
    Read(Buffer),
    Written(Buffer),
}

impl Place {
    fn new(param: &KernelParam, input: &Input<'_>) -> Result<Place, Problem> {
        match param.kind {
            ParamKind::Value => Ok(Place::Value(scalar(param, input)?)),
            ParamKind::Global { read_only: true } | ParamKind::Constant => Ok(Place::Read(Buffer::new(param, input)?)),
            ParamKind::Global { read_only: false } => Ok(Place::Written(Buffer::new(param, input)?)),
            ParamKind::Local | ParamKind::Unknown => Err(format!("`{}` is neither a number nor an array", param.name)),
        }
    }

    fn argument(&mut self) -> Arg<'_> {
        match self {
            Place::Value(x) => Arg::Value(*x),
            Place::Read(Buffer::Doubles(x)) => Arg::input(x),
            Place::Read(Buffer::Floats(x)) => Arg::input(x),
            Place::Read(Buffer::Integers(x)) => Arg::input(x),
            Place::Written(Buffer::Doubles(x)) => Arg::in_out(x),
            Place::Written(Buffer::Floats(x)) => Arg::in_out(x),
            Place::Written(Buffer::Integers(x)) => Arg::in_out(x),
        }
    }
}

/// Why there is no device; NULL if there is one.
fn device_problem(_: Arguments<'_>) -> Result<Output, Problem> {
    Ok(device().err().map_or(Output::Nothing, Output::text))
}

/// names of kernels
fn device_build(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let functions: Vec<_> = arguments
        .strings()?
        .into_iter()
        .map(|name| {
            let function = gristmill_nmath::KERNELS.iter().find(|f| f.name() == name);
            function.copied().ok_or_else(|| format!("there is no kernel `{name}`"))
        })
        .collect::<Result<_, _>>()?;
    build_together(&functions)?;
    Ok(Output::Nothing)
}

/// How many compute units the device has; NULL if there is none.
fn device_units(_: Arguments<'_>) -> Result<Output, Problem> {
    Ok(device().map_or(Output::Nothing, |device| Output::integer(device.info().compute_units as usize)))
}

/// program text, kernel's name, options, sizes, then the kernel's arguments one by one
fn run(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let (text, name, options) = (arguments.string()?, arguments.string()?, arguments.string()?);
    let device = device()?;
    let sizes: Vec<usize> = arguments.doubles()?.iter().map(|x| *x as usize).collect();
    let kernel = device.build(text, options).map_err(words)?.kernel(name).map_err(words)?;
    let params = kernel.signature().params.clone();
    let mut places = Vec::with_capacity(params.len());
    while let Some(input) = arguments.next() {
        match params.get(places.len()) {
            Some(param) => places.push(Place::new(param, &input)?),
            None => return Err(format!("kernel `{name}` takes {} arguments, but more were given", params.len())),
        }
    }
    // Text of unknown origin: on copies with guards around them.
    let mut given: Vec<Arg<'_>> = places.iter_mut().map(Place::argument).collect();
    kernel.run_guarded(&Launch::grid(&sizes), &mut given).map_err(words)?;
    drop(given);
    let written = params.into_iter().zip(places).filter_map(|(param, place)| match place {
        Place::Written(buffer) => Some((param.name, buffer.output())),
        _ => None,
    });
    Ok(Output::list([("written", Output::List(written.collect())), ("device", Output::text(device.info().label()))]))
}

/// An argument of a kernel, as packages in C and C++ pass it: `gristmill_argument` of inst/include/gristmill.h.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct KernelArgument {
    kind: c_int,
    length: usize,
    data: *mut c_void,
}

/// The kinds of a [`KernelArgument`], as in inst/include/gristmill.h.
mod kind {
    use std::ffi::c_int;
    pub(super) const DOUBLE: c_int = 1;
    pub(super) const INT: c_int = 2;
    pub(super) const DOUBLES_IN: c_int = 3;
    pub(super) const DOUBLES_OUT: c_int = 4;
    pub(super) const INTS_IN: c_int = 5;
    pub(super) const INTS_OUT: c_int = 6;
}

/// # Safety
/// As (2) of [`gm_run_kernel`].
unsafe fn argument<'a>(given: &KernelArgument) -> Result<Arg<'a>, Problem> {
    let KernelArgument { kind, length, data } = *given;
    // SAFETY: the caller's promise, for all of these.
    unsafe {
        let inputs = |empty: bool| if empty { std::ptr::NonNull::dangling().as_ptr() } else { data };
        let place = inputs(length == 0);
        Ok(match kind {
            kind::DOUBLE => Arg::value(*data.cast::<f64>()),
            kind::INT => Arg::value(*data.cast::<i32>()),
            kind::DOUBLES_IN => Arg::input(std::slice::from_raw_parts(place.cast::<f64>().cast_const(), length)),
            kind::DOUBLES_OUT => Arg::output(std::slice::from_raw_parts_mut(place.cast::<f64>(), length)),
            kind::INTS_IN => Arg::input(std::slice::from_raw_parts(place.cast::<i32>().cast_const(), length)),
            kind::INTS_OUT => Arg::output(std::slice::from_raw_parts_mut(place.cast::<i32>(), length)),
            other => return Err(format!("an argument is of kind {other}, but there are the kinds 1 to 6")),
        })
    }
}

/// Builds the program (once for each text and device) and runs the kernel. 0: done; 1: failed, for the reason in `message`;
/// 2: there is no device with double precision, `message` says why.
///
/// # Safety
/// 1. `text`, `kernel` and `options` are C strings.
/// 2. `arguments` points to `count` arguments; each `data` points to a number, or to `length` numbers of its kind, aligned,
///    that nobody else changes meanwhile, and outputs overlap nothing.
/// 3. `message` has room for `room` bytes.
/// 4. The kernel reads and writes only elements of the arrays that it is given, and writes to none that it declares `const`.
/// 5. `sizes` points to `dimensions` numbers.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_run_kernel(
    text: *const c_char,
    kernel: *const c_char,
    options: *const c_char,
    sizes: *const usize,
    dimensions: usize,
    arguments: *const KernelArgument,
    count: usize,
    message: *mut c_char,
    room: usize,
) -> c_int {
    let work = || -> Result<(), (c_int, Problem)> {
        let failed = |problem: Problem| (1, problem);
        // SAFETY: (1).
        let string = |p: *const c_char| unsafe { CStr::from_ptr(p) }.to_str().map_err(|e| failed(e.to_string()));
        let (text, kernel, options) = (string(text)?, string(kernel)?, string(options)?);
        if !(1..=3).contains(&dimensions) {
            return Err(failed(format!("a launch has {dimensions} dimensions, but must have 1 to 3")));
        }
        // SAFETY: (5).
        let sizes = unsafe { std::slice::from_raw_parts(sizes, dimensions) };
        let device = device().map_err(|problem| (2, problem))?;
        let kernel: DeviceKernel =
            device.build(text, options).and_then(|program| program.kernel(kernel)).map_err(|e| failed(words(e)))?;
        let mut given = Vec::with_capacity(count);
        for at in 0..count {
            // SAFETY: (2).
            given.push(unsafe { argument(&*arguments.add(at)) }.map_err(failed)?);
        }
        // SAFETY: (4).
        unsafe { kernel.run(&Launch::grid(sizes), &mut given) }.map_err(|e| failed(words(e)))?;
        Ok(())
    };
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let (code, text) = match done {
        Ok(Ok(())) => (0, String::new()),
        Ok(Err((code, problem))) => (code, problem),
        Err(_) => (1, "internal error; please report it".to_owned()),
    };
    if room > 0 {
        let bytes = text.as_bytes();
        let length = bytes.len().min(room - 1);
        // SAFETY: (3).
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), message.cast(), length);
            message.add(length).write(0);
        }
    }
    code
}
