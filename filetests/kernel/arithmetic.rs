//! Floats stay as written, grouped as Rust groups them; integers wrap.
#[kernel]
fn floats(x: f64, y: f64) -> f64 {
    -x * y + x / y - 0.1
}

#[kernel]
fn integers(a: i32, b: i32, c: u64) -> u64 {
    let d = a * b + 1 - a;
    c * 3 + (-d) as u64
}

// run: floats(2.0, 4.0) == -8.0 + 0.5 - 0.1
// run: integers(i32::MAX, 2, 1u64) == 0xFFFF_FFFF_8000_0003u64
// run: floats(f64::NAN, 1.0).is_nan()

/* translation
double floats(double x_, double y_)
{
    return (((-x_) * y_) + (x_ / y_)) - 0x1.999999999999ap-4;
}
ulong integers(int a_, int b_, ulong c_)
{
    int d_ = as_int(as_uint(as_int(as_uint(as_int(as_uint(a_) * as_uint(b_))) + as_uint(1))) - as_uint(a_));
    return (c_ * 3UL) + ((ulong)(as_int(0 - as_uint(d_))));
}
*/
