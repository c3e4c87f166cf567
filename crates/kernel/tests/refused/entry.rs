use gristmill_kernel::kernel;

#[kernel(entry)]
fn no_index(x: &[f64]) {}

#[kernel(entry)]
fn returns(i: usize, x: &[f64]) -> f64 {
    x[i]
}

#[kernel(entry)]
fn reference(i: usize, x: &mut f64) {
    *x = 1.0;
}

#[kernel(entry)]
fn nested(i: usize, x: &[[f64; 2]]) {}

#[kernel(entry)]
fn borrows(i: usize, x: &mut [f64]) {
    let y = &mut x[i];
    *y = 1.0;
}

#[kernel(entry)]
fn alias(i: usize, x: &[f64], y: &mut [f64]) {
    let z = x;
    y[i] = z[i];
}

#[kernel]
fn total(x: f64) -> f64 {
    x
}

#[kernel(entry)]
fn passes(i: usize, x: &[f64], y: &mut [f64]) {
    y[i] = total(x);
}

fn main() {}
