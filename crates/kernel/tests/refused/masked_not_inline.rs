use gristmill_kernel::kernel;

#[kernel(inline)]
fn test(x: f64) -> bool {
    x > 0.0
}

#[kernel]
fn heavy(x: f64) -> f64 {
    x
}

#[kernel(masked)]
fn masked(x: f64) -> f64 {
    if test(x) { heavy(x) } else { heavy(x) }
}

fn main() {}
