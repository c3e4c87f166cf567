# What a call does: its value, its warnings, its error.
outcome <- function(f, arguments) {
    warnings <- character()
    value <- withCallingHandlers(
        tryCatch(do.call(f, arguments), error = function(e) structure(conditionMessage(e), class = "failed")),
        warning = function(w) {
            warnings <<- c(warnings, conditionMessage(w))
            invokeRestart("muffleWarning")
        })
    list(value = value, warnings = warnings)
}

# R's own function of that name.
of_r <- function(name) if (exists(name, envir = asNamespace("stats"), inherits = FALSE)) getExportedValue("stats", name) else get(name, baseenv())
ours <- function(name) getExportedValue("gristmill", name)

# "" if both functions do the same: values within R's tolerances, everything else identical.
difference <- function(name, arguments, tolerance = 1e-9) {
    r <- outcome(of_r(name), arguments)
    g <- outcome(ours(name), arguments)
    what <- character()
    if (inherits(r$value, "failed") || inherits(g$value, "failed")) {
        if (!identical(unclass(r$value), unclass(g$value))) what <- c(what, paste("error:", format(r$value)[1L], "/", format(g$value)[1L]))
    } else {
        if (typeof(r$value) != typeof(g$value)) what <- c(what, paste("type:", typeof(r$value), "/", typeof(g$value)))
        if (!identical(attributes(r$value), attributes(g$value))) what <- c(what, "attributes")
        if (length(r$value) != length(g$value)) what <- c(what, "length")
        else if (is.numeric(r$value)) {
            a <- as.double(r$value); b <- as.double(g$value)
            # NA apart from NaN, infinities by their signs
            same <- (is.na(a) == is.na(b)) & (is.nan(a) == is.nan(b))
            finite <- is.finite(a) & is.finite(b)
            close <- finite & (abs(a - b) <= tolerance * pmax(abs(a), abs(b)) | abs(a - b) < 1e-300)
            same <- same & (is.na(a) | a == b | close)
            if (!all(same)) what <- c(what, paste("values:", paste(format(a[!same][1L], digits = 17), format(b[!same][1L], digits = 17), sep = " / ")))
        }
    }
    if (!identical(r$warnings, g$warnings)) what <- c(what, paste("warnings:", paste(r$warnings, collapse = "|"), "/", paste(g$warnings, collapse = "|")))
    if (length(what)) paste0(name, "(", paste(vapply(arguments, function(a) deparse1(a), ""), collapse = ", "), "): ", paste(what, collapse = "; ")) else ""
}
