# The pieces of an envelope for the posterior of a model.
library(gristmill)
gm_threads(2)

age <- c(-3.8, -2.8, -1.7, -0.9, -0.2, 0.6, 1.3, 2.1, 3.3, 4.6)
x <- cbind(1, age)
total <- c(376, 200, 93, 120, 90, 88, 105, 111, 100, 1049)
hits <- c(0, 0, 2, 10, 30, 56, 85, 102, 99, 1049)
y <- hits / total
mu <- c(0, 0.7324)
P <- solve(diag(c(1.207, 1.207)))
alpha <- drop(x %*% mu)
funs <- Ex_glmbfamfunc(binomial(logit))
expect_equal(names(funs), c("f1", "f2", "f3", "f4", "f7"))
expect_true(any(grepl("binomial", capture.output(print(funs)))))
zero <- c(0, 0)
at <- function(b) -sum(dbinom(hits, total, plogis(drop(x %*% b) + alpha), log = TRUE))
b <- c(0.3, -0.2)
expect_equal(funs$f1(b, y, x, alpha, total), at(b))
expect_equal(funs$f2(b, y, x, zero, P, alpha, total), at(b) + 0.5 * sum(b * (P %*% b)))
expect_equal(funs$f4(b, y, x, alpha, total), 2 * (at(b) + sum(dbinom(hits, total, y, log = TRUE))))
p <- plogis(drop(x %*% b) + alpha)
expect_equal(unname(funs$f7(b, y, x, zero, P, alpha, total)), unname(crossprod(x, total * p * (1 - p) * x)))

mode <- optim(zero, funs$f2, funs$f3, y = y, x = x, mu = zero, P = P, alpha = alpha, wt = total, method = "BFGS", hessian = TRUE,
              control = list(reltol = 1e-14))
expect_true(max(abs(funs$f3(mode$par, y, x, zero, P, alpha, total))) < 1e-2)
model <- Ex_glmb_Standardize_Model(y, x, P, matrix(mode$par), mode$hessian)
expect_equal(names(model), c("bstar2", "A", "x2", "mu2", "P2", "L2Inv", "L3Inv"))
# back to the coefficients; the prior is the identity, the data's precision a diagonal, and both together the posterior's
back <- model$L2Inv %*% model$L3Inv
expect_equal(drop(back %*% model$bstar2), mode$par)
expect_equal(model$x2, unname(x) %*% back)
expect_equal(crossprod(back, mode$hessian %*% back), model$A + diag(2), tolerance = 1e-8)
expect_equal(crossprod(back, P %*% back), model$P2 + diag(2), tolerance = 1e-8)
expect_equal(model$A[1, 2], 0)
expect_true(all(eigen(model$P2)$values > -1e-6))

a <- diag(model$A)
omega <- (sqrt(2) - exp(-1.20491 - 0.7321 * sqrt(0.5 + a))) / sqrt(1 + a)
mid <- as.vector(model$bstar2)
G1 <- rbind(mid - omega, mid, mid + omega)
three <- Ex_EnvelopeSize(a, G1, Gridtype = 3L, n = 1000)
expect_equal(names(three), c("G2", "GIndex1", "E_draws", "gridindex"))
expect_equal(three$E_draws, (2 / sqrt(pi))^2)
expect_equal(three$gridindex, c(3L, 3L))
one <- Ex_EnvelopeSize(a, G1, Gridtype = 4L)
expect_equal(one$E_draws, prod(sqrt(1 + a)))
expect_equal(one$G2, list(mid[1], mid[2]))
expect_equal(Ex_EnvelopeSize(c(0.1, 5), cbind(1:3, 4:6), Gridtype = 1L)$gridindex, c(1L, 3L))
# more draws are worth more tangents, and more cores build more of them
expect_equal(Ex_EnvelopeOpt(c(0.5, 0.01, 0.5), 1), c(1L, 1L, 1L))
expect_equal(Ex_EnvelopeOpt(c(5, 0.01, 5), 10000), c(3L, 1L, 3L))
expect_true(sum(Ex_EnvelopeOpt(c(2, 2, 2), 20, 100)) >= sum(Ex_EnvelopeOpt(c(2, 2, 2), 20, 1)))
expect_equal(Ex_EnvelopeSize(a, G1, n = 1e5)$gridindex, Ex_EnvelopeOpt(a, 1e5))

G4 <- t(as.matrix(do.call(expand.grid, three$G2)))
for (opencl in c(FALSE, TRUE)) {
    found <- Ex_EnvelopeEval(G4, y, model$x2, model$mu2, model$P2, alpha, total, "binomial", "logit", use_opencl = opencl)
    expect_equal(dim(found$cbars), c(9L, 2L))
    expect_equal(found$NegLL[5], at(mode$par) + 0.5 * sum(mid * (model$P2 %*% mid)))
    # At the mode the likelihood's slope is minus the prior's.
    expect_equal(found$cbars[5, ], -mid, tolerance = 1e-3)
}
expect_error(Ex_EnvelopeOpt(-1, 10), "'a1'")
expect_error(Ex_EnvelopeSize(a, G1, Gridtype = 5L), "'Gridtype'")
expect_error(Ex_EnvelopeSize(a, G1[1:2, ]), "G1")
expect_error(Ex_glmb_Standardize_Model(y, x, -P, zero, mode$hessian), "'P'")
expect_error(Ex_glmbfamfunc(3), "'family'")
