/* Kernels over R's vectors: recycling, attributes, warnings and errors as R's own functions have them. */
#include "gristmill_r.h"

/* The words of R's package stats, and those of base. */
static const char *const STATS_REFUSES = "Non-numeric argument to mathematical function";
static const char *const BASE_REFUSES = "non-numeric argument to mathematical function";

enum { MOST_ARGUMENTS = 8 };

static gm_argument argument_of(SEXP values)
{
    gm_argument argument;
    argument.length = (size_t) XLENGTH(values);
    if (TYPEOF(values) == REALSXP) {
        argument.values = REAL_RO(values);
        argument.kind = GM_DOUBLE;
    } else {
        /* integers and logicals have the same values and the same NA */
        argument.values = TYPEOF(values) == INTSXP ? INTEGER_RO(values) : LOGICAL_RO(values);
        argument.kind = GM_INTEGER;
    }
    return argument;
}

void gm_r_map(gm_call *call)
{
    gm_error error;
    error.text[0] = '\0';
    size_t done = 0;
    while (done < call->length) {
        done = gm_map(call, done, &error);
        gm_r_check(&error);
        if (done < call->length) R_CheckUserInterrupt();
    }
}

void gm_r_warn(const gm_call *call)
{
    gm_error text;
    if (!call->warned) return;
    for (size_t i = 0; i < call->length; i++) {
        text.text[0] = '\0';
        gm_warning(call, i, &text);
        if (text.text[0] != '\0') Rf_warning("%s", text.text);
    }
}

/* One number for each argument, and nothing to keep or to warn of: most of what such a call costs is R's. */
static int single(int kernel, int count, SEXP *values, int flag_count, SEXP *flags, double *result)
{
    double numbers[MOST_ARGUMENTS];
    int truths[2];
    for (int k = 0; k < count; k++) {
        if (TYPEOF(values[k]) != REALSXP || XLENGTH(values[k]) != 1 || ATTRIB(values[k]) != R_NilValue) return 0;
        numbers[k] = REAL_RO(values[k])[0];
    }
    for (int k = 0; k < flag_count; k++) {
        if (TYPEOF(flags[k]) != LGLSXP || XLENGTH(flags[k]) != 1) return 0;
        truths[k] = LOGICAL_RO(flags[k])[0];
    }
    return gm_single(kernel, numbers, count, truths, flag_count, result);
}

static SEXP map(SEXP kernel, int count, SEXP *values, int flag_count, SEXP *flags, const char *refusal, int keep_empty)
{
    double one;
    if (single(INTEGER_RO(kernel)[0], count, values, flag_count, flags, &one)) return Rf_ScalarReal(one);
    gm_argument arguments[MOST_ARGUMENTS];
    int flag_values[2];
    R_xlen_t n = 0;
    int is_empty = 0;
    for (int k = 0; k < count; k++) {
        if (!Rf_isNumeric(values[k])) Rf_error("%s", refusal);
        arguments[k] = argument_of(values[k]);
        R_xlen_t length = XLENGTH(values[k]);
        if (length == 0) is_empty = 1;
        if (length > n) n = length;
    }
    if (is_empty) {
        SEXP nothing = PROTECT(Rf_allocVector(REALSXP, 0));
        if (keep_empty && XLENGTH(values[0]) == 0) SHALLOW_DUPLICATE_ATTRIB(nothing, values[0]);
        UNPROTECT(1);
        return nothing;
    }
    for (int k = 0; k < flag_count; k++) {
        flag_values[k] = Rf_asInteger(flags[k]);
        arguments[count + k].values = &flag_values[k];
        arguments[count + k].length = 1;
        arguments[count + k].kind = GM_INTEGER;
    }
    SEXP result = PROTECT(Rf_allocVector(REALSXP, n));
    double *places[1] = { REAL(result) };
    gm_call call = { INTEGER_RO(kernel)[0], count + flag_count, arguments, NULL, 1, places, (size_t) n, 0, 0 };
    gm_r_map(&call);
    gm_r_warn(&call);
    if (call.new_nans) Rf_warning("NaNs produced");
    for (int k = 0; k < count; k++)
        if (XLENGTH(values[k]) == n) {
            if (ATTRIB(values[k]) != R_NilValue) SHALLOW_DUPLICATE_ATTRIB(result, values[k]);
            break;
        }
    UNPROTECT(1);
    return result;
}

/* As the functions of stats, by the numbers of arguments and flags. Those of two arguments keep the attributes of an empty first one. */
SEXP stats_2_1(SEXP kernel, SEXP a, SEXP b, SEXP f)
{
    SEXP values[] = { a, b }, flags[] = { f };
    return map(kernel, 2, values, 1, flags, STATS_REFUSES, 1);
}

SEXP stats_2_2(SEXP kernel, SEXP a, SEXP b, SEXP f, SEXP g)
{
    SEXP values[] = { a, b }, flags[] = { f, g };
    return map(kernel, 2, values, 2, flags, STATS_REFUSES, 1);
}

SEXP stats_3_1(SEXP kernel, SEXP a, SEXP b, SEXP c, SEXP f)
{
    SEXP values[] = { a, b, c }, flags[] = { f };
    return map(kernel, 3, values, 1, flags, STATS_REFUSES, 0);
}

SEXP stats_3_2(SEXP kernel, SEXP a, SEXP b, SEXP c, SEXP f, SEXP g)
{
    SEXP values[] = { a, b, c }, flags[] = { f, g };
    return map(kernel, 3, values, 2, flags, STATS_REFUSES, 0);
}

SEXP stats_4_1(SEXP kernel, SEXP a, SEXP b, SEXP c, SEXP d, SEXP f)
{
    SEXP values[] = { a, b, c, d }, flags[] = { f };
    return map(kernel, 4, values, 1, flags, STATS_REFUSES, 0);
}

SEXP stats_4_2(SEXP kernel, SEXP a, SEXP b, SEXP c, SEXP d, SEXP f, SEXP g)
{
    SEXP values[] = { a, b, c, d }, flags[] = { f, g };
    return map(kernel, 4, values, 2, flags, STATS_REFUSES, 0);
}

/* As the functions of base. */
SEXP base_1(SEXP kernel, SEXP a)
{
    SEXP values[] = { a };
    return map(kernel, 1, values, 0, NULL, BASE_REFUSES, 1);
}

/* As R's primitives of the group Math: what has a class, or is complex, is left to R's own function of that name. Its argument is called
 * x, which is what errors show. */
SEXP math_1(SEXP kernel, SEXP name, SEXP a)
{
    if (OBJECT(a) || TYPEOF(a) == CPLXSXP) {
        SEXP x = Rf_install("x");
        SEXP frame = PROTECT(R_NewEnv(R_BaseEnv, FALSE, 1));
        Rf_defineVar(x, a, frame);
        SEXP call = PROTECT(Rf_lang2(Rf_installChar(STRING_ELT(name, 0)), x));
        SEXP result = Rf_eval(call, frame);
        UNPROTECT(2);
        return result;
    }
    return base_1(kernel, a);
}

SEXP base_2(SEXP kernel, SEXP a, SEXP b)
{
    SEXP values[] = { a, b };
    if (TYPEOF(a) == CPLXSXP) Rf_error("unimplemented complex function");
    return map(kernel, 2, values, 0, NULL, BASE_REFUSES, 1);
}

/* The third argument is a choice that the kernel compares, not a number that it computes with: where it is NA, so is the result. */
SEXP base_3(SEXP kernel, SEXP a, SEXP b, SEXP c)
{
    SEXP values[] = { a, b, c };
    SEXP result = PROTECT(map(kernel, 3, values, 0, NULL, BASE_REFUSES, 0));
    if (TYPEOF(c) == REALSXP) {
        const double *choices = REAL_RO(c);
        double *numbers = REAL(result);
        R_xlen_t count = XLENGTH(c), n = XLENGTH(result);
        for (R_xlen_t k = 0; k < count; k++)
            if (ISNAN(choices[k]))
                for (R_xlen_t i = k; i < n; i += count) numbers[i] = NA_REAL;
    }
    UNPROTECT(1);
    return result;
}
