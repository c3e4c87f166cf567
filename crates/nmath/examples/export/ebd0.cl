// @provides: gm_c_ebd0
// @depends: nmath, special_deviance

/* The deviance x log(x/M) + M - x as the sum of two numbers, for exponents in which its last bits count. */
#undef ebd0
void gm_c_ebd0(double x, double M, double *yh, double *yl)
{
    gm_t2_f64_f64 both = gm_ebd0(x, M);
    *yh = both.v0;
    *yl = both.v1;
}
#define ebd0(x, M, yh, yl) gm_c_ebd0(x, M, yh, yl)
