// @depends_nmath: sunif, sexp

__kernel void unif_and_exp_rand_kernel(
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 3, i);
    double u = unif_rand();
    double e = exp_rand();
    out[i] = u + e;
}
