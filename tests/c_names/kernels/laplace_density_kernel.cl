// @depends_nmath: dpq

/* a density of the author's own, with R's macros for its scale */
double laplace(double x, double scale, int log_p) {
    if (ISNAN(x) || scale <= 0.0) ML_WARN_return_NAN;
    if (!R_FINITE(x)) return R_D__0;
    double e = -fabs(x) / scale;
    return log_p ? e - gm_log(2.0 * scale) : R_D_exp(e) / (2.0 * scale);
}

__kernel void laplace_density_kernel(
    __global const double* x,
    __global const double* a,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = laplace(x[i], a[i], give_log[i]);
}
