use gristmill_kernel::kernel;

#[kernel]
fn if_let(x: f64) -> f64 {
    if let 1.0 = x { 2.0 } else { x }
}

#[kernel]
fn while_let(x: f64) -> f64 {
    while let 1.0 = x {}
    x
}

#[kernel]
fn let_else(x: f64) -> f64 {
    let 1.0 = x else { return 2.0 };
    x
}

#[kernel]
fn iterator(x: f64) -> f64 {
    for i in [1, 2, 3] {}
    x
}

#[kernel]
fn step(x: f64) -> f64 {
    for i in (0..9).step_by(2) {}
    x
}

#[kernel]
fn open_range(x: f64) -> f64 {
    for i in 0.. {}
    x
}

#[kernel]
fn match_float(x: f64) -> f64 {
    match x {
        1.0 => 2.0,
        _ => x,
    }
}

const LIMIT: i32 = 3;

#[kernel]
fn match_constant(n: i32) -> f64 {
    match n {
        LIMIT => 2.0,
        _ => 1.0,
    }
}

#[kernel]
fn match_tuple(n: i32) -> f64 {
    match (n, 1) {
        (0, 1) => 2.0,
        _ => 1.0,
    }
}

#[kernel]
fn let_pattern(n: [i32; 2]) -> i32 {
    let [a, b] = n;
    a + b
}

fn main() {}
