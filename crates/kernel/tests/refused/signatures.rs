use gristmill_kernel::kernel;

#[kernel]
fn generic<T>(x: T) -> T {
    x
}

#[kernel]
async fn is_async(x: f64) -> f64 {
    x
}

#[kernel]
const fn is_const(x: f64) -> f64 {
    x
}

#[kernel]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[kernel]
unsafe fn is_unsafe(x: f64) -> f64 {
    x
}

#[kernel]
fn pattern((x, y): (f64, f64)) -> f64 {
    x + y
}

#[kernel]
fn returns_reference(x: &mut f64) -> &mut f64 {
    x
}

struct S;

impl S {
    #[kernel]
    fn method(&self) -> f64 {
        1.0
    }
}

fn main() {}
