// @provides: gm_draw_rmultinom, gm_draw_rmultinom_global
// @depends: nmath, dist_multinomial, gm_random

/* One draw of K counts that sum to n, with probabilities in proportion to `prob`: one step of the state, whatever K. Where a weight is
   negative or not finite, or none is positive, or n is negative, every count is NA_INTEGER. C's arrays are private;
   `rmultinom_global` takes arrays in global memory. */
void gm_draw_rmultinom(gm_random *now, int n, const double *prob, int K, int *rN)
{
    uint stream = now->stream++;
    int valid = n >= 0;
    double total = 0.0;
    for (int k = K - 1; k >= 0; k--) {
        valid = valid && prob[k] >= 0.0 && prob[k] < ML_POSINF;
        total += prob[k];
    }
    valid = valid && total > 0.0 && total < ML_POSINF;
    double left = n;
    for (int k = 0; k < K; k++) {
        double rest = 0.0;
        for (int j = K - 1; j >= k; j--) rest += prob[j];
        double count = valid ? multinomial_count(now->seed, stream, now->index, (ulong)k, left, prob[k], rest) : 0.0;
        left -= count;
        rN[k] = valid ? (int)count : NA_INTEGER;
    }
}
#define rmultinom(n, prob, K, rN) gm_draw_rmultinom(GM_RANDOM_ARGUMENT, n, prob, K, rN)
