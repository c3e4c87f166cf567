use gristmill_kernel::kernel;

#[kernel(inline)]
fn test(x: f64) -> bool {
    x > 0.0
}

#[kernel(inline)]
fn main_path(x: f64) -> f64 {
    x
}

#[kernel]
fn rest(x: f64) -> f64 {
    -x
}

#[kernel(masked)]
fn condition(x: f64) -> f64 {
    if x > 0.0 { main_path(x) } else { rest(x) }
}

#[kernel(masked)]
fn no_else(x: f64) -> f64 {
    if test(x) {
        return main_path(x);
    }
    rest(x)
}

#[kernel(masked)]
fn other_value(x: f64) -> f64 {
    let y = main_path(x);
    if test(y) { x } else { rest(x) }
}

fn main() {}
