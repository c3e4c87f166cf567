use gristmill_kernel::kernel;

#[kernel]
fn checked(n: i32) -> i32 {
    n.checked_add(1)
}

#[kernel]
fn saturating(n: i32) -> i32 {
    n.saturating_mul(2)
}

#[kernel]
fn power(n: i32) -> i32 {
    n.pow(2)
}

#[kernel]
fn unknown(x: f64) -> f64 {
    x.next_up()
}

#[kernel]
fn count(x: f64) -> f64 {
    x.mul_add(1.0)
}

#[kernel]
fn untyped() -> u32 {
    1.count_ones()
}

#[kernel]
fn bool_method(b: bool) -> f64 {
    b.then_some(1.0)
}

fn main() {}
