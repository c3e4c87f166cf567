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

#[kernel]
const ROWS: [[f64; 3]; 2] = [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]];

#[kernel]
fn outer_index_first() -> f64 {
    let mut i: usize = 0;
    let a: f64 = ROWS[i][{ i += 1; i }];
    let mut rows = [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]];
    let b = rows[{ i -= 1; i }][{ rows[0][1] = 5.0; i + 1 }];
    a * 100.0 + b
}

// run: outer_index_first() == 105.0
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
__constant double ROWS[2][3] = {{0x0p+0, 0x1p+0, 0x1p+1}, {0x1.4p+3, 0x1.6p+3, 0x1.8p+3}};
typedef struct { gm_a3_f64 v[2]; } gm_a2_a3_f64;
double outer_index_first(void)
{
    ulong i_ = 0UL;
    double a_;
    ulong t1_ = i_;
    ulong t2_;
    {
        i_ = i_ + 1UL;
        t2_ = i_;
    }
    a_ = ROWS[gm_index(t1_, sizeof(ROWS) / sizeof(ROWS[0]))][gm_index(t2_, sizeof(ROWS[gm_index(t1_, sizeof(ROWS) / sizeof(ROWS[0]))]) / sizeof(ROWS[gm_index(t1_, sizeof(ROWS) / sizeof(ROWS[0]))][0]))];
    gm_a2_a3_f64 rows_ = ((gm_a2_a3_f64){{((gm_a3_f64){{0x0p+0, 0x1p+0, 0x1p+1}}), ((gm_a3_f64){{0x1.4p+3, 0x1.6p+3, 0x1.8p+3}})}});
    double b_;
    ulong t3_;
    {
        i_ = i_ - 1UL;
        t3_ = i_;
    }
    ulong t4_ = t3_;
    ulong t5_;
    {
        rows_.v[0].v[1] = 0x1.4p+2;
        t5_ = i_ + 1UL;
    }
    b_ = rows_.v[gm_index(t4_, 2)].v[gm_index(t5_, 3)];
    return (a_ * 0x1.9p+6) + b_;
}
*/
