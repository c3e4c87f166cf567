// @depends_nmath: rlnorm, rnorm, rchisq

__kernel void rlnorm_kernel(
    __global const double* a,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* its own file calls rnorm of the library, and so does rlnorm's */
    GM_RANDOM(seed, 0, i);
    double z = rnorm(0.0, 1.0);
    double l = rlnorm(0.0, a[i]);
    out[i] = z + l + rchisq(a[i]);
}
