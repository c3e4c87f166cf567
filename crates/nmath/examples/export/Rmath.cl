// @source_type: h
// @depends: (none)

/* The names of R's C interface, as Rmath.h has them, for kernels that were written for it (docs/c-names.md). Nothing here
   defines a function: each function's own stem (`dnorm`, `pgamma`, ...) brings it, and the macros that take C's arguments.
   Constants have 30 digits; OpenCL C defines the first thirteen itself. */
#ifndef M_E
#define M_E 2.718281828459045235360287471353 /* e */
#endif
#ifndef M_LOG2E
#define M_LOG2E 1.442695040888963407359924681002 /* log2(e) */
#endif
#ifndef M_LOG10E
#define M_LOG10E 0.4342944819032518276511289189166 /* log10(e) */
#endif
#ifndef M_LN2
#define M_LN2 0.6931471805599453094172321214582 /* log(2) */
#endif
#ifndef M_LN10
#define M_LN10 2.302585092994045684017991454684 /* log(10) */
#endif
#ifndef M_PI
#define M_PI 3.141592653589793238462643383280 /* pi */
#endif
#ifndef M_PI_2
#define M_PI_2 1.570796326794896619231321691640 /* pi/2 */
#endif
#ifndef M_PI_4
#define M_PI_4 0.7853981633974483096156608458199 /* pi/4 */
#endif
#ifndef M_1_PI
#define M_1_PI 0.3183098861837906715377675267450 /* 1/pi */
#endif
#ifndef M_2_PI
#define M_2_PI 0.6366197723675813430755350534901 /* 2/pi */
#endif
#ifndef M_2_SQRTPI
#define M_2_SQRTPI 1.128379167095512573896158903122 /* 2/sqrt(pi) */
#endif
#ifndef M_SQRT2
#define M_SQRT2 1.414213562373095048801688724210 /* sqrt(2) */
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.7071067811865475244008443621048 /* 1/sqrt(2) */
#endif
#ifndef M_2PI
#define M_2PI 6.283185307179586476925286766559 /* 2 pi */
#endif
#ifndef M_SQRT_3
#define M_SQRT_3 1.732050807568877293527446341506 /* sqrt(3) */
#endif
#ifndef M_SQRT_32
#define M_SQRT_32 5.656854249492380195206754896839 /* sqrt(32) */
#endif
#ifndef M_LOG10_2
#define M_LOG10_2 0.3010299956639811952137388947245 /* log10(2) */
#endif
#ifndef M_SQRT_PI
#define M_SQRT_PI 1.772453850905516027298167483341 /* sqrt(pi) */
#endif
#ifndef M_1_SQRT_2PI
#define M_1_SQRT_2PI 0.3989422804014326779399460599344 /* 1/sqrt(2 pi) */
#endif
#ifndef M_SQRT_2dPI
#define M_SQRT_2dPI 0.7978845608028653558798921198688 /* sqrt(2/pi) */
#endif
#ifndef M_LN_2PI
#define M_LN_2PI 1.837877066409345483560659472811 /* log(2 pi) */
#endif
#ifndef M_LN_SQRT_PI
#define M_LN_SQRT_PI 0.5723649429247000870717136756765 /* log(sqrt(pi)) */
#endif
#ifndef M_LN_SQRT_2PI
#define M_LN_SQRT_2PI 0.9189385332046727417803297364056 /* log(sqrt(2 pi)) */
#endif
#ifndef M_LN_SQRT_PId2
#define M_LN_SQRT_PId2 0.2257913526447274323630976149474 /* log(sqrt(pi/2)) */
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef Rboolean
#define Rboolean int
#endif

#ifndef ML_NAN
#define ML_NAN ((double)NAN)
#endif
#ifndef ML_POSINF
#define ML_POSINF ((double)INFINITY)
#endif
#ifndef ML_NEGINF
#define ML_NEGINF (-(double)INFINITY)
#endif
#define R_NaN ML_NAN
#define R_PosInf ML_POSINF
#define R_NegInf ML_NEGINF
#ifndef INT_MIN
#define INT_MIN (-2147483647 - 1)
#endif
#define NA_INTEGER INT_MIN
/* R's missing number is the NaN whose low 32 bits are 1954; arithmetic may set its quiet bit, and its sign. */
#ifndef NA_REAL
#define NA_REAL as_double(0x7FF00000000007A2UL)
#endif
#ifndef ISNA
#define ISNA(x) ((as_ulong((double)(x)) & 0x7FF00000FFFFFFFFUL) == 0x7FF00000000007A2UL)
#endif
#define R_IsNA(x) ISNA(x)

#ifndef ISNAN
#define ISNAN(x) (isnan(x) != 0)
#endif
#ifndef R_FINITE
#define R_FINITE(x) (isfinite(x) != 0)
#endif
#define R_finite(x) R_FINITE(x)
#define R_IsNaN(x) (ISNAN(x) && !ISNA(x))

/* Functions that R's shared library exports with a prefix. */
