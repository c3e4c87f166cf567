use gristmill_kernel::kernel;

#[kernel]
fn itself(n: i32) -> i32 {
    if n > 0 { itself(n - 1) } else { 0 }
}

fn main() {}
