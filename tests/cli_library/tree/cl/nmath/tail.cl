// @provides: tail
// @depends: nmath, bump
real tail(real x) { return exp(-bump2(x)); }
