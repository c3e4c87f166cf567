# Packages with kernels of their own: what they need to start with.

# Not in a folder `scaffold`: R CMD build leaves out folders whose names end with "old".
template_file <- function(...) {
    file <- system.file("templates", ..., package = "gristmill")
    if (!nzchar(file)) stop("internal error: there is no template ", file.path(...), call. = FALSE)
    file
}

# A template with its names filled in.
filled <- function(template, values = list()) {
    text <- readLines(template_file(template), encoding = "UTF-8")
    for (name in names(values)) text <- gsub(paste0("@", name, "@"), values[[name]], text, fixed = TRUE)
    text
}

# Writes a file unless it is there; gives its path if it was written.
put <- function(path, text, overwrite, executable = FALSE) {
    if (file.exists(path) && !overwrite) return(character())
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    con <- file(path, "wb", encoding = "UTF-8")
    on.exit(close(con))
    writeLines(text, con, sep = "\n")
    if (executable) Sys.chmod(path, "0755")
    path
}

use_opencl_configure <- function(path = ".", overwrite = FALSE) {
    path <- check_dir(path, "path")
    check_flag(overwrite, "overwrite")
    written <- c(
        put(file.path(path, "configure"), filled("configure/configure.in"), overwrite, executable = TRUE),
        put(file.path(path, "configure.win"), filled("configure/configure.win.in"), overwrite, executable = TRUE),
        put(file.path(path, "cleanup"), filled("configure/cleanup.in"), overwrite, executable = TRUE))
    invisible(written)
}

port_to_opencl_configure <- function(path = ".", backup = TRUE, overwrite = FALSE) {
    path <- check_dir(path, "path")
    check_flag(backup, "backup")
    check_flag(overwrite, "overwrite")
    there <- Filter(file.exists, file.path(path, c("configure", "configure.win")))
    if (length(there) && !overwrite)
        stop(gettextf("%s exists; `overwrite = TRUE` replaces it", there[1L]), call. = FALSE, domain = NA)
    written <- character()
    for (name in c("Makevars", "Makevars.win")) {
        file <- file.path(path, "src", name)
        if (!file.exists(file)) next
        text <- readLines(file, warn = FALSE)
        if (any(grepl("-lOpenCL|-DUSE_OPENCL", text)))
            warning(gettextf("%s looks like what a configure script writes; port the file that you maintain", file), call. = FALSE, domain = NA)
        if (any(grepl("^PKG_(CPPFLAGS|LIBS)[ \t]*\\+=", text)))
            warning(gettextf("%s has lines with '+=': look at what configure makes of them", file), call. = FALSE, domain = NA)
        if (backup) {
            template <- paste0(file, ".in")
            if (file.exists(template) && !overwrite)
                stop(gettextf("%s exists; `overwrite = TRUE` replaces it", template), call. = FALSE, domain = NA)
            if (!file.rename(file, template)) stop(gettextf("%s cannot be renamed", file), call. = FALSE, domain = NA)
            written <- c(written, template)
        }
    }
    if (!file.exists(file.path(path, "src", "Makevars.in")) && !file.exists(file.path(path, "src", "Makevars")))
        stop(gettextf("there is no src/Makevars in %s; use use_opencl_configure()", path), call. = FALSE, domain = NA)
    invisible(c(written, use_opencl_configure(path, overwrite = TRUE)))
}

use_gristmill <- function(path = ".", package = NULL, overwrite = FALSE) {
    check_string(path, "path")
    check_flag(overwrite, "overwrite")
    path <- path.expand(path)
    description <- file.path(path, "DESCRIPTION")
    exists <- file.exists(description)
    if (is.null(package)) {
        package <- if (exists) unname(read.dcf(description, "Package")[1L]) else basename(normalizePath(path, mustWork = FALSE))
    }
    if (!grepl("^[A-Za-z][A-Za-z0-9.]*[A-Za-z0-9]$", check_string(package, "package")))
        stop(gettextf("'package' is '%s', but the name of a package has letters, digits and dots and starts with a letter", package),
             call. = FALSE, domain = NA)
    dir.create(path, recursive = TRUE, showWarnings = FALSE)
    check_dir(path, "path")
    id <- gsub(".", "_", package, fixed = TRUE)
    values <- list(PACKAGE = package, ID = id, YEAR = format(Sys.Date(), "%Y"))
    file <- function(...) file.path(path, ...)
    written <- character()
    add <- function(to, template) written <<- c(written, put(to, filled(file.path("package", template), values), overwrite))
    if (exists) {
        written <- c(written, link_to_gristmill(description))
        written <- c(written, extend_namespace(file("NAMESPACE"), filled("package/NAMESPACE.in", values)))
    } else {
        add(description, "DESCRIPTION.in")
        add(file("NAMESPACE"), "NAMESPACE.in")
        add(file("LICENSE"), "LICENSE.in")
    }
    add(file("R", paste0(id, "_upper_tail.R")), "wrapper.R.in")
    add(file("man", paste0(id, "_upper_tail.Rd")), "wrapper.Rd.in")
    add(file("inst", "cl", paste0(id, "_src"), "upper_tail_kernel.cl"), "kernel.cl.in")
    add(file("src", paste0(id, "_opencl.h")), "header.h.in")
    add(file("src", paste0(id, "_kernel_runners.cpp")), "runner.cpp.in")
    add(file("src", paste0(id, "_kernel_wrappers.cpp")), "wrapper.cpp.in")
    sources <- list.files(file("src"), "\\.(c|cc|cpp)$", full.names = TRUE)
    registers <- Filter(function(source) any(grepl("R_init_", readLines(source, warn = FALSE))), sources)
    registers <- setdiff(basename(registers), paste0(id, "_init.cpp"))
    if (length(registers)) {
        message("src/", registers[1L], " registers the package's routines: add { \"", id, "_upper_tail\", (DL_FUNC) &", id, "_upper_tail, 3 } there")
    } else {
        add(file("src", paste0(id, "_init.cpp")), "init.cpp.in")
    }
    add(file("tests", "upper_tail.R"), "test.R.in")
    if (file.exists(file("src", "Makevars")) && !file.exists(file("configure"))) {
        written <- c(written, port_to_opencl_configure(path))
    } else {
        add(file("src", "Makevars.in"), "Makevars.in.in")
        written <- c(written, use_opencl_configure(path, overwrite))
    }
    add(file(".gitignore"), "gitignore.in")
    add(file(".Rbuildignore"), "Rbuildignore.in")
    invisible(written)
}

# Adds this package to what an existing one imports and links to.
link_to_gristmill <- function(description) {
    fields <- read.dcf(description, keep.white = "Authors@R")
    before <- fields
    for (field in c("Imports", "LinkingTo")) {
        value <- if (field %in% colnames(fields)) fields[1L, field] else NA
        named <- if (is.na(value)) character() else trimws(sub("\\(.*", "", strsplit(value, ",")[[1L]]))
        if ("gristmill" %in% named) next
        new <- if (is.na(value)) "gristmill" else paste0(value, ",\n    gristmill")
        if (field %in% colnames(fields)) fields[1L, field] <- new else fields <- cbind(fields, matrix(new, 1L, 1L, dimnames = list(NULL, field)))
    }
    if (identical(before, fields)) return(character())
    write.dcf(fields, description, keep.white = c("Authors@R", "Imports", "LinkingTo"))
    description
}

# Adds the lines that are not there yet.
extend_namespace <- function(namespace, lines) {
    there <- if (file.exists(namespace)) readLines(namespace, warn = FALSE) else character()
    if (any(grepl("^useDynLib", there))) lines <- lines[!grepl("^useDynLib", lines)]
    lines <- setdiff(lines, there)
    if (!length(lines)) return(character())
    writeLines(c(there, lines), namespace)
    namespace
}
