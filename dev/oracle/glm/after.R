# What R says after a fit: writes after.tsv, one line for each number of confidence intervals, covariances, analyses of deviance,
# residuals, leverages, Cook's distances and predictions, for fits of the tables in published/. Fits are iterated until nothing
# changes. Profiles are where the signed root of the deviance's rise reaches the normal quantile, found by `uniroot` on refits:
# `confint` interpolates between few of them. Of rows the first 40. Columns: case, what, row, value; the
# first line of a case has its table and the options of `gristmill glm`.
# Run in this folder: Rscript after.R   (needs MASS for glm.nb)
suppressMessages(library(MASS))
library(splines)
Sys.setlocale("LC_COLLATE", "C")
control <- glm.control(epsilon = 1e-13, maxit = 300)
case <- function(table, formula, family, link = NULL, weights = NULL) as.list(environment())
cases <- list(
  case("budworm", "cbind(dead, 20 - dead) ~ sex * ldose", "binomial"),
  case("budworm", "cbind(dead, 20 - dead) ~ sex + ldose", "binomial", "cloglog"),
  case("dobson", "counts ~ outcome + treatment", "poisson"),
  case("clotting", "lot1 ~ log(u)", "Gamma"),
  case("clotting", "lot1 ~ log(u)", "inverse.gaussian", "inverse"),
  case("warpbreaks", "breaks ~ wool * tension", "quasipoisson"),
  case("mtcars", "mpg ~ ns(hp, df = 3) + factor(cyl)", "gaussian"),
  case("mtcars", "mpg ~ poly(wt, 2) + qsec", "gaussian", "log", "hp"),
  case("PlantGrowth", "weight ~ group - 1", "gaussian"),
  case("quine", "Days ~ Sex + Age + Eth", "negative.binomial"),
  case("quine", "Days ~ Sex + Age", "negative.binomial", "sqrt"),
  case("quine", "Days ~ Sex", "negative.binomial", "identity"))
lines <- character()
for (i in seq_along(cases)) {
  k <- cases[[i]]
  d <- read.csv(file.path("published", paste0(k$table, ".csv")), stringsAsFactors = TRUE)
  d$.w <- if (is.null(k$weights)) 1 else d[[k$weights]]
  formula <- as.formula(k$formula)
  negative <- k$family == "negative.binomial"
  if (negative) {
    fit <- do.call(glm.nb, c(list(formula, quote(d), control = control), if (!is.null(k$link)) list(link = k$link)))
    family <- do.call(negative.binomial, list(theta = fit$theta, link = if (is.null(k$link)) "log" else k$link))
  } else {
    family <- if (is.null(k$link)) get(k$family)() else do.call(k$family, list(link = k$link))
    start <- if (identical(k$link, "log") && k$family == "gaussian") c(3, rep(0, 3)) else NULL
    fit <- glm(formula, family, d, weights = .w, start = start, control = control)
    for (again in 1:20) fit <- glm(formula, family, d, weights = .w, start = coef(fit), control = control)
  }
  options <- paste0("--family|", k$family, "|--formula|", k$formula, if (!is.null(k$link)) paste0("|--link|", k$link),
    if (!is.null(k$weights)) paste0("|--weights|", k$weights))
  add <- function(what, row, values) {
    lines <<- c(lines, paste(i, what, row, ifelse(is.na(values), "NA", sprintf("%.15g", values)), sep = "\t"))
  }
  lines <- c(lines, paste(i, "model", k$table, options, sep = "\t"))
  dispersion <- summary(fit)$dispersion
  if (negative) add("size", 1, c(fit$theta))
  names <- names(coef(fit))
  wald <- confint.default(fit)
  add("wald low", names, wald[, 1]); add("wald high", names, wald[, 2])
  x <- model.matrix(fit)
  rise <- function(j, b) {
    start <- coef(fit)[-j]
    f <- suppressWarnings(glm.fit(x[, -j, drop = FALSE], fit$y, fit$prior.weights, offset = x[, j] * b, family = family,
      start = start, control = control))
    sqrt(max(0, f$deviance - fit$deviance) / dispersion) - qnorm(0.975)
  }
  for (j in seq_along(names)) for (side in c(-1, 1)) {
    se <- sqrt(vcov(fit)[j, j])
    end <- tryCatch({
      far <- 2
      while (rise(j, coef(fit)[j] + side * far * se) < 0) far <- far * 1.2
      uniroot(function(t) rise(j, coef(fit)[j] + side * t * se), c(0.5, far), tol = 1e-11)$root
    }, error = function(e) NA)
    # Outside of the link's domain R finds no fit; such ends are left out.
    if (!is.na(end)) add(if (side < 0) "profile low" else "profile high", names[j], coef(fit)[[j]] + side * end * se)
  }
  add("vcov", outer(names, names, paste, sep = "|"), vcov(fit))
  table <- suppressWarnings(anova(fit, test = if (dispersion == 1) "Chisq" else "F"))
  add("anova deviance", rownames(table), table$Deviance)
  add("anova residual", rownames(table), table[["Resid. Dev"]])
  add("anova p", rownames(table), table[[ncol(table)]])
  rows <- head(seq_along(fitted(fit)), 40)
  each <- function(what, values) add(what, rows, unname(values)[rows])
  for (type in c("deviance", "pearson", "response", "working")) each(type, residuals(fit, type))
  each("hat", hatvalues(fit))
  each("std deviance", rstandard(fit)); each("std pearson", rstandard(fit, type = "pearson"))
  each("cook", cooks.distance(fit))
  link <- predict(fit, d, se.fit = TRUE); response <- predict(fit, d, type = "response", se.fit = TRUE)
  each("link", link$fit); each("link se", link$se.fit)
  each("fitted", response$fit); each("response se", response$se.fit)
}
writeLines(c("case\twhat\trow\tvalue", lines), "after.tsv")
