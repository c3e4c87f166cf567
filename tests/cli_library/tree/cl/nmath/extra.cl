// @provides: extra
// @depends: nmath
real extra(real x) { return x + 1; }
