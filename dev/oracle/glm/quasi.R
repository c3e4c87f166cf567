# What R's `glm` gives for the family quasi, each variance with each link, on ten rows: writes quasi.tsv.
# Columns: variance, link, the two coefficients, their standard errors, deviance, dispersion.
# Run in this folder: Rscript quasi.R > quasi.tsv
x <- c(0.1,0.4,0.5,0.9,1.2,1.3,1.7,2.0,2.4,2.9)
y <- c(0.21,0.30,0.26,0.35,0.33,0.47,0.41,0.52,0.60,0.62)
w <- c(1,2,1,3,1,1,2,1,4,1)
for (v in c("constant","mu(1-mu)","mu","mu^2","mu^3"))
for (l in c("logit","probit","cloglog","cauchit","log","inverse","identity","sqrt","1/mu^2")) {
  f <- eval(parse(text=sprintf('quasi(link=make.link("%s"), variance="%s")', l, v)))
  m <- suppressWarnings(glm(y ~ x, family = f, weights = w, control = list(epsilon = 1e-15, maxit = 500)))
  s <- summary(m)
  cat(v, l, sprintf("%.17g", c(coef(m), s$coefficients[, 2], deviance(m), s$dispersion)), sep = "\t")
  cat("\n")
}
