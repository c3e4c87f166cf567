// @depends_nmath: dnbinom

__kernel void dnbinom_both_kernel(
    __global const double* k,
    __global const double* a,
    __global const double* p,
    __global const double* y,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 2) ? dnbinom(k[i], a[i], p[i], give_log[i]) : dnbinom_mu(k[i], a[i], y[i], give_log[i]);
}
