// @depends_nmath: rnchisq

__kernel void rnchisq_kernel(
    __global const double* a,
    __global const double* b,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 0, i);
    out[i] = rnchisq(a[i], b[i]);
}
