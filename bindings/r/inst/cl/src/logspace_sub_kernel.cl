// Written by `cargo xtask generate`; do not edit.
// @provides: logspace_sub_kernel
// @depends_nmath: logspace_sub
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_logarithm, special_extra_precision, special_power,
//   special_exponential_tail, special_log_space, logspace_sub
// @all_depends_nmath_count: 14

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void logspace_sub_kernel(
    __global const double* lx,
    __global const double* ly,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = logspace_sub(lx[i], ly[i]);
}
