//! `cargo xtask bench ckernel`: what it costs to build and call assignment kernels, and how fast they convert, against
//! memcpy and, where python3 with numpy runs, against NumPy's casting assignment on the same data.
//!
//! Structs and byte-swapped elements (`structs`): the tree of kernels, the loop that is compiled for a layout (feature `jit`),
//! and NumPy's structured casts.
//!
//! With the argument `all`: every pair of types that NumPy has too. With `structs`: that part alone.
//!
//! Times are minima over many rounds of one run, ours and NumPy's in turns; ratios are what counts.

#[cfg(feature = "jit")]
mod structs;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::hint::black_box;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use gristmill_ckernel::{Kernel, KernelRequest};
use gristmill_ndtypes::{ArrayMut, ArrayRef, ErrorMode, Primitive, assign, assignment};

/// The system's allocator, with a count.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands every call on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Nanoseconds of one call: the least mean of `rounds` rounds of `calls` calls.
fn time(rounds: usize, calls: usize, mut f: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..calls {
            f();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
    }
    best
}

/// One conversion that is measured.
#[derive(Clone, Copy)]
struct Case {
    src: Primitive,
    dst: Primitive,
    checked: bool,
    /// 1: contiguous; 2: every second element of both arrays.
    step: usize,
    count: usize,
}

impl Case {
    fn is_copy(&self) -> bool {
        self.src == self.dst && self.step == 1 && self.src != Primitive::Bool
    }
}

const COUNTS: [usize; 2] = [16_384, 1_000_000];

/// `all`: every pair that NumPy has too, unchecked and checked; otherwise those with a target.
fn cases(all: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    if all {
        let wide = [Primitive::Int128, Primitive::UInt128];
        for step in [1, 2] {
            for src in Primitive::ALL.into_iter().filter(|s| !wide.contains(s)) {
                for dst in Primitive::ALL.into_iter().filter(|s| !wide.contains(s)) {
                    cases.push(Case { src, dst, checked: false, step, count: COUNTS[0] });
                    cases.push(Case { src, dst, checked: true, step, count: COUNTS[0] });
                }
            }
        }
        return cases;
    }
    for count in COUNTS {
        for step in [1, 2] {
            for (src, dst) in [
                (Primitive::Float64, Primitive::Float64),
                (Primitive::Int32, Primitive::Float64),
                (Primitive::Float32, Primitive::Float64),
                (Primitive::Float64, Primitive::Int32),
            ] {
                cases.push(Case { src, dst, checked: false, step, count });
            }
            cases.push(Case { src: Primitive::Float64, dst: Primitive::Int32, checked: true, step, count });
        }
    }
    cases
}

/// The same numbers for everybody: integers that fit every type of the pair.
fn number(i: usize, src: Primitive, dst: Primitive) -> i64 {
    if src.size().min(dst.size()) >= 4
        && ![src, dst].contains(&Primitive::UInt32)
        && ![src, dst].contains(&Primitive::UInt64)
    {
        ((i * 7919) % 1_000_003) as i64 - 500_000
    } else {
        ((i * 7919) % 101) as i64
    }
}

/// `length` numbers of a type, for a conversion to `dst`; bytes in words, so that they are aligned.
fn fill(src: Primitive, dst: Primitive, length: usize) -> Vec<u64> {
    let numbers: Vec<i64> = (0..length).map(|i| number(i, src, dst)).collect();
    let mut words = vec![0u64; (length * src.size()).div_ceil(8)];
    let convert = assignment(&src.into(), &Primitive::Int64.into(), ErrorMode::None).expect("scalar types");
    let kernel = convert.instantiate(KernelRequest::Strided).expect("a leaf");
    // SAFETY: both buffers hold `length` elements of their types.
    let outcome = unsafe {
        kernel.unary_strided(words.as_mut_ptr().cast(), src.size() as isize, numbers.as_ptr().cast(), 8, length)
    };
    outcome.expect("no check");
    words
}

/// Rounds and calls for about the same work each.
fn effort(count: usize) -> (usize, usize) {
    (80, (300_000 / count).max(1))
}

fn build(case: &Case) -> Kernel {
    let mode = if case.checked { ErrorMode::Fractional } else { ErrorMode::None };
    let deferred = assignment(&case.dst.into(), &case.src.into(), mode).expect("scalar types");
    deferred.instantiate(KernelRequest::Strided).expect("a leaf")
}

/// The time of the kernel and, if the case is a plain copy, that of memcpy on the same memory.
fn ours(case: &Case) -> (f64, Option<f64>) {
    let kernel = build(case);
    let length = case.count * case.step;
    let src = fill(case.src, case.dst, length);
    let mut dst = vec![0u64; (length * case.dst.size()).div_ceil(8)];
    let stride = |s: Primitive| (s.size() * case.step) as isize;
    let (rounds, calls) = effort(case.count);
    let once = |dst: &mut [u64]| {
        // SAFETY: both buffers hold `count * step` elements of their types.
        let outcome = unsafe {
            kernel.unary_strided(
                dst.as_mut_ptr().cast(),
                stride(case.dst),
                src.as_ptr().cast(),
                stride(case.src),
                case.count,
            )
        };
        assert!(outcome.is_ok(), "{outcome:?}");
    };
    once(&mut dst);
    if !case.is_copy() {
        return (time(rounds, calls, || once(black_box(&mut dst))), None);
    }
    // In turns, so that both see the same machine.
    let (mut ours, mut memcpy) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        ours = ours.min(time(1, calls, || once(black_box(&mut dst))));
        memcpy = memcpy.min(time(1, calls, || black_box(&mut dst).copy_from_slice(black_box(&src))));
    }
    (ours, Some(memcpy))
}

const PYTHON: &str = r#"
import sys, time
import numpy as np
def dtype(name):
    return np.dtype({"complex[float32]": "complex64", "complex[float64]": "complex128"}.get(name, name))
print("version", np.__version__)
for line in sys.argv[1:]:
    src, dst, wide, step, count, rounds, calls = line.split(",")
    step, count, rounds, calls = int(step), int(count), int(rounds), int(calls)
    numbers = np.arange(count * step, dtype=np.int64) * 7919
    numbers = numbers % 1000003 - 500000 if wide == "true" else numbers % 101
    a = numbers.astype(dtype(src))[::step]
    b = np.zeros(count * step, dtype(dst))[::step]
    np.copyto(b, a, casting="unsafe")
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in range(calls):
            np.copyto(b, a, casting="unsafe")
        best = min(best, (time.perf_counter_ns() - start) / calls)
    print(src, dst, step, count, best)
"#;

type Key = (Primitive, Primitive, usize, usize);

/// NumPy's times, and its version; `None` if python3 with numpy does not run.
fn numpy(cases: &[Case]) -> Option<(String, HashMap<Key, f64>)> {
    let mut command = Command::new("python3");
    // Both sides get pages of the same size: NumPy asks for huge ones, this program's allocator does not.
    command.args(["-c", PYTHON]).env("NUMPY_MADVISE_HUGEPAGE", "0");
    for case in cases.iter().filter(|c| !c.checked) {
        let (rounds, calls) = effort(case.count);
        let wide = number(0, case.src, case.dst) < 0;
        command.arg(format!("{},{},{wide},{},{},{rounds},{calls}", case.src, case.dst, case.step, case.count));
    }
    let output = command.output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut lines = text.lines();
    let version = lines.next()?.strip_prefix("version ")?.to_owned();
    let mut times = HashMap::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [src, dst, step, count, best] = words[..] else { return None };
        let key = (Primitive::parse(src)?, Primitive::parse(dst)?, step.parse().ok()?, count.parse().ok()?);
        times.insert(key, best.parse().ok()?);
    }
    Some((version, times))
}

/// Counts targets, and says of each whether it is met.
struct Verdicts {
    missed: usize,
    all: usize,
}

impl Verdicts {
    fn check(&mut self, met: bool) -> &'static str {
        self.all += 1;
        self.missed += usize::from(!met);
        if met { "met" } else { "MISSED" }
    }
}

fn small_kernels(verdicts: &mut Verdicts) {
    println!("building and calling                                    ns   allocations");
    let x = 1234i64;
    let mut y = 0f32;
    let run = |x: &i64, y: &mut f32| {
        assign(&mut ArrayMut::from_scalar(y), &ArrayRef::from_scalar(x), ErrorMode::Fractional)
            .expect("a small number");
    };
    run(&x, &mut y); // whatever is set up once, such as the features of the processor
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    run(&x, &mut y);
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    let ns = time(50, 10_000, || run(black_box(&x), black_box(&mut y)));
    let verdict = verdicts.check(allocations == 0);
    println!("  build + call + destroy, int64 -> float32       {ns:9.1}   {allocations:11}   target 0: {verdict}");

    let src = [1i32, 2, 3];
    let mut dst = [0f64; 3];
    let from = ArrayRef::from_slice(&src).expect("a slice");
    let mut to = ArrayMut::from_slice(&mut dst).expect("a slice");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    assign(&mut to, &from, ErrorMode::Fractional).expect("small numbers");
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    let ns = time(50, 10_000, || assign(black_box(&mut to), &from, ErrorMode::Fractional).expect("small numbers"));
    let verdict = verdicts.check(allocations == 0);
    println!("  the same, strided * int32 -> strided * float64 {ns:9.1}   {allocations:11}   target 0: {verdict}");

    let case = Case { src: Primitive::Int32, dst: Primitive::Float64, checked: false, step: 1, count: 1 };
    let kernel = build(&case);
    let call = |count: usize, dst: &mut [f64; 3]| {
        // SAFETY: `count` is at most 3.
        unsafe { kernel.unary_strided(dst.as_mut_ptr().cast(), 8, src.as_ptr().cast(), 4, count) }.expect("no check");
    };
    for count in [0, 1] {
        let ns = time(50, 10_000, || call(black_box(count), black_box(&mut dst)));
        println!("  one strided call of a built kernel, {count} elements   {ns:9.1}");
    }
    println!();
}

fn main() {
    let mut verdicts = Verdicts { missed: 0, all: 0 };
    #[cfg(feature = "jit")]
    {
        structs::section(&mut verdicts);
        if std::env::args().any(|a| a == "structs") {
            println!("{} of {} targets met", verdicts.all - verdicts.missed, verdicts.all);
            return;
        }
    }
    small_kernels(&mut verdicts);

    let all = std::env::args().any(|a| a == "all");
    let cases = cases(all);
    let key = |c: &Case| (c.src, c.dst, c.checked, c.step, c.count);
    let mut best = HashMap::new();
    let mut copies = HashMap::new();
    let mut python: Option<(String, HashMap<Key, f64>)> = None;
    // Ours, NumPy's, and again: a disturbance of the machine does not hit one side only.
    for _ in 0..if all { 1 } else { 3 } {
        for case in &cases {
            let (ns, copy) = ours(case);
            best.entry(key(case)).and_modify(|b: &mut f64| *b = b.min(ns)).or_insert(ns);
            if let Some(ns) = copy {
                copies.entry(key(case)).and_modify(|b: &mut f64| *b = b.min(ns)).or_insert(ns);
            }
        }
        match (&mut python, numpy(&cases)) {
            (Some((_, old)), Some((_, new))) => {
                new.into_iter().for_each(|(k, ns)| {
                    old.entry(k).and_modify(|b| *b = b.min(ns)).or_insert(ns);
                });
            }
            (none @ None, new) => *none = new,
            _ => {}
        }
    }
    match &python {
        Some((version, _)) => {
            println!("throughput, ns per element; NumPy {version} by np.copyto(dst, src, casting=\"unsafe\")")
        }
        None => println!("throughput, ns per element; python3 with numpy does not run here, so that part is skipped"),
    }
    println!("conversion                              elements   memcpy    NumPy     ours   ratio  target");
    for case in &cases {
        let per = 1.0 / case.count as f64;
        let ns = best[&key(case)];
        let copy = copies.get(&key(case)).copied();
        let numpy = python.as_ref().and_then(|(_, t)| t.get(&(case.src, case.dst, case.step, case.count))).copied();
        let form = if case.step == 1 { "contiguous" } else { "strided" };
        let mode = if case.checked { "checked" } else { "" };
        let name = format!("{} -> {} {form} {mode}", case.src, case.dst);
        let column = |ns: Option<f64>| ns.map_or("       -".to_owned(), |ns| format!("{:8.3}", ns * per));
        let memcpy_column = column(copy);
        print!("{name:38}{:10} {memcpy_column} {} {}", case.count, column(numpy), column(Some(ns)));
        if case.checked {
            let unchecked = best[&(case.src, case.dst, false, case.step, case.count)];
            let ratio = ns / unchecked;
            print!("  {ratio:6.2}  <= 2.00 of unchecked: {}", verdicts.check(ratio <= 2.0));
        } else if let Some(copy) = copy {
            let ratio = ns / copy;
            print!("  {ratio:6.2}  <= 1.10 of memcpy: {}", verdicts.check(ratio <= 1.1));
        }
        if let Some(numpy) = numpy
            && !case.checked
        {
            let ratio = ns / numpy;
            print!("  {ratio:6.2}  <= 1.00 of NumPy: {}", verdicts.check(ratio <= 1.0));
        }
        println!();
    }
    println!("\n{} of {} targets met", verdicts.all - verdicts.missed, verdicts.all);
}
