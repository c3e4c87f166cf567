// @depends_nmath: gamma

__kernel void gammafn_kernel(
    __global const double* x,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = gammafn(x[i]);
}
