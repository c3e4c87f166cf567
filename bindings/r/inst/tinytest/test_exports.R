# Every exported function is called by an example, and by a test.
library(gristmill)
exports <- getNamespaceExports("gristmill")
pages <- tools::Rd_db("gristmill")
if (length(pages)) {
    called <- unlist(lapply(pages, function(page) {
        file <- tempfile(fileext = ".R")
        tools::Rd2ex(page, file)
        if (file.exists(file)) all.names(parse(file, keep.source = FALSE))
    }))
    expect_identical(sort(setdiff(exports, called)), character())
}
# Those of R by their names (test_functions.R, test_random.R), those on a device all in one loop (test_opencl.R), the others one by one.
files <- setdiff(list.files(pattern = "^test_.*[.]R$"), "test_exports.R")
named <- unlist(lapply(files, function(file) all.names(parse(file, keep.source = FALSE))))
in_loops <- c(gristmill:::functions_of_r, "rmultinom", grep("_opencl$", exports, value = TRUE))
expect_identical(sort(setdiff(exports, c(named, in_loops))), character())
