// @depends_nmath: rgamma

__kernel void rgamma_kernel(
    __global const double* a,
    __global const double* b,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 1, i);
    out[i] = Rf_rgamma(a[i], b[i]);
}
