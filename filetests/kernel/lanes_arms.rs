//! On lanes: an arm runs under a mask if some lane takes it; a small one always. A jump takes its lanes out of the mask.
#[kernel(inline)]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[kernel]
fn arms(x: f64, n: i64) -> f64 {
    if x < 0.0 {
        return -1.0;
    }
    let y = if x > 4.0 { root(x) } else { x };
    match n {
        0 => y,
        1..=3 => y + 1.0,
        _ => y * 2.0,
    }
}

// run: arms(-1.0, 0i64) == -1.0
// run: arms(9.0, 2i64) == 4.0

/* translation
double root(double x_)
{
    return sqrt(x_);
}
double arms(double x_, long n_)
{
    if (x_ < 0x0p+0) {
        return (-0x1p+0);
    }
    double y_ = (x_ > 0x1p+2) ? root(x_) : x_;
    long t1_ = n_;
    if (t1_ == 0L) {
        return y_;
    } else {
        if ((t1_ >= 1L && t1_ <= 3L)) {
            return y_ + 0x1p+0;
        } else {
            return y_ * 0x1p+1;
        }
    }
}
*/

/* on lanes
root:
    let x0 = a0;
    l.f64_sqrt(x0)
arms:
    let x0 = a0;
    let x1 = a1;
    let mut result: GmL::F64 = Blend::<GmL>::zero(l);
    let c1 = l.f64_lt(x0, l.f64_splat(f64::from_bits(0u64)));
    let mut m2 = l.mask_and(m0, c1);
    let mut m3 = l.mask_without(m0, c1);
    {
        result = Blend::<GmL>::blend(l, m2, l.f64_splat(f64::from_bits(13830554455654793216u64)), result);
        m2 = l.mask_splat(false);
    }
    m0 = l.mask_or(m2, m3);
    if !l.any(m0) {
        return result;
    }
    let mut v5: GmL::F64 = Blend::<GmL>::zero(l);
    let c6 = l.f64_gt(x0, l.f64_splat(f64::from_bits(4616189618054758400u64)));
    let mut m7 = l.mask_and(m0, c6);
    let mut m8 = l.mask_without(m0, c6);
    if const { 0u32.saturating_add(<gm_callee_0 as KernelItem>::COST) <= CHEAP } || l.any(m7) {
        v5 = gm_callee_0::lanes_call(l, m7, x0);
    }
    {
        v5 = Blend::<GmL>::blend(l, m8, x0, v5);
    }
    let x2 = v5;
    let mut v11: GmL::F64 = Blend::<GmL>::zero(l);
    let s12 = x1;
    let mut m13 = m0;
    let mut m14 = l.mask_splat(false);
    let mut m15 = l.mask_and(m13, l.i64_eq(s12, l.i64_splat((0i64))));
    m13 = l.mask_without(m13, m15);
    {
        v11 = Blend::<GmL>::blend(l, m15, x2, v11);
    }
    m14 = l.mask_or(m14, m15);
    let mut m17 = l.mask_and(m13, l.mask_and(l.i64_le(l.i64_splat((1i64)), s12), l.i64_le(s12, l.i64_splat((3i64)))));
    m13 = l.mask_without(m13, m17);
    {
        v11 = Blend::<GmL>::blend(l, m17, l.f64_add(x2, l.f64_splat(f64::from_bits(4607182418800017408u64))), v11);
    }
    m14 = l.mask_or(m14, m17);
    let mut m19 = m13;
    m13 = l.mask_without(m13, m19);
    {
        v11 = Blend::<GmL>::blend(l, m19, l.f64_mul(x2, l.f64_splat(f64::from_bits(4611686018427387904u64))), v11);
    }
    m14 = l.mask_or(m14, m19);
    m0 = l.mask_or(m14, m13);
    let end = v11;
    Blend::<GmL>::blend(l, m0, end, result)
*/
