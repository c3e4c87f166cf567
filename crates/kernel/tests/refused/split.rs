use gristmill_kernel::kernel;

#[kernel]
struct S {
    x: f64,
}

#[kernel]
fn setup(a: f64) -> S {
    S { x: a }
}

#[kernel(inline)]
fn eval(x: f64, s: S) -> f64 {
    x + s.x
}

#[kernel(split)]
fn statements(x: f64, a: f64) -> f64 {
    let s: S = setup(a);
    eval(x, s)
}

#[kernel(split)]
fn expression(x: f64, a: f64) -> f64 {
    eval(x + 1.0, setup(a))
}

#[kernel(split)]
fn twice(x: f64, a: f64) -> f64 {
    eval(x, setup(x))
}

#[kernel(split)]
fn no_setup(x: f64, a: f64) -> f64 {
    x.max(a)
}

#[kernel(inline)]
fn in_main(x: f64, s: S) -> bool {
    x < s.x
}

#[kernel(split)]
fn other_arguments(x: f64, a: f64) -> f64 {
    let s = setup(a);
    if in_main(x, s) { eval(x, s) } else { eval(a, s) }
}

fn main() {}
