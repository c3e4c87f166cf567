# Libraries of annotated OpenCL files in the `cl` trees of installed packages.

# The directory of an installed package. The packages whose interface this is need not be there: this package's own tree
# stands in for them.
package_dir <- function(package, argument = "package") {
    if (!is.character(package) || length(package) != 1L || is.na(package) || !nzchar(package))
        stop(gettextf("'%s' must be the name of a package", argument), call. = FALSE, domain = NA)
    dir <- system.file(package = package)
    if (!nzchar(dir) && package %in% c("nmathopencl", "opencltools")) dir <- system.file(package = "gristmill")
    if (!nzchar(dir)) stop(gettextf("there is no package called '%s'", package), call. = FALSE, domain = NA)
    dir
}

check_string <- function(x, argument) {
    if (!is.character(x) || length(x) != 1L || is.na(x)) stop(gettextf("'%s' must be a string", argument), call. = FALSE, domain = NA)
    x
}

check_flag <- function(x, argument) {
    if (!is.logical(x) || length(x) != 1L || is.na(x)) stop(gettextf("'%s' must be TRUE or FALSE", argument), call. = FALSE, domain = NA)
    x
}

check_paths <- function(x, argument) {
    if (!is.character(x) || anyNA(x)) stop(gettextf("'%s' must be paths of files", argument), call. = FALSE, domain = NA)
    absent <- x[!file.exists(x)]
    if (length(absent)) stop(gettextf("File not found: %s ('%s')", absent[1L], argument), call. = FALSE, domain = NA)
    path.expand(x)
}

check_dir <- function(x, argument) {
    check_string(x, argument)
    if (!dir.exists(x)) stop(gettextf("'%s' is %s, which is no directory", argument, encodeString(x, quote = "\"")), call. = FALSE, domain = NA)
    path.expand(x)
}

# The name of an annotation, with or without its `@`.
check_tag <- function(x, argument) sub("^@", "", check_string(x, argument))

load_kernel_source <- function(relative_path, package = "nmathopencl") {
    gm_call("library_source", package_dir(package), check_string(relative_path, "relative_path"))
}

load_kernel_library <- function(subdir, package = "nmathopencl", verbose = FALSE) {
    check_flag(verbose, "verbose")
    found <- gm_call("library_load", package_dir(package), check_string(subdir, "subdir"))
    if (verbose) cat(found$trace)
    if (!is.null(found$problem)) stop(found$problem, call. = FALSE)
    found$text
}

# An index as the text of its file; NULL: the one beside the library is read.
index_text <- function(index, library_dir, nudge = TRUE) {
    if (is.null(index)) {
        file <- file.path(library_dir, "kernel_dependency_index.rds")
        if (nudge && file.exists(file))
            message("reading ", file, "; read it once with readRDS() and pass it as 'index' where there are many kernels")
        return(NULL)
    }
    if (!is.list(index) || is.null(index$stems_ordered) || is.null(index$all_depends))
        stop("'index' must be what write_kernel_dependency_index() gives or readRDS() reads", call. = FALSE)
    stems <- index$stems_ordered
    depends <- vapply(stems, function(stem) paste(index$all_depends[[stem]], collapse = ", "), "")
    paste0("stem\tall_depends\n", paste0(stems, "\t", depends, "\n", collapse = ""))
}

load_library_for_kernel <- function(kernel_path, library_dir, depends_tag = "all_depends", index = NULL) {
    check_paths(check_string(kernel_path, "kernel_path"), "kernel_path")
    library_dir <- check_dir(library_dir, "library_dir")
    depends_tag <- check_tag(depends_tag, "depends_tag")
    concatenated_library(kernel_path, library_dir, depends_tag, index_text(index, library_dir))
}

concatenated_library <- function(kernel_path, library_dir, depends_tag, index, ...) {
    found <- gm_call("library_for_kernel", path.expand(kernel_path), library_dir, depends_tag, index)
    # A kernel that names nothing needs nothing.
    if (!found$has_tag) return("")
    structure(found$text, class = c("nmathopencl_concatenated_lib", "character"),
              stems_requested = found$requested, stems_loaded = found$loaded, provides = found$provides,
              kernel_path = kernel_path, library_dir = library_dir, depends_tag = depends_tag,
              nbytes_concatenated = nchar(found$text, "bytes"), ...)
}

load_library_for_kernel_cross_package <- function(kernel_relative_path, kernel_package, library_subdir, library_package,
                                                  depends_tag = "all_depends_nmath") {
    kernel <- tree_path(kernel_relative_path, kernel_package, "kernel_relative_path", "kernel_package")
    library_dir <- tree_path(library_subdir, library_package, "library_subdir", "library_package")
    concatenated_library(kernel, library_dir, check_tag(depends_tag, "depends_tag"), NULL,
                         kernel_package = kernel_package, library_package = library_package)
}

# A path in the tree of an installed package.
tree_path <- function(relative_path, package, path_argument, package_argument) {
    check_string(relative_path, path_argument)
    dir <- package_dir(package, package_argument)
    for (tree in c("cl", file.path("inst", "cl"))) {
        path <- file.path(dir, tree, relative_path)
        if (file.exists(path)) return(path)
    }
    stop(gettextf("File not found: inst/cl/%s in package '%s'", relative_path, package), call. = FALSE, domain = NA)
}

print.nmathopencl_concatenated_lib <- function(x, ..., max_provides_symbols_per_shard = 80L) {
    loaded <- attr(x, "stems_loaded")
    most <- max_provides_symbols_per_shard
    cat("OpenCL library part for", basename(attr(x, "kernel_path")), "\n")
    cat("  library:   ", attr(x, "library_dir"), "\n", sep = "")
    cat("  annotation: @", attr(x, "depends_tag"), "\n", sep = "")
    cat("  requested: ", paste(attr(x, "stems_requested"), collapse = ", "), "\n", sep = "")
    cat("  loaded:    ", length(loaded), " files, ", attr(x, "nbytes_concatenated"), " bytes\n", sep = "")
    provides <- attr(x, "provides")
    for (stem in loaded) {
        symbols <- provides[[stem]]
        cat("    ", stem, ".cl", sep = "")
        if (stem %in% c("dpq", "Rmath", "nmath", "refactored")) {
            cat(": ", length(symbols), " symbols\n", sep = "")
            next
        }
        shown <- if (is.na(most) || most < 0L) symbols else utils::head(symbols, most)
        if (length(symbols)) cat(": ", paste(shown, collapse = ", "), sep = "")
        if (length(shown) < length(symbols)) cat(", and", length(symbols) - length(shown), "more")
        cat("\n")
    }
    invisible(x)
}

as.character.nmathopencl_concatenated_lib <- function(x, ...) as.vector(unclass(x))

write_kernel_dependency_index <- function(library_dir = NULL, tags = NULL, output_path = NULL, write = TRUE, verbose = FALSE) {
    check_flag(write, "write")
    check_flag(verbose, "verbose")
    if (!is.null(tags)) {
        if (!inherits(tags, "opencl_dependency_tags")) stop("'tags' must be from attach_kernel_dependency_tags()", call. = FALSE)
        if (!isTRUE(tags$ok)) stop("'tags' has ok = FALSE: the library could not be ordered", call. = FALSE)
        if (is.null(library_dir)) library_dir <- tags$library_dir
        if (normalizePath(library_dir) != normalizePath(tags$library_dir))
            stop("'library_dir' is not the directory of 'tags'", call. = FALSE)
    }
    if (is.null(library_dir)) stop("'library_dir' must be given, or 'tags'", call. = FALSE)
    library_dir <- check_dir(library_dir, "library_dir")
    beside <- is.null(output_path)
    found <- gm_call("library_index", library_dir, write && beside)
    stems <- found$stems
    index <- list(version = 1L, generated_at = Sys.time(), library_dir = library_dir, library_name = found$library_name,
                  stems_ordered = stems, load_order = stats::setNames(seq_along(stems), stems), depends = found$depends,
                  all_depends = found$all_depends, n_files = length(stems))
    if (write) {
        rds <- if (beside) file.path(library_dir, "kernel_dependency_index.rds") else path.expand(check_string(output_path, "output_path"))
        tsv <- paste0(sub("\\.rds$", "", rds), ".tsv")
        if (!beside) {
            saveRDS(index, rds)
            con <- file(tsv, "wb")
            on.exit(close(con))
            cat(found$tsv, file = con)
        }
        if (verbose) message("wrote ", rds, " and ", tsv)
    }
    invisible(index)
}

extract_library_subset <- function(kernel_paths, library_dir, dest_dir, depends_tag = "all_depends", index = NULL, overwrite = FALSE) {
    kernel_paths <- check_paths(kernel_paths, "kernel_paths")
    library_dir <- check_dir(library_dir, "library_dir")
    dest_dir <- path.expand(check_string(dest_dir, "dest_dir"))
    depends_tag <- check_tag(depends_tag, "depends_tag")
    check_flag(overwrite, "overwrite")
    plan_only <- !dir.exists(dest_dir)
    if (plan_only) warning(gettextf("'dest_dir' %s does not exist; nothing is copied", encodeString(dest_dir, quote = "\"")), call. = FALSE, domain = NA)
    found <- gm_call("library_subset", kernel_paths, library_dir, if (plan_only) tempfile("subset") else dest_dir, depends_tag,
                     index_text(index, library_dir), overwrite, plan_only)
    if (length(found$kept)) {
        warning(gettextf("%d files of 'dest_dir' have other content and were kept; `overwrite = TRUE` replaces them: %s",
                         length(found$kept), paste(found$kept, collapse = ", ")), call. = FALSE, domain = NA)
    }
    rows <- data.frame(stem = found$stem, source = found$source, dest = file.path(dest_dir, basename(found$dest)),
                       copied = found$copied, stringsAsFactors = FALSE)
    structure(rows, class = c("nmathopencl_lib_extract_df", "data.frame"), library_dir = library_dir, dest_dir = dest_dir,
              depends_tag = depends_tag, kernel_paths = kernel_paths)
}

print.nmathopencl_lib_extract_df <- function(x, ...) {
    # A part of the columns is a plain data frame.
    if (!all(c("stem", "dest", "copied") %in% names(x)) || is.null(attr(x, "dest_dir"))) return(print(as.data.frame(x), ...))
    cat("OpenCL library subset: ", nrow(x), " files, ", sum(x$copied), " copied\n", sep = "")
    cat("  from ", attr(x, "library_dir"), "\n  to   ", attr(x, "dest_dir"), "\n", sep = "")
    status <- ifelse(x$copied, "copied", "skipped")
    cat(paste0("  ", formatC(status, width = -8), basename(x$dest), "\n"), sep = "")
    invisible(x)
}

as.data.frame.nmathopencl_lib_extract_df <- function(x, ...) {
    class(x) <- "data.frame"
    for (name in c("library_dir", "dest_dir", "depends_tag", "kernel_paths")) attr(x, name) <- NULL
    x
}

attach_kernel_dependency_tags <- function(library_dir, dry_run = FALSE) {
    library_dir <- check_dir(library_dir, "library_dir")
    found <- gm_call("library_tags", library_dir, check_flag(dry_run, "dry_run"))
    frame <- function(...) data.frame(..., stringsAsFactors = FALSE)
    count <- length(found$sorted_file)
    sorted <- frame(order = seq_len(count), pass = found$sorted_pass, file = found$sorted_file, source_type = found$source_type,
                    depends = found$depends)
    unresolved <- frame(file = found$stuck_file, source_type = found$stuck_source_type, depends = found$stuck_depends,
                        unresolved = found$stuck_waits_for)
    result <- list(ok = found$ok, message = NULL, sorted = sorted, unresolved = unresolved, cycles = frame(cycle = found$cycles))
    if (found$ok) {
        result$message <- gettextf("%d files sorted; %d %s", count, found$changed, if (dry_run) "would change" else "changed")
        tags <- frame(file = found$sorted_file, source_origin = found$source_origin, source_type = found$source_type,
                      includes = found$includes, depends = found$depends, provides = found$provides, load_order = seq_len(count),
                      all_depends = found$all_depends, all_depends_count = found$all_depends_count)
        result$tags <- tags
        result$header_functions <- frame(name = found$declared, header = found$declared_in, definition = found$defined_in,
                                         all_depends = tags$all_depends[match(found$defined_in, tags$file)])
    } else {
        result$message <- found$problem
    }
    result$library_dir <- library_dir
    result$dry_run <- dry_run
    structure(result, class = "opencl_dependency_tags")
}

print.opencl_dependency_tags <- function(x, max_rows = 50, ...) {
    cat("OpenCL dependency tags:", x$message, "\n")
    show <- function(title, rows) {
        if (!nrow(rows)) return(invisible())
        cat("\n", title, " (", nrow(rows), "):\n", sep = "")
        print(utils::head(rows, max_rows), ..., row.names = FALSE)
        if (nrow(rows) > max_rows) cat("and", nrow(rows) - max_rows, "more\n")
    }
    if (isTRUE(x$ok)) {
        show("files", x$tags[c("file", "load_order", "all_depends_count", "depends")])
    } else {
        show("sorted", x$sorted)
        show("unresolved", x$unresolved)
        show("cycles", x$cycles)
    }
    invisible(x)
}

attach_cross_library_tags <- function(kernel_paths, library_dir, depends_tag = "depends_nmath", index = NULL, dry_run = FALSE) {
    kernel_paths <- check_paths(kernel_paths, "kernel_paths")
    library_dir <- check_dir(library_dir, "library_dir")
    found <- gm_call("library_cross_tags", kernel_paths, library_dir, check_tag(depends_tag, "depends_tag"),
                     index_text(index, library_dir), check_flag(dry_run, "dry_run"))
    invisible(data.frame(file = basename(kernel_paths), found, stringsAsFactors = FALSE))
}

attach_kernel_call_tags <- function(kernel_paths, library_dir, library_tag, overwrite_existing = FALSE, dry_run = FALSE) {
    kernel_paths <- check_paths(kernel_paths, "kernel_paths")
    library_dir <- check_dir(library_dir, "library_dir")
    if (!grepl("^[A-Za-z_][A-Za-z0-9_]*$", check_string(library_tag, "library_tag")))
        stop(gettextf("'library_tag' is '%s', but must be made of letters, digits and _", library_tag), call. = FALSE, domain = NA)
    found <- gm_call("library_call_tags", kernel_paths, library_dir, library_tag, check_flag(overwrite_existing, "overwrite_existing"),
                     check_flag(dry_run, "dry_run"))
    invisible(data.frame(file = basename(kernel_paths), found, stringsAsFactors = FALSE))
}

stage_kernel_dependency_sort <- function(library_dir, output_dir, overwrite = FALSE) {
    library_dir <- check_dir(library_dir, "library_dir")
    output_dir <- path.expand(check_string(output_dir, "output_dir"))
    check_flag(overwrite, "overwrite")
    if (file.exists(output_dir) && !overwrite)
        stop(gettextf("'output_dir' %s exists; `overwrite = TRUE` replaces it", output_dir), call. = FALSE, domain = NA)
    dir.create(dirname(output_dir), recursive = TRUE, showWarnings = FALSE)
    # What is replaced must be a staged library itself: any other folder is refused there.
    found <- gm_call("library_stage", library_dir, output_dir, overwrite)
    is_sorted <- !is.na(found$order)
    sorted <- data.frame(order = found$order, pass = found$pass, file = found$file, source_type = found$source_type,
                         depends = found$depends, stringsAsFactors = FALSE)[is_sorted, ]
    unresolved <- data.frame(file = found$file, source_type = found$source_type, depends = found$depends,
                             unresolved = found$waits_for, stringsAsFactors = FALSE)[!is_sorted, ]
    rownames(sorted) <- rownames(unresolved) <- NULL
    dirs <- file.path(output_dir, c("sorted", "unresolved"))
    list(sorted = sorted, unresolved = unresolved, sorted_dir = dirs[1L], unresolved_dir = dirs[2L])
}

# A manifest as the text of its file.
manifest_text <- function(manifest) {
    if (is.list(manifest) && !is.data.frame(manifest) && !is.null(manifest$entries)) manifest <- manifest$entries
    if (!is.data.frame(manifest) || !all(c("rank", "kind", "rel_path") %in% names(manifest)))
        stop("'manifest' must be a data frame with the columns rank, kind and rel_path", call. = FALSE)
    lines <- paste(manifest$rank, manifest$kind, manifest$rel_path, sep = "\t")
    paste0("rank\tkind\trel_path\n", paste0(lines, "\n", collapse = ""))
}

manifest_file <- function(manifest_relative_path, source_package, manifest_path) {
    if (!is.null(manifest_path)) return(check_paths(check_string(manifest_path, "manifest_path"), "manifest_path"))
    tree_path(manifest_relative_path, source_package, "manifest_relative_path", "source_package")
}

read_program_preload_manifest <- function(manifest_relative_path = "program_preload_manifest.tsv", source_package = "nmathopencl",
                                          manifest_path = NULL) {
    file <- manifest_file(manifest_relative_path, source_package, manifest_path)
    # The one for R, if it is beside it.
    rds <- sub("\\.tsv$", ".rds", file)
    text <- if (rds != file && file.exists(rds)) manifest_text(readRDS(rds))
    data.frame(gm_call("manifest_read", text, file), stringsAsFactors = FALSE)
}

write_program_preload_manifest <- function(manifest = NULL, manifest_path = NULL, source_package = "nmathopencl",
                                           manifest_relative_path = "program_preload_manifest.tsv", write = TRUE, verbose = FALSE) {
    check_flag(write, "write")
    check_flag(verbose, "verbose")
    file <- if (!is.null(manifest_path)) path.expand(check_string(manifest_path, "manifest_path")) else
        file.path(package_dir(source_package, "source_package"), "cl", check_string(manifest_relative_path, "manifest_relative_path"))
    text <- if (!is.null(manifest)) manifest_text(manifest)
    entries <- data.frame(gm_call(if (write) "manifest_write" else "manifest_read", text, file), stringsAsFactors = FALSE)
    if (write && verbose) message("wrote ", file, " and ", sub("\\.tsv$", ".rds", file))
    invisible(list(version = 1L, generated_at = Sys.time(), source_package = source_package,
                   manifest_relative_path = manifest_relative_path, manifest_path = file, entries = entries))
}

load_program_preload <- function(manifest_relative_path = "program_preload_manifest.tsv", source_package = "nmathopencl",
                                 verbose = FALSE, manifest = NULL) {
    check_flag(verbose, "verbose")
    dir <- package_dir(source_package, "source_package")
    text <- if (!is.null(manifest)) manifest_text(manifest)
    file <- if (is.null(manifest)) manifest_file(manifest_relative_path, source_package, NULL) else "manifest"
    found <- gm_call("manifest_load", dir, text, file)
    if (verbose) cat(paste0("Preload: ", basename(found$paths), "\n"), sep = "")
    structure(found$text, class = c("opencltools_program_preload", "character"), source_package = source_package,
              files = found$paths, nbytes_concatenated = nchar(found$text, "bytes"))
}

print.opencltools_program_preload <- function(x, ...) {
    cat("OpenCL program preload of package ", attr(x, "source_package"), ": ", length(attr(x, "files")), " files, ",
        attr(x, "nbytes_concatenated"), " bytes\n", sep = "")
    cat(paste0("  ", basename(attr(x, "files")), "\n"), sep = "")
    invisible(x)
}

as.character.opencltools_program_preload <- as.character.nmathopencl_concatenated_lib

assemble_program <- function(kernel_relative_path, kernel_package, library_subdir = "nmath", library_package = "gristmill",
                             depends_tag = NULL) {
    check_string(kernel_relative_path, "kernel_relative_path")
    if (length(library_subdir) != length(library_package))
        stop("'library_subdir' and 'library_package' must have the same length", call. = FALSE)
    dirs <- vapply(library_package, package_dir, "", argument = "library_package")
    gm_call("program", package_dir(kernel_package, "kernel_package"), kernel_relative_path, unname(dirs), library_subdir,
            if (!is.null(depends_tag)) check_tag(depends_tag, "depends_tag"))
}

run_kernel <- function(program, kernel, ..., global_size, options = "") {
    program <- check_string(as.character(program), "program")
    check_string(kernel, "kernel")
    check_string(options, "options")
    if (!is.numeric(global_size) || !length(global_size) %in% 1:3 || anyNA(global_size) || any(global_size < 0 | global_size %% 1 != 0))
        stop("'global_size' must be one to three whole numbers", call. = FALSE)
    arguments <- list(...)
    for (i in seq_along(arguments)) {
        if (!is.numeric(arguments[[i]]) && !is.logical(arguments[[i]]))
            stop(gettextf("argument %d of the kernel must be numbers", i), call. = FALSE, domain = NA)
        arguments[[i]] <- as.vector(unclass(arguments[[i]]))
    }
    do.call(gm_call, c(list("kernel_run", program, kernel, options, as.double(global_size)), unname(arguments)))$written
}
