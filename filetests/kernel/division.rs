//! Integer division is total: by zero it gives 0, the remainder the dividend; MIN / -1 wraps.
#[kernel]
fn divide(a: i32, b: i32) -> (i32, i32) {
    (a / b, a % b)
}

#[kernel]
fn divide_u64(a: u64, b: u64) -> u64 {
    let mut q = a;
    q /= b;
    q % 10
}

// run: { let t: (i32, i32) = divide(7, 0); t.0 == 0 && t.1 == 7 }
// run: { let t: (i32, i32) = divide(i32::MIN, -1); t.0 == i32::MIN && t.1 == 0 }
// run: { let t: (i32, i32) = divide(-7, 2); t.0 == -3 && t.1 == -1 }
// run: divide_u64(u64::MAX, 0u64) == 0u64

/* translation
typedef struct { int v0; int v1; } gm_t2_i32_i32;
gm_t2_i32_i32 divide(int a_, int b_)
{
    return ((gm_t2_i32_i32){gm_div_i32(a_, b_), gm_rem_i32(a_, b_)});
}
ulong divide_u64(ulong a_, ulong b_)
{
    ulong q_ = a_;
    q_ = gm_div_u64(q_, b_);
    return gm_rem_u64(q_, 10UL);
}
*/
