// @provides: dpsifn
// @depends: nmath, special_polygamma

/* The derivatives of digamma of orders n to n + m - 1, each times (-1)^(k+1)/k!: with kode 1 all so, with kode 2 the one of order 0
   as log(x) - digamma(x). `nz` counts those that are 0; `ierr` is 0, or 1 for arguments outside (x no NaN, n >= 0, kode 1 or 2,
   m >= 1), 2 where a result is infinite, 4 for orders above 100. Negative x have results too. */
void dpsifn(double x, int n, int kode, int m, double *ans, int *nz, int *ierr)
{
    *nz = 0;
    *ierr = 0;
    if (ISNAN(x) || n < 0 || kode < 1 || kode > 2 || m < 1) {
        *ierr = 1;
        return;
    }
    if (n > 100 || m > 101 - n) {
        *ierr = 4;
        return;
    }
    for (int k = 0; k < m; k++) {
        int order = n + k;
        double member = order == 0 && kode == 2 ? log_minus_digamma(x) : scaled_psigamma(x, (double)order);
        if (member == 0.0) *nz += 1;
        if (isinf(member)) *ierr = 2;
        ans[k] = member;
    }
}
