use gristmill_kernel::kernel;

#[kernel(fast)]
fn unknown(x: f64) -> f64 {
    x
}

#[kernel(inline, split)]
fn both(x: f64) -> f64 {
    x
}

#[kernel(name = "a-b")]
fn bad_name(x: f64) -> f64 {
    x
}

#[kernel]
fn f64(x: i32) -> i32 {
    x
}

#[kernel]
mod inner {}

#[kernel(inline, ordered)]
fn no_loop(x: f64) -> f64 {
    x
}

#[kernel(ordered)]
fn by_a_count(n: i32) -> f64 {
    n as f64
}

fn main() {}
