// @source_type: h
// @depends: nmath, special_exponential, special_logarithm

/* Results on the scale and of the tail that the flags `log_p` and `lower_tail` ask for, where they are in scope: 0 and 1; of
   either tail 0 and 1; a density, its logarithm or its exponential; a probability of the lower tail, or of the upper one. */
#define R_D__0 (log_p ? ML_NEGINF : 0.0)
#define R_D__1 (log_p ? 0.0 : 1.0)
#define R_DT_0 (lower_tail ? R_D__0 : R_D__1)
#define R_DT_1 (lower_tail ? R_D__1 : R_D__0)
#define R_D_val(x) (log_p ? gm_log(x) : (x))
#define R_D_log(p) (log_p ? (p) : gm_log(p))
#define R_D_exp(x) (log_p ? (x) : gm_exp(x))
#define R_D_Lval(p) (lower_tail ? (p) : 1.0 - (p))
#define R_D_Cval(p) (lower_tail ? 1.0 - (p) : (p))
#define R_D_Clog(p) (log_p ? gm_log1p(-(p)) : 1.0 - (p))
#define R_DT_val(x) (lower_tail ? R_D_val(x) : R_D_Clog(x))
#define R_DT_Cval(x) (lower_tail ? R_D_Clog(x) : R_D_val(x))
