/* The functions of the Rust library, and what the C files share.
 *
 * Rust never calls R: it reads and writes arrays, and puts the reason of a failure into a gm_error. Only C calls Rf_error and
 * Rf_warning, with no frame of Rust below it. */
#ifndef GRISTMILL_R_H
#define GRISTMILL_R_H

#include <stddef.h>
#include <stdint.h>

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

/* Why a call failed: empty if it did not. */
typedef struct { char text[4096]; } gm_error;

/* Text that Rust owns. */
typedef struct gm_text gm_text;
const char *gm_text_bytes(const gm_text *text);
size_t gm_text_length(const gm_text *text);
void gm_text_free(gm_text *text);

/* One argument: its values are taken in turn, again from the first after the last. */
typedef struct {
    const void *values;
    size_t length;
    int32_t kind; /* GM_DOUBLE, GM_INTEGER */
} gm_argument;
enum { GM_DOUBLE = 0, GM_INTEGER = 1 };

/* The key of random numbers: those of one key are a function of their index. */
typedef struct { uint64_t seed; uint32_t stream; } gm_key;

/* A kernel over recycled arguments. */
typedef struct {
    int32_t kernel;            /* its number in the list of kernels */
    int32_t argument_count;
    const gm_argument *arguments;
    const gm_key *key;         /* of a kernel that draws random numbers, else NULL */
    int32_t result_count;
    double *const *results;    /* each of `length` elements */
    size_t length;
    int32_t new_nans;          /* set: some result is NaN where no argument is */
    int32_t warned;            /* set: gm_warning has something to say of some element */
} gm_call;

/* Computes elements from `from` on for a tenth of a second or so; gives the first one that is left. */
size_t gm_map(gm_call *call, size_t from, gm_error *error);
/* The kernel of one number for each argument: 1 and the result, or 0 where gm_map has to see to it, because there may be a NaN or
 * something else that R warns of. */
int32_t gm_single(int32_t kernel, const double *values, int32_t value_count, const int32_t *flags, int32_t flag_count, double *result);
/* The same on the chosen device, for a million elements or so. */
size_t gm_map_on_device(gm_call *call, size_t from, gm_error *error);
/* What R warns of element `i` besides NaNs; empty if nothing. */
void gm_warning(const gm_call *call, size_t i, gm_error *text);
/* The names of all kernels, in the order of their numbers, one in each line. */
gm_text *gm_kernel_names(void);
/* Whether there is a device to run kernels on; if not, the error says why. */
int32_t gm_has_device(gm_error *error);
/* Forgets which device was chosen: the next call chooses again. */
void gm_forget_device(void);
/* `vectors` random vectors of counts, one after the other. */
void gm_multinomial(const gm_key *key, size_t vectors, double size, const double *weights, size_t components, double *counts,
                    int32_t on_device, gm_error *error);
/* log(sum(exp(x))). */
double gm_log_sum(const double *x, size_t length);
/* Platforms and devices, and which was chosen; checks of everything that kernels need: records of text. */
gm_text *gm_survey_records(void);
gm_text *gm_check_records(void);
/* Number of threads: gives what is set. 0 asks only; -1 asks how many the machine lends this process. */
int32_t gm_set_threads(int32_t count);

/* random.c */
gm_key gm_r_key(void);                    /* drawn from R's generator */

R_xlen_t gm_r_sample_length(SEXP n);      /* how many numbers `n` asks for */
SEXP gm_r_as_integers(SEXP drawn);        /* doubles as integers, where all of them fit */

/* elementwise.c */
void gm_r_map(gm_call *call);             /* all elements, on the CPU; the user may interrupt it */
void gm_r_warn(const gm_call *call);      /* R's warnings of single elements */

/* text.c */
SEXP gm_r_text(gm_text *text);            /* as a character vector of one; frees it, also when R jumps */
void gm_r_check(const gm_error *error);   /* an R error, if there is one */

#endif
