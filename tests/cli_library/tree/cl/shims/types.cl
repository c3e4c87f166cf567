// @source_type: h
// @provides: real, R_FINITE
// @depends:
typedef double real;
#define R_FINITE(x) isfinite(x)
