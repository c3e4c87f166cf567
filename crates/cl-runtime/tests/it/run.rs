use gristmill_cl_runtime::{Arg, Device, Launch, RuntimeError};

const SCALE: &str = "
#pragma OPENCL FP_CONTRACT OFF
__kernel void scale(__global const double* x, double factor, __global double* y) {
    size_t i = get_global_id(0);
    y[i] = factor * x[i];
}
";

fn device() -> Device {
    Device::from_env().expect("the tests need an OpenCL device (PoCL)")
}

#[test]
fn a_kernel_runs_over_host_arrays() {
    let kernel = device().build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let x: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut y = vec![0.0; 1000];
    kernel.run(&Launch::linear(1000), &mut [Arg::input(&x), Arg::value(0.5), Arg::output(&mut y)]).expect("it runs");
    assert!(x.iter().zip(&y).all(|(x, y)| 0.5 * x == *y));
    assert_eq!(kernel.signature().to_string(), "scale(__global const double* x, double factor, __global double* y)");
}

#[test]
fn data_stays_on_the_device_between_launches() {
    let device = device();
    let kernel = device.build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there");
    let (a, b) = (device.upload(&[1.0, 2.0]).expect("room"), device.upload(&[0.0; 2]).expect("room"));
    for (from, to) in [(&a, &b), (&b, &a), (&a, &b)] {
        kernel.run(&Launch::linear(2), &mut [Arg::Buffer(from), Arg::value(10.0), Arg::Buffer(to)]).expect("it runs");
    }
    assert_eq!(b.to_vec::<f64>().expect("it is there"), [1000.0, 2000.0]);
}

#[test]
fn a_program_that_does_not_compile_shows_where() {
    let text = "#line 7 \"shards/half.cl\"\ndouble half_of(double x) {\n    return 0.5 * y;\n}\n";
    let error = device().build(text, "").expect_err("y is not declared");
    assert!(matches!(error, RuntimeError::Build(_)));
    assert!(error.to_string().contains("--> shards/half.cl:8:18\n"), "{error}");
}
