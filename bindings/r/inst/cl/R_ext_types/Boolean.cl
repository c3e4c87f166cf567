// @provides: Rboolean
// @depends: (none)
// @includes: R_ext_types

/* R's truth values, as the stem Rmath of the library has them, too. */
#ifndef Rboolean
#define Rboolean int
#endif
#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
