# Functions on a device. Written by `cargo xtask generate`; do not edit.

besselI_opencl <- function(x, nu, expon.scaled = FALSE, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 54L, list(x, nu, 1 + as.logical(expon.scaled)), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

besselJ_opencl <- function(x, nu, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 55L, list(x, nu), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

besselK_opencl <- function(x, nu, expon.scaled = FALSE, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 56L, list(x, nu, 1 + as.logical(expon.scaled)), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

besselY_opencl <- function(x, nu, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 57L, list(x, nu), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

beta_opencl <- function(a, b, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 41L, list(a, b), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

choose_opencl <- function(n, k, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 43L, list(n, k), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

dbeta_opencl <- function(x, shape1, shape2, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 94L, list(x, shape1, shape2), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dbinom_opencl <- function(x, size, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 123L, list(x, size, prob), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dbinom_raw_opencl <- function(x, size, prob, qprob = NULL, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE) {
    if (is.null(qprob)) qprob <- 1 - prob
    .Call(C_device_map, 70L, list(x, size, prob, qprob), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))
}

dcauchy_opencl <- function(x, location = 0, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 119L, list(x, location, scale), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dchisq_opencl <- function(x, df, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 90L, list(x, df), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 155L, list(x, df, ncp), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dexp_opencl <- function(x, rate = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 81L, list(x, 1/rate), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

df_opencl <- function(x, df1, df2, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 103L, list(x, df1, df2), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 161L, list(x, df1, df2, ncp), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dgamma_opencl <- function(x, shape, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 85L, list(x, shape, scale), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dgeom_opencl <- function(x, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 139L, list(x, prob), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dhyper_opencl <- function(x, m, n_black, k, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 143L, list(x, m, n_black, k), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

digamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 46L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

dlnorm_opencl <- function(x, meanlog = 0, sdlog = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 107L, list(x, meanlog, sdlog), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dlogis_opencl <- function(x, location = 0, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 115L, list(x, location, scale), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dnbeta_opencl <- function(x, shape1, shape2, ncp, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 158L, list(x, shape1, shape2, ncp), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dnbinom_mu_opencl <- function(x, size, mu, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 131L, list(x, size, mu), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dnbinom_opencl <- function(x, size, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 127L, list(x, size, prob), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dnorm_opencl <- function(x, mean = 0, sd = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 72L, list(x, mean, sd), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dpois_opencl <- function(x, lambda, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 135L, list(x, lambda), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dpois_raw_opencl <- function(x, lambda, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 69L, list(x, lambda), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dsignrank_opencl <- function(x, nsize, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 151L, list(x, nsize), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dt_opencl <- function(x, df, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 99L, list(x, df), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 164L, list(x, df, ncp), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dunif_opencl <- function(x, min = 0, max = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 77L, list(x, min, max), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dweibull_opencl <- function(x, shape, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 111L, list(x, shape, scale), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

dwilcox_opencl <- function(x, m, nn, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 147L, list(x, m, nn), list(log), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

exp_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 175L, n, list(), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

fmax2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 30L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

fmin2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 31L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

fprec_opencl <- function(x, digits, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 26L, list(x, digits), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

fround_opencl <- function(x, digits, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 25L, list(x, digits), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

fsign_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 28L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

ftrunc_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 27L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

gammafn_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 34L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

imax2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 32L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

imin2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 33L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

lbeta_opencl <- function(a, b, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 42L, list(a, b), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

lchoose_opencl <- function(n, k, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 44L, list(n, k), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

lgamma1p_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 38L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

lgammafn_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 35L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

log1mexp_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 63L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

log1pexp_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 62L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

log1pmx_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 6L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

logspace_add_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 64L, list(logx, logy), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

logspace_sub_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 65L, list(logx, logy), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

logspace_sum_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 64L, list(logx, logy), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

norm_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 174L, n, list(), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

pbeta_opencl <- function(q, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 95L, list(q, shape1, shape2), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 159L, list(q, shape1, shape2, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pbinom_opencl <- function(q, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 124L, list(q, size, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pcauchy_opencl <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 120L, list(q, location, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pchisq_opencl <- function(q, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 91L, list(q, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 156L, list(q, df, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pentagamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 49L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

pexp_opencl <- function(q, rate = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 82L, list(q, 1/rate), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pf_opencl <- function(q, df1, df2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 104L, list(q, df1, df2), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 162L, list(q, df1, df2, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pgamma_opencl <- function(q, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    .Call(C_device_map, 86L, list(q, shape, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))
}

pgeom_opencl <- function(q, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 140L, list(q, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

phyper_opencl <- function(q, m, n_black, k, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 144L, list(q, m, n_black, k), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

plnorm_opencl <- function(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 108L, list(q, meanlog, sdlog), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

plogis_opencl <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 116L, list(q, location, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pnbinom_mu_opencl <- function(q, size, mu, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 132L, list(q, size, mu), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pnbinom_opencl <- function(q, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 128L, list(q, size, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pnorm_opencl <- function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 73L, list(q, mean, sd), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pow1p_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 66L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

ppois_opencl <- function(q, lambda, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 136L, list(q, lambda), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

psigamma_opencl <- function(x, deriv, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 50L, list(x, deriv), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

psignrank_opencl <- function(q, nsize, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 152L, list(q, nsize), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pt_opencl <- function(q, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 100L, list(q, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 165L, list(q, df, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

ptukey_opencl <- function(q, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 167L, list(q, nranges, nmeans, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

punif_opencl <- function(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 78L, list(q, min, max), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pweibull_opencl <- function(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 112L, list(q, shape, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

pwilcox_opencl <- function(q, m, nn, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 148L, list(q, m, nn), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qbeta_opencl <- function(p, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 97L, list(p, shape1, shape2), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 160L, list(p, shape1, shape2, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qbinom_opencl <- function(p, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 125L, list(p, size, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qcauchy_opencl <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 121L, list(p, location, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qchisq_opencl <- function(p, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 92L, list(p, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 157L, list(p, df, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qexp_opencl <- function(p, rate = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 83L, list(p, 1/rate), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qf_opencl <- function(p, df1, df2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 105L, list(p, df1, df2), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 163L, list(p, df1, df2, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qgamma_opencl <- function(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 88L, list(p, shape, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qgeom_opencl <- function(p, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 141L, list(p, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qhyper_opencl <- function(p, m, n_black, k, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 145L, list(p, m, n_black, k), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qlnorm_opencl <- function(p, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 109L, list(p, meanlog, sdlog), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qlogis_opencl <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 117L, list(p, location, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qnbinom_mu_opencl <- function(p, size, mu, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 133L, list(p, size, mu), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qnbinom_opencl <- function(p, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 129L, list(p, size, prob), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qnorm_opencl <- function(p, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 75L, list(p, mean, sd), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qpois_opencl <- function(p, lambda, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 137L, list(p, lambda), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qsignrank_opencl <- function(p, nsize, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 153L, list(p, nsize), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qt_opencl <- function(p, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_map, 101L, list(p, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_map, 166L, list(p, df, ncp), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qtukey_opencl <- function(p, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 168L, list(p, nranges, nmeans, df), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qunif_opencl <- function(p, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 79L, list(p, min, max), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qweibull_opencl <- function(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 113L, list(p, shape, scale), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

qwilcox_opencl <- function(p, m, nn, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 149L, list(p, m, nn), list(lower.tail, log.p), wants_device(opencl_parallel, fallback, verbose), may_fall_back(fallback))

r_check_stack_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    reached_on_device(n, fallback, verbose)

r_check_user_interrupt_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    reached_on_device(n, fallback, verbose)

r_pow_di_opencl <- function(x, n_exp, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 9L, list(x, n_exp), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

r_pow_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 8L, list(x, y), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

r_unif_index_opencl <- function(n, dn, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 176L, n, list(dn), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rbeta_opencl <- function(n, shape1, shape2, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 98L, n, list(shape1, shape2), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rbinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 126L, n, list(size, prob), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rcauchy_opencl <- function(n, location = 0, scale = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 122L, n, list(location, scale), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rchisq_opencl <- function(n, df, ncp = 0, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) .Call(C_device_draw, 93L, n, list(df), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback)) else .Call(C_device_draw, 169L, n, list(df, ncp), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rexp_opencl <- function(n, rate = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 84L, n, list(1/rate), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rf_opencl <- function(n, df1, df2, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 106L, n, list(df1, df2), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rgamma_opencl <- function(n, shape, scale = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 89L, n, list(shape, scale), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rgeom_opencl <- function(n, prob, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 142L, n, list(prob), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rhyper_opencl <- function(n, m, n_black, k, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 146L, n, list(m, n_black, k), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rlnorm_opencl <- function(n, meanlog = 0, sdlog = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 110L, n, list(meanlog, sdlog), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rlogis_opencl <- function(n, location = 0, scale = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 118L, n, list(location, scale), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rmultinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    multinomial_on_device(n, size, prob, fallback, verbose)

rnbinom_mu_opencl <- function(n, size, mu, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 134L, n, list(size, mu), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rnbinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 130L, n, list(size, prob), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rnorm_opencl <- function(n, mean = 0, sd = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 76L, n, list(mean, sd), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rpois_opencl <- function(n, lambda, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 138L, n, list(lambda), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rsignrank_opencl <- function(n, nsize, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 154L, n, list(nsize), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rt_opencl <- function(n, df, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 102L, n, list(df), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

runif_opencl <- function(n, min = 0, max = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 80L, n, list(min, max), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rweibull_opencl <- function(n, shape, scale = 1, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 114L, n, list(shape, scale), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

rwilcox_opencl <- function(n, m, nn, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 150L, n, list(m, nn), TRUE, wants_device(NA, fallback, verbose), may_fall_back(fallback))

sign_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 29L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

tetragamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 48L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

trigamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    .Call(C_device_map, 47L, list(x), list(), wants_device(NA, fallback, verbose), may_fall_back(fallback))

unif_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    .Call(C_device_draw, 173L, n, list(), FALSE, wants_device(NA, fallback, verbose), may_fall_back(fallback))
