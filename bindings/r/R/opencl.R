# Functions on a device. Written by `cargo xtask generate`; do not edit.

besselI_opencl <- function(x, nu, expon.scaled = FALSE, fallback = FALSE, verbose = FALSE)
    on_device(54L, list(x, nu, 1 + as.logical(expon.scaled)), list(), NA, fallback, verbose)

besselJ_opencl <- function(x, nu, fallback = FALSE, verbose = FALSE)
    on_device(55L, list(x, nu), list(), NA, fallback, verbose)

besselK_opencl <- function(x, nu, expon.scaled = FALSE, fallback = FALSE, verbose = FALSE)
    on_device(56L, list(x, nu, 1 + as.logical(expon.scaled)), list(), NA, fallback, verbose)

besselY_opencl <- function(x, nu, fallback = FALSE, verbose = FALSE)
    on_device(57L, list(x, nu), list(), NA, fallback, verbose)

beta_opencl <- function(a, b, fallback = FALSE, verbose = FALSE)
    on_device(41L, list(a, b), list(), NA, fallback, verbose)

choose_opencl <- function(n, k, fallback = FALSE, verbose = FALSE)
    on_device(43L, list(n, k), list(), NA, fallback, verbose)

dbeta_opencl <- function(x, shape1, shape2, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(94L, list(x, shape1, shape2), list(log), opencl_parallel, fallback, verbose)

dbinom_opencl <- function(x, size, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(123L, list(x, size, prob), list(log), opencl_parallel, fallback, verbose)

dbinom_raw_opencl <- function(x, size, prob, qprob = NULL, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE) {
    if (is.null(qprob)) qprob <- 1 - prob
    on_device(70L, list(x, size, prob, qprob), list(log), opencl_parallel, fallback, verbose)
}

dcauchy_opencl <- function(x, location = 0, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(119L, list(x, location, scale), list(log), opencl_parallel, fallback, verbose)

dchisq_opencl <- function(x, df, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(90L, list(x, df), list(log), opencl_parallel, fallback, verbose) else on_device(155L, list(x, df, ncp), list(log), opencl_parallel, fallback, verbose)

dexp_opencl <- function(x, rate = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(81L, list(x, 1/rate), list(log), opencl_parallel, fallback, verbose)

df_opencl <- function(x, df1, df2, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(103L, list(x, df1, df2), list(log), opencl_parallel, fallback, verbose) else on_device(161L, list(x, df1, df2, ncp), list(log), opencl_parallel, fallback, verbose)

dgamma_opencl <- function(x, shape, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(85L, list(x, shape, scale), list(log), opencl_parallel, fallback, verbose)

dgeom_opencl <- function(x, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(139L, list(x, prob), list(log), opencl_parallel, fallback, verbose)

dhyper_opencl <- function(x, m, n_black, k, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(143L, list(x, m, n_black, k), list(log), opencl_parallel, fallback, verbose)

digamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(46L, list(x), list(), NA, fallback, verbose)

dlnorm_opencl <- function(x, meanlog = 0, sdlog = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(107L, list(x, meanlog, sdlog), list(log), opencl_parallel, fallback, verbose)

dlogis_opencl <- function(x, location = 0, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(115L, list(x, location, scale), list(log), opencl_parallel, fallback, verbose)

dnbeta_opencl <- function(x, shape1, shape2, ncp, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(158L, list(x, shape1, shape2, ncp), list(log), opencl_parallel, fallback, verbose)

dnbinom_mu_opencl <- function(x, size, mu, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(131L, list(x, size, mu), list(log), opencl_parallel, fallback, verbose)

dnbinom_opencl <- function(x, size, prob, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(127L, list(x, size, prob), list(log), opencl_parallel, fallback, verbose)

dnorm_opencl <- function(x, mean = 0, sd = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(72L, list(x, mean, sd), list(log), opencl_parallel, fallback, verbose)

dpois_opencl <- function(x, lambda, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(135L, list(x, lambda), list(log), opencl_parallel, fallback, verbose)

dpois_raw_opencl <- function(x, lambda, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(69L, list(x, lambda), list(log), opencl_parallel, fallback, verbose)

dsignrank_opencl <- function(x, nsize, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(151L, list(x, nsize), list(log), opencl_parallel, fallback, verbose)

dt_opencl <- function(x, df, ncp = 0, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(99L, list(x, df), list(log), opencl_parallel, fallback, verbose) else on_device(164L, list(x, df, ncp), list(log), opencl_parallel, fallback, verbose)

dunif_opencl <- function(x, min = 0, max = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(77L, list(x, min, max), list(log), opencl_parallel, fallback, verbose)

dweibull_opencl <- function(x, shape, scale = 1, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(111L, list(x, shape, scale), list(log), opencl_parallel, fallback, verbose)

dwilcox_opencl <- function(x, m, nn, log = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(147L, list(x, m, nn), list(log), opencl_parallel, fallback, verbose)

exp_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    draw_on_device(175L, n, list(), FALSE, fallback, verbose)

fmax2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    on_device(30L, list(x, y), list(), NA, fallback, verbose)

fmin2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    on_device(31L, list(x, y), list(), NA, fallback, verbose)

fprec_opencl <- function(x, digits, fallback = FALSE, verbose = FALSE)
    on_device(26L, list(x, digits), list(), NA, fallback, verbose)

fround_opencl <- function(x, digits, fallback = FALSE, verbose = FALSE)
    on_device(25L, list(x, digits), list(), NA, fallback, verbose)

fsign_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    on_device(28L, list(x, y), list(), NA, fallback, verbose)

ftrunc_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(27L, list(x), list(), NA, fallback, verbose)

gammafn_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(34L, list(x), list(), NA, fallback, verbose)

imax2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    as_integer(on_device(32L, list(x, y), list(), NA, fallback, verbose))

imin2_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    as_integer(on_device(33L, list(x, y), list(), NA, fallback, verbose))

lbeta_opencl <- function(a, b, fallback = FALSE, verbose = FALSE)
    on_device(42L, list(a, b), list(), NA, fallback, verbose)

lchoose_opencl <- function(n, k, fallback = FALSE, verbose = FALSE)
    on_device(44L, list(n, k), list(), NA, fallback, verbose)

lgamma1p_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(38L, list(x), list(), NA, fallback, verbose)

lgammafn_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(35L, list(x), list(), NA, fallback, verbose)

log1mexp_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(63L, list(x), list(), NA, fallback, verbose)

log1pexp_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(62L, list(x), list(), NA, fallback, verbose)

log1pmx_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(6L, list(x), list(), NA, fallback, verbose)

logspace_add_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    on_device(64L, list(logx, logy), list(), NA, fallback, verbose)

logspace_sub_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    on_device(65L, list(logx, logy), list(), NA, fallback, verbose)

logspace_sum_opencl <- function(logx, logy, fallback = FALSE, verbose = FALSE)
    on_device(64L, list(logx, logy), list(), NA, fallback, verbose)

norm_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    draw_on_device(174L, n, list(), FALSE, fallback, verbose)

pbeta_opencl <- function(q, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(95L, list(q, shape1, shape2), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(159L, list(q, shape1, shape2, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pbinom_opencl <- function(q, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(124L, list(q, size, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pcauchy_opencl <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(120L, list(q, location, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pchisq_opencl <- function(q, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(91L, list(q, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(156L, list(q, df, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pentagamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(49L, list(x), list(), NA, fallback, verbose)

pexp_opencl <- function(q, rate = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(82L, list(q, 1/rate), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pf_opencl <- function(q, df1, df2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(104L, list(q, df1, df2), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(162L, list(q, df1, df2, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pgamma_opencl <- function(q, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    on_device(86L, list(q, shape, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)
}

pgeom_opencl <- function(q, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(140L, list(q, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

phyper_opencl <- function(q, m, n_black, k, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(144L, list(q, m, n_black, k), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

plnorm_opencl <- function(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(108L, list(q, meanlog, sdlog), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

plogis_opencl <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(116L, list(q, location, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pnbinom_mu_opencl <- function(q, size, mu, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(132L, list(q, size, mu), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pnbinom_opencl <- function(q, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(128L, list(q, size, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pnorm_opencl <- function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(73L, list(q, mean, sd), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pow1p_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    on_device(66L, list(x, y), list(), NA, fallback, verbose)

ppois_opencl <- function(q, lambda, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(136L, list(q, lambda), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

psigamma_opencl <- function(x, deriv, fallback = FALSE, verbose = FALSE)
    on_device(50L, list(x, deriv), list(), NA, fallback, verbose)

psignrank_opencl <- function(q, nsize, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(152L, list(q, nsize), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pt_opencl <- function(q, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(100L, list(q, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(165L, list(q, df, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

ptukey_opencl <- function(q, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(167L, list(q, nranges, nmeans, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

punif_opencl <- function(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(78L, list(q, min, max), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pweibull_opencl <- function(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(112L, list(q, shape, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

pwilcox_opencl <- function(q, m, nn, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(148L, list(q, m, nn), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qbeta_opencl <- function(p, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(97L, list(p, shape1, shape2), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(160L, list(p, shape1, shape2, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qbinom_opencl <- function(p, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(125L, list(p, size, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qcauchy_opencl <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(121L, list(p, location, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qchisq_opencl <- function(p, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(92L, list(p, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(157L, list(p, df, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qexp_opencl <- function(p, rate = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(83L, list(p, 1/rate), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qf_opencl <- function(p, df1, df2, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(105L, list(p, df1, df2), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(163L, list(p, df1, df2, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qgamma_opencl <- function(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(88L, list(p, shape, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qgeom_opencl <- function(p, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(141L, list(p, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qhyper_opencl <- function(p, m, n_black, k, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(145L, list(p, m, n_black, k), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qlnorm_opencl <- function(p, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(109L, list(p, meanlog, sdlog), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qlogis_opencl <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(117L, list(p, location, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qnbinom_mu_opencl <- function(p, size, mu, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(133L, list(p, size, mu), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qnbinom_opencl <- function(p, size, prob, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(129L, list(p, size, prob), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qnorm_opencl <- function(p, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(75L, list(p, mean, sd), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qpois_opencl <- function(p, lambda, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(137L, list(p, lambda), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qsignrank_opencl <- function(p, nsize, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(153L, list(p, nsize), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qt_opencl <- function(p, df, ncp = 0, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) on_device(101L, list(p, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose) else on_device(166L, list(p, df, ncp), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qtukey_opencl <- function(p, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(168L, list(p, nranges, nmeans, df), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qunif_opencl <- function(p, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(79L, list(p, min, max), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qweibull_opencl <- function(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(113L, list(p, shape, scale), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

qwilcox_opencl <- function(p, m, nn, lower.tail = TRUE, log.p = FALSE, opencl_parallel = NA, fallback = FALSE, verbose = FALSE)
    on_device(149L, list(p, m, nn), list(lower.tail, log.p), opencl_parallel, fallback, verbose)

r_check_stack_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    nothing_on_device(n, fallback, verbose)

r_check_user_interrupt_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    nothing_on_device(n, fallback, verbose)

r_pow_di_opencl <- function(x, n_exp, fallback = FALSE, verbose = FALSE)
    on_device(9L, list(x, n_exp), list(), NA, fallback, verbose)

r_pow_opencl <- function(x, y, fallback = FALSE, verbose = FALSE)
    on_device(8L, list(x, y), list(), NA, fallback, verbose)

r_unif_index_opencl <- function(n, dn, fallback = FALSE, verbose = FALSE)
    draw_on_device(176L, n, list(dn), FALSE, fallback, verbose)

rbeta_opencl <- function(n, shape1, shape2, fallback = FALSE, verbose = FALSE)
    draw_on_device(98L, n, list(shape1, shape2), FALSE, fallback, verbose)

rbinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    draw_on_device(126L, n, list(size, prob), TRUE, fallback, verbose)

rcauchy_opencl <- function(n, location = 0, scale = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(122L, n, list(location, scale), FALSE, fallback, verbose)

rchisq_opencl <- function(n, df, ncp = 0, fallback = FALSE, verbose = FALSE)
    if (missing(ncp)) draw_on_device(93L, n, list(df), FALSE, fallback, verbose) else draw_on_device(169L, n, list(df, ncp), FALSE, fallback, verbose)

rexp_opencl <- function(n, rate = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(84L, n, list(1/rate), FALSE, fallback, verbose)

rf_opencl <- function(n, df1, df2, fallback = FALSE, verbose = FALSE)
    draw_on_device(106L, n, list(df1, df2), FALSE, fallback, verbose)

rgamma_opencl <- function(n, shape, scale = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(89L, n, list(shape, scale), FALSE, fallback, verbose)

rgeom_opencl <- function(n, prob, fallback = FALSE, verbose = FALSE)
    draw_on_device(142L, n, list(prob), TRUE, fallback, verbose)

rhyper_opencl <- function(n, m, n_black, k, fallback = FALSE, verbose = FALSE)
    draw_on_device(146L, n, list(m, n_black, k), TRUE, fallback, verbose)

rlnorm_opencl <- function(n, meanlog = 0, sdlog = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(110L, n, list(meanlog, sdlog), FALSE, fallback, verbose)

rlogis_opencl <- function(n, location = 0, scale = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(118L, n, list(location, scale), FALSE, fallback, verbose)

rmultinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    multinomial_on_device(n, size, prob, fallback, verbose)

rnbinom_mu_opencl <- function(n, size, mu, fallback = FALSE, verbose = FALSE)
    draw_on_device(134L, n, list(size, mu), TRUE, fallback, verbose)

rnbinom_opencl <- function(n, size, prob, fallback = FALSE, verbose = FALSE)
    draw_on_device(130L, n, list(size, prob), TRUE, fallback, verbose)

rnorm_opencl <- function(n, mean = 0, sd = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(76L, n, list(mean, sd), FALSE, fallback, verbose)

rpois_opencl <- function(n, lambda, fallback = FALSE, verbose = FALSE)
    draw_on_device(138L, n, list(lambda), TRUE, fallback, verbose)

rsignrank_opencl <- function(n, nsize, fallback = FALSE, verbose = FALSE)
    draw_on_device(154L, n, list(nsize), TRUE, fallback, verbose)

rt_opencl <- function(n, df, fallback = FALSE, verbose = FALSE)
    draw_on_device(102L, n, list(df), FALSE, fallback, verbose)

runif_opencl <- function(n, min = 0, max = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(80L, n, list(min, max), FALSE, fallback, verbose)

rweibull_opencl <- function(n, shape, scale = 1, fallback = FALSE, verbose = FALSE)
    draw_on_device(114L, n, list(shape, scale), FALSE, fallback, verbose)

rwilcox_opencl <- function(n, m, nn, fallback = FALSE, verbose = FALSE)
    draw_on_device(150L, n, list(m, nn), TRUE, fallback, verbose)

sign_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(29L, list(x), list(), NA, fallback, verbose)

tetragamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(48L, list(x), list(), NA, fallback, verbose)

trigamma_opencl <- function(x, fallback = FALSE, verbose = FALSE)
    on_device(47L, list(x), list(), NA, fallback, verbose)

unif_rand_opencl <- function(n, fallback = FALSE, verbose = FALSE)
    draw_on_device(173L, n, list(), FALSE, fallback, verbose)
