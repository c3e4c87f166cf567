// @all_depends_nmath: dpq, Rmath, nmath, dnorm
// @library_deps: nmath

__kernel void dnorm_kernel(
    __global const double* x,
    __global const double* a,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    int gl = (give_log[i] != 0) ? 1 : 0;
    out[i] = dnorm(x[i], 0.25, a[i], gl);
}
