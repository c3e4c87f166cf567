// @provides: SEXPREC, SEXP, R_xlen_t
// @depends: Rconfig
// @includes: R_shims

/* R's objects are the host's; the names are here so that declarations which nobody calls compile. */
typedef struct { int unused; } SEXPREC;
typedef __global SEXPREC *SEXP;
typedef long R_xlen_t;
