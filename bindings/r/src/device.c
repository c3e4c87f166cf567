/* Kernels on the chosen device, or on the CPU with the same bits, over lists of arguments that are all recycled. */
#include "gristmill_r.h"
#include <string.h>

enum { MOST_ARGUMENTS = 8, MOST_RESULTS = 4 };

/* The arguments of a kernel: values, then flags. Gives their number, and the longest length (0 if one is empty). */
static int collected(SEXP values, SEXP flags, gm_argument *arguments, R_xlen_t *length)
{
    int count = LENGTH(values), all = count + LENGTH(flags);
    if (all > MOST_ARGUMENTS) Rf_error("a kernel has %d arguments at most", MOST_ARGUMENTS);
    R_xlen_t n = 0;
    int is_empty = 0;
    for (int k = 0; k < all; k++) {
        SEXP one = k < count ? VECTOR_ELT(values, k) : VECTOR_ELT(flags, k - count);
        if (!Rf_isNumeric(one)) Rf_error("Non-numeric argument to mathematical function");
        arguments[k].length = (size_t) XLENGTH(one);
        switch (TYPEOF(one)) {
        case REALSXP:
            arguments[k].values = REAL_RO(one);
            arguments[k].kind = GM_DOUBLE;
            break;
        case INTSXP:
            arguments[k].values = INTEGER_RO(one);
            arguments[k].kind = GM_INTEGER;
            break;
        default:
            arguments[k].values = LOGICAL_RO(one);
            arguments[k].kind = GM_INTEGER;
        }
        if (XLENGTH(one) == 0) is_empty = 1;
        if (XLENGTH(one) > n) n = XLENGTH(one);
    }
    *length = is_empty ? 0 : n;
    return all;
}

/* Runs the call where it is wanted. With `may_fall_back`, what fails there is done here. */
static void computed(gm_call *call, int on_device, int may_fall_back)
{
    if (on_device) {
        gm_error error;
        error.text[0] = '\0';
        size_t done = 0;
        do {
            done = gm_map_on_device(call, done, &error);
            if (error.text[0] != '\0') break;
            if (done < call->length) R_CheckUserInterrupt();
        } while (done < call->length);
        if (error.text[0] == '\0') return;
        if (!may_fall_back) gm_r_check(&error);
    }
    gm_r_map(call);
}

static void attributes_kept(SEXP result, SEXP values, R_xlen_t n)
{
    for (int k = 0; k < LENGTH(values); k++)
        if (XLENGTH(VECTOR_ELT(values, k)) == n) {
            SHALLOW_DUPLICATE_ATTRIB(result, VECTOR_ELT(values, k));
            break;
        }
}

SEXP device_map(SEXP kernel, SEXP values, SEXP flags, SEXP on_device, SEXP may_fall_back)
{
    gm_argument arguments[MOST_ARGUMENTS];
    R_xlen_t n;
    int count = collected(values, flags, arguments, &n);
    SEXP result = PROTECT(Rf_allocVector(REALSXP, n));
    double *places[1] = { REAL(result) };
    gm_call call = { Rf_asInteger(kernel), count, arguments, NULL, 1, places, (size_t) n, 0, 0 };
    computed(&call, Rf_asLogical(on_device), Rf_asLogical(may_fall_back));
    gm_r_warn(&call);
    if (call.new_nans) Rf_warning("NaNs produced");
    if (n > 0) attributes_kept(result, values, n);
    UNPROTECT(1);
    return result;
}

/* `n` numbers of the key that R's generator gives; counts as integers, where they fit. */
SEXP device_draw(SEXP kernel, SEXP n, SEXP values, SEXP is_count, SEXP on_device, SEXP may_fall_back)
{
    gm_argument arguments[MOST_ARGUMENTS];
    R_xlen_t longest;
    SEXP none = PROTECT(Rf_allocVector(VECSXP, 0));
    for (int k = 0; k < LENGTH(values); k++)
        if (!Rf_isNumeric(VECTOR_ELT(values, k))) Rf_error("invalid arguments");
    int count = collected(values, none, arguments, &longest);
    R_xlen_t length = gm_r_sample_length(n);
    SEXP result = PROTECT(Rf_allocVector(REALSXP, length));
    double *places[1] = { REAL(result) };
    if (length > 0 && count > 0 && longest == 0) {
        for (R_xlen_t i = 0; i < length; i++) places[0][i] = NA_REAL;
        Rf_warning("NAs produced");
    } else if (length > 0) {
        gm_key key = gm_r_key();
        gm_call call = { Rf_asInteger(kernel), count, arguments, &key, 1, places, (size_t) length, 0, 0 };
        computed(&call, Rf_asLogical(on_device), Rf_asLogical(may_fall_back));
        if (call.new_nans) Rf_warning("NAs produced");
    }
    if (Rf_asLogical(is_count)) result = gm_r_as_integers(result);
    UNPROTECT(2);
    return result;
}

/* A kernel with several results, as a list with these names. */
SEXP several(SEXP kernel, SEXP values, SEXP flags, SEXP names)
{
    gm_argument arguments[MOST_ARGUMENTS];
    R_xlen_t n;
    int count = collected(values, flags, arguments, &n);
    int results = LENGTH(names);
    if (results > MOST_RESULTS) Rf_error("a kernel has %d results at most", MOST_RESULTS);
    double *places[MOST_RESULTS];
    SEXP list = PROTECT(Rf_allocVector(VECSXP, results));
    for (int k = 0; k < results; k++) {
        SEXP one = Rf_allocVector(REALSXP, n);
        SET_VECTOR_ELT(list, k, one);
        places[k] = REAL(one);
        if (n > 0) attributes_kept(one, values, n);
    }
    gm_call call = { Rf_asInteger(kernel), count, arguments, NULL, results, places, (size_t) n, 0, 0 };
    computed(&call, 0, 0);
    if (call.new_nans) Rf_warning("NaNs produced");
    Rf_setAttrib(list, R_NamesSymbol, names);
    UNPROTECT(1);
    return list;
}

/* Random vectors of counts, one in each column. R has looked at the arguments. */
SEXP multinomial(SEXP n, SEXP size, SEXP prob, SEXP on_device, SEXP may_fall_back)
{
    R_xlen_t vectors = (R_xlen_t) Rf_asReal(n), components = XLENGTH(prob);
    SEXP counts = PROTECT(Rf_allocMatrix(REALSXP, (int) components, (int) vectors));
    gm_error error;
    error.text[0] = '\0';
    if (vectors > 0) {
        gm_key key = gm_r_key();
        int wanted = Rf_asLogical(on_device);
        gm_multinomial(&key, (size_t) vectors, Rf_asReal(size), REAL_RO(prob), (size_t) components, REAL(counts), wanted, &error);
        if (error.text[0] != '\0' && wanted && Rf_asLogical(may_fall_back)) {
            error.text[0] = '\0';
            gm_multinomial(&key, (size_t) vectors, Rf_asReal(size), REAL_RO(prob), (size_t) components, REAL(counts), 0, &error);
        }
        gm_r_check(&error);
    }
    UNPROTECT(1);
    return counts;
}

/* The numbers' logarithm of the sum of exponentials. */
SEXP log_sum(SEXP x)
{
    SEXP doubles = PROTECT(Rf_coerceVector(x, REALSXP));
    double result = gm_log_sum(REAL_RO(doubles), (size_t) XLENGTH(doubles));
    UNPROTECT(1);
    return Rf_ScalarReal(result);
}

/* TRUE, or why there is no device. */
SEXP has_device(void)
{
    gm_error error;
    error.text[0] = '\0';
    if (gm_has_device(&error)) return Rf_ScalarLogical(1);
    return Rf_mkString(error.text);
}

SEXP forget_device(void)
{
    gm_forget_device();
    return R_NilValue;
}

/* Records of what the OpenCL library shows, of the chosen device, and of the checks that sitrep() prints. */
SEXP survey_records(void) { return gm_r_text(gm_survey_records()); }
SEXP check_records(void) { return gm_r_text(gm_check_records()); }
