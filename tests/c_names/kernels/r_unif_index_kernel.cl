// @depends_nmath: sunif

__kernel void r_unif_index_kernel(
    __global const double* n,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 0, i);
    out[i] = R_unif_index(n[i]);
}
