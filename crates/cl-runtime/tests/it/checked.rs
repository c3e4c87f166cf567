use crate::{ADD, device, private};
use gristmill_cl_runtime::{Arg, CheckedKernel, Device, Launch, RuntimeError, Touched};

/// `ADD` compares its index with `n`, and reads one element of `c`.
fn add(device: &Device) -> CheckedKernel {
    let kernel = device.build(ADD, "").expect("it compiles").kernel("add").expect("it is there");
    let bounds = |request: &gristmill_cl_runtime::Request<'_>| {
        let n = request.count(0)?;
        let rows = [1, 2, 4].map(|argument| Touched { argument, elements: n });
        Ok([&rows[..], &[Touched { argument: 3, elements: 1 }]].concat())
    };
    // SAFETY: the text of `ADD`.
    unsafe { kernel.with_bounds(bounds) }
}

#[test]
fn a_launch_that_would_leave_its_arrays_is_refused_and_nothing_runs() {
    let kernel = add(&device());
    let (a, mut y) = ([1.0; 4], [0.0; 4]);
    let mut run = |n: u64, c: &[f64]| {
        let args = &mut [Arg::value(n), Arg::input(&a), Arg::input(&a), Arg::input(c), Arg::output(&mut y)];
        kernel.run(&Launch::linear(64), args).map_err(|e| e.to_string())
    };
    assert!(run(4, &[5.0]).is_ok(), "more work-items than elements: the rest returns");
    let error = run(64, &[5.0]).expect_err("60 too many");
    assert_eq!(
        error,
        "kernel `add`, argument 2 (`__global const double* a`): the array has 4 elements, but this launch touches 64"
    );
    assert!(run(4, &[]).expect_err("no uniform value").contains("argument 4"));
    assert!(run(u64::MAX, &[5.0]).is_err());
    assert_eq!(y, [7.0; 4], "of the first run");
}

/// A number in place of the count: each piece is smaller than it.
#[test]
fn every_piece_of_a_split_launch_is_checked() {
    let kernel = add(&private(|o| o.max_allocation = Some(1000)));
    let (a, mut y) = ([1.0; 200], [0.0; 200]);
    let mut run = |n: Arg<'static>| {
        let args = &mut [n, Arg::input(&a), Arg::input(&a), Arg::whole(&[1.0]), Arg::output(&mut y)];
        kernel.run_elementwise(200, args)
    };
    assert_eq!(run(Arg::Count).expect("it fits").launches, 4);
    assert!(matches!(run(Arg::value(200u64)), Err(RuntimeError::TooShort { elements: 64, needed: 200, .. })));
}
