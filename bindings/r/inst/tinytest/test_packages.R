# Scripts for opencltools and nmathopencl: the calls that their documentation shows, as they stand there.
library(gristmill)

into <- tempfile("into")
dir.create(into)
old_paths <- .libPaths()
.libPaths(c(into, old_paths))
made <- use_nmathopencl(into)
expect_identical(basename(made), c("nmathopencl", "opencltools"))
expect_identical(use_nmathopencl(into, "opencltools"), file.path(into, "opencltools"))
unlink(file.path(into, "opencltools", "by_gristmill"))
expect_error(use_nmathopencl(into), "overwrite = TRUE")
expect_silent(use_nmathopencl(into, "opencltools", overwrite = TRUE))
expect_error(use_nmathopencl(tempfile()), "'lib'")
expect_error(use_nmathopencl(into, "stats"), "should be")

library(nmathopencl, lib.loc = into)
expect_true(all(c("pnorm_opencl", "Ex_EnvelopeEval", "load_library_for_kernel", "has_opencl") %in% ls("package:nmathopencl")))
expect_false("pnorm" %in% ls("package:nmathopencl"))
expect_identical(pnorm_opencl(0, opencl_parallel = FALSE), 0.5)
expect_identical(formals(opencltools::load_kernel_source)$package, "opencltools")
expect_identical(formals(nmathopencl::load_kernel_source)$package, "nmathopencl")

# sources and libraries
kernel_src <- opencltools::load_kernel_source("src/dnorm_kernel.cl", package = "nmathopencl")
expect_true(grepl("__kernel void dnorm_kernel(", kernel_src, fixed = TRUE))
my_kernel <- opencltools::load_kernel_source("ex_glmbayes_src/f2_f3_binomial_logit.cl", package = "nmathopencl")
nmath_src <- opencltools::load_kernel_library("nmath", package = "nmathopencl")
nmath_glm <- opencltools::load_kernel_library("ex_glmbayes_nmath", package = "nmathopencl")
expect_true(nchar(nmath_glm) < nchar(nmath_src) / 2)
expect_stdout(opencltools::load_kernel_library("ex_glmbayes_nmath", package = "nmathopencl", verbose = TRUE), "^Pass 1: emitting ")
program <- paste(nmath_src, kernel_src, sep = "\n")
expect_error(opencltools::load_kernel_source("src/no.cl", package = "nmathopencl"), "File not found: inst/cl/src/no.cl")
for (shims in c("libR_shims", "R_ext_types", "R_shims", "R_ext_runtime", "R_ext_internals", "System"))
    expect_true(nzchar(load_kernel_library(shims, "nmathopencl", FALSE)), info = shims)

# the index, by itself and reused
nmath_dir <- system.file("cl", "nmath", package = "nmathopencl")
expect_true(nzchar(nmath_dir))
written <- file.path(tempfile("index"), "nmath")
dir.create(written, recursive = TRUE)
file.copy(list.files(nmath_dir, "[.]cl$", full.names = TRUE), written)
expect_message(write_kernel_dependency_index(written, verbose = TRUE), "kernel_dependency_index.rds")
expect_true(all(file.exists(file.path(written, paste0("kernel_dependency_index.", c("rds", "tsv"))))))
expect_identical(readLines(file.path(written, "kernel_dependency_index.tsv"), 1L), "stem\tall_depends")
idx <- readRDS(file.path(nmath_dir, "kernel_dependency_index.rds"))
src_gaussian <- load_library_for_kernel(
    kernel_path = system.file("cl", "ex_glmbayes_src", "f2_f3_gaussian.cl", package = "nmathopencl"),
    library_dir = nmath_dir, depends_tag = "depends_nmath", index = idx)
src_gamma <- load_library_for_kernel(
    kernel_path = system.file("cl", "ex_glmbayes_src", "f2_f3_gamma.cl", package = "nmathopencl"),
    library_dir = nmath_dir, depends_tag = "depends_nmath", index = idx)
expect_true(is.character(src_gaussian) && "dnorm" %in% attr(src_gaussian, "stems_loaded"))
expect_true("dgamma" %in% attr(src_gamma, "stems_loaded") && !"dnorm" %in% attr(src_gamma, "stems_loaded"))

# a subset of the library
src_dir <- system.file("cl", "ex_glmbayes_src", package = "nmathopencl")
dest_dir <- tempfile("mypkg_nmath")
dir.create(dest_dir)
result <- extract_library_subset(kernel_paths = list.files(src_dir, pattern = "\\.cl$", full.names = TRUE), library_dir = nmath_dir,
                                 dest_dir = dest_dir, depends_tag = "depends_nmath", index = idx)
expect_identical(names(result), c("stem", "source", "dest", "copied"))
expect_stdout(print(result), "kernel_dependency_index.tsv")
expect_identical(sort(list.files(dest_dir)), sort(list.files(system.file("cl", "ex_glmbayes_nmath", package = "nmathopencl"))))
expect_identical(load_library_for_kernel(file.path(src_dir, "f2_f3_poisson.cl"), dest_dir, "depends_nmath", idx)[[1L]],
                 load_library_for_kernel(file.path(src_dir, "f2_f3_poisson.cl"), nmath_dir, "depends_nmath", idx)[[1L]])

# the annotations of the kernels are what their code needs
kernels <- list.files(src_dir, pattern = "\\.cl$", full.names = TRUE)
expect_false(any(attach_cross_library_tags(kernels, nmath_dir, "depends_nmath", idx, dry_run = TRUE)$changed))
calls <- attach_kernel_call_tags(kernels, nmath_dir, "nmath", overwrite_existing = TRUE, dry_run = TRUE)
named <- vapply(kernels, function(k) sub("// @depends_nmath: ", "", grep("^// @depends_nmath:", readLines(k), value = TRUE)), "")
# `exp` of the library is written `gm_exp` behind a macro
expect_identical(gsub("gm_", "", calls$calls), unname(named))

# the kernels run, with the four layers put together by hand
layers <- function(kernel, library = "nmath") {
    shims <- c("libR_shims", "R_ext_types", "R_shims", "R_ext_runtime", "R_ext_internals", "System")
    library_dir <- system.file("cl", library, package = "nmathopencl")
    paste(c(load_kernel_source("OPENCL.cl"), vapply(shims, load_kernel_library, "", package = "nmathopencl"),
            load_library_for_kernel(system.file("cl", kernel, package = "nmathopencl"), library_dir, "all_depends_nmath", idx),
            load_kernel_source(kernel)), collapse = "\n")
}
if (has_opencl()) {
    x <- c(-1, 0.5, 3)
    found <- run_kernel(layers("src/dnorm_kernel.cl"), "dnorm_kernel", x, c(0, 0, 1), c(1, 2, 1), c(0L, 1L, 0L), numeric(3), 3L, global_size = 3)
    expect_identical(found$out, c(gristmill::dnorm(-1), gristmill::dnorm(0.5, 0, 2, log = TRUE), gristmill::dnorm(3, 1)))
    set.seed(4)
    x <- cbind(1, stats::rnorm(20))
    b <- cbind(c(0.2, -0.4), c(1, 0.3), c(-0.5, 2))
    models <- list(binomial_logit = list("binomial", "logit"), binomial_probit = list("binomial", "probit"),
                   binomial_cloglog = list("binomial", "cloglog"), poisson = list("poisson", "log"), gamma = list("Gamma", "log"),
                   gaussian = list("gaussian", "identity"))
    prior <- matrix(c(2, 0.5, 0.5, 1), 2)
    for (name in names(models)) {
        is_binomial <- startsWith(name, "binomial")
        wt <- if (is_binomial) rep(c(1, 4), 10) else rep(c(1, 2), 10)
        y <- if (is_binomial) rep(c(0, 0.25, 1, 0.5), 5) else if (name == "poisson") rep(0:4, 4) else stats::rgamma(20, 3)
        alpha <- seq(-0.2, 0.2, length.out = 20)
        ours <- f2_f3(models[[name]][[1L]], models[[name]][[2L]], b, y, x, c(0.1, 0), prior, alpha, wt)
        kernel <- paste0("f2_f3_", name)
        ran <- run_kernel(layers(paste0("ex_glmbayes_src/", kernel, ".cl"), "ex_glmbayes_nmath"), kernel, as.double(x), as.double(b), c(0.1, 0),
                          as.double(prior), alpha, as.double(y), wt, numeric(3), numeric(6), 20L, 2L, 3L, global_size = 3)
        expect_equal(ran$qf, ours$qf, tolerance = 1e-12, info = name)
        expect_equal(matrix(ran$grad, 3), ours$grad, tolerance = 1e-12, info = name)
    }
}
detach("package:nmathopencl", unload = TRUE)
unloadNamespace("opencltools")
.libPaths(old_paths)
