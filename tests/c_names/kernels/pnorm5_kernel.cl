// @depends_nmath: pnorm

__kernel void pnorm5_kernel(
    __global const double* x,
    __global const double* a,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pnorm5(x[i], 0.25, a[i], lower_tail[i], give_log[i]);
}
