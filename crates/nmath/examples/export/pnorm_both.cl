// @provides: gm_c_pnorm_both
// @depends: dpq, dist_normal

/* Tails of the standard normal distribution: the lower one to `cum` if `i_tail` is 0 or 2, the upper one to `ccum` if it is 1 or 2. */
#undef pnorm_both
void gm_c_pnorm_both(double x, double *cum, double *ccum, int i_tail, int log_p)
{
    gm_t2_f64_f64 both = gm_pnorm_both(x, log_p);
    if (i_tail != 1) *cum = both.v0;
    if (i_tail != 0) *ccum = both.v1;
}
#define pnorm_both(x, cum, ccum, i_tail, log_p) gm_c_pnorm_both(x, cum, ccum, i_tail, log_p)
