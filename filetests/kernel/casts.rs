//! Float to integer saturates, NaN gives 0; between integers the low bits stay.
#[kernel]
fn to_i32(x: f64) -> i32 {
    x as i32
}

#[kernel]
fn to_u64(x: f32) -> u64 {
    x as u64
}

#[kernel]
fn narrow(n: i64) -> (i32, u32, f64, f32) {
    (n as i32, n as u32, n as f64, n as f32)
}

#[kernel]
fn from_bool(b: bool) -> i32 {
    b as i32 + i32::from(b)
}

// run: to_i32(1e10) == i32::MAX && to_i32(-1e10) == i32::MIN && to_i32(f64::NAN) == 0 && to_i32(-2.9) == -2
// run: to_u64(-1.0f32) == 0u64 && to_u64(3.0e38f32) == u64::MAX
// run: { let t: (i32, u32, f64, f32) = narrow(-1i64); t.0 == -1 && t.1 == u32::MAX && t.2 == -1.0 }
// run: from_bool(true) == 2

/* translation
int to_i32(double x_)
{
    return gm_f64_i32(x_);
}
ulong to_u64(float x_)
{
    return gm_f64_u64((double)(x_));
}
typedef struct { int v0; uint v1; double v2; float v3; } gm_t4_i32_u32_f64_f32;
gm_t4_i32_u32_f64_f32 narrow(long n_)
{
    return ((gm_t4_i32_u32_f64_f32){as_int((uint)(n_)), (uint)(n_), (double)(n_), convert_float_rte(n_)});
}
int from_bool(int b_)
{
    b_ = b_ != 0;
    return as_int(as_uint((int)(b_)) + as_uint((int)(b_)));
}
*/
