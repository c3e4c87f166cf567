/* Texts and errors of the Rust library, for R. */
#include "gristmill_r.h"

void gm_r_check(const gm_error *error)
{
    if (error->text[0] != '\0') Rf_error("%s", error->text);
}

static SEXP copied(void *data)
{
    const gm_text *text = data;
    return Rf_ScalarString(Rf_mkCharLenCE(gm_text_bytes(text), (int) gm_text_length(text), CE_UTF8));
}

static void freed(void *data, Rboolean jump)
{
    (void) jump;
    gm_text_free(data);
}

SEXP gm_r_text(gm_text *text)
{
    if (text == NULL) return R_NilValue;
    SEXP continuation = PROTECT(R_MakeUnwindCont());
    SEXP result = PROTECT(R_UnwindProtect(copied, text, freed, text, continuation));
    UNPROTECT(2);
    return result;
}
