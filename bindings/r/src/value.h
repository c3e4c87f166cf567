/* One way into the Rust library for everything that is not a vector of numbers: vectors in, a tree of vectors out.
 * value.rs has the other side. */
#ifndef GRISTMILL_VALUE_H
#define GRISTMILL_VALUE_H

#include "gristmill_r.h"

enum { GM_NOTHING = 0, GM_DOUBLES = 1, GM_INTEGERS = 2, GM_LOGICALS = 3, GM_STRINGS = 4, GM_LIST = 5 };

/* A vector of R: doubles, integers, or pointers to strings in UTF-8 of which NULL is NA. */
typedef struct { int kind; size_t length; const void *data; } gm_input;

/* A result, which Rust owns. */
typedef struct gm_output gm_output;

/* 0: the result is the operation's; 1: it is a string that says why there is none. */
int gm_perform(const char *operation, const gm_input *inputs, size_t count, int (*interrupted)(void), gm_output **result);
int gm_output_kind(const gm_output *output);
size_t gm_output_length(const gm_output *output);
const void *gm_output_numbers(const gm_output *output);
const char *gm_output_string(const gm_output *output, size_t i, size_t *length);
const gm_output *gm_output_child(const gm_output *output, size_t i);
void gm_output_free(gm_output *output);

/* Performs an operation with the elements of a list as its inputs; an R error if it fails. */
SEXP gm_r_perform(const char *operation, SEXP inputs);

#endif
