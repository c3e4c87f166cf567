// @depends_nmath: qbinom

__kernel void qbinom_kernel(
    __global const double* p,
    __global const double* n,
    __global const int* lower_tail,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = qbinom(p[i], n[i], 0.375, lower_tail[i], 0);
}
