use gristmill_kernel::kernel;

#[kernel]
const TEXT: &str = "a";

#[kernel]
const SMALL: u8 = 1;

#[kernel]
struct Pair {
    hi: f64,
    lo: f64,
}

#[kernel]
const STRUCTURE: Pair = Pair { hi: 1.0, lo: 2.0 };

#[kernel]
const PAIRS: [(f64, f64); 2] = [(1.0, 2.0), (3.0, 4.0)];

#[kernel]
const WITH_TABLE: ([f64; 2], f64) = ([1.0, 2.0], 3.0);

fn main() {}
