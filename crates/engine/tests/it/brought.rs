//! Kernels that the caller brings: called by name, with the bits of their functions, on threads and on a device.

use gristmill_cl_runtime::Device;
use gristmill_engine::expr::parse;
use gristmill_engine::plan::Bindings;
use gristmill_engine::verify::{Sampling, verify_against};
use gristmill_engine::{Engine, InputColumn, ResultValues, Rows};
use gristmill_kernel_jit::KernelSource;

const TEXT: &str = "
    fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-b * t)) }
    fn is_high(y: f64, limit: f64) -> bool { y > limit }
    fn add(x: f64, y: f64) -> f64 { x + y + 1.0 }
    fn to_logical(x: f64) -> bool { x > 10.0 }
    fn pmax(x: f64, y: f64) -> f64 { x }
    fn both_ways(up: bool, x: f64) -> f64 { if up { x } else { -x } }";

fn source() -> KernelSource {
    KernelSource::parse(TEXT).expect("a program")
}

fn run(engine: &Engine, expressions: &[&str], x: &[f64], missing: Option<&[bool]>, truth: bool) -> Vec<String> {
    let statements: Vec<_> = expressions.iter().map(|e| parse(e).expect("an expression")).collect();
    let bindings = Bindings {
        columns: vec!["x".into()],
        with_missing: vec![missing.is_some()],
        truth: vec![truth],
        ..Bindings::default()
    };
    let plan = engine.bind(&statements, &bindings).expect("it has a meaning");
    let columns = [InputColumn { values: x, missing }];
    let results = engine.run(&plan, &Rows { count: x.len(), first: 0, columns: &columns }).expect("it runs");
    let shown = results.iter().map(|r| match &r.values {
        ResultValues::F64(v) => format!("{:?} {:?}", v.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), r.missing),
        ResultValues::Bool(v) => format!("{v:?} {:?}", r.missing),
    });
    shown.collect()
}

#[test]
fn a_kernel_gives_the_bits_of_its_formula_on_threads_and_on_a_device() {
    let x: Vec<f64> = (0..5000).map(|i| f64::from(i) * 0.01 - 20.0).collect();
    let missing: Vec<bool> = (0..5000).map(|i| i % 7 == 0).collect();
    let mine = ["y = growth(x, b = 0.5, a = 2)", "is_high(y, 1) & x < 3", "sum(growth(x, 1, 1), na.rm = TRUE)"];
    let formulas = ["y = 2 / (1 + exp(-0.5 * x))", "y > 1 & x < 3", "sum(1 / (1 + exp(-1 * x)), na.rm = TRUE)"];
    let expected = run(&Engine::new(), &formulas, &x, Some(&missing), false);
    assert_eq!(run(&Engine::new().with_kernels(&source()), &mine, &x, Some(&missing), false), expected);
    let device = Device::from_env().expect("the tests need an OpenCL device (PoCL)");
    let there = Engine::new().with_kernels(&source()).on_device(device);
    assert_eq!(run(&there, &mine[..2], &x, Some(&missing), false), expected[..2]);
}

/// The engine has kernels of its own for operators, under names that no expression can call.
#[test]
fn a_kernel_with_the_name_of_an_operators_kernel_is_itself() {
    let engine = Engine::new().with_kernels(&source());
    let expected = run(&Engine::new(), &["x + 2 + 1"], &[1.0, 12.5], None, false);
    assert_eq!(run(&engine, &["add(x, 2)"], &[1.0, 12.5], None, false), expected);
    assert_eq!(run(&engine, &["to_logical(x)"], &[1.0, 12.5], None, false), ["[false, true] None"]);
    let expected = run(&Engine::new(), &["x * 3"], &[1.0, 0.0], None, true);
    assert_eq!(run(&engine, &["as.numeric(to_logical(x * 11)) * 3"], &[1.0, 0.0], None, true), expected);
}

#[test]
fn truth_values_are_converted_where_a_kernel_takes_them() {
    let engine = Engine::new().with_kernels(&source());
    let expected = run(&Engine::new(), &["ifelse(x > 1, x, -x)", "x"], &[1.0, 2.5], None, false);
    assert_eq!(run(&engine, &["both_ways(x > 1, x)", "both_ways(2, x)"], &[1.0, 2.5], None, false), expected);
}

#[test]
fn a_name_means_one_thing() {
    let refused = |engine: &Engine, expression: &str| {
        let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
        engine.bind(&[parse(expression).expect("an expression")], &bindings).expect_err("refused").message
    };
    let engine = Engine::new().with_kernels(&source());
    assert_eq!(refused(&engine, "pmax(x, 1)"), "`pmax` is a function of R, and a kernel given has that name too");
    let other = KernelSource::parse("fn growth(x: f64) -> f64 { x }").expect("a program");
    let both = Engine::new().with_kernels(&source()).with_kernels(&other);
    assert_eq!(refused(&both, "growth(x)"), "several of the kernels given are called `growth`");
    // The same text twice is one.
    let twice = Engine::new().with_kernels(&source()).with_kernels(&source());
    run(&twice, &["growth(x, 1, 1)"], &[1.0], None, false);
}

#[test]
fn verify_compares_a_kernel_with_another_way_to_compute_it() {
    let plan = Sampling { points: 200, seed: 3 };
    let growth = source().function("growth").expect("it is there");
    assert!(verify_against(&growth, &growth, None, plan).expect("every path runs").same());
    let text =
        "fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-(b * t))) + if t == 1.0 { 1.0 } else { 0.0 } }";
    let other = KernelSource::parse(text).expect("a program").function("growth").expect("it is there");
    let report = verify_against(&growth, &other, None, plan).expect("every path runs");
    assert!(!report.same() && report.first.is_some(), "{report:?}");
}
