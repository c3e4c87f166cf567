//! The count is taken modulo the width, whatever its type.
#[kernel]
fn shift(a: i32, n: u32, m: i64) -> i32 {
    (a << n) >> m
}

#[kernel]
fn rotate(a: u64, n: u32) -> u64 {
    a.rotate_left(n) ^ a.rotate_right(n) ^ a.wrapping_shl(n)
}

// run: shift(1, 33u32, 0i64) == 2 && shift(-8, 0u32, 65i64) == -4
// run: rotate(1u64, 64u32) == 1u64

/* translation
int shift(int a_, uint n_, long m_)
{
    return as_int(as_uint(a_) << ((uint)(n_) & 31u)) >> ((uint)(m_) & 31u);
}
ulong gm_rotate(ulong a_, uint n_)
{
    return (rotate(a_, (ulong)(n_ & 63u)) ^ rotate(a_, (ulong)((0u - n_) & 63u))) ^ (a_ << ((uint)(n_) & 63u));
}
*/
