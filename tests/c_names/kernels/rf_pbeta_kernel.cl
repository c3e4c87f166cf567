// @depends_nmath: pbeta

__kernel void rf_pbeta_kernel(
    __global const double* p,
    __global const double* a,
    __global const double* b,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = Rf_pbeta(p[i], a[i], b[i], lower_tail[i], give_log[i]);
}
