# Ratios of this package's times to those of R's own functions, all from one run: `cargo xtask bench r`.
# `--quick` measures each call for a fraction of the time, to see that everything runs.
library(gristmill)
is_quick <- "--quick" %in% commandArgs(TRUE)
least <- if (is_quick) 0.01 else 0.06
now <- function() as.double(Sys.time())
repetitions <- if (is_quick) 1L else 5L
calls <- list(
    dnorm = quote(dnorm(x)), pnorm = quote(pnorm(x)), qnorm = quote(qnorm(u)),
    dgamma = quote(dgamma(p, 2.5)), pgamma = quote(pgamma(p, 2.5)), qgamma = quote(qgamma(u, 2.5)),
    dbeta = quote(dbeta(u, 2, 3.5)), pbeta = quote(pbeta(u, 2, 3.5)), qbeta = quote(qbeta(u, 2, 3.5)),
    dt = quote(dt(x, 5)), pt = quote(pt(x, 5)), qt = quote(qt(u, 5)),
    dbinom = quote(dbinom(k, 40, 0.3)), pbinom = quote(pbinom(k, 40, 0.3)), qbinom = quote(qbinom(u, 40, 0.3)),
    dpois = quote(dpois(k, 8)), ppois = quote(ppois(k, 8)), qpois = quote(qpois(u, 8)),
    pchisq = quote(pchisq(p, 3)), pf = quote(pf(p, 3, 7)), plnorm = quote(plnorm(p)), pexp = quote(pexp(p)), punif = quote(punif(u)),
    pweibull = quote(pweibull(p, 2)), plogis = quote(plogis(x)), pcauchy = quote(pcauchy(x)),
    gamma = quote(gamma(p)), lgamma = quote(lgamma(p)), digamma = quote(digamma(p)), beta = quote(beta(p, 2.5)),
    choose = quote(choose(40, k)), besselI = quote(besselI(p, 1.5)), besselK = quote(besselK(p, 1.5)),
    rnorm = quote(rnorm(n)), runif = quote(runif(n)), rexp = quote(rexp(n)), rgamma = quote(rgamma(n, 2.5)),
    rbinom = quote(rbinom(n, 40, 0.3)), rpois = quote(rpois(n, 8)))

# How often a call has to be made for its time to be seen.
times_for <- function(f) {
    times <- 1
    repeat {
        start <- now()
        for (i in seq_len(times)) f()
        spent <- now() - start
        if (spent >= least) return(times)
        times <- times * max(2, min(100, ceiling(1.2 * least / max(spent, 1e-6))))
    }
}

# Seconds of one call of each, on as many threads: the least of several measurements, in turns, so that a busy moment of the machine
# meets all.
seconds <- function(functions, threads) {
    functions <- lapply(functions, compiler::cmpfun)
    once <- function(f, threads, times) {
        gm_threads(threads)
        f() # starts the threads
        start <- now()
        for (i in seq_len(times)) f()
        (now() - start) / times
    }
    times <- mapply(function(f, threads) {
        gm_threads(threads)
        times_for(f)
    }, functions, threads)
    measured <- replicate(repetitions, mapply(once, functions, threads, times))
    apply(matrix(measured, nrow = length(functions)), 1L, min)
}

rows <- list()
set.seed(1)
for (n in c(1, 1000, 1e6)) {
    data <- list(n = n, x = stats::rnorm(n), u = stats::runif(n), p = stats::rgamma(n, 3), k = as.double(stats::rbinom(n, 40, 0.3)))
    for (name in names(calls)) {
        theirs <- list2env(data, parent = globalenv())
        ours <- list2env(c(data, stats::setNames(list(getExportedValue("gristmill", name)), name)), parent = globalenv())
        f <- function(where) eval(call("function", NULL, calls[[name]]), where)
        s <- if (n == 1) c(seconds(list(f(theirs), f(ours)), c(1, 1)), NA) else seconds(list(f(theirs), f(ours), f(ours)), c(1, 1, 2))
        rows[[length(rows) + 1L]] <- data.frame(name, n, ns = s[1L] / n * 1e9, one = s[1L] / s[2L], two = s[1L] / s[3L])
    }
}
table <- do.call(rbind, rows)
mean_of <- function(ratios) exp(mean(log(ratios)))
cat("times R's own speed; ns: R's time for each element\n\n")
for (n in unique(table$n)) {
    part <- table[table$n == n, ]
    on_two <- if (n == 1) "" else sprintf(", %.2f on two", mean_of(part$two))
    cat(sprintf("%g elements: geometric mean %.2f on one thread%s; slowest %s with %.2f\n", n, mean_of(part$one), on_two,
                part$name[which.min(part$one)], min(part$one)))
}
listed <- function(part, ratios) if (nrow(part)) paste(sprintf("%s %.2f", part$name, ratios), collapse = ", ") else "none"
large <- table[table$n == 1e6, ]
cat("\n10^6 elements, slower than R on one thread: ", listed(large[large$one < 1, ], large$one[large$one < 1]), "\n", sep = "")
worse <- large$two < large$one
cat("10^6 elements, slower on two threads than on one: ", listed(large[worse, ], (large$two / large$one)[worse]), "\n", sep = "")
single <- table[table$n == 1, ]
over <- single$one < 0.5
# What R takes to call any function that is not its own primitive: a closure that gives its argument back.
given_back <- compiler::cmpfun(function(x) x)
p <- 2.5
calls_of_one <- seconds(list(function() given_back(p), function() base::exp(p), function() base::gamma(p)), c(1, 1, 1)) * 1e9
cat(sprintf("one element, ns: a closure that returns its argument %.0f, R's primitives exp %.0f, gamma %.0f\n", calls_of_one[[1L]],
            calls_of_one[[2L]], calls_of_one[[3L]]))
cat("one element, more than twice R's time: ", listed(single[over, ], 1 / single$one[over]), "\n\n", sep = "")
print(format(table, digits = 3), row.names = FALSE)
