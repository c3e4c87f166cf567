use gristmill_kernel::kernel;

#[kernel]
struct S {
    x: f64,
}

#[kernel]
fn two(x: f64) -> (S, f64) {
    (S { x }, x)
}

#[kernel]
fn part(x: f64) -> f64 {
    let (s, y) = two(x);
    s.x + y
}

#[kernel]
fn tuple_field(s: S) -> f64 {
    s.x.1
}

#[kernel]
const K: u32 = 3;

#[kernel]
fn shift(n: u32) -> u32 {
    n << K
}

#[kernel]
const N: i32 = 3;

#[kernel]
fn range(x: f64) -> f64 {
    for _ in N..N {}
    x
}

fn main() {}
