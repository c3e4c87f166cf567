// @depends_nmath: dpois

__kernel void dpois_kernel(
    __global const double* k,
    __global const double* y,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dpois(k[i], y[i], give_log[i]);
}
