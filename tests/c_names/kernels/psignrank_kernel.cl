// @depends_nmath: signrank

__kernel void psignrank_kernel(
    __global const double* k,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = psignrank(k[i], 12.0, lower_tail[i], give_log[i]);
    signrank_free();
}
