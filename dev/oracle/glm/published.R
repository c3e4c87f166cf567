# What R prints for fits of published tables that ship with R and MASS: writes published/*.csv (the tables) and
# published/printed.tsv, one line for each number that `summary` prints. Fits are iterated until nothing changes, because R's
# default stops earlier and takes the standard errors from the step before the last.
# Columns of printed.tsv: case, table, options of `gristmill glm`, what, text.
# Run in this folder: Rscript published.R [folder to write to]   (needs MASS for anorexia, quine and glm.nb)
suppressMessages(library(MASS))
library(splines)
arguments <- commandArgs(trailingOnly = TRUE)
out <- file.path(if (length(arguments) > 0) arguments[1] else ".", "published")
dir.create(out, showWarnings = FALSE)
Sys.setlocale("LC_COLLATE", "C")
options(width = 200, digits = 7)

# Factors in the order of their characters' code points, as text columns have them here.
plain <- function(d) { for (n in names(d)) if (is.factor(d[[n]])) d[[n]] <- as.character(d[[n]]); as.data.frame(d) }
esoph2 <- data.frame(plain(data.frame(agegp = gsub("[+]", "up", esoph$agegp), alcgp = substr(esoph$alcgp, 1, 2),
  tobgp = substr(esoph$tobgp, 1, 2))), ncases = esoph$ncases, ncontrols = esoph$ncontrols)
tables <- list(esoph = esoph2, warpbreaks = plain(warpbreaks), infert = plain(infert), mtcars = mtcars,
  InsectSprays = plain(InsectSprays), ToothGrowth = plain(ToothGrowth), PlantGrowth = plain(PlantGrowth),
  airquality = airquality, swiss = swiss, trees = trees, stackloss = stackloss, anorexia = plain(anorexia), quine = plain(quine),
  chickwts = plain(chickwts), npk = plain(npk), cars = cars,
  dobson = data.frame(counts = c(18, 17, 15, 20, 10, 20, 25, 13, 12), outcome = rep(c("a", "b", "c"), 3),
    treatment = rep(c("k", "l", "m"), each = 3)),
  budworm = data.frame(ldose = rep(0:5, 2), dead = c(1, 4, 9, 13, 18, 20, 0, 2, 6, 10, 12, 16), sex = rep(c("M", "F"), each = 6)),
  clotting = data.frame(u = c(5, 10, 15, 20, 30, 40, 60, 80, 100), lot1 = c(118, 58, 42, 35, 27, 25, 21, 19, 18),
    lot2 = c(69, 35, 26, 21, 18, 16, 13, 12, 12)))
for (n in names(tables)) write.csv(tables[[n]], file.path(out, paste0(n, ".csv")), row.names = FALSE, quote = FALSE)
tables <- lapply(tables, function(d) { for (n in names(d)) if (is.character(d[[n]])) d[[n]] <- factor(d[[n]]); d })

case <- function(table, formula, family, link = NULL, weights = NULL, offset = NULL, variance = NULL)
  list(table = table, formula = formula, family = family, link = link, weights = weights, offset = offset, variance = variance)
cases <- list(
  case("esoph", "cbind(ncases, ncontrols) ~ agegp + tobgp * alcgp", "binomial"),
  case("esoph", "cbind(ncases, ncontrols) ~ agegp + alcgp", "binomial", "probit"),
  case("esoph", "cbind(ncases, ncontrols) ~ agegp + alcgp", "quasibinomial"),
  case("warpbreaks", "breaks ~ wool * tension", "poisson"),
  case("warpbreaks", "breaks ~ wool + relevel(tension, ref = \"M\")", "quasipoisson"),
  case("warpbreaks", "breaks ~ wool + tension", "poisson", "sqrt"),
  case("warpbreaks", "breaks ~ wool + tension", "poisson", "identity"),
  case("infert", "case ~ spontaneous + induced", "binomial"),
  case("infert", "case ~ age + parity + education + spontaneous + induced", "binomial", "cloglog"),
  case("infert", "case ~ poly(age, 3) + spontaneous", "binomial", "cauchit"),
  case("mtcars", "am ~ wt", "binomial"),
  case("mtcars", "mpg ~ wt + factor(cyl)", "gaussian"),
  case("mtcars", "mpg ~ hp + wt", "gaussian", "log"),
  case("mtcars", "mpg ~ wt", "gaussian", "inverse"),
  case("mtcars", "mpg ~ ns(hp, df = 3) + wt", "gaussian"),
  case("mtcars", "mpg ~ bs(hp, df = 5)", "Gamma", "log"),
  case("mtcars", "mpg ~ (wt + hp + qsec)^2", "gaussian"),
  case("InsectSprays", "count ~ spray", "poisson"),
  case("InsectSprays", "count ~ spray", "quasi", "log", variance = "mu"),
  case("ToothGrowth", "len ~ supp * dose", "gaussian"),
  case("ToothGrowth", "len ~ supp + log(dose)", "Gamma", "inverse"),
  case("PlantGrowth", "weight ~ group", "gaussian"),
  case("airquality", "Ozone ~ Solar.R + Wind + Temp", "gaussian"),
  case("airquality", "Ozone ~ Wind + Temp", "Gamma", "log"),
  case("swiss", "Fertility ~ .", "gaussian"),
  case("trees", "Volume ~ log(Girth) + log(Height)", "Gamma", "log"),
  case("trees", "Volume ~ I(Girth^2):Height - 1", "Gamma", "identity"),
  case("stackloss", "stack.loss ~ Air.Flow + Water.Temp + Acid.Conc.", "gaussian"),
  case("anorexia", "Postwt ~ Prewt + Treat + offset(Prewt)", "gaussian"),
  case("chickwts", "weight ~ feed", "inverse.gaussian"),
  case("chickwts", "weight ~ feed", "inverse.gaussian", "log"),
  case("npk", "yield ~ factor(block) + factor(N) * factor(P) * factor(K)", "gaussian"),
  case("dobson", "counts ~ outcome + treatment", "poisson"),
  case("dobson", "counts ~ outcome + treatment", "quasi", "identity", variance = "constant"),
  case("budworm", "cbind(dead, 20 - dead) ~ sex * ldose", "binomial"),
  case("infert", "case ~ spontaneous", "binomial", "log"),
  case("budworm", "dead/20 ~ sex + ldose - 1", "binomial", weights = "20 + 0 * dead"),
  case("clotting", "lot1 ~ log(u)", "Gamma"),
  case("clotting", "lot2 ~ log(u)", "Gamma"),
  case("clotting", "lot1 ~ log(u)", "inverse.gaussian", "inverse"),
  case("cars", "dist ~ speed", "quasi", "log", variance = "mu^2"),
  case("quine", "Days ~ Sex + Age + Eth + Lrn", "negative.binomial"),
  case("quine", "Days ~ Sex/(Age + Eth*Lrn)", "negative.binomial"))

fitted_case <- function(c) {
  d <- tables[[c$table]]
  formula <- formula(terms(as.formula(c$formula), data = d))
  if (c$family == "negative.binomial")
    return(glm.nb(formula, d, control = glm.control(epsilon = 1e-12, maxit = 200)))
  d$.w <- if (is.null(c$weights)) 1 else eval(parse(text = c$weights), d)
  family <- switch(c$family, quasi = do.call(quasi, list(link = c$link, variance = c$variance)),
    if (is.null(c$link)) get(c$family)() else do.call(c$family, list(link = c$link)))
  d$.e <- NULL
  start <- NULL
  if (c$family == "binomial" && identical(c$link, "log")) start <- c(-1.5, 0.2)
  for (again in 1:40) {
    fit <- suppressWarnings(glm(formula, family, d, weights = .w, start = if (is.null(d$.e)) start,
      etastart = d$.e, control = glm.control(epsilon = 1e-11, maxit = 500)))
    d$.e <- rep(family$linkfun(0.5), nrow(d))
    d[names(fit$linear.predictors), ".e"] <- fit$linear.predictors
  }
  fit
}

lines <- character()
for (i in seq_along(cases)) {
  c <- cases[[i]]
  fit <- tryCatch(fitted_case(c), error = function(e) stop(paste("case", i, c$formula, conditionMessage(e))))
  text <- capture.output(print(summary(fit)))
  options <- paste0("--family|", c$family, "|--formula|", c$formula, if (!is.null(c$link)) paste0("|--link|", c$link),
    if (!is.null(c$variance)) paste0("|--variance|", c$variance), if (!is.null(c$weights)) paste0("|--weights|", c$weights))
  add <- function(what, value) lines <<- c(lines, paste(i, c$table, options, what, value, sep = "\t"))
  names <- names(coef(fit))
  head <- grep("^ +Estimate Std. Error", text)
  for (n in names) {
    row <- text[head + 1:length(names)]
    row <- row[substr(row, 1, nchar(n) + 1) == paste0(n, " ")][1]
    cells <- strsplit(trimws(substring(row, nchar(n) + 1)), " +")[[1]]
    cells <- cells[!grepl("^(\\*+|\\.)$", cells)]
    if (length(cells) == 5 && cells[4] == "<") cells <- c(cells[1:3], paste0("<", cells[5]))
    add(paste0("coefficient ", n), paste(cells[1:4], collapse = "|"))
  }
  pick <- function(pattern) sub(pattern, "\\1", grep(pattern, text, value = TRUE)[1])
  add("dispersion", pick("^\\(Dispersion parameter for .* taken to be (.*)\\)$"))
  add("null deviance", trimws(pick("^ *Null deviance: +([^ ]+) +on.*$")))
  add("null degrees", trimws(pick("^ *Null deviance: +[^ ]+ +on +([0-9]+) .*$")))
  add("deviance", trimws(pick("^Residual deviance: +([^ ]+) +on.*$")))
  add("degrees", trimws(pick("^Residual deviance: +[^ ]+ +on +([0-9]+) .*$")))
  add("aic", trimws(pick("^AIC: (.*)$")))
  if (c$family == "negative.binomial") {
    add("theta", trimws(pick("^ *Theta: +(.*)$")))
    add("theta sd", trimws(pick("^ *Std. Err.: +(.*)$")))
    add("log-likelihood", trimws(pick("^ *2 x log-likelihood: +(.*)$")))
  }
}
writeLines(c("case\ttable\toptions\twhat\ttext", lines), file.path(out, "printed.tsv"))
