# Generalised linear models. R's own model frames make the model matrix; the search for the mode is the engine's.

glm_links <- function() gm_call("glm_links")

# What the engine calls a family of R, with what else it needs: the size of a negative binomial, the variance of `quasi`.
engine_family <- function(family, y = NULL, weights = NULL) {
    name <- family$family
    spec <- list(family = name, link = family$link, size = NULL, variance = NULL)
    if (startsWith(name, "Negative Binomial")) {
        theta <- get0(".Theta", envir = environment(family$variance))
        if (is.null(theta)) theta <- as.numeric(sub("^Negative Binomial\\((.*)\\)$", "\\1", name))
        if (length(theta) != 1L || is.na(theta)) stop("`family` is a negative binomial whose size is not known", call. = FALSE)
        spec$family <- "negative.binomial"
        spec$size <- as.double(theta)
    } else if (identical(name, "quasi")) {
        spec$variance <- family$varfun
    }
    links <- glm_links()
    known <- match(tolower(spec$family), tolower(names(links)))
    if (is.na(known)) {
        stop(sprintf("`family` is `%s`, but must be one of %s", name, paste0("`", names(links), "`", collapse = ", ")), call. = FALSE)
    }
    spec$family <- names(links)[known]
    # The likelihoods of counts are those of whole numbers; what is not whole has the same mode under the quasi family.
    if (!is.null(y)) {
        whole <- function(v) all(abs(v - round(v)) <= 1e-7 * pmax(1, abs(v)))
        if (spec$family == "binomial" && !(whole(weights) && whole(weights * y))) spec$family <- "quasibinomial"
        if (spec$family == "poisson" && !whole(y)) spec$family <- "quasipoisson"
    }
    spec
}

# The arguments of the engine's operations on a model.
glm_arguments <- function(spec, x, y, weights, offset, prior, constants = FALSE) {
    list(spec$family, spec$link, spec$size, spec$variance, constants,
              as.double(x), as.double(ncol(x)), as.double(y), as.double(weights), as.double(offset),
              if (is.null(prior)) NULL else as.double(prior$mean),
              if (is.null(prior)) NULL else as.double(prior$precision))
}

gm_prior <- function(mean = 0, sd = NULL, precision = NULL, covariance = NULL, dispersion = NULL) {
    given <- c(sd = !is.null(sd), precision = !is.null(precision), covariance = !is.null(covariance))
    if (sum(given) != 1L) {
        stop("give one of `sd`, `precision` and `covariance`", if (any(given)) paste0(", not ", paste0("`", names(given)[given], "`", collapse = " and ")), call. = FALSE)
    }
    finite <- function(v, what) {
        if (!is.numeric(v) || !length(v) || anyNA(v)) stop(sprintf("`%s` must be numbers without NA", what), call. = FALSE)
    }
    finite(mean, "mean")
    if (any(is.infinite(mean))) stop("`mean` must be finite", call. = FALSE)
    if (given["sd"]) {
        finite(sd, "sd")
        if (any(sd <= 0)) stop(sprintf("`sd` is %s, but must be > 0", format(sd[sd <= 0][1L])), call. = FALSE)
    }
    if (given["precision"]) finite(precision, "precision")
    if (given["covariance"]) {
        finite(covariance, "covariance")
        if (is.matrix(covariance)) {
            names <- dimnames(covariance)
            precision <- tryCatch(chol2inv(chol(covariance)), error = function(e) {
                stop("`covariance` must be symmetric and positive definite", call. = FALSE)
            })
            dimnames(precision) <- names
        } else {
            if (any(covariance <= 0)) stop("`covariance` must be > 0", call. = FALSE)
            precision <- 1 / covariance
        }
    }
    if (given["sd"]) precision <- 1 / sd^2
    if (!is.null(dispersion) && !(is.numeric(dispersion) && length(dispersion) == 1L && is.finite(dispersion) && dispersion > 0)) {
        stop("`dispersion` must be a number > 0", call. = FALSE)
    }
    structure(list(mean = mean, precision = precision, dispersion = dispersion), class = "gm_prior")
}

print.gm_prior <- function(x, ...) {
    cat("Normal prior\n  mean: ")
    print(x$mean, ...)
    cat("  precision:", if (is.matrix(x$precision)) "\n" else " ")
    print(x$precision, ...)
    if (!is.null(x$dispersion)) cat("  dispersion: ", format(x$dispersion), "\n", sep = "")
    invisible(x)
}

# A prior for these coefficients: a mean for each, and the whole matrix.
resolve_prior <- function(prior, names) {
    if (is.null(prior)) return(NULL)
    if (!inherits(prior, "gm_prior")) {
        if (!is.list(prior)) stop("`prior` must be NULL or from gm_prior()", call. = FALSE)
        prior <- do.call(gm_prior, prior)
    }
    p <- length(names)
    each <- function(v, what, default) {
        if (is.null(names(v))) {
            if (length(v) == 1L) return(rep(as.double(v), p))
            if (length(v) == p) return(as.double(v))
            stop(sprintf("the prior's `%s` has %d numbers, but there are %d coefficients: %s", what, length(v), p,
                                      paste0("`", names, "`", collapse = ", ")), call. = FALSE)
        }
        unknown <- setdiff(names(v), names)
        if (length(unknown)) {
            stop(sprintf("the prior's `%s` names `%s`, but the coefficients are %s", what, unknown[1L],
                                      paste0("`", names, "`", collapse = ", ")), call. = FALSE)
        }
        all <- rep(default, p)
        all[match(names(v), names)] <- as.double(v)
        all
    }
    precision <- prior$precision
    if (is.matrix(precision)) {
        if (nrow(precision) != p || ncol(precision) != p) {
            stop(sprintf("the prior's precision is a matrix of %d x %d, but there are %d coefficients", nrow(precision), ncol(precision), p), call. = FALSE)
        }
        if (!is.null(colnames(precision)) && setequal(colnames(precision), names)) {
            order <- match(names, colnames(precision))
            precision <- precision[order, order, drop = FALSE]
        }
    } else {
        precision <- diag(each(precision, "precision", 0), nrow = p)
    }
    list(mean = each(prior$mean, "mean", 0), precision = unname(precision),
              dispersion = if (is.null(prior$dispersion)) 1 else prior$dispersion)
}

gm_glm.fit <- function(x, y, weights = rep.int(1, nobs), start = NULL, etastart = NULL, mustart = NULL,
                                              offset = rep.int(0, nobs), family = gaussian(), control = list(), intercept = TRUE,
                                              singular.ok = TRUE, prior = NULL) {
    x <- as.matrix(x)
    names_of_rows <- if (is.matrix(y)) rownames(y) else names(y)
    names_of_columns <- dimnames(x)[[2L]]
    if (is.null(names_of_columns)) names_of_columns <- if (ncol(x)) paste0("x", seq_len(ncol(x))) else character()
    nobs <- NROW(y)
    nvars <- ncol(x)
    if (is.null(weights)) weights <- rep.int(1, nobs)
    if (is.null(offset)) offset <- rep.int(0, nobs)
    if (!is.numeric(weights)) stop("`weights` must be numbers", call. = FALSE)
    # The family's own reading of the response: factors, successes and failures, and what it refuses.
    n <- NULL
    eval(family$initialize)
    prior <- resolve_prior(prior, names_of_columns)
    dispersion <- if (is.null(prior)) 1 else prior$dispersion
    spec <- engine_family(family, y, weights / dispersion)
    fit <- do.call(gm_call, c("glm_fit", glm_arguments(spec, x, y, weights / dispersion, offset, prior), intercept))
    aliased <- fit$aliased
    if (!singular.ok && any(aliased)) stop("singular fit encountered")
    coefficients <- fit$coefficients
    coefficients[aliased] <- NA_real_
    names(coefficients) <- names_of_columns
    eta <- if (any(!aliased)) drop(x[, !aliased, drop = FALSE] %*% fit$coefficients[!aliased]) + offset else offset
    eta <- as.vector(eta)
    mu <- family$linkinv(eta)
    slope <- family$mu.eta(eta)
    good <- weights > 0 & slope != 0
    working <- ifelse(good, weights * slope^2 / family$variance(mu), 0)
    residuals <- (y - mu) / slope
    deviance <- sum(family$dev.resids(y, mu, weights))
    rank <- sum(!aliased)
    used <- nobs - sum(weights == 0)
    wtdmu <- if (intercept) sum(weights * y) / sum(weights) else family$linkinv(offset)
    null_deviance <- sum(family$dev.resids(y, wtdmu, weights))
    converged <- fit$outcome == "converged"
    if (fit$outcome == "separated") {
        warning("gm_glm: there is no mode: the likelihood rises as ",
                        paste0("`", names_of_columns[fit$separated], "`", collapse = ", "),
                        " go to infinity; a prior gives them one", call. = FALSE)
    } else if (!converged) {
        warning("gm_glm: algorithm did not converge", call. = FALSE)
    }
    edge <- 10 * .Machine$double.eps
    if (family$family == "binomial" && any(mu > 1 - edge | mu < edge)) {
        warning("gm_glm: fitted probabilities numerically 0 or 1 occurred", call. = FALSE)
    }
    if (family$family == "poisson" && any(mu < edge)) {
        warning("gm_glm: fitted rates numerically 0 occurred", call. = FALSE)
    }
    named <- function(v) {
        names(v) <- names_of_rows
        v
    }
    decomposition <- NULL
    if (nvars > 0L) decomposition <- weighted_qr(x, sqrt(working), aliased, names_of_columns)
    effects <- NULL
    if (!is.null(decomposition)) {
        rows <- seq_len(nobs)
        response <- sqrt(working) * (eta - offset + residuals)
        response[working == 0] <- 0
        effects <- qr.qty(decomposition$qr, response)
        names(effects) <- c(names_of_columns[decomposition$qr$pivot[seq_len(rank)]], rep.int("", nobs - rank))[rows]
    }
    covariance <- function(v) {
        m <- matrix(v, nvars, nvars, dimnames = list(names_of_columns, names_of_columns))
        m[is.nan(m)] <- NA_real_
        m
    }
    result <- list(
        coefficients = coefficients, residuals = named(residuals), fitted.values = named(mu), effects = effects,
        R = decomposition$R, rank = rank, qr = decomposition$qr, family = family, linear.predictors = named(eta),
        deviance = deviance, aic = family$aic(y, n, mu, weights, deviance) + 2 * rank, null.deviance = null_deviance,
        iter = fit$iterations, weights = named(working), prior.weights = named(weights), df.residual = used - rank,
        df.null = used - as.integer(intercept), y = named(y), converged = converged, boundary = FALSE,
        gm = list(prior = prior, outcome = fit$outcome, covariance = covariance(fit$covariance),
                            expected_covariance = covariance(fit$expected_covariance), value = fit$value)
    )
    if (is.null(decomposition)) result[c("effects", "R", "qr")] <- NULL
    result
}

# The decomposition of the weighted model matrix that R's methods for models work with: aliased columns come last.
weighted_qr <- function(x, root, aliased, names) {
    weighted <- x * root
    dimnames(weighted) <- dimnames(x)
    rank <- sum(!aliased)
    found <- qr(weighted, tol = 1e-11)
    if (found$rank != rank || any(aliased[found$pivot[seq_len(rank)]])) {
        order <- c(which(!aliased), which(aliased))
        found <- qr(weighted[, order, drop = FALSE], tol = 0)
        found$pivot <- order[found$pivot]
        found$rank <- rank
    }
    triangle <- as.matrix(found$qr[seq_len(min(nrow(x), ncol(x))), , drop = FALSE])
    triangle[row(triangle) > col(triangle)] <- 0
    labels <- names[found$pivot]
    dimnames(triangle) <- list(labels[seq_len(nrow(triangle))], labels)
    list(qr = structure(found[c("qr", "rank", "qraux", "pivot", "tol")], class = "qr"), R = triangle)
}

gm_glm <- function(formula, data, family = gaussian, prior = NULL, weights, subset, na.action, offset,
                                      contrasts = NULL, model = TRUE, x = FALSE, y = TRUE, ...) {
    call <- match.call()
    # R's own glm() takes the family before the data: where the data are a family, the two are meant the other way round.
    if (!missing(data) && (is.function(data) || is.character(data) || inherits(data, "family"))) {
        of_glm <- list(data = call$family, family = call$data)
        call$data <- of_glm$data
        call$family <- of_glm$family
    }
    inner <- call
    inner[[1L]] <- quote(stats::glm)
    inner$prior <- NULL
    # With an offset R fits a second model, the intercept alone, for the null deviance: that one has no prior.
    fits <- 0L
    inner$method <- function(...) {
        fits <<- fits + 1L
        gm_glm.fit(..., prior = if (fits == 1L) prior)
    }
    fit <- eval(inner, parent.frame())
    fit$call <- call
    fit$method <- gm_glm.fit
    fit$control <- list()
    class(fit) <- c("gm_glm", "glm", "lm")
    fit
}

has_prior <- function(object) !is.null(object$gm$prior)

print.gm_glm <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    if (!has_prior(x)) return(NextMethod())
    cat("\nCall:  ", paste(deparse(x$call), collapse = "\n"), "\n\nPosterior mode:\n", sep = "")
    print.default(format(x$coefficients, digits = digits), print.gap = 2L, quote = FALSE)
    cat("\nDegrees of Freedom: ", x$df.null, " Total (i.e. Null);  ", x$df.residual, " Residual\n", sep = "")
    cat("Null Deviance:     ", format(signif(x$null.deviance, digits)), "\nResidual Deviance: ",
            format(signif(x$deviance, digits)), "\n", sep = "")
    invisible(x)
}

vcov.gm_glm <- function(object, complete = TRUE, ...) {
    if (!has_prior(object)) return(NextMethod())
    covariance <- object$gm$covariance
    if (complete) return(covariance)
    kept <- !is.na(object$coefficients)
    covariance[kept, kept, drop = FALSE]
}

summary.gm_glm <- function(object, ...) {
    if (!has_prior(object)) return(NextMethod())
    mode <- object$coefficients
    sd <- sqrt(diag(object$gm$covariance))
    z <- mode / sd
    table <- cbind(Mode = mode, "Std. Dev." = sd, "z value" = z, "Pr(>|z|)" = 2 * stats::pnorm(-abs(z)))
    prior <- object$gm$prior
    structure(list(call = object$call, family = object$family, coefficients = table, deviance = object$deviance,
                                  null.deviance = object$null.deviance, df.residual = object$df.residual, df.null = object$df.null,
                                  iter = object$iter, dispersion = prior$dispersion, prior = prior, cov.scaled = object$gm$covariance,
                                  log_posterior = -object$gm$value),
                        class = "summary.gm_glm")
}

print.summary.gm_glm <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    cat("Posterior mode, and the normal distribution around it:\n")
    stats::printCoefmat(x$coefficients, digits = digits, signif.legend = TRUE, ...)
    cat("\n(Dispersion parameter for ", x$family$family, " family taken to be ", format(x$dispersion), ")\n\n", sep = "")
    cat("    Null deviance: ", format(signif(x$null.deviance, max(5L, digits + 1L))), "  on ", x$df.null, "  degrees of freedom\n", sep = "")
    cat("Residual deviance: ", format(signif(x$deviance, max(5L, digits + 1L))), "  on ", x$df.residual, "  degrees of freedom\n", sep = "")
    cat("Log-posterior at the mode: ", format(x$log_posterior, digits = digits + 3L), "\n\nNumber of Newton iterations: ", x$iter, "\n\n", sep = "")
    invisible(x)
}

# The parts of a fit that the engine needs to work on it again.
glm_parts <- function(object) {
    if (is.null(object$y)) stop("the model was fitted with `y = FALSE`, but its responses are needed", call. = FALSE)
    offset <- object$offset
    list(x = stats::model.matrix(object), y = object$y, weights = object$prior.weights,
              offset = if (is.null(offset)) rep.int(0, length(object$y)) else offset)
}

check_level <- function(level) {
    if (!is.numeric(level) || length(level) != 1L || is.na(level) || level <= 0 || level >= 1) {
        stop("`level` must be a number between 0 and 1", call. = FALSE)
    }
}

confint.gm_glm <- function(object, parm, level = 0.95, method = c("profile", "wald"), ...) {
    check_level(level)
    method <- match.arg(method)
    names <- names(object$coefficients)
    if (has_prior(object) || method == "wald") {
        # With a prior: intervals of the normal distribution around the mode.
        half <- stats::qnorm(0.5 + level / 2) * sqrt(diag(vcov(object)))
        ends <- cbind(object$coefficients - half, object$coefficients + half)
    } else {
        parts <- glm_parts(object)
        spec <- engine_family(object$family, parts$y, parts$weights)
        dispersion <- summary(object)$dispersion
        found <- do.call(gm_call, c("glm_profile",
            glm_arguments(spec, parts$x, parts$y, parts$weights, parts$offset, NULL), as.double(dispersion), as.double(level)))
        ends <- cbind(found$lower, found$upper)
        ends[is.nan(ends)] <- NA_real_
    }
    edges <- c((1 - level) / 2, 1 - (1 - level) / 2)
    dimnames(ends) <- list(names, paste(format(100 * edges, trim = TRUE, scientific = FALSE, digits = 3), "%"))
    if (missing(parm)) return(ends)
    if (is.character(parm) && anyNA(match(parm, names))) {
        stop(sprintf("`parm` names `%s`, but the coefficients are %s", parm[is.na(match(parm, names))][1L],
                                  paste0("`", names, "`", collapse = ", ")), call. = FALSE)
    }
    ends[parm, , drop = FALSE]
}

predict.gm_glm <- function(object, newdata = NULL, type = c("link", "response", "terms"), se.fit = FALSE, ...) {
    type <- match.arg(type)
    if (!has_prior(object) || !se.fit) return(NextMethod())
    if (type == "terms") stop("standard errors of terms are known for a flat prior only", call. = FALSE)
    fit <- stats::predict.glm(object, newdata = newdata, type = "link", se.fit = FALSE, ...)
    x <- if (is.null(newdata)) stats::model.matrix(object) else {
        terms <- stats::delete.response(stats::terms(object))
        frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
        stats::model.matrix(terms, frame, contrasts.arg = object$contrasts)
    }
    kept <- !is.na(object$coefficients)
    x <- x[, kept, drop = FALSE]
    se <- sqrt(rowSums((x %*% object$gm$covariance[kept, kept, drop = FALSE]) * x))
    if (type == "response") {
        se <- se * abs(object$family$mu.eta(fit))
        fit <- object$family$linkinv(fit)
    }
    list(fit = fit, se.fit = se, residual.scale = sqrt(object$gm$prior$dispersion))
}

anova.gm_glm <- function(object, ...) {
    if (has_prior(object)) stop("the analysis of deviance needs a model with a flat prior", call. = FALSE)
    NextMethod()
}

plot.gm_glm <- function(x, ...) {
    if (!has_prior(x)) return(invisible(NextMethod()))
    # The prior's and the posterior's density of each coefficient.
    kept <- which(!is.na(x$coefficients))
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(kept)))
    on.exit(graphics::par(old))
    prior_variance <- 1 / diag(x$gm$prior$precision)
    for (k in kept) {
        mode <- x$coefficients[[k]]
        sd <- sqrt(x$gm$covariance[k, k])
        at <- seq(mode - 4 * sd, mode + 4 * sd, length.out = 201L)
        graphics::plot(at, stats::dnorm(at, mode, sd), type = "l", xlab = names(x$coefficients)[k], ylab = "density", ...)
        if (is.finite(prior_variance[k])) {
            graphics::lines(at, stats::dnorm(at, x$gm$prior$mean[k], sqrt(prior_variance[k])), lty = 2)
        }
    }
    invisible(x)
}

# Numbers for the engine, or an error with the argument's name.
number_vector <- function(v, name, length = NULL) {
    if (!is.numeric(v) && !is.logical(v)) stop(sprintf("`%s` must be numbers", name), call. = FALSE)
    if (!is.null(length) && base::length(v) != length) {
        stop(sprintf("`%s` has length %d, but must have length %d", name, base::length(v), length), call. = FALSE)
    }
    bad <- which(!is.finite(v))
    if (length(bad)) stop(sprintf("`%s` is %s at %d, but must be finite", name, format(v[bad[1L]]), bad[1L]), call. = FALSE)
    as.double(v)
}

number_matrix <- function(m, name, rows = NULL, columns = NULL) {
    if (!is.matrix(m) || !(is.numeric(m) || is.logical(m))) stop(sprintf("`%s` must be a matrix of numbers", name), call. = FALSE)
    if ((!is.null(rows) && nrow(m) != rows) || (!is.null(columns) && ncol(m) != columns)) {
        stop(sprintf("`%s` is %d x %d, but must be %s x %s", name, nrow(m), ncol(m),
                                  if (is.null(rows)) nrow(m) else rows, if (is.null(columns)) ncol(m) else columns), call. = FALSE)
    }
    storage.mode(m) <- "double"
    m
}

# Whether a device computes.
device_for <- function(use_opencl, verbose) {
    if (!isTRUE(use_opencl)) return(FALSE)
    if (isFALSE(getOption("gristmill.device"))) return(FALSE)
    problem <- gm_call("device_problem")
    if (is.null(problem)) return(TRUE)
    if (isTRUE(getOption("gristmill.device_required"))) {
        stop("'gristmill.device_required' is TRUE, but there is no device: ", problem, call. = FALSE)
    }
    if (isTRUE(verbose)) message("computing on the CPU, which gives the same bits: ", problem)
    FALSE
}

f2_f3 <- function(family, link, b, y, x, mu, P, alpha = rep(0, nrow(x)), wt = rep(1, nrow(x)),
                                    use_opencl = FALSE, verbose = FALSE) {
    if (inherits(family, "family")) {
        spec <- engine_family(family)
        if (missing(link) || is.null(link)) link <- family$link
        spec$link <- link
    } else {
        if (!is.character(family) || length(family) != 1L || is.na(family)) stop("`family` must be the name of a family", call. = FALSE)
        if (missing(link)) link <- NULL
        spec <- list(family = family, link = link, size = NULL, variance = NULL)
    }
    if (!is.null(spec$link) && (!is.character(spec$link) || length(spec$link) != 1L || is.na(spec$link))) {
        stop("`link` must be the name of a link", call. = FALSE)
    }
    x <- number_matrix(x, "x")
    l1 <- nrow(x)
    l2 <- ncol(x)
    if (!is.matrix(b)) b <- matrix(b, ncol = 1L)
    if (nrow(b) != l2 && ncol(b) == l2) {
        stop(sprintf("`b` is %d x %d, but must have a row for each of the %d columns of `x`: use t(b)", nrow(b), ncol(b), l2), call. = FALSE)
    }
    b <- number_matrix(b, "b", rows = l2)
    y <- number_vector(y, "y", l1)
    wt <- number_vector(wt, "wt", l1)
    alpha <- number_vector(alpha, "alpha", l1)
    prior <- list(mean = number_vector(mu, "mu", l2), precision = number_matrix(P, "P", l2, l2))
    whole <- function(v) all(abs(v - round(v)) <= 1e-7 * pmax(1, abs(v)))
    # Weights that are no numbers of trials: the same likelihood with the constants of real arguments.
    if (tolower(spec$family) == "binomial" && !(whole(wt) && whole(wt * y))) spec$family <- "quasibinomial"
    if (tolower(spec$family) == "poisson" && !whole(y)) spec$family <- "quasipoisson"
    constants <- tolower(spec$family) %in% c("quasibinomial", "quasipoisson")
    arguments <- glm_arguments(spec, x, y, wt, alpha, prior, constants)
    found <- do.call(gm_call, c("glm_evaluate", arguments, list(as.double(b), as.double(ncol(b)), device_for(use_opencl, verbose))))
    if (verbose && !is.null(found$device)) message("evaluated on ", found$device)
    list(qf = found$qf, grad = matrix(found$grad, ncol(b), l2))
}

glm_grid <- function(object, points = NULL, around = 2, use_opencl = FALSE, verbose = FALSE) {
    if (!inherits(object, "glm")) stop("`object` must be a model of gm_glm() or glm()", call. = FALSE)
    parts <- glm_parts(object)
    names <- names(object$coefficients)
    p <- length(names)
    if (!p) stop("the model has no coefficients, so there is no grid of them", call. = FALSE)
    prior <- object$gm$prior
    dispersion <- if (is.null(prior)) 1 else prior$dispersion
    if (is.null(prior)) prior <- list(mean = rep(0, p), precision = matrix(0, p, p))
    if (is.null(points)) {
        number_vector(around, "around", 1L)
        if (anyNA(object$coefficients)) {
            stop(sprintf("there is no mode to put a grid around: `%s` depends on the columns before it; leave it out, or give it a prior",
                                      names[is.na(object$coefficients)][1L]), call. = FALSE)
        }
        if (3^p > 5e6) stop(sprintf("the grid around the mode would have 3^%d points; give `points`", p), call. = FALSE)
        sd <- sqrt(diag(if (has_prior(object)) object$gm$covariance else vcov(object)))
        sides <- Map(function(mode, sd) mode + c(-around, 0, around) * sd, object$coefficients, sd)
        points <- as.matrix(do.call(expand.grid, sides))
    } else {
        if (is.data.frame(points)) {
            absent <- setdiff(names, names(points))
            if (length(absent)) stop(sprintf("`points` has no column for the coefficient `%s`", absent[1L]), call. = FALSE)
            points <- as.matrix(points[names])
        }
        if (!is.matrix(points)) points <- matrix(points, ncol = p)
        points <- number_matrix(points, "points", columns = p)
    }
    colnames(points) <- names
    found <- f2_f3(object$family, object$family$link, t(points), parts$y, parts$x, prior$mean, prior$precision,
                                  parts$offset, parts$weights / dispersion, use_opencl = use_opencl, verbose = verbose)
    colnames(found$grad) <- paste0("gradient_", names)
    data.frame(points, value = found$qf, found$grad, check.names = FALSE, row.names = NULL)
}

# On the device where there is one. `progbar` is taken for programs that pass it.
f2_f3_opencl <- function(family, link, b, y, x, mu, P, alpha, wt, progbar = 0L) {
    f2_f3(family, link, b, y, x, mu, P, alpha, wt, use_opencl = TRUE)
}
