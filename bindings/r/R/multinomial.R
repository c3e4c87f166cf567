# Random vectors of counts.

rmultinom <- function(n, size, prob) multinomial_counts(n, size, prob, FALSE, FALSE)

multinomial_counts <- function(n, size, prob, on_device, may_fall_back) {
    whole <- function(x) {
        x <- suppressWarnings(as.integer(x))
        if (length(x) == 0L) NA_integer_ else x[[1L]]
    }
    n <- whole(n)
    if (is.na(n) || n < 0L) stop("invalid first argument 'n'", call. = FALSE)
    size <- whole(size)
    if (is.na(size) || size < 0L) stop("invalid second argument 'size'", call. = FALSE)
    names <- names(prob)
    prob <- as.double(prob)
    if (any(!is.finite(prob))) stop("NA in probability vector", call. = FALSE)
    if (any(prob < 0)) stop("negative probability", call. = FALSE)
    if (!any(prob > 0)) stop("no positive probabilities", call. = FALSE)
    counts <- .Call(C_multinomial, n, size, prob, on_device, may_fall_back)
    storage.mode(counts) <- "integer"
    if (!is.null(names)) dimnames(counts) <- list(names, NULL)
    counts
}

# log(sum(exp(x))), which does not overflow before the result does.
logspace_sum <- function(x) {
    if (!is.numeric(x)) stop("non-numeric argument to mathematical function")
    .Call(C_log_sum, x)
}
