//! The exact methods.
#[kernel]
fn rounding(x: f64) -> f64 {
    x.floor() + x.ceil() * x.trunc() - x.round_ties_even() + x.fract() + x.signum()
}

#[kernel]
fn others(x: f64, y: f64) -> f64 {
    x.mul_add(y, x.abs().sqrt()) + x.min(y).max(0.0).copysign(y) + y.recip()
}

#[kernel]
fn bits(x: f64) -> u64 {
    f64::from_bits(x.to_bits() ^ 1).to_bits() + x.is_nan() as u64 + x.is_sign_negative() as u64
}

#[kernel]
fn integers(n: i64) -> u32 {
    n.count_ones() + n.leading_zeros() + n.trailing_zeros() + n.wrapping_abs().min(9) as u32
}

// run: rounding(2.5) == 2.0 + 3.0 * 2.0 - 2.0 + 0.5 + 1.0
// run: bits(1.0) == 0x3ff0000000000001u64 && bits(-f64::NAN) == 0x7ff8000000000001u64
// run: integers(8i64) == 1u32 + 60u32 + 3u32 + 8u32 && integers(i64::MIN) == 1u32 + 63u32

/* translation
double rounding(double x_)
{
    return (((gm_floor_f64(x_) + (gm_ceil_f64(x_) * gm_trunc_f64(x_))) - gm_rint_f64(x_)) + gm_fract_f64(x_)) + gm_signum_f64(x_);
}
double others(double x_, double y_)
{
    return (fma(x_, y_, sqrt(fabs(x_))) + gm_copysign_f64(gm_max_f64(gm_min_f64(x_, y_), 0x0p+0), y_)) + (0x1p+0 / y_);
}
ulong bits(double x_)
{
    return (gm_bits_f64(as_double(gm_bits_f64(x_) ^ 1UL)) + ((ulong)((isnan(x_) != 0)))) + ((ulong)((int)(gm_bits_f64(x_) >> 63)));
}
uint integers(long n_)
{
    return ((((uint)popcount(n_)) + ((uint)clz(as_ulong(n_)))) + gm_ctz_u64(as_ulong(n_))) + ((uint)(min(gm_abs_i64(n_), 9L)));
}
*/
