# Expressions over data frames.

gm_eval <- function(.data, ..., .by = NULL, .only = FALSE, .seed = NULL, use_opencl = FALSE) {
    if (!is.data.frame(.data)) stop("'.data' must be a data frame", call. = FALSE)
    expressions <- as.list(substitute(list(...)))[-1L]
    if (!length(expressions)) stop("there is no expression to evaluate; write one such as z = x / 2", call. = FALSE)
    by <- check_by(.by, names(.data))
    env <- parent.frame()
    names <- names(expressions)
    if (is.null(names)) names <- rep("", length(expressions))
    unnamed <- !nzchar(names)
    names[unnamed] <- vapply(expressions[unnamed], expression_text, "")
    columns <- frame_columns(.data)
    texts <- character(length(expressions))
    clocks <- clocks_of(.data)
    for (i in seq_along(expressions)) {
        known <- c(names(columns), names[seq_len(i - 1L)])
        check_kinds(expressions[[i]], setdiff(names(.data), known), .data)
        if (is.null(expressions[[i]])) stop(gettextf("'%s' is NULL, but must be an expression", names[i]), call. = FALSE, domain = NA)
        expressions[[i]] <- as_engine_reads(expressions[[i]], known, env)
        clocks[[names[i]]] <- clock_of(expressions[[i]], clocks)
        bound <- bind_variables(expressions[[i]], known, env, nrow(.data))
        columns[names(bound$columns)] <- bound$columns
        texts[i] <- paste(quoted_name(names[i]), "=", expression_text(bound$expression))
    }
    if (is.null(.seed)) {
        # The key is drawn from R's generator, so that set.seed() decides; only where something is drawn.
        draws <- any(unlist(lapply(expressions, all.names)) %in% random_functions)
        .seed <- if (draws) floor(stats::runif(1L) * 2^52) else 1
    } else if (!is.numeric(.seed) || length(.seed) != 1L || is.na(.seed) || .seed < 0 || .seed >= 2^53 || .seed %% 1 != 0) {
        stop("'.seed' must be a whole number from 0 to 2^53 - 1", call. = FALSE)
    }
    found <- do.call(gm_call, c(
        list("eval", texts, by, as.double(.seed), device_for(use_opencl, FALSE), as.double(nrow(.data)),
             names(columns), vapply(columns, attr, "", "kind")),
        unname(columns)))
    if (found$nans > 0) warning("NaNs produced", call. = FALSE)
    results <- found$columns
    for (name in intersect(names(results), names(clocks)))
        if (is.double(results[[name]])) attributes(results[[name]]) <- clocks[[name]]
    if (found$is_aggregate && (.only || length(by))) {
        # One row, or one for each group in the order in which they first appear.
        rows <- if (length(by)) found$first_rows else 1L
        out <- .data[rows, if (length(by)) by else character(), drop = FALSE]
        rownames(out) <- NULL
        for (name in names(results)) out[[name]] <- results[[name]][rows]
        return(out)
    }
    # Values of no rows have no row to go to.
    if (!nrow(.data)) results <- lapply(results, function(x) x[0L])
    out <- if (.only) .data[, character(), drop = FALSE] else .data
    for (name in names(results)) out[[name]] <- results[[name]]
    out
}

# Dates and times stay what they are where that is plain: a column, a shift of it, the earliest, an earlier row. By the names of
# columns: what makes a number a date or a time.
clocks_of <- function(data) {
    is_clock <- vapply(data, function(x) inherits(x, c("Date", "POSIXct")), NA)
    lapply(unclass(data)[is_clock], function(x) attributes(x)[intersect(c("class", "tzone"), names(attributes(x)))])
}

clock_of <- function(expression, clocks) {
    if (is.name(expression)) return(clocks[[as.character(expression)]])
    if (!is.call(expression) || !is.name(expression[[1L]])) return(NULL)
    given <- as.list(expression)[-1L]
    of <- lapply(given, clock_of, clocks)
    is_clock <- !vapply(of, is.null, NA)
    switch(as.character(expression[[1L]]),
        "(" = , min = , max = , lag = , lead = , first = , last = , mean = , median = if (length(of)) of[[1L]],
        "+" = if (sum(is_clock) == 1L) of[[which(is_clock)]],
        "-" = if (length(of) == 2L && is_clock[1L] && !is_clock[2L] && !is.character(given[[2L]])) of[[1L]],
        ifelse = if (length(of) == 3L && identical(of[[2L]], of[[3L]])) of[[2L]])
}

# Functions without the names of R's packages and ours; constant dates and times as texts, which the engine compares with columns of them.
as_engine_reads <- function(expression, known, env) {
    if (!is.call(expression)) return(expression)
    name <- if (is.name(expression[[1L]])) as.character(expression[[1L]]) else ""
    if (name == "::" && as.character(expression[[2L]]) %in% c("base", "stats", "gristmill")) return(expression[[3L]])
    if (name %in% c("as.Date", "as.POSIXct", "ISOdate", "ISOdatetime", "Sys.Date", "Sys.time") && !any(all.vars(expression) %in% known)) {
        value <- tryCatch(eval(expression, env), error = function(e) NULL)
        if (inherits(value, "Date") && length(value) == 1L) return(format(value))
        if (inherits(value, "POSIXct") && length(value) == 1L) return(format(value, "%Y-%m-%d %H:%M:%OS6", tz = "UTC"))
        return(expression)
    }
    as.call(lapply(expression, as_engine_reads, known, env))
}

# A column that is there, but is nothing to compute with, is not a column that is missing.
check_kinds <- function(expression, others, data) {
    used <- intersect(all.vars(expression), others)
    if (!length(used)) return(invisible())
    x <- data[[used[1L]]]
    what <- if (!is.null(dim(x))) paste("is a", class(x)[1L]) else paste("is of class", class(x)[1L])
    stop(gettextf("column '%s' %s, which cannot be computed with; make a column of numbers of it", used[1L], what), call. = FALSE, domain = NA)
}

random_functions <- c("rbeta", "rbinom", "rcauchy", "rchisq", "rexp", "rf", "rgamma", "rgeom", "rhyper", "rlnorm", "rlogis",
                      "rnbinom", "rnbinom_mu", "rnchisq", "rnorm", "rpois", "rsignrank", "rt", "runif", "rweibull", "rwilcox",
                      "norm_rand", "exp_rand", "unif_rand")

check_by <- function(by, names) {
    if (is.null(by)) return(character())
    if (!is.character(by) || anyNA(by)) stop("'.by' must be names of columns", call. = FALSE)
    absent <- setdiff(by, names)
    if (length(absent)) stop(gettextf("'.by' names '%s', which is no column", absent[1L]), call. = FALSE, domain = NA)
    unique(by)
}

# A name as the engine reads it back.
quoted_name <- function(name) {
    if (make.names(name) == name) return(name)
    paste0("`", gsub("`", "", name, fixed = TRUE), "`")
}

# All digits of the numbers, in one line.
expression_text <- function(expression) {
    paste(deparse(expression, width.cutoff = 500L, control = c("keepNA", "digits17")), collapse = " ")
}

# The columns that the engine knows, as it takes them: NA stays NA.
frame_columns <- function(data) {
    columns <- list()
    for (name in names(data)) {
        x <- data[[name]]
        if (!is.null(dim(x))) next
        kind <- if (is.factor(x) || is.character(x)) "text"
            else if (inherits(x, "Date")) "days"
            else if (inherits(x, "POSIXct")) "seconds"
            else if (is.logical(x)) "truth"
            else if (inherits(x, "integer64")) "wide"
            else if (is.numeric(x) || inherits(x, "difftime")) "number"
            else next
        value <- switch(kind, text = as.character(x), days = as.double(x), seconds = as.double(x), wide = from_integer64(x),
                        as.vector(unclass(x)))
        if (kind == "wide") kind <- "number"
        columns[[name]] <- structure(value, kind = kind)
    }
    columns
}

# The numbers of bit64's class, which keeps the bits of 64-bit integers in doubles.
from_integer64 <- function(x) {
    halves <- matrix(readBin(writeBin(as.vector(unclass(x)), raw(), endian = "little"), "integer", 2L * length(x), endian = "little"), 2L)
    # -2^31 is NA as an integer of R
    words <- ifelse(is.na(halves), -2^31, halves)
    low <- words[1L, ] + ifelse(words[1L, ] < 0, 2^32, 0)
    value <- words[2L, ] * 2^32 + low
    value[words[2L, ] == -2^31 & low == 0] <- NA
    if (any(abs(value) > 2^53, na.rm = TRUE)) warning("integers beyond 2^53 are rounded", call. = FALSE)
    value
}

# Variables of the caller: numbers, truth values and texts take the place of their names; one value for each row is a column.
bind_variables <- function(expression, known, env, rows) {
    columns <- list()
    for (name in setdiff(all.vars(expression), known)) {
        value <- NULL
        for (mode in c("numeric", "logical", "character")) {
            if (is.null(value)) value <- get0(name, envir = env, mode = mode)
        }
        # `pi` and the like are the engine's as well; what is a function only is none of ours.
        if (is.null(value) || !is.atomic(value) || !is.null(dim(value))) next
        if (length(value) == rows && rows != 1L) {
            frame <- list(value)
            names(frame) <- name
            columns <- c(columns, frame_columns(frame))
        } else if (length(value) >= 1L) {
            if (is.factor(value)) value <- as.character(value)
            if (inherits(value, "Date")) value <- format(value)
            literals <- lapply(as.vector(value), literal)
            inserted <- if (length(literals) == 1L) literals[[1L]] else as.call(c(as.name("c"), literals))
            expression <- do.call(substitute, list(expression, stats::setNames(list(inserted), name)))
        }
    }
    list(expression = expression, columns = columns)
}

literal <- function(value) {
    if (is.na(value) && !is.nan(value)) return(NA)
    # -2 in the place of x in x^2 is (-2)^2
    if (is.numeric(value) && !is.nan(value) && value < 0) return(call("(", value))
    value
}
