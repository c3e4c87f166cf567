// @depends_nmath: pchisq

__kernel void pchisq_kernel(
    __global const double* y,
    __global const double* a,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = Rf_pchisq(y[i], a[i], lower_tail[i], give_log[i]);
}
