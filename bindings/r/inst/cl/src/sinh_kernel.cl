// Written by `cargo xtask generate`; do not edit.
// @provides: sinh_kernel
// @depends_nmath: sinh
// @all_depends_nmath: Rmath, gm_exact, nmath, special_double_double, special_scaling, special_exponential,
//   special_hyperbolic, sinh
// @all_depends_nmath_count: 8

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void sinh_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = sinh(x[i]);
}
