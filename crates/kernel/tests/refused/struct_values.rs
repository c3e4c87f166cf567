use gristmill_kernel::kernel;

#[kernel]
struct S {
    x: f64,
    n: i32,
}

#[kernel]
fn update(s: S) -> S {
    S { x: 1.0, ..s }
}

#[kernel]
fn positional(x: f64) -> f64 {
    let s = x.0;
    s
}

#[kernel]
fn field_of_number(x: f64) -> f64 {
    x.y
}

fn main() {}
