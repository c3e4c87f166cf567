/* R's vectors for the Rust library, and its results as R's. */
#include "value.h"
#include <R_ext/Utils.h>
#include <limits.h>
#include <string.h>

static void ask(void *unused)
{
    (void) unused;
    R_CheckUserInterrupt();
}

/* Whether the user wants to stop. R would jump out of here; that ends in R_ToplevelExec. */
static int interrupted(void) { return R_ToplevelExec(ask, NULL) == FALSE; }

static gm_input input_of(SEXP x)
{
    gm_input input = { GM_NOTHING, (size_t) Rf_xlength(x), NULL };
    switch (TYPEOF(x)) {
    case NILSXP:
        break;
    case REALSXP:
        input.kind = GM_DOUBLES;
        input.data = REAL(x);
        break;
    case INTSXP:
        input.kind = GM_INTEGERS;
        input.data = INTEGER(x);
        break;
    case LGLSXP:
        input.kind = GM_LOGICALS;
        input.data = LOGICAL(x);
        break;
    case STRSXP: {
        /* Of R_alloc, which R frees when .Call returns, also by a jump. */
        const char **strings = (const char **) R_alloc(input.length + 1, sizeof *strings);
        for (size_t i = 0; i < input.length; i++) {
            SEXP string = STRING_ELT(x, (R_xlen_t) i);
            strings[i] = string == NA_STRING ? NULL : Rf_translateCharUTF8(string);
        }
        input.kind = GM_STRINGS;
        input.data = strings;
        break;
    }
    default:
        Rf_error("internal error: an operation was given a value of type '%s'", Rf_type2char(TYPEOF(x)));
    }
    return input;
}

static SEXP string_of(const gm_output *output, size_t i)
{
    size_t length = 0;
    const char *text = gm_output_string(output, i, &length);
    if (text == NULL) return NA_STRING;
    if (length > INT_MAX) Rf_error("a text has %.0f bytes, but R's strings hold 2^31 - 1", (double) length);
    return Rf_mkCharLenCE(text, (int) length, CE_UTF8);
}

static SEXP object_of(const gm_output *output)
{
    const size_t length = gm_output_length(output);
    SEXP x = R_NilValue;
    switch (gm_output_kind(output)) {
    case GM_DOUBLES:
        x = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t) length));
        if (length) memcpy(REAL(x), gm_output_numbers(output), length * sizeof(double));
        break;
    case GM_INTEGERS:
        x = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t) length));
        if (length) memcpy(INTEGER(x), gm_output_numbers(output), length * sizeof(int));
        break;
    case GM_LOGICALS:
        x = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t) length));
        if (length) memcpy(LOGICAL(x), gm_output_numbers(output), length * sizeof(int));
        break;
    case GM_STRINGS:
        x = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t) length));
        for (size_t i = 0; i < length; i++) SET_STRING_ELT(x, (R_xlen_t) i, string_of(output, i));
        break;
    case GM_LIST: {
        x = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t) length));
        SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t) length));
        for (size_t i = 0; i < length; i++) {
            SET_STRING_ELT(names, (R_xlen_t) i, string_of(output, i));
            SET_VECTOR_ELT(x, (R_xlen_t) i, object_of(gm_output_child(output, i)));
        }
        Rf_setAttrib(x, R_NamesSymbol, names);
        UNPROTECT(1);
        break;
    }
    default:
        PROTECT(x);
    }
    UNPROTECT(1);
    return x;
}

static SEXP taken(void *data) { return object_of(data); }

static void released(void *data, Rboolean jump)
{
    (void) jump;
    gm_output_free(data);
}

SEXP gm_r_perform(const char *operation, SEXP inputs)
{
    const R_xlen_t count = Rf_xlength(inputs);
    gm_input *given = (gm_input *) R_alloc((size_t) count + 1, sizeof *given);
    for (R_xlen_t i = 0; i < count; i++) given[i] = input_of(VECTOR_ELT(inputs, i));
    SEXP continuation = PROTECT(R_MakeUnwindCont());
    gm_output *output = NULL;
    const int failed = gm_perform(operation, given, (size_t) count, interrupted, &output);
    SEXP result = PROTECT(R_UnwindProtect(taken, output, released, output, continuation));
    if (failed) Rf_error("%s", Rf_translateChar(STRING_ELT(result, 0)));
    UNPROTECT(2);
    return result;
}

SEXP perform(SEXP operation, SEXP inputs) { return gm_r_perform(CHAR(STRING_ELT(operation, 0)), inputs); }
