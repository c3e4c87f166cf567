/* The names that packages for opencltools and nmathopencl include: gristmill.h, and programs with all their shims. */
#ifndef GRISTMILL_OPENCLPORT_H
#define GRISTMILL_OPENCLPORT_H

#include "gristmill.h"

#ifdef __cplusplus
namespace gristmill {

/* Whether there is a device with double precision. */
inline bool nmathopencl_has_opencl() { return gristmill_has_device() != 0; }
inline bool opencltools_has_opencl() { return gristmill_has_device() != 0; }

/* A whole program: configuration, the shims of ported C code, the part of nmath that the kernel's annotation names, the kernel. */
inline std::string build_rmath_opencl_program(const std::string &kernel_relative_path, const std::string &package = "nmathopencl",
                                              const std::string &nmath_depends_annotation = "all_depends_nmath")
{
    static const char *const shims[] = { "libR_shims", "R_ext_types", "R_shims", "R_ext_runtime", "R_ext_internals", "System" };
    const std::string part = load_library_for_kernel_cross_package(kernel_relative_path, package, "nmath", "nmathopencl",
                                                                   nmath_depends_annotation);
    std::string program = load_kernel_source("OPENCL.cl", "nmathopencl") + "\n";
    for (const char *shim : shims) program += load_kernel_library(shim, "nmathopencl", false) + "\n";
    return program + part + "\n" + load_kernel_source(kernel_relative_path, package);
}

} // namespace gristmill
#endif

#endif
