//! An entry point over slices: reading outside gives zero, writing outside does nothing.
#[kernel(entry)]
fn axpy(i: usize, a: f64, x: &[f64], y: &mut [f64], seen: &mut [bool]) {
    y[i] += a * x[x.len() - 1 - i];
    if x[i + 1] == 0.0 {
        seen[i] = true;
    }
}

/* translation
__kernel void axpy(ulong n_items_, double a_, __global const double *x_, ulong x_len_, __global double *y_, ulong y_len_, __global uchar *seen_, ulong seen_len_)
{
    ulong i_ = get_global_id(0);
    if (i_ >= n_items_) return;
    double t1_ = a_;
    ulong t2_ = (x_len_ - 1UL) - i_;
    double t3_ = t1_ * (t2_ < x_len_ ? x_[t2_] : 0x0p+0);
    if (i_ < y_len_) y_[i_] = y_[i_] + t3_;
    ulong t4_ = i_ + 1UL;
    if ((t4_ < x_len_ ? x_[t4_] : 0x0p+0) == 0x0p+0) {
        if (i_ < seen_len_) seen_[i_] = (uchar)(1);
    }
}
*/
