//! Left to right; the right side of an assignment before its place.
#[kernel]
fn left_to_right(x: f64) -> f64 {
    let mut a = x;
    a + {
        a = 2.0;
        a
    } * a
}

#[kernel]
fn bump(n: &mut usize) -> f64 {
    *n += 1;
    *n as f64
}

#[kernel]
fn right_side_first() -> f64 {
    let mut a = [0.0; 3];
    let mut i = 0;
    a[i] = bump(&mut i);
    a[1]
}

// run: left_to_right(10.0) == 14.0
// run: right_side_first() == 1.0

/* translation
double left_to_right(double x_)
{
    double a_ = x_;
    double t1_ = a_;
    double t2_;
    {
        a_ = 0x1p+1;
        t2_ = a_;
    }
    return t1_ + (t2_ * a_);
}
double bump(ulong *n_)
{
    (*n_) = (*n_) + 1UL;
    return (double)((*n_));
}
typedef struct { double v[3]; } gm_a3_f64;
double right_side_first(void)
{
    gm_a3_f64 a_ = ((gm_a3_f64){{0x0p+0, 0x0p+0, 0x0p+0}});
    ulong i_ = 0UL;
    double t1_ = bump(&i_);
    a_.v[gm_index(i_, 3)] = t1_;
    return a_.v[1];
}
*/
