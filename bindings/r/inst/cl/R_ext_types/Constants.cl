// @provides: DOUBLE_EPS
// @depends: (none)
// @includes: R_ext_types

#ifndef DOUBLE_EPS
#define DOUBLE_EPS DBL_EPSILON
#endif
#ifndef SINGLE_EPS
#define SINGLE_EPS FLT_EPSILON
#endif
