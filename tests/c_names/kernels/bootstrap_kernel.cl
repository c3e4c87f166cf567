// @depends_nmath: sunif

__kernel void bootstrap_kernel(
    __global const double* x,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* the mean of a sample with replacement: many draws of one work-item */
    GM_RANDOM(seed, 0, i);
    double sum = 0.0;
    for (int j = 0; j < len; j++) sum += x[(int)R_unif_index((double)len)];
    out[i] = sum / len;
}
