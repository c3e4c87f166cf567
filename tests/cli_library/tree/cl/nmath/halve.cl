// @provides: halve
// @depends: nmath
INLINE real halve(real x) { return R_FINITE(x) ? 0.5 * x : ML_NAN; }
