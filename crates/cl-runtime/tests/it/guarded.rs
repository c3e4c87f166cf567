use crate::{SCALE, device};
use gristmill_cl_runtime::{Arg, DeviceKernel, Launch, RuntimeError};

fn kernel(text: &str, name: &str) -> DeviceKernel {
    device().build(text, "").expect("it compiles").kernel(name).expect("it is there")
}

#[test]
fn a_kernel_that_stays_within_its_arrays_gives_what_it_gives_in_place() {
    let kernel = kernel(SCALE, "scale");
    let x: Vec<f64> = (0..100).map(f64::from).collect();
    let mut y = vec![0.0; 100];
    let times = kernel
        .run_guarded(&Launch::linear(100), &mut [Arg::input(&x), Arg::value(0.5), Arg::output(&mut y)])
        .expect("it stays within");
    assert!(x.iter().zip(&y).all(|(x, y)| 0.5 * x == *y));
    assert_eq!((times.launches, times.in_place), (1, 0));
    let (a, b) = (device().upload(&x).expect("room"), device().upload(&vec![0.0; 100]).expect("room"));
    kernel
        .run_guarded(&Launch::linear(100), &mut [Arg::Buffer(&a), Arg::value(2.0), Arg::Buffer(&b)])
        .expect("it stays within");
    assert_eq!(b.to_vec::<f64>().expect("there")[99], 198.0);
}

/// 64 work-items and a lent array of 8: what comes behind it belongs to somebody else.
#[test]
fn a_write_outside_an_array_names_the_argument_and_the_side_and_changes_nothing() {
    let fill = kernel("__kernel void fill(__global int* y) { y[get_global_id(0)] = 7; }", "fill");
    let mut memory = [0i32; 64];
    let error = fill.run_guarded(&Launch::linear(64), &mut [Arg::output(&mut memory[..8])]).expect_err("56 too many");
    assert!(matches!(error, RuntimeError::Overrun { index: 1, element: 8, elements: 8, items: 64, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "kernel `fill`, argument 1 (`__global int* y`): it writes behind the array, to element 8 of an array of 8 elements, with \
         64 work-items"
    );
    assert_eq!(memory, [0; 64]);
    // As far as the work-items reach.
    let error = fill.run_guarded(&Launch::linear(1_000_000), &mut [Arg::output(&mut memory[..0])]).expect_err("all");
    assert!(matches!(error, RuntimeError::Overrun { element: 0, elements: 0, .. }), "{error}");

    let before = kernel("__kernel void before(__global double* y) { y[(long)get_global_id(0) - 3] = 7.0; }", "before");
    let mut y = [0.0; 8];
    let error = before.run_guarded(&Launch::linear(8), &mut [Arg::in_out(&mut y)]).expect_err("in front");
    assert_eq!(
        error.to_string(),
        "kernel `before`, argument 1 (`__global double* y`): it writes in front of the array, to element -1 of an array of 8 \
         elements, with 8 work-items"
    );
    assert_eq!(y, [0.0; 8]);
}

#[test]
fn a_cast_that_drops_const_cannot_change_what_was_lent() {
    let text = "__kernel void sneak(__global const double* x, __global double* y) {
        size_t i = get_global_id(0); ((__global double*)x)[i] = 666.0; y[i] = x[i]; }";
    let (x, mut y) = ([1.0, 2.0, 3.0], [0.0; 3]);
    let error = kernel(text, "sneak")
        .run_guarded(&Launch::linear(3), &mut [Arg::input(&x), Arg::output(&mut y)])
        .expect_err("it writes to x");
    assert_eq!(
        error.to_string(),
        "kernel `sneak`, argument 1 (`__global const double* x`): it writes to element 0, but declares the array `const`"
    );
    assert_eq!((x, y), ([1.0, 2.0, 3.0], [0.0; 3]));
    // Without `const` it is the kernel's to scribble on, as a copy.
    let open = "__kernel void open(__global double* x, __global double* y) {
        size_t i = get_global_id(0); x[i] *= 2.0; y[i] = x[i]; }";
    kernel(open, "open")
        .run_guarded(&Launch::linear(3), &mut [Arg::input(&x), Arg::output(&mut y)])
        .expect("it stays within");
    assert_eq!((x, y), ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]));
}

#[test]
fn a_result_that_depends_on_what_is_outside_is_refused() {
    let kernel = kernel(SCALE, "scale");
    let (x, mut y) = (vec![1.0; 5], vec![0.0; 9]);
    let args = &mut [Arg::input(&x), Arg::value(2.0), Arg::output(&mut y)];
    let error = kernel.run_guarded(&Launch::linear(9), args).expect_err("four are missing");
    assert_eq!(
        error.to_string(),
        "kernel `scale`, argument 3 (`__global double* y`): element 5 is not the same in two runs with other bytes around the \
         arrays: the kernel reads outside its arrays, or its result changes from run to run; for 9 work-items `x` has 5 elements"
    );
    assert_eq!(y, [0.0; 9]);
    let args = &mut [Arg::input(&x), Arg::value(2.0), Arg::output(&mut y)];
    kernel.run_guarded_once(&Launch::linear(9), args).expect("nobody looks");
    assert_eq!(y[..5], [2.0; 5]);
}

#[test]
fn wrong_arguments_are_refused_as_they_are_in_place() {
    let kernel = kernel(SCALE, "scale");
    let mut y = [0.0];
    let refused = |args: &mut [Arg<'_>]| kernel.run_guarded(&Launch::linear(1), args).is_err();
    assert!(refused(&mut []));
    assert!(refused(&mut [Arg::input(&[1.0f32]), Arg::value(1.0), Arg::output(&mut y)]));
    assert!(refused(&mut [Arg::input(&[1.0]), Arg::Count, Arg::output(&mut y)]));
    let none =
        kernel.run_guarded(&Launch::linear(0), &mut [Arg::input(&[0.0; 0]), Arg::value(1.0), Arg::output(&mut y)]);
    assert_eq!(none.expect("nothing to do").launches, 0);
}
