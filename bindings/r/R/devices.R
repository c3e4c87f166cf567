# The OpenCL devices of this machine, and which one is used.

device_fields <- c("index", "platform", "platform_version", "name", "vendor", "type", "version", "c_version", "driver",
                   "compute_units", "global_memory", "max_allocation", "local_memory", "max_work_group_size", "fp64", "fp64_exact",
                   "unified_memory", "selected")

# What the OpenCL library shows: list(library, reason, platforms, devices).
opencl_survey <- function() {
    rows <- records(.Call(C_survey_records))
    of <- function(kind) Filter(function(row) row[[1L]] == kind, rows)
    library <- of("library")
    platforms <- of("platform")
    devices <- lapply(of("device"), function(row) {
        device <- as.list(stats::setNames(row[-1L], device_fields))
        numbers <- c("index", "compute_units", "global_memory", "max_allocation", "local_memory", "max_work_group_size")
        device[numbers] <- lapply(device[numbers], as.numeric)
        flags <- c("fp64", "fp64_exact", "unified_memory", "selected")
        device[flags] <- lapply(device[flags], function(x) x == "true")
        device
    })
    field <- function(rows, k) vapply(rows, function(row) if (length(row) >= k) row[[k]] else "", "")
    list(library = if (length(library)) library[[1L]][[2L]] else "missing",
         reason = if (length(library) && length(library[[1L]]) > 2L) library[[1L]][[3L]] else "",
         platforms = data.frame(name = field(platforms, 2L), version = field(platforms, 3L),
                                devices = as.integer(field(platforms, 4L)), error = field(platforms, 5L)),
         devices = devices)
}

devices_frame <- function(devices) {
    if (!length(devices))
        devices <- list(stats::setNames(as.list(rep(NA, length(device_fields))), device_fields))[0L]
    columns <- lapply(device_fields, function(field) unlist(lapply(devices, `[[`, field)))
    columns <- lapply(columns, function(column) if (is.null(column)) character() else column)
    as.data.frame(stats::setNames(columns, device_fields))
}

has_opencl <- function() isTRUE(.Call(C_has_device))

nmathopencl_has_opencl <- function() has_opencl()

gpu_names <- function() {
    devices <- opencl_survey()$devices
    is_gpu <- vapply(devices, function(device) device$type %in% c("gpu", "accelerator"), NA)
    vapply(devices[is_gpu], `[[`, "", "name")
}

opencl_device_info <- function(force = FALSE, details = FALSE) {
    if (isTRUE(force)) opencl_reset_device_selection()
    found <- .Call(C_has_device)
    survey <- opencl_survey()
    chosen <- Filter(function(device) device$selected, survey$devices)
    info <- if (length(chosen)) c(list(available = TRUE), chosen[[1L]]) else {
        none <- stats::setNames(as.list(rep(NA, length(device_fields))), device_fields)
        c(list(available = FALSE), none)
    }
    info$reason <- if (isTRUE(found)) "" else found
    if (isTRUE(details)) {
        info$platforms <- survey$platforms
        info$devices <- devices_frame(survey$devices)
    }
    structure(info, class = "opencl_device_info")
}

print.opencl_device_info <- function(x, ...) {
    if (!isTRUE(x$available)) {
        cat("no OpenCL device is used: ", x$reason, "\n", sep = "")
    } else {
        cat("OpenCL device ", x$index, ": ", x$name, " (", x$type, ")\n", sep = "")
        cat("  platform:         ", x$platform, ", ", x$platform_version, "\n", sep = "")
        cat("  driver:           ", x$driver, "\n", sep = "")
        cat("  compute units:    ", x$compute_units, "\n", sep = "")
        cat("  memory:           ", format(structure(x$global_memory, class = "object_size"), units = "auto"), "\n", sep = "")
        cat("  double precision: ", if (!x$fp64) "no" else if (x$fp64_exact) "yes" else "yes, not exactly rounded", "\n", sep = "")
    }
    if (!is.null(x$devices)) print(x$devices[c("index", "platform", "name", "type", "fp64", "selected")], row.names = FALSE)
    invisible(x)
}

opencl_fp64_available <- function(force = FALSE) {
    if (isTRUE(force)) opencl_reset_device_selection()
    isTRUE(opencl_device_info()$fp64)
}

opencl_reset_device_selection <- function() {
    .Call(C_forget_device)
    invisible(NULL)
}

get_opencl_core_count <- function() {
    info <- opencl_device_info()
    if (isTRUE(info$available)) as.integer(info$compute_units) else 0L
}
