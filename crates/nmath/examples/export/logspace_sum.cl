// @provides: logspace_sum, logspace_sum_global
// @depends: nmath, special_log_sum

/* log(sum of exp(logx[i])) over n numbers, by the tree of `logspace_sums`: blocks of 4096 in order, then pairwise. Of no numbers it is
   minus infinity. C's array is private; `logspace_sum_global` takes one in global memory. */
double logspace_sum(const double *logx, int n)
{
    LogSum digits[32];
    int blocks = 0;
    for (long from = 0; from < n; from += gm_LOG_SUM_BLOCK) {
        long to = n - from < gm_LOG_SUM_BLOCK ? n : from + gm_LOG_SUM_BLOCK;
        double largest = ML_NEGINF;
        for (long i = from; i < to; i++) largest = log_sum_larger(largest, logx[i]);
        LogSum block = {largest, 0.0, 0.0};
        for (long i = from; i < to; i++) block = log_sum_plus(block, logx[i]);
        int level = 0;
        for (; blocks >> level & 1; level++) block = log_sum_merge(digits[level], block);
        digits[level] = block;
        blocks++;
    }
    LogSum total = {ML_NEGINF, 0.0, 0.0};
    for (int level = 0; blocks >> level; level++)
        if (blocks >> level & 1) total = log_sum_merge(digits[level], total);
    return log_sum_value(total);
}
