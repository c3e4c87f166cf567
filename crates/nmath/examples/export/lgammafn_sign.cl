// @provides: gm_c_lgammafn_sign
// @depends: nmath, special_gamma_function

/* log|Gamma(x)|; the sign of Gamma(x), 1 or -1, goes to `sgn`, which may be 0. */
#undef lgammafn_sign
double gm_c_lgammafn_sign(double x, int *sgn)
{
    gm_t2_f64_i32 both = gm_lgammafn_sign(x);
    if (sgn != 0) *sgn = both.v1;
    return both.v0;
}
#define lgammafn_sign(x, sgn) gm_c_lgammafn_sign(x, sgn)
