// Written by `cargo xtask generate`; do not edit.
// @provides: choose_kernel
// @depends_nmath: choose
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_double_double, special_scaling, special_exponential, special_stirling,
//   special_trigonometric_pairs, special_logarithm, special_extra_precision, special_beta_zeros,
//   special_gamma_function, special_binomial_kernel, special_gamma_step, special_beta_function, lchoose,
//   lfastchoose, choose
// @all_depends_nmath_count: 22

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void choose_kernel(
    __global const double* n,
    __global const double* k,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = choose(n[i], k[i]);
}
