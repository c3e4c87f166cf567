# Where the functions of opencl.R compute: on the chosen device, else on the CPU with the same bits.

# Whether the device is to compute: not where none is wanted, and not where there is none, unless one is required.
wants_device <- function(opencl_parallel, fallback, verbose) {
    if (is_flag(opencl_parallel) && !opencl_parallel) {
        say(verbose, "computing on the CPU: 'opencl_parallel' is FALSE")
        return(FALSE)
    }
    if (isFALSE(getOption("gristmill.device"))) {
        say(verbose, "computing on the CPU: option 'gristmill.device' is FALSE")
        return(FALSE)
    }
    found <- .Call(C_has_device)
    if (isTRUE(found)) {
        say(verbose, "computing on the device ", opencl_device_info()$name)
        return(TRUE)
    }
    if (isTRUE(getOption("gristmill.device_required")) && !isTRUE(fallback))
        stop("option 'gristmill.device_required' is TRUE, but there is no device: ", found, call. = FALSE)
    say(verbose, "computing on the CPU, with the same bits: ", found)
    FALSE
}

# After a failure of the device itself the CPU takes over only where that was allowed.
may_fall_back <- function(fallback) isTRUE(fallback) || !isTRUE(getOption("gristmill.device_required"))

is_flag <- function(x) is.logical(x) && length(x) == 1L && !is.na(x)

say <- function(verbose, ...) if (isTRUE(verbose)) message("gristmill: ", ...)

# One probability is that of the first of two classes, as in nmathopencl; R's rmultinom() has one class then.
multinomial_on_device <- function(n, size, prob, fallback, verbose) {
    if (is.numeric(prob) && length(prob) == 1L && isTRUE(prob >= 0 && prob <= 1)) prob <- c(prob, 1 - prob)
    multinomial_counts(n, size, prob, wants_device(NA, fallback, verbose), may_fall_back(fallback))
}

reached_on_device <- function(n, fallback, verbose) {
    if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 0 || n > 2^52 || n %% 1 != 0)
        stop(gettextf("'n' is %s, but must be a whole number from 0 on", deparse1(n)), call. = FALSE, domain = NA)
    wants_device(NA, fallback, verbose)
    as.double(seq_len(n))
}
