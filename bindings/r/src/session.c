/* The library as a whole: its kernels' names, its threads. */
#include "gristmill_r.h"

SEXP kernel_names(void) { return gm_r_text(gm_kernel_names()); }

SEXP threads(SEXP count) { return Rf_ScalarInteger(gm_set_threads(Rf_asInteger(count))); }
