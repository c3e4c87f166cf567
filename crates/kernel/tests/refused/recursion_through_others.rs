use gristmill_kernel::kernel;

#[kernel]
fn ping(x: f64) -> f64 {
    pong(x)
}

#[kernel]
fn pong(x: f64) -> f64 {
    ping(x)
}

fn main() {}
