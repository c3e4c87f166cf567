//! Native code as users meet it: when it is made, how long it lives, what it does where there is none.

use crate::data::{Data, by_block, by_single, difference};
use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
use gristmill_kernel::{Column, ColumnMut};
use gristmill_kernel_jit::{KernelSource, Lowering};

fn map(source: &KernelSource, name: &str, ins: &[&[f64]], n: usize) -> Vec<f64> {
    let mut y = vec![f64::NAN; n];
    let ins: Vec<Column<'_>> = ins.iter().map(|c| Column::F64(c)).collect();
    source.function(name).expect("there").map(&ins, &mut [ColumnMut::F64(&mut y)]).expect("the columns fit");
    y
}

/// Every path against the interpreter.
fn agree(text: &str, ins: &[Data], n: usize) {
    let source = KernelSource::parse(text).expect("a program");
    assert!(matches!(source.explain("f"), Some(Lowering::Native { lanes: 4.., .. })), "{:?}", source.explain("f"));
    let (f, reference) = (source.function("f").expect("there"), source.interpreted("f").expect("there"));
    let expected = by_block(&reference, ins, n);
    for (what, given) in [("single", by_single(&f, ins, n)), ("block", by_block(&f, ins, n))] {
        assert_eq!(difference(ins, &expected, &given, n), None, "{what}: {text}");
    }
}

#[test]
fn lanes_that_returned_keep_their_value() {
    let x = Data::F64((-9..10).map(f64::from).collect());
    agree("fn f(x: f64) -> f64 { if x < 0.0 { return -x; } exp(x) }", std::slice::from_ref(&x), 19);
    agree("fn f(x: f64) -> f64 { let e = exp(x); if e < 1.0 { return e; } let l = log(e); l + 1.0 }", &[x], 19);
}

#[test]
fn a_return_of_all_lanes_from_a_loop_holds_where_others_return_one_by_one() {
    let text = "fn f(x: f64) -> f64 { let mut k = 0; while k < 3 { k += 1; if k == 2 { return x; } } \
                if x < 0.0 { return 9.0; } 7.0 }";
    agree(text, &[Data::F64((-9..10).map(f64::from).collect())], 19);
}

#[test]
fn a_loop_that_no_lane_would_enter_is_not_entered() {
    let text = "fn f(x: f64, k: i64) -> f64 {\n    if x < 0.0 { return 0.0; }\n    let mut i = 0i64;\n    \
                while i != k { i += 2; }\n    i as f64\n}";
    let source = KernelSource::parse(text).expect("a program");
    let mut y = [1.0; 9];
    let f = source.function("f").expect("there");
    // An odd number is never reached; nobody asks for it.
    f.map(&[Column::F64(&[-1.0; 9]), Column::I64(&[3])], &mut [ColumnMut::F64(&mut y)]).expect("it ends");
    assert_eq!(y, [0.0; 9]);
}

#[test]
fn variables_that_stages_share_keep_their_values() {
    let x = Data::F64((0..1100).map(|i| f64::from(i) * 0.01 - 3.0).collect());
    let k = Data::I32(vec![3]);
    let text = "fn f(x: f64, k: i32) -> f64 {\n    let mut s = x * 0.5;\n    let up = x > 0.25;\n    let e = exp(s);\n    \
                s = s + e;\n    let pair = (log(s.abs()), k);\n    s += pair.0 * pair.1 as f64;\n    \
                let mut i = 0;\n    while i < k { s = s * 0.5; i += 1; }\n    if up { exp(-s) } else { s / e }\n}";
    agree(text, &[x, k], 1100);
}

#[test]
fn setups_of_split_functions_and_what_is_uniform_give_the_same_bits() {
    let text = "struct Setup { scale: f64, shift: f64, ok: bool }\n\
         fn setup(a: f64, n: i32) -> Setup {\n    if a <= 0.0 { return Setup { scale: 1.0, shift: 0.0, ok: false }; }\n    \
             let mut s = 0.0;\n    for i in 0..n { s += log(a + i as f64); }\n    Setup { scale: exp(-s), shift: s, ok: true }\n}\n\
         fn eval(x: f64, s: Setup) -> f64 { if !s.ok { return f64::NAN; } (x - s.shift) * s.scale }\n\
         #[kernel(split)]\nfn f(x: f64, a: f64, n: i32) -> f64 { eval(x, setup(a, n)) }";
    let x = Data::F64((0..21).map(|i| f64::from(i) * 0.7 - 3.0).collect());
    for a in [2.5, -1.0] {
        agree(text, &[x.clone(), Data::F64(vec![a]), Data::I32(vec![5])], 21);
    }
    let n = Data::I32((0..21).map(|i| i % 4).collect());
    agree(text, &[x.clone(), Data::F64((0..21).map(|i| f64::from(i) - 4.0).collect()), n], 21);
}

#[test]
fn bools_go_in_and_out_of_lanes() {
    let text = "fn f(a: bool, x: f64, b: bool) -> (bool, f64, bool) {\n    let c = a ^ (x > 0.0);\n    \
                (c && b, if c || b { exp(x) } else { x }, pnorm(x, 0.0, 1.0, a, b) > 0.5)\n}";
    let bools = |k: u32| Data::Bool((0..45u32).map(|i| i * k % 7 < 3).collect());
    let x = Data::F64((0..45).map(|i| f64::from(i) * 0.1 - 2.0).collect());
    agree(text, &[bools(3), x.clone(), bools(5)], 45);
    agree(text, &[bools(3), x, Data::Bool(vec![true])], 45);
}

#[test]
fn functions_of_thousands_of_operations_give_the_same_bits() {
    let lines: String =
        (0..700).map(|k| format!("    y = (y * x + {k}.5).{}();\n", ["sqrt", "abs", "floor"][k % 3])).collect();
    let text = format!("fn f(x: f64) -> f64 {{\n    let mut y = 0.25;\n{lines}    y\n}}\n");
    agree(&text, &[Data::F64((0..13).map(|i| f64::from(i) * 0.3 - 1.0).collect())], 13);
}

#[test]
fn a_function_that_outlives_its_source_still_runs() {
    let f = {
        let source = KernelSource::parse("fn f(x: f64) -> f64 { x * 3.0 + 0.125 }").expect("a program");
        source.function("f").expect("there")
    };
    for _ in 0..100 {
        let mut y = [0.0; 5];
        f.map(&[Column::F64(&[0.0, 1.0, 2.0, 3.0, 4.0])], &mut [ColumnMut::F64(&mut y)]).expect("it runs");
        assert_eq!(y, [0.125, 3.125, 6.125, 9.125, 12.125]);
    }
}

#[test]
fn any_thread_may_instantiate_and_an_instance_keeps_its_code() {
    let text = "fn f(x: f64, a: f64) -> f64 { if x > a { exp(-x) } else { a - x } }";
    let kernel =
        KernelSource::parse(text).expect("a program").function("f").expect("there").deferred().expect("one result");
    // Many other texts, so that nothing is kept for other reasons.
    for k in 0..40 {
        let other = KernelSource::parse(&format!("fn other(x: f64) -> f64 {{ x + {k}.5 }}")).expect("a program");
        assert_eq!(map(&other, "other", &[&[1.0]], 1), [f64::from(k) + 1.5]);
    }
    let x: Vec<f64> = (0..300).map(|i| f64::from(i) * 0.01).collect();
    let run = |_| {
        let strided = kernel.instantiate(KernelRequest::Strided).expect("builtin types");
        let mut y = vec![0.0; 300];
        strided.run(OperandMut::slice(&mut y), &[Operand::slice(&x), Operand::repeat(&1.25)]).expect("it runs");
        y
    };
    let all: Vec<Vec<f64>> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..4).map(|k| s.spawn(move || run(k))).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    assert!(all.iter().all(|y| *y == all[0]) && all[0][0] == 1.25);
}

#[test]
fn without_native_code_the_interpreter_serves_and_says_so() {
    let text = "fn f(x: f64) -> f64 { let mut s = 0.0; for i in 0..5 { s += exp(x * i as f64); } s }";
    if std::env::var_os("GRISTMILL_NO_JIT").is_some() {
        let source = KernelSource::parse(text).expect("a program");
        let lowering = source.explain("f").expect("there");
        assert_eq!(lowering.to_string(), "interpreted: GRISTMILL_NO_JIT is set");
        assert!(source.machine_code("f").is_err());
        assert_eq!(map(&source, "f", &[&[0.0, 0.0]], 2), [5.0, 5.0]);
        return;
    }
    crate::alone("code::without_native_code_the_interpreter_serves_and_says_so", "GRISTMILL_NO_JIT");
}

#[test]
fn a_block_loop_gives_what_map_gives_and_refuses_what_does_not_fit() {
    let source = KernelSource::parse("fn line(x: f64, a: f64, b: f64) -> f64 { a * x + b }").unwrap();
    let line = source.block_loop("line", &[true, false, false]).unwrap();
    for n in [0, 1, 5, 8, 1003] {
        let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.3 - 7.0).collect();
        let ins = [Column::F64(&x), Column::F64(&[1.1]), Column::F64(&[-0.2])];
        let (mut expected, mut found) = (vec![0.0; n], vec![0.0; n]);
        source.function("line").unwrap().map(&ins, &mut [ColumnMut::F64(&mut expected)]).unwrap();
        line.run(&ins, &mut [ColumnMut::F64(&mut found)]).unwrap();
        assert_eq!(found, expected);
    }
    let (x, mut y) = ([1.0, 2.0], [0.0; 2]);
    let (long, one) = (Column::F64(&x), Column::F64(&[1.0]));
    let mut error =
        |ins: &[Column<'_>]| line.run(ins, &mut [ColumnMut::F64(&mut y)]).unwrap_err().message().to_string();
    assert_eq!(error(&[long, one]), "`line` was given 2 arguments, but has 3");
    assert_eq!(error(&[long, long, one]), "`a` of `line` has 2 values, but the loop was made for 1");
    assert_eq!(error(&[one, one, one]), "`x` of `line` has 1 values, but the loop was made for 2");
    assert_eq!(error(&[long, Column::Bool(&[true]), one]), "`a` of `line` is a column of bool, but must be f64");
    assert!(source.block_loop("line", &[true]).unwrap_err().contains("3 arguments"));
    assert!(source.block_loop("line", &[false; 3]).unwrap_err().contains("at least one"));
    assert!(source.block_loop("none", &[true]).unwrap_err().contains("no function"));
}
