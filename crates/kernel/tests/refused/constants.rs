use gristmill_kernel::kernel;

#[kernel]
const TEXT: &str = "a";

#[kernel]
const SMALL: u8 = 1;

#[kernel]
const PAIR: (f64, f64) = (1.0, 2.0);

fn main() {}
