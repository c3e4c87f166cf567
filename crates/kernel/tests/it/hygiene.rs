//! Names in a user's module that the emitted code must not meet.

use gristmill_kernel::kernel as attribute;

mod elsewhere {
    pub mod deep {
        pub use gristmill_kernel::*;
    }
}

#[attribute]
pub struct Args {
    x: f64,
}

#[attribute]
pub struct Run {
    x: f64,
    flag: bool,
}

#[attribute]
pub struct I {
    x: f64,
}

#[attribute]
pub const SHARD: f64 = 2.0;

#[attribute]
pub fn body(isa: f64, n: f64) -> Args {
    Args { x: isa * n }
}

#[attribute]
pub fn call(a0: f64, n: f64) -> Run {
    Run { x: a0 + n, flag: n > 1.0 }
}

#[attribute(inline)]
pub fn lanes(i: f64, r0: Run) -> f64 {
    let s = I { x: SHARD };
    if r0.flag { i + s.x } else { r0.x }
}

#[attribute(split)]
pub fn run(isa: f64, a0: f64, n: f64) -> f64 {
    lanes(isa, call(a0, n))
}

#[attribute(crate = "elsewhere::deep")]
pub fn moved(x: f64, n: i32) -> f64 {
    let a: Args = body(x, 2.0);
    a.x + (n / 2) as f64
}

#[test]
fn emitted_names_do_not_meet_those_of_the_module() {
    assert_eq!(run(1.0, 2.0, 3.0), 3.0);
    assert_eq!(run(1.0, 2.0, 0.5), 2.5);
    assert_eq!(moved(3.0, 5), 8.0);
    assert_eq!(moved::FUNCTION.name(), "moved");
}
