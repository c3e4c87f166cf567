// @depends_nmath: rbinom, rpois

__kernel void rbinom_and_rpois_kernel(
    __global const double* n,
    __global const double* p,
    __global const double* y,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 0, i);
    double counted = rbinom(n[i], p[i]);
    out[i] = counted + 1000.0 * rpois(y[i]);
}
