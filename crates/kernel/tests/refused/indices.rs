use gristmill_kernel::kernel;

#[kernel]
fn outside(x: f64) -> f64 {
    let a = [x, x];
    a[2]
}

#[kernel]
fn of_a_number(x: f64) -> f64 {
    x[0]
}

#[kernel]
fn of_a_value(x: f64) -> f64 {
    [x, x][0]
}

#[kernel]
fn through_reference(a: &mut [f64; 2]) -> f64 {
    a[0]
}

#[kernel]
fn signed(a: [f64; 2], i: i32) -> f64 {
    a[i]
}

fn main() {}
