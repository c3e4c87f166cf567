//! Endless loops end, and texts that are too much are refused in time.

use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
use gristmill_kernel::{Column, ColumnError, ColumnMut};
use gristmill_kernel_jit::{KernelSource, limits};
use std::time::{Duration, Instant};

/// In a process of its own: the limits are the process's.
#[test]
fn endless_loops_are_ended_by_fuel_and_by_an_interrupt() {
    const ALONE: &str = "GRISTMILL_TEST_LIMITS";
    if std::env::var_os(ALONE).is_none() {
        crate::alone("limits::endless_loops_are_ended_by_fuel_and_by_an_interrupt", ALONE);
        return;
    }
    let text = "fn inner(x: f64) -> f64 { let mut y = x; while y == y { y = y + 0.0; } y }\n\
                fn forever(x: f64) -> f64 { let mut s = 0.0; loop { s += inner(x); } }\n\
                fn short(x: f64) -> f64 { let mut y = x; for i in 0..10 { y = y * 0.5; } y }\n\
                fn uniform(x: f64, k: f64) -> f64 { let mut i = 0.0; while i != k { i += 2.0; } x + i }";
    let source = KernelSource::parse(text).expect("a program");
    let run = |name: &str| {
        let mut y = [0.0; 6];
        let f = source.function(name).expect("it is there");
        f.map(&[Column::F64(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])], &mut [ColumnMut::F64(&mut y)])
    };
    limits::set_fuel(Some(2_000_000));
    for name in ["inner", "forever"] {
        assert!(matches!(run(name), Err(ColumnError::Stopped { .. })), "{name}");
    }
    assert_eq!(run("short"), Ok(()));
    // Lanes go round together here, and one element alone.
    let uniform = source.function("uniform").expect("it is there");
    for n in [1, 6] {
        let mut y = [0.0; 6];
        let outcome =
            uniform.map(&[Column::F64(&[1.0; 6][..n]), Column::F64(&[3.0])], &mut [ColumnMut::F64(&mut y[..n])]);
        assert!(matches!(outcome, Err(ColumnError::Stopped { .. })), "{n} elements");
    }
    limits::set_fuel(None);
    let waiting = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(100));
        limits::interrupt();
    });
    let start = Instant::now();
    assert!(matches!(run("forever"), Err(ColumnError::Stopped { .. })));
    assert!(start.elapsed() < Duration::from_secs(20));
    waiting.join().expect("it ends");
    limits::resume();
    assert_eq!(run("short"), Ok(()));
    // As a ckernel the error is in the thread's slot.
    limits::set_fuel(Some(100_000));
    let kernel = source.function("inner").expect("there").deferred().expect("one result");
    let instance = kernel.instantiate(KernelRequest::Single).expect("it compiles");
    let mut y = 0.0;
    let error =
        instance.run(OperandMut::slice(std::slice::from_mut(&mut y)), &[Operand::repeat(&1.0)]).expect_err("fuel");
    assert!(error.to_string().contains("`inner` was interrupted"), "{error}");
    limits::set_fuel(None);
}

#[test]
fn texts_that_are_too_much_are_refused_in_bounded_time() {
    let start = Instant::now();
    let refused = |text: &str| KernelSource::parse(text).expect_err("too much").message;
    assert!(refused(&format!("fn f() {{ {}{} }}", "{".repeat(10_000), "}".repeat(10_000))).contains("brackets"));
    assert!(refused(&format!("fn f(x: f64) -> f64 {{ {}x }}", "-".repeat(100_000))).contains("too deep"));
    assert!(refused(&format!("fn f(x: f64) -> f64 {{ x{} }}", ".abs()".repeat(50_000))).contains("too deep"));
    assert!(refused(&"x".repeat(5 << 20)).contains("bytes"));
    assert!(refused("fn f() -> f64 { let a = [[[0.0; 1000]; 1000]; 1000]; a[0][0][0] }").contains("too large"));
    // Long, but not deep: it is a program.
    let lines = "    y = y * x + 1.0;\n".repeat(5_000);
    let long = format!("fn f(x: f64) -> f64 {{\n    let mut y = x;\n{lines}    y\n}}\n");
    assert!(KernelSource::parse(&long).is_ok());
    // As deep as is read: the parser, the checks and the translation to C have the stack for it.
    let chain = format!("fn f(x: f64) -> f64 {{ {}x }}", "x + ".repeat(2_900));
    let source = KernelSource::parse(&chain).expect("a program");
    assert!(source.opencl("f").is_some());
    assert!(start.elapsed() < Duration::from_secs(120));
}
