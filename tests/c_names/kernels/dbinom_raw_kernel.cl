// @depends_nmath: dbinom

__kernel void dbinom_raw_kernel(
    __global const double* k,
    __global const double* n,
    __global const double* p,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dbinom_raw(k[i], n[i], p[i], 1.0 - p[i], give_log[i]);
}
