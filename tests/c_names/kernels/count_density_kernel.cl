// @depends_nmath: dpois

/* a density as R's C files write it: the flag is `give_log`, and the macros know it by that name */
double count_density(double x, double lambda, int give_log)
{
#ifdef IEEE_754
    if (ISNAN(x) || ISNAN(lambda)) return x + lambda;
#endif
    if (lambda < 0) ML_ERR_return_NAN;
    R_D_nonint_check(x);
    if (x < 0 || !R_FINITE(x)) return R_D__0;
    return dpois(R_forceint(x), lambda, give_log);
}

__kernel void count_density_kernel(
    __global const double* k,
    __global const double* y,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double off = (i % 3 == 0) ? 0.0 : (i % 3 == 1) ? 5e-8 : 1e-5;
    out[i] = count_density(k[i] + off, y[i], give_log[i]);
}
