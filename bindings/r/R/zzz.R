# The functions of R that this package has, too. They are exported, so that `gristmill::pnorm` works, but `library(gristmill)`
# leaves R's own in place: what was attached of them is taken away again before anybody can see it.
.onAttach <- function(libname, pkgname) {
    attached <- as.environment(paste0("package:", pkgname))
    hidden <- intersect(ls(attached), c(functions_of_r, "rmultinom"))
    rm(list = hidden, envir = attached)
}

.onLoad <- function(libname, pkgname) {
    # Compiled programs are kept in the user's cache folder, but a check must not write there.
    if (nzchar(Sys.getenv("_R_CHECK_PACKAGE_NAME_")) && !nzchar(Sys.getenv("GRISTMILL_CACHE_DIR")))
        Sys.setenv(GRISTMILL_CACHE_DIR = file.path(tempdir(), "gristmill"))
    apply_threads_option()
    register_vignette_engine()
}
