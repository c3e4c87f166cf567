//! Typed calls on one thread, on threads and on a device give the bits of the function for each element.

use gristmill_cl_runtime::Device;
use gristmill_kernel::kernel;

#[kernel]
fn blend(x: f64, k: i32, up: bool) -> f64 {
    let y = x.mul_add(0.1, 1.0 / x);
    if up { y + k as f64 } else { y - k as f64 }
}

#[kernel]
fn parts(x: f64) -> (f64, bool) {
    (x.sqrt(), x < 0.5)
}

/// Lengths around a vector, a task on threads, and more tasks than threads.
const LENGTHS: [usize; 8] = [0, 1, 7, 8, 4096, 4097, 12_289, 100_001];

#[test]
fn threads_give_the_bits_of_single_calls() {
    for n in LENGTHS {
        let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.37 - 11.0).collect();
        let k: Vec<i32> = (0..n as i32).map(|i| i % 17 - 8).collect();
        let (mut y, mut all) = (vec![0.0; n], vec![0.0; n]);
        blend::par_map((&x, &k, true), &mut y).expect("they fit");
        blend::map((&x, &k, true), &mut all).expect("they fit");
        for i in 0..n {
            assert_eq!(y[i].to_bits(), blend(x[i], k[i], true).to_bits(), "element {i} of {n}");
            assert_eq!(y[i].to_bits(), all[i].to_bits(), "element {i} of {n}");
        }
    }
}

#[test]
fn several_results_go_to_several_slices() {
    let x: Vec<f64> = (0..10_000).map(|i| f64::from(i) * 0.001).collect();
    let (mut root, mut small) = (vec![0.0; 10_000], vec![false; 10_000]);
    parts::par_map((&x,), (&mut root, &mut small)).expect("they fit");
    assert!((0..10_000).all(|i| (root[i], small[i]) == parts(x[i])));
}

#[test]
fn slices_that_do_not_fit_are_refused_before_anything_is_written() {
    let mut y = [7.0; 5000];
    let error = blend::par_map((&[1.0; 4999], 1, true), &mut y).expect_err("4999 of 5000");
    assert_eq!(error.to_string(), "`x` of `blend` has 4999 values, but must have 5000 or one");
    assert_eq!(y, [7.0; 5000]);
}

#[test]
fn a_device_gives_the_bits_of_single_calls() {
    let device = Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`");
    let on_device = blend::on(&device).expect("it builds");
    for n in LENGTHS {
        let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.37 - 11.0).collect();
        let mut y = vec![0.0; n];
        on_device.map((&x, 3, false), &mut y).expect("they fit");
        assert!((0..n).all(|i| y[i].to_bits() == blend(x[i], 3, false).to_bits()), "{n} elements");
    }
}
