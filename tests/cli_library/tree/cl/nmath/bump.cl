// @provides: bump, bump2
// @depends: nmath,
//   halve
real bump(real x, int give_log) {
    if (x < 0) { ML_WARNING(x); return R_D__0; }
    return halve(x);
}
real bump2(real x) { return bump(x, 0) * bump(x, 0); }
