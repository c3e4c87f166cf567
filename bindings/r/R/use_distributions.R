# Attaches the functions that R has, too, in place of R's own; `detach("gristmill:distributions")` undoes it.
use_distributions <- function(warn.conflicts = FALSE) {
    name <- "gristmill:distributions"
    if (name %in% search()) return(invisible(name))
    functions <- mget(c(setdiff(functions_of_r, elementary), "rmultinom"), envir = topenv())
    # `attach` itself is what the user asked for, by this function's name.
    get("attach", baseenv())(functions, name = name, warn.conflicts = warn.conflicts)
    invisible(name)
}

# R's primitives of one operation: theirs are as exact as needed, and dispatch faster.
elementary <- c("acos", "asin", "atan", "atan2", "cos", "cosh", "cospi", "exp", "expm1", "log10", "log1p", "log2", "sign", "sin",
                "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi")
