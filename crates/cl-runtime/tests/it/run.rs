use crate::{ADD, SCALE, Trusted, device, private};
use gristmill_cl_runtime::{Arg, Device, ElementType, Launch, RuntimeError};
use std::time::Duration;

#[test]
fn a_kernel_runs_over_host_arrays() {
    let kernel = device().build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let x: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut y = vec![0.0; 1000];
    let times = kernel
        .run_trusted(&Launch::linear(1000), &mut [Arg::input(&x), Arg::value(0.5), Arg::output(&mut y)])
        .expect("it runs");
    assert!(x.iter().zip(&y).all(|(x, y)| 0.5 * x == *y));
    assert_eq!(kernel.signature().to_string(), "scale(__global const double* x, double factor, __global double* y)");
    assert!(times.kernel > Duration::ZERO, "the device measures: {times:?}");
}

#[test]
fn data_stays_on_the_device_between_launches() {
    let device = device();
    let kernel = device.build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let (a, b) = (device.upload(&[1.0, 2.0]).expect("room"), device.upload(&[0.0; 2]).expect("room"));
    for (from, to) in [(&a, &b), (&b, &a), (&a, &b)] {
        let times = kernel
            .run_trusted(&Launch::linear(2), &mut [Arg::Buffer(from), Arg::value(10.0), Arg::Buffer(to)])
            .expect("it runs");
        assert_eq!((times.upload, times.download), (Duration::ZERO, Duration::ZERO));
    }
    assert_eq!(b.to_vec::<f64>().expect("it is there"), [1000.0, 2000.0]);
    let copy = b.duplicate().expect("room");
    drop(b);
    assert_eq!(copy.to_vec::<f64>().expect("it is there"), [1000.0, 2000.0]);
}

#[test]
fn device_buffers_refuse_other_types_and_lengths() {
    let device = device();
    let mut buffer = device.upload(&[1.0f64, 2.0]).expect("room");
    let error = buffer.to_vec::<f32>().expect_err("other type").to_string();
    assert_eq!(error, "the device buffer holds 2 f64, but the host array is 2 f32");
    assert!(buffer.read_into(&mut [0.0; 3]).is_err());
    assert!(buffer.write_from(&[1.0; 1]).is_err());
    buffer.write_from(&[3.0, 4.0]).expect("it fits");
    assert_eq!(buffer.to_vec::<f64>().expect("it is there"), [3.0, 4.0]);
}

/// `x` starts one element into its allocation: aligned as a double, not as a vector or cache line.
fn in_place_and_copied(x: &[f64]) -> (Vec<f64>, Vec<f64>, usize) {
    let run = |in_place: bool| {
        let device = private(|o| o.in_place = in_place);
        let kernel = device.build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
        let mut y = vec![f64::NAN; x.len()];
        let launch = Launch::linear(x.len());
        let times =
            kernel.run_trusted(&launch, &mut [Arg::input(x), Arg::value(-1.5), Arg::output(&mut y)]).expect("it runs");
        (y, times.in_place)
    };
    let ((a, shared), (b, copied)) = (run(true), run(false));
    assert_eq!(copied, 0);
    (a, b, shared)
}

#[test]
fn host_memory_is_used_in_place_on_a_cpu_with_the_same_results() {
    let all: Vec<f64> = (0..10_001).map(|i| f64::from(i) / 7.0).collect();
    let (a, b, shared) = in_place_and_copied(&all[1..]);
    assert_eq!(a, b);
    if device().info().kind == gristmill_cl_runtime::DeviceKind::Cpu {
        assert_eq!(shared, 2, "input and output");
    }
}

#[test]
fn an_array_given_twice_or_in_overlapping_parts_gives_the_right_sums() {
    let device = device();
    let kernel = device.build(ADD, "").expect("it compiles").kernel("add").expect("it is there");
    let x: Vec<f64> = (0..201).map(f64::from).collect();
    let n = 200;
    for (a, b, c) in [(&x[..n], &x[..n], &x[..1]), (&x[..n], &x[1..], &x[7..8]), (&x[1..], &x[1..], &x[200..])] {
        let mut y = vec![0.0f64; n];
        kernel
            .elementwise_trusted(n, &mut [Arg::Count, Arg::input(a), Arg::input(b), Arg::whole(c), Arg::output(&mut y)])
            .expect("it runs");
        assert!((0..n).all(|i| y[i] == a[i] + b[i] + c[0]));
    }
}

#[test]
fn an_argument_that_is_not_const_never_lends_the_callers_memory() {
    // A kernel that scribbles over its input; the caller lent it with `&`, so it must not change.
    let text = "__kernel void scribble(__global double* x, __global double* y) { size_t i = get_global_id(0); y[i] = x[i]; x[i] = -1.0; }";
    let kernel = device().build(text, "").expect("it compiles").kernel("scribble").expect("it is there");
    let (x, mut y) = ([1.0, 2.0, 3.0], [0.0; 3]);
    kernel.run_trusted(&Launch::linear(3), &mut [Arg::input(&x), Arg::output(&mut y)]).expect("it runs");
    assert_eq!((x, y), ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]));
}

#[test]
fn in_out_arrays_are_read_and_written() {
    let text = "__kernel void twice(__global int* x) { x[get_global_id(0)] *= 2; }";
    for in_place in [true, false] {
        let kernel = private(|o| o.in_place = in_place)
            .build(text, "")
            .expect("it compiles")
            .kernel("twice")
            .expect("it is there");
        let mut x = [1, -2, 3i32];
        kernel.run_trusted(&Launch::linear(3), &mut [Arg::in_out(&mut x)]).expect("it runs");
        assert_eq!(x, [2, -4, 6]);
    }
}

#[test]
fn arrays_larger_than_the_device_allows_are_split_and_give_the_same_bits() {
    let n = 100_003;
    let a: Vec<f64> = (0..n).map(|i| (i as f64).sqrt()).collect();
    let b: Vec<f64> = (0..n).map(|i| 1.0 / (i as f64 + 1.0)).collect();
    let run = |device: Device| {
        let kernel = device.build(ADD, "").expect("it compiles").kernel("add").expect("it is there");
        let mut y = vec![0.0f64; n];
        let times = kernel
            .elementwise_trusted(
                n,
                &mut [Arg::Count, Arg::input(&a), Arg::input(&b), Arg::whole(&[0.25]), Arg::output(&mut y)],
            )
            .expect("it runs");
        (y, times.launches)
    };
    let (whole, launches) = run(device());
    assert_eq!(launches, 1);
    for in_place in [true, false] {
        let (pieces, launches) = run(private(|o| (o.max_allocation, o.in_place) = (Some(100_000), in_place)));
        // 100,000 bytes are 12,500 elements, or 12,480 in whole groups of 64: nine pieces.
        assert_eq!(launches, 9);
        assert!(whole.iter().zip(&pieces).all(|(w, p)| w.to_bits() == p.to_bits()));
    }
}

#[test]
fn what_cannot_be_split_is_refused_with_the_limit() {
    let device = private(|o| o.max_allocation = Some(1000));
    let program = device.build(&format!("{SCALE}{ADD}"), "").expect("it compiles");
    let (x, mut y) = (vec![1.0; 200], vec![0.0; 200]);
    let error = program
        .kernel("scale")
        .expect("it is there")
        .run_trusted(&Launch::linear(200), &mut [Arg::input(&x), Arg::value(2.0), Arg::output(&mut y)])
        .expect_err("1600 bytes");
    assert!(matches!(error, RuntimeError::TooLarge { bytes: 1600, limit: 1000, .. }), "{error}");
    assert!(matches!(device.allocate(ElementType::F64, 126), Err(RuntimeError::TooLarge { bytes: 1008, .. })));
    assert!(matches!(device.allocate(ElementType::F64, usize::MAX), Err(RuntimeError::TooLarge { .. })));
    // Not even one group of elements fits.
    let tiny = private(|o| o.max_allocation = Some(100));
    let add = tiny.build(ADD, "").expect("it compiles").kernel("add").expect("it is there");
    let args = &mut [Arg::Count, Arg::input(&x), Arg::input(&x), Arg::whole(&[0.0]), Arg::output(&mut y)];
    assert!(matches!(add.elementwise_trusted(200, args), Err(RuntimeError::TooLarge { .. })));
}

#[test]
fn empty_arrays_run_nothing_and_succeed() {
    let device = device();
    let program = device.build(&format!("{SCALE}{ADD}"), "").expect("it compiles");
    let none: [f64; 0] = [];
    let mut out: [f64; 0] = [];
    let times = program
        .kernel("scale")
        .expect("it is there")
        .run_trusted(&Launch::linear(0), &mut [Arg::input(&none), Arg::value(1.0), Arg::output(&mut out)])
        .expect("nothing to do");
    assert_eq!(times.launches, 0);
    let add = program.kernel("add").expect("it is there");
    let times = add
        .elementwise_trusted(
            0,
            &mut [Arg::Count, Arg::input(&none), Arg::input(&none), Arg::whole(&[1.0]), Arg::output(&mut out)],
        )
        .expect("nothing to do");
    assert_eq!(times.launches, 0);
    let buffer = device.upload(&none).expect("an empty buffer");
    assert!(buffer.is_empty());
    assert_eq!(buffer.to_vec::<f64>().expect("nothing"), none);
}

#[test]
fn nan_infinities_and_zeros_pass_through_unchanged() {
    let kernel = device().build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let x = [f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324, f64::MAX];
    let mut y = [0.0f64; 5];
    kernel
        .run_trusted(&Launch::linear(5), &mut [Arg::input(&x), Arg::value(1.0), Arg::output(&mut y)])
        .expect("it runs");
    assert!(x.iter().zip(&y).all(|(x, y)| x.to_bits() == y.to_bits()), "{y:?}");
    kernel
        .run_trusted(&Launch::linear(5), &mut [Arg::input(&[f64::NAN; 5]), Arg::value(1.0), Arg::output(&mut y)])
        .expect("it runs");
    assert!(y.iter().all(|y| y.is_nan()));
}

#[test]
fn two_dimensions_offsets_and_local_memory_work() {
    let text = "
__kernel void place(__global int* out, __local int* shared) {
    shared[get_local_id(0)] = (int)(get_global_id(0) * 100 + get_global_id(1));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_global_id(1) - get_global_offset(1)) * 4 + get_global_id(0)] = shared[get_local_id(0)];
}";
    let kernel = device().build(text, "").expect("it compiles").kernel("place").expect("it is there");
    let mut out = [0i32; 12];
    let launch = Launch::grid(&[4, 3]).local(&[2, 1]).offset(&[0, 5]);
    kernel.run_trusted(&launch, &mut [Arg::output(&mut out), Arg::Local(8)]).expect("it runs");
    assert_eq!(out, [5, 105, 205, 305, 6, 106, 206, 306, 7, 107, 207, 307]);
}

#[test]
fn sizes_that_the_device_cannot_run_are_refused_before_the_launch() {
    let kernel = device().build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let most = kernel.max_work_group();
    let mut y = vec![0.0; 100];
    let mut refused = |launch: Launch| {
        kernel
            .run_trusted(&launch, &mut [Arg::input(&[1.0; 100]), Arg::value(1.0), Arg::output(&mut y)])
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(refused(Launch::grid(&[])), "kernel `scale`: 0 dimensions were given, but there must be 1 to 3");
    assert_eq!(refused(Launch::grid(&[1; 4])), "kernel `scale`: 4 dimensions were given, but there must be 1 to 3");
    assert_eq!(
        refused(Launch::linear(100).local(&[8])),
        "kernel `scale`: the global size is 100, but must be a multiple of the local size 8"
    );
    assert!(refused(Launch::linear(100).local(&[0])).contains("the work-group has 0 work-items"));
    assert!(refused(Launch::linear(2 * most).local(&[2 * most])).contains("work-items, but must have 1 to"));
    assert!(refused(Launch::linear(100).local(&[usize::MAX])).contains("work-items, but must have 1 to"));
    assert!(refused(Launch::linear(100).local(&[1, 1])).contains("must have the same 1 dimensions"));
}

#[test]
fn one_kernel_serves_many_threads_and_queues_at_once() {
    let device = device();
    let kernel = device.build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (kernel, device) = (kernel.clone(), device.clone());
            scope.spawn(move || {
                let queue = device.new_queue().expect("a queue");
                for round in 0..50 {
                    let factor = f64::from(thread * 1000 + round);
                    let x: Vec<f64> = (0..257).map(f64::from).collect();
                    let mut y = vec![0.0; 257];
                    let args = &mut [Arg::input(&x), Arg::value(factor), Arg::output(&mut y)];
                    let launch = Launch::linear(257);
                    // Half of them share the device's own queue.
                    let result = if thread % 2 == 0 {
                        kernel.run_trusted_on(&queue, &launch, args)
                    } else {
                        kernel.run_trusted(&launch, args)
                    };
                    result.expect("it runs");
                    assert!(x.iter().zip(&y).all(|(x, y)| factor * x == *y), "another thread's arguments were used");
                }
            });
        }
    });
}

#[test]
fn nothing_of_one_context_is_used_in_another() {
    let (here, there) = (device(), private(|_| {}));
    let kernel = here.build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let (buffer, queue) = (there.upload(&[1.0]).expect("room"), there.new_queue().expect("a queue"));
    let mut y = [0.0];
    let error =
        kernel.run_trusted(&Launch::linear(1), &mut [Arg::Buffer(&buffer), Arg::value(1.0), Arg::output(&mut y)]);
    assert!(matches!(error, Err(RuntimeError::ForeignBuffer { index: 1, .. })));
    let error = kernel.run_trusted_on(
        &queue,
        &Launch::linear(1),
        &mut [Arg::input(&[1.0]), Arg::value(1.0), Arg::output(&mut y)],
    );
    assert!(matches!(error, Err(RuntimeError::BadLaunch { .. })));
}
