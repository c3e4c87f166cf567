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
fn third_part(s: S) -> f64 {
    s.x.2
}

#[kernel]
fn of_field(x: f64, n: i32) -> f64 {
    x * n as f64
}

#[kernel]
fn field_before_statements(s: &mut S, n: i32) -> f64 {
    of_field(s.x, { let mut k = n; while k > 3 { k -= 1; } k })
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
