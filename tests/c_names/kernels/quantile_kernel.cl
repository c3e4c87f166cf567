// @depends_nmath: dpq

/* a quantile as R's C files write it: that of the uniform distribution on (-1, 3), and NA for a missing probability */
double between(double p, int lower_tail, int log_p)
{
    if (ISNA(p)) return 100.0 + R_IsNaN(p) + 2 * R_IsNaN(ML_NAN) + 4 * ISNA(ML_NAN) + 8 * ISNAN(p);
    R_Q_P01_boundaries(p, -1.0, 3.0);
    double lower = R_DT_qIv(p), upper = R_DT_CIv(p);
    return lower < upper ? 4.0 * lower : -4.0 * upper;
}

__kernel void quantile_kernel(
    __global const double* p,
    __global const double* y,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double at = give_log[i] ? -y[i] : p[i];
    if (i >= 24 && i < 28) at = give_log[i] ? ML_NEGINF : 0.0;
    if (i >= 28 && i < 32) at = give_log[i] ? 0.0 : 1.0;
    if (i >= 32 && i < 36) at = 2.0;
    if (i >= 36 && i < 40) at = NA_REAL + ((i % 2 == 0) ? 0.0 : 1.0);
    out[i] = between(at, lower_tail[i], give_log[i]);
}
