# The functions on a device: the bits of those without, whether there is a device or not.
library(gristmill)
functions <- grep("_opencl$", getNamespaceExports("gristmill"), value = TRUE)
expect_true(length(functions) > 120)
exported <- function(name) getExportedValue("gristmill", name)
expect_identical(formals(pgamma_opencl)[["scale"]], quote(1/rate))

same_bits <- function(a, b) identical(a, b, num.eq = FALSE, single.NA = FALSE)
# Every one on the device, and on the CPU: the same bits, names, types and warnings.
usual <- list(x = c(0.25, 0.5, 2, NA), q = c(0.25, 0.5, 2, NA), p = c(0.1, 0.5, 0.9, NA), y = 2, mean = 0.5, sd = 2, min = -1, max = 3,
              rate = 2, scale = 1.5, shape = 2.5, shape1 = 2, shape2 = 3.5, df = 4, df1 = 3, df2 = 7, meanlog = 0.2, sdlog = 0.7,
              location = 0.3, size = 12, prob = 0.3, mu = 2.5, lambda = 3.5, m = 7, n_black = 9, k = 5, nn = 9, nsize = 8, nmeans = 3,
              nu = 1.5, a = 2, b = 3.5, deriv = 1, digits = 2, logx = c(0.5, -2), logy = 0.25, n_exp = 3L, dn = 60, qprob = 0.7, ncp = 1.5)
draws <- function(name) name %in% c("exp_rand_opencl", "norm_rand_opencl", "unif_rand_opencl", "r_unif_index_opencl") ||
    grepl("^r", name) && !grepl("^r_", name)
arguments_of <- function(name) {
    parameters <- names(formals(exported(name)))
    technical <- c("opencl_parallel", "fallback", "verbose", "log", "log.p", "lower.tail", "expon.scaled", "nranges",
                   if (!identical(formals(exported(name))$ncp, quote(expr = ))) "ncp")
    given <- usual[setdiff(parameters, c(technical, "n", if (all(c("rate", "scale") %in% parameters)) "scale"))]
    if (grepl("binom|pois|geom|hyper|wilcox|signrank", name))
        for (first in intersect(names(given), c("x", "q"))) given[[first]] <- c(0, 1, 3, NA)
    if (grepl("^rmultinom", name)) given$prob <- c(0.2, 0.5, 0.3)
    if (name %in% c("imax2_opencl", "imin2_opencl")) given <- list(x = c(1L, 7L), y = 3L)
    if (name == "logspace_sub_opencl") given <- list(logx = c(2, 3), logy = 0.25)
    if (name == "log1mexp_opencl") given$x <- c(0.25, 0.5, 2)
    if ("n" %in% parameters) given <- c(list(n = if (grepl("choose", name)) 7 else 40), given)
    given
}
outcome_of <- function(f, arguments) {
    warnings <- character()
    set.seed(11)
    value <- withCallingHandlers(do.call(f, arguments), warning = function(w) {
        warnings <<- c(warnings, conditionMessage(w))
        invokeRestart("muffleWarning")
    })
    list(value = value, warnings = warnings)
}
scalars <- setdiff(functions, c("f2_f3_opencl", "nmathopencl_has_opencl"))
if (has_opencl()) {
    old <- options(gristmill.device_required = TRUE)
    # in few programs: what the kernels share is read once
    texts <- vapply(scalars, function(name) deparse1(body(exported(name))), "")
    calls <- unlist(regmatches(texts, gregexpr("C_device_(map|draw), [0-9]+L", texts)))
    names_of_kernels <- gristmill:::kernel_list[unique(as.integer(sub(".* ([0-9]+)L", "\\1", calls))) + 1L]
    for (group in split(names_of_kernels, ceiling(seq_along(names_of_kernels) / 40)))
        gristmill:::gm_call("device_build", group)
    for (name in scalars) {
        variants <- list(arguments_of(name))
        formals_of <- names(formals(exported(name)))
        if ("ncp" %in% setdiff(formals_of, names(variants[[1L]]))) variants <- c(variants, list(c(variants[[1L]], list(ncp = 1.5))))
        for (flag in intersect(c("log", "lower.tail", "expon.scaled"), formals_of))
            variants <- c(variants, list(c(variants[[1L]], stats::setNames(list(flag != "lower.tail"), flag))))
        for (arguments in variants) {
            there <- outcome_of(exported(name), arguments)
            options(gristmill.device = FALSE)
            here <- outcome_of(exported(name), arguments)
            options(gristmill.device = NULL)
            expect_true(same_bits(there, here), info = paste(name, deparse1(arguments)))
            expect_true(length(there$value) > 0L && !all(is.na(there$value)), info = name)
        }
    }
    options(old)
}
# And what R's own functions give, device or not.
old <- options(gristmill.device = FALSE)
names_in_r <- c(n_black = "n", nsize = "n", nn = "n")
compared <- 0L
for (name in Filter(Negate(draws), scalars)) {
    name_in_r <- sub("_opencl$", "", name)
    if (!name_in_r %in% gristmill:::functions_of_r) next
    arguments <- arguments_of(name)
    given <- arguments
    renamed <- names(given) %in% names(names_in_r)
    names(given)[renamed] <- names_in_r[names(given)[renamed]]
    f <- if (exists(name_in_r, asNamespace("stats"), inherits = FALSE)) getExportedValue("stats", name_in_r) else get(name_in_r, baseenv())
    # what R has of the studentised range
    tolerance <- if (grepl("tukey", name)) 1e-3 else 1e-9
    expect_equal(outcome_of(exported(name), arguments), outcome_of(f, given), tolerance = tolerance, info = name)
    compared <- compared + 1L
}
expect_true(compared > 70L)
options(old)
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
expect_identical(r_check_stack_opencl(2), c(1, 2))
expect_identical(r_check_user_interrupt_opencl(0), numeric())
expect_error(r_check_stack_opencl(1:2), "'n' is 1:2, but must be")
expect_identical(imax2_opencl(c(1L, 7L), 3.9), c(3, 7))
# one probability is that of the first of two classes
pairs <- rmultinom_opencl(4, 10, 0.25)
expect_identical(list(typeof(pairs), dim(pairs), colSums(pairs)), list("integer", c(2L, 4L), rep(10, 4)))
expect_identical(nmathopencl_has_opencl(), has_opencl())
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
