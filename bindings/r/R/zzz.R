# The functions of R that this package has, too. They are exported, so that `gristmill::pnorm` works, but `library(gristmill)`
# leaves R's own in place: what was attached of them is taken away again before anybody can see it.
.onAttach <- function(libname, pkgname) {
    attached <- as.environment(paste0("package:", pkgname))
    rm(list = intersect(ls(attached), names_of_r()), envir = attached)
}

.onLoad <- function(libname, pkgname) {
    apply_threads_option()
}

names_of_r <- function() c(getNamespaceExports("stats"), ls(baseenv()))
