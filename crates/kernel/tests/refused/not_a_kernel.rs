use gristmill_kernel::kernel;

fn helper(x: f64) -> f64 {
    x
}

const PLAIN: f64 = 1.0;

struct Plain {
    x: f64,
}

#[kernel]
fn calls_plain(x: f64) -> f64 {
    helper(x)
}

#[kernel]
fn reads_plain(x: f64) -> f64 {
    x + PLAIN
}

#[kernel]
fn takes_plain(p: Plain) -> f64 {
    p.x
}

#[kernel]
fn calls_missing(x: f64) -> f64 {
    missing(x)
}

fn main() {}
