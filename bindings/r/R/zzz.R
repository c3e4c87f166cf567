# The functions of R that this package has, too. They are exported, so that `gristmill::pnorm` works, but `library(gristmill)`
# leaves R's own in place: what was attached of them is taken away again before anybody can see it.
.onAttach <- function(libname, pkgname) {
    attached <- as.environment(paste0("package:", pkgname))
    hidden <- intersect(ls(attached), c(functions_of_r, "rmultinom"))
    rm(list = hidden, envir = attached)
}

.onLoad <- function(libname, pkgname) {
    apply_threads_option()
    register_vignette_engine()
}
