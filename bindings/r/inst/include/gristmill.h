/* Gristmill for packages in C and C++: the loader, the assembler and the runner of OpenCL programs.
 *
 *   DESCRIPTION:  Imports: gristmill        LinkingTo: gristmill
 *   NAMESPACE:    importFrom(gristmill, load_kernel_source)      so that gristmill is loaded before this package's code runs
 *
 * No OpenCL headers and no -lOpenCL are needed: the library is opened when a kernel runs, and where there is none the runner
 * says so (GRISTMILL_NO_DEVICE). In C the functions give a status and a message; in C++ they throw std::runtime_error. */
#ifndef GRISTMILL_H
#define GRISTMILL_H

#include <stddef.h>
#include <R_ext/Rdynload.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GRISTMILL_DONE = 0, GRISTMILL_FAILED = 1, GRISTMILL_NO_DEVICE = 2 };

/* What an argument of a kernel is: a number, or an array that the kernel reads or fills. */
enum {
    GRISTMILL_DOUBLE = 1,
    GRISTMILL_INT = 2,
    GRISTMILL_DOUBLES_IN = 3,
    GRISTMILL_DOUBLES_OUT = 4,
    GRISTMILL_INTS_IN = 5,
    GRISTMILL_INTS_OUT = 6
};

/* An argument of a kernel: `data` points to the number, or to `length` numbers. */
typedef struct { int kind; size_t length; void *data; } gristmill_argument;

/* The texts are freed with gristmill_free_text(). Paths are those below inst/cl of the package. */
typedef int (*gristmill_source_function)(const char *relative_path, const char *package, char **text, char *message, size_t room);
static inline int gristmill_load_kernel_source(const char *relative_path, const char *package, char **text, char *message, size_t room)
{
    gristmill_source_function f = (gristmill_source_function) R_GetCCallable("gristmill", "gristmill_load_kernel_source");
    return f(relative_path, package, text, message, room);
}

/* A whole library in dependency order; `verbose` prints the passes of the sort. */
typedef int (*gristmill_library_function)(const char *subdir, const char *package, int verbose, char **text, char *message, size_t room);
static inline int gristmill_load_kernel_library(const char *subdir, const char *package, int verbose, char **text, char *message, size_t room)
{
    gristmill_library_function f = (gristmill_library_function) R_GetCCallable("gristmill", "gristmill_load_kernel_library");
    return f(subdir, package, verbose, text, message, room);
}

/* What a kernel's annotation @tag names of a library, and all that needs, by the library's index. */
typedef int (*gristmill_part_function)(const char *kernel, const char *kernel_package, const char *subdir, const char *library_package,
                                       const char *tag, char **text, char *message, size_t room);
static inline int gristmill_load_library_for_kernel(const char *kernel, const char *kernel_package, const char *subdir,
                                                    const char *library_package, const char *tag, char **text, char *message, size_t room)
{
    gristmill_part_function f = (gristmill_part_function) R_GetCCallable("gristmill", "gristmill_load_library_for_kernel");
    return f(kernel, kernel_package, subdir, library_package, tag, text, message, room);
}

/* What a package's manifest says comes first in its programs. */
typedef int (*gristmill_preload_function)(const char *manifest, const char *package, char **text, char *message, size_t room);
static inline int gristmill_load_program_preload(const char *manifest, const char *package, char **text, char *message, size_t room)
{
    gristmill_preload_function f = (gristmill_preload_function) R_GetCCallable("gristmill", "gristmill_load_program_preload");
    return f(manifest, package, text, message, room);
}

/* A whole program: configuration, preload, the part of the library that the kernel needs (tag may be NULL), the kernel. */
static inline int gristmill_assemble_program(const char *kernel, const char *kernel_package, const char *subdir,
                                             const char *library_package, const char *tag, char **text, char *message, size_t room)
{
    gristmill_part_function f = (gristmill_part_function) R_GetCCallable("gristmill", "gristmill_assemble_program");
    return f(kernel, kernel_package, subdir, library_package, tag, text, message, room);
}

/* Builds the program, once for each text and device, and runs a kernel with as many work-items as the sizes say. The kernel must
 * read and write only elements of the arrays that it is given. */
typedef int (*gristmill_run_function)(const char *program, const char *kernel, const char *options, const size_t *sizes, size_t dimensions,
                                      const gristmill_argument *arguments, size_t count, char *message, size_t room);
static inline int gristmill_run_kernel(const char *program, const char *kernel, const char *options, const size_t *sizes,
                                       size_t dimensions, const gristmill_argument *arguments, size_t count, char *message, size_t room)
{
    gristmill_run_function f = (gristmill_run_function) R_GetCCallable("gristmill", "gristmill_run_kernel");
    return f(program, kernel, options, sizes, dimensions, arguments, count, message, room);
}

/* 1 if there is a device with double precision to run kernels on, else 0. */
typedef int (*gristmill_device_function)(void);
static inline int gristmill_has_device(void)
{
    gristmill_device_function f = (gristmill_device_function) R_GetCCallable("gristmill", "gristmill_has_device");
    return f();
}

typedef void (*gristmill_free_function)(char *text);
static inline void gristmill_free_text(char *text)
{
    gristmill_free_function f = (gristmill_free_function) R_GetCCallable("gristmill", "gristmill_free_text");
    f(text);
}

#ifdef __cplusplus
}

#include <stdexcept>
#include <string>
#include <vector>

namespace gristmill {

namespace detail {
struct message {
    char text[8192];
    message() { text[0] = '\0'; }
};
inline std::string taken(int status, char *text, const message &why)
{
    if (status != GRISTMILL_DONE) throw std::runtime_error(why.text);
    std::string copy(text);
    gristmill_free_text(text);
    return copy;
}
} // namespace detail

inline std::string load_kernel_source(const std::string &relative_path, const std::string &package = "nmathopencl")
{
    detail::message why;
    char *text = NULL;
    int status = gristmill_load_kernel_source(relative_path.c_str(), package.c_str(), &text, why.text, sizeof why.text);
    return detail::taken(status, text, why);
}

inline std::string load_kernel_library(const std::string &subdir, const std::string &package = "nmathopencl", bool verbose = false)
{
    detail::message why;
    char *text = NULL;
    int status = gristmill_load_kernel_library(subdir.c_str(), package.c_str(), verbose, &text, why.text, sizeof why.text);
    return detail::taken(status, text, why);
}

inline std::string load_library_for_kernel_cross_package(const std::string &kernel, const std::string &kernel_package,
                                                         const std::string &library_subdir, const std::string &library_package,
                                                         const std::string &depends_tag = "all_depends_nmath")
{
    detail::message why;
    char *text = NULL;
    int status = gristmill_load_library_for_kernel(kernel.c_str(), kernel_package.c_str(), library_subdir.c_str(),
                                                   library_package.c_str(), depends_tag.c_str(), &text, why.text, sizeof why.text);
    return detail::taken(status, text, why);
}

inline std::string load_library_for_kernel(const std::string &kernel, const std::string &library_subdir,
                                           const std::string &package = "nmathopencl", const std::string &depends_tag = "all_depends")
{
    return load_library_for_kernel_cross_package(kernel, package, library_subdir, package, depends_tag);
}

inline std::string load_program_preload(const std::string &manifest = "program_preload_manifest.tsv",
                                        const std::string &package = "nmathopencl", bool verbose = false)
{
    (void) verbose;
    detail::message why;
    char *text = NULL;
    int status = gristmill_load_program_preload(manifest.c_str(), package.c_str(), &text, why.text, sizeof why.text);
    return detail::taken(status, text, why);
}

inline std::string assemble_program(const std::string &kernel, const std::string &kernel_package,
                                    const std::string &library_subdir = "nmath", const std::string &library_package = "gristmill",
                                    const std::string &depends_tag = "")
{
    detail::message why;
    char *text = NULL;
    int status = gristmill_assemble_program(kernel.c_str(), kernel_package.c_str(), library_subdir.c_str(), library_package.c_str(),
                                            depends_tag.empty() ? NULL : depends_tag.c_str(), &text, why.text, sizeof why.text);
    return detail::taken(status, text, why);
}

/* The arguments of a launch, in the order of the kernel's parameters. What is added must outlive the run. */
class arguments {
public:
    arguments &in(const std::vector<double> &x) { return add(GRISTMILL_DOUBLES_IN, x.size(), const_cast<double *>(x.data())); }
    arguments &in(const std::vector<int> &x) { return add(GRISTMILL_INTS_IN, x.size(), const_cast<int *>(x.data())); }
    arguments &in(const double *x, size_t n) { return add(GRISTMILL_DOUBLES_IN, n, const_cast<double *>(x)); }
    arguments &out(std::vector<double> &x) { return add(GRISTMILL_DOUBLES_OUT, x.size(), x.data()); }
    arguments &out(std::vector<int> &x) { return add(GRISTMILL_INTS_OUT, x.size(), x.data()); }
    arguments &out(double *x, size_t n) { return add(GRISTMILL_DOUBLES_OUT, n, x); }
    arguments &value(const double &x) { return add(GRISTMILL_DOUBLE, 1, const_cast<double *>(&x)); }
    arguments &value(const int &x) { return add(GRISTMILL_INT, 1, const_cast<int *>(&x)); }
    const std::vector<gristmill_argument> &all() const { return all_; }

private:
    arguments &add(int kind, size_t length, void *data)
    {
        gristmill_argument one = { kind, length, data };
        all_.push_back(one);
        return *this;
    }
    std::vector<gristmill_argument> all_;
};

/* Runs a kernel over `size` work-items. false: there is no device with double precision, and nothing was computed. */
inline bool run_kernel(const std::string &program, const std::string &kernel, const arguments &given, size_t size,
                       const std::string &options = "")
{
    detail::message why;
    int status = gristmill_run_kernel(program.c_str(), kernel.c_str(), options.c_str(), &size, 1, given.all().data(),
                                      given.all().size(), why.text, sizeof why.text);
    if (status == GRISTMILL_FAILED) throw std::runtime_error(why.text);
    return status == GRISTMILL_DONE;
}

/* Matrices (Rcpp's, Armadillo's with nrow() and ncol()) and vectors as flat, column-major copies. */
template <class Matrix> std::vector<double> flattenMatrix(const Matrix &m)
{
    std::vector<double> flat;
    flat.reserve((size_t) m.nrow() * (size_t) m.ncol());
    for (int j = 0; j < (int) m.ncol(); ++j)
        for (int i = 0; i < (int) m.nrow(); ++i) flat.push_back(m(i, j));
    return flat;
}

template <class Vector> std::vector<double> copyVector(const Vector &v) { return std::vector<double>(v.begin(), v.end()); }

} // namespace gristmill

/* The names under which programs for opencltools know these functions. */
namespace openclPort = gristmill;
#endif

#endif
