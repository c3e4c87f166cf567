// @source_type: h
// @depends: Rmath, gm_exact

/* What the C files of R's math library write about themselves: warnings have nobody to go to on a device. */
#ifndef attribute_hidden
#define attribute_hidden
#endif
#ifndef MATHLIB_ERROR
#define MATHLIB_ERROR(format, x)
#endif
#ifndef MATHLIB_WARNING
#define MATHLIB_WARNING(format, x)
#endif
#ifndef ML_WARNING
#define ML_WARNING(which, where)
#endif
#ifndef ML_WARN_return_NAN
#define ML_WARN_return_NAN return ML_NAN
#endif
/* Their older names. */
#ifndef ML_ERROR
#define ML_ERROR(which, where)
#endif
#ifndef ML_ERR_return_NAN
#define ML_ERR_return_NAN return ML_NAN
#endif
#ifndef IEEE_754
#define IEEE_754 1
#endif

/* Whole numbers, to the nearest even one at halves; and whether a number is farther from them than 1e-7 of itself, the distance
   at which our own functions take a count for a fraction. */
#define R_forceint(x) gm_rint_f64(x)
#define R_nonint(x) (fabs((x) - R_forceint(x)) > 1e-7 * fmax(1.0, fabs(x)))
