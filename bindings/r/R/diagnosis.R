# What stands between this machine and an OpenCL device: hardware, drivers, ICD files, headers, permissions, variables.

# The first line of a file, or "".
first_line <- function(path) {
    line <- tryCatch(suppressWarnings(readLines(path, n = 1L)), error = function(e) character())
    if (length(line)) line[[1L]] else ""
}

pci_vendors <- c("0x10de" = "NVIDIA", "0x1002" = "AMD", "0x8086" = "Intel", "0x1d0f" = "Amazon", "0x1a03" = "ASPEED",
                 "0x1234" = "QEMU", "0x15ad" = "VMware", "0x1414" = "Microsoft", "0x1af4" = "Red Hat")

# What has a driver that OpenCL could use, by vendor.
driver_packages <- c(NVIDIA = "nvidia-opencl-icd (or the driver from NVIDIA, with its OpenCL part)",
                     AMD = "mesa-opencl-icd, or rocm-opencl-icd", Intel = "intel-opencl-icd")

# Graphics and compute hardware, from the PCI bus, whether or not there is a driver for it.
pci_gpus <- function(folder = "/sys/bus/pci/devices") {
    slots <- list.files(folder, full.names = TRUE)
    class <- vapply(slots, function(slot) first_line(file.path(slot, "class")), "", USE.NAMES = FALSE)
    # 03: display controllers; 0b40: co-processors; 12: processing accelerators
    slots <- slots[grepl("^0x(03|0b40|12)", class)]
    if (!length(slots)) return(data.frame(slot = character(), vendor = character(), pci_id = character(), driver = character()))
    read <- function(name) vapply(slots, function(slot) first_line(file.path(slot, name)), "", USE.NAMES = FALSE)
    vendor <- read("vendor")
    driver <- vapply(slots, function(slot) basename(Sys.readlink(file.path(slot, "driver"))), "", USE.NAMES = FALSE)
    driver[is.na(driver)] <- ""
    name <- unname(pci_vendors[vendor])
    data.frame(slot = basename(slots), vendor = ifelse(is.na(name), vendor, name),
               pci_id = sub("0x", "", paste0(vendor, ":", sub("0x", "", read("device"))), fixed = TRUE), driver = driver)
}

detect_environment_and_gpus <- function() {
    system <- Sys.info()
    release <- if (file.exists("/etc/os-release")) readLines("/etc/os-release", warn = FALSE) else character()
    pretty <- sub('^PRETTY_NAME="?([^"]*)"?$', "\\1", grep("^PRETTY_NAME=", release, value = TRUE))
    kernel <- first_line("/proc/version")
    structure(list(os = system[["sysname"]], release = system[["release"]], arch = system[["machine"]],
                   distribution = if (length(pretty)) pretty[[1L]] else NA_character_,
                   wsl = grepl("microsoft", kernel, ignore.case = TRUE),
                   container = file.exists("/.dockerenv") || file.exists("/run/.containerenv"),
                   gpus = pci_gpus(), opencl_devices = devices_frame(opencl_survey()$devices)),
              class = "gristmill_environment")
}

print.gristmill_environment <- function(x, ...) {
    cat(x$os, " ", x$release, " on ", x$arch, if (!is.na(x$distribution)) paste0(", ", x$distribution), "\n", sep = "")
    if (x$wsl) cat("Windows Subsystem for Linux\n")
    if (x$container) cat("inside a container\n")
    if (nrow(x$gpus)) print(x$gpus, row.names = FALSE) else cat("no graphics or compute hardware on the PCI bus\n")
    invisible(x)
}

# Files named `libOpenCL.so*` (or what the system calls it) in these folders.
opencl_libraries <- function(folders) {
    pattern <- if (Sys.info()[["sysname"]] == "Darwin") "^libOpenCL.*\\.dylib$" else "^libOpenCL\\.so(\\.[0-9.]+)?$"
    unlist(lapply(folders, list.files, pattern = pattern, full.names = TRUE))
}

library_folders <- function() {
    path <- strsplit(Sys.getenv("LD_LIBRARY_PATH"), ":", fixed = TRUE)[[1L]]
    usual <- c("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/opt/rocm/lib", "/opt/rocm/opencl/lib",
               "/usr/local/cuda/lib64", "/usr/lib/wsl/lib")
    more <- list.dirs("/usr/lib", recursive = FALSE)
    unique(c(path[nzchar(path)], usual, more[grepl("-linux-", basename(more), fixed = TRUE)]))
}

# The ICD files, each with the library that it names, and whether that is there.
icd_files <- function(folder = Sys.getenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")) {
    files <- list.files(folder, pattern = "\\.icd$", full.names = TRUE)
    library <- vapply(files, first_line, "", USE.NAMES = FALSE)
    there <- vapply(library, function(path) {
        if (startsWith(path, "/")) return(file.exists(path))
        any(file.exists(file.path(library_folders(), path)))
    }, NA, USE.NAMES = FALSE)
    data.frame(file = files, library = library, found = as.logical(there))
}

verify_opencl_runtime <- function(lib_dirs = NULL) {
    if (!is.null(lib_dirs) && !is.character(lib_dirs))
        stop("'lib_dirs' must be NULL or a character vector of folders, but is of type ", typeof(lib_dirs))
    libraries <- opencl_libraries(if (is.null(lib_dirs)) library_folders() else lib_dirs)
    survey <- opencl_survey()
    structure(list(ok = has_opencl(), library = survey$library, libraries = as.character(libraries), reason = survey$reason,
                   platforms = survey$platforms, devices = devices_frame(survey$devices)), class = "opencl_runtime")
}

print.opencl_runtime <- function(x, ...) {
    cat("OpenCL library: ", x$library, if (length(x$libraries)) paste0(" (", x$libraries[[1L]], ")"), "\n", sep = "")
    if (nzchar(x$reason)) cat("  ", x$reason, "\n", sep = "")
    for (k in seq_len(nrow(x$platforms)))
        cat("platform: ", x$platforms$name[[k]], ", ", x$platforms$version[[k]], ", ", x$platforms$devices[[k]], " device(s)\n", sep = "")
    cat(if (x$ok) "a device can be used\n" else "no device can be used\n")
    invisible(x)
}

detect_compute_runtimes <- function(info = detect_environment_and_gpus()) {
    if (!is.list(info)) stop("'info' must be what detect_environment_and_gpus() gives, but is of type ", typeof(info))
    tool <- function(name) unname(Sys.which(name))
    structure(list(opencl = verify_opencl_runtime(), icd = icd_files(),
                   headers = Filter(file.exists, c("/usr/include/CL/cl.h", "/usr/local/include/CL/cl.h", "/opt/rocm/include/CL/cl.h",
                                                   "/usr/local/cuda/include/CL/cl.h")),
                   tools = c(clinfo = tool("clinfo"), nvidia_smi = tool("nvidia-smi"), rocminfo = tool("rocminfo")),
                   cuda = dir.exists("/usr/local/cuda") || nzchar(tool("nvidia-smi")), rocm = dir.exists("/opt/rocm"),
                   info = info), class = "gristmill_runtimes")
}

print.gristmill_runtimes <- function(x, ...) {
    print(x$opencl)
    cat("ICD files: ", if (nrow(x$icd)) paste(x$icd$file, collapse = ", ") else "none", "\n", sep = "")
    cat("headers:   ", if (length(x$headers)) paste(x$headers, collapse = ", ") else "none (needed only to compile C against OpenCL)", "\n",
        sep = "")
    cat("CUDA: ", x$cuda, ", ROCm: ", x$rocm, "\n", sep = "")
    invisible(x)
}

# Whether this user may open the nodes that drivers use.
device_nodes <- function() {
    nodes <- c(list.files("/dev/dri", pattern = "^render", full.names = TRUE), Filter(file.exists, c("/dev/kfd", "/dev/nvidiactl")))
    data.frame(node = nodes, usable = as.logical(file.access(nodes, 6L) == 0L))
}

check_runtime_env <- function(runtime_info = detect_compute_runtimes()) {
    if (!is.list(runtime_info) || is.null(runtime_info$opencl))
        stop("'runtime_info' must be what detect_compute_runtimes() gives")
    problems <- character()
    add <- function(...) problems <<- c(problems, paste0(...))
    vendors <- Sys.getenv("OCL_ICD_VENDORS")
    if (nzchar(vendors) && !nrow(runtime_info$icd))
        add("OCL_ICD_VENDORS is '", vendors, "', where no .icd file is: unset it")
    missing <- runtime_info$icd[!runtime_info$icd$found, ]
    for (k in seq_len(nrow(missing)))
        add(missing$file[[k]], " names ", missing$library[[k]], ", which is not there: install the driver again")
    nodes <- device_nodes()
    for (node in nodes$node[!nodes$usable])
        add(node, " cannot be opened by you: join its group (sudo usermod -aG render,video $USER) and log in again")
    if (runtime_info$opencl$library == "missing")
        add("there is no OpenCL library: install ocl-icd-libopencl1 (Debian, Ubuntu), ocl-icd (Fedora, Arch)")
    else if (!nrow(runtime_info$icd) && Sys.info()[["sysname"]] == "Linux")
        add("there is no OpenCL driver: install one for your hardware, or pocl-opencl-icd, which uses the CPU")
    gpus <- runtime_info$info$gpus
    have <- tolower(paste(c(runtime_info$opencl$devices$vendor, runtime_info$opencl$devices$platform), collapse = " "))
    for (vendor in intersect(unique(gpus$vendor), names(driver_packages)))
        if (!grepl(tolower(vendor), have, fixed = TRUE))
            add("there is ", vendor, " hardware, but no OpenCL driver for it: install ", driver_packages[[vendor]])
    if (!runtime_info$opencl$ok && nrow(runtime_info$opencl$devices))
        add("no device was chosen: ", opencl_device_info()$reason)
    structure(list(ok = !length(problems), problems = problems), class = "gristmill_runtime_check")
}

print.gristmill_runtime_check <- function(x, ...) {
    if (x$ok) cat("nothing to mend\n") else cat(paste0("- ", x$problems, "\n"), sep = "")
    invisible(x)
}

# Says what to install; installs nothing.
detect_or_install_gpu_drivers <- function(info = detect_environment_and_gpus()) {
    check <- check_runtime_env(detect_compute_runtimes(info))
    print(check)
    invisible(check)
}

sitrep <- function() {
    environment <- detect_environment_and_gpus()
    runtimes <- detect_compute_runtimes(environment)
    cat("gristmill ", as.character(packageVersion("gristmill")), ", ", R.version.string, "\n", sep = "")
    print(environment)
    cat("threads: ", gm_threads(), "\n", sep = "")
    print(runtimes)
    print(opencl_device_info())
    checks <- records(.Call(C_check_records))
    for (row in checks) cat(sprintf("%-8s %-18s %s\n", row[[1L]], row[[2L]], row[[3L]]))
    check <- check_runtime_env(runtimes)
    cat("to mend:\n")
    print(check)
    problems <- c(check$problems, vapply(Filter(function(row) row[[1L]] == "problem", checks), `[[`, "", 3L))
    invisible(structure(list(ok = !length(problems), problems = problems, environment = environment, runtimes = runtimes),
                        class = "gristmill_sitrep"))
}

diagnose_glmbayes <- function() sitrep()

# Folders in front of a variable of this session, those that it has left out.
prepended <- function(variable, dirs, separator) {
    if (!is.character(dirs)) stop("'dirs' must be a character vector of folders, but is of type ", typeof(dirs), call. = FALSE)
    old <- strsplit(Sys.getenv(variable), separator, fixed = TRUE)[[1L]]
    new <- c(setdiff(dirs[dir.exists(dirs)], old), old)
    value <- paste(new[nzchar(new)], collapse = separator)
    do.call(Sys.setenv, stats::setNames(list(value), variable))
    invisible(value)
}

add_to_libpath_linux <- function(dirs) prepended("LD_LIBRARY_PATH", dirs, ":")

add_to_path_linux <- function(dirs) prepended("PATH", dirs, ":")

add_to_path_windows <- function(dirs) prepended("PATH", dirs, .Platform$path.sep)

# Nothing is linked against OpenCL: the library is opened when it is used.
opencltoolsLdFlags <- function() {
    cat("")
    invisible("")
}
