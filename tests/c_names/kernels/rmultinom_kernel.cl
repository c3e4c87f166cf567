// @depends_nmath: rmultinom, runif

__kernel void rmultinom_kernel(
    __global const double* p,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* a table of counts, in private memory; then one more draw */
    GM_RANDOM(seed, 5, i);
    double prob[4] = {p[i], 0.25, 0.0, 1.5};
    int counts[4];
    rmultinom(60, prob, 4, counts);
    out[i] = counts[0] + 100.0 * counts[1] + 10000.0 * counts[2] + 1e6 * counts[3] + runif(0.0, 0.5);
}
