# Random numbers: reproducible, independent of threads, of the right type, with R's warnings and errors.
library(gristmill)
source("helpers.R")
random <- grep("^r", setdiff(gristmill:::functions_of_r, "rmultinom"), value = TRUE)
usual <- list(mean = 0.5, sd = 2, min = -1, max = 3, rate = 2, shape = 2.5, shape1 = 2, shape2 = 3.5, df = 4, df1 = 3, df2 = 7,
              meanlog = 0.2, sdlog = 0.7, location = 0.3, size = 12, prob = 0.3, lambda = 3.5, m = 7, n = 9, k = 5)
start <- function(name, n) {
    parameters <- names(formals(args(ours(name))))
    c(list(n), usual[setdiff(parameters[-1L], c("ncp", "mu", "scale"))])
}
for (name in random) {
    f <- ours(name)
    set.seed(7)
    a <- do.call(f, start(name, 5000))
    set.seed(7)
    gm_threads(1)
    expect_identical(do.call(f, start(name, 5000)), a, info = name)
    gm_threads(2)
    b <- do.call(f, start(name, 5000))
    expect_false(identical(a, b), info = name)
    r <- do.call(of_r(name), start(name, 5000))
    expect_identical(typeof(a), typeof(r), info = name)
    expect_null(attributes(a))
    # the same distribution: no false alarm in 10^6 runs, and the seed is fixed
    spread <- function(x) if (is.integer(x)) x + stats::runif(5000) else x
    expect_true(stats::ks.test(spread(a), spread(r))$p.value > 1e-6, info = name)
    # what R does with odd arguments
    for (n in list(0, 3, c(5, 6), -1, NA, "a", 2.7, NULL, integer(0), 1e300)) {
        o <- outcome(f, start(name, n))
        e <- outcome(of_r(name), start(name, n))
        expect_identical(length(o$value), length(e$value), info = paste(name, deparse1(n)))
        expect_identical(o$warnings, e$warnings, info = paste(name, deparse1(n)))
        if (inherits(e$value, "failed") && !identical(n, 1e300)) expect_identical(o$value, e$value, info = paste(name, deparse1(n)))
    }
    parameter <- names(start(name, 1))[[2L]]
    for (value in list(NA_real_, NaN, numeric(0), "a", c(1, NA))) {
        arguments <- start(name, 2)
        arguments[[parameter]] <- value
        o <- outcome(f, arguments)
        e <- outcome(of_r(name), arguments)
        expect_identical(o$warnings, e$warnings, info = paste(name, deparse1(value)))
        expect_identical(is.na(o$value), is.na(e$value), info = paste(name, deparse1(value)))
        expect_identical(typeof(o$value), typeof(e$value), info = paste(name, deparse1(value)))
    }
}
expect_identical(typeof(gristmill::rpois(2, 1e10)), "double")
for (arguments in list(list(3, 2, mu = 2), list(0, 2, mu = 2), list(2, 2, mu = NA))) {
    o <- outcome(gristmill::rnbinom, arguments)
    e <- outcome(stats::rnbinom, arguments)
    expect_identical(list(typeof(o$value), is.nan(o$value), o$warnings), list(typeof(e$value), is.nan(e$value), e$warnings))
}
expect_error(gristmill::rgamma(1, 2, rate = 2, scale = 3), "specify 'rate' or 'scale' but not both")
set.seed(3)
counts <- gristmill::rmultinom(4, 10, c(a = 1, b = 2))
expect_identical(dim(counts), c(2L, 4L))
expect_identical(dimnames(counts), list(c("a", "b"), NULL))
expect_identical(colSums(counts), rep(10, 4))
for (arguments in list(list(-1, 3, 0.5), list(1, NA, 0.5), list(1, 3, c(-1, 2)), list(1, 2, c(0, 0)), list(1, 2, NA_real_)))
    expect_identical(outcome(gristmill::rmultinom, arguments)$value, outcome(stats::rmultinom, arguments)$value)
