// @source_type: h
// @provides: ML_NAN, R_D__0
// @depends: (none)
#define ML_NAN NAN
#define R_D__0 (give_log ? -INFINITY : 0.0)
