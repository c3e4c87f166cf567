//! A kernel over R's vectors: recycled, over lanes and threads, with NA kept apart from NaN.

use crate::error::{ErrorText, guarded, with_causes};
use crate::text::Text;
use crate::{devices, threads};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Elements that are computed at a time.
const BLOCK: usize = 2048;
/// Pieces whose time says what the other elements will take: first a small one, for functions that take microseconds. The best of them
/// counts: the first ones pay for caches that are cold, and the machine may have been elsewhere during one.
const PROBES: [usize; 3] = [256, BLOCK, BLOCK];
/// Elements of one task: enough that handing it over does not show.
const TASK: usize = 8 * BLOCK;
/// Elements that a device computes at a time: enough to fill it; between them R is asked whether the user wants to stop.
const ON_DEVICE: usize = 1 << 20;
/// Work, in nanoseconds, from which on threads pay: waking them costs tens of microseconds, on a busy machine more.
const PARALLEL_NANOSECONDS: f64 = 300_000.0;
/// How long a call of [`gm_map`] may last before R is asked whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// The most parameters that a kernel has.
const MOST_PARAMS: usize = 8;
/// The most flags.
const MOST_FLAGS: usize = 2;

/// R's NA: a NaN whose low word is 1954.
pub(crate) const NA_REAL: f64 = f64::from_bits(0x7ff0_0000_0000_07a2);
/// R's NA of integers.
pub(crate) const NA_INTEGER: i32 = i32::MIN;

pub(crate) fn is_na(x: f64) -> bool {
    x.is_nan() && x.to_bits() as u32 == 1954
}

/// `gm_argument` in C.
#[repr(C)]
pub(crate) struct Argument {
    values: *const c_void,
    length: usize,
    kind: i32,
}

/// `gm_key` in C.
#[repr(C)]
pub(crate) struct Key {
    pub(crate) seed: u64,
    pub(crate) stream: u32,
}

/// `gm_call` in C.
#[repr(C)]
pub(crate) struct Call {
    kernel: i32,
    argument_count: i32,
    arguments: *const Argument,
    key: *const Key,
    result_count: i32,
    results: *const *mut f64,
    length: usize,
    new_nans: i32,
    warned: i32,
}

/// What R warns of, element by element, besides NaNs.
#[derive(Clone, Copy, PartialEq)]
enum Warning {
    None,
    /// The first argument of a discrete density is no integer. (One function of R looks at negative ones first.)
    Count {
        of_negative: bool,
    },
    /// The number of trials is no integer.
    Trials,
    /// The number of things to choose is rounded.
    Rounded,
    /// A negative first argument.
    Range,
}

impl Warning {
    fn of(function: &Function) -> Warning {
        match function.name() {
            "dhyper" => Warning::Count { of_negative: false },
            "dbinom" | "dgeom" | "dnbinom" | "dnbinom_mu" | "dpois" => Warning::Count { of_negative: true },
            "pbinom" => Warning::Trials,
            "choose" | "lchoose" => Warning::Rounded,
            "bessel_i" | "bessel_j" | "bessel_k" | "bessel_y" => Warning::Range,
            _ => Warning::None,
        }
    }
}

/// What is known of a kernel before it is called.
struct Shape {
    function: Function,
    params: Vec<Scalar>,
    results: Vec<Scalar>,
    warning: Warning,
    /// The numbers of parameters and of flags behind them, where one double is made of doubles.
    plain: Option<(usize, usize)>,
}

/// See [`Shape::plain`].
fn plain_counts(params: &[Scalar], results: &[Scalar]) -> Option<(usize, usize)> {
    let values = params.iter().take_while(|ty| **ty == Scalar::F64).count();
    let flags = params.len() - values;
    let is_plain = results == [Scalar::F64]
        && params[values..].iter().all(|ty| *ty == Scalar::Bool)
        && params.len() <= MOST_PARAMS
        && flags <= MOST_FLAGS;
    is_plain.then_some((values, flags))
}

/// By the kernels' numbers.
static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let shape = |function: &Function| {
        let params: Vec<Scalar> = function.params().map(|(_, ty)| ty).collect();
        let results = function.results();
        let plain = plain_counts(&params, &results);
        Shape { function: *function, params, results, warning: Warning::of(function), plain }
    };
    gristmill_nmath::KERNELS.iter().map(shape).collect()
});

/// Values of an R vector, which are taken in turn.
#[derive(Clone, Copy)]
enum Recycled<'a> {
    Doubles(&'a [f64]),
    Integers(&'a [i32]),
}

impl Recycled<'_> {
    fn len(&self) -> usize {
        match self {
            Recycled::Doubles(v) => v.len(),
            Recycled::Integers(v) => v.len(),
        }
    }

    /// Element `i` as a double.
    fn at(&self, i: usize) -> f64 {
        match self {
            Recycled::Doubles([all]) => *all,
            Recycled::Doubles(v) => v[i % v.len()],
            Recycled::Integers(v) => integer_as_double(v[i % v.len()]),
        }
    }

    /// Elements `from..from + count`, or one for all.
    fn collect<T>(&self, from: usize, count: usize, of: impl Fn(f64) -> T) -> Vec<T> {
        if self.len() == 1 {
            return vec![of(self.at(0))];
        }
        let mut place = from % self.len();
        (0..count)
            .map(|_| {
                let value = of(self.at(place));
                place = if place + 1 == self.len() { 0 } else { place + 1 };
                value
            })
            .collect()
    }
}

impl<'a> Recycled<'a> {
    /// As `collect`, without a copy where the values lie there already.
    fn doubles(&self, from: usize, count: usize) -> Cow<'a, [f64]> {
        match self {
            Recycled::Doubles(v) if v.len() == 1 => Cow::Borrowed(v),
            Recycled::Doubles(v) if from % v.len() + count <= v.len() => {
                let start = from % v.len();
                Cow::Borrowed(&v[start..start + count])
            }
            _ => Cow::Owned(self.collect(from, count, |x| x)),
        }
    }
}

fn integer_as_double(i: i32) -> f64 {
    if i == NA_INTEGER { NA_REAL } else { f64::from(i) }
}

/// As R's `as.integer`, for what fits.
fn double_as_integer(x: f64) -> i32 {
    if x.is_nan() { NA_INTEGER } else { x as i32 }
}

/// R's truth: everything but 0; NA counts as true, as where R's own functions read a flag.
fn is_true(x: f64) -> bool {
    x != 0.0
}

/// The values of one parameter for some elements.
enum Values<'a> {
    F64(Cow<'a, [f64]>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Bool(Vec<bool>),
}

impl Values<'_> {
    fn column(&self) -> Column<'_> {
        match self {
            Values::F64(v) => Column::F64(v),
            Values::I32(v) => Column::I32(v),
            Values::U32(v) => Column::U32(v),
            Values::U64(v) => Column::U64(v),
            Values::Bool(v) => Column::Bool(v),
        }
    }
}

/// Where results go that are not doubles.
enum Place<'a> {
    F64(&'a mut [f64]),
    I32(Vec<i32>, &'a mut [f64]),
    U32(Vec<u32>, &'a mut [f64]),
}

impl<'a> Place<'a> {
    fn new(ty: Scalar, out: &'a mut [f64]) -> Result<Place<'a>, String> {
        match ty {
            Scalar::F64 => Ok(Place::F64(out)),
            Scalar::I32 => Ok(Place::I32(vec![0; out.len()], out)),
            Scalar::U32 => Ok(Place::U32(vec![0; out.len()], out)),
            other => Err(format!("a result is of type {other}, which R does not have")),
        }
    }

    fn column(&mut self) -> ColumnMut<'_> {
        match self {
            Place::F64(v) => ColumnMut::F64(v),
            Place::I32(v, _) => ColumnMut::I32(v),
            Place::U32(v, _) => ColumnMut::U32(v),
        }
    }

    /// The results as doubles.
    fn finish(self) -> &'a mut [f64] {
        match self {
            Place::F64(out) => out,
            Place::I32(v, out) => {
                out.iter_mut().zip(v).for_each(|(to, x)| *to = integer_as_double(x));
                out
            }
            Place::U32(v, out) => {
                out.iter_mut().zip(v).for_each(|(to, x)| *to = f64::from(x));
                out
            }
        }
    }
}

/// A call whose pointers were looked at once.
pub(crate) struct Job<'a> {
    shape: &'a Shape,
    arguments: [Recycled<'a>; MOST_PARAMS],
    count: usize,
    key: Option<&'a Key>,
    results: &'a [*mut f64],
    length: usize,
    new_nans: AtomicBool,
    warned: AtomicBool,
}

// SAFETY: the results are written by one thread for each element; everything else is only read.
unsafe impl Sync for Job<'_> {}

impl<'a> Job<'a> {
    /// # Safety
    /// 1. The pointers of `call` hold what their counts and kinds say during `'a`; the results are nobody else's.
    unsafe fn new(call: &'a Call) -> Result<Job<'a>, String> {
        let shape = usize::try_from(call.kernel).ok().and_then(|k| SHAPES.get(k));
        let shape = shape.ok_or_else(|| format!("there is no kernel {}", call.kernel))?;
        let count = call.argument_count as usize;
        // SAFETY: (1).
        let key = unsafe { call.key.as_ref() };
        let hidden = if key.is_some() { 3 } else { 0 };
        if count + hidden != shape.params.len() || call.result_count as usize != shape.results.len() {
            return Err(format!("`{}` was called with {count} arguments", shape.function.name()));
        }
        let mut arguments = [Recycled::Doubles(&[]); MOST_PARAMS];
        for (k, place) in arguments.iter_mut().enumerate().take(count) {
            // SAFETY: (1).
            unsafe {
                let Argument { values, length, kind } = call.arguments.add(k).read();
                *place = match kind {
                    0 => Recycled::Doubles(slice(values.cast(), length)),
                    _ => Recycled::Integers(slice(values.cast(), length)),
                };
            }
            if place.len() == 0 && call.length > 0 {
                return Err(format!("argument {} of `{}` is empty", k + 1, shape.function.name()));
            }
        }
        // SAFETY: (1).
        let results = unsafe { slice(call.results, shape.results.len()) };
        let (new_nans, warned) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Job { shape, arguments, count, key, results, length: call.length, new_nans, warned })
    }

    fn arguments(&self) -> &[Recycled<'a>] {
        &self.arguments[..self.count]
    }

    /// The arguments that are no flags: a flag that is NA is true to R, and no reason for a missing result.
    fn numbers(&self) -> impl Iterator<Item = &Recycled<'a>> {
        let types = &self.shape.params[self.shape.params.len() - self.count..];
        self.arguments().iter().zip(types).filter(|(_, ty)| **ty != Scalar::Bool).map(|(argument, _)| argument)
    }

    /// The columns of elements `from..from + count`.
    fn columns(&self, from: usize, count: usize) -> Result<Vec<Values<'a>>, String> {
        let mut columns = Vec::with_capacity(self.shape.params.len());
        if let Some(key) = self.key {
            columns.push(Values::U64(vec![key.seed]));
            columns.push(Values::U32(vec![key.stream]));
            columns.push(Values::U64((from..from + count).map(|i| i as u64).collect()));
        }
        let hidden = columns.len();
        for (argument, ty) in self.arguments().iter().zip(&self.shape.params[hidden..]) {
            columns.push(match ty {
                Scalar::F64 => Values::F64(argument.doubles(from, count)),
                Scalar::Bool => Values::Bool(argument.collect(from, count, is_true)),
                Scalar::I32 => Values::I32(argument.collect(from, count, double_as_integer)),
                Scalar::U32 => Values::U32(argument.collect(from, count, |x| x as u32)),
                Scalar::U64 => Values::U64(argument.collect(from, count, |x| x as u64)),
                other => return Err(format!("a parameter is of type {other}, which R does not have")),
            });
        }
        Ok(columns)
    }

    /// One element by the scalar function, without allocating: what a call with one number costs is mostly R's.
    ///
    /// # Safety
    /// 1. Nobody else touches the element.
    unsafe fn single(&self, i: usize) {
        let mut doubles = [[0.0]; MOST_PARAMS];
        let mut flags = [[false]; MOST_PARAMS];
        let mut integers = [[0]; MOST_PARAMS];
        let (seed, stream, index) = self.key.map_or(([0], [0], [0]), |key| ([key.seed], [key.stream], [i as u64]));
        let hidden = if self.key.is_some() { 3 } else { 0 };
        let types = &self.shape.params[hidden..];
        for (k, (argument, ty)) in self.arguments().iter().zip(types).enumerate() {
            let value = argument.at(i);
            match ty {
                Scalar::F64 => doubles[k] = [value],
                Scalar::Bool => flags[k] = [is_true(value)],
                _ => integers[k] = [double_as_integer(value)],
            }
        }
        let mut columns = [Column::Bool(&[]); MOST_PARAMS + 3];
        if self.key.is_some() {
            columns[..3].copy_from_slice(&[Column::U64(&seed), Column::U32(&stream), Column::U64(&index)]);
        }
        for (k, ty) in types.iter().enumerate() {
            columns[hidden + k] = match ty {
                Scalar::F64 => Column::F64(&doubles[k]),
                Scalar::Bool => Column::Bool(&flags[k]),
                _ => Column::I32(&integers[k]),
            };
        }
        // SAFETY: (1).
        let out = unsafe { slice_mut(self.results[0], i, 1) };
        let done = self.shape.function.single_unchecked(
            Level::best(),
            &columns[..self.shape.params.len()],
            &mut [ColumnMut::F64(&mut *out)],
            0,
        );
        debug_assert!(done.is_ok(), "compiled kernels do not stop");
        self.settle(i, out);
    }

    /// Whether `single` knows the types.
    fn is_plain(&self) -> bool {
        let hidden = if self.key.is_some() { 3 } else { 0 };
        self.shape.results == [Scalar::F64]
            && self.shape.params[hidden..].iter().all(|ty| matches!(ty, Scalar::F64 | Scalar::Bool | Scalar::I32))
    }

    /// Elements `from..from + count`, block by block.
    ///
    /// # Safety
    /// 1. Nobody else touches the elements.
    unsafe fn range(&self, from: usize, count: usize) -> Result<(), String> {
        let mut start = from;
        while start < from + count {
            let part = BLOCK.min(from + count - start);
            // SAFETY: (1).
            unsafe {
                self.block(start, part, |ins, outs| self.shape.function.map(ins, outs).map_err(|e| e.to_string()))?
            };
            start += part;
        }
        Ok(())
    }

    /// Elements `from..from + count` at once, by `run`.
    ///
    /// # Safety
    /// 1. Nobody else touches the elements.
    unsafe fn block(
        &self,
        from: usize,
        count: usize,
        run: impl FnOnce(&[Column<'_>], &mut [ColumnMut<'_>]) -> Result<(), String>,
    ) -> Result<(), String> {
        let values = self.columns(from, count)?;
        let ins: Vec<Column<'_>> = values.iter().map(Values::column).collect();
        let mut places = Vec::with_capacity(self.results.len());
        for (result, ty) in self.results.iter().zip(&self.shape.results) {
            // SAFETY: (1).
            places.push(Place::new(*ty, unsafe { slice_mut(*result, from, count) })?);
        }
        let mut outs: Vec<ColumnMut<'_>> = places.iter_mut().map(Place::column).collect();
        run(&ins, &mut outs)?;
        drop(outs);
        for place in places {
            self.settle(from, place.finish());
        }
        Ok(())
    }

    /// Makes NA of a NaN that an NA caused, and sees whether R would warn. `out` holds the elements from `from` on.
    fn settle(&self, from: usize, out: &mut [f64]) {
        if out.iter().any(|y| y.is_nan()) {
            for (i, y) in out.iter_mut().enumerate().filter(|(_, y)| y.is_nan()) {
                let (mut na, mut nan) = (false, false);
                self.numbers().map(|a| a.at(from + i)).for_each(|x| {
                    na |= is_na(x);
                    nan |= x.is_nan();
                });
                // Of random numbers R reports every NaN, and makes no NA of it.
                let drawn = self.key.is_some();
                *y = if na && !drawn { NA_REAL } else { f64::NAN };
                if !nan || drawn {
                    self.new_nans.store(true, Ordering::Relaxed);
                }
            }
        }
        if self.shape.warning != Warning::None
            && out.iter().enumerate().any(|(i, y)| self.warning(from + i, *y).is_some())
        {
            self.warned.store(true, Ordering::Relaxed);
        }
    }

    /// R's warning of element `i`, whose result is `y`, in R's words.
    fn warning(&self, i: usize, y: f64) -> Option<String> {
        // What counts as an integer is the kernels' rule, which is R's.
        let is_between = |x: f64| (x - x.round_ties_even()).abs() > 1e-7 * x.abs().max(1.0);
        let first = self.arguments[0].at(i);
        match self.shape.warning {
            Warning::None => None,
            Warning::Count { of_negative } => {
                let refused =
                    (y == 0.0 || y == f64::NEG_INFINITY) && is_between(first) && (of_negative || first >= 0.0);
                refused.then(|| format!("non-integer x = {first:.6}"))
            }
            Warning::Trials => {
                let trials = self.arguments[1].at(i);
                let is_known = !first.is_nan() && !self.arguments[2].at(i).is_nan() && trials.is_finite();
                (is_known && is_between(trials)).then(|| format!("non-integer n = {trials:.6}"))
            }
            Warning::Rounded => {
                let k = self.arguments[1].at(i);
                let rounded = k.round_ties_even();
                let is_told = (k - rounded).abs() > 1e-7 && !first.is_nan();
                is_told.then(|| format!("'k' ({k:.2}) must be integer, rounded to {rounded:.0}"))
            }
            Warning::Range => {
                let is_told = y.is_nan() && first < 0.0 && !self.arguments[1].at(i).is_nan();
                is_told.then(|| format!("value out of range in '{}'", self.shape.function.name()))
            }
        }
    }

    /// Asks for large pages behind results that nobody has touched: with pages of 4 KB a million numbers cost 2,000 faults, which
    /// take longer than drawing or most arithmetic, and for which threads wait for each other.
    ///
    /// # Safety
    /// 1. Nobody else touches the results.
    unsafe fn ask_for_large_pages(&self) {
        for result in self.results {
            // SAFETY: (1).
            gristmill_support::ask_for_large_pages(unsafe { slice_mut(*result, 0, self.length) });
        }
    }

    /// Elements from `from` on, until they are done or [`PATIENCE`] is spent; gives the first one that is left.
    ///
    /// # Safety
    /// 1. Nobody else touches the results.
    unsafe fn run(&self, from: usize) -> Result<usize, String> {
        let left = self.length - from;
        if left == 1 && self.is_plain() {
            // SAFETY: (1).
            unsafe { self.single(from) };
            return Ok(self.length);
        }
        if left <= BLOCK {
            // SAFETY: (1).
            unsafe { self.range(from, left)? };
            return Ok(self.length);
        }
        let (mut done, mut each) = (0, f64::INFINITY);
        for piece in PROBES {
            let piece = piece.min(left - done);
            let start = Instant::now();
            // SAFETY: (1).
            unsafe { self.range(from + done, piece)? };
            let took = start.elapsed().as_nanos().max(1) as f64;
            each = each.min(took / piece as f64);
            done += piece;
            if done == left {
                return Ok(self.length);
            }
            if took > PARALLEL_NANOSECONDS {
                break;
            }
        }
        let (from, left) = (from + done, left - done);
        let pool = if each * (left as f64) < PARALLEL_NANOSECONDS { None } else { threads::pool() };
        let hands = pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        let affordable = PATIENCE.as_nanos() as f64 * hands as f64 / each;
        let count = left.min((affordable as usize).max(PROBES[0]));
        match pool {
            Some(pool) => pool.install(|| {
                // Small enough that every thread has some, in whole lanes.
                let task = TASK.min(count.div_ceil(4 * hands)).next_multiple_of(64);
                let starts = (0..count).into_par_iter().step_by(task);
                // SAFETY: (1); tasks are disjoint.
                starts.map(|at| unsafe { self.range(from + at, task.min(count - at)) }).collect::<Result<(), String>>()
            })?,
            // SAFETY: (1).
            None => unsafe { self.range(from, count)? },
        }
        Ok(from + count)
    }

    fn report(&self, call: *mut Call) {
        // SAFETY: the caller of the C function lent it; two plain fields that nothing here borrows.
        unsafe {
            (*call).new_nans |= i32::from(self.new_nans.load(Ordering::Relaxed));
            (*call).warned |= i32::from(self.warned.load(Ordering::Relaxed));
        }
    }
}

/// # Safety
/// 1. `len` values that nobody writes during `'a`, or `len` is 0.
unsafe fn slice<'a, T>(values: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: (1).
    unsafe { std::slice::from_raw_parts(values, len) }
}

/// # Safety
/// 1. Elements `from..from + len` are there and nobody else's during `'a`.
unsafe fn slice_mut<'a>(values: *mut f64, from: usize, len: usize) -> &'a mut [f64] {
    // SAFETY: (1).
    unsafe { std::slice::from_raw_parts_mut(values.add(from), len) }
}

/// Computes elements from `from` on for a tenth of a second or so; gives the first one that is left.
///
/// # Safety
/// 1. As `gristmill_r.h` says of `gm_call` and `gm_error`; R's vectors do not change during the call.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_map(call: *mut Call, from: usize, error: *mut ErrorText) -> usize {
    // SAFETY: (1).
    unsafe {
        guarded(error, 0, || {
            let job = Job::new(&*call)?;
            if from == 0 {
                job.ask_for_large_pages();
            }
            let next = job.run(from)?;
            job.report(call);
            Ok(next)
        })
    }
}

/// The kernel of one number for each argument: 1 and the result, or 0 where [`gm_map`] has to see to it, because there may be a NaN
/// or something else that R warns of.
///
/// # Safety
/// 1. `values` holds `value_count` numbers, `flags` `flag_count` integers. 2. `result` is the caller's alone.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_single(
    kernel: i32,
    values: *const f64,
    value_count: i32,
    flags: *const i32,
    flag_count: i32,
    result: *mut f64,
) -> i32 {
    // SAFETY: (1).
    let (values, flags) = unsafe { (slice(values, value_count as usize), slice(flags, flag_count as usize)) };
    // A panic is met again, and reported, by the long way.
    match catch_unwind(AssertUnwindSafe(|| single(kernel, values, flags))) {
        Ok(Some(y)) => {
            // SAFETY: (2).
            unsafe { result.write(y) };
            1
        }
        _ => 0,
    }
}

/// See [`gm_single`].
fn single(kernel: i32, values: &[f64], flags: &[i32]) -> Option<f64> {
    let shape = SHAPES.get(usize::try_from(kernel).ok()?)?;
    if shape.plain? != (values.len(), flags.len()) {
        return None;
    }
    if shape.warning == Warning::Rounded && values[1].fract() != 0.0 {
        return None;
    }
    let mut truths = [[false]; MOST_FLAGS];
    let mut columns = [Column::F64(&[]); MOST_PARAMS];
    for (column, value) in columns.iter_mut().zip(values) {
        *column = Column::F64(std::slice::from_ref(value));
    }
    for (truth, flag) in truths.iter_mut().zip(flags) {
        *truth = [*flag != 0];
    }
    for (column, truth) in columns[values.len()..].iter_mut().zip(&truths[..flags.len()]) {
        *column = Column::Bool(truth);
    }
    let mut out = [0.0];
    let columns = &columns[..values.len() + flags.len()];
    shape.function.single_unchecked(Level::best(), columns, &mut [ColumnMut::F64(&mut out)], 0).ok()?;
    let [y] = out;
    // Of a discrete density that is 0 R may have something to say.
    let is_told = y.is_nan() || matches!(shape.warning, Warning::Count { .. }) && (y == 0.0 || y == f64::NEG_INFINITY);
    (!is_told).then_some(y)
}

/// Elements from `from` on, on the chosen device; gives the first one that is left.
///
/// # Safety
/// 1. As for [`gm_map`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_map_on_device(call: *mut Call, from: usize, error: *mut ErrorText) -> usize {
    // SAFETY: (1).
    unsafe {
        guarded(error, 0, || {
            let job = Job::new(&*call)?;
            let count = ON_DEVICE.min(job.length.saturating_sub(from));
            if count == 0 {
                return Ok(job.length);
            }
            let function = devices::built(&job.shape.function)?;
            job.block(from, count, |ins, outs| function.map(ins, outs).map(drop).map_err(|e| with_causes(&e)))?;
            job.report(call);
            Ok(from + count)
        })
    }
}

/// R's warning of element `i` besides NaNs: put into `text`, empty if there is none.
///
/// # Safety
/// 1. As for [`gm_map`], of which it is the call; `i` is one of its elements.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_warning(call: *const Call, i: usize, text: *mut ErrorText) {
    // SAFETY: (1).
    unsafe {
        guarded(text, (), || {
            let job = Job::new(&*call)?;
            job.warning(i, *job.results[0].add(i)).map_or(Ok(()), Err)
        });
    }
}

/// The names of all kernels, one in each line.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn gm_kernel_names() -> *mut Text {
    Text::lend(gristmill_nmath::KERNELS.iter().map(|f| f.name()).collect::<Vec<_>>().join("\n"))
}
