//! `&mut` parameters: scalars, structs, arrays.
#[kernel]
struct Acc {
    sum: f64,
    count: i32,
}

#[kernel]
fn worst_of(a: f64, b: f64) -> f64 {
    a.max(b)
}

#[kernel]
fn push(acc: &mut Acc, worst: &mut f64, x: f64) -> bool {
    acc.sum += x;
    acc.count += 1;
    *worst = worst_of(*worst, x);
    acc.sum > 10.0
}

#[kernel]
fn run(x: f64) -> f64 {
    let mut acc = Acc { sum: 0.0, count: 0 };
    let mut worst = f64::NEG_INFINITY;
    while !push(&mut acc, &mut worst, x) {}
    let count: i32 = acc.count;
    count as f64 + worst
}

// run: run(3.0) == 7.0

/* translation
typedef struct { double sum; int count; } Acc;
double worst_of(double a_, double b_)
{
    return gm_max_f64(a_, b_);
}
int push(Acc *acc_, double *worst_, double x_)
{
    (*acc_).sum = ((*acc_).sum) + x_;
    (*acc_).count = as_int(as_uint((*acc_).count) + as_uint(1));
    (*worst_) = worst_of((*worst_), x_);
    return ((*acc_).sum) > 0x1.4p+3;
}
double run(double x_)
{
    Acc acc_ = ((Acc){.sum = 0x0p+0, .count = 0});
    double worst_ = (-(double)INFINITY);
    while (1) {
        int t1_ = push(&acc_, &worst_, x_);
        if (!(!t1_)) break;
    }
    int count_ = acc_.count;
    return ((double)(count_)) + worst_;
}
*/
