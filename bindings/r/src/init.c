/* Registers the routines: R finds them by these names only. */
#include "gristmill_r.h"
#include "routines.h"
#include <R_ext/Rdynload.h>

#define ARGUMENTS_0 void
#define ARGUMENTS_1 SEXP
#define ARGUMENTS_2 SEXP, SEXP
#define ARGUMENTS_3 SEXP, SEXP, SEXP
#define ARGUMENTS_4 SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_5 SEXP, SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_6 SEXP, SEXP, SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_7 SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_8 SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_9 SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP
#define ARGUMENTS_10 SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP

#define DECLARED(name, count) extern SEXP name(ARGUMENTS_##count);
GM_ROUTINES(DECLARED)

#define REGISTERED(name, count) { #name, (DL_FUNC) &name, count },
static const R_CallMethodDef routines[] = {
    GM_ROUTINES(REGISTERED)
    { NULL, NULL, 0 }
};

void gm_r_register_callables(void); /* library.c */

void R_init_gristmill(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
    gm_r_register_callables();
}
