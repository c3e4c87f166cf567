// @depends_nmath: qt

__kernel void qt_kernel(
    __global const double* p,
    __global const double* a,
    __global const int* lower_tail,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = Rf_qt(p[i], a[i], lower_tail[i], 0);
}
