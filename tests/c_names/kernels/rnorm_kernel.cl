// @depends_nmath: rnorm

__kernel void rnorm_kernel(
    __global const double* x,
    __global const double* a,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 0, get_global_id(0));
    out[i] = rnorm(x[i], a[i]);
}
