// @provides: IEEE_754
// @depends: (none)
// @includes: R_shims

/* What R's configure script found out about its platform. */
#ifndef IEEE_754
#define IEEE_754 1
#endif
#ifndef HAVE_EXPM1
#define HAVE_EXPM1 1
#endif
#ifndef HAVE_LOG1P
#define HAVE_LOG1P 1
#endif
#undef HAVE_LONG_DOUBLE
