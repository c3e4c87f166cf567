// @depends_nmath: dbinom, plogis, rnorm

__kernel void logit_likelihood_kernel(
    __global const double* x,
    __global const double* n,
    __global const double* k,
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* several stems in one kernel: a proposal and its log-likelihood */
    GM_RANDOM(seed, 0, i);
    double eta = x[i] + 0.5 * rnorm(0.0, 1.0);
    double prob = plogis(eta, 0.0, 1.0, TRUE, FALSE);
    out[i] = dbinom(fmin(k[i], n[i]), n[i], prob, TRUE);
}
