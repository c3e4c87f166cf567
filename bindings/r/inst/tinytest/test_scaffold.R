# A package made by the scaffold builds, and passes its own test at once.
library(gristmill)

dir <- file.path(tempfile("made"), "tails")
written <- use_gristmill(dir)
expect_true(all(file.exists(written)))
expected <- c("DESCRIPTION", "NAMESPACE", "LICENSE", "R/tails_upper_tail.R", "man/tails_upper_tail.Rd",
              "inst/cl/tails_src/upper_tail_kernel.cl", "src/tails_opencl.h", "src/tails_kernel_runners.cpp",
              "src/tails_kernel_wrappers.cpp", "src/tails_init.cpp", "src/Makevars.in", "configure", "configure.win", "tests/upper_tail.R")
expect_identical(setdiff(expected, list.files(dir, recursive = TRUE)), character())
expect_identical(length(use_gristmill(dir)), 0L)
expect_error(use_gristmill(tempfile(), package = "1x"), "'package'")

# The kernel's annotation is what its code needs.
kernel <- file.path(dir, "inst/cl/tails_src/upper_tail_kernel.cl")
tags <- attach_kernel_call_tags(kernel, system.file("cl/nmath", package = "gristmill"), "nmath", overwrite_existing = TRUE, dry_run = TRUE)
expect_identical(tags$calls, "pnorm")

into <- tempfile("into")
dir.create(into)
r <- file.path(R.home("bin"), "R")
libraries <- paste(c(into, .libPaths()), collapse = .Platform$path.sep)
install <- function() {
    suppressWarnings(system2(r, c("CMD", "INSTALL", paste0("--library=", into), dir), stdout = TRUE, stderr = TRUE,
                             env = paste0("R_LIBS=", libraries)))
}
has_compiler <- nzchar(Sys.which(strsplit(system2(r, c("CMD", "config", "CXX"), stdout = TRUE), " ")[[1]][1]))
if (at_home() && has_compiler) {
    output <- install()
    expect_null(attr(output, "status"), info = paste(output, collapse = "\n"))
    test <- function(env = character()) {
        suppressWarnings(system2(r, c("--vanilla", "--no-echo", "-f", file.path(dir, "tests/upper_tail.R")), stdout = TRUE, stderr = TRUE,
                                 env = c(paste0("R_LIBS=", libraries), env)))
    }
    found <- test()
    expect_null(attr(found, "status"), info = paste(found, collapse = "\n"))
    # without any OpenCL: no drivers
    found <- test(c("OCL_ICD_VENDORS=/nonexistent", "OPENCL_DYLIB_PATH=/nonexistent"))
    expect_null(attr(found, "status"), info = paste(found, collapse = "\n"))
}

# an existing package keeps what it has
old <- file.path(tempfile("old"), "older")
dir.create(file.path(old, "src"), recursive = TRUE)
writeLines(c("Package: older", "Version: 1.0", "Title: T", "Imports: stats (>= 3.0)"), file.path(old, "DESCRIPTION"))
writeLines("export(f)", file.path(old, "NAMESPACE"))
writeLines(c("PKG_CXXFLAGS = -O1", "PKG_LIBS = $(LAPACK_LIBS)"), file.path(old, "src", "Makevars"))
use_gristmill(old)
fields <- read.dcf(file.path(old, "DESCRIPTION"))
expect_true(grepl("stats", fields[1, "Imports"]) && grepl("gristmill", fields[1, "Imports"]))
expect_identical(unname(fields[1, "LinkingTo"]), "gristmill")
expect_true(all(c("export(f)", "export(older_upper_tail)") %in% readLines(file.path(old, "NAMESPACE"))))
expect_true(file.exists(file.path(old, "src", "Makevars.in")))

# configure scripts
alone <- tempfile("alone")
dir.create(file.path(alone, "src"), recursive = TRUE)
expect_identical(basename(use_opencl_configure(alone)), c("configure", "configure.win", "cleanup"))
expect_identical(length(use_opencl_configure(alone)), 0L)
expect_identical(length(use_opencl_configure(alone, overwrite = TRUE)), 3L)
if (.Platform$OS.type == "unix") {
    here <- setwd(alone)
    expect_identical(system2("./configure", stdout = FALSE, stderr = FALSE), 0L)
    expect_true(file.exists("src/Makevars"))
    setwd(here)
}
ported <- tempfile("ported")
dir.create(file.path(ported, "src"), recursive = TRUE)
writeLines(c("PKG_CXXFLAGS = -O1", "PKG_LIBS = $(LAPACK_LIBS)"), file.path(ported, "src", "Makevars"))
written <- port_to_opencl_configure(ported)
expect_identical(basename(written), c("Makevars.in", "configure", "configure.win", "cleanup"))
expect_false(file.exists(file.path(ported, "src", "Makevars")))
expect_error(port_to_opencl_configure(ported), "overwrite = TRUE")
expect_identical(length(port_to_opencl_configure(ported, backup = FALSE, overwrite = TRUE)), 3L)
if (.Platform$OS.type == "unix") {
    here <- setwd(ported)
    expect_identical(system2("./configure", stdout = FALSE, stderr = FALSE), 0L)
    made <- readLines("src/Makevars")
    expect_true(any(grepl("^PKG_LIBS = .*[$][(]LAPACK_LIBS[)]", made)) && "PKG_CXXFLAGS = -O1" %in% made)
    setwd(here)
}
expect_error(port_to_opencl_configure(tempfile()), "'path'")
