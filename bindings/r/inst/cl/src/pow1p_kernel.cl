// Written by `cargo xtask generate`; do not edit.
// @provides: pow1p_kernel
// @depends_nmath: pow1p
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_logarithm, special_extra_precision, special_power,
//   special_exponential_tail, special_log_space, pow1p
// @all_depends_nmath_count: 14

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void pow1p_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pow1p(x[i], y[i]);
}
