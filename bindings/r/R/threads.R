# How many threads long vectors use.

gm_threads <- function(n = NULL) {
    if (is.null(n)) return(.Call(C_threads, 0L))
    if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 1 || n > 4096)
        stop(gettextf("'n' is %s, but must be a number of threads from 1 to 4096", deparse1(n)), domain = NA)
    old <- .Call(C_threads, 0L)
    .Call(C_threads, as.integer(n))
    invisible(old)
}

# The option gristmill.threads, else the environment, else all cores; never more than two while a package is checked.
apply_threads_option <- function() {
    whole <- function(text) {
        n <- suppressWarnings(as.integer(text))
        if (length(n) == 1L && !is.na(n) && n > 0L) n
    }
    n <- whole(getOption("gristmill.threads"))
    for (name in c("GRISTMILL_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT"))
        if (is.null(n)) n <- whole(Sys.getenv(name))
    if (is.null(n)) n <- .Call(C_threads, -1L)
    check <- tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_"))
    if (nzchar(check) && check != "false") n <- min(n, 2L)
    .Call(C_threads, min(n, 4096L))
}
