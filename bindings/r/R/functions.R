# R's functions, and nmath's. Written by `cargo xtask generate`; do not edit.

acos <- function(x)
    .Call(C_math_1, 19L, "acos", x)

asin <- function(x)
    .Call(C_math_1, 18L, "asin", x)

atan <- function(x)
    .Call(C_math_1, 20L, "atan", x)

atan2 <- function(y, x)
    if (is.complex(y) || is.complex(x)) base::atan2(y, x) else .Call(C_base_2, 21L, y, x)

bd0 <- function(x, np)
    .Call(C_base_2, 67L, x, np)

besselI <- function(x, nu, expon.scaled = FALSE)
    .Call(C_base_3, 54L, x, nu, 1 + as.logical(expon.scaled))

besselJ <- function(x, nu)
    .Call(C_base_2, 55L, x, nu)

besselK <- function(x, nu, expon.scaled = FALSE)
    .Call(C_base_3, 56L, x, nu, 1 + as.logical(expon.scaled))

besselY <- function(x, nu)
    .Call(C_base_2, 57L, x, nu)

beta <- function(a, b)
    .Call(C_base_2, 41L, a, b)

cbrt <- function(x)
    .Call(C_base_1, 11L, x)

choose <- function(n, k)
    .Call(C_base_2, 43L, n, k)

cos <- function(x)
    .Call(C_math_1, 13L, "cos", x)

cosh <- function(x)
    .Call(C_math_1, 23L, "cosh", x)

cospi <- function(x)
    .Call(C_math_1, 16L, "cospi", x)

dbeta <- function(x, shape1, shape2, ncp = 0, log = FALSE)
    if (missing(ncp)) .Call(C_stats_3_1, 94L, x, shape1, shape2, log) else .Call(C_stats_4_1, 158L, x, shape1, shape2, ncp, log)

dbinom <- function(x, size, prob, log = FALSE)
    .Call(C_stats_3_1, 123L, x, size, prob, log)

dbinom_raw <- function(x, n, p, q, log = FALSE)
    .Call(C_stats_4_1, 70L, x, n, p, q, log)

dcauchy <- function(x, location = 0, scale = 1, log = FALSE)
    .Call(C_stats_3_1, 119L, x, location, scale, log)

dchisq <- function(x, df, ncp = 0, log = FALSE)
    if (missing(ncp)) .Call(C_stats_2_1, 90L, x, df, log) else .Call(C_stats_3_1, 155L, x, df, ncp, log)

dexp <- function(x, rate = 1, log = FALSE)
    .Call(C_stats_2_1, 81L, x, 1/rate, log)

df <- function(x, df1, df2, ncp, log = FALSE)
    if (missing(ncp)) .Call(C_stats_3_1, 103L, x, df1, df2, log) else .Call(C_stats_4_1, 161L, x, df1, df2, ncp, log)

dgamma <- function(x, shape, rate = 1, scale = 1/rate, log = FALSE) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    .Call(C_stats_3_1, 85L, x, shape, scale, log)
}

dgeom <- function(x, prob, log = FALSE)
    .Call(C_stats_2_1, 139L, x, prob, log)

dhyper <- function(x, m, n, k, log = FALSE)
    .Call(C_stats_4_1, 143L, x, m, n, k, log)

digamma <- function(x)
    .Call(C_math_1, 46L, "digamma", x)

digamma_and_derivatives <- function(x)
    .Call(C_several, 53L, list(x), list(), c("digamma", "trigamma", "tetragamma", "pentagamma"))

dlnorm <- function(x, meanlog = 0, sdlog = 1, log = FALSE)
    .Call(C_stats_3_1, 107L, x, meanlog, sdlog, log)

dlogis <- function(x, location = 0, scale = 1, log = FALSE)
    .Call(C_stats_3_1, 115L, x, location, scale, log)

dnbeta <- function(x, shape1, shape2, ncp, log = FALSE)
    .Call(C_stats_4_1, 158L, x, shape1, shape2, ncp, log)

dnbinom <- function(x, size, prob, mu, log = FALSE) {
    if (missing(mu)) return(.Call(C_stats_3_1, 127L, x, size, prob, log))
    if (!missing(prob)) stop("'prob' and 'mu' both specified")
    .Call(C_stats_3_1, 131L, x, size, mu, log)
}

dnbinom_mu <- function(x, size, mu, log = FALSE)
    .Call(C_stats_3_1, 131L, x, size, mu, log)

dnchisq <- function(x, df, ncp, log = FALSE)
    .Call(C_stats_3_1, 155L, x, df, ncp, log)

dnf <- function(x, df1, df2, ncp, log = FALSE)
    .Call(C_stats_4_1, 161L, x, df1, df2, ncp, log)

dnorm <- function(x, mean = 0, sd = 1, log = FALSE)
    .Call(C_stats_3_1, 72L, x, mean, sd, log)

dnt <- function(x, df, ncp, log = FALSE)
    .Call(C_stats_3_1, 164L, x, df, ncp, log)

dpois <- function(x, lambda, log = FALSE)
    .Call(C_stats_2_1, 135L, x, lambda, log)

dpois_raw <- function(x, lambda, log = FALSE)
    .Call(C_stats_2_1, 69L, x, lambda, log)

dsignrank <- function(x, n, log = FALSE)
    .Call(C_stats_2_1, 151L, x, n, log)

dt <- function(x, df, ncp, log = FALSE)
    if (missing(ncp)) .Call(C_stats_2_1, 99L, x, df, log) else .Call(C_stats_3_1, 164L, x, df, ncp, log)

dunif <- function(x, min = 0, max = 1, log = FALSE)
    .Call(C_stats_3_1, 77L, x, min, max, log)

dweibull <- function(x, shape, scale = 1, log = FALSE)
    .Call(C_stats_3_1, 111L, x, shape, scale, log)

dwilcox <- function(x, m, n, log = FALSE)
    .Call(C_stats_3_1, 147L, x, m, n, log)

ebd0 <- function(x, np)
    .Call(C_several, 68L, list(x, np), list(), c("high", "low"))

erf <- function(x)
    .Call(C_base_1, 58L, x)

erfc <- function(x)
    .Call(C_base_1, 59L, x)

erfcinv <- function(x)
    .Call(C_base_1, 61L, x)

erfinv <- function(x)
    .Call(C_base_1, 60L, x)

exp <- function(x)
    .Call(C_math_1, 0L, "exp", x)

exp_rand <- function(n)
    .Call(C_draw_0, 175L, n)

expm1 <- function(x)
    .Call(C_math_1, 1L, "expm1", x)

factorial <- function(x)
    gamma(x + 1)

fmax2 <- function(x, y)
    .Call(C_base_2, 30L, x, y)

fmin2 <- function(x, y)
    .Call(C_base_2, 31L, x, y)

fprec <- function(x, digits = 6)
    .Call(C_base_2, 26L, x, digits)

fround <- function(x, digits = 0)
    .Call(C_base_2, 25L, x, digits)

fsign <- function(x, y)
    .Call(C_base_2, 28L, x, y)

ftrunc <- function(x)
    .Call(C_base_1, 27L, x)

gamma <- function(x)
    .Call(C_math_1, 34L, "gamma", x)

gammafn <- function(x)
    .Call(C_base_1, 34L, x)

imax2 <- function(x, y)
    .Call(C_base_2, 32L, x, y)

imin2 <- function(x, y)
    .Call(C_base_2, 33L, x, y)

lbeta <- function(a, b)
    .Call(C_base_2, 42L, a, b)

lchoose <- function(n, k)
    .Call(C_base_2, 44L, n, k)

lfactorial <- function(x)
    lgamma(x + 1)

lfastchoose <- function(n, k)
    .Call(C_base_2, 45L, n, k)

lgamma <- function(x)
    .Call(C_math_1, 35L, "lgamma", x)

lgamma1p <- function(x)
    .Call(C_base_1, 38L, x)

lgammacor <- function(x)
    .Call(C_base_1, 40L, x)

lgammafn <- function(x)
    .Call(C_base_1, 35L, x)

lgammafn_sign <- function(x)
    .Call(C_base_1, 37L, x)

log10 <- function(x)
    .Call(C_math_1, 5L, "log10", x)

log1mexp <- function(x)
    .Call(C_base_1, 63L, x)

log1p <- function(x)
    .Call(C_math_1, 3L, "log1p", x)

log1pexp <- function(x)
    .Call(C_base_1, 62L, x)

log1pmx <- function(x)
    .Call(C_base_1, 6L, x)

log2 <- function(x)
    .Call(C_math_1, 4L, "log2", x)

log_minus_digamma <- function(x)
    .Call(C_base_1, 52L, x)

logspace_add <- function(logx, logy)
    .Call(C_base_2, 64L, logx, logy)

logspace_sub <- function(logx, logy)
    .Call(C_base_2, 65L, logx, logy)

norm_rand <- function(n)
    .Call(C_draw_0, 174L, n)

pbeta <- function(q, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_3_2, 95L, q, shape1, shape2, lower.tail, log.p) else .Call(C_stats_4_2, 159L, q, shape1, shape2, ncp, lower.tail, log.p)

pbeta_raw <- function(x, a, b, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 96L, x, a, b, lower.tail, log.p)

pbinom <- function(q, size, prob, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 124L, q, size, prob, lower.tail, log.p)

pcauchy <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 120L, q, location, scale, lower.tail, log.p)

pchisq <- function(q, df, ncp = 0, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_2_2, 91L, q, df, lower.tail, log.p) else .Call(C_stats_3_2, 156L, q, df, ncp, lower.tail, log.p)

pentagamma <- function(x)
    .Call(C_base_1, 49L, x)

pexp <- function(q, rate = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 82L, q, 1/rate, lower.tail, log.p)

pf <- function(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_3_2, 104L, q, df1, df2, lower.tail, log.p) else .Call(C_stats_4_2, 162L, q, df1, df2, ncp, lower.tail, log.p)

pgamma <- function(q, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    .Call(C_stats_3_2, 86L, q, shape, scale, lower.tail, log.p)
}

pgamma_raw <- function(x, alph, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 87L, x, alph, lower.tail, log.p)

pgeom <- function(q, prob, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 140L, q, prob, lower.tail, log.p)

philox4x32 <- function(c0, c1, c2, c3, k0, k1)
    .Call(C_several, 71L, list(c0, c1, c2, c3, k0, k1), list(), c("r0", "r1", "r2", "r3"))

phyper <- function(q, m, n, k, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 144L, q, m, n, k, lower.tail, log.p)

plnorm <- function(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 108L, q, meanlog, sdlog, lower.tail, log.p)

plogis <- function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 116L, q, location, scale, lower.tail, log.p)

pnbeta <- function(q, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 159L, q, shape1, shape2, ncp, lower.tail, log.p)

pnbinom <- function(q, size, prob, mu, lower.tail = TRUE, log.p = FALSE) {
    if (missing(mu)) return(.Call(C_stats_3_2, 128L, q, size, prob, lower.tail, log.p))
    if (!missing(prob)) stop("'prob' and 'mu' both specified")
    .Call(C_stats_3_2, 132L, q, size, mu, lower.tail, log.p)
}

pnbinom_mu <- function(q, size, mu, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 132L, q, size, mu, lower.tail, log.p)

pnchisq <- function(q, df, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 156L, q, df, ncp, lower.tail, log.p)

pnf <- function(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 162L, q, df1, df2, ncp, lower.tail, log.p)

pnorm <- function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 73L, q, mean, sd, lower.tail, log.p)

pnorm_both <- function(x, log.p = FALSE)
    .Call(C_several, 74L, list(x), list(log.p), c("lower", "upper"))

pnt <- function(q, df, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 165L, q, df, ncp, lower.tail, log.p)

pow <- function(x, y)
    .Call(C_base_2, 7L, x, y)

pow1p <- function(x, y)
    .Call(C_base_2, 66L, x, y)

ppois <- function(q, lambda, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 136L, q, lambda, lower.tail, log.p)

psigamma <- function(x, deriv = 0L)
    .Call(C_base_2, 50L, x, deriv)

psignrank <- function(q, n, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 152L, q, n, lower.tail, log.p)

pt <- function(q, df, ncp, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_2_2, 100L, q, df, lower.tail, log.p) else .Call(C_stats_3_2, 165L, q, df, ncp, lower.tail, log.p)

ptukey <- function(q, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 167L, q, nranges, nmeans, df, lower.tail, log.p)

punif <- function(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 78L, q, min, max, lower.tail, log.p)

pweibull <- function(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 112L, q, shape, scale, lower.tail, log.p)

pwilcox <- function(q, m, n, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 148L, q, m, n, lower.tail, log.p)

qbeta <- function(p, shape1, shape2, ncp = 0, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_3_2, 97L, p, shape1, shape2, lower.tail, log.p) else .Call(C_stats_4_2, 160L, p, shape1, shape2, ncp, lower.tail, log.p)

qbinom <- function(p, size, prob, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 125L, p, size, prob, lower.tail, log.p)

qcauchy <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 121L, p, location, scale, lower.tail, log.p)

qchisq <- function(p, df, ncp = 0, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_2_2, 92L, p, df, lower.tail, log.p) else .Call(C_stats_3_2, 157L, p, df, ncp, lower.tail, log.p)

qexp <- function(p, rate = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 83L, p, 1/rate, lower.tail, log.p)

qf <- function(p, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_3_2, 105L, p, df1, df2, lower.tail, log.p) else .Call(C_stats_4_2, 163L, p, df1, df2, ncp, lower.tail, log.p)

qgamma <- function(p, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    .Call(C_stats_3_2, 88L, p, shape, scale, lower.tail, log.p)
}

qgeom <- function(p, prob, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 141L, p, prob, lower.tail, log.p)

qhyper <- function(p, m, n, k, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 145L, p, m, n, k, lower.tail, log.p)

qlnorm <- function(p, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 109L, p, meanlog, sdlog, lower.tail, log.p)

qlogis <- function(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 117L, p, location, scale, lower.tail, log.p)

qnbeta <- function(p, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 160L, p, shape1, shape2, ncp, lower.tail, log.p)

qnbinom <- function(p, size, prob, mu, lower.tail = TRUE, log.p = FALSE) {
    if (missing(mu)) return(.Call(C_stats_3_2, 129L, p, size, prob, lower.tail, log.p))
    if (!missing(prob)) stop("'prob' and 'mu' both specified")
    .Call(C_stats_3_2, 133L, p, size, mu, lower.tail, log.p)
}

qnbinom_mu <- function(p, size, mu, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 133L, p, size, mu, lower.tail, log.p)

qnchisq <- function(p, df, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 157L, p, df, ncp, lower.tail, log.p)

qnf <- function(p, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 163L, p, df1, df2, ncp, lower.tail, log.p)

qnorm <- function(p, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 75L, p, mean, sd, lower.tail, log.p)

qnt <- function(p, df, ncp, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 166L, p, df, ncp, lower.tail, log.p)

qpois <- function(p, lambda, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 137L, p, lambda, lower.tail, log.p)

qsignrank <- function(p, n, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_2_2, 153L, p, n, lower.tail, log.p)

qt <- function(p, df, ncp, lower.tail = TRUE, log.p = FALSE)
    if (missing(ncp)) .Call(C_stats_2_2, 101L, p, df, lower.tail, log.p) else .Call(C_stats_3_2, 166L, p, df, ncp, lower.tail, log.p)

qtukey <- function(p, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_4_2, 168L, p, nranges, nmeans, df, lower.tail, log.p)

qunif <- function(p, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 79L, p, min, max, lower.tail, log.p)

qweibull <- function(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 113L, p, shape, scale, lower.tail, log.p)

qwilcox <- function(p, m, n, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 149L, p, m, n, lower.tail, log.p)

r_pow <- function(x, y)
    .Call(C_base_2, 8L, x, y)

r_pow_di <- function(x, n)
    .Call(C_base_2, 9L, x, n)

r_unif_index <- function(n, dn)
    .Call(C_draw_1, 176L, n, dn)

rbeta <- function(n, shape1, shape2, ncp = 0)
    if (missing(ncp)) .Call(C_draw_2, 98L, n, shape1, shape2) else .Call(C_draw_3, 170L, n, shape1, shape2, ncp)

rbinom <- function(n, size, prob)
    .Call(C_count_2, 126L, n, size, prob)

rcauchy <- function(n, location = 0, scale = 1)
    .Call(C_draw_2, 122L, n, location, scale)

rchisq <- function(n, df, ncp = 0)
    if (missing(ncp)) .Call(C_draw_1, 93L, n, df) else .Call(C_draw_2, 169L, n, df, ncp)

rexp <- function(n, rate = 1)
    .Call(C_draw_1, 84L, n, 1/rate)

rf <- function(n, df1, df2, ncp)
    if (missing(ncp)) .Call(C_draw_2, 106L, n, df1, df2) else .Call(C_draw_3, 171L, n, df1, df2, ncp)

rgamma <- function(n, shape, rate = 1, scale = 1/rate) {
    if (!missing(rate) && !missing(scale))
        (if (abs(rate * scale - 1) < 1e-15) warning else stop)("specify 'rate' or 'scale' but not both")
    .Call(C_draw_2, 89L, n, shape, scale)
}

rgeom <- function(n, prob)
    .Call(C_count_1, 142L, n, prob)

rhyper <- function(nn, m, n, k)
    .Call(C_count_3, 146L, nn, m, n, k)

rlnorm <- function(n, meanlog = 0, sdlog = 1)
    .Call(C_draw_2, 110L, n, meanlog, sdlog)

rlogis <- function(n, location = 0, scale = 1)
    .Call(C_draw_2, 118L, n, location, scale)

rnbeta <- function(n, shape1, shape2, ncp)
    .Call(C_draw_3, 170L, n, shape1, shape2, ncp)

rnbinom <- function(n, size, prob, mu) {
    if (missing(mu)) return(.Call(C_count_2, 130L, n, size, prob))
    if (!missing(prob)) stop("'prob' and 'mu' both specified")
    .Call(C_draw_2, 134L, n, size, mu)
}

rnbinom_mu <- function(n, size, mu)
    .Call(C_draw_2, 134L, n, size, mu)

rnchisq <- function(n, df, ncp)
    .Call(C_draw_2, 169L, n, df, ncp)

rnf <- function(n, df1, df2, ncp)
    .Call(C_draw_3, 171L, n, df1, df2, ncp)

rnorm <- function(n, mean = 0, sd = 1)
    .Call(C_draw_2, 76L, n, mean, sd)

rnt <- function(n, df, ncp)
    .Call(C_draw_2, 172L, n, df, ncp)

rpois <- function(n, lambda)
    .Call(C_count_1, 138L, n, lambda)

rsignrank <- function(nn, n)
    .Call(C_count_1, 154L, nn, n)

rt <- function(n, df, ncp)
    if (missing(ncp)) .Call(C_draw_1, 102L, n, df) else .Call(C_draw_2, 172L, n, df, ncp)

runif <- function(n, min = 0, max = 1)
    .Call(C_draw_2, 80L, n, min, max)

rweibull <- function(n, shape, scale = 1)
    .Call(C_draw_2, 114L, n, shape, scale)

rwilcox <- function(nn, m, n)
    .Call(C_count_2, 150L, nn, m, n)

scaled_psigamma <- function(x, deriv)
    .Call(C_base_2, 51L, x, deriv)

sign <- function(x)
    .Call(C_math_1, 29L, "sign", x)

sin <- function(x)
    .Call(C_math_1, 12L, "sin", x)

sinh <- function(x)
    .Call(C_math_1, 22L, "sinh", x)

sinpi <- function(x)
    .Call(C_math_1, 15L, "sinpi", x)

sqrt <- function(x)
    .Call(C_math_1, 10L, "sqrt", x)

stirlerr <- function(n)
    .Call(C_base_1, 39L, n)

tan <- function(x)
    .Call(C_math_1, 14L, "tan", x)

tanh <- function(x)
    .Call(C_math_1, 24L, "tanh", x)

tanpi <- function(x)
    .Call(C_math_1, 17L, "tanpi", x)

tetragamma <- function(x)
    .Call(C_base_1, 48L, x)

trigamma <- function(x)
    .Call(C_math_1, 47L, "trigamma", x)

unif_rand <- function(n)
    .Call(C_draw_0, 173L, n)
