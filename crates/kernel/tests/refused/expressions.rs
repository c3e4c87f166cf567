use gristmill_kernel::kernel;

#[kernel]
fn closure(x: f64) -> f64 {
    let f = |y: f64| y + 1.0;
    f(x)
}

#[kernel]
fn print(x: f64) -> f64 {
    println!("{x}");
    x
}

#[kernel]
fn macro_value(x: f64) -> f64 {
    x + todo!()
}

#[kernel]
fn text(x: f64) -> f64 {
    let s = "a";
    x
}

#[kernel]
fn character(x: f64) -> f64 {
    let s = 'a';
    x
}

#[kernel]
fn range(x: f64) -> f64 {
    let r = 0..3;
    x
}

#[kernel]
fn question(x: f64) -> f64 {
    Some(x)?
}

#[kernel]
fn unsafe_block(x: f64) -> f64 {
    unsafe { x }
}

#[kernel]
fn borrow(x: f64) -> f64 {
    let y = &x;
    x
}

#[kernel]
fn remainder(x: f64) -> f64 {
    x % 2.0
}

#[kernel]
fn to_bool(n: i32) -> bool {
    n as bool
}

#[kernel]
fn assign_to_value(x: f64) -> f64 {
    (x + 1.0) = 2.0;
    x
}

#[kernel]
fn generic_call(x: f64) -> f64 {
    std::convert::identity::<f64>(x)
}

#[kernel]
fn call_of_value(x: f64) -> f64 {
    (x)(1.0)
}

#[kernel]
fn deref(x: f64) -> f64 {
    *x
}

#[kernel]
fn item_inside(x: f64) -> f64 {
    fn g(x: f64) -> f64 {
        x
    }
    x
}

#[kernel]
fn non_ascii(größe: f64) -> f64 {
    größe
}

#[kernel]
fn tuple_operator(x: f64) -> bool {
    (x, x) == (x, 1.0)
}

#[kernel]
fn types_meet(x: f64, n: i32) -> f64 {
    x + n
}

#[kernel]
fn primitive_constant(x: f64) -> f64 {
    x + f64::RADIX as f64
}

fn main() {}
