// @source_type: h
// @depends: nmath, special_exponential, special_logarithm

/* The flag for logarithms is `log_p` in distribution functions and quantiles, `give_log` in densities. Each of these names is 0
   where a function does not have it, and the macros below take the other; where it has neither they do not compile. (A macro from
   one name to the other would rename the parameters of kernels.) */
#ifndef give_log
__constant char give_log = 0;
#endif
#ifndef log_p
__constant char log_p = 0;
#endif
#define GM_D_LOG ((log_p | give_log) != 0 * sizeof(char[sizeof(log_p) + sizeof(give_log) > 2 ? 1 : -1]))

/* Results on the scale and of the tail that the flags ask for: 0, 1 and 1/2; of either tail 0 and 1; a density, its logarithm or
   its exponential; a probability of the lower tail, or of the upper one. */
#define R_D__0 (GM_D_LOG ? ML_NEGINF : 0.0)
#define R_D__1 (GM_D_LOG ? 0.0 : 1.0)
#define R_D_half (GM_D_LOG ? -M_LN2 : 0.5)
#define R_DT_0 (lower_tail ? R_D__0 : R_D__1)
#define R_DT_1 (lower_tail ? R_D__1 : R_D__0)
#define R_D_val(x) (GM_D_LOG ? gm_log(x) : (x))
#define R_D_log(p) (GM_D_LOG ? (p) : gm_log(p))
#define R_D_exp(x) (GM_D_LOG ? (x) : gm_exp(x))
#define R_D_Lval(p) (lower_tail ? (p) : 1.0 - (p))
#define R_D_Cval(p) (lower_tail ? 1.0 - (p) : (p))
#define R_D_Clog(p) (GM_D_LOG ? gm_log1p(-(p)) : 1.0 - (p))
#define R_DT_val(x) (lower_tail ? R_D_val(x) : R_D_Clog(x))
#define R_DT_Cval(x) (lower_tail ? R_D_Clog(x) : R_D_val(x))

/* exp(x)/sqrt(f), and exp(x)/r. */
#define R_D_fexp(f, x) (GM_D_LOG ? -0.5 * gm_log(f) + (x) : gm_exp(x) / sqrt(f))
#define R_D_rtxp(r, x) (GM_D_LOG ? -gm_log(r) + (x) : gm_exp(x) / (r))

/* The other way, from an argument p that is on that scale and of that tail: the probability, that of the lower tail and of the
   upper one; their logarithms. R_Log1_Exp(x) is log(1 - exp(x)). */
#define R_D_qIv(p) (GM_D_LOG ? gm_exp(p) : (p))
#define R_DT_qIv(p) (GM_D_LOG ? (lower_tail ? gm_exp(p) : -gm_expm1(p)) : R_D_Lval(p))
#define R_DT_CIv(p) (GM_D_LOG ? (lower_tail ? -gm_expm1(p) : gm_exp(p)) : R_D_Cval(p))
#define R_Log1_Exp(x) ((x) > -M_LN2 ? gm_log(-gm_expm1(x)) : gm_log1p(-gm_exp(x)))
#define R_D_LExp(p) (GM_D_LOG ? R_Log1_Exp(p) : gm_log1p(-(p)))
#define R_DT_log(p) (lower_tail ? R_D_log(p) : R_D_LExp(p))
#define R_DT_Clog(p) (lower_tail ? R_D_LExp(p) : R_D_log(p))
#define R_DT_Log(p) (lower_tail ? (p) : R_Log1_Exp(p))

/* Statements that may return: 0 for a count that is not whole; NaN for what is no probability; the ends of the range for
   probabilities 0 and 1; and for points outside an interval, or infinite, the probability there. */
#define R_D_negInonint(x) ((x) < 0.0 || R_nonint(x))
#define R_D_nonint_check(x) if (R_nonint(x)) return R_D__0
#define R_Q_P01_check(p) if (GM_D_LOG ? (p) > 0.0 : ((p) < 0.0 || (p) > 1.0)) ML_WARN_return_NAN
#define R_Q_P01_boundaries(p, left, right) \
    R_Q_P01_check(p); \
    if ((p) == R_DT_0) return left; \
    if ((p) == R_DT_1) return right
#define R_P_bounds_01(x, least, largest) \
    if ((x) <= (least)) return R_DT_0; \
    if ((x) >= (largest)) return R_DT_1
#define R_P_bounds_Inf_01(x) if (!R_FINITE(x)) return (x) > 0.0 ? R_DT_1 : R_DT_0
