# Calls that nobody means to make, on R's own functions and on ours: what differs in value, type, attributes, warnings or errors.
#
#   Rscript tools/ugly_calls.R [--all] [FUNCTION ...]
#
# Every function that R has, too, gets every odd value in every place, special numbers in two places at once, odd flags, long vectors, missing
# and partly named arguments. Differences are counted by kind and function, with an example of each; `--all` prints every one. What is
# left is explained in docs/differences-from-R.md.
library(gristmill)
given <- commandArgs(TRUE)
print_all <- "--all" %in% given
chosen <- setdiff(given, "--all")
functions <- setdiff(unique(gristmill:::functions_of_r), "rmultinom")
if (length(chosen)) functions <- intersect(functions, chosen)

of_r <- function(name) if (exists(name, envir = asNamespace("stats"), inherits = FALSE)) getExportedValue("stats", name) else get(name, baseenv())
ours <- function(name) getExportedValue("gristmill", name)
parameters_of <- function(name) names(formals(args(ours(name))))
is_random <- function(name) name %in% grep("^r", functions, value = TRUE)

# What a call does. It names the function, so that the calls that errors show can be compared, too.
outcome <- function(name, f, arguments) {
    warnings <- character()
    shown <- ""
    where <- new.env(parent = globalenv())
    assign(name, f, where)
    value <- withCallingHandlers(
        tryCatch(eval(as.call(c(as.name(name), arguments)), where), error = function(e) {
            shown <<- deparse1(conditionCall(e))
            structure(conditionMessage(e), class = "failed")
        }),
        warning = function(w) {
            warnings <<- c(warnings, conditionMessage(w))
            invokeRestart("muffleWarning")
        })
    list(value = value, warnings = warnings, shown = shown)
}

# The digits that R has of a function: where it has fewer than 9, docs/accuracy.md says so.
tolerances <- c(ptukey = 1e-6, qtukey = 1e-3)

# Also of what has a class, like a Date.
is_number <- function(x) is.double(x) || is.integer(x)

# Kinds of difference between two outcomes, each with what is seen of it.
kinds_of_difference <- function(name, r, g) {
    found <- character()
    failed <- c(inherits(r$value, "failed"), inherits(g$value, "failed"))
    if (any(failed)) {
        if (!identical(unclass(r$value), unclass(g$value)))
            found <- c(found, if (all(failed)) c("error text" = paste(r$value, "//", g$value))
                              else if (failed[1L]) c("only R fails" = unclass(r$value)) else c("only ours fails" = unclass(g$value)))
        else if (r$shown != g$shown) found <- c(found, "call that an error shows" = paste(r$shown, "//", g$shown))
    } else {
        if (typeof(r$value) != typeof(g$value)) found <- c(found, type = paste(typeof(r$value), "//", typeof(g$value)))
        if (!identical(attributes(r$value), attributes(g$value)))
            found <- c(found, attributes = paste(deparse1(attributes(r$value)), "//", deparse1(attributes(g$value))))
        if (length(r$value) != length(g$value)) found <- c(found, length = paste(length(r$value), "//", length(g$value)))
        else if (is_number(r$value) && is_number(g$value)) found <- c(found, value_difference(name, as.double(r$value), as.double(g$value)))
        else if (!identical(r$value, g$value) && !isTRUE(all.equal(r$value, g$value))) found <- c(found, "other value" = "")
    }
    if (!identical(r$warnings, g$warnings))
        found <- c(found, warnings = paste(paste(unique(r$warnings), collapse = " | "), "//", paste(unique(g$warnings), collapse = " | ")))
    found
}

value_difference <- function(name, a, b) {
    if (is_random(name)) {
        # other numbers, but the same ones missing
        same <- is.na(a) == is.na(b) & is.nan(a) == is.nan(b)
        return(if (!all(same)) c("missing numbers" = paste(format(a[!same][1L]), "//", format(b[!same][1L]))))
    }
    tolerance <- if (name %in% names(tolerances)) tolerances[[name]] else 1e-9
    pair <- function(bad) paste(format(a[bad][1L], digits = 17), "//", format(b[bad][1L], digits = 17))
    missing <- is.na(a) != is.na(b) | is.nan(a) != is.nan(b)
    infinite <- !missing & !is.na(a) & is.finite(a) != is.finite(b) | !missing & is.infinite(a) & is.infinite(b) & a != b
    finite <- is.finite(a) & is.finite(b)
    far <- finite & abs(a - b) > tolerance * pmax(abs(a), abs(b)) & abs(a - b) > 1e-300
    signs <- finite & a == 0 & b == 0 & 1 / a != 1 / b
    found <- character()
    if (any(missing & is.na(a))) found <- c(found, "R gives NaN or NA" = pair(missing & is.na(a)))
    if (any(missing & is.na(b))) found <- c(found, "ours gives NaN or NA" = pair(missing & is.na(b)))
    if (any(infinite)) found <- c(found, infinity = pair(infinite))
    if (any(far)) found <- c(found, value = pair(far))
    if (any(signs)) found <- c(found, "sign of zero" = pair(signs))
    found
}

usual <- list(mean = 0.5, sd = 2, min = -1, max = 3, rate = 2, shape = 2.5, shape1 = 2, shape2 = 3.5, df = 4, df1 = 3, df2 = 7,
              meanlog = 0.2, sdlog = 0.7, location = 0.3, size = 12, prob = 0.3, lambda = 3.5, m = 7, n = 9, k = 5, nmeans = 3,
              nu = 1.5, a = 2, b = 3.5, deriv = 1, x = 0.7, y = 0.4, nn = 3, p = 0.4, q = 2)
optional <- list(ncp = 1.5, mu = 2.5, scale = 0.5, nranges = 2)
flags <- c("log", "log.p", "lower.tail", "expon.scaled")

start_of <- function(name) {
    parameters <- parameters_of(name)
    arguments <- usual[setdiff(parameters, c(flags, names(optional)))]
    names(arguments) <- setdiff(parameters, c(flags, names(optional)))
    if (is_random(name)) arguments[[1L]] <- 3
    if (name %in% c("acos", "asin")) arguments[[1L]] <- 0.4
    arguments
}

numbers <- list(NA_real_, NaN, Inf, -Inf, 0, -0.0, -1, 0.5, 1, 2.5, -2.5, 1e-320, 1e300, 1e10)
odd <- c(numbers, list(
    NULL, "a", "1", NA_character_, factor(c("u", "v")), list(1), list(1, 2), list(), NA, NA_integer_, TRUE, FALSE, c(TRUE, NA), 1L, 2:4,
    .Machine$integer.max, -.Machine$integer.max, numeric(0), integer(0), logical(0), character(0), c(a = 1, b = 2), c(a = 1L), structure(numeric(0), foo = 1),
    matrix(c(0.1, 0.2, 0.3, 0.4), 2), matrix(1:6, 2, dimnames = list(c("u", "v"), NULL)), array(0.25, c(2, 1, 2)), matrix(numeric(0), 0, 3),
    as.Date("2020-02-29"), as.POSIXct("2020-02-29", tz = "UTC"), as.difftime(2, units = "hours"), data.frame(x = c(0.5, 0.25)),
    stats::ts(c(0.5, 0.25, 1), start = 2000), structure(0.5, class = "nobody"), structure(c(0.25, 0.5), foo = "bar"), table(c(1, 1, 2)), 1i, 0.5 + 0i,
    as.raw(1), quote(quote(z)), quote(function(x) x), expression(1), quote(quote(f(1))), pairlist(1), seq(0.1, 0.9, length.out = 7), 1:12 / 13,
    c(0.5, NA, NaN, 0.25), c(NA, 1L), c(-1, 0.5), c(1e9, 1e9 + 0.5), 170.7, 1e6 + 0.5))
odd_flags <- list(NULL, NA, "TRUE", "a", 2L, 0, 0.5, NaN, c(TRUE, FALSE), logical(0), list(TRUE), factor("TRUE"), quote(quote(z)), c(a = TRUE), 1i)

# Where R takes memory or time in proportion to a number, it is not asked for a large one: besselI(0.7, Inf) and pwilcox(2, Inf, 9) end
# R 4.2 with a segmentation fault, qnbinom(0.4, 12, mu = 1e300) never ends there.
hungry <- list(bessel = "^bessel", ranks = "(wilcox|signrank)$", ranges = "tukey$", waiting = "^qnbinom$")
is_too_large <- function(name, arguments) {
    numbers <- Filter(is_number, arguments)
    large <- vapply(numbers, function(a) isTRUE(any(abs(as.double(a)) > 1e4)), NA)
    if (any(vapply(hungry, grepl, NA, name))) return(any(large))
    is_random(name) && is_number(arguments[[1L]]) && length(arguments[[1L]]) == 1L && isTRUE(abs(as.double(arguments[[1L]])) > 1e4)
}

with_value <- function(arguments, place, value) {
    # NULL is a value here, not the absence of one
    arguments[place] <- list(value)
    arguments
}

calls_of <- function(name) {
    start <- start_of(name)
    parameters <- parameters_of(name)
    calls <- list()
    add <- function(arguments) calls[[length(calls) + 1L]] <<- arguments
    variants <- list(start)
    for (extra in intersect(names(optional), parameters)) {
        with_extra <- c(start, optional[extra])
        if (extra == "mu") with_extra$prob <- NULL
        if (extra == "scale") with_extra$rate <- NULL
        variants <- c(variants, list(with_extra))
    }
    for (variant in variants) {
        for (place in seq_along(variant)) for (value in odd) add(with_value(variant, place, value))
        if (length(variant) > 1L) for (one in seq_along(variant)[-1L]) for (value in numbers) for (first in numbers)
            add(with_value(with_value(variant, one, value), 1L, first))
    }
    for (flag in intersect(flags, parameters)) {
        for (value in odd_flags) add(with_value(start, flag, value))
        for (first in numbers) for (value in c(TRUE, FALSE)) add(with_value(with_value(start, 1L, first), flag, value))
    }
    if (all(c("log.p", "lower.tail") %in% parameters)) for (first in c(numbers, list(-0.5, -800)))
        add(c(with_value(start, 1L, first), list(lower.tail = FALSE, log.p = TRUE)))
    # lengths that do not divide each other, and more elements than a block
    if (length(start) > 1L && !is_random(name)) {
        length_of_long <- if (grepl("tukey", name)) 103 else 5003
        long <- if (grepl("^q", name)) seq(0.01, 0.99, length.out = length_of_long) else rep(c(0.5, 1, 2, 3), length.out = length_of_long)
        add(with_value(start, 1L, long))
        add(with_value(with_value(start, 1L, long), 2L, start[[2L]] + c(0, 0.5, 0, 0.25, 0, 0, 0.75)))
        add(with_value(with_value(start, 1L, c(a = 0.5, b = 0.25)), 2L, structure(rep(start[[2L]], 2L), names = c("u", "v"))))
        add(with_value(with_value(start, 1L, matrix(0.5, 2, 2)), 2L, c(a = start[[2L]])))
        add(with_value(with_value(start, 1L, 0.5), 2L, matrix(start[[2L]], 2, 2)))
    }
    # missing arguments, by position, partly named, unknown, too many
    if (!is.primitive(of_r(name))) {
        for (count in seq_along(start) - 1L) add(unname(start[seq_len(count)]))
        add(unname(start))
        for (parameter in parameters[-1L]) if (nchar(parameter) > 1L) {
            partly <- c(start[names(start) != parameter], stats::setNames(list(if (parameter %in% flags) TRUE else 1), substr(parameter, 1L, nchar(parameter) - 1L)))
            add(partly)
        }
        add(c(start, list(unknown = 1)))
        add(c(unname(start), as.list(rep(1, length(parameters)))))
    }
    if ("prob" %in% parameters && "mu" %in% parameters) add(c(start, list(mu = 2)))
    if ("rate" %in% parameters && "scale" %in% parameters) for (scale in c(0.5, 3)) add(c(start, list(scale = scale)))
    calls
}

total <- 0L
rows <- list()
for (name in functions) {
    for (arguments in calls_of(name)) {
        if (length(arguments) && is_too_large(name, arguments)) next
        total <- total + 1L
        set.seed(1)
        r <- outcome(name, of_r(name), arguments)
        set.seed(1)
        g <- outcome(name, ours(name), arguments)
        found <- kinds_of_difference(name, r, g)
        if (!length(found)) next
        text <- deparse1(as.call(c(as.name(name), arguments)))
        if (nchar(text) > 160L) text <- paste0(substr(text, 1L, 157L), "...")
        for (kind in names(found)) rows[[length(rows) + 1L]] <- data.frame(number = total, kind, name, call = text, seen = found[[kind]])
    }
}
differences <- if (length(rows)) do.call(rbind, rows) else
    data.frame(number = integer(), kind = character(), name = character(), call = character(), seen = character())
only_shown <- setdiff(differences$number[differences$kind == "call that an error shows"], differences$number[differences$kind != "call that an error shows"])
cat(sprintf("%d calls, %d of them differ, %d only in the call that an error shows\n", total, length(unique(differences$number)), length(only_shown)))
for (kind in unique(differences$kind)) {
    of_kind <- differences[differences$kind == kind, ]
    cat(sprintf("\n%s: %d\n", kind, nrow(of_kind)))
    for (name in unique(of_kind$name)) {
        part <- of_kind[of_kind$name == name, ]
        shown <- if (print_all) seq_len(nrow(part)) else 1L
        cat(sprintf("  %s, %d\n", name, nrow(part)))
        cat(sprintf("    %s: %s\n", part$call[shown], part$seen[shown]), sep = "")
    }
}
