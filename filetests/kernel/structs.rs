//! Structs by value: parameters, results, fields, arrays in them. `s.hi` needs no annotation after a call.
#[kernel]
struct Dd {
    hi: f64,
    lo: f64,
}

#[kernel]
struct Setup {
    scale: f64,
    coef: [f64; 2],
    half: i32,
    log: bool,
}

#[kernel]
fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let t = s - a;
    Dd { hi: s, lo: (a - (s - t)) + (b - t) }
}

#[kernel]
fn error_of_sum(a: f64, b: f64) -> f64 {
    let s = two_sum(a, b);
    s.lo
}

#[kernel]
fn setup(scale: f64, log: bool) -> Setup {
    Setup { scale, coef: [1.0, scale], half: 3, log }
}

#[kernel]
fn eval(x: f64, s: Setup) -> f64 {
    let y = s.coef[0] + s.coef[1] * x * s.scale;
    let half: i32 = s.half;
    if s.log { -y } else { y + half as f64 }
}

#[kernel]
fn both(x: f64, scale: f64) -> f64 {
    eval(x, setup(scale, false))
}

// run: error_of_sum(1.0, 1e-20) == 1e-20
// run: both(2.0, 3.0) == 1.0 + 3.0 * 2.0 * 3.0 + 3.0

/* translation
typedef struct { double hi; double lo; } Dd;
typedef struct { double v[2]; } gm_a2_f64;
typedef struct { double scale; gm_a2_f64 coef; int half_; int log; } Setup;
Dd two_sum(double a_, double b_)
{
    double s_ = a_ + b_;
    double t_ = s_ - a_;
    return ((Dd){.hi = s_, .lo = (a_ - (s_ - t_)) + (b_ - t_)});
}
double error_of_sum(double a_, double b_)
{
    Dd s_ = two_sum(a_, b_);
    return s_.lo;
}
Setup setup(double scale_, int log_)
{
    log_ = log_ != 0;
    return ((Setup){.scale = scale_, .coef = ((gm_a2_f64){{0x1p+0, scale_}}), .half_ = 3, .log = log_});
}
double eval(double x_, Setup s_)
{
    double y_ = s_.coef.v[gm_index(0UL, sizeof(s_.coef.v) / sizeof(s_.coef.v[0]))] + ((s_.coef.v[gm_index(1UL, sizeof(s_.coef.v) / sizeof(s_.coef.v[0]))] * x_) * s_.scale);
    int half_ = s_.half_;
    if (s_.log) {
        return -y_;
    } else {
        return y_ + ((double)(half_));
    }
}
double both(double x_, double scale_)
{
    return eval(x_, setup(scale_, 0));
}
*/
