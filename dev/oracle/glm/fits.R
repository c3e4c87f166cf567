# Fits of R's glm, iterated until nothing changes any more: writes fits.csv (a table) and fits.tsv (one line per fit).
# R's default stops when the deviance changes by less than 1e-8, and takes the standard errors from the step before.
# Columns of fits.tsv: table, family, link, size, formula, weights, offset, then names, estimates, sds, statistics and p
# values (each joined by |; NA where R has NA), dispersion, deviance, null deviance, degrees of freedom (residual, null), AIC.
# Run in this folder: Rscript fits.R [folder to write to] [folder of the examples]
arguments <- commandArgs(trailingOnly = TRUE)
out <- if (length(arguments) > 0) arguments[1] else "."
examples <- if (length(arguments) > 1) arguments[2] else "../../../examples"
set.seed(20)
rows <- 60
d <- data.frame(x = round(rnorm(rows), 3), z = round(runif(rows, 0, 10), 2), g = sample(c("low", "mid", "high"), rows, TRUE))
effect <- c(low = -0.4, mid = 0, high = 0.5)[d$g]
d$n <- sample(1:15, rows, TRUE)
d$k <- rbinom(rows, d$n, plogis(-0.3 + 0.8 * d$x + 0.1 * d$z + effect))
d$success <- rbinom(rows, 1, plogis(0.5 * d$x - 0.1 * d$z + effect))
d$exposure <- round(runif(rows, 0.5, 4), 2)
d$count <- rnbinom(rows, size = 3, mu = d$exposure * exp(0.4 + 0.5 * d$x + effect))
d$positive <- round(rgamma(rows, shape = 5, rate = 5 * (0.5 + 0.1 * d$z)), 4)
d$y <- round(3 + 2 * d$x - 0.5 * d$z + effect + rnorm(rows), 4)
d$w <- round(runif(rows, 0.2, 3), 2)
d$w[7] <- 0
d$same <- 2 * d$x - d$z
d$y[13] <- NA
d$x[21] <- NA
write.csv(d, file.path(out, "fits.csv"), row.names = FALSE, quote = FALSE)
clotting <- data.frame(u = rep(c(5, 10, 15, 20, 30, 40, 60, 80, 100), 2), lot = rep(c("one", "two"), each = 9),
  time = c(118, 58, 42, 35, 27, 25, 21, 19, 18, 69, 35, 26, 21, 18, 16, 13, 12, 12)) # mccullagh1989, section 8.4.2
write.csv(clotting, file.path(out, "clotting.csv"), row.names = FALSE, quote = FALSE)
tables <- list(fits.csv = d, clotting.csv = clotting, beetles.csv = read.csv(file.path(examples, "beetles.csv")),
  budworm.csv = read.csv(file.path(examples, "budworm.csv")))

# The negative binomial family with the log link and a given size.
negative_binomial <- function(size) structure(list(family = "negative.binomial", link = "log",
  linkfun = log, linkinv = exp, mu.eta = exp, valideta = function(eta) TRUE, validmu = function(mu) all(mu > 0),
  variance = function(mu) mu + mu^2 / size,
  dev.resids = function(y, mu, wt) 2 * wt * (ifelse(y > 0, y * log(y / mu), 0) - (y + size) * log((y + size) / (mu + size))),
  aic = function(y, n, mu, wt, dev) -2 * sum(wt * dnbinom(y, size = size, mu = mu, log = TRUE)),
  initialize = expression({ n <- rep(1, nobs); mustart <- y + (y == 0) / 6 })), class = "family")

cases <- read.table(header = TRUE, sep = ";", strip.white = TRUE, na.strings = "-", quote = "", text = "
table; family; link; size; formula; weights; offset
beetles.csv; binomial; logit; -; cbind(killed, beetles - killed) ~ log10_dose; -; -
beetles.csv; binomial; probit; -; cbind(killed, beetles - killed) ~ log10_dose; -; -
beetles.csv; binomial; cloglog; -; cbind(killed, beetles - killed) ~ log10_dose; -; -
beetles.csv; binomial; cauchit; -; cbind(killed, beetles - killed) ~ log10_dose; -; -
beetles.csv; binomial; logit; -; killed/beetles ~ log10_dose + I(log10_dose^2); beetles; -
beetles.csv; binomial; logit; -; killed/beetles ~ 1; beetles; -
budworm.csv; binomial; logit; -; cbind(dead, moths - dead) ~ sex * log2(dose); -; -
budworm.csv; binomial; probit; -; cbind(dead, moths - dead) ~ sex + log2(dose) - 1; -; -
fits.csv; binomial; logit; -; k/n ~ x + z + g; n; -
fits.csv; binomial; probit; -; k/n ~ x * g + z; n; -
fits.csv; binomial; cloglog; -; k/n ~ x + z + g; n; -
fits.csv; binomial; cauchit; -; k/n ~ x + z + g; n; -
fits.csv; binomial; logit; -; success ~ x + z; -; -
fits.csv; binomial; cauchit; -; success ~ x; -; 0.1 * z
fits.csv; binomial; logit; -; success ~ x + z + same; -; -
fits.csv; quasibinomial; logit; -; k/n ~ x + z + g; n; -
fits.csv; quasibinomial; cloglog; -; k/n ~ x + z; w; -
fits.csv; poisson; log; -; count ~ x + g + offset(log(exposure)); -; -
fits.csv; poisson; log; -; count ~ x * z; w; log(exposure)
fits.csv; poisson; log; -; count ~ g:x - 1; -; -
fits.csv; quasipoisson; log; -; count ~ x + g; -; log(exposure)
fits.csv; Gamma; inverse; -; positive ~ z; -; -
fits.csv; Gamma; log; -; positive ~ z + x + g; w; -
clotting.csv; Gamma; inverse; -; time ~ log(u) * lot; -; -
clotting.csv; Gamma; log; -; time ~ log(u) + lot; -; -
fits.csv; gaussian; identity; -; y ~ x + z + g; -; -
fits.csv; gaussian; identity; -; y ~ x + I(x^2) + I(x^3) + same + z; w; z
fits.csv; gaussian; identity; -; y ~ 0 + x; w; -
fits.csv; negative.binomial; log; 3; count ~ x + g; -; log(exposure)
fits.csv; negative.binomial; log; 0.5; count ~ x + z; w; -
")
joined <- function(v) paste(ifelse(is.na(v), "NA", sprintf("%.17g", v)), collapse = "|")
lines <- vapply(seq_len(nrow(cases)), function(i) {
  case <- cases[i, ]
  data <- tables[[case$table]]
  data$.w <- if (is.na(case$weights)) 1 else eval(parse(text = case$weights), data)
  data$.o <- if (is.na(case$offset)) 0 else eval(parse(text = case$offset), data)
  family <- if (case$family == "negative.binomial") negative_binomial(case$size) else get(case$family)(link = case$link)
  # The tolerance of the rank is epsilon / 1000, so epsilon cannot be smaller; starting anew where the last fit ended makes
  # the weights, and with them the standard errors, those of the final coefficients. Often, because Fisher scoring takes
  # many steps where the link is not canonical.
  data$.e <- NULL
  for (again in 1:60) {
    fit <- suppressWarnings(glm(as.formula(case$formula), family, data, weights = .w, offset = .o, etastart = data$.e,
      control = glm.control(epsilon = 1e-11, maxit = 200)))
    data$.e <- rep(0, nrow(data))
    data[names(fit$linear.predictors), ".e"] <- fit$linear.predictors
  }
  s <- if (case$family == "negative.binomial") summary(fit, dispersion = 1) else summary(fit)
  names <- names(coef(fit))
  table <- matrix(NA, length(names), 4, dimnames = list(names, NULL))
  table[rownames(coef(s)), ] <- coef(s)
  if (case$family == "negative.binomial") table[, 4] <- 2 * pnorm(-abs(table[, 3]))
  paste(case$table, case$family, case$link, case$size, case$formula, case$weights, case$offset, paste(names, collapse = "|"),
    joined(table[, 1]), joined(table[, 2]), joined(table[, 3]), joined(table[, 4]), joined(s$dispersion), joined(fit$deviance),
    joined(fit$null.deviance), joined(c(fit$df.residual, fit$df.null)), joined(fit$aic), sep = "\t")
}, "")
header <- c("table", "family", "link", "size", "formula", "weights", "offset", "names", "estimates", "sds", "statistics",
  "p_values", "dispersion", "deviance", "null_deviance", "degrees", "aic")
writeLines(c(paste(header, collapse = "\t"), lines), file.path(out, "fits.tsv"))
