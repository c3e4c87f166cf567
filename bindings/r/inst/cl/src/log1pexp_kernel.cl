// Written by `cargo xtask generate`; do not edit.
// @provides: log1pexp_kernel
// @depends_nmath: log1pexp
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_logarithm, special_extra_precision, special_power,
//   special_exponential_tail, special_log_space, log1pexp
// @all_depends_nmath_count: 14

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void log1pexp_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = log1pexp(x[i]);
}
