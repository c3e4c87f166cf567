// @depends_nmath: bd0

__kernel void ebd0_kernel(
    __global const double* y,
    __global const double* b,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double high, low;
    ebd0(y[i], b[i], &high, &low);
    out[i] = (i % 2) ? high : low;
}
