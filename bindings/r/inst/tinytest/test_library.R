# Loader, index, tags, stages and manifests over cl trees.
library(gristmill)
gm_threads(2)

write <- function(path, ...) {
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    writeLines(c(...), path)
    path
}
folder <- function() {
    dir <- tempfile("lib")
    dir.create(dir)
    dir
}
demo <- function(dir) {
    write(file.path(dir, "demo.cl"), "// @provides: DEMO", "// @depends:", "#define DEMO 1")
    write(file.path(dir, "mid.cl"), "// @provides: mid", "// @depends: demo", "double mid(double x) { return x + DEMO; }")
    write(file.path(dir, "top.cl"), "// @provides: top", "// @depends: demo, mid", "double top(double x) { return mid(x) * 2.0; }")
    write(file.path(dir, "alone.cl"), "// @provides: alone", "// @depends: demo", "double alone(double x) { return x; }")
    dir
}
kernel_text <- c("// @depends_demo: top", "__kernel void k(__global double* x) { int i = get_global_id(0); x[i] = top(x[i]); }")

# this package's own tree, also under the names of the packages whose interface this is
nmath_dir <- system.file("cl", "nmath", package = "gristmill")
expect_true(dir.exists(nmath_dir))
source <- load_kernel_source("nmath/dnorm.cl", package = "gristmill")
expect_identical(source, paste0(paste(readLines(file.path(nmath_dir, "dnorm.cl")), collapse = "\n"), "\n"))
expect_identical(load_kernel_source("nmath/dnorm.cl"), source)
whole <- load_kernel_library("nmath", package = "gristmill")
expect_true(nchar(whole) > 1e5 && is.character(whole) && length(whole) == 1L)
passes <- capture.output(invisible(load_kernel_library("nmath", package = "gristmill", verbose = TRUE)))
expect_true(grepl("^Pass 1: emitting ", passes[1]))
expect_error(load_kernel_source("nmath/nothing.cl", package = "gristmill"), "File not found: .*nmath/nothing.cl")
expect_error(load_kernel_source("../DESCRIPTION", package = "gristmill"), "leaves the tree")
expect_error(load_kernel_source("nmath/dnorm.cl", package = "no.such.package"), "no package called 'no.such.package'")
expect_error(load_kernel_source(1), "'relative_path'")
expect_error(load_kernel_library("nmaht", package = "gristmill"), "File not found")

# the index, from memory and beside the files
lib <- demo(folder())
index <- write_kernel_dependency_index(lib, write = FALSE)
expect_identical(names(index), c("version", "generated_at", "library_dir", "library_name", "stems_ordered", "load_order", "depends",
                                 "all_depends", "n_files"))
expect_identical(index$stems_ordered, c("demo", "alone", "mid", "top"))
expect_identical(index$all_depends$top, c("demo", "mid"))
expect_identical(index$load_order[["top"]], 4L)
expect_false(file.exists(file.path(lib, "kernel_dependency_index.tsv")))
expect_message(write_kernel_dependency_index(lib, verbose = TRUE), "kernel_dependency_index.rds")
expect_identical(readLines(file.path(lib, "kernel_dependency_index.tsv")),
                 c("stem\tall_depends", "demo\t", "alone\tdemo", "mid\tdemo", "top\tdemo, mid"))
read <- readRDS(file.path(lib, "kernel_dependency_index.rds"))
expect_identical(read[c("stems_ordered", "load_order", "depends", "all_depends")], index[c("stems_ordered", "load_order", "depends", "all_depends")])
elsewhere <- file.path(folder(), "my_index.rds")
write_kernel_dependency_index(lib, output_path = elsewhere)
expect_true(file.exists(sub("rds$", "tsv", elsewhere)))
expect_identical(readRDS(elsewhere)$stems_ordered, index$stems_ordered)
expect_error(write_kernel_dependency_index(), "'library_dir'")

# what one kernel needs
kernel <- write(file.path(folder(), "k.cl"), kernel_text)
part <- load_library_for_kernel(kernel, lib, depends_tag = "depends_demo", index = index)
expect_inherits(part, "nmathopencl_concatenated_lib")
expect_identical(attr(part, "stems_loaded"), c("demo", "mid", "top"))
expect_identical(attr(part, "stems_requested"), "top")
texts <- vapply(c("demo", "mid", "top"), function(s) paste0(paste(readLines(file.path(lib, paste0(s, ".cl"))), collapse = "\n"), "\n"), "")
expect_identical(as.character(part), paste(texts, collapse = ""))
expect_true(any(grepl("mid.cl: mid", capture.output(print(part)))))
expect_message(load_library_for_kernel(kernel, lib, depends_tag = "depends_demo"), "readRDS")
expect_identical(load_library_for_kernel(kernel, lib, depends_tag = "depends_other", index = index), "")
wrong <- write(file.path(folder(), "w.cl"), "// @depends_demo: toop", "__kernel void k() {}")
expect_error(load_library_for_kernel(wrong, lib, "depends_demo", index), "toop")
expect_error(load_library_for_kernel("nowhere.cl", lib), "File not found: nowhere.cl")
expect_error(load_library_for_kernel(kernel, lib, index = 3), "'index'")

# a subset with an index of its own
dest <- folder()
rows <- extract_library_subset(kernel, lib, dest, depends_tag = "depends_demo", index = index)
expect_inherits(rows, "nmathopencl_lib_extract_df")
expect_identical(names(rows), c("stem", "source", "dest", "copied"))
expect_identical(rows$stem, c("demo", "mid", "top", "kernel_dependency_index.rds", "kernel_dependency_index.tsv"))
expect_true(all(rows$copied) && all(file.exists(rows$dest)))
expect_true(any(grepl("5 copied", capture.output(print(rows)))))
expect_identical(as.character(load_library_for_kernel(kernel, dest, "depends_demo", readRDS(file.path(dest, "kernel_dependency_index.rds")))),
                 as.character(part))
expect_false(any(extract_library_subset(kernel, lib, dest, depends_tag = "depends_demo", index = index)$copied))
write(file.path(dest, "mid.cl"), "// changed")
expect_warning(again <- extract_library_subset(kernel, lib, dest, depends_tag = "depends_demo", index = index), "mid.cl")
expect_false(again$copied[2])
expect_identical(readLines(file.path(dest, "mid.cl")), "// changed")
expect_true(extract_library_subset(kernel, lib, dest, depends_tag = "depends_demo", index = index, overwrite = TRUE)$copied[2])
expect_warning(planned <- extract_library_subset(kernel, lib, file.path(dest, "no", "where"), "depends_demo", index), "does not exist")
expect_false(any(planned$copied))

# tags
tags <- attach_kernel_dependency_tags(lib, dry_run = TRUE)
expect_inherits(tags, "opencl_dependency_tags")
expect_true(tags$ok)
expect_identical(tags$sorted$file, c("demo.cl", "alone.cl", "mid.cl", "top.cl"))
expect_identical(tags$tags$all_depends_count, c(0L, 1L, 1L, 2L))
expect_false(any(grepl("@load_order", readLines(file.path(lib, "top.cl")))))
expect_true(attach_kernel_dependency_tags(lib)$ok)
expect_true(all(c("// @load_order: 4", "// @all_depends: demo, mid", "// @all_depends_count: 2") %in% readLines(file.path(lib, "top.cl"))))
expect_true(any(grepl("4 files sorted", capture.output(print(tags)))))
expect_identical(write_kernel_dependency_index(tags = attach_kernel_dependency_tags(lib), write = FALSE)$n_files, 4L)
bare <- write(file.path(folder(), "bare.cl"), kernel_text[2])
step <- attach_kernel_call_tags(bare, lib, "demo", dry_run = TRUE)
expect_identical(step[c("file", "calls", "depends", "opencl_builtins", "changed")],
                 data.frame(file = "bare.cl", calls = "top", depends = "top", opencl_builtins = "get_global_id", changed = TRUE))
expect_identical(readLines(bare), kernel_text[2])
attach_kernel_call_tags(bare, lib, "demo")
expect_true("// @depends_demo: top" %in% readLines(bare))
expect_identical(attach_kernel_call_tags(bare, lib, "demo")$changed, NA)
cross <- attach_cross_library_tags(kernel, lib, depends_tag = "depends_demo", index = index)
expect_identical(cross, data.frame(file = "k.cl", direct_stems = "top", all_depends_count = 3L, all_depends = "demo, mid, top", changed = TRUE))
expect_true("// @all_depends_demo: demo, mid, top" %in% readLines(kernel))
expect_false(attach_cross_library_tags(kernel, lib, depends_tag = "depends_demo", index = index)$changed)
expect_error(attach_kernel_call_tags(bare, lib, "de mo"), "'library_tag'")

# what cannot be sorted
knot <- demo(folder())
write(file.path(knot, "a.cl"), "// @provides: a", "// @depends: b")
write(file.path(knot, "b.cl"), "// @provides: b", "// @depends: a")
write(file.path(knot, "lost.cl"), "// @provides: lost", "// @depends: nobody")
tied <- attach_kernel_dependency_tags(knot)
expect_false(tied$ok)
expect_true(grepl("Dependency sort failed: unresolved dependencies remain.", tied$message, fixed = TRUE))
expect_identical(tied$unresolved$file, c("a.cl", "b.cl", "lost.cl"))
expect_true(any(grepl("a -> b -> a", tied$cycles$cycle, fixed = TRUE)))
expect_false(any(grepl("@load_order", readLines(file.path(knot, "top.cl")))))
out <- tempfile("staged")
staged <- stage_kernel_dependency_sort(knot, out)
expect_identical(staged$sorted$file, c("demo.cl", "alone.cl", "mid.cl", "top.cl"))
expect_identical(staged$unresolved$file, c("a.cl", "b.cl", "lost.cl"))
expect_identical(sort(list.files(staged$sorted_dir)), sort(staged$sorted$file))
expect_identical(basename(read.csv(file.path(out, "unresolved.csv"))$file), staged$unresolved$file)
expect_identical(basename(read.csv(file.path(out, "sorted.csv"))$file), staged$sorted$file)
expect_error(stage_kernel_dependency_sort(knot, out), "overwrite = TRUE")
expect_identical(stage_kernel_dependency_sort(knot, out, overwrite = TRUE)$sorted, staged$sorted)
# a folder with anything else in it is not replaced, whatever is said
writeLines("mine", file.path(out, "diary.txt"))
expect_error(stage_kernel_dependency_sort(knot, out, overwrite = TRUE), "diary.txt")
expect_identical(readLines(file.path(out, "diary.txt")), "mine")

# manifests
manifest <- read_program_preload_manifest(source_package = "gristmill")
expect_identical(names(manifest), c("rank", "kind", "rel_path"))
preload <- load_program_preload(source_package = "gristmill")
expect_inherits(preload, "opencltools_program_preload")
expect_identical(as.character(preload), load_kernel_source("OPENCL.cl", package = "gristmill"))
expect_identical(as.character(load_program_preload(source_package = "gristmill", manifest = manifest)), as.character(preload))
expect_true(any(grepl("OPENCL.cl", capture.output(print(preload)))))
file <- file.path(folder(), "program_preload_manifest.tsv")
mine <- data.frame(rank = 2:1, kind = c("library", "file"), rel_path = c("shims", "OPENCL.cl"))
made <- write_program_preload_manifest(mine, manifest_path = file)
expect_identical(names(made), c("version", "generated_at", "source_package", "manifest_relative_path", "manifest_path", "entries"))
expect_identical(read_program_preload_manifest(manifest_path = file)$rel_path, c("OPENCL.cl", "shims"))
expect_true(file.exists(sub("tsv$", "rds", file)))
expect_error(write_program_preload_manifest(data.frame(rank = 1, kind = "fiel", rel_path = "a"), manifest_path = file), "`fiel`")
expect_error(read_program_preload_manifest("no.tsv", "gristmill"), "File not found")

# packages: a kernel of one with the library of another, put together and run
source_dir <- file.path(folder(), "demopkg")
demo(file.path(source_dir, "inst", "cl", "demo"))
write(file.path(source_dir, "inst", "cl", "src", "k.cl"), "// @all_depends_nmath: dist_normal",
      "__kernel void k(__global const double* x, const double mean, __global double* out) {",
      "  int i = get_global_id(0); out[i] = pnorm(x[i], mean, 1.0, 1, 0); }")
write(file.path(source_dir, "DESCRIPTION"), "Package: demopkg", "Version: 0.1", "Title: Demo", "Description: Demo.", "License: MIT",
      "Author: A", "Maintainer: A <a@example.org>")
write(file.path(source_dir, "NAMESPACE"), "")
into <- folder()
old <- .libPaths()
.libPaths(c(into, old))
status <- system2(file.path(R.home("bin"), "R"), c("CMD", "INSTALL", "--no-docs", "--no-test-load", paste0("--library=", into), source_dir),
                  stdout = FALSE, stderr = FALSE)
expect_identical(status, 0L)
expect_identical(load_kernel_library("demo", package = "demopkg"), paste(c(texts[1], paste0(paste(readLines(file.path(source_dir, "inst/cl/demo/alone.cl")), collapse = "\n"), "\n"), texts[2:3]), collapse = ""))
across <- load_library_for_kernel_cross_package("src/k.cl", "demopkg", "nmath", "gristmill")
expect_true("dist_normal" %in% attr(across, "stems_loaded"))
program <- assemble_program("src/k.cl", "demopkg")
expect_true(grepl("__kernel void k", program) && grepl("FP_CONTRACT OFF", program))
x <- c(-1, 0, 2.5)
problem <- tryCatch({ ran <- run_kernel(program, "k", x, 0.5, numeric(3), global_size = 3); NULL }, error = conditionMessage)
if (is.null(problem)) {
    expect_identical(ran, list(out = gristmill::pnorm(x, 0.5)))
    expect_error(run_kernel(program, "kk", x, 0.5, numeric(3), global_size = 3), "no kernel `kk`")
    expect_error(run_kernel(program, "k", x, 1:2, numeric(3), global_size = 3), "`mean` is a number")
    expect_error(run_kernel("__kernel void k(__global double* x) { x[0] = ; }", "k", x, global_size = 1), "error")
} else {
    expect_true(grepl("OpenCL", problem))
}
expect_error(run_kernel(program, "k", "a", global_size = 3), "argument 1")
expect_error(run_kernel(program, "k", x, global_size = -1), "'global_size'")
.libPaths(old)
