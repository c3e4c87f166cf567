// @depends_nmath: wilcox

__kernel void dwilcox_kernel(
    __global const double* k,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dwilcox(k[i], 6.0, 7.0, give_log[i]);
    wilcox_free();
}
