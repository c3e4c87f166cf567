// @depends_nmath: dnchisq

__kernel void dnchisq_kernel(
    __global const double* y,
    __global const double* a,
    __global const double* b,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dnchisq(y[i], a[i], b[i], give_log[i]);
}
