//! On lanes: a loop runs until the last lane has left it; a counter from a constant stays scalar.
#[kernel]
fn steps(x: f64, limit: f64) -> i64 {
    let mut n = 0;
    let mut y = x;
    while y < limit {
        y *= 2.0;
        n += 1;
        if n > 100 {
            break;
        }
    }
    n
}

#[kernel]
const TABLE: [f64; 3] = [1.0, 2.0, 4.0];

#[kernel]
fn dot(x: f64, at: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum = TABLE[k].mul_add(x, sum);
    }
    sum + TABLE[at]
}

// run: steps(1.0, 8.0) == 3i64
// run: dot(1.0, 1usize) == 9.0

/* translation
long steps(double x_, double limit_)
{
    long n_ = 0L;
    double y_ = x_;
    while (y_ < limit_) {
        y_ = y_ * 0x1p+1;
        n_ = as_long(as_ulong(n_) + as_ulong(1L));
        if (n_ > 100L) {
            break;
        }
    }
    return n_;
}
__constant double TABLE[3] = {0x1p+0, 0x1p+1, 0x1p+2};
double gm_dot(double x_, ulong at_)
{
    double sum_ = 0x0p+0;
    {
        for (ulong t1_ = 0UL; t1_ < 3UL; t1_ = t1_ + 1UL) {
            ulong k_ = t1_;
            sum_ = fma(TABLE[gm_index(k_, sizeof(TABLE) / sizeof(TABLE[0]))], x_, sum_);
        }
    }
    return sum_ + TABLE[gm_index(at_, sizeof(TABLE) / sizeof(TABLE[0]))];
}
*/

/* on lanes
steps:
    let x0 = a0;
    let x1 = a1;
    let mut x2 = l.i64_splat((0i64));
    let mut x3 = x0;
    let mut m1 = l.mask_splat(false);
    let mut m3 = m0;
    let mut m4 = l.mask_splat(false);
    loop {
        let c6 = l.f64_lt(x3, x1);
        m4 = l.mask_or(m4, l.mask_without(m3, c6));
        m3 = l.mask_and(m3, c6);
        if !l.any(m3) {
            break;
        }
        let mut m7 = m3;
        let mut m2 = l.mask_splat(false);
        let t9 = l.f64_splat(f64::from_bits(4611686018427387904u64));
        x3 = Blend::<GmL>::blend(l, m7, l.f64_mul(x3, t9), x3);
        let t10 = l.i64_splat((1i64));
        x2 = Blend::<GmL>::blend(l, m7, l.i64_add(x2, t10), x2);
        let c11 = l.i64_gt(x2, l.i64_splat((100i64)));
        let mut m12 = l.mask_and(m7, c11);
        let mut m13 = l.mask_without(m7, c11);
        {
            m1 = l.mask_or(m1, m12);
            m12 = l.mask_splat(false);
        }
        m7 = l.mask_or(m12, m13);
        m3 = l.mask_or(m7, m2);
    }
    m0 = l.mask_or(m4, m1);
    x2
dot:
    let x0 = a0;
    let x1 = a1;
    let mut x2 = l.f64_splat(f64::from_bits(0u64));
    for x3 in (0usize)..(3usize) {
        x2 = l.f64_mul_add(l.f64_splat(TABLE[index(x3,__private::exact::len(&TABLE))]), x0, x2);
    }
    l.f64_add(x2, look_up(l, &TABLE, x1))
*/
