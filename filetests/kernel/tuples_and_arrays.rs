//! Tuples and arrays are values: copied, passed, returned.
#[kernel]
fn swap(p: (f64, i32)) -> (i32, f64) {
    let (x, n) = p;
    (n, x)
}

#[kernel]
fn double(values: [f64; 3]) -> [f64; 3] {
    let mut out = values;
    for i in 0..3 {
        out[i] *= 2.0;
    }
    out
}

#[kernel]
fn use_both(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    (a, b) = (b, a);
    let t: (i32, f64) = swap((b, 7));
    let d: [f64; 3] = double([a, b, x]);
    let many = [x; 12];
    a + t.1 + d[1] + many[11] + t.0 as f64
}

// run: use_both(5.0) == 1.0 + 5.0 + 10.0 + 5.0 + 7.0

/* translation
typedef struct { double v0; int v1; } gm_t2_f64_i32;
typedef struct { int v0; double v1; } gm_t2_i32_f64;
gm_t2_i32_f64 swap(gm_t2_f64_i32 p_)
{
    gm_t2_f64_i32 t1_ = p_;
    double x_ = t1_.v0;
    int n_ = t1_.v1;
    return ((gm_t2_i32_f64){n_, x_});
}
typedef struct { double v[3]; } gm_a3_f64;
gm_a3_f64 gm_double(gm_a3_f64 values_)
{
    gm_a3_f64 out_ = values_;
    {
        for (ulong t1_ = 0UL; t1_ < 3UL; t1_ = t1_ + 1UL) {
            ulong i_ = t1_;
            out_.v[gm_index(i_, 3)] = out_.v[gm_index(i_, 3)] * 0x1p+1;
        }
    }
    return out_;
}
typedef struct { double v[12]; } gm_a12_f64;
double use_both(double x_)
{
    double t1_ = x_;
    double t2_ = 0x1p+0;
    double a_ = t1_;
    double b_ = t2_;
    double t3_ = b_;
    double t4_ = a_;
    a_ = t3_;
    b_ = t4_;
    gm_t2_i32_f64 t_ = swap(((gm_t2_f64_i32){b_, 7}));
    gm_a3_f64 d_ = gm_double(((gm_a3_f64){{a_, b_, x_}}));
    gm_a12_f64 many_;
    gm_a12_f64 t5_;
    for (int k_ = 0; k_ < 12; k_++) t5_.v[k_] = x_;
    many_ = t5_;
    return (((a_ + t_.v1) + d_.v[1]) + many_.v[11]) + ((double)(t_.v0));
}
*/
