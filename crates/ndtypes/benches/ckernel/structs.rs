//! Structs, byte-swapped and unaligned elements: the tree of kernels, the loop that is compiled for the layout, and NumPy's
//! structured casts, on the same bytes.

use std::collections::HashMap;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use gristmill_ckernel::{Kernel, KernelRequest, Metadata as RawMetadata};
use gristmill_ndtypes::{ErrorMode, Metadata, Type, assignment, create_jit_assignment};

use crate::{Verdicts, effort, time};

/// Name, destination and source, each as ours and as a NumPy dtype, the mode.
type Case = (&'static str, [&'static str; 2], [&'static str; 2], ErrorMode);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("records in the other byte order",
        ["{t: float64, id: int32, x: float32}", "{t: byteswap[float64], id: byteswap[int32], x: byteswap[float32]}"],
        ["{'names':['t','id','x'],'formats':['<f8','<i4','<f4']}", "{'names':['t','id','x'],'formats':['>f8','>i4','>f4']}"],
        ErrorMode::None),
    ("five fields to longer types",
        ["{id: int64, x: float64, y: float64, z: float64, ok: bool}", "{id: int32, x: float32, y: float32, z: float32, ok: uint8}"],
        ["{'names':['id','x','y','z','ok'],'formats':['<i8','<f8','<f8','<f8','?']}",
         "{'names':['id','x','y','z','ok'],'formats':['<i4','<f4','<f4','<f4','u1']}"],
        ErrorMode::None),
    ("packed to aligned fields",
        ["{a: uint8, b: float64, c: int16, d: int64}", "{a: uint8, b: unaligned[float64], c: unaligned[int16], d: unaligned[int64]}"],
        ["np.dtype({'names':['a','b','c','d'],'formats':['u1','<f8','<i2','<i8']}, align=True)",
         "{'names':['a','b','c','d'],'formats':['u1','<f8','<i2','<i8']}"],
        ErrorMode::None),
    ("a struct in a struct, narrowed",
        ["{p: {x: float32, y: float32, z: float32}, n: int32}", "{p: {x: float64, y: float64, z: float64}, n: float64}"],
        ["[('p',[('x','<f4'),('y','<f4'),('z','<f4')]),('n','<i4')]", "[('p',[('x','<f8'),('y','<f8'),('z','<f8')]),('n','<f8')]"],
        ErrorMode::None),
    ("the same, checked",
        ["{p: {x: float32, y: float32, z: float32}, n: int32}", "{p: {x: float64, y: float64, z: float64}, n: float64}"],
        ["[('p',[('x','<f4'),('y','<f4'),('z','<f4')]),('n','<i4')]", "[('p',[('x','<f8'),('y','<f8'),('z','<f8')]),('n','<f8')]"],
        ErrorMode::Fractional),
    ("twelve fields in the other byte order",
        ["{a: float64, b: float64, c: float64, d: float64, e: int32, f: int32, g: int32, h: int32, i: int16, j: int16, k: float32, l: float32}",
         "{a: byteswap[float64], b: byteswap[float64], c: byteswap[float64], d: byteswap[float64], e: byteswap[int32], f: byteswap[int32], \
          g: byteswap[int32], h: byteswap[int32], i: byteswap[int16], j: byteswap[int16], k: byteswap[float32], l: byteswap[float32]}"],
        ["'<f8,<f8,<f8,<f8,<i4,<i4,<i4,<i4,<i2,<i2,<f4,<f4'", "'>f8,>f8,>f8,>f8,>i4,>i4,>i4,>i4,>i2,>i2,>f4,>f4'"],
        ErrorMode::None),
    ("byteswap[float32] to float64", ["float64", "byteswap[float32]"], ["'<f8'", "'>f4'"], ErrorMode::None),
    ("byteswap[int16] to float32", ["float32", "byteswap[int16]"], ["'<f4'", "'>i2'"], ErrorMode::None),
    ("byteswap[float64] to int32, checked", ["int32", "byteswap[float64]"], ["'<i4'", "'>f8'"], ErrorMode::Fractional),
    ("float64 to byteswap[float32]", ["byteswap[float32]", "float64"], ["'>f4'", "'<f8'"], ErrorMode::None),
];

const COUNT: usize = 16_384;

const PYTHON: &str = r#"
import sys, time
import numpy as np
print("version", np.__version__)
def dtype(text):
    return np.dtype(eval(text))
for line in sys.argv[1:]:
    name, dst, src, count, rounds, calls = line.split("|")
    count, rounds, calls = int(count), int(rounds), int(calls)
    a = np.zeros(count, dtype(src))
    b = np.zeros(count, dtype(dst))
    np.copyto(b, a, casting="unsafe")
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in range(calls):
            np.copyto(b, a, casting="unsafe")
        best = min(best, (time.perf_counter_ns() - start) / calls)
    print(best, name, sep="|")
"#;

fn numpy() -> Option<(String, HashMap<String, f64>)> {
    let mut command = Command::new("python3");
    command.args(["-c", PYTHON]).env("NUMPY_MADVISE_HUGEPAGE", "0");
    let (rounds, calls) = effort(COUNT);
    for (name, _, [dst, src], mode) in CASES {
        if *mode == ErrorMode::None {
            command.arg(format!("{name}|{dst}|{src}|{COUNT}|{rounds}|{calls}"));
        }
    }
    let output = command.output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut lines = text.lines();
    let version = lines.next()?.strip_prefix("version ")?.to_owned();
    let times = lines.filter_map(|l| l.split_once('|')).filter_map(|(ns, name)| Some((name.into(), ns.parse().ok()?)));
    Some((version, times.collect()))
}

struct Measured {
    tree: f64,
    compiled: f64,
    /// What compiling took, once.
    compiling: f64,
}

fn measure([dst, src]: [&str; 2], mode: ErrorMode) -> Measured {
    let types: [Type; 2] = [dst, src].map(|t| t.parse().expect("a type"));
    let metadata = [0, 1].map(|k| Metadata::contiguous(&types[k], &[]).expect("a small type"));
    let size = |k: usize| {
        let two = Type::fixed(2, types[k].clone()).expect("a small type");
        Metadata::contiguous(&two, &[]).expect("a small type").words()[1]
    };
    let pointers = [0, 1].map(|k| metadata[k].words().as_ptr().cast::<u8>());
    let deferred = assignment(&types[0], &types[1], mode).expect("types that can be assigned");
    // SAFETY: the metadata is that of the types.
    let tree = unsafe { deferred.instantiate_with(RawMetadata::new(&pointers), KernelRequest::Strided) };
    let tree = tree.expect("types that can be assigned");
    let start = Instant::now();
    let compiled =
        create_jit_assignment((&types[0], &metadata[0]), (&types[1], &metadata[1]), mode, KernelRequest::Strided)
            .expect("native code");
    let compiling = start.elapsed().as_secs_f64() * 1e9;
    let (to, from) = (size(0), size(1));
    let source = vec![0u64; (COUNT * from as usize).div_ceil(8)];
    let mut found = vec![0u64; (COUNT * to as usize).div_ceil(8)];
    let (rounds, calls) = effort(COUNT);
    let mut run = |kernel: &Kernel| {
        // SAFETY: both buffers hold `COUNT` elements of their types.
        let mut call = || unsafe {
            kernel.unary_strided(black_box(&mut found).as_mut_ptr().cast(), to, source.as_ptr().cast(), from, COUNT)
        };
        time(1, calls, || call().expect("zeros"))
    };
    let mut best = (f64::INFINITY, f64::INFINITY);
    // In turns, so that both see the same machine.
    for _ in 0..rounds {
        best = (best.0.min(run(&tree)), best.1.min(run(&compiled)));
    }
    Measured { tree: best.0, compiled: best.1, compiling }
}

/// Prints the section.
pub(crate) fn section(verdicts: &mut Verdicts) {
    let python = numpy();
    match &python {
        Some((version, _)) => println!("structs and byte orders, ns per element, {COUNT} elements; NumPy {version}"),
        None => println!("structs and byte orders, ns per element; python3 with numpy does not run here"),
    }
    println!(
        "assignment                                tree    NumPy compiled   of tree  of NumPy  compiling, us   pays from"
    );
    for (name, types, _, mode) in CASES {
        let m = measure(*types, *mode);
        let per = 1.0 / COUNT as f64;
        let numpy = python.as_ref().and_then(|(_, times)| times.get(*name)).copied();
        let column = |ns: Option<f64>| ns.map_or("       -".to_owned(), |ns| format!("{:8.2}", ns * per));
        let saved = (m.tree - m.compiled) * per;
        let pays = if saved > 0.0 { format!("{:9.0}", m.compiling / saved) } else { "    never".to_owned() };
        let of_numpy = numpy.map_or("        -".to_owned(), |ns| format!("{:9.2}", m.compiled / ns));
        print!("{name:36} {} {} {}", column(Some(m.tree)), column(numpy), column(Some(m.compiled)));
        print!(" {:9.2} {of_numpy} {:14.0} {pays}", m.compiled / m.tree, m.compiling / 1e3);
        // Scalars are measured to see whether the tree is still the right choice for them.
        if types[0].starts_with('{') {
            print!("   of tree < 1: {}", verdicts.check(m.compiled < m.tree));
        }
        println!();
    }
    println!();
}
