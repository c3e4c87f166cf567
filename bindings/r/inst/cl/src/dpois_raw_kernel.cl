// Written by `cargo xtask generate`; do not edit.
// @provides: dpois_raw_kernel
// @depends_nmath: dpois_raw
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_scaling, special_exponential, special_stirling, special_trigonometric_pairs,
//   special_logarithm, special_deviance, special_extra_precision, special_gamma_function, special_poisson_mass,
//   dpois_raw
// @all_depends_nmath_count: 17

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dpois_raw_kernel(
    __global const double* x,
    __global const double* lambda,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dpois_raw(x[i], lambda[i], give_log[i] != 0);
}
