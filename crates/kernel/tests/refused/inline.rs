use gristmill_kernel::kernel;

#[kernel]
fn heavy(x: f64) -> f64 {
    x
}

#[kernel(inline)]
fn light(x: f64) -> f64 {
    heavy(x)
}

fn main() {}
