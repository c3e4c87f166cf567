use gristmill_kernel::kernel;

#[kernel]
struct Generic<T> {
    x: T,
}

#[kernel]
struct Tuple(f64);

#[kernel]
struct Empty {}

#[kernel]
struct Text {
    s: String,
}

#[kernel]
struct Reference {
    s: &'static mut f64,
}

#[kernel]
enum Choice {
    A,
}

#[kernel(inline)]
struct Inline {
    x: f64,
}

fn main() {}
