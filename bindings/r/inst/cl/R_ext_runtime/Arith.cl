// @provides: R_FINITE, ISNAN, ISNA
// @depends: (none)
// @includes: R_ext_runtime

/* R's predicates; on a device NA is any NaN. */
#ifndef ISNAN
#define ISNAN(x) (isnan(x) != 0)
#endif
#ifndef ISNA
#define ISNA(x) (isnan(x) != 0)
#endif
#ifndef R_FINITE
#define R_FINITE(x) (isfinite(x) != 0)
#endif
