// Written by `cargo xtask generate`; do not edit.
// @provides: log2_kernel
// @depends_nmath: log2
// @all_depends_nmath: Rmath, gm_exact, special_powers_of_two, nmath, special_double_double, special_scaling,
//   special_exponential, special_logarithm, log2
// @all_depends_nmath_count: 9

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void log2_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = log2(x[i]);
}
