// @library_deps: nmath
// @calls_nmath: tail
// @depends_nmath: tail
// @calls_opencl_builtin: get_global_id
// @all_depends_nmath_count: 4
// @all_depends_nmath: nmath, halve, bump, tail

__kernel void tail_kernel(__global const double* x, __global double* out, const int len) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = tail(x[i]);
}
