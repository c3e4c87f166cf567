# Packages under the names that scripts for nmathopencl and opencltools attach: everything in them is this package's.

# The functions of opencltools. nmathopencl has most of them, too.
of_opencltools <- c(
    "add_to_libpath_linux", "add_to_path_linux", "add_to_path_windows", "attach_cross_library_tags", "attach_kernel_call_tags",
    "attach_kernel_dependency_tags", "check_runtime_env", "detect_compute_runtimes", "detect_environment_and_gpus",
    "detect_or_install_gpu_drivers", "diagnose_glmbayes", "extract_library_subset", "get_opencl_core_count", "gpu_names", "has_opencl",
    "load_kernel_library", "load_kernel_source", "load_library_for_kernel", "load_library_for_kernel_cross_package",
    "load_program_preload", "opencl_device_info", "opencl_fp64_available", "opencl_reset_device_selection", "opencltoolsLdFlags",
    "port_to_opencl_configure", "read_program_preload_manifest", "stage_kernel_dependency_sort", "use_opencl_configure",
    "verify_opencl_runtime", "write_kernel_dependency_index", "write_program_preload_manifest")

of_nmathopencl <- function() {
    own <- grep("_opencl$|^Ex_", getNamespaceExports(topenv()), value = TRUE)
    shared <- setdiff(of_opencltools, c("opencltoolsLdFlags", "use_opencl_configure", "port_to_opencl_configure"))
    sort(unique(c(own, shared)))
}

use_nmathopencl <- function(lib = .libPaths()[1L], packages = c("nmathopencl", "opencltools"), overwrite = FALSE) {
    lib <- check_dir(lib, "lib")
    packages <- match.arg(packages, several.ok = TRUE)
    check_flag(overwrite, "overwrite")
    for (package in packages) {
        there <- file.path(lib, package)
        is_ours <- file.exists(file.path(there, "by_gristmill"))
        if (dir.exists(there) && !is_ours && !overwrite)
            stop(gettextf("package '%s' is installed in %s; `overwrite = TRUE` replaces it", package, lib), call. = FALSE, domain = NA)
    }
    folder <- tempfile("packages")
    on.exit(unlink(folder, recursive = TRUE))
    for (package in packages) {
        source <- forwarding_package(package, folder)
        output <- suppressWarnings(system2(file.path(R.home("bin"), "R"), c("CMD", "INSTALL", "--no-docs", "--no-test-load",
            shQuote(paste0("--library=", lib)), shQuote(source)), stdout = TRUE, stderr = TRUE,
            env = paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))))
        if (!is.null(attr(output, "status")))
            stop(gettextf("package '%s' could not be installed:\n%s", package, paste(output, collapse = "\n")), call. = FALSE, domain = NA)
    }
    invisible(file.path(lib, packages))
}

# The sources of a package that imports everything from this one and exports it again.
forwarding_package <- function(package, folder) {
    path <- file.path(folder, package)
    dir.create(file.path(path, "inst"), recursive = TRUE)
    is_tools <- package == "opencltools"
    names <- if (is_tools) of_opencltools else of_nmathopencl()
    # Their own tree is where these two look first.
    own <- if (is_tools) c("load_kernel_source", "load_kernel_library") else character()
    version <- as.character(utils::packageVersion("gristmill"))
    writeLines(c(paste("Package:", package), "Type: Package", "Version: 0.8.0",
                 paste("Title: The Functions of", package, "by Gristmill"),
                 paste0("Description: Forwards to gristmill ", version, "."), "Author: The Gristmill authors",
                 "Maintainer: The Gristmill authors <gristmill@example.org>", "License: MIT + file LICENSE | Apache License 2.0",
                 "Imports: gristmill"), file.path(path, "DESCRIPTION"))
    file.copy(system.file("LICENSE", package = "gristmill"), file.path(path, "LICENSE"))
    writeLines(c(sprintf("importFrom(gristmill,%s)", setdiff(names, own)), sprintf("export(%s)", names)), file.path(path, "NAMESPACE"))
    if (length(own)) {
        dir.create(file.path(path, "R"))
        writeLines(c("load_kernel_source <- function(relative_path, package = \"opencltools\")",
                     "    gristmill::load_kernel_source(relative_path, package)",
                     "load_kernel_library <- function(subdir, package = \"opencltools\", verbose = FALSE)",
                     "    gristmill::load_kernel_library(subdir, package, verbose)"), file.path(path, "R", "load.R"))
    }
    writeLines("use_nmathopencl() of gristmill made this package.", file.path(path, "inst", "by_gristmill"))
    for (part in c(if (!is_tools) "cl", "include"))
        file.copy(system.file(part, package = "gristmill"), file.path(path, "inst"), recursive = TRUE)
    path
}
