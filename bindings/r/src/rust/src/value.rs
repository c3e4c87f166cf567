//! How R hands over arguments and gets results back: vectors in, a tree of vectors out, one entry point.
//!
//! Nothing here knows R's API: the C code of the package turns R objects into [`RawInput`]s, which borrow R's memory for the
//! time of the call, and a tree of [`Output`]s into R objects.

use crate::error::with_causes;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the calling thread asks whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a vector holds; the numbers are those of `GM_*` in src/value.h.
const NOTHING: c_int = 0;
const DOUBLES: c_int = 1;
const INTEGERS: c_int = 2;
const LOGICALS: c_int = 3;
const STRINGS: c_int = 4;
const LIST: c_int = 5;

/// A vector of R, as C passes it.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct RawInput {
    kind: c_int,
    length: usize,
    /// Doubles, 32-bit integers, or pointers to C strings in UTF-8, of which null is `NA`.
    data: *const c_void,
}

/// A vector of R, in Rust's types.
#[derive(Debug)]
pub(crate) enum Input<'a> {
    Nothing,
    Doubles(&'a [f64]),
    /// `NA` is `i32::MIN`.
    Integers(&'a [i32]),
    /// 0, 1, or `NA` as `i32::MIN`.
    Logicals(&'a [i32]),
    Strings(Vec<Option<&'a str>>),
}

/// What R gets.
#[derive(Debug)]
pub(crate) enum Output {
    /// `NULL`
    Nothing,
    /// A vector of doubles.
    Doubles(Vec<f64>),
    /// A vector of integers.
    Integers(Vec<i32>),
    /// A vector of logicals.
    Logicals(Vec<i32>),
    /// A vector of strings; `None` is `NA`.
    Strings(Vec<Option<String>>),
    /// A list with names.
    List(Vec<(String, Output)>),
}

impl Output {
    pub(crate) fn number(x: f64) -> Output {
        Output::Doubles(vec![x])
    }

    pub(crate) fn integer(x: usize) -> Output {
        Output::Integers(vec![i32::try_from(x).unwrap_or(i32::MAX)])
    }

    pub(crate) fn flag(x: bool) -> Output {
        Output::Logicals(vec![i32::from(x)])
    }

    pub(crate) fn flags(x: impl IntoIterator<Item = bool>) -> Output {
        Output::Logicals(x.into_iter().map(i32::from).collect())
    }

    pub(crate) fn text(x: impl Into<String>) -> Output {
        Output::Strings(vec![Some(x.into())])
    }

    pub(crate) fn texts<T: Into<String>>(x: impl IntoIterator<Item = T>) -> Output {
        Output::Strings(x.into_iter().map(|s| Some(s.into())).collect())
    }

    pub(crate) fn list<const N: usize>(entries: [(&str, Output); N]) -> Output {
        Output::List(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

/// Why an operation has no result, in the words that R's user reads.
pub(crate) type Problem = String;

/// The arguments of an operation, taken one after the other.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    inputs: std::vec::IntoIter<Input<'a>>,
    /// Set when the user wants to stop: operations look at it between steps.
    pub(crate) stop: &'a AtomicBool,
}

/// R code of this package passes what operations take; a mistake there is reported, not worked around.
fn unexpected(found: &Option<Input<'_>>, expected: &str) -> Problem {
    format!("internal error: an operation was given {found:?}, but needs {expected}")
}

impl<'a> Arguments<'a> {
    pub(crate) fn next(&mut self) -> Option<Input<'a>> {
        self.inputs.next()
    }

    pub(crate) fn optional_doubles(&mut self) -> Result<Option<&'a [f64]>, Problem> {
        match self.next() {
            Some(Input::Doubles(x)) => Ok(Some(x)),
            Some(Input::Nothing) => Ok(None),
            other => Err(unexpected(&other, "doubles or NULL")),
        }
    }

    pub(crate) fn doubles(&mut self) -> Result<&'a [f64], Problem> {
        self.optional_doubles()?.ok_or_else(|| unexpected(&None, "doubles"))
    }

    pub(crate) fn number(&mut self) -> Result<f64, Problem> {
        self.doubles()?.first().copied().ok_or_else(|| unexpected(&None, "a number"))
    }

    pub(crate) fn count(&mut self) -> Result<usize, Problem> {
        let number = self.number()?;
        if (0.0..9e15).contains(&number) { Ok(number as usize) } else { Err(unexpected(&None, "a count")) }
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Problem> {
        match self.next() {
            Some(Input::Logicals([flag])) => Ok(*flag == 1),
            other => Err(unexpected(&other, "TRUE or FALSE")),
        }
    }

    pub(crate) fn strings(&mut self) -> Result<Vec<&'a str>, Problem> {
        match self.next() {
            Some(Input::Strings(all)) if all.iter().all(Option::is_some) => Ok(all.into_iter().flatten().collect()),
            Some(Input::Nothing) => Ok(Vec::new()),
            other => Err(unexpected(&other, "strings")),
        }
    }

    pub(crate) fn optional_string(&mut self) -> Result<Option<&'a str>, Problem> {
        Ok(self.strings()?.first().copied())
    }

    pub(crate) fn string(&mut self) -> Result<&'a str, Problem> {
        self.optional_string()?.ok_or_else(|| unexpected(&None, "a string"))
    }

    /// Ends the operation if the user wants to stop.
    pub(crate) fn go_on(&self) -> Result<(), Problem> {
        if self.stop.load(Ordering::Relaxed) { Err("interrupted".to_owned()) } else { Ok(()) }
    }
}

/// # Safety
/// 1. `arguments` points to `count` arguments.
/// 2. Each `data` is valid for `length` elements of its kind, until the call returns.
/// 3. Strings end with a zero byte.
unsafe fn inputs<'a>(arguments: *const RawInput, count: usize) -> Result<Vec<Input<'a>>, Problem> {
    let arguments: &[RawInput] = match count {
        0 => &[],
        // SAFETY: (1).
        _ => unsafe { std::slice::from_raw_parts(arguments, count) },
    };
    arguments
        .iter()
        .map(|a| {
            if a.length == 0 {
                // R's pointer to no elements need not be one that Rust may hold.
                return Ok(match a.kind {
                    DOUBLES => Input::Doubles(&[]),
                    INTEGERS => Input::Integers(&[]),
                    LOGICALS => Input::Logicals(&[]),
                    STRINGS => Input::Strings(Vec::new()),
                    _ => Input::Nothing,
                });
            }
            Ok(match a.kind {
                NOTHING => Input::Nothing,
                // SAFETY: (2).
                DOUBLES => Input::Doubles(unsafe { std::slice::from_raw_parts(a.data.cast(), a.length) }),
                // SAFETY: (2).
                INTEGERS => Input::Integers(unsafe { std::slice::from_raw_parts(a.data.cast(), a.length) }),
                // SAFETY: (2).
                LOGICALS => Input::Logicals(unsafe { std::slice::from_raw_parts(a.data.cast(), a.length) }),
                STRINGS => {
                    // SAFETY: (2).
                    let pointers: &[*const c_char] = unsafe { std::slice::from_raw_parts(a.data.cast(), a.length) };
                    let text = |p: &*const c_char| match p.is_null() {
                        true => Ok(None),
                        // SAFETY: (3).
                        false => unsafe { CStr::from_ptr(*p) }
                            .to_str()
                            .map(Some)
                            .map_err(|_| "a string is not UTF-8".to_owned()),
                    };
                    Input::Strings(pointers.iter().map(text).collect::<Result<_, _>>()?)
                }
                other => return Err(format!("internal error: no vector is of kind {other}")),
            })
        })
        .collect()
}

fn perform(operation: &str, arguments: Arguments<'_>) -> Result<Output, Problem> {
    let all = [crate::glm::operation, crate::library::operation, crate::eval::operation, crate::runner::operation];
    let found = all.iter().find_map(|table| table(operation));
    let found = found.ok_or_else(|| format!("internal error: there is no operation `{operation}`"))?;
    let pool = match crate::threads::pool() {
        Some(pool) => pool,
        // One thread, and not rayon's own pool, which has as many as there are cores.
        None => match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.into(),
            Err(error) => return Err(with_causes(&error)),
        },
    };
    pool.install(|| found(arguments))
}

/// An operation by its name.
pub(crate) type Operation = fn(Arguments<'_>) -> Result<Output, Problem>;

/// Performs an operation on a thread of its own, while the calling thread asks `interrupted` now and then whether the user
/// wants to stop. 0: `result` is the operation's; 1: it is the message, a string.
///
/// # Safety
/// 1. `operation` is a C string.
/// 2. `arguments` points to `count` arguments whose data is valid and unchanged until the call returns, strings being C
///    strings.
/// 3. `interrupted` may be called on this thread.
/// 4. `result` may be written to; what is there then is to be released by [`gm_output_free`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_perform(
    operation: *const c_char,
    arguments: *const RawInput,
    count: usize,
    interrupted: extern "C" fn() -> c_int,
    result: *mut *mut Output,
) -> c_int {
    let work = || -> Result<Output, Problem> {
        // SAFETY: (1).
        let operation = unsafe { CStr::from_ptr(operation) }.to_string_lossy().into_owned();
        // SAFETY: (2).
        let inputs = unsafe { inputs(arguments, count) }?;
        let stop = AtomicBool::new(false);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let arguments = Arguments { inputs: inputs.into_iter(), stop: &stop };
            let perform = || {
                let done = catch_unwind(AssertUnwindSafe(|| perform(&operation, arguments)));
                let done = done.unwrap_or_else(|panic| Err(said(&*panic)));
                // The receiver waits until this has come.
                let _ = sender.send(done);
            };
            let started = std::thread::Builder::new().name("gristmill".into()).spawn_scoped(scope, perform);
            started.map_err(|error| format!("no thread could be started: {error}"))?;
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(done) => return done,
                    Err(RecvTimeoutError::Timeout) => {
                        // By (3).
                        if interrupted() != 0 {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err("internal error: no result came".to_owned()),
                }
            }
        })
    };
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(said(&*panic)));
    let (code, output) = match done {
        Ok(output) => (0, output),
        Err(problem) => (1, Output::text(problem)),
    };
    // SAFETY: (4).
    unsafe { result.write(Box::into_raw(Box::new(output))) };
    code
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> Problem {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("internal error: {}; please report it", text.unwrap_or("a panic"))
}

/// # Safety
/// `output` is from [`gm_perform`], or a child of such, and not released yet.
unsafe fn borrow<'a>(output: *const Output) -> &'a Output {
    // SAFETY: the caller's promise.
    unsafe { &*output }
}

/// What a result is.
///
/// # Safety
/// `output` is from [`gm_perform`], or a child of such, and not released yet.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_kind(output: *const Output) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { borrow(output) } {
        Output::Nothing => NOTHING,
        Output::Doubles(_) => DOUBLES,
        Output::Integers(_) => INTEGERS,
        Output::Logicals(_) => LOGICALS,
        Output::Strings(_) => STRINGS,
        Output::List(_) => LIST,
    }
}

/// How many elements a result has.
///
/// # Safety
/// As [`gm_output_kind`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_length(output: *const Output) -> usize {
    // SAFETY: the caller's promise.
    match unsafe { borrow(output) } {
        Output::Nothing => 0,
        Output::Doubles(x) => x.len(),
        Output::Integers(x) | Output::Logicals(x) => x.len(),
        Output::Strings(x) => x.len(),
        Output::List(x) => x.len(),
    }
}

/// The numbers of a result of doubles, integers or logicals; null of others.
///
/// # Safety
/// As [`gm_output_kind`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_numbers(output: *const Output) -> *const c_void {
    // SAFETY: the caller's promise.
    match unsafe { borrow(output) } {
        Output::Doubles(x) => x.as_ptr().cast(),
        Output::Integers(x) | Output::Logicals(x) => x.as_ptr().cast(),
        _ => std::ptr::null(),
    }
}

/// The bytes of string `i`, UTF-8 without an end, and how many; null is `NA`. Of a list: the name of its element.
///
/// # Safety
/// As [`gm_output_kind`]; `length` may be written to.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_string(output: *const Output, i: usize, length: *mut usize) -> *const u8 {
    // SAFETY: the caller's promise.
    let text = match unsafe { borrow(output) } {
        Output::Strings(x) => x.get(i).and_then(Option::as_deref),
        Output::List(x) => x.get(i).map(|(name, _)| name.as_str()),
        _ => None,
    };
    // SAFETY: the caller's promise.
    unsafe { length.write(text.map_or(0, str::len)) };
    text.map_or(std::ptr::null(), str::as_ptr)
}

/// Element `i` of a list, which lives as long as the list; null if there is none.
///
/// # Safety
/// As [`gm_output_kind`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_child(output: *const Output, i: usize) -> *const Output {
    // SAFETY: the caller's promise.
    match unsafe { borrow(output) } {
        Output::List(x) => x.get(i).map_or(std::ptr::null(), |(_, value)| value),
        _ => std::ptr::null(),
    }
}

/// Releases a result.
///
/// # Safety
/// `output` is null, or from [`gm_perform`] (no child) and not released yet.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_output_free(output: *mut Output) {
    if !output.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(output) });
    }
}
