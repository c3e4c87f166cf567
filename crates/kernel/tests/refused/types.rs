use gristmill_kernel::kernel;

#[kernel]
fn small(x: u8) -> f64 {
    x as f64
}

#[kernel]
fn large(x: i128) -> f64 {
    x as f64
}

#[kernel]
fn pointer_size(x: isize) -> f64 {
    x as f64
}

#[kernel]
fn shared(x: &f64) -> f64 {
    *x
}

#[kernel]
fn slice(x: &[f64]) -> f64 {
    x[0]
}

#[kernel]
fn vector(x: Vec<f64>) -> f64 {
    x[0]
}

#[kernel]
fn option(x: Option<f64>) -> f64 {
    1.0
}

#[kernel]
fn generic_type(x: std::num::Wrapping<u32>) -> u32 {
    1
}

#[kernel]
fn function(f: fn(f64) -> f64) -> f64 {
    f(1.0)
}

const N: usize = 3;

#[kernel]
fn length(x: [f64; N]) -> f64 {
    x[0]
}

#[kernel]
fn empty_array(x: f64) -> f64 {
    let a: [f64; 0] = [];
    x
}

#[kernel]
fn one_tuple(x: (f64,)) -> f64 {
    x.0
}

#[kernel]
fn suffix(x: f64) -> f64 {
    let n = 1u8;
    x
}

fn main() {}
