// @depends_nmath: snorm

__kernel void norm_rand_kernel(
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 0, i);
    out[i] = norm_rand();
}
