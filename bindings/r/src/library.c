/* What packages in C and C++ get from this one by R_GetCCallable: loader, assembler, runner. The declarations are in
 * inst/include/gristmill.h. None of them jumps: a failure is a number and a message. */
#include "value.h"
#include <R_ext/Rdynload.h>
#include <stdlib.h>
#include <string.h>

/* runner.rs */
int gm_run_kernel(const char *text, const char *kernel, const char *options, const size_t *sizes, size_t dimensions,
                  const void *arguments, size_t count, char *message, size_t room);

enum { DONE = 0, FAILED = 1 };

static int never(void) { return 0; }

static void say(char *message, size_t room, const char *text, size_t length)
{
    if (room == 0) return;
    if (length > room - 1) length = room - 1;
    memcpy(message, text, length);
    message[length] = '\0';
}

static int fail(char *message, size_t room, const char *text)
{
    say(message, room, text, strlen(text));
    return FAILED;
}

/* The directory of an installed package, by the R function that knows. */
static int directory(const char *package, char *path, size_t size, char *message, size_t room)
{
    int failed = 0;
    SEXP name = PROTECT(Rf_mkString("gristmill"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP given = PROTECT(Rf_mkString(package));
    SEXP call = PROTECT(Rf_lang2(Rf_install("package_dir"), given));
    SEXP found = PROTECT(R_tryEvalSilent(call, space, &failed));
    if (failed || TYPEOF(found) != STRSXP || Rf_xlength(found) != 1) {
        char text[512];
        snprintf(text, sizeof text, "there is no package called '%s'", package);
        UNPROTECT(5);
        return fail(message, room, text);
    }
    const char *text = CHAR(STRING_ELT(found, 0));
    if (strlen(text) >= size) {
        UNPROTECT(5);
        return fail(message, room, "the path of a package is too long");
    }
    strcpy(path, text);
    UNPROTECT(5);
    return DONE;
}

static char *copy_of(const gm_output *output, size_t i)
{
    size_t length = 0;
    const char *text = gm_output_string(output, i, &length);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        if (length > 0) memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* An operation on strings, NULL being none, whose result is a text, or a list whose first element is one. */
static int text_of(const char *operation, const char *const *strings, size_t count, int verbose, char **text, char *message, size_t room)
{
    gm_input inputs[8];
    for (size_t i = 0; i < count; i++) {
        inputs[i].kind = strings[i] == NULL ? GM_NOTHING : GM_STRINGS;
        inputs[i].length = strings[i] == NULL ? 0 : 1;
        inputs[i].data = &strings[i];
    }
    gm_output *output = NULL;
    int failed = gm_perform(operation, inputs, count, never, &output);
    const gm_output *problem = failed ? output : NULL;
    const gm_output *found = output;
    if (!failed && gm_output_kind(output) == GM_LIST) {
        found = gm_output_child(output, 0);
        if (strcmp(operation, "library_load") == 0) {
            /* text, trace, problem */
            if (verbose) {
                char *trace = copy_of(gm_output_child(output, 1), 0);
                if (trace != NULL) Rprintf("%s", trace);
                free(trace);
            }
            const gm_output *last = gm_output_child(output, 2);
            if (gm_output_kind(last) == GM_STRINGS) problem = last;
        }
    }
    if (problem != NULL) {
        size_t length = 0;
        const char *why = gm_output_string(problem, 0, &length);
        say(message, room, why, length);
        failed = FAILED;
    } else {
        *text = copy_of(found, 0);
        if (*text == NULL) failed = fail(message, room, "there is no memory for a text");
    }
    gm_output_free(output);
    return failed;
}

static int load_kernel_source(const char *relative_path, const char *package, char **text, char *message, size_t room)
{
    char dir[4096];
    if (directory(package, dir, sizeof dir, message, room)) return FAILED;
    const char *strings[] = { dir, relative_path };
    return text_of("library_source", strings, 2, 0, text, message, room);
}

static int load_kernel_library(const char *subdir, const char *package, int verbose, char **text, char *message, size_t room)
{
    char dir[4096];
    if (directory(package, dir, sizeof dir, message, room)) return FAILED;
    const char *strings[] = { dir, subdir };
    return text_of("library_load", strings, 2, verbose, text, message, room);
}

static int load_library_for_kernel(const char *kernel, const char *kernel_package, const char *subdir, const char *library_package,
                                   const char *tag, char **text, char *message, size_t room)
{
    char dir[4096], other[4096], file[8192], folder[8192];
    if (directory(kernel_package, dir, sizeof dir, message, room)) return FAILED;
    if (directory(library_package, other, sizeof other, message, room)) return FAILED;
    snprintf(file, sizeof file, "%s/cl/%s", dir, kernel);
    snprintf(folder, sizeof folder, "%s/cl/%s", other, subdir);
    const char *strings[] = { file, folder, tag, NULL };
    return text_of("library_for_kernel", strings, 4, 0, text, message, room);
}

static int load_program_preload(const char *manifest, const char *package, char **text, char *message, size_t room)
{
    char dir[4096], file[8192];
    if (directory(package, dir, sizeof dir, message, room)) return FAILED;
    snprintf(file, sizeof file, "%s/cl/%s", dir, manifest);
    const char *strings[] = { dir, NULL, file };
    return text_of("manifest_load", strings, 3, 0, text, message, room);
}

static int assemble_program(const char *kernel, const char *kernel_package, const char *subdir, const char *library_package,
                            const char *tag, char **text, char *message, size_t room)
{
    char dir[4096], other[4096];
    if (directory(kernel_package, dir, sizeof dir, message, room)) return FAILED;
    if (directory(library_package, other, sizeof other, message, room)) return FAILED;
    const char *strings[] = { dir, kernel, other, subdir, tag };
    return text_of("program", strings, 5, 0, text, message, room);
}

static int has_a_device(void)
{
    gm_error why;
    why.text[0] = '\0';
    return gm_has_device(&why) != 0;
}

static void free_text(char *text) { free(text); }

void gm_r_register_callables(void)
{
#define CALLABLE(name, function) R_RegisterCCallable("gristmill", name, (DL_FUNC) &function)
    CALLABLE("gristmill_load_kernel_source", load_kernel_source);
    CALLABLE("gristmill_load_kernel_library", load_kernel_library);
    CALLABLE("gristmill_load_library_for_kernel", load_library_for_kernel);
    CALLABLE("gristmill_load_program_preload", load_program_preload);
    CALLABLE("gristmill_assemble_program", assemble_program);
    CALLABLE("gristmill_run_kernel", gm_run_kernel);
    CALLABLE("gristmill_has_device", has_a_device);
    CALLABLE("gristmill_free_text", free_text);
#undef CALLABLE
}
