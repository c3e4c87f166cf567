use crate::{SCALE, Trusted, device};
use gristmill_cl_runtime::{Arg, DeviceKernel, ElementType, KernelParam, KernelSignature, Launch, RuntimeError};

fn scale() -> DeviceKernel {
    device().build(SCALE, "").expect("it compiles").kernel("scale").expect("it is there")
}

#[test]
fn a_wrong_number_of_arguments_names_the_parameters() {
    let error =
        scale().run_trusted(&Launch::linear(1), &mut [Arg::value(1.0)]).expect_err("two are missing").to_string();
    assert_eq!(
        error,
        "kernel `scale` takes 3 arguments (__global const double* x, double factor, __global double* y), but 1 were given"
    );
    assert!(scale().run_trusted(&Launch::linear(0), &mut []).is_err(), "also where there is nothing to do");
}

#[test]
fn arguments_of_the_wrong_type_or_order_name_both_sides() {
    let (x, mut y) = ([1.0f64], [0.0f64]);
    let refused =
        |args: &mut [Arg<'_>]| scale().run_trusted(&Launch::linear(1), args).expect_err("refused").to_string();
    assert_eq!(
        refused(&mut [Arg::input(&x), Arg::value(1i32), Arg::output(&mut y)]),
        "kernel `scale`, argument 2 (`double factor`): the int value 1 was given"
    );
    assert_eq!(
        refused(&mut [Arg::input(&[1.0f32]), Arg::value(1.0), Arg::output(&mut y)]),
        "kernel `scale`, argument 1 (`__global const double* x`): an input array of float was given"
    );
    assert_eq!(
        refused(&mut [Arg::output(&mut y), Arg::value(1.0), Arg::input(&x)]),
        "kernel `scale`, argument 1 (`__global const double* x`): an output array of double was given"
    );
    assert_eq!(
        refused(&mut [Arg::input(&x), Arg::Local(8), Arg::output(&mut y)]),
        "kernel `scale`, argument 2 (`double factor`): 8 bytes of local memory was given"
    );
    assert_eq!(
        refused(&mut [Arg::input(&x), Arg::Count, Arg::output(&mut y)]),
        "kernel `scale`, argument 2 (`double factor`): the number of elements was given"
    );
    assert_eq!(y, [0.0], "nothing ran");
}

#[test]
fn every_element_type_reaches_the_kernel_by_value_and_in_arrays() {
    for ty in ElementType::ALL {
        let c = ty.c_name();
        let text = format!(
            "__kernel void copy({c} value, __global const {c}* x, __global {c}* y) {{ y[0] = x[0]; y[1] = value; }}"
        );
        let kernel = device().build(&text, "").expect("it compiles").kernel("copy").expect("it is there");
        macro_rules! check {
            ($t:ty) => {{
                let mut y = [0 as $t; 2];
                kernel
                    .run_trusted(
                        &Launch::linear(1),
                        &mut [Arg::value(7 as $t), Arg::input(&[5 as $t]), Arg::output(&mut y)],
                    )
                    .expect("it runs");
                assert_eq!(y, [5 as $t, 7 as $t], "{ty}");
            }};
        }
        match ty {
            ElementType::I8 => check!(i8),
            ElementType::I16 => check!(i16),
            ElementType::I32 => check!(i32),
            ElementType::I64 => check!(i64),
            ElementType::U8 => check!(u8),
            ElementType::U16 => check!(u16),
            ElementType::U32 => check!(u32),
            ElementType::U64 => check!(u64),
            ElementType::F32 => check!(f32),
            ElementType::F64 => check!(f64),
        }
    }
}

#[test]
fn vectors_need_whole_vectors_and_their_alignment() {
    let text = "__kernel void sum(__global const double4* x, __global double* y) {
        size_t i = get_global_id(0); double4 v = x[i]; y[i] = v.x + v.y + v.z + v.w; }";
    let kernel = device().build(text, "").expect("it compiles").kernel("sum").expect("it is there");
    let x: Vec<f64> = (0..17).map(f64::from).collect();
    let mut y = [0.0; 4];
    // One of four starts is aligned to 32 bytes; the other three must be copied, not read in place.
    for start in 0..2 {
        kernel
            .run_trusted(&Launch::linear(4), &mut [Arg::input(&x[start..start + 16]), Arg::output(&mut y)])
            .expect("it runs");
        assert_eq!(y[0], x[start..start + 4].iter().sum::<f64>());
    }
    assert!(
        kernel.run_trusted(&Launch::linear(4), &mut [Arg::input(&x[..15]), Arg::output(&mut y)]).is_err(),
        "3.75 vectors"
    );
}

#[test]
fn elementwise_launches_need_arrays_of_one_length() {
    let kernel = device().build(crate::ADD, "").expect("it compiles").kernel("add").expect("it is there");
    let mut y = [0.0; 4];
    let args = &mut [Arg::Count, Arg::input(&[1.0; 4]), Arg::input(&[1.0; 3]), Arg::whole(&[1.0]), Arg::output(&mut y)];
    let error = kernel.elementwise_trusted(4, args).expect_err("3 of 4").to_string();
    assert_eq!(error, "kernel `add`, argument 3: the array has 3 elements, but must have 4");
}

#[test]
fn counts_of_every_integer_width_work() {
    for c in ["int", "uint", "long", "ulong"] {
        let text = format!(
            "__kernel void fill({c} n, __global int* y) {{ size_t i = get_global_id(0); if (i < n) y[i] = (int)n; }}"
        );
        let kernel = device().build(&text, "").expect("it compiles").kernel("fill").expect("it is there");
        let mut y = [0i32; 100];
        kernel.elementwise_trusted(100, &mut [Arg::Count, Arg::output(&mut y)]).expect("it runs");
        assert_eq!(y, [100; 100], "{c}");
    }
}

#[test]
fn a_given_signature_is_compared_with_the_compiled_kernel() {
    let program = device().build(SCALE, "").expect("it compiles");
    let f64 = ElementType::F64;
    let mut signature = KernelSignature {
        name: "scale".into(),
        params: vec![
            KernelParam::input("values", f64),
            KernelParam::value("by", f64),
            KernelParam::output("scaled", f64),
        ],
    };
    let kernel = program.kernel_with(&signature).expect("the same types");
    assert_eq!(kernel.signature().params[0].name, "values");
    signature.params[1] = KernelParam::value("by", ElementType::I32);
    let error = program.kernel_with(&signature).expect_err("int, not double");
    assert!(matches!(error, RuntimeError::SignatureMismatch { .. }));
    assert_eq!(
        error.to_string(),
        "kernel `scale`: the given signature says scale(__global const double* values, int by, __global double* scaled), but the \
         compiled kernel has scale(__global const double* x, double factor, __global double* y)"
    );
}

#[test]
fn a_missing_kernel_names_those_that_are_there() {
    let error = device().build(SCALE, "").expect("it compiles").kernel("scales").expect_err("misspelt").to_string();
    assert_eq!(error, "the program has no kernel `scales`; it has: scale");
}
