# The pieces of an envelope for rejection sampling from the posterior of a generalised linear model (Nygren and Nygren 2006),
# over the engine's values and gradients.

Ex_glmbfamfunc <- function(family) {
    if (is.character(family)) family <- get(family, mode = "function", envir = parent.frame())
    if (is.function(family)) family <- family()
    if (!inherits(family, "family")) stop("'family' must be a family such as binomial(logit)", call. = FALSE)
    spec <- engine_family(family)
    at <- function(b, y, x, mu, P, alpha, wt) {
        x <- as.matrix(x)
        f2_f3(family, spec$link, matrix(as.double(b), ncol = 1L), as.vector(y), x, as.vector(mu), as.matrix(P),
              rep_len(as.vector(alpha), nrow(x)), rep_len(as.vector(wt), nrow(x)))
    }
    f1 <- function(b, y, x, alpha = 0, wt = 1) {
        p <- ncol(as.matrix(x))
        at(b, y, x, rep(0, p), matrix(0, p, p), alpha, wt)$qf
    }
    f2 <- function(b, y, x, mu, P, alpha = 0, wt = 1) at(b, y, x, mu, P, alpha, wt)$qf
    f3 <- function(b, y, x, mu, P, alpha = 0, wt = 1) as.vector(at(b, y, x, mu, P, alpha, wt)$grad)
    predictor <- function(b, x, alpha) as.vector(as.matrix(x) %*% as.double(b)) + as.vector(alpha)
    f4 <- function(b, y, x, alpha = 0, wt = 1, dispersion = 1) {
        mean <- family$linkinv(predictor(b, x, alpha))
        sum(family$dev.resids(as.vector(y), mean, rep_len(as.vector(wt), length(mean)))) / dispersion
    }
    f7 <- function(b, y, x, mu, P, alpha = 0, wt = 1) {
        x <- as.matrix(x)
        eta <- predictor(b, x, alpha)
        weight <- rep_len(as.vector(wt), length(eta)) * family$mu.eta(eta)^2 / family$variance(family$linkinv(eta))
        crossprod(x, weight * x)
    }
    structure(list(f1 = f1, f2 = f2, f3 = f3, f4 = f4, f7 = f7), class = "Ex_glmbfamfunc", family = family)
}

print.Ex_glmbfamfunc <- function(x, ...) {
    family <- attr(x, "family")
    cat("Functions of the family ", family$family, " with the link ", family$link, "\n", sep = "")
    cat("  f1  negative log-likelihood        (b, y, x, alpha, wt)\n")
    cat("  f2  negative log-posterior         (b, y, x, mu, P, alpha, wt)\n")
    cat("  f3  gradient of f2                 (b, y, x, mu, P, alpha, wt)\n")
    cat("  f4  deviance                       (b, y, x, alpha, wt, dispersion)\n")
    cat("  f7  expected curvature             (b, y, x, mu, P, alpha, wt)\n")
    invisible(x)
}

Ex_EnvelopeEval <- function(G4, y, x, mu, P, alpha, wt, family, link, use_opencl = FALSE, verbose = FALSE) {
    found <- f2_f3(family, link, as.matrix(G4), as.vector(y), as.matrix(x), as.vector(mu), as.matrix(P), as.vector(alpha),
                   as.vector(wt), use_opencl = use_opencl, verbose = verbose)
    list(NegLL = found$qf, cbars = found$grad)
}

# Candidates for each draw, at most, in a coordinate with three tangents: theorem 3 of Nygren and Nygren (2006).
three_tangents <- 2 / sqrt(pi)

check_precisions <- function(a, name) {
    a <- number_vector(as.vector(a), name)
    if (any(a < 0)) stop(gettextf("'%s' is %s, but must not be negative", name, format(a[a < 0][1L])), call. = FALSE, domain = NA)
    a
}

Ex_EnvelopeOpt <- function(a1, n, core_cnt = 1L) {
    a1 <- check_precisions(a1, "a1")
    n <- number_vector(n, "n", 1L)
    cores <- max(1, number_vector(core_cnt, "core_cnt", 1L))
    # Coordinates get three tangents in the order of what that gains; 3^k tangents are built, by all cores together, and each
    # draw takes as many candidates as the product says. A tangent costs about what a candidate does: one evaluation.
    order <- order(a1, decreasing = TRUE)
    one <- sqrt(1 + a1[order])
    k <- seq.int(0L, length(a1))
    candidates <- exp(k * log(three_tangents) + c(rev(cumsum(rev(log(one)))), 0))
    best <- k[which.min(3^k / cores + n * candidates)]
    sizes <- rep(1L, length(a1))
    sizes[order[seq_len(best)]] <- 3L
    sizes
}

Ex_EnvelopeSize <- function(a, G1, Gridtype = 2L, n = 1000L, n_envopt = -1, use_opencl = FALSE, verbose = FALSE) {
    a <- check_precisions(a, "a")
    G1 <- unname(number_matrix(as.matrix(G1), "G1", rows = 3L, columns = length(a)))
    if (!is.numeric(Gridtype) || length(Gridtype) != 1L || !Gridtype %in% 1:4) stop("'Gridtype' must be 1, 2, 3 or 4", call. = FALSE)
    draws <- if (number_vector(n_envopt, "n_envopt", 1L) > 0) n_envopt else n
    one <- sqrt(1 + a)
    cores <- if (isTRUE(use_opencl) && device_for(TRUE, verbose)) max(1L, parallel_units()) else 1L
    sizes <- switch(Gridtype,
        ifelse(one <= three_tangents, 1L, 3L),
        Ex_EnvelopeOpt(a, draws, cores),
        rep(3L, length(a)),
        rep(1L, length(a)))
    single <- sizes == 1L
    points <- lapply(seq_along(a), function(i) if (single[i]) G1[2L, i] else as.vector(G1[, i]))
    # 1, 2, 3: below, at and above the mode; 4: everywhere.
    index <- lapply(single, function(is_single) if (is_single) 4L else 1:3)
    expected <- prod(ifelse(single, one, three_tangents))
    if (isTRUE(verbose)) {
        message(sprintf("%d tangents (%s for each coordinate), %.4g candidates for each draw", as.integer(prod(sizes)),
                        paste(sizes, collapse = ", "), expected))
    }
    list(G2 = points, GIndex1 = index, E_draws = expected, gridindex = sizes)
}

parallel_units <- function() {
    units <- gm_call("device_units")
    if (is.null(units)) 1L else units
}

Ex_glmb_Standardize_Model <- function(y, x, P, bstar, A1) {
    x <- number_matrix(as.matrix(x), "x")
    p <- ncol(x)
    if (length(y) != nrow(x)) stop(gettextf("'y' has length %d, but 'x' has %d rows", length(y), nrow(x)), call. = FALSE, domain = NA)
    P <- number_matrix(as.matrix(P), "P", p, p)
    A1 <- number_matrix(as.matrix(A1), "A1", p, p)
    bstar <- number_vector(as.vector(bstar), "bstar", p)
    positive <- function(m, name) {
        found <- eigen((m + t(m)) / 2, symmetric = TRUE)
        if (any(found$values <= 0)) stop(gettextf("'%s' must be positive definite", name), call. = FALSE, domain = NA)
        found
    }
    # First: the posterior's precision becomes the identity.
    posterior <- positive(A1, "A1")
    L2 <- sqrt(posterior$values) * t(posterior$vectors)
    L2Inv <- posterior$vectors %*% diag(1 / sqrt(posterior$values), p)
    prior <- crossprod(L2Inv, P %*% L2Inv)
    # Then: as much of the prior as leaves a rest that is positive definite, and is diagonal, stays the prior; the rest counts
    # as likelihood. The largest multiple of the diagonal is the least eigenvalue of what the diagonal makes of it.
    diagonal <- diag(prior)
    scaled <- prior / sqrt(outer(diagonal, diagonal))
    share <- min(positive(scaled, "P")$values) * (1 - 1e-9)
    epsilon <- pmin(share * diagonal, 1 - 1e-9)
    # Last: that diagonal becomes the identity, and so the data's precision a diagonal.
    L3Inv <- diag(1 / sqrt(epsilon), p)
    rest <- prior - diag(epsilon, p)
    P2 <- L3Inv %*% rest %*% L3Inv
    list(bstar2 = matrix(sqrt(epsilon) * as.vector(L2 %*% bstar), ncol = 1L), A = diag((1 - epsilon) / epsilon, p),
         x2 = x %*% L2Inv %*% L3Inv, mu2 = matrix(0, p, 1L), P2 = (P2 + t(P2)) / 2, L2Inv = L2Inv, L3Inv = L3Inv)
}
