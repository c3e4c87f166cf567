# Ratios of this package's times to those of R's own functions, all from one run: `cargo xtask bench r`.
library(gristmill)
calls <- list(
    dnorm = list(quote(dnorm(x))), pnorm = list(quote(pnorm(x))), qnorm = list(quote(qnorm(u))),
    dgamma = list(quote(dgamma(p, 2.5))), pgamma = list(quote(pgamma(p, 2.5))), qgamma = list(quote(qgamma(u, 2.5))),
    dbeta = list(quote(dbeta(u, 2, 3.5))), pbeta = list(quote(pbeta(u, 2, 3.5))), qbeta = list(quote(qbeta(u, 2, 3.5))),
    dt = list(quote(dt(x, 5))), pt = list(quote(pt(x, 5))), qt = list(quote(qt(u, 5))),
    dbinom = list(quote(dbinom(k, 40, 0.3))), pbinom = list(quote(pbinom(k, 40, 0.3))), qbinom = list(quote(qbinom(u, 40, 0.3))),
    dpois = list(quote(dpois(k, 8))), ppois = list(quote(ppois(k, 8))), qpois = list(quote(qpois(u, 8))),
    pchisq = list(quote(pchisq(p, 3))), pf = list(quote(pf(p, 3, 7))), plnorm = list(quote(plnorm(p))),
    pweibull = list(quote(pweibull(p, 2))), plogis = list(quote(plogis(x))), pcauchy = list(quote(pcauchy(x))),
    gamma = list(quote(gamma(p))), lgamma = list(quote(lgamma(p))), digamma = list(quote(digamma(p))), beta = list(quote(beta(p, 2.5))),
    besselI = list(quote(besselI(p, 1.5))), besselK = list(quote(besselK(p, 1.5))),
    rnorm = list(quote(rnorm(n))), rexp = list(quote(rexp(n))), rgamma = list(quote(rgamma(n, 2.5))), rbinom = list(quote(rbinom(n, 40, 0.3))),
    rpois = list(quote(rpois(n, 8))))

# Seconds of one call: the least of several measurements of many calls.
seconds <- function(call, where) {
    f <- eval(call("function", NULL, call), where)
    times <- 1
    repeat {
        spent <- system.time(for (i in seq_len(times)) f())[["elapsed"]]
        if (spent > 0.05) break
        times <- times * max(2, min(100, ceiling(0.06 / max(spent, 1e-3))))
    }
    min(spent, vapply(1:3, function(k) system.time(for (i in seq_len(times)) f())[["elapsed"]], 0)) / times
}

names_here <- setdiff(names(calls), character())
rows <- list()
set.seed(1)
for (n in c(1, 1000, 1e6)) {
    data <- list(n = n, x = stats::rnorm(n), u = stats::runif(n), p = stats::rgamma(n, 3), k = as.double(stats::rbinom(n, 40, 0.3)))
    for (name in names_here) {
        theirs <- list2env(data, parent = globalenv())
        ours <- list2env(c(data, stats::setNames(list(getExportedValue("gristmill", name)), name)), parent = globalenv())
        call <- calls[[name]][[1L]]
        r <- seconds(call, theirs)
        gm_threads(1)
        one <- seconds(call, ours)
        gm_threads(2)
        two <- if (n > 1) seconds(call, ours) else NA
        rows[[length(rows) + 1L]] <- data.frame(name, n, ns = r / n * 1e9, one = r / one, two = r / two)
    }
}
table <- do.call(rbind, rows)
cat("times R's own speed; ns: R's time for each element\n\n")
for (n in unique(table$n)) {
    part <- table[table$n == n, ]
    cat(sprintf("%g elements: geometric mean %.2f on one thread, %.2f on two; slowest %s with %.2f\n", n, exp(mean(log(part$one))),
                exp(mean(log(part$two))), part$name[which.min(part$one)], min(part$one)))
}
cat("\n")
print(format(table, digits = 3), row.names = FALSE)
