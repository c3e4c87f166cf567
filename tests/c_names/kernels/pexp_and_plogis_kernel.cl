// @depends_nmath: pexp, plogis

__kernel void pexp_and_plogis_kernel(
    __global const double* x,
    __global const double* y,
    __global const double* a,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 2) ? pexp(y[i], a[i], lower_tail[i], give_log[i]) : plogis(x[i], 0.5, a[i], lower_tail[i], give_log[i]);
}
