// @provides: Rcomplex
// @depends: (none)
// @includes: R_ext_types

typedef struct { double r; double i; } Rcomplex;
