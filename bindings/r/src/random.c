/* Random numbers: their key is drawn from R's generator, so that set.seed decides them. */
#include "gristmill_r.h"
#include <R_ext/Random.h>

/* R's uniform numbers have 32 bits (or 25, or 53): two of them are the 64 of a seed. */
gm_key gm_r_key(void)
{
    GetRNGstate();
    uint64_t high = (uint64_t) (unif_rand() * 4294967296.0);
    uint64_t low = (uint64_t) (unif_rand() * 4294967296.0);
    PutRNGstate();
    gm_key key = { high << 32 | low, 0 };
    return key;
}

/* How many numbers `n` asks for: its length, or the number that it holds. */
R_xlen_t gm_r_sample_length(SEXP n)
{
    if (!Rf_isVector(n)) Rf_error("invalid arguments");
    if (XLENGTH(n) != 1) return XLENGTH(n);
    double count = Rf_asReal(n);
    if (!(count >= 0 && count <= 4503599627370496.0)) Rf_error("invalid arguments");
    return (R_xlen_t) count;
}

/* Counts as integers, where all of them fit. */
SEXP gm_r_as_integers(SEXP drawn)
{
    R_xlen_t n = XLENGTH(drawn);
    const double *from = REAL_RO(drawn);
    for (R_xlen_t i = 0; i < n; i++)
        if (from[i] > INT_MAX || from[i] <= INT_MIN) return drawn;
    SEXP result = PROTECT(Rf_allocVector(INTSXP, n));
    int *to = INTEGER(result);
    for (R_xlen_t i = 0; i < n; i++) to[i] = ISNAN(from[i]) ? NA_INTEGER : (int) from[i];
    UNPROTECT(1);
    return result;
}

static SEXP draw(SEXP kernel, SEXP n, int count, SEXP *values, int is_count)
{
    gm_argument arguments[4];
    int is_empty = 0;
    int protected = 0;
    for (int k = 0; k < count; k++) {
        if (!Rf_isNumeric(values[k])) Rf_error("invalid arguments");
        SEXP doubles = PROTECT(Rf_coerceVector(values[k], REALSXP));
        protected++;
        arguments[k].values = REAL_RO(doubles);
        arguments[k].length = (size_t) XLENGTH(doubles);
        arguments[k].kind = GM_DOUBLE;
        if (XLENGTH(doubles) == 0) is_empty = 1;
    }
    R_xlen_t length = gm_r_sample_length(n);
    SEXP result = PROTECT(Rf_allocVector(REALSXP, length));
    protected++;
    double *places[1] = { REAL(result) };
    int has_nans = 0;
    if (is_empty) {
        for (R_xlen_t i = 0; i < length; i++) places[0][i] = NA_REAL;
        has_nans = length > 0;
    } else if (length > 0) {
        gm_key key = gm_r_key();
        gm_call call = { INTEGER_RO(kernel)[0], count, arguments, &key, 1, places, (size_t) length, 0, 0 };
        gm_r_map(&call);
        has_nans = call.new_nans;
    }
    if (has_nans) Rf_warning("NAs produced");
    if (is_count) result = gm_r_as_integers(result);
    UNPROTECT(protected);
    return result;
}

SEXP draw_0(SEXP kernel, SEXP n) { return draw(kernel, n, 0, NULL, 0); }

SEXP draw_1(SEXP kernel, SEXP n, SEXP a)
{
    SEXP values[] = { a };
    return draw(kernel, n, 1, values, 0);
}

SEXP draw_2(SEXP kernel, SEXP n, SEXP a, SEXP b)
{
    SEXP values[] = { a, b };
    return draw(kernel, n, 2, values, 0);
}

SEXP draw_3(SEXP kernel, SEXP n, SEXP a, SEXP b, SEXP c)
{
    SEXP values[] = { a, b, c };
    return draw(kernel, n, 3, values, 0);
}

SEXP count_1(SEXP kernel, SEXP n, SEXP a)
{
    SEXP values[] = { a };
    return draw(kernel, n, 1, values, 1);
}

SEXP count_2(SEXP kernel, SEXP n, SEXP a, SEXP b)
{
    SEXP values[] = { a, b };
    return draw(kernel, n, 2, values, 1);
}

SEXP count_3(SEXP kernel, SEXP n, SEXP a, SEXP b, SEXP c)
{
    SEXP values[] = { a, b, c };
    return draw(kernel, n, 3, values, 1);
}
