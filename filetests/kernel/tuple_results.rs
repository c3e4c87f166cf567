//! The parts of a tuple that a call returns need no annotation; neither does a tuple that is only passed on.
#[kernel]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

#[kernel]
fn scaled(pair: (f64, f64), by: f64) -> (f64, f64) {
    (pair.0 * by, pair.1 * by)
}

#[kernel]
fn parts(x: f64) -> (f64, i32) {
    (x.fract(), x as i32)
}

#[kernel]
fn error_of_sum(a: f64, b: f64) -> f64 {
    two_sum(a, b).1
}

#[kernel]
fn sum_of_three(a: f64, b: f64, c: f64) -> (f64, f64) {
    let s = two_sum(a, b);
    let t = two_sum(s.0, c);
    if t.1 == 0.0 { s } else { (t.0, s.1 + t.1) }
}

#[kernel]
fn next_whole(x: f64) -> i32 {
    let p = parts(x);
    p.1 + 1
}

#[kernel]
fn one_of_two(a: f64, b: f64) -> f64 {
    let mut t = if a < b { two_sum(a, b) } else { scaled(two_sum(b, a), 2.0) };
    t.0 += 1.0;
    let (hi, lo) = t;
    hi + lo
}

// run: error_of_sum(1.0, 1e-20) == 1e-20
// run: sum_of_three(1.0, 1e-20, 1e-20).1 == 2e-20
// run: next_whole(2.5) == 3
// run: one_of_two(1.0, 2.0) == 4.0
// run: one_of_two(2.0, 1.0) == 7.0

/* translation
typedef struct { double v0; double v1; } gm_t2_f64_f64;
gm_t2_f64_f64 two_sum(double a_, double b_)
{
    double s_ = a_ + b_;
    double t_ = s_ - a_;
    return ((gm_t2_f64_f64){s_, (a_ - (s_ - t_)) + (b_ - t_)});
}
gm_t2_f64_f64 scaled(gm_t2_f64_f64 pair_, double by_)
{
    return ((gm_t2_f64_f64){pair_.v0 * by_, pair_.v1 * by_});
}
typedef struct { double v0; int v1; } gm_t2_f64_i32;
gm_t2_f64_i32 parts(double x_)
{
    return ((gm_t2_f64_i32){gm_fract_f64(x_), gm_f64_i32(x_)});
}
double error_of_sum(double a_, double b_)
{
    return two_sum(a_, b_).v1;
}
gm_t2_f64_f64 sum_of_three(double a_, double b_, double c_)
{
    gm_t2_f64_f64 s_ = two_sum(a_, b_);
    gm_t2_f64_f64 t_ = two_sum(s_.v0, c_);
    if (t_.v1 == 0x0p+0) {
        return s_;
    } else {
        return ((gm_t2_f64_f64){t_.v0, s_.v1 + t_.v1});
    }
}
int next_whole(double x_)
{
    gm_t2_f64_i32 p_ = parts(x_);
    return as_int(as_uint(p_.v1) + as_uint(1));
}
double one_of_two(double a_, double b_)
{
    gm_t2_f64_f64 t_ = (a_ < b_) ? two_sum(a_, b_) : scaled(two_sum(b_, a_), 0x1p+1);
    t_.v0 = t_.v0 + 0x1p+0;
    gm_t2_f64_f64 t1_ = t_;
    double hi_ = t1_.v0;
    double lo_ = t1_.v1;
    return hi_ + lo_;
}
*/
