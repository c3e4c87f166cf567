// Written by `cargo xtask generate`; do not edit.
// @provides: dbinom_raw_kernel
// @depends_nmath: dbinom_raw
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_double_double, special_scaling, special_exponential, special_stirling,
//   special_trigonometric_pairs, special_logarithm, special_extra_precision, special_gamma_function,
//   special_binomial_kernel, dbinom_raw
// @all_depends_nmath_count: 17

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dbinom_raw_kernel(
    __global const double* x,
    __global const double* n,
    __global const double* p,
    __global const double* q,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dbinom_raw(x[i], n[i], p[i], q[i], give_log[i] != 0);
}
