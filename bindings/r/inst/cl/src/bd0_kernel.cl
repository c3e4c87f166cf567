// Written by `cargo xtask generate`; do not edit.
// @provides: bd0_kernel
// @depends_nmath: bd0
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_logarithm, special_deviance, ebd0, bd0
// @all_depends_nmath_count: 12

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void bd0_kernel(
    __global const double* x,
    __global const double* m,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = bd0(x[i], m[i]);
}
