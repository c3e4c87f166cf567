// @depends_nmath: dpois

__kernel void dpois_raw_kernel(
    __global const double* k,
    __global const double* y,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = Rf_dpois_raw(k[i], y[i], give_log[i]);
}
