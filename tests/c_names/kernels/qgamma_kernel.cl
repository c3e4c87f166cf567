// @depends_nmath: qgamma

__kernel void qgamma_kernel(
    __global const double* p,
    __global const double* a,
    __global const double* b,
    __global const int* lower_tail,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = qgamma(p[i], a[i], b[i], lower_tail[i], FALSE);
}
