# The functions on a device: the bits of those without, whether there is a device or not.
library(gristmill)
functions <- grep("_opencl$", getNamespaceExports("gristmill"), value = TRUE)
expect_true(length(functions) > 120)
exported <- function(name) getExportedValue("gristmill", name)
expect_identical(formals(pgamma_opencl)[["scale"]], quote(1/rate))

same_bits <- function(a, b) identical(a, b, num.eq = FALSE, single.NA = FALSE)
# A few of each kind are compiled for the device; every one is run by its example.
expect_true(same_bits(pnorm_opencl(c(a = -1, b = 2), 0, 1:2), gristmill::pnorm(c(a = -1, b = 2), 0, 1:2)))
expect_true(same_bits(pnorm_opencl(1:4, lower.tail = c(TRUE, FALSE)),
                      ifelse(c(TRUE, FALSE, TRUE, FALSE), gristmill::pnorm(1:4), gristmill::pnorm(1:4, lower.tail = FALSE))))
expect_true(same_bits(dgamma_opencl(c(0.5, NA, 2), 2, 3), gristmill::dgamma(c(0.5, NA, 2), 2, scale = 3)))
expect_true(same_bits(besselJ_opencl(c(0.5, 2), 1.5), gristmill::besselJ(c(0.5, 2), 1.5)))
expect_warning(pnorm_opencl(1, sd = -1), "NaNs produced")
expect_error(pnorm_opencl("a"), "Non-numeric argument to mathematical function")
for (pair in list(c("rnorm_opencl", "rnorm"), c("rexp_opencl", "rexp"), c("runif_opencl", "runif"))) {
    set.seed(11)
    a <- exported(pair[[1L]])(100)
    set.seed(11)
    expect_true(same_bits(a, exported(pair[[2L]])(100)), info = pair[[1L]])
}
set.seed(2)
a <- rbinom_opencl(50, 10, 0.3)
set.seed(2)
expect_identical(a, gristmill::rbinom(50, 10, 0.3))
set.seed(2)
a <- rmultinom_opencl(5, 20, c(1, 2, 3))
set.seed(2)
expect_identical(a, gristmill::rmultinom(5, 20, c(1, 2, 3)))
expect_identical(r_check_stack_opencl(2), c(0, 0))
expect_message(pnorm_opencl(0, verbose = TRUE), "computing on the")
expect_message(pnorm_opencl(0, opencl_parallel = FALSE, verbose = TRUE), "computing on the CPU")

old <- options(gristmill.device_required = TRUE)
if (has_opencl()) {
    expect_identical(pnorm_opencl(0), 0.5)
} else {
    expect_error(pnorm_opencl(0), "there is no device")
    expect_identical(pnorm_opencl(0, fallback = TRUE), 0.5)
}
options(old)

# Devices and diagnosis.
info <- opencl_device_info(details = TRUE)
expect_identical(info$available, has_opencl())
expect_identical(get_opencl_core_count() > 0L, has_opencl())
expect_stdout(print(info))
expect_stdout(report <- sitrep(), "gristmill")
expect_true(is.character(report$problems))
expect_identical(opencl_fp64_available(force = TRUE), has_opencl())
expect_error(verify_opencl_runtime(1), "'lib_dirs' must be")
expect_error(check_runtime_env(1), "'runtime_info' must be")

# Hardware without a driver is found by its PCI ids.
bus <- tempfile()
dir.create(file.path(bus, "0000:01:00.0"), recursive = TRUE)
writeLines("0x030000", file.path(bus, "0000:01:00.0", "class"))
writeLines("0x10de", file.path(bus, "0000:01:00.0", "vendor"))
writeLines("0x2684", file.path(bus, "0000:01:00.0", "device"))
gpus <- gristmill:::pci_gpus(bus)
expect_identical(gpus$vendor, "NVIDIA")
expect_identical(gpus$pci_id, "10de:2684")
expect_identical(gpus$driver, "")
