// Written by `cargo xtask generate`; do not edit.
// @provides: pwilcox_kernel
// @depends_nmath: pwilcox
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_double_double, special_mills_tables, special_philox, special_scaling,
//   special_complex_pair, special_error_tables, special_exponential, special_stirling, special_trigonometric_pairs,
//   special_logarithm, dpq, special_deviance, special_error_function, special_extra_precision, special_scaled_pair,
//   special_beta_zeros, special_gamma_function, special_normal_tail, special_rank_counts, special_binomial_kernel,
//   special_gamma_step, special_incomplete_gamma, special_rank_circle, special_beta_constant, special_beta_function,
//   special_incomplete_beta, special_beta_point, special_hypergeometric_sum, special_negative_binomial_kernel,
//   special_beta_quantile_small, special_beta_quantile_tiny, special_beta_quantile, special_discrete_quantile,
//   special_rank_masses, dist_wilcoxon, pwilcox
// @all_depends_nmath_count: 43

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void pwilcox_kernel(
    __global const double* x,
    __global const double* m,
    __global const double* n,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pwilcox(x[i], m[i], n[i], lower[i] != 0, give_log[i] != 0);
}
