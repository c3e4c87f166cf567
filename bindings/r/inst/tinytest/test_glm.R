# gm_glm() is R's glm() with a flat prior; f2_f3() is minus the log-posterior and its gradient.
library(gristmill)
gm_threads(2)

close <- function(a, b, tolerance = 1e-7) expect_equal(a, b, tolerance = tolerance)

budworm <- data.frame(ldose = rep(0:5, 2), sex = factor(rep(c("M", "F"), c(6, 6))),
                      dead = c(1, 4, 9, 13, 18, 20, 0, 2, 6, 10, 12, 16))
set.seed(1)
n <- 200
many <- data.frame(x = rnorm(n), g = factor(sample(c("a", "b", "c"), n, TRUE)), time = runif(n, 1, 5), w = runif(n, 0.5, 2))
many$count <- rpois(n, exp(0.3 + 0.4 * many$x) * many$time)
many$size <- rgamma(n, 3, 3 / exp(0.5 + 0.2 * many$x))
many$y <- 1 + 2 * many$x + rnorm(n)
many$hit <- rbinom(n, 1, plogis(0.5 * many$x))
many$gap <- replace(many$x, c(3, 77), NA)

models <- list(
    list(cbind(dead, 20 - dead) ~ sex * ldose, budworm, binomial),
    list(cbind(dead, 20 - dead) ~ sex + ldose, budworm, binomial(probit)),
    list(cbind(dead, 20 - dead) ~ sex + ldose, budworm, binomial(cloglog)),
    list(I(dead / 20) ~ ldose, budworm, quasibinomial),
    list(hit ~ x + g, many, "binomial"),
    list(count ~ x + g + offset(log(time)), many, poisson),
    list(count ~ poly(x, 2) * g, many, quasipoisson()),
    list(size ~ x + g, many, Gamma(log)),
    list(size ~ x, many, Gamma),
    list(size ~ x, many, inverse.gaussian(log)),
    list(y ~ x + g, many, gaussian),
    list(y ~ gap + log(time), many, gaussian),
    list(y ~ x + I(2 * x) + g, many, gaussian),
    list(y ~ 0 + g, many, gaussian),
    list(y ~ 1, many, gaussian),
    list(count ~ x, many, quasi(link = "log", variance = "mu")))
for (m in models) {
    ours <- gm_glm(m[[1]], m[[2]], m[[3]])
    # R stops early for links that are not canonical, and finds dependent columns only by a tolerance that is a part of this one.
    epsilon <- if (anyNA(coef(ours))) 1e-8 else 1e-14
    theirs <- glm(m[[1]], data = m[[2]], family = m[[3]], control = glm.control(epsilon = epsilon, maxit = 100))
    label <- paste(deparse(m[[1]]), ours$family$family)
    for (f in list(coef, vcov, fitted, residuals, deviance, AIC, BIC, nobs, df.residual, hatvalues, predict, formula, model.matrix, weights))
        expect_equal(f(ours), f(theirs), tolerance = 1e-6, check.attributes = FALSE, info = label)
    expect_equal(logLik(ours), logLik(theirs), tolerance = 1e-8, info = label)
    expect_equal(names(coef(ours)), names(coef(theirs)), info = label)
    expect_equal(ours$null.deviance, theirs$null.deviance, tolerance = 1e-8, info = label)
    expect_equal(coef(summary(ours)), coef(summary(theirs)), tolerance = 1e-6, info = label)
    for (type in c("response", "pearson", "working"))
        expect_equal(residuals(ours, type), residuals(theirs, type), tolerance = 1e-6, info = label)
    expect_equal(anova(ours, test = "Chisq")[["Resid. Dev"]], anova(theirs, test = "Chisq")[["Resid. Dev"]], tolerance = 1e-7, info = label)
}

ours <- gm_glm(cbind(dead, 20 - dead) ~ sex + ldose, budworm, binomial)
theirs <- glm(cbind(dead, 20 - dead) ~ sex + ldose, binomial, budworm)
new <- data.frame(ldose = c(0.5, 7), sex = factor(c("F", "M")))
close(predict(ours, new, type = "response", se.fit = TRUE), predict(theirs, new, type = "response", se.fit = TRUE), 1e-6)
expect_true(inherits(ours, c("gm_glm", "glm")[1]))
if (requireNamespace("MASS", quietly = TRUE)) {
    profile <- suppressMessages(MASS:::confint.glm(theirs))
    expect_equal(confint(ours), profile, tolerance = 1e-3)
    expect_equal(colnames(confint(ours)), c("2.5 %", "97.5 %"))
    expect_equal(coef(gm_glm(count ~ x, many, MASS::negative.binomial(2.5))),
                 coef(glm(count ~ x, MASS::negative.binomial(2.5), many)), tolerance = 1e-6)
}
expect_equal(confint(ours, method = "wald"), confint.default(theirs), tolerance = 1e-6)
expect_equal(dim(confint(ours, "ldose", level = 0.9)), c(1L, 2L))
expect_error(confint(ours, "dose"), "`dose`")
expect_error(confint(ours, level = 2), "between 0 and 1")

# weights, subset, contrasts and a fit function of glm()'s own
weighted <- gm_glm(y ~ x + g, many, gaussian, weights = w, subset = x > 0, contrasts = list(g = "contr.sum"))
expect_equal(coef(weighted), coef(glm(y ~ x + g, gaussian, many, weights = w, subset = x > 0, contrasts = list(g = "contr.sum"))), tolerance = 1e-9)
expect_equal(coef(glm(hit ~ x, binomial, many, method = gm_glm.fit)), coef(glm(hit ~ x, binomial, many)), tolerance = 1e-6)
fit <- gm_glm(hit ~ x + g, many, binomial)
expect_equal(coef(update(fit, . ~ . - g)), coef(glm(hit ~ x, binomial, many)), tolerance = 1e-6)
expect_equal(anova(update(fit, . ~ . - g), fit)$Deviance[2], anova(glm(hit ~ x, binomial, many), glm(hit ~ x + g, binomial, many))$Deviance[2], tolerance = 1e-6)
printed <- capture.output(print(fit), print(summary(fit)))
expect_true(any(grepl("^Call:  gm_glm", printed)) && any(grepl("Dispersion parameter", printed)))
grDevices::pdf(NULL)
expect_silent(plot(fit, which = 1:2, ask = FALSE))

# warnings and errors say what is wrong
apart <- data.frame(x = 1:10, y = rep(0:1, each = 5))
expect_warning(gm_glm(y ~ x, apart, binomial), "there is no mode")
expect_error(gm_glm(hit ~ x, many, binomial(cauchit), prior = 3), "`prior`")
# the order of glm(), which calls and update() then show as it was meant
other_order <- gm_glm(cbind(dead, 20 - dead) ~ sex + ldose, binomial, budworm)
expect_identical(other_order$call, quote(gm_glm(formula = cbind(dead, 20 - dead) ~ sex + ldose, data = budworm, family = binomial)))
expect_identical(coef(gm_glm(cbind(dead, 20 - dead) ~ sex + ldose, "binomial", budworm)), coef(other_order))
expect_identical(coef(with(budworm, gm_glm(cbind(dead, 20 - dead) ~ sex + ldose, binomial()))), coef(other_order))
expect_error(gm_glm(y ~ x, many, binomial), "y values must be 0 <= y <= 1")
expect_error(gm_glm(hit ~ x, many, quasi(link = "logit", variance = "mu(1-mu)"), prior = gm_prior(0)), "give one of")

# with a prior: the mode of the posterior, where its gradient is zero
prior <- gm_prior(mean = c(ldose = 1), sd = c("(Intercept)" = 10, sexM = 1, ldose = 0.5))
bayes <- gm_glm(cbind(dead, 20 - dead) ~ sex + ldose, budworm, binomial, prior = prior)
x <- model.matrix(bayes)
y <- budworm$dead / 20
P <- diag(1 / c(10, 1, 0.5)^2)
here <- f2_f3("binomial", "logit", matrix(coef(bayes), 3), y, x, c(0, 0, 1), P, rep(0, 12), rep(20, 12))
expect_true(max(abs(here$grad)) < 1e-8)
p <- fitted(bayes)
close(unname(vcov(bayes)), unname(solve(crossprod(x * sqrt(20 * p * (1 - p))) + P)))
expect_equal(dim(confint(bayes)), c(3L, 2L))
close(predict(bayes, new, se.fit = TRUE)$se.fit[[1]],
      sqrt(drop(t(c(1, 0, 0.5)) %*% vcov(bayes) %*% c(1, 0, 0.5))))
expect_true(any(grepl("Posterior mode", capture.output(print(summary(bayes)), print(bayes)))))
expect_silent(plot(bayes))
grDevices::dev.off()
expect_error(anova(bayes), "flat prior")
expect_error(gm_prior(), "`sd`")
expect_error(gm_prior(sd = -1), "must be > 0")
expect_error(gm_glm(y ~ x, many, gaussian, prior = gm_prior(sd = c(z = 1))), "names `z`")
expect_equal(coef(gm_glm(apart$y ~ apart$x, family = binomial, prior = gm_prior(sd = 2.5)))[[2]] > 0, TRUE)
# A wide prior is nearly flat, a matrix of precisions is what its numbers say, and an offset is no obstacle.
close(coef(gm_glm(y ~ x, many, gaussian, prior = gm_prior(sd = 1e8))), coef(glm(y ~ x, data = many)), 1e-6)
shrunk <- gm_glm(count ~ x + offset(log(time)), many, poisson, prior = gm_prior(precision = diag(2)))
expect_equal(coef(shrunk), coef(gm_glm(count ~ x + offset(log(time)), many, poisson, prior = gm_prior(covariance = diag(2)))))
expect_equal(shrunk$null.deviance, glm(count ~ x + offset(log(time)), poisson, many)$null.deviance, tolerance = 1e-7)

# f2_f3: values by R's densities, gradients by differences, columns are points
b <- cbind(c(-3, 1), c(0, 0), c(0.2, -0.1))
x <- cbind(1, budworm$ldose)
mu <- c(0.1, 0.2)
P <- matrix(c(2, 0.5, 0.5, 1), 2)
alpha <- seq(-1, 1, length.out = 12)
value <- function(b, density) drop(0.5 * t(b - mu) %*% P %*% (b - mu)) - sum(density(drop(x %*% b) + alpha))
wt <- rep(20, 12)
densities <- list(
    list("binomial", "logit", y, wt, function(eta) dbinom(20 * y, 20, plogis(eta), log = TRUE)),
    list("binomial", "probit", y, wt, function(eta) dbinom(20 * y, 20, pnorm(eta), log = TRUE)),
    list("binomial", "cloglog", y, wt, function(eta) lchoose(20, 20 * y) + 20 * y * log(-expm1(-exp(eta))) - 20 * (1 - y) * exp(eta)),
    list("quasibinomial", "logit", y, wt, function(eta) dbinom(20 * y, 20, plogis(eta), log = TRUE)),
    list("poisson", "log", budworm$dead, rep(1, 12), function(eta) dpois(budworm$dead, exp(eta), log = TRUE)),
    list("Gamma", "log", budworm$dead + 1, rep(2, 12), function(eta) dgamma(budworm$dead + 1, 2, scale = exp(eta) / 2, log = TRUE)),
    list("gaussian", "identity", y, rep(4, 12), function(eta) dnorm(y, eta, 0.5, log = TRUE)))
for (d in densities) {
    found <- f2_f3(d[[1]], d[[2]], b, d[[3]], x, mu, P, alpha, d[[4]])
    expect_equal(found$qf, apply(b, 2, value, d[[5]]), tolerance = 1e-12, info = paste(d[[1]], d[[2]]))
    expect_equal(dim(found$grad), c(3L, 2L))
    for (k in 1:2) {
        step <- replace(c(0, 0), k, 1e-6)
        slope <- (apply(b + step, 2, value, d[[5]]) - apply(b - step, 2, value, d[[5]])) / 2e-6
        expect_equal(found$grad[, k], slope, tolerance = 1e-6, info = paste(d[[1]], d[[2]]))
    }
    # a device gives the same bits; without one the CPU does
    expect_identical(f2_f3(d[[1]], d[[2]], b, d[[3]], x, mu, P, alpha, d[[4]], use_opencl = TRUE), found)
    gm_threads(1)
    expect_identical(f2_f3(d[[1]], d[[2]], b, d[[3]], x, mu, P, alpha, d[[4]]), found)
    gm_threads(2)
}
expect_error(f2_f3("binomial", "logit", t(b), y, x, mu, P, alpha, wt), "t\\(b\\)")
expect_error(f2_f3("binomial", "logit", b, y[-1], x, mu, P, alpha, wt), "`y` has length 11")
expect_error(f2_f3("binomial", "logit", b, y, x, mu, diag(3), alpha, wt), "`P` is 3 x 3")
expect_error(f2_f3("binomial", "log it", b, y, x, mu, P, alpha, wt), "no link is called")
expect_error(f2_f3("bin", "logit", b, y, x, mu, P, alpha, wt), "no family is called")
expect_error(f2_f3("binomial", "logit", b, replace(y, 3, NA), x, mu, P, alpha, wt), "`y` is NA at 3")
expect_identical(f2_f3("poisson", "log", matrix(0, 1, 0), 1, matrix(1), 0, matrix(0), 0, 1), list(qf = numeric(), grad = matrix(0, 0, 1)))

# grids of a fitted model
grid <- glm_grid(ours)
expect_equal(dim(grid), c(27L, 7L))
expect_equal(names(grid), c(names(coef(ours)), "value", paste0("gradient_", names(coef(ours)))))
expect_equal(which.min(grid$value), 14L)
close(min(grid$value), -as.numeric(logLik(theirs)), 1e-10)
expect_equal(glm_grid(ours, grid[1:3], use_opencl = TRUE), grid)
expect_equal(glm_grid(theirs, as.matrix(grid[1:3]))$value, grid$value)
expect_error(glm_grid(ours, grid[1:2]), "`ldose`")
expect_error(glm_grid(1), "`object`")
expect_identical(f2_f3_opencl("poisson", "log", b, budworm$dead, x, mu, P, alpha, rep(1, 12), 0L),
                 f2_f3("poisson", "log", b, budworm$dead, x, mu, P, alpha, rep(1, 12)))
