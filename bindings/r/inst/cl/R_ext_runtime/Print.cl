// @provides: Rprintf, REprintf
// @depends: (none)
// @includes: R_ext_runtime

#ifndef Rprintf
#define Rprintf(...)
#endif
#ifndef REprintf
#define REprintf(...)
#endif
