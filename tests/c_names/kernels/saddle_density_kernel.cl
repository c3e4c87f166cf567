// @depends_nmath: dpq

#define give_log log_p

/* a normal density by its exponent and the square of its scale, with R's own macro from one flag's name to the other's */
double saddle(double x, double scale, int give_log)
{
    return (x < 0.0) ? R_D_fexp(M_2PI * scale, x) : (x < 5.0) ? R_D_rtxp(scale, -x) : R_D_half;
}

#undef give_log

__kernel void saddle_density_kernel(
    __global const double* x,
    __global const double* a,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = saddle(x[i], a[i], give_log[i]);
}
