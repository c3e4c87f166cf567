//! Random calls of the array API, right and wrong: nothing panics, and valgrind finds no byte read or written that is not
//! the caller's. The buffers are as long as they say, so that one byte too far is found.

use gristmill_ckernel::Deferred;
use gristmill_ndtypes::{
    Array, ArrayMut, ArrayRef, ErrorMode, Parallel, Type, Value, apply, assign, call, par_apply, par_assign,
};
use std::process::Command;

use crate::ty;

/// Said to the test program that runs under valgrind: how many calls it makes.
const CALLS: &str = "GRISTMILL_STRESS_CALLS";
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// As good as random here: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const ELEMENTS: [&str; 14] = [
    "bool",
    "int8",
    "int32",
    "uint64",
    "int128",
    "float16",
    "float64",
    "complex[float64]",
    "unaligned[int32]",
    "unaligned[bool]",
    "byteswap[float64]",
    "{a: int8, b: float64}",
    "3 * int16",
    "2 * {x: bool, y: unaligned[float32]}",
];

const DIMENSIONS: [&str; 6] = ["", "strided * ", "strided * strided * ", "3 * ", "var * ", "strided * var * "];

/// Sizes and strides that fit, that do not, and that nobody has memory for.
const SIZES: [usize; 8] = [0, 1, 2, 3, 3, 5, 1 << 40, usize::MAX];
const STRIDES: [isize; 14] = [0, 1, 2, 4, 8, 16, 24, -1, -8, -16, 1 << 40, isize::MAX, isize::MIN, isize::MIN + 1];

/// A type of leading strided dimensions, with the shape and strides of a view.
fn layout(random: &mut Random) -> (Type, Vec<usize>, Vec<isize>) {
    let ndim = random.below(4);
    let text = format!("{}{}", "strided * ".repeat(ndim), random.of(&ELEMENTS));
    let shape = (0..ndim).map(|_| random.of(&SIZES)).collect();
    let strides = (0..ndim).map(|_| random.of(&STRIDES)).collect();
    (ty(&text), shape, strides)
}

/// Bytes that no type takes amiss: 0 and 1.
fn buffer(random: &mut Random) -> Box<[u8]> {
    let length = random.below(200);
    (0..length).map(|_| random.below(2) as u8).collect()
}

/// Looks at a view in every way there is.
fn look(view: &ArrayRef<'_>, random: &mut Random) {
    // What repeats one element, or nothing, 2^40 times is a view like others, but nobody wants a list of them.
    let shape = view.shape().0;
    let few = shape.iter().all(|size| size.is_none_or(|n| n <= 10));
    if shape.contains(&Some(0)) && !shape.contains(&None) {
        assert_eq!(view.to_vec::<i32>(), Ok(Vec::new()), "{shape:?}");
    }
    let _ = (view.is_empty(), view.get::<f64>(), view.get::<bool>(), view.field("b").and_then(|b| b.get::<f64>()));
    if few {
        let _ = (view.to_value().to_string(), view.to_vec::<i32>(), view.to_vec::<f64>(), view.to_vec::<bool>());
    }
    let mut inner = view.clone();
    for _ in 0..4 {
        match inner.index(random.of(&[0, 0, 1, 2, 4, usize::MAX])) {
            Ok(element) => inner = element,
            Err(_) => break,
        }
        let _ = (inner.get::<i32>(), inner.len());
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => Value::from(random.of(&[0.0, 1.0, -2.5, 1e300, f64::NAN])),
        1 => Value::from(random.below(2) == 1),
        2 => Value::from(random.of(&[0u128, 1, 255, u128::MAX])),
        _ => {
            let length = random.below(4);
            Value::List((0..length).map(|_| value(random, depth - 1)).collect())
        }
    }
}

/// An array of any type; half of them hold something.
fn any_array(random: &mut Random) -> Option<Array> {
    let ty = ty(&format!("{}{}", random.of(&DIMENSIONS), random.of(&ELEMENTS)));
    if random.below(2) == 0 {
        return Array::from_value(&ty, value(random, 3)).ok();
    }
    // Sizes that a machine which promises more memory than it has would give are left out: filling them takes days.
    let sizes: Vec<usize> = (0..random.below(4)).map(|_| random.of(&[0, 1, 2, 3, 5, usize::MAX])).collect();
    Array::zeros(&ty, &sizes).ok()
}

fn one_call(random: &mut Random) {
    let mode = random.of(&ErrorMode::ALL);
    // Everything is split.
    let parallel = Parallel { threshold: 0, grain: 1 };
    match random.below(4) {
        0 => {
            let (ty, shape, strides) = layout(random);
            let bytes = buffer(random);
            let offset = random.of(&[0, 0, 0, 8, 16, bytes.len(), bytes.len() + 1, usize::MAX]);
            if let Ok(view) = ArrayRef::from_bytes(&bytes, offset, &ty, &shape, &strides) {
                look(&view, random);
            }
        }
        1 => {
            let ((to_ty, to_shape, to_strides), (from_ty, from_shape, from_strides)) = (layout(random), layout(random));
            let (mut to, from) = (buffer(random), buffer(random));
            let (at, offset) = (random.of(&[0, 0, 8, 16]), random.of(&[0, 0, 8, 40]));
            let dst = ArrayMut::from_bytes(&mut to, at, &to_ty, &to_shape, &to_strides);
            let src = ArrayRef::from_bytes(&from, offset, &from_ty, &from_shape, &from_strides);
            if let (Ok(mut dst), Ok(src)) = (dst, src) {
                let _ = assign(&mut dst, &src, mode);
                let _ = par_assign(&mut dst, &src, mode, parallel);
                if let Ok(mut row) = dst.index_mut(1) {
                    let _ = assign(&mut row, &src, mode);
                }
                look(&dst.as_ref(), random);
            }
        }
        2 => {
            if let (Some(mut dst), Some(src)) = (any_array(random), any_array(random)) {
                let _ = assign(&mut dst.view_mut(), &src.view(), mode);
                look(&dst.view(), random);
                look(&src.view(), random);
            }
        }
        _ => {
            let kernel = match random.below(3) {
                0 => Deferred::expr(|x: i32, y: i32| x.wrapping_add(y)),
                1 => Deferred::expr(|x: f64, y: f64| x + y),
                _ => Deferred::expr(|x: bool, y: bool| x && y),
            };
            if let (Some(mut dst), Some(a), Some(b)) = (any_array(random), any_array(random), any_array(random)) {
                let (a, b) = (a.view(), b.view());
                let _ = apply(&kernel, &mut dst.view_mut(), &[&a, &b]);
                let _ = call(&kernel, &mut dst.view_mut(), &[&a, &b]);
                let _ = par_apply(&kernel, &mut dst.view_mut(), &[&a, &b], parallel);
                let _ = apply(&kernel, &mut dst.view_mut(), &[&a]);
                look(&dst.view(), random);
            }
        }
    }
}

#[test]
fn stress_random_calls_are_answered_or_refused() {
    let calls: u64 = std::env::var(CALLS).ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        for number in 1..=calls {
            let seed = SEED.wrapping_mul(number) | 1;
            let done = std::panic::catch_unwind(|| one_call(&mut Random(seed)));
            assert!(done.is_ok(), "call {number}, seed {seed:#x}");
        }
    });
}

/// A stride of 0 shows one byte as often as a shape says: that byte is looked at once.
#[test]
fn the_bools_of_a_row_that_repeats_are_looked_at_once() {
    let bytes = [1, 2];
    let shape = [1 << 60, 3];
    let bools = |at: usize| ArrayRef::from_bytes(&bytes, at, &ty("strided * strided * bool"), &shape, &[0, 0]);
    assert!(bools(0).is_ok());
    assert!(bools(1).is_err());
}

/// `--exact` names one test: what the others do is not asked here.
#[test]
fn valgrind_finds_nothing_in_random_calls() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: there is no valgrind");
        return;
    }
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "stress::stress_random_calls_are_answered_or_refused", "--test-threads=1"])
        .env(CALLS, std::env::var("GRISTMILL_VALGRIND_CALLS").unwrap_or_else(|_| "3000".into()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "valgrind: {}\n{text}", output.status);
    assert!(text.contains("test result: ok. 1 passed"), "{text}");
}
