# An operation of the Rust library: vectors in, a tree of vectors out. See src/value.c.
gm_call <- function(operation, ...) {
    tryCatch(.Call(C_perform, operation, list(...)), error = function(problem) stop(conditionMessage(problem), call. = FALSE))
}
